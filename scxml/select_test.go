package scxml_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/scxmlrun/scxmlrun/scxml"
	"github.com/scxmlrun/scxmlrun/scxml/internal/table"
)

// TestManyTransitions: in a state with so many transitions that they are looked up, the first one
// in document order is taken that matches and whose condition holds.
func TestManyTransitions(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	descriptors := []string{"a", "a.b", "a.b.*", "a.b.c", "b", "*", "a b", "b.* a.b a", "c.d"}
	names := []string{"a", "a.b", "a.b.c", "a.b.c.d", "a.x", "b", "b.c", "c", "c.d", "d"}
	for range 30 {
		type arc struct {
			events []string
			holds  bool
		}
		var arcs []arc
		var b strings.Builder
		b.WriteString(`<state id="outer"><transition event="*" target="none"/><state id="s">`)
		for i := range 40 + rng.IntN(40) {
			a := arc{strings.Fields(descriptors[rng.IntN(len(descriptors))]), rng.IntN(4) == 0}
			cond := "In('nowhere')"
			if a.holds {
				cond = "In('s')"
			}
			fmt.Fprintf(&b, `<transition event="%s" cond="%s" target="t%d"/>`, strings.Join(a.events, " "), cond, i)
			arcs = append(arcs, a)
		}
		b.WriteString(`</state></state><state id="none"/>`)
		for i := range arcs {
			fmt.Fprintf(&b, `<state id="t%d"/>`, i)
		}
		chart := parse(t, b.String(), `datamodel="null"`)
		for _, name := range names {
			want := "none"
			if i := slices.IndexFunc(arcs, func(a arc) bool {
				return a.holds && slices.ContainsFunc(a.events, func(d string) bool { return table.Matches(d, name) })
			}); i >= 0 {
				want = fmt.Sprintf("t%d", i)
			}
			d := driven(t, chart)
			d.process(scxml.Event{Name: name})
			wantConfiguration(t, d.Session, want)
		}
	}
}
