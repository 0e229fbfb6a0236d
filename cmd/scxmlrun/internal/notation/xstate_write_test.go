package notation

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/scxmlrun/scxmlrun/scxml"
	"github.com/scxmlrun/scxmlrun/scxml/diagram"
)

// Machines that are written are read again, with the same states and transitions.
func TestXStateRoundTrip(t *testing.T) {
	shape := func(d *diagram.Diagram) []string {
		var all []string
		for _, n := range d.Nodes[1:] {
			all = append(all, fmt.Sprintf("%s %s", n.Kind, clean(n.ID)))
			for _, e := range n.Edges {
				if e.Kind == diagram.Transition {
					for _, target := range e.Targets {
						all = append(all, clean(n.ID)+" → "+clean(target.ID))
					}
				}
			}
		}
		slices.Sort(all)
		return slices.Compact(all)
	}
	for _, s := range corpus(t) {
		text, _ := XState(s.d)
		if !json.Valid([]byte(text)) {
			t.Errorf("%s: not JSON:\n%s", s.name, text)
			continue
		}
		read, err := ReadXState("m.json", []byte(text))
		if err != nil {
			t.Errorf("%s: %v\n%s", s.name, err, text)
			continue
		}
		chart, err := scxml.Parse("m.scxml", read.SCXML)
		if err != nil {
			t.Errorf("%s: %v\n%s", s.name, err, read.SCXML)
			continue
		}
		if len(s.d.Chart.Errors()) > 0 || slices.ContainsFunc(s.d.Root.Edges, isText) { // what is wrong is not written, and a state is added
			continue
		}
		if got, want := shape(diagram.New(chart)), shape(s.d); !slices.Equal(got, want) {
			t.Errorf("%s: got\n%s\nwant\n%s\n%s", s.name, strings.Join(got, "\n"), strings.Join(want, "\n"), text)
		}
	}
}
