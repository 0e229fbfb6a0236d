package inspect

import (
	"context"

	"github.com/scxmlrun/scxmlrun/datamodel"
	"github.com/scxmlrun/scxmlrun/scxml/forms"
)

// A form is an event that can be sent at a position.
type form struct {
	Event  string  `json:"event"`
	Open   bool    `json:"open"`
	Own    bool    `json:"own"`
	Fields []field `json:"fields"`
	Grid   *grid   `json:"grid"`
}

type field struct {
	Name    string `json:"name"`
	Path    list   `json:"path"`
	Kind    string `json:"kind"`
	Values  []long `json:"values"`
	Default long   `json:"default"`
}

type grid struct {
	Row    int      `json:"row"`
	Column int      `json:"column"`
	Cells  [][]long `json:"cells"`
}

// formsAt returns the events that can be sent at position n.
func (m *member) formsAt(ctx context.Context, n int) ([]form, error) {
	s, err := m.History.Seek(ctx, n) // looking for values can change data
	if err != nil {
		return nil, err
	}
	all := []form{}
	for _, ev := range m.facts().forms.Now(ctx, s) {
		f := form{Event: ev.Name, Open: ev.Open, Own: ev.Own, Fields: []field{}}
		for _, part := range ev.Fields {
			f.Fields = append(f.Fields, newField(part))
		}
		if ev.Grid != nil {
			f.Grid = &grid{ev.Grid.Row, ev.Grid.Column, nil}
			for _, cells := range ev.Grid.Cells {
				f.Grid.Cells = append(f.Grid.Cells, longs(cells))
			}
		}
		all = append(all, f)
	}
	return all, nil
}

func newField(f forms.Field) field {
	return field{f.Name(), list(f.Path), f.Kind.String(), longs(f.Values), long{f.Default}}
}

// longs never returns nil, which is null in JSON.
func longs(values []datamodel.Value) []long {
	all := make([]long, len(values))
	for i, v := range values {
		all[i] = long{v}
	}
	return all
}
