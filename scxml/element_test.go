package scxml_test

import (
	"io/fs"
	"strings"
	"testing"

	"github.com/scxmlrun/scxmlrun/charts"
	"github.com/scxmlrun/scxmlrun/datamodel"
	"github.com/scxmlrun/scxmlrun/scxml"
)

const elementChart = `<?xml version="1.0"?>
<!-- A gate. -->
<!-- It has <two> states. -->
<scxml xmlns="http://www.w3.org/2005/07/scxml" xmlns:x="urn:x" version="1.0" initial="shut" x:colour="grün">
  <datamodel><data id="n" expr="1 &lt; 2"/></datamodel>
  <!-- Closed. -->
  <state id="shut">
    <onentry>
      <log label="é" expr="n"/><x:lamp on="1">red<x:deep/>dish</x:lamp>
    </onentry>
    <transition event="push" target="open"/>
    <!-- the end -->
  </state>
  <state id="open">
    <initial><transition target="wide"/></initial>
    <history id="h" type="deep"><transition target="wide"/></history>
    <state id="wide"/>
  </state>
</scxml>
<!-- after -->
`

func TestElements(t *testing.T) {
	chart, err := scxml.Parse("gate.scxml", []byte(elementChart))
	if err != nil {
		t.Fatal(err)
	}
	root := chart.Element()
	if got, want := root.Comment, " A gate. \n It has <two> states. "; got != want {
		t.Errorf("comment of the root: %q, want %q", got, want)
	}
	shut, _ := chart.State("shut")
	e := shut.Element()
	if e.Comment != " Closed. " || e.Last != " the end " || e.Parent != root || e.Attr("id") != "shut" {
		t.Errorf("element of shut: %+v", e)
	}
	if data := root.Children[0].Children[0]; data.Attr("expr") != "1 < 2" || data.Attrs[1].ValuePos.String() != "gate.scxml:5:33" {
		t.Errorf("data: %+v", data)
	}
	lamp := e.Children[0].Children[1]
	if lamp.Space != "urn:x" || lamp.Name != "lamp" || lamp.Text != "reddish" || lamp.Pos.String() != "gate.scxml:9:32" || lamp.End.String() != "gate.scxml:9:72" {
		t.Errorf("lamp: %+v", lamp)
	}
	if e.End.String() != "gate.scxml:13:11" {
		t.Errorf("shut ends at %s", e.End)
	}
	if tr := shut.Transitions()[0]; tr.Element().Attr("event") != "push" {
		t.Errorf("transition: %+v", tr.Element())
	}
}

func TestInitialTransition(t *testing.T) {
	chart, err := scxml.Parse("gate.scxml", []byte(elementChart))
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		state, target string
		element       bool
	}{{"", "shut", false}, {"open", "wide", true}, {"h", "wide", true}, {"shut", "", false}} {
		st := chart.Root()
		if test.state != "" {
			st, _ = chart.State(test.state)
		}
		tr, ok := st.Initial()
		if ok != (test.target != "") {
			t.Errorf("%s: a default transition: %v", st, ok)
		}
		if !ok {
			continue
		}
		if len(tr.Targets()) != 1 || tr.Targets()[0].Name() != test.target || tr.Source() != st || (tr.Element() != nil) != test.element {
			t.Errorf("%s: default transition %v, element %v", st, tr.Targets(), tr.Element())
		}
	}
	if h, _ := chart.State("h"); !h.Deep() || chart.Root().Deep() {
		t.Error("the history alone is deep")
	}
}

// TestElementsOfCharts cuts each element out of the text of the charts that ship.
func TestElementsOfCharts(t *testing.T) {
	names, err := fs.Glob(charts.FS, "*.scxml")
	if err != nil || len(names) == 0 {
		t.Fatal(names, err)
	}
	for _, name := range names {
		chart, err := scxml.Load(charts.FS, name)
		if err != nil {
			t.Fatal(err)
		}
		lines := strings.Split(chart.Source(), "\n")
		offset := func(p datamodel.Position) int {
			n := 0
			for _, line := range lines[:p.Line-1] {
				n += len(line) + 1
			}
			return n + len(string([]rune(lines[p.Line-1])[:p.Col-1]))
		}
		var check func(e *scxml.Element)
		check = func(e *scxml.Element) {
			text := chart.Source()[offset(e.Pos):offset(e.End)]
			if !strings.HasPrefix(text, "<"+e.Name) || !strings.HasSuffix(text, "/>") && !strings.HasSuffix(text, "</"+e.Name+">") {
				t.Errorf("%s: <%s> is %q", e.Pos, e.Name, text)
			}
			for _, a := range e.Attrs {
				if !strings.HasPrefix(chart.Source()[offset(a.Pos):], a.Name) && a.Space == "" {
					t.Errorf("%s: attribute %q", a.Pos, a.Name)
				}
			}
			for _, c := range e.Children {
				check(c)
			}
		}
		check(chart.Element())
		for _, st := range chart.States() {
			if e := st.Element(); e == nil || e.Name != st.Kind().String() {
				t.Errorf("%s: element of %s: %+v", st.Pos(), st, e)
			}
		}
		for _, tr := range chart.Transitions() {
			if e := tr.Element(); e == nil || e.Name != "transition" {
				t.Errorf("%s: element of %s: %+v", tr.Pos(), tr, e)
			}
		}
	}
}
