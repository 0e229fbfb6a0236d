//go:build pages

package main

import (
	"embed"
	"io/fs"
)

//go:embed all:pages
var files embed.FS

// embedded has the pages, which cmd/internal/sudoku/web/build has written below this directory.
var embedded = must(fs.Sub(files, "pages"))

func must(fsys fs.FS, err error) fs.FS {
	if err != nil {
		panic(err) // the name is constant
	}
	return fsys
}
