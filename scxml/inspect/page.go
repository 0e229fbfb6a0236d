package inspect

import (
	"embed"
	"io/fs"
	"net/http"
	"path"
)

//go:embed page
var files embed.FS

// contentTypes are those of the page's files. The tables of some systems say otherwise, and
// browsers then run no script.
var contentTypes = map[string]string{
	".css": "text/css; charset=utf-8", ".html": "text/html; charset=utf-8",
	".js": "text/javascript; charset=utf-8", ".svg": "image/svg+xml",
}

// Files returns the files of the page, for other pages that show charts and values: picture.js, values.js,
// data.js and dom.js are modules, and page.css has the colours. They may change with each version.
func Files() fs.FS {
	page, err := fs.Sub(files, "page")
	if err != nil {
		panic(err) // the name is constant
	}
	return page
}

// pages serves the files of the page, which have no secrets.
func pages() http.Handler {
	serve := http.FileServerFS(Files())
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if t, ok := contentTypes[path.Ext(r.URL.Path)]; ok {
			w.Header().Set("Content-Type", t)
		}
		serve.ServeHTTP(w, r)
	})
}
