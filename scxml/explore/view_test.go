package explore_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/scxmlrun/scxmlrun/scxml/explore"
)

// States that differ only in data that a view drops are one. The session keeps all its data.
func TestView(t *testing.T) {
	chart := parse(t, `<datamodel><data id="moves" expr="0"/><data id="cells" expr="[{v: 0, tries: 0}, {v: 0, tries: 0}]"/><data id="last"/></datamodel>
		<state id="a"><onentry><assign location="moves" expr="moves + 1"/></onentry>
			<transition event="set" target="a"><assign location="cells[_event.data].tries" expr="cells[_event.data].tries + 1"/>
				<assign location="cells[_event.data].v" expr="1 - cells[_event.data].v"/><assign location="last" expr="{at: _event.data}"/></transition>
			<transition event="none" target="b"><assign location="last" expr="null"/></transition></state>
		<state id="b"><datamodel><data id="inner" expr="0"/></datamodel><transition event="back" target="a"><assign location="inner" expr="inner + 1"/></transition></state>`)
	data := map[string][]any{"set": {0, 1}}
	for _, test := range []struct {
		view   string // separated by spaces
		states int
	}{
		{"-moves -inner -cells[0].tries -cells[1].tries -last", 8},
		{"-moves -inner -cells[0].tries -cells[1].tries -last.at", 1 + 4 + 4 + 4}, // at the start, after set, after none, and after back
		{"cells.map(function(c){return(c.v)})", 8},
		{"cells[0].v", 4},
		{"cells[0].v moves%3", 12},
		{"1", 2},
		{"-moves -inner -cells -last", 2},
	} {
		r := run(t, chart, explore.Options{Data: data, View: strings.Fields(test.view)})
		if r.States != test.states || r.Verdict != explore.Searched {
			t.Errorf("%s: %+v, want %d states", test.view, r, test.states)
		}
	}
	r := run(t, chart, explore.Options{Data: data, View: []string{"cells[0].v"}, Properties: []explore.Property{explore.Always("moves > 0 && cells[0].tries < 2"), explore.Never("moves > 2")}})
	if len(r.Violations) != 1 || r.Violations[0].Property != "never moves > 2" {
		t.Errorf("%+v", r)
	}
	// The view leaves alone what is pending.
	timed := parse(t, `<datamodel><data id="n" expr="0"/></datamodel><state id="a"><onentry><send event="x" delay="2s"/><send event="y" delay="3s"/></onentry>
			<transition event="e" cond="n &lt; 5"><assign location="n" expr="n + 1"/></transition><transition event="y" target="b"/></state>
		<state id="b"><onentry><send event="z" delay="1s"/></onentry><transition event="z" target="c"/></state><final id="c"/>`)
	whole := run(t, timed, explore.Options{Reach: []string{"c"}})
	r = run(t, timed, explore.Options{Reach: []string{"c"}, View: []string{"-n"}})
	if r.Verdict != explore.Searched || r.States >= whole.States || fmt.Sprint(r.Reached) != "[reached: c\n1. advance 2s\n2. advance 1s\n3. advance 1s]" {
		t.Errorf("%+v, %d states without a view", r, whole.States)
	}
	counting := parse(t, `<datamodel><data id="n" expr="0"/></datamodel><state id="a"><onentry><send event="x" delay="2s"/></onentry>
			<transition event="e"><assign location="n" expr="n + 1"/></transition><transition event="x" target="b"/></state><final id="b"/>`)
	r = run(t, counting, explore.Options{Reach: []string{"b"}, View: []string{"-n"}, Times: true, MaxStates: 100})
	if r.Verdict != explore.Searched || r.Reached[0].Times == nil || r.Reached[0].Times.Slowest.Time != 2*time.Second {
		t.Errorf("times in a view: %+v", r)
	}
	for view, want := range map[string]string{
		"-board.x": "explore: view: ReferenceError: board is not defined (at the start)",
		"boards":   `explore: view "boards": ReferenceError: boards is not defined (at the start)`,
		"-moves +": "explore: view: SyntaxError",
	} {
		if _, err := explore.Run(t.Context(), chart, explore.Options{View: []string{view}}); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%s: %v", view, err)
		}
	}
	if _, err := explore.Run(t.Context(), parse(t, `<state id="a"/>`, `datamodel="null"`), explore.Options{View: []string{"-x"}}); err == nil || err.Error() != "explore: cannot drop data of chart.scxml: it has none" {
		t.Error(err)
	}
}
