package browsertest

import (
	"flag"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"

	"github.com/scxmlrun/scxmlrun/cmd/internal/sudoku/web/static"
)

var folder = flag.String("folder", "", "test the pages in this `directory` instead of building them")

// built returns the folder of the pages, which it builds the first time.
var built = sync.OnceValues(func() (dir string, err error) {
	if *folder != "" {
		return *folder, nil
	}
	if dir, err = os.MkdirTemp("", "pages-"); err != nil {
		return "", err
	}
	atExit = append(atExit, func() { os.RemoveAll(dir) })
	build := exec.Command("go", "run", "./cmd/internal/sudoku/web/build", "-encodings=identity,gzip", "-o", dir)
	build.Dir, build.Stderr = filepath.FromSlash("../.."), os.Stderr
	return dir, build.Run()
})

// handler serves the pages as the command sudoku does.
var handler = sync.OnceValues(func() (http.Handler, error) {
	dir, err := built()
	if err != nil {
		return nil, err
	}
	return static.New(os.DirFS(dir))
})

// site returns the address of a server with the pages. All tests share one.
var site = sync.OnceValues(func() (string, error) {
	h, err := handler()
	if err != nil {
		return "", err
	}
	server := httptest.NewServer(h)
	atExit = append(atExit, server.Close)
	return server.URL, nil
})

// siteURL is [site] for a test.
func siteURL(t *testing.T) string {
	t.Helper()
	return must(t, site)
}

// must returns the value of something that tests share, or ends the test.
func must[T any](t *testing.T, shared func() (T, error)) T {
	t.Helper()
	if browser == nil {
		t.Skip("no browser is installed")
	}
	v, err := shared()
	if err != nil {
		t.Fatal(err)
	}
	return v
}
