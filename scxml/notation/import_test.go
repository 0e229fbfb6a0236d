package notation

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/scxmlrun/scxmlrun/scxml"
	"github.com/scxmlrun/scxmlrun/scxml/diagram"
)

// meaning says what a chart means as far as smcat can express it.
func meaning(chart *scxml.Chart) string {
	var b strings.Builder
	write := func(t scxml.Transition, initial bool) {
		targets := t.Targets()
		internal := t.Internal() && len(targets) == 1 && targets[0] != t.Source() && !initial
		fmt.Fprintf(&b, "  %q [%s] -> %v %v\n", t.Events(), strings.TrimSpace(t.Cond()), targets, internal)
	}
	for _, s := range chart.States() {
		fmt.Fprintf(&b, "%s %s %v\n", s.Kind(), strings.TrimPrefix(s.Name(), "scxml#0"), s.Deep())
		if t, ok := s.Initial(); ok {
			write(t, true)
		}
		for _, t := range s.Transitions() {
			write(t, false)
		}
	}
	return b.String()
}

// A chart that is written for state-machine-cat and read again means the same, unless SMCat says that
// something is lost.
func TestSMCatRoundTrip(t *testing.T) {
	compared := 0
	for _, s := range corpus(t) {
		text, lost := SMCat(s.d)
		imported, err := ReadSMCat(s.name, []byte(text))
		if err != nil {
			t.Errorf("%s: %v\n%s", s.name, err, text)
			continue
		}
		chart, err := scxml.Parse(s.name, imported.SCXML)
		if err != nil {
			t.Errorf("%s: %v\n%s", s.name, err, imported.SCXML)
			continue
		}
		if slices.ContainsFunc(lost, func(l string) bool { return !strings.HasPrefix(l, "the data of") }) || strings.Contains(s.name, "random") || strings.Contains(s.name, "diagnostics") ||
			strings.Contains(s.name, "hostile") { // its ids are not ids
			continue
		}
		compared++
		if got, want := meaning(chart), meaning(s.d.Chart); got != want {
			t.Errorf("%s: got\n%s\nwant\n%s\n%s\nnotes %v", s.name, got, want, text, imported.Notes)
		}
	}
	if compared < 10 {
		t.Errorf("only %d charts were compared", compared)
	}
}

var _ = diagram.New
