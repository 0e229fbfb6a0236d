package why_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/scxmlrun/scxmlrun/datamodel"
	"github.com/scxmlrun/scxmlrun/scxml"
	"github.com/scxmlrun/scxmlrun/scxml/history"
	"github.com/scxmlrun/scxmlrun/scxml/why"
)

var epoch = time.Date(2026, 1, 1, 12, 0, 0, 0, time.UTC)

// start starts a session of a chart with the given contents and a history.
func start(t *testing.T, inside string) (*scxml.Session, *history.History) {
	t.Helper()
	chart, err := scxml.Parse("c.scxml", []byte(`<scxml xmlns="http://www.w3.org/2005/07/scxml" version="1.0">`+inside+`</scxml>`))
	if err != nil {
		t.Fatal(err)
	}
	h, err := history.New(history.Config{Chart: chart})
	if err != nil {
		t.Fatal(err)
	}
	s, err := scxml.New(chart, h.Option(), scxml.WithClock(func() time.Time { return epoch }))
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Start(t.Context()); err != nil {
		t.Fatal(err)
	}
	return s, h
}

func do(t *testing.T, s *scxml.Session, name string, data any) {
	t.Helper()
	if _, err := s.Do(t.Context(), s.Now(), scxml.Event{Name: name, Data: data}); err != nil {
		t.Fatal(err)
	}
}

// Each transition that an event matches has a verdict, with what its condition reads and what takes
// precedence.
func TestEvent(t *testing.T) {
	s, _ := start(t, `
		<datamodel><data id="cart" expr="{ items: [1, 2], owner: { age: 17 } }"/><data id="limit" expr="3"/><data id="Date" expr="1"/></datamodel>
		<parallel id="p">
			<transition event="pay" target="q"/>
			<state id="a">
				<transition event="pay" cond="cart.items.length &gt; limit || Date &gt; 5 || cart.owner.age &gt;= _event.data.least" target="q"/>
				<transition event="pay.*" cond="missing.x"/>
			</state>
			<state id="b"><transition event="go" target="q"/></state>
			<state id="c"><invoke><content><scxml version="1.0"><state id="k"><transition event="in"/></state></scxml></content></invoke>
				<transition event="go" target="q"/></state>
		</parallel>
		<state id="q"><transition event="back" target="p"/></state>`)
	for text, want := range map[string]string{
		"pay": `p pay -> q taken
			a pay -> q cond false; cart.items.length is 2; limit is 3; Date is 1; cart.owner.age is 17; _event.data.least is 18
			a pay.* cond failed: missing is not defined`,
		"go": `b go -> q taken
			c go -> q preempted by b go -> q`,
		"back":  `elsewhere: q back -> p`,
		"in":    `elsewhere: k in`,
		"other": ``,
	} {
		a, err := why.Event(t.Context(), s, scxml.Event{Name: text, Data: map[string]int{"least": 18}})
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, v := range a.Verdicts {
			line := v.Transition.String() + " " + v.Verdict.String()
			if v.By != (scxml.Transition{}) {
				line += " by " + v.By.String()
			}
			if v.Err != nil {
				_, reason, _ := strings.Cut(v.Err.Error(), ": ")
				line += ": " + reason
			}
			for _, r := range v.Reads {
				line += "; " + r.Name + " is " + datamodel.Text(r.Value)
			}
			got = append(got, line)
		}
		for _, e := range a.Elsewhere {
			got = append(got, "elsewhere: "+e.String())
		}
		if got, want := strings.Join(got, "\n"), strings.ReplaceAll(want, "\t", ""); got != want {
			t.Errorf("%s:\n%s\nwant\n%s", text, got, want)
		}
		if a.Handled != strings.Contains(want, "taken") {
			t.Errorf("%s: handled is %v", text, a.Handled)
		}
	}
}

// Data finds the last element that has changed a value, wherever it is.
func TestData(t *testing.T) {
	s, h := start(t, `
		<datamodel><data id="n" expr="0"/><data id="m" expr="5"/><data id="o" expr="{ list: [] }"/><data id="item" expr="0"/></datamodel>
		<state id="a">
			<transition event="each"><foreach array="[1, 2, 3]" item="item"><log expr="item"/><raise event="x"/></foreach></transition>
			<transition event="each2"><foreach array="o.list" item="item"><assign location="item" expr="item + 1"/></foreach></transition>
			<onexit><assign location="m" expr="m + 1"/></onexit>
			<transition event="add"><assign location="n" expr="n + _event.data"/><log expr="n"/></transition>
			<transition event="twice"><script>n = 7; o.list.push(n)</script><assign location="n" expr="8"/><if cond="n == 8"><assign location="n" expr="m"/></if></transition>
			<transition event="same"><assign location="n" expr="n"/></transition>
			<transition event="go" target="b"/>
		</state>
		<state id="b"><onentry><assign location="n" expr="-1"/></onentry><transition event="raise"><raise event="in"/></transition>
			<transition event="in"><assign location="n" expr="-2"/></transition><transition event="back" target="a"/></state>`)
	do(t, s, "add", 3)
	do(t, s, "same", nil)
	do(t, s, "twice", nil)
	do(t, s, "other", nil)
	do(t, s, "go", nil)
	do(t, s, "raise", nil)
	do(t, s, "back", nil)
	do(t, s, "each", nil)
	do(t, s, "each2", nil)
	for _, test := range []struct {
		expr string
		n    int
		want string
	}{
		{"n", 0, "0 at 0: start"},
		{"n", 1, "3 at 1: assign n + _event.data, event add; n is 0; _event.data is 3; was 0"},
		{"n", 2, "3 at 1: assign n + _event.data, event add; n is 0; _event.data is 3; was 0"},
		{"n", 4, "5 at 3: assign m, event twice; m is 5; was 3"},
		{"o.list.length", 6, "1 at 3: script , event twice; o.list is []; n is 3; was 0"},
		{"n", 5, "-1 at 5: assign -1, event go; was 5"},
		{"m", 5, "6 at 5: assign m + 1, event go; m is 5; was 5"},
		{"n", 6, "-2 at 6: assign -2, event in; was -1"},
		{"item", 8, "3 at 8: foreach , event each; was 0"},
		{"item * 2", 9, "16 at 9: assign item + 1, event each2; item is 7; was 6"},
		{"m", 6, "6 at 5: assign m + 1, event go; m is 5; was 5"},
	} {
		w, err := why.Data(t.Context(), h, test.n, test.expr)
		if err != nil {
			t.Fatal(err)
		}
		got := fmt.Sprintf("%v at %d: ", w.Value, w.Position)
		if e := s.Chart().ElementAt(w.At); e == nil {
			got += "start"
		} else {
			got += fmt.Sprintf("%s %s, event %s", e.Name, e.Attr("expr"), w.Event)
			for _, r := range w.Reads {
				got += fmt.Sprintf("; %s is %v", r.Name, r.Value)
			}
			got += fmt.Sprintf("; was %v", w.Was)
		}
		if got != test.want {
			t.Errorf("%s at %d: got %q, want %q", test.expr, test.n, got, test.want)
		}
	}
	if _, err := why.Data(t.Context(), h, 99, "n"); err == nil {
		t.Error("there is no position 99")
	}
}
