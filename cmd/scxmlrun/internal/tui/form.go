package tui

import (
	"fmt"
	"slices"
	"strings"

	"github.com/scxmlrun/scxmlrun/cmd/internal/widget"
	"github.com/scxmlrun/scxmlrun/datamodel"
	"github.com/scxmlrun/scxmlrun/scxml"
	"github.com/scxmlrun/scxmlrun/scxml/forms"
)

// press does what the button of an event does: it sends the event, or first asks for its data.
func (f *Front) press(name string) {
	e := f.look.event(name)
	switch {
	case e == nil:
		f.note = fmt.Sprintf("%s does nothing here; press E to send it nevertheless", name)
	case e.Open:
		f.ask(e.Name, "")
	case len(e.Fields) > 0:
		f.fill(e)
	default:
		f.send(scxml.Event{Name: e.Name})
	}
}

// previewLines is how many lines of the effect a form shows.
const previewLines = 5

// would returns what an event would do, in as many lines whatever it is.
func (f *Front) would(name string, data datamodel.Value, err error) string {
	lines := make([]string, previewLines)
	join := func() string { return f.styles.signs(strings.Join(lines, "\n")) }
	if err != nil {
		lines[0] = err.Error()
		return join()
	}
	all := f.effectOf(name, data).lines
	for i, e := range all {
		if i == previewLines-1 && len(all) > previewLines {
			lines[i] = fmt.Sprintf("… and %d more", len(all)-i)
			break
		}
		if i < previewLines {
			lines[i] = widget.Cut(e.word+" "+e.text, dataWidth, "…")
		}
	}
	return join()
}

// fill opens the form of an event.
func (f *Front) fill(e *event) {
	values := e.values() // what is written here comes again
	errs := make([]error, len(values))
	d := &widget.Dialog{Title: "Send " + e.Name}
	if g := e.Grid; g != nil {
		d.Controls = append(d.Controls, table(e, g))
	}
	for i, field := range e.Fields {
		if g := e.Grid; g != nil && (i == g.Row || i == g.Column) {
			continue
		}
		d.Controls = append(d.Controls, control(field, &values[i], &errs[i])...)
	}
	check := func() error {
		for i, err := range errs {
			if err != nil {
				return fmt.Errorf("%s: %w", label(e.Fields[i]), err)
			}
		}
		return nil
	}
	d.Controls = append(d.Controls,
		&widget.Label{Text: " "},
		&widget.Label{Dim: true, Now: func() string { return f.would(e.Name, e.Data(values), check()) }},
		&widget.Button{Text: "Send", Stay: true, Do: func() {
			if check() == nil {
				f.windows.Close(d)
				f.send(scxml.Event{Name: e.Name, Data: e.Data(values)})
			}
		}},
		&widget.Button{Text: "As JSON", Do: func() { f.ask(e.Name, string(datamodel.AppendJSON(nil, e.Data(values)))) }},
		&widget.Button{Text: "Cancel"})
	f.windows.Open(d)
}

// label returns the name of a field, or what all of the data is called.
func label(field forms.Field) string {
	if len(field.Path) == 0 {
		return "data"
	}
	return field.Name()
}

// table returns the control for the fields of a grid.
func table(e *event, g *forms.Grid) widget.Control {
	t := &widget.Table{}
	for _, row := range g.Cells {
		var texts []string
		for _, v := range row {
			texts = append(texts, forms.Field{Kind: forms.Text}.Format(v))
		}
		t.Cells = append(t.Cells, texts)
	}
	t.Changed = func() { e.values()[g.Row], e.values()[g.Column] = int64(t.Row), int64(t.Col) }
	row, _ := e.values()[g.Row].(int64)
	col, _ := e.values()[g.Column].(int64)
	if 0 <= row && int(row) < len(g.Cells) && 0 <= col && int(col) < len(g.Cells[0]) {
		t.Row, t.Col = int(row), int(col)
	}
	t.Changed()
	return t
}

// control returns the control for a field, and its hint.
func control(field forms.Field, value *datamodel.Value, err *error) []widget.Control {
	var texts []string
	at := 0
	for i, v := range field.Values {
		texts = append(texts, field.Format(v))
		if datamodel.Equal(v, *value) {
			at = i
		}
	}
	if field.Kind == forms.Choice || field.Kind == forms.Boolean && len(texts) > 0 {
		c := &widget.Choice{Label: label(field), Options: texts, At: at}
		c.Changed = func() { *value = field.Values[c.At] }
		c.Changed()
		return []widget.Control{c}
	}
	w := &widget.Field{Label: label(field), Text: field.Format(*value), Options: texts, Replace: true}
	w.Changed = func() { *value, *err = field.Parse(w.Text) }
	hint := map[forms.Kind]string{forms.Number: "a number", forms.Text: "a text", forms.Any: "a number, a text, or JSON"}[field.Kind]
	if len(texts) > 0 {
		shown := slices.Clone(texts)
		for i, text := range shown {
			if text == "" {
				shown[i] = `""` // which the field reads, too
			}
		}
		hint += "; PgDn: " + strings.Join(shown, ", ")
	}
	return []widget.Control{w, &widget.Label{Text: "  " + hint, Dim: true}}
}

// ask opens the form for any event, whose data is JSON.
func (f *Front) ask(name, data string) {
	n := &widget.Field{Label: "event", Text: name}
	v := &widget.Field{Label: "data ", Text: data, Max: 10000}
	event := func() (scxml.Event, error) {
		ev := scxml.Event{Name: strings.TrimSpace(n.Text)}
		if ev.Name == "" {
			return ev, fmt.Errorf("write the name of an event")
		}
		if err := datamodel.CheckEventName(ev.Name); err != nil {
			return ev, err
		}
		var err error
		if text := strings.TrimSpace(v.Text); text != "" {
			if ev.Data, err = datamodel.ParseStrictJSON([]byte(text)); err != nil {
				err = fmt.Errorf(`the data is not JSON: %w; write a text in quotes, as "on"`, err)
			}
		}
		return ev, err
	}
	d := &widget.Dialog{Title: "Send any event"}
	d.Controls = []widget.Control{
		n, v,
		&widget.Label{Text: `  the data is JSON, such as 5, "on" or {"x":1}; none if empty`, Dim: true},
		&widget.Label{Text: " "},
		&widget.Label{Dim: true, Now: func() string {
			ev, err := event()
			return f.would(ev.Name, ev.Data, err)
		}},
		&widget.Button{Text: "Send", Stay: true, Do: func() {
			if ev, err := event(); err == nil {
				f.windows.Close(d)
				f.send(ev)
			}
		}},
		&widget.Button{Text: "Cancel"},
	}
	if name != "" {
		d.Focus(v)
	}
	f.windows.Open(d)
}
