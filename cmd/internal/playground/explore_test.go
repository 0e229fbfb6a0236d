package playground

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"
	"time"
)

// Nothing leads out of "a2" with "b2".
const keys = `<scxml xmlns="http://www.w3.org/2005/07/scxml" version="1.0" initial="both">
  <parallel id="both">
    <state id="a"><state id="a1"><transition event="left" cond="In('b1')" target="a2"/><transition event="late" target="a2"/></state><state id="a2"/></state>
    <state id="b"><state id="b1"><transition event="right" target="b2"/></state><state id="b2"/></state>
  </parallel>
</scxml>`

// A search answers with the states and the transitions of each step on the way.
func TestExplore(t *testing.T) {
	p := New(nil)
	defer p.Close()
	ask := func(q question) found {
		text, err := json.Marshal(q)
		if err != nil {
			t.Fatal(err)
		}
		return request[found](t, p, "POST", "/explore", string(text))
	}
	got := ask(question{Source: keys, Never: "In('a2') && In('b1')"})
	want := []violation{
		{"violated: never In('a2') && In('b1')", []stepInto{
			{"the start", []string{"both", "a", "a1", "b", "b1"}, []string{}},
			{"left", []string{"both", "a", "a2", "b", "b1"}, []string{"a1/1"}},
		}, 0},
		{"deadlock: nothing that may come changes anything", []stepInto{
			{"the start", []string{"both", "a", "a1", "b", "b1"}, []string{}},
			{"left", []string{"both", "a", "a2", "b", "b1"}, []string{"a1/1"}},
			{"right", []string{"both", "a", "a2", "b", "b2"}, []string{"b1/1"}},
		}, 0},
	}
	if !reflect.DeepEqual(got.Violations, want) || got.Verdict != "violated" || got.States != 4 {
		t.Errorf("got %+v\nwant %+v", got, want)
	}
	lamp := `<scxml xmlns="http://www.w3.org/2005/07/scxml" version="1.0"><state id="off"><transition event="press" target="on"/></state><state id="on"><onentry><send event="tick" delay="2s"/></onentry><transition event="tick" target="dim"/></state><state id="dim"><transition event="press" target="on"/></state></scxml>`
	got = ask(question{Source: lamp, LeadsTo: "In('on') => In('off')"})
	if len(got.Violations) != 1 || got.Violations[0].Cycle != 2 || len(got.Violations[0].Steps) != 4 || got.Violations[0].Steps[2].Input != "advance 2s" || got.Violations[0].Steps[2].Taken[0] != "on/1" {
		t.Errorf("again and again: %+v", got)
	}
	if got := ask(question{Source: lamp, Always: "In('on') || In('off') || In('dim')"}); got.Verdict != "holds" || len(got.Violations) > 0 {
		t.Errorf("what holds: %+v", got)
	}
	endless := strings.Replace(keys, `<state id="a2"/>`, `<state id="a2"><transition target="a1"/></state>`, 1)
	endless = strings.Replace(endless, `<state id="a1">`, `<state id="a1"><transition cond="In('b2')" target="a2"/>`, 1)
	got = ask(question{Source: endless})
	if len(got.Violations) != 1 || !strings.Contains(got.Violations[0].Text, "Microsteps") || len(got.Violations[0].Steps) != 2 || len(got.Violations[0].Steps[1].Taken) != 3 {
		t.Errorf("what never rests: %+v", got)
	}
}

// A mistake that was found before the time was over is shown.
func TestExploreInTime(t *testing.T) {
	p := New(nil)
	defer p.Close()
	const counter = `<scxml xmlns="http://www.w3.org/2005/07/scxml" version="1.0"><datamodel><data id="n" expr="0"/></datamodel>
  <state id="a"><transition event="up"><assign location="n" expr="n + 1"/></transition></state></scxml>`
	got, err := p.explore(t.Context(), question{Source: counter, Never: "n == 2"}, 300*time.Millisecond)
	if err != nil || got.Bound != "time" || len(got.Violations) != 1 || len(got.Violations[0].Steps) != 3 {
		t.Errorf("%v, %+v", err, got)
	}
}

// What cannot be searched is refused with the reason.
func TestExploreRefuses(t *testing.T) {
	p := New(nil)
	defer p.Close()
	for _, test := range []struct {
		q    question
		want string
	}{
		{question{Source: keys, Never: "In("}, `property "never In("`},
		{question{Source: keys, LeadsTo: "In('a1')"}, "=>"},
		{question{Source: "<scxml>"}, "has errors"},
	} {
		if _, err := p.explore(t.Context(), test.q, searchTime); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%+v: %v", test.q, err)
		}
	}
}
