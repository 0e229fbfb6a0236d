package scxml_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/scxmlrun/scxmlrun/scxml"
)

// BenchmarkLint checks a chart of 10,000 states with 29,000 expressions, most of which differ, and
// 1,125 misspelt targets. The processor time is that of all threads, the collector's included.
func BenchmarkLint(b *testing.B) {
	var text strings.Builder
	text.WriteString(`<scxml xmlns="http://www.w3.org/2005/07/scxml" version="1.0"><datamodel><data id="count" expr="0"/></datamodel>`)
	for i := range 1000 {
		fmt.Fprintf(&text, "\n<state id=\"group%d\">", i)
		for j := i * 10; j < i*10+9; j++ {
			target := fmt.Sprint("s", i*10+(j+1)%9)
			if j%8 == 0 {
				target = "x" + target
			}
			fmt.Fprintf(&text, "\n  <state id=\"s%d\"><onentry><assign location=\"count\" expr=\"count + %d\"/><raise event=\"entered.s%d\"/></onentry>\n"+
				"    <transition event=\"tick.%d\" cond=\"count &lt; %d &amp;&amp; !In('group%d')\" target=\"%s\"/><transition event=\"entered\"/></state>", j, j, j, j%100, j, i, target)
		}
		text.WriteString("</state>")
	}
	text.WriteString("</scxml>")
	source := []byte(text.String())
	b.ReportAllocs()
	began := cpuTime()
	for b.Loop() {
		if len(scxml.Lint("large.scxml", source, scxml.LintOptions{})) < 1000 {
			b.Fatal("there are too few diagnostics")
		}
	}
	b.ReportMetric(float64((cpuTime()-began).Milliseconds())/float64(b.N), "cpu-ms/op")
}
