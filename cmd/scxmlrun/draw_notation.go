package main

import (
	"context"
	"io"

	"github.com/scxmlrun/scxmlrun/cmd/scxmlrun/internal/notation"
)

// notationFormats returns the formats that other tools read.
func notationFormats() []drawFormat {
	extensions := map[string][]string{
		"dot": {".dot", ".gv"}, "mermaid": {".mmd", ".mermaid"}, "plantuml": {".puml", ".plantuml"}, "smcat": {".smcat"}, "xstate": {".json"}, "scjson": {".scjson"},
	}
	var all []drawFormat
	for _, f := range notation.Formats() {
		all = append(all, drawFormat{f.Name, extensions[f.Name], func(_ context.Context, w io.Writer, p *drawing) ([]string, error) {
			text, lost := f.Write(p.diagram)
			if p.marked {
				lost = append(lost, "--active, --highlight and --coverage are for svg and png")
			}
			_, err := io.WriteString(w, text)
			return lost, err
		}})
	}
	return all
}
