package console

import (
	"embed"
	"io/fs"
	"net/http"
	"path"
	"strings"

	"github.com/scxmlrun/scxmlrun/scxml/inspect"
)

//go:embed page
var files embed.FS

// contentTypes are those of the files. The tables of some systems say otherwise.
var contentTypes = map[string]string{
	".css": "text/css; charset=utf-8", ".html": "text/html; charset=utf-8",
	".js": "text/javascript; charset=utf-8", ".svg": "image/svg+xml",
}

// New returns a handler for the files of the page, for the Page of a rest.Config. The address of the page
// ends with a slash; its requests go to ../v1/.
func New() http.Handler {
	all := map[string][]byte{}
	add := func(prefix string, from fs.FS) {
		err := fs.WalkDir(from, ".", func(name string, d fs.DirEntry, err error) error {
			if err == nil && !d.IsDir() {
				all[prefix+name], err = fs.ReadFile(from, name)
			}
			return err
		})
		if err != nil {
			panic(err) // they are embedded
		}
	}
	page, err := fs.Sub(files, "page")
	if err != nil {
		panic(err) // the name is constant
	}
	add("inspect/", inspect.Files()) // modules of it
	add("copy/", inspect.Files())    // the whole page, whose api.js is another one here
	add("", page)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		name := strings.TrimPrefix(r.URL.Path, "/")
		if name == "" || strings.HasSuffix(name, "/") {
			name += "index.html"
		}
		text, ok := all[name]
		if !ok {
			http.NotFound(w, r)
			return
		}
		h := w.Header()
		h.Set("Content-Security-Policy", "default-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'")
		h.Set("X-Content-Type-Options", "nosniff")
		h.Set("Referrer-Policy", "no-referrer")
		h.Set("Cross-Origin-Opener-Policy", "same-origin")
		h.Set("Cross-Origin-Resource-Policy", "same-origin")
		h.Set("Cache-Control", "no-cache")
		h.Set("Content-Type", contentTypes[path.Ext(name)])
		_, _ = w.Write(text) // the reader has gone
	})
}
