package playground

import (
	"embed"
	"encoding/xml"
	"io/fs"
	"path"
	"strings"

	"github.com/scxmlrun/scxmlrun/charts"
)

// The names of the files have a number, which is their place in the list.
//
//go:embed charts/*.scxml
var files embed.FS

// An Example is a chart to begin with.
type Example struct {
	Name   string `json:"name"`  // for links: it does not change
	Title  string `json:"title"` // the name of the chart
	Source string `json:"source"`
}

// Examples returns the charts to begin with, the simplest first.
func Examples() (all []Example) {
	names, err := fs.Glob(files, "charts/*.scxml")
	if err != nil {
		panic(err) // the pattern is constant
	}
	for _, name := range names {
		_, short, _ := strings.Cut(strings.TrimSuffix(path.Base(name), ".scxml"), "-")
		all = append(all, example(files, name, short))
	}
	return append(all, example(charts.FS, "sudoku.scxml", "sudoku"))
}

func example(fsys fs.FS, name, short string) Example {
	source, err := fs.ReadFile(fsys, name)
	if err != nil {
		panic(err) // it is embedded
	}
	var root struct {
		Name string `xml:"name,attr"`
	}
	if err := xml.Unmarshal(source, &root); err != nil {
		panic(err) // a test reads them all
	}
	return Example{short, root.Name, string(source)}
}
