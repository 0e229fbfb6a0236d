package lsp

import (
	"embed"
	"io/fs"
	"strings"

	"github.com/scxmlrun/scxmlrun/scxml/compile"
	"github.com/scxmlrun/scxmlrun/scxml/editor"
)

// maxTyped is how many bytes a document may have whose types are shown. So many, of 1,500 states, take a quarter of a second.
const maxTyped = 1 << 18

// typesOf returns a function that finds the types of the names in a document.
func typesOf(name string, folder fs.FS) func(text string) []editor.Type {
	if folder == nil {
		folder = embed.FS{} // which is empty
	}
	return func(text string) []editor.Type {
		if len(text) > maxTyped {
			return nil
		}
		found, _ := compile.Types(folder, name, []byte(text)) // what is wrong is among the problems
		var all []editor.Type
		for _, t := range found {
			all = append(all, editor.Type{Kind: t.Kind, Name: t.Name, Text: typeText(t)})
		}
		return all
	}
}

func typeText(t compile.Inferred) string {
	text := "in Go `" + t.Go + "`"
	if t.Types != "" {
		text = "`" + strings.ReplaceAll(t.Types, "|", " | ") + "`, " + text
	}
	if t.Why != "" {
		text += ", from `" + strings.ReplaceAll(t.Why, "`", "'") + "`" // which can have names of files in it
	}
	return text
}
