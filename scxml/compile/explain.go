package compile

import (
	"io/fs"
	"strings"

	"github.com/scxmlrun/scxmlrun/datamodel"
)

// An Inferred is what is known of the values of a data item, or of something else with a name.
type Inferred struct {
	Kind  string             // data, variable, function, or member of _event.data
	Name  string             // in the chart
	Types string             // types of ECMAScript: "number|undefined", or "any"; "" for a function, and for a member whose uses do not show it
	Go    string             // its type in Go
	Pos   datamodel.Position // the zero value if there is none
	Why   string             // of a data item or variable with several types, where they come from: "a number at 2:7, a string at 5:3"
}

// Explain returns the types that data have in the code of [Source], of the chart and those that it invokes, in the order
// of kinds. Of the options Events counts. If the chart cannot be compiled, the error is an *[UnsupportedError], and the types are those that are known all
// the same.
func Explain(fsys fs.FS, name string, source []byte, o Options) ([]Inferred, error) {
	f, err := open(fsys, name, source, Options{Package: "p", Events: o.Events})
	if err != nil {
		return nil, err
	}
	_, err = f.generate()
	var all []Inferred
	for _, g := range f.charts {
		if m, ok := g.data.(*typedModel); ok {
			all = append(all, m.inferred()...)
		}
	}
	return all, err
}

// Types returns the types of the data of a chart, for programs that show them to its author: without those that it invokes,
// in a fraction of the time that code takes, and also if the chart cannot be compiled. The error is a [*scxml.DocumentError] for a
// document that is not a legal chart.
func Types(fsys fs.FS, name string, source []byte) ([]Inferred, error) {
	f, err := open(fsys, name, source, Options{Package: "p"})
	if err != nil {
		return nil, err
	}
	if m, ok := f.charts[0].model().(*typedModel); ok {
		return m.inferred(), nil
	}
	return nil, nil
}

func (m *typedModel) inferred() (all []Inferred) {
	seen := map[string]bool{}
	for _, d := range m.items {
		if !seen[d.ID] {
			seen[d.ID] = true
			t := m.es.Type(d.ID)
			all = append(all, Inferred{"data", d.ID, t.String(), t.Go(), d.Pos, m.why(d.ID)})
		}
	}
	for _, id := range m.es.Vars() {
		t := m.es.Type(id)
		all = append(all, Inferred{Kind: "variable", Name: id, Types: t.String(), Go: t.Go(), Why: m.why(id)})
	}
	for _, f := range m.es.Funcs() {
		if last := len(all) - 1; last >= 0 && all[last].Kind == "function" && all[last].Name == f.Name {
			all[last].Go += ", " + f.Signature
			continue
		}
		all = append(all, Inferred{Kind: "function", Name: f.Name, Go: f.Signature, Pos: f.Pos})
	}
	if m.es.Whole() {
		return all
	}
	for _, name := range sortedKeys(m.member) {
		in := Inferred{Kind: "member", Name: name, Go: "any"}
		if t := m.memberTypes(name); t != 0 {
			in.Types = t.String()
			if t.Scalar() != 0 {
				in.Go = t.Go()
			}
		}
		all = append(all, in)
	}
	return all
}

// why says where the types of a data item or a variable come from, if it has several.
func (m *typedModel) why(id string) string {
	var list []string
	for _, p := range m.es.Places(id) {
		if p.Pos.File == m.doc.File {
			p.Pos.File = ""
		}
		if p.Pos.IsValid() {
			list = append(list, p.Type.Words()+" at "+p.Pos.String())
		}
	}
	if t := m.es.Type(id); t&(t-1) == 0 {
		return ""
	}
	return strings.Join(list, ", ")
}
