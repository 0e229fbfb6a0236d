package editor

import (
	"fmt"
	"strings"
	"testing"
)

// largeChart returns a chart of n states: groups of ten, with transitions, conditions and actions, an
// eighth of them misspelt.
func largeChart(n int) string {
	var b strings.Builder
	b.WriteString(head + "\n  <datamodel>\n    <data id=\"count\" expr=\"0\"/>\n  </datamodel>\n")
	for i := range n / 10 {
		fmt.Fprintf(&b, "  <state id=\"group%d\" initial=\"s%d\">\n    <transition event=\"next.group\" target=\"group%d\"/>\n", i, i*10, (i+1)%(n/10))
		for j := i * 10; j < i*10+9; j++ {
			target := fmt.Sprintf("s%d", i*10+(j+1)%9)
			if j%8 == 0 {
				target = "x" + target
			}
			fmt.Fprintf(&b, `    <state id="s%d">
      <onentry>
        <assign location="count" expr="count + %d"/>
        <raise event="entered.s%d"/>
      </onentry>
      <transition event="tick.%d" cond="count &lt; %d &amp;&amp; !In('group%d')" target="%s"/>
      <transition event="entered"/>
    </state>
`, j, j, j, j%100, j, (i+1)%(n/10), target)
		}
		b.WriteString("  </state>\n")
	}
	b.WriteString("</scxml>\n")
	return b.String()
}

func BenchmarkAnalyse(b *testing.B) {
	text := largeChart(10_000)
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for b.Loop() {
		Analyse("large.scxml", text, Options{})
	}
}

func BenchmarkProblems(b *testing.B) {
	text := largeChart(10_000)
	b.ReportAllocs()
	for b.Loop() {
		if len(Analyse("large.scxml", text, Options{}).Problems()) < 100 {
			b.Fatal("there are too few problems")
		}
	}
}

// BenchmarkProblemsAgain measures what happens after a pause: a little is changed.
func BenchmarkProblemsAgain(b *testing.B) {
	text := largeChart(10_000)
	d := Analyse("large.scxml", text, Options{})
	d.Problems()
	b.ReportAllocs()
	for b.Loop() {
		d = d.Change("\n" + d.Text())
		if len(d.Problems()) < 100 {
			b.Fatal("there are too few problems")
		}
	}
}

// BenchmarkComplete measures what happens after a key is pressed: the text is read, and completed.
func BenchmarkComplete(b *testing.B) {
	text := largeChart(10_000)
	places := map[string]string{"target": `target="`, "event": `transition event="`, "element": "<onentry>\n        <", "In": "In('", "variable": `cond="`}
	for name, before := range places {
		offset := len(text)/2 + strings.Index(text[len(text)/2:], before) + len(before)
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				c := Analyse("large.scxml", text, Options{}).Complete(offset)
				if len(c.Items) == 0 {
					b.Fatal("nothing is offered")
				}
			}
		})
	}
}

func BenchmarkReferences(b *testing.B) {
	text := largeChart(10_000)
	d := Analyse("large.scxml", text, Options{})
	for _, name := range []string{`target="s4`, `location="co`, `"entered.s`} {
		offset := strings.Index(text, name) + len(name)
		b.Run(strings.Trim(name, `="`), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if len(d.References(offset, true)) == 0 {
					b.Fatal("there are no references")
				}
			}
		})
	}
}

// BenchmarkOperate measures how long a change of a chart of 300 states takes.
func BenchmarkOperate(b *testing.B) {
	d := Analyse("large.scxml", strings.ReplaceAll(largeChart(300), `"xs`, `"s`), Options{})
	b.ReportAllocs()
	for b.Loop() {
		if _, _, err := d.Operate(Operation{Op: "add-state", Args: map[string]string{"in": "group3", "id": "new"}}); err != nil {
			b.Fatal(err)
		}
	}
}
