package explore_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/scxmlrun/scxmlrun/scxml"
	"github.com/scxmlrun/scxmlrun/scxml/explore"
)

// The final state of a property chart is a violation. The chart hears what the session does, in order.
func TestObservers(t *testing.T) {
	chart := parse(t, `<state id="a"><onentry><send event="late" id="l" delay="1s"><param name="n" expr="3"/></send></onentry><onexit><cancel sendid="l"/><raise event="left"/></onexit>
			<transition event="go" target="b"/><transition event="late" target="c"/></state>
		<state id="b"><onentry><send event="said"><content expr="'x'"/></send></onentry><transition event="left" target="c"/></state>
		<state id="c"><transition event="back.*" target="a"/></state>`)
	for _, test := range []struct{ observer, want string }{
		{`<state id="o"><transition event="enter.b" target="f"/></state><final id="f"/>`, "property: chart.scxml: f in c\n1. go"},
		{`<state id="o"><transition event="exit.b" target="f"/></state><final id="f"><donedata><content expr="_event.name"/></donedata></final>`, `property: chart.scxml: f: "exit.b" in c` + "\n1. go"},
		{`<state id="o"><transition event="event.back.home"/></state><final id="f"/>`, ""},
		{`<state id="o"><transition event="event.back" target="p"/></state><state id="p"><transition event="raise.left" target="q"/></state><state id="q"><transition event="enter.c" target="f"/></state><final id="f"/>`,
			"property: chart.scxml: f in c\n1. go\n2. back\n3. go"},
		{`<state id="o"><transition event="enter.c" target="p"/></state><state id="p"><transition event="raise" target="f"/></state><final id="f"/>`, "property: chart.scxml: f in c\n1. advance 1s"},
		{`<state id="o"><transition event="send.late" cond="_event.data.n == 3" target="f"/></state><final id="f"/>`, "property: chart.scxml: f in c\n1. advance 1s"},
		{`<state id="o"><transition event="send.said" cond="_event.data == 'x'" target="p"/></state><state id="p"><transition event="stable" target="q"/></state><state id="q"><transition event="stable" target="f"/></state><final id="f"/>`,
			"property: chart.scxml: f in c\n1. go"},
		{`<datamodel><data id="n" expr="0"/></datamodel><state id="o"><transition event="enter.a" cond="++n == 4" target="f"/></state><final id="f"/>`,
			"property: chart.scxml: f in a\n1. go\n2. back\n3. go\n4. back\n5. go\n6. back"},
	} {
		r := run(t, chart, explore.Options{Observers: []*scxml.Chart{parse(t, test.observer)}})
		var got []string
		for _, v := range r.Violations {
			got = append(got, v.String())
		}
		if strings.Join(got, "\n\n") != test.want || test.want == "" && r.States != 2 {
			t.Errorf("%s:\ngot  %q\nwant %q", test.observer, got, test.want)
		}
	}
}

// Observers are a part of the state, and hear what is active in a session that is restored. What they cannot
// do ends the search.
func TestObserversInGeneral(t *testing.T) {
	chart := parse(t, `<state id="a"><transition event="e" target="b"/></state><state id="b"><transition event="e" target="a"/></state>`)
	count := func(last int) explore.Options {
		return explore.Options{Observers: []*scxml.Chart{
			parse(t, `<state id="o"><transition event="other"/></state>`),
			parse(t, fmt.Sprintf(`<datamodel><data id="n" expr="0"/></datamodel><state id="o"><transition event="enter" cond="n &lt; %d"><assign location="n" expr="n + 1"/></transition></state>`, last)),
		}}
	}
	if r := run(t, chart, count(5)); r.States != 6 || r.Verdict != explore.Holds {
		t.Errorf("%+v", r)
	}
	s, err := scxml.New(chart, scxml.WithSeed(1))
	if err == nil {
		err = s.Start(t.Context())
	}
	if err == nil {
		_, err = s.Do(t.Context(), s.Now(), scxml.Event{Name: "e"})
	}
	if err != nil {
		t.Fatal(err)
	}
	snapshot, err := s.Snapshot()
	if err != nil {
		t.Fatal(err)
	}
	restored := explore.Options{From: snapshot, Observers: []*scxml.Chart{parse(t, `<state id="o"><transition event="enter.b" target="f"/></state><final id="f"/>`)}}
	if r := run(t, chart, restored); len(r.Violations) != 1 || r.Violations[0].String() != "property: chart.scxml: f in b, at the start" {
		t.Errorf("%+v", r)
	}
	for _, test := range []struct{ observer, want string }{
		{`<state id="o"><transition event="enter.b"><log expr="nowhere"/></transition></state>`, `explore: property chart chart.scxml: chart.scxml:1:116: <log>: ReferenceError: nowhere is not defined (after e)`},
		{`<state id="o"><transition event="enter.b"><send event="x" delay="1s"/></transition></state>`, `explore: property chart chart.scxml: a property chart cannot send delayed events (after e)`},
		{`<state id="o"><onentry><send event="x"/></onentry><transition event="x"><send event="x"/></transition></state>`, `explore: property chart chart.scxml: the chart sends itself events forever (at the start)`},
		{`<state id="o"><invoke type="x"/></state>`, `explore: property chart chart.scxml: chart.scxml:1:77: <invoke>: no invoker`},
	} {
		_, err := explore.Run(t.Context(), chart, explore.Options{Observers: []*scxml.Chart{parse(t, test.observer)}})
		if err == nil || !strings.HasPrefix(err.Error(), test.want) {
			t.Errorf("got  %v\nwant %s", err, test.want)
		}
	}
}
