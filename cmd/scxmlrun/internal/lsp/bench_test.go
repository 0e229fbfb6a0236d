package lsp

import (
	"fmt"
	"strings"
	"testing"
)

// large returns a chart with 10,000 states in a hundred groups, of 1.2 MB.
func large() string {
	var b strings.Builder
	b.WriteString("<scxml xmlns=\"http://www.w3.org/2005/07/scxml\" version=\"1.0\" initial=\"g0\">\n  <datamodel><data id=\"n\" expr=\"0\"/></datamodel>\n")
	for g := range 100 {
		fmt.Fprintf(&b, "  <state id=\"g%d\" initial=\"s%d_0\">\n    <transition event=\"group.next\" target=\"g%d\"/>\n", g, g, (g+1)%100)
		for s := range 99 {
			fmt.Fprintf(&b, "    <state id=\"s%d_%d\">\n      <transition event=\"next\" cond=\"n &lt; %d\" target=\"s%d_%d\"><assign location=\"n\" expr=\"n + 1\"/></transition>\n    </state>\n", g, s, s+10, g, (s+1)%99)
		}
		b.WriteString("  </state>\n")
	}
	b.WriteString("</scxml>\n")
	return b.String()
}

// BenchmarkLarge measures what someone waits for who types in a chart of 10,000 states, in the middle: from the
// keystroke to the completion, and from the end of the pause to the diagnostics.
func BenchmarkLarge(b *testing.B) {
	text := large()
	line := uint32(strings.Count(text[:strings.Index(text, `target="s50_50"`)], "\n"))
	target := strings.Split(text, "\n")[line]
	place := position{line, uint32(strings.Index(target, `target="`) + len(`target="`) + 3)} // in s50_50
	key := func(c *client) {
		c.change("untitled:large", contentChange{&span{place, place}, "0"})
	}
	for _, bench := range []struct {
		name string
		wait func(c *client)
	}{
		{"completion", func(c *client) {
			key(c)
			c.must("textDocument/completion", placeParams{in("untitled:large"), place})
		}},
		{"diagnostics", func(c *client) {
			key(c)
			c.diagnostics()
		}},
	} {
		b.Run(bench.name, func(b *testing.B) {
			c := start(b, `{}`)
			c.open("untitled:large", text)
			c.diagnostics()
			for b.Loop() {
				bench.wait(c)
			}
			if bench.name == "diagnostics" {
				b.ReportMetric((float64(b.Elapsed().Nanoseconds())/float64(b.N)-float64(pause.Nanoseconds()))/1e6, "ms-after-pause/op")
			}
		})
	}
}
