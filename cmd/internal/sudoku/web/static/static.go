package static

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"path"
	"strings"
	"sync"
	"time"
)

// Policy is the Content-Security-Policy of the pages: they run their own scripts and WebAssembly, and
// nothing leaves for another host. Pictures may come from the user, and go to the user.
const Policy = "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'; img-src 'self' blob: data:; base-uri 'none'; form-action 'none'; frame-ancestors 'self'; object-src 'none'"

// contentTypes are those of the files. The tables of some systems say otherwise, and browsers then
// run no script.
var contentTypes = map[string]string{
	".css":         "text/css; charset=utf-8",
	".html":        "text/html; charset=utf-8",
	".js":          "text/javascript; charset=utf-8",
	".json":        "application/json",
	".png":         "image/png",
	".scxml":       "application/xml",
	".svg":         "image/svg+xml",
	".txt":         "text/plain; charset=utf-8",
	".wasm":        "application/wasm",
	".webmanifest": "application/manifest+json",
}

// An encoding is one that the folder may have files in.
type encoding struct{ name, ending string }

// encodings are in the order of preference: the smallest first.
var encodings = []encoding{{"br", ".br"}, {"gzip", ".gz"}}

// A file is one that can be asked for.
type file struct {
	plain   bool // the folder has it as it is
	encoded [2]bool
}

// A handler serves a folder. The table does not change; tags are computed when they are needed.
type handler struct {
	folder fs.FS
	files  map[string]file
	tags   sync.Map // from a name in the folder to its tag, a string
}

// New returns a handler for the files of a folder, which must not change. The addresses of pages end
// with a slash.
func New(folder fs.FS) (http.Handler, error) {
	if _, err := fs.Stat(folder, "build.js"); err != nil {
		if _, err = fs.Stat(folder, "build.js.gz"); err != nil {
			return nil, errors.New("the folder has no build.js: want one that cmd/internal/sudoku/web/build has made")
		}
	}
	h := &handler{folder: folder, files: map[string]file{}}
	err := fs.WalkDir(folder, ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		for i, e := range encodings {
			if original, ok := strings.CutSuffix(name, e.ending); ok {
				f := h.files[original]
				f.encoded[i] = true
				h.files[original] = f
				return nil
			}
		}
		f := h.files[name]
		f.plain = true
		h.files[name] = f
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("cannot read the folder of the pages: %w", err)
	}
	return h, nil
}

// ServeHTTP serves a file.
func (h *handler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	header := w.Header()
	header.Set("Content-Security-Policy", Policy)
	header.Set("X-Content-Type-Options", "nosniff")
	header.Set("Referrer-Policy", "no-referrer")
	header.Set("Cross-Origin-Opener-Policy", "same-origin")
	header.Set("Cross-Origin-Resource-Policy", "same-origin")
	if r.Method != http.MethodGet && r.Method != http.MethodHead {
		header.Set("Allow", "GET, HEAD")
		http.Error(w, "only GET and HEAD are served", http.StatusMethodNotAllowed)
		return
	}
	name := strings.TrimPrefix(r.URL.Path, "/")
	if name == "" || strings.HasSuffix(name, "/") {
		name += "index.html"
	}
	f, ok := h.files[name]
	if !ok {
		if _, ok := h.files[name+"/index.html"]; ok {
			http.Redirect(w, r, path.Base(name)+"/", http.StatusMovedPermanently)
			return
		}
		http.NotFound(w, r)
		return
	}
	header.Set("Content-Type", contentType(name))
	header.Set("Cache-Control", "no-cache") // ask each time whether it has changed
	if err := h.serve(w, r, name, f); err != nil {
		http.Error(w, "cannot read the file", http.StatusInternalServerError)
	}
}

func contentType(name string) string {
	if t, ok := contentTypes[path.Ext(name)]; ok {
		return t
	}
	return "application/octet-stream"
}

// serve serves a file in the best encoding.
func (h *handler) serve(w http.ResponseWriter, r *http.Request, name string, f file) error {
	header := w.Header()
	stored := name
	if f.encoded != [2]bool{} {
		header.Set("Vary", "Accept-Encoding")
	}
	accepted := r.Header.Get("Accept-Encoding")
	for i, e := range encodings {
		if f.encoded[i] && accepts(accepted, e.name) {
			stored = name + e.ending
			header.Set("Content-Encoding", e.name)
			break
		}
	}
	var content io.ReadSeeker
	if stored == name && !f.plain {
		unpacked, err := h.unpack(name)
		if err != nil {
			return err
		}
		content = bytes.NewReader(unpacked)
	} else {
		opened, err := h.folder.Open(stored)
		if err != nil {
			return err
		}
		defer opened.Close()
		if content, err = seekable(opened); err != nil {
			return err
		}
	}
	tag, err := h.tag(stored, content)
	if err != nil {
		return err
	}
	header.Set("ETag", tag)
	http.ServeContent(w, r, name, time.Time{}, content)
	return nil
}

// unpack returns the content of a file that the folder has compressed only.
func (h *handler) unpack(name string) ([]byte, error) {
	packed, err := h.folder.Open(name + ".gz")
	if err != nil {
		return nil, err
	}
	defer packed.Close()
	r, err := gzip.NewReader(packed)
	if err != nil {
		return nil, err
	}
	return io.ReadAll(r)
}

// seekable returns the content of a file. The files of some file systems cannot seek.
func seekable(f fs.File) (io.ReadSeeker, error) {
	if s, ok := f.(io.ReadSeeker); ok {
		return s, nil
	}
	all, err := io.ReadAll(f)
	return bytes.NewReader(all), err
}

// tag returns the entity tag of what is sent, and leaves content at its beginning.
func (h *handler) tag(stored string, content io.ReadSeeker) (string, error) {
	if tag, ok := h.tags.Load(stored); ok {
		return tag.(string), nil
	}
	hash := sha256.New()
	if _, err := io.Copy(hash, content); err != nil {
		return "", err
	}
	if _, err := content.Seek(0, io.SeekStart); err != nil {
		return "", err
	}
	tag := `"` + hex.EncodeToString(hash.Sum(nil)[:12]) + `"`
	h.tags.Store(stored, tag)
	return tag, nil
}

// accepts reports whether a header Accept-Encoding names an encoding, and not with a weight of 0.
func accepts(header, encoding string) bool {
	for part := range strings.SplitSeq(header, ",") {
		name, weight, _ := strings.Cut(part, ";")
		if strings.EqualFold(strings.TrimSpace(name), encoding) {
			weight = strings.TrimPrefix(strings.ReplaceAll(weight, " ", ""), "q=")
			return strings.Trim(weight, "0.") != "" || weight == ""
		}
	}
	return false
}
