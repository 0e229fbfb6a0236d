package forms

import (
	"context"
	"fmt"
	"strings"

	"github.com/scxmlrun/scxmlrun/datamodel"
	"github.com/scxmlrun/scxmlrun/scxml"
)

// An Event is an event that a session can react to.
type Event struct {
	// Name is the name in an event descriptor, without ".*": "" for "*".
	Name string
	// Open reports that the descriptor ends with "*". It is for events whose names begin with Name,
	// which a user may complete.
	Open bool
	// Own reports that the chart sends the event itself, such as that of a timer.
	Own bool
	// Fields are the parts of the data. An event without fields may have data nevertheless.
	Fields []Field
	// Grid is nil unless two fields are the row and the column of a table.
	Grid *Grid
}

// A Grid is a table in the data of a session, and the fields that choose one of its cells.
type Grid struct {
	Row, Column int // indices of the fields
	Cells       [][]datamodel.Value
}

// Now returns the events that the session can react to now if the conditions hold, in the order of
// [scxml.Session.Enabled]. The values of their fields are those in the present state; [Answers.Ask] says
// why the session should be a copy. Fields are known for the events of the chart itself, and not for
// those that it forwards to sessions that it has invoked.
func (f *Forms) Now(ctx context.Context, s *scxml.Session) []Event {
	answers := f.Answers()
	answers.Ask(ctx, s.Eval)
	var all []Event
	at := map[string]int{} // of the names in all
	for _, descriptor := range s.Enabled() {
		ev := Event{Fields: nil}
		ev.Name, ev.Open = cutDescriptor(descriptor)
		if i, ok := at[ev.Name]; ok {
			all[i].Open = all[i].Open || ev.Open
			continue
		}
		at[ev.Name] = len(all)
		ev.Own = ev.Name != "" && !f.chart.IsUserEvent(ev.Name)
		ev.Fields = answers.Fields(ev.Name)
		ev.Grid = f.grid(ctx, s, ev)
		all = append(all, ev)
	}
	return all
}

// grid returns the table whose rows and columns two fields of an event choose, or nil.
func (f *Forms) grid(ctx context.Context, s *scxml.Session, ev Event) *Grid {
	table := func(field Field, below string) (path string) {
		of := part{ev.Name, key(field.Path)}
		for _, q := range f.questions {
			if q.of != of || q.kind != datamodel.UseLookup {
				continue
			}
			for _, p := range q.paths {
				if rest, ok := strings.CutSuffix(key(p), below); ok {
					return rest
				}
			}
		}
		return ""
	}
	for column, c := range ev.Fields {
		of := table(c, pathSeparator+"[]")
		if of == "" {
			continue
		}
		for row, r := range ev.Fields {
			if row == column || table(r, "") != of {
				continue
			}
			path := strings.Split(of, pathSeparator)
			v, _ := s.Eval(ctx, path[0])
			for _, v := range descend(v, path[1:]) {
				if cells := cellsOf(v); cells != nil {
					return &Grid{row, column, cells}
				}
			}
		}
	}
	return nil
}

// cellsOf returns the rows of a list of lists that all are as long, or nil.
func cellsOf(v datamodel.Value) (cells [][]datamodel.Value) {
	rows, _ := v.([]datamodel.Value)
	for _, row := range rows {
		r, ok := row.([]datamodel.Value)
		if !ok || len(r) == 0 || len(cells) > 0 && len(r) != len(cells[0]) {
			return nil
		}
		cells = append(cells, r)
	}
	return cells
}

// Data returns the data of the event with a value for each field. It is undefined (nil) without fields.
func (ev Event) Data(values []datamodel.Value) (data datamodel.Value) {
	for i, f := range ev.Fields {
		data = with(data, f.Path, values[i])
	}
	return data
}

func with(data datamodel.Value, path []string, v datamodel.Value) datamodel.Value {
	if len(path) == 0 {
		return v
	}
	o, ok := data.(*datamodel.Object)
	if !ok {
		o = new(datamodel.Object)
	}
	below, _ := o.Get(path[0])
	o.Set(path[0], with(below, path[1:], v))
	return o
}

// Format returns the text of a value in a form, which [Field.Parse] reads. That of undefined is "".
func (f Field) Format(v datamodel.Value) string {
	if v == nil {
		return ""
	}
	if text, ok := v.(string); ok {
		if back, err := f.Parse(text); err == nil && datamodel.Equal(back, v) {
			return text
		}
	}
	return string(datamodel.AppendJSON(nil, v))
}

// Parse returns the value that a user means by a text. In a field with texts this is the text itself
// unless it is a JSON string, elsewhere any JSON. A text that is not JSON is a string where strings are
// possible. The error says what to write instead.
func (f Field) Parse(text string) (datamodel.Value, error) {
	trimmed := strings.TrimSpace(text)
	v, err := datamodel.ParseStrictJSON([]byte(trimmed))
	if _, isText := v.(string); isText && err == nil {
		return v, nil
	}
	switch kind := f.kind(); {
	case kind == Text:
		return text, nil
	case trimmed == "":
		return nil, nil
	case err != nil && kind == Number:
		return nil, fmt.Errorf("%q is not a number: write digits, for example 12 or 0.5", text)
	case err != nil && kind == Boolean:
		return nil, fmt.Errorf("%q is not true or false", text)
	case err != nil && strings.ContainsAny(trimmed[:1], "{[\""):
		return nil, fmt.Errorf("%s is not JSON: %w", trimmed, err)
	case err != nil:
		return text, nil
	}
	return v, nil
}

// kind returns the kind of the values, of a choice too.
func (f Field) kind() Kind {
	if f.Kind == Choice {
		return kindOf(f.Values)
	}
	return f.Kind
}
