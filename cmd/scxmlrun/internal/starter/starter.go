// Package starter has charts to begin with: each with a scenario that tests it, and with a Go program.
package starter

import (
	"bytes"
	"embed"
	"go/format"
	"strings"
	"testing/fstest"
	"text/template"

	"github.com/scxmlrun/scxmlrun/scxml"
	"github.com/scxmlrun/scxmlrun/scxml/scxmltest"
)

//go:embed templates
var files embed.FS

// A Template is a chart to begin with.
type Template struct {
	Name  string
	About string
	// Data are values for the events of a search, as explore --data takes them; "" if they need none.
	Data string

	events string // of the scenario
	then   string // a state that is active after the first of them
}

// Templates are all templates, the simplest first.
var Templates = []Template{
	{"toggle", "two states and one event", "", "press\npress", "on"},
	{"timer", "a delayed event, and how it is cancelled", "", "press\nadvance 20s\npress\nadvance 30s", "on"},
	{"form", "data, conditions, and messages to the program", `{"change": [{"name": "", "age": 20}, {"name": "Ada", "age": 17}, {"name": "Ada", "age": 18}]}`,
		"submit\nchange {\"name\":\"Ada\",\"age\":36}\nsubmit\nfailed\nsubmit\nsaved", "editing"},
	{"order", "states in states, an answer that may be late, a result", "", "add\nadd\ncheckout\nadvance 900s\ncheckout\npaid\ndelivered", "basket"},
	{"parallel", "two regions, one of which asks about the other", "", "power\nmute\nplay\nmute\nplay\npower", "resting"},
}

// A File is a file to write.
type File struct {
	Name    string
	Content []byte
}

// Files returns the chart with a name and its scenario, and with a Go program and its test if program is set.
// The first file is the chart.
func (t *Template) Files(name string, program bool) ([]File, error) {
	source, err := files.ReadFile("templates/" + t.Name + ".scxml")
	if err != nil {
		return nil, err
	}
	source = bytes.ReplaceAll(source, []byte("NAME"), []byte(name))
	chart := name + ".scxml"
	trace, err := scxmltest.Replay(fstest.MapFS{chart: {Data: source}}, chart, t.events)
	if err != nil {
		return nil, err
	}
	scenario := scxmltest.Scenario{
		Comment: "What the chart does with some events. When the chart has changed on purpose, change the trace, too;\nin a Go program go test . -scxmltest.update writes it.\n",
		Chart:   chart, Events: t.events, Trace: []byte(trace),
	}
	all := []File{{chart, source}, {name + ".txtar", scenario.Format()}}
	if !program {
		return all, nil
	}
	parsed, err := scxml.Parse(chart, source)
	if err != nil {
		return nil, err
	}
	about := struct {
		Name, Event, Then string
		States            []string
	}{Name: name, Then: t.then}
	about.Event, _, _ = strings.Cut(t.events, "\n")
	for _, s := range parsed.States() {
		if s.IsAtomic() {
			about.States = append(about.States, s.ID())
		}
	}
	for _, file := range []string{"main.go", "main_test.go"} {
		tmpl, err := template.ParseFS(files, "templates/"+file+".tmpl")
		if err != nil {
			return nil, err
		}
		var text bytes.Buffer
		if err := tmpl.Execute(&text, about); err != nil {
			return nil, err
		}
		code, err := format.Source(text.Bytes())
		if err != nil {
			return nil, err
		}
		all = append(all, File{file, code})
	}
	return all, nil
}
