package mutate

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/scxmlrun/scxmlrun/datamodel"
	"github.com/scxmlrun/scxmlrun/scxml"
)

func parse(t testing.TB, text string) *scxml.Chart {
	t.Helper()
	chart, err := scxml.Parse("chart.scxml", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return chart
}

// Each operator has its mutants, with place and change, in document order.
func TestMutants(t *testing.T) {
	for _, test := range []struct{ name, chart, want string }{
		{"transitions", `<scxml xmlns="http://www.w3.org/2005/07/scxml" version="1.0" initial="a">
  <state id="a">
    <transition event="go" cond="n &lt; 1" target="b"/>
    <transition event="go.fast" target="c">
      <raise event="x"/>
      <send event="y"/>
    </transition>
    <transition event="stop"/>
  </state>
  <state id="b"/>
  <final id="c"/>
</scxml>`, `
chart.scxml:1:1: retarget
  - <scxml xmlns="http://www.w3.org/2005/07/scxml" version="1.0" initial="a">
  + <scxml xmlns="http://www.w3.org/2005/07/scxml" version="1.0" initial="b">
chart.scxml:3:5: drop transition
  - <transition event="go" cond="n &lt; 1" target="b"/>
chart.scxml:3:5: swap order
  - <transition event="go" cond="n &lt; 1" target="b"/>
    <transition event="go.fast" target="c">
      <raise event="x"/>
      <send event="y"/>
    </transition>
  + <transition event="go" cond="n &lt; 1" target="b"/>
chart.scxml:3:5: negate guard
  - <transition event="go" cond="n &lt; 1" target="b"/>
  + <transition event="go" cond="!(n &lt; 1)" target="b"/>
chart.scxml:3:5: retarget
  - <transition event="go" cond="n &lt; 1" target="b"/>
  + <transition event="go" cond="n &lt; 1" target="c"/>
chart.scxml:4:5: drop transition
  - <transition event="go.fast" target="c">
  -   <raise event="x"/>
  -   <send event="y"/>
  - </transition>
chart.scxml:4:5: retarget
  - <transition event="go.fast" target="c">
  + <transition event="go.fast" target="a">
chart.scxml:5:7: drop action
  - <raise event="x"/>
chart.scxml:5:7: swap order
  - <raise event="x"/>
    <send event="y"/>
  + <raise event="x"/>
chart.scxml:6:7: drop action
  - <send event="y"/>
chart.scxml:8:5: drop transition
  - <transition event="stop"/>`},

		{"histories and types", `<s:scxml xmlns:s="http://www.w3.org/2005/07/scxml" version="1.0"><s:state id="a"
  initial = 'b'><s:history id="h" type='deep'><s:transition target="c"/></s:history>
  <s:transition event="in" type="internal" target="c"/>
  <s:state id="b"><s:state id="b1"/></s:state>
  <s:state id="c"/>
  </s:state>
  <s:state id="d"><s:history id="shallow"><s:transition target="e"/></s:history><s:state id="e"/></s:state>
  <s:parallel id="p"><s:transition event="x" target="q"/><s:state id="q"/></s:parallel>
</s:scxml>`, `
chart.scxml:1:66: retarget
  - initial = 'b'><s:history id="h" type='deep'><s:transition target="c"/></s:history>
  + initial = 'c'><s:history id="h" type='deep'><s:transition target="c"/></s:history>
chart.scxml:2:17: history type
  - initial = 'b'><s:history id="h" type='deep'><s:transition target="c"/></s:history>
  + initial = 'b'><s:history id="h" type='shallow'><s:transition target="c"/></s:history>
chart.scxml:2:47: retarget
  - initial = 'b'><s:history id="h" type='deep'><s:transition target="c"/></s:history>
  + initial = 'b'><s:history id="h" type='deep'><s:transition target="b"/></s:history>
chart.scxml:3:3: drop transition
  - <s:transition event="in" type="internal" target="c"/>
chart.scxml:3:3: transition type
  - <s:transition event="in" type="internal" target="c"/>
  + <s:transition event="in" type="external" target="c"/>
chart.scxml:3:3: retarget
  - <s:transition event="in" type="internal" target="c"/>
  + <s:transition event="in" type="internal" target="b"/>
chart.scxml:8:22: drop transition
  - <s:parallel id="p"><s:transition event="x" target="q"/><s:state id="q"/></s:parallel>
  + <s:parallel id="p">                                    <s:state id="q"/></s:parallel>
chart.scxml:8:22: retarget
  - <s:parallel id="p"><s:transition event="x" target="q"/><s:state id="q"/></s:parallel>
  + <s:parallel id="p"><s:transition event="x" target="a"/><s:state id="q"/></s:parallel>`},

		{"contents, comments and values", `<scxml xmlns="http://www.w3.org/2005/07/scxml" version="1.0">
  <!-- <transition event="comment"/> -->
  <datamodel><data id="d"><scxml xmlns="http://www.w3.org/2005/07/scxml"><state id="x"><transition event="data"/></state></scxml></data></datamodel>
  <state id="a">
    <onentry>
      <if cond="d // what for?"><log expr="1"/>
      <elseif cond="'//'"/>
        <send event="x"><content><raise xmlns="http://www.w3.org/2005/07/scxml" event="value"/></content></send>
      <else/>
        <x:y xmlns:x="urn:x"><raise event="foreign"/></x:y>
      </if>
    </onentry>
    <invoke><content><scxml xmlns="http://www.w3.org/2005/07/scxml" version="1.0" datamodel="null">
      <state><transition event="e" cond="In('s')"/></state><state id="s"/>
    </scxml></content><finalize/></invoke>
  </state>
</scxml>`, `
chart.scxml:6:7: drop action
  - <if cond="d // what for?"><log expr="1"/>
  - <elseif cond="'//'"/>
  -   <send event="x"><content><raise xmlns="http://www.w3.org/2005/07/scxml" event="value"/></content></send>
  - <else/>
  -   <x:y xmlns:x="urn:x"><raise event="foreign"/></x:y>
  - </if>
chart.scxml:6:7: negate guard
  - <if cond="d // what for?"><log expr="1"/>
  + <if cond="!(d // what for?&#10;)"><log expr="1"/>
chart.scxml:6:33: drop action
  - <if cond="d // what for?"><log expr="1"/>
  + <if cond="d // what for?">
chart.scxml:7:7: negate guard
  - <elseif cond="'//'"/>
  + <elseif cond="!('//'&#10;)"/>
chart.scxml:8:9: drop action
  - <send event="x"><content><raise xmlns="http://www.w3.org/2005/07/scxml" event="value"/></content></send>
chart.scxml:10:9: drop action
  - <x:y xmlns:x="urn:x"><raise event="foreign"/></x:y>
chart.scxml:14:14: drop transition
  - <state><transition event="e" cond="In('s')"/></state><state id="s"/>
  + <state>                                      </state><state id="s"/>
chart.scxml:14:14: negate guard
  - <state><transition event="e" cond="In('s')"/></state><state id="s"/>
  + <state><transition event="e"               /></state><state id="s"/>`},
	} {
		t.Run(test.name, func(t *testing.T) {
			mutants := Mutants(parse(t, test.chart))
			got := ""
			for _, m := range mutants {
				got += "\n" + m.String()
				if _, err := scxml.Parse("chart.scxml", []byte(m.Source())); err != nil {
					t.Errorf("%s\n%v", m, err)
				}
			}
			if got != test.want {
				t.Errorf("got%s\nwant%s", got, test.want)
			}
		})
	}
}

// Actions are swapped unless their order matters only if an expression fails.
func TestSwappedActions(t *testing.T) {
	for _, test := range []struct {
		actions string
		want    bool
	}{
		{`<assign location="a" expr="1"/><assign location="b" expr="2"/>`, false},
		{`<assign location="a" expr="1"/><assign location="a" expr="2"/>`, true},
		{`<assign location="a" expr="1"/><assign location="b" expr="a + 1"/>`, true},
		{`<assign location="b" expr="a + 1"/><assign location="a" expr="1"/>`, true},
		{`<assign location="a" expr="1"/><assign location="b" expr="total()"/>`, true},
		{`<assign location="a.x" expr="1"/><assign location="a.y" expr="2"/>`, true},
		{`<assign location="a" expr="1"/><raise event="e"/>`, false},
		{`<raise event="e"/><script>f()</script>`, false},
		{`<script>f()</script><send event="e" delay="1s"/>`, false},
		{`<script>f()</script><send event="e"><param name="a" expr="a"/></send>`, true},
		{`<script>f()</script><send event="e"><param name="a" location="a"/></send>`, true},
		{`<assign location="a" expr="1"/><send event="e" namelist="a"/>`, true},
		{`<assign location="a" expr="1"/><send event="e" namelist="b"/>`, false},
		{`<assign location="a" expr="b"/><send event="e" idlocation="b"/>`, true},
		{`<log expr="a"/><assign location="a" expr="1"/>`, true},
		{`<log expr="b"/><assign location="a" expr="1"/>`, false},
		{`<script>f()</script><log expr="a"/>`, true},
		{`<raise event="a"/><raise event="b"/>`, true},
		{`<raise event="a"/><if cond="x"><raise event="b"/></if>`, true},
	} {
		chart := parse(t, `<scxml xmlns="http://www.w3.org/2005/07/scxml" version="1.0"><state><onentry>`+test.actions+`</onentry></state></scxml>`)
		mutants := Mutants(chart)
		got := slices.ContainsFunc(mutants, func(m *Mutant) bool { return m.Operator == SwapOrder })
		if got != test.want {
			t.Errorf("%s: swapped %v, want %v", test.actions, got, test.want)
		}
	}
}

// The mutants of all documents of the project differ from them, can be parsed, and are where the engine
// says that the transitions are.
func TestMutantsOfOurCharts(t *testing.T) {
	if testing.Short() {
		t.Skip("compiles thousands of mutants")
	}
	total := 0
	for _, dir := range []string{"../../../../charts", "../../../../examples", "../../../../scxml/testdata"} {
		err := filepath.WalkDir(dir, func(file string, _ fs.DirEntry, err error) error {
			if err != nil || filepath.Ext(file) != ".scxml" {
				return err
			}
			folder := os.DirFS(filepath.Dir(file))
			chart, err := scxml.Load(folder, filepath.Base(file))
			if err != nil {
				return nil // a test of what is refused
			}
			mutants := Mutants(chart)
			dropped := map[datamodel.Position]bool{}
			for _, m := range mutants {
				total++
				if m.Operator == DropTransition {
					dropped[m.Pos] = true
				}
				if len(m.Diff()) == 0 {
					t.Errorf("%s: no difference", m)
				}
				if strings.Count(m.Source(), "\n") != strings.Count(chart.Source(), "\n") {
					t.Errorf("%s: the number of lines changes", m)
				}
				if _, err := scxml.Parse(m.Pos.File, []byte(m.Source()), scxml.WithLoader(folder)); err != nil {
					t.Errorf("%s\n%v", m, err)
				}
			}
			for _, tr := range chart.Transitions() {
				if !dropped[tr.Pos()] {
					t.Errorf("%s: %s is not dropped", tr.Pos(), tr)
				}
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if total < 500 {
		t.Errorf("there are %d mutants", total)
	}
}

// The mutants of a large chart, in which one state has many children and an element many lines, are made
// in a time that grows with it.
func TestMutantsOfLargeCharts(t *testing.T) {
	var b strings.Builder
	b.WriteString(`<scxml xmlns="http://www.w3.org/2005/07/scxml" version="1.0">`)
	const n = 20_000
	for i := range n {
		fmt.Fprintf(&b, "<state id=\"s%d\"><transition event=\"e\" target=\"s%d\"/></state>\n", i, (i+1)%n)
	}
	b.WriteString("<state><onentry><script>" + strings.Repeat("\n1;", n) + "</script><log/></onentry></state></scxml>")
	mutants := Mutants(parse(t, b.String()))
	if len(mutants) != 2*n+3 {
		t.Fatalf("%d mutants", len(mutants))
	}
	if m := mutants[len(mutants)-2]; m.Operator != SwapOrder || m.Pos.Line != n+1 || len(m.Diff()) < n {
		t.Errorf("%s %s, %d lines", m.Pos, m.Operator, len(m.Diff()))
	}
}
