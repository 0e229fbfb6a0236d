package compile

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/scxmlrun/scxmlrun/scxml/internal/doc"
)

// flat is a chart of n states in a ring, each with an event of its own.
func flat(n int) string {
	var b strings.Builder
	b.WriteString(`<scxml xmlns="http://www.w3.org/2005/07/scxml" version="1.0" datamodel="null">`)
	for i := range n {
		fmt.Fprintf(&b, "\n<state id=\"s%d\"><transition event=\"e%d\" target=\"s%d\"/></state>", i, i, (i*7+1)%n)
	}
	b.WriteString("\n</scxml>\n")
	return b.String()
}

// wide is a chart of n states in a ring, each with as many transitions as are asked for.
func wide(n, transitions int) string {
	var b strings.Builder
	b.WriteString(`<scxml xmlns="http://www.w3.org/2005/07/scxml" version="1.0" datamodel="null">`)
	for i := range n {
		fmt.Fprintf(&b, "\n  <state id=\"s%d\">", i)
		for k := range transitions {
			fmt.Fprintf(&b, "\n    <transition event=\"e%d\" target=\"s%d\"/>", k, (i*7+k+1)%n)
		}
		b.WriteString("\n  </state>")
	}
	b.WriteString("\n</scxml>\n")
	return b.String()
}

// Code grows with the document, and not with the product of its parts.
func TestSizeOfCode(t *testing.T) {
	for name, source := range map[string]string{"21 transitions": wide(1000, 21), "one transition": wide(2000, 1), "an event each": flat(3000)} {
		code, err := Source(fstest.MapFS{}, "wide.scxml", []byte(source), Options{Package: "p"})
		if err != nil {
			t.Fatal(err)
		}
		ratio := float64(len(code)) / float64(len(source))
		t.Logf("%s: the code has %d bytes, %.1f times the document", name, len(code), ratio)
		if ratio > 10 {
			t.Errorf("%s: the code has %.1f times the size of the document", name, ratio)
		}
	}
}

// Time grows with the document too: a state is not looked at for each event.
func TestCandidates(t *testing.T) {
	const n = 3000
	var b strings.Builder
	b.WriteString(`<scxml xmlns="http://www.w3.org/2005/07/scxml" version="1.0" datamodel="null">`)
	for i := range n {
		fmt.Fprintf(&b, `<state id="s%[1]d"><transition event="e%[1]d.x e%[1]d" target="s0"/></state>`, i)
	}
	b.WriteString(`<state id="any"><transition event="*" target="s0"/><transition event="e1" target="s1"/></state></scxml>`)
	document, _ := doc.Parse("f.scxml", []byte(b.String()), docOptions(nil))
	f := &file{imports: map[string]bool{}, taken: taken{}}
	g := f.add(document, ".", "")
	g.events = newEvents(document)
	candidates := g.candidates()
	for e, name := range g.events.names {
		s := &shortcut{generator: g, event: e}
		var want []*doc.State
		if e < 20 || e > n {
			for _, st := range document.States {
				if len(s.transitions(st)) > 0 {
					want = append(want, st)
				}
			}
			if got := candidates(e); !slices.Equal(got, want) {
				t.Errorf("%q: %d candidates, want %d", name, len(got), len(want))
			}
		}
		if got := candidates(e); len(got) > 2 {
			t.Fatalf("%q: %d candidates", name, len(got))
		}
	}
}
