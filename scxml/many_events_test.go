package scxml_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/scxmlrun/scxmlrun/scxml"
)

// TestManyDescriptors: with more event descriptors than bits in a machine word, each finds its own
// transition and no other.
func TestManyDescriptors(t *testing.T) {
	const many = 200
	var b strings.Builder
	b.WriteString(`<state id="a">`)
	for i := range many {
		fmt.Fprintf(&b, `<transition event="e%d" target="s%d"/>`, i, i)
	}
	b.WriteString(`</state>`)
	for i := range many {
		fmt.Fprintf(&b, `<state id="s%d"><transition event="back" target="a"/></state>`, i)
	}
	s, clock := start(t, b.String())
	for i := range many {
		send(t, s, clock, fmt.Sprintf("e%d", i), nil)
		wantConfiguration(t, s, fmt.Sprintf("s%d", i))
		send(t, s, clock, "back", nil)
	}
	if err := s.Send(scxml.Event{Name: fmt.Sprintf("e%d", many)}); err != nil {
		t.Fatal(err)
	}
	if err := clock.Advance(t.Context(), s, 0); err != nil {
		t.Fatal(err)
	}
	wantConfiguration(t, s, "a")
}
