package diagram

import (
	"fmt"
	"strings"
	"testing"

	"github.com/scxmlrun/scxmlrun/scxml"
)

const doorChart = `<scxml xmlns="http://www.w3.org/2005/07/scxml" name="door" initial="house">
  <datamodel><data id="n" expr="0"/></datamodel>
  <state id="house">
    <onentry>
      <send event="close" delay="3s" id="timer"><param name="why" expr="'late'"/></send>
      <if cond="n &gt; 3"><raise event="much"/><else/><assign location="n" expr="n + 1"/></if>
    </onentry>
    <onexit><cancel sendid="timer"/></onexit>
    <invoke id="lock" src="lock.scxml" autoforward="true"><finalize><log label="got" expr="_event"/></finalize></invoke>
    <initial><transition target="deep"><script>begin()</script></transition></initial>
    <history id="deep" type="deep"><transition target="open"/></history>
    <state id="open"><transition event="push close" cond="n == 1234567890 &amp;&amp; n != 9876543210" target="shut"/></state>
    <state id="shut"><transition event="pull" target="open"/><transition event="knock"><log expr="'who?'"/></transition></state>
    <transition event="reset" type="internal" target="shut"/>
    <transition event="done.invoke.lock" target="end"/>
  </state>
  <final id="end"><donedata><param name="n" location="n"/></donedata></final>
</scxml>`

func parse(t testing.TB, source string) *scxml.Chart {
	t.Helper()
	chart, err := scxml.Parse("chart.scxml", []byte(source))
	if err != nil {
		t.Fatal(err)
	}
	return chart
}

// A diagram has all of the chart that a picture shows.
func TestModel(t *testing.T) {
	var b strings.Builder
	d := New(parse(t, doorChart))
	for _, n := range d.Nodes {
		fmt.Fprintf(&b, "%s %s\n", n.Kind, n.ID)
		for _, l := range n.Lines {
			fmt.Fprintf(&b, "  %d %q %q %s\n", l.Kind, l.Short, l.Whole, l.Delay)
		}
	}
	for _, e := range d.Edges {
		fmt.Fprintf(&b, "%s %d ->", e.ID, e.Kind)
		for _, n := range e.Targets {
			fmt.Fprintf(&b, " %s", n.ID)
		}
		fmt.Fprintf(&b, "\n  %q %q\n", e.Label(), e.Whole())
		if x := e.Transition.Element(); x != nil && d.Edge(x.Pos) != e {
			t.Errorf("Edge(%v) is not %s", x.Pos, e.ID)
		}
	}
	want := `scxml scxml#0
  4 "n = 0" "n = 0" 
state house
  0 "send close after 3s" "send close after 3s\n  id timer\n  why = 'late'" 3s
  0 "if n > 3 …" "if n > 3\n  raise much\nelse\n  n = n + 1" 
  1 "cancel timer" "cancel timer" 
  2 "invoke lock: lock.scxml" "invoke lock: lock.scxml\n  autoforward true\n  finalize\n    log got: _event" 
history deep
state open
state shut
final end
  3 "done n = n" "done\n  n = n" 
scxml#0/initial 1 -> house
  "" ""
house/initial 1 -> deep
  "/ script begin()" "/ script begin()"
house/1 0 -> shut
  "reset (internal)" "reset (internal)"
house/2 0 -> end
  "done.invoke.lock" "done.invoke.lock"
deep/initial 2 -> open
  "" ""
open/1 0 -> shut
  "push close [n == 1234567890 && n != 9876543…]" "push close [n == 1234567890 && n != 9876543210]"
shut/1 0 -> open
  "pull" "pull"
shut/2 0 ->
  "knock / log 'who?'" "knock\n/ log 'who?'"
`
	if got := b.String(); got != want {
		t.Errorf("got:\n%s\nwant:\n%s", got, want)
	}
}
