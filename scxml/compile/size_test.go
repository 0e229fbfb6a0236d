package compile

import (
	"fmt"
	"strings"
	"testing"
	"testing/fstest"
)

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
	for _, c := range []struct{ states, transitions int }{{1000, 21}, {2000, 1}} {
		source := wide(c.states, c.transitions)
		code, err := Source(fstest.MapFS{}, "wide.scxml", []byte(source), Options{Package: "p"})
		if err != nil {
			t.Fatal(err)
		}
		ratio := float64(len(code)) / float64(len(source))
		t.Logf("%d states with %d transitions: the code has %d bytes, %.1f times the document", c.states, c.transitions, len(code), ratio)
		if ratio > 10 {
			t.Errorf("%d states with %d transitions: the code has %.1f times the size of the document", c.states, c.transitions, ratio)
		}
	}
}
