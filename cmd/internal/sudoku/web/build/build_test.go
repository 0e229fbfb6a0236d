package main

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/json"
	"flag"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/andybalholm/brotli"
)

// made makes a folder with compression that is fast, and returns it.
func made(t *testing.T, dir string, encodings ...string) fs.FS {
	t.Helper()
	f := folder{dir: dir, encodings: encodings, quality: 0}
	if err := f.check(nil); err != nil {
		t.Fatal(err)
	}
	if err := f.build(); err != nil {
		t.Fatal(err)
	}
	return os.DirFS(dir)
}

// hashes returns the hashes of all files.
func hashes(t *testing.T, folder fs.FS) map[string][sha256.Size]byte {
	t.Helper()
	all := map[string][sha256.Size]byte{}
	err := fs.WalkDir(folder, ".", func(name string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		content, err := fs.ReadFile(folder, name)
		all[name] = sha256.Sum256(content)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

var all = flag.Bool("build.all", false, "TestBuildIsDeterministic: compile all programs, and not only the smallest one")

// raced says that the race detector is at work, which makes compressing take minutes.
var raced bool

// The same sources make the same bytes, also over a folder that exists and at another place.
func TestBuildIsDeterministic(t *testing.T) {
	if raced {
		t.Skip("compressing takes minutes with the race detector; the same runs without it")
	}
	if !*all {
		defer func(old []program) { programs = old }(programs)
		programs = []program{slices.MinFunc(programs, func(a, b program) int { return a.gzip - b.gzip })}
	}
	dir := filepath.Join(t.TempDir(), "pages")
	first := hashes(t, made(t, dir, "identity", "gzip", "br"))
	if err := os.WriteFile(filepath.Join(dir, "old.js"), nil, 0o666); err != nil {
		t.Fatal(err)
	}
	second := made(t, dir, "identity", "gzip", "br")
	for name, hash := range hashes(t, second) {
		if first[name] != hash {
			t.Errorf("%s differs", name)
		}
		delete(first, name)
	}
	for name := range first {
		t.Errorf("%s is not made again", name)
	}

	text, err := fs.ReadFile(second, "build.js")
	if err != nil {
		t.Fatal(err)
	}
	_, object, _ := strings.Cut(string(text), "self.build = ")
	var build struct {
		Version string
		Files   map[string]entry
	}
	if err := json.Unmarshal([]byte(strings.TrimSuffix(strings.TrimSpace(object), ";")), &build); err != nil {
		t.Fatal(err)
	}
	for name, entry := range build.Files {
		original, err := fs.ReadFile(second, name)
		if err != nil || len(original) != entry.Size {
			t.Errorf("%s has %d bytes, and %d in build.js: %v", name, len(original), entry.Size, err)
		}
		for ending, reader := range map[string]func(io.Reader) (io.Reader, error){
			".gz": func(r io.Reader) (io.Reader, error) { return gzip.NewReader(r) },
			".br": func(r io.Reader) (io.Reader, error) { return brotli.NewReader(r), nil },
		} {
			packed, err := fs.ReadFile(second, name+ending)
			if err != nil {
				if filepath.Ext(name) == ".wasm" {
					t.Error(err)
				}
				continue
			}
			r, err := reader(bytes.NewReader(packed))
			if err != nil {
				t.Fatal(err)
			}
			if unpacked, err := io.ReadAll(r); err != nil || !bytes.Equal(unpacked, original) {
				t.Errorf("%s%s is not %s: %v", name, ending, name, err)
			}
		}
	}
	for _, p := range programs {
		if build.Files[p.to].Size == 0 {
			t.Errorf("%s is missing", p.to)
		}
	}
	if len(build.Version) != 32 {
		t.Errorf("got the version %q", build.Version)
	}
}

// A folder with other files is not replaced.
func TestOtherFolder(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "thesis.txt"), nil, 0o666); err != nil {
		t.Fatal(err)
	}
	f := folder{dir: dir, encodings: []string{"gzip"}}
	if err := f.check(nil); err == nil {
		t.Error("a folder that has other files is accepted")
	}
	if err := (&folder{dir: t.TempDir(), encodings: []string{"zip"}}).check(nil); err == nil {
		t.Error("the encoding zip is accepted")
	}
}

// A program that is too large fails the build.
func TestBound(t *testing.T) {
	name := programs[0].to
	f := folder{dir: t.TempDir(), encodings: []string{"gzip"}}
	content := make([]byte, 2*programs[0].gzip) // bytes that nothing makes smaller
	state := uint32(1)
	for i := range content {
		state = state*1664525 + 1013904223
		content[i] = byte(state >> 24)
	}
	if err := f.write(name, content); err != nil {
		t.Fatal(err)
	}
	if err := f.compress(); err == nil || !strings.Contains(err.Error(), "want at most") {
		t.Errorf("got %v", err)
	}
}
