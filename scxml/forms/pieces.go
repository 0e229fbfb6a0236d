package forms

import (
	"io/fs"
	"path"
	"strings"

	"github.com/scxmlrun/scxmlrun/datamodel"
	"github.com/scxmlrun/scxmlrun/scxml"
)

// A piece is code of a chart, and the events during which it runs.
type piece struct {
	events []string
	kind   datamodel.Kind
	code   string
	uses   []datamodel.Use
}

// pieces returns the code of a chart: of its transitions, and what runs at other times.
func pieces(chart *scxml.Chart, files fs.FS) (all []*piece) {
	var read func(e *scxml.Element, events []string)
	read = func(e *scxml.Element, events []string) {
		if e.Name == "transition" {
			events = eventsOf(e.Attr("event"))
		}
		add := func(kind datamodel.Kind, code string) {
			if strings.TrimSpace(code) != "" {
				all = append(all, &piece{events: events, kind: kind, code: code})
			}
		}
		if cond := e.Attr("cond"); cond != "" {
			add(datamodel.ValueExpr, "!("+cond+"\n)")
		}
		for _, name := range []string{"expr", "array", "eventexpr", "targetexpr", "delayexpr"} {
			add(datamodel.ValueExpr, e.Attr(name))
		}
		switch expr := e.Attr("expr"); e.Name {
		case "assign":
			if expr != "" {
				add(datamodel.Script, e.Attr("location")+" = ("+expr+"\n)")
			}
		case "data":
			if id := e.Attr("id"); id != "" && expr != "" {
				add(datamodel.Script, id+" = ("+expr+"\n)")
			}
		case "script":
			code := e.Text
			if src := e.Attr("src"); src != "" && files != nil {
				source, _ := fs.ReadFile(files, path.Clean(strings.TrimPrefix(src, "file:")))
				code = string(source)
			}
			add(datamodel.Script, code)
		}
		for _, child := range e.Children {
			read(child, events)
		}
	}
	if root := chart.Element(); root != nil {
		read(root, nil)
	}
	return all
}

// eventsOf returns the names that event descriptors begin with: "" is that of "*".
func eventsOf(descriptors string) (names []string) {
	for _, descriptor := range strings.Fields(descriptors) {
		name, _ := cutDescriptor(descriptor)
		names = append(names, name)
	}
	return names
}

// cutDescriptor returns the name in an event descriptor, and whether it ends with "*".
func cutDescriptor(descriptor string) (name string, star bool) {
	name, star = strings.CutSuffix(descriptor, "*")
	return strings.TrimSuffix(name, "."), star
}
