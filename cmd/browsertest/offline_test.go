package browsertest

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/fstest"

	"github.com/chromedp/cdproto/target"
	"github.com/chromedp/chromedp"

	"github.com/scxmlrun/scxmlrun/cmd/internal/sudoku/web/static"
)

const (
	ready      = `document.documentElement.dataset.ready && !document.querySelector('#loading')`
	controlled = `navigator.serviceWorker.controller`
)

// keptBytes is an expression: how many bytes the page keeps for itself.
const keptBytes = `(async () => {
	let all = 0;
	for (const name of await caches.keys()) {
		const cache = await caches.open(name);
		for (const request of await cache.keys()) all += (await (await cache.match(request)).blob()).size;
	}
	return all;
})()`

// A server that sends files as they are is enough: the page gets the compressed programs, and keeps them
// so.
func TestPlainFileServer(t *testing.T) {
	files := http.FileServer(http.Dir(must(t, built)))
	var mu sync.Mutex
	sent := map[string]int{}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		c := &counted{ResponseWriter: w}
		files.ServeHTTP(c, r)
		mu.Lock()
		defer mu.Unlock()
		sent[r.URL.Path] += c.bytes
	}))
	defer server.Close()
	p := playAt(t, server.URL, desk, 0, 40)
	p.wait(controlled)
	if kept := js[int](p, keptBytes); kept < 6e6 || kept > 9e6 {
		t.Errorf("the page keeps %d bytes", kept)
	}
	server.Close()
	mu.Lock()
	if raw, packed := sent["/sudoku.wasm"], sent["/sudoku.wasm.gz"]; raw > 15e6 || packed < 6e6 {
		t.Errorf("the server has sent %d bytes of the program and %d bytes of the compressed one", raw, packed)
	}
	mu.Unlock()
	p.reload()
	p.wait(ready)
	p.start()
	p.click("#c0")
	p.keys(solution[:1])
	p.waitDigit(0, solution[0])
}

type counted struct {
	http.ResponseWriter
	bytes int
}

func (c *counted) Write(p []byte) (int, error) {
	n, err := c.ResponseWriter.Write(p)
	c.bytes += n
	return n, err
}

// The playground needs no network after the first visit either.
func TestPlaygroundOffline(t *testing.T) {
	server := httptest.NewServer(must(t, handler))
	defer server.Close()
	p := open(t, server.URL+"/playground/", desk)
	p.waitActive("locked")
	p.wait(controlled)
	server.CloseClientConnections()
	server.Close()
	p.reload()
	p.waitActive("locked")
	p.press("coin")
	p.waitActive("open")
}

// A page has the files of one version, also while a new one is published. The new one is there when the
// page begins again and no other page has the old one.
func TestNewVersion(t *testing.T) {
	var serving atomic.Value
	publish := func(folder fs.FS) {
		h, err := static.New(folder)
		if err != nil {
			t.Fatal(err)
		}
		serving.Store(h)
	}
	old := os.DirFS(must(t, built))
	publish(old)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { serving.Load().(http.Handler).ServeHTTP(w, r) }))
	defer server.Close()
	p := newTab(t, browser, desk)
	detach := func(p *tab) { // a service worker with a debugger does not end
		_, err := chromedp.Call(p.ctx, target.SetAutoAttach, target.SetAutoAttachParams{AutoAttach: false})
		p.do(err)
	}
	detach(p)
	p.visit(server.URL + "/")
	p.wait(ready)
	p.wait(controlled)
	oldBuild := js[string](p, `self.version = (await import('./build.js'), build.version)`)

	publish(changed(t, old, "main.js", func(text string) string { return text + "\nwindow.published = 'new';\n" }))
	second := &tab{t: t}
	ctx, end := chromedp.NewContext(p.ctx) // in the same profile
	defer end()
	second.ctx = ctx
	second.do(chromedp.Do(ctx))
	detach(second)
	second.do(chromedp.Do(ctx, chromedp.Navigate(server.URL+"/")))
	second.wait(ready)
	for _, one := range []*tab{p, second} {
		one.wait(`(await navigator.serviceWorker.getRegistration()).waiting`)
		one.reload()
		one.wait(ready)
		if js[bool](one, `window.published === 'new' || (await (await fetch('main.js')).text()).includes('published')`) {
			t.Error("a page has a part of the new version while another page has the old one")
		}
	}
	second.do(chromedp.Cancel(ctx)) // and wait until it is closed
	p.wait(`(await (await navigator.serviceWorker.getRegistration()).waiting)`)
	js[any](p, `location.assign('#`+puzzle(0)+`')`)
	p.reload()
	p.wait(ready + ` && window.published === 'new'`)
	if now := js[string](p, `(await import('./build.js'), build.version)`); now == oldBuild {
		t.Error("the new page has the old build.js")
	}
	if n := js[int](p, `(await (await caches.open('sudoku')).keys()).filter(one => one.url.includes('/main.js?')).length`); n != 1 {
		t.Errorf("%d versions of main.js are kept", n)
	}
}

// changed returns a folder in which a file is another one, and build.js says so.
func changed(t *testing.T, folder fs.FS, name string, edit func(string) string) fs.FS {
	t.Helper()
	read := func(name string) string {
		text, err := fs.ReadFile(folder, name)
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	text := edit(read(name))
	hash := sha256.Sum256([]byte(text))
	prefix, object, _ := strings.Cut(read("build.js"), "self.build = ")
	var build struct {
		Version string                    `json:"version"`
		Files   map[string]map[string]any `json:"files"`
	}
	if err := json.Unmarshal([]byte(strings.TrimSuffix(strings.TrimSpace(object), ";")), &build); err != nil {
		t.Fatal(err)
	}
	build.Version = hex.EncodeToString(hash[:16])
	build.Files[name] = map[string]any{"size": len(text), "hash": hex.EncodeToString(hash[:16])}
	made, err := json.Marshal(build)
	if err != nil {
		t.Fatal(err)
	}
	over := overlay{folder, fstest.MapFS{}}
	for name, text := range map[string]string{name: text, "build.js": fmt.Sprintf("%sself.build = %s;\n", prefix, made)} {
		var packed bytes.Buffer
		w := gzip.NewWriter(&packed)
		_, err := w.Write([]byte(text))
		if err == nil {
			err = w.Close()
		}
		if err != nil {
			t.Fatal(err)
		}
		over.files[name], over.files[name+".gz"] = &fstest.MapFile{Data: []byte(text)}, &fstest.MapFile{Data: packed.Bytes()}
	}
	return over
}

// An overlay is a folder with other contents of some of its files.
type overlay struct {
	fs.FS
	files fstest.MapFS
}

func (o overlay) Open(name string) (fs.File, error) {
	if _, ok := o.files[name]; ok {
		return o.files.Open(name)
	}
	return o.FS.Open(name)
}
