package behavioral_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/scxmlrun/scxmlrun/examples/behavioral"
	"github.com/scxmlrun/scxmlrun/scxml"
	"github.com/scxmlrun/scxmlrun/scxml/explore"
)

// onentry starts a program of one b-thread with one state.
func onentry(t *testing.T, content string) error {
	t.Helper()
	p, err := behavioral.New([]behavioral.Thread{{Name: "one", Chart: parse(t, `<datamodel><data id="n" expr="3"/></datamodel>
<state id="s"><onentry>`+content+`</onentry><transition event="e" target="s"/></state>`)}})
	if err != nil {
		t.Fatal(err)
	}
	return p.Start(t.Context())
}

func TestMistakesInElements(t *testing.T) {
	for _, test := range []struct{ content, want string }{
		{`<b:request event="e"><param name="n" expr="n"/></b:request><b:wait event="*" except="e"/><b:block event="f.* g"/><b:hot/>`, ""},
		{`<b:request/>`, `<request>: want one of the attributes "event" and "eventexpr"`},
		{`<b:wait event="e" eventexpr="'e'"/>`, `<wait>: want one of the attributes "event" and "eventexpr"`},
		{`<b:request event="e.*"/>`, `<request>: event name "e.*" has a wildcard: write "*" only in the event of a transition`},
		{`<b:request event="e" priorty="1"/>`, `<request>: "priorty" is not an attribute of this element: want event, eventexpr, priority`},
		{`<b:request event="e" except="f"/>`, `<request>: "except" is not an attribute of this element: want event, eventexpr, priority`},
		{`<b:request event="e" priority="'high'"/>`, `<request>: priority is high: want an integer`},
		{`<b:request event="e" priority="m"/>`, `<request>: ReferenceError: m is not defined`},
		{`<b:block event=" "/>`, `<block>: the attribute "event" is empty: want event descriptors, or "*" for all events`},
		{`<b:wait event="e"><param name="n" expr="[n]"/></b:wait>`, `<wait>: param "n" is [3]: want a string, number, boolean or null`},
		{`<b:wait event="e"><param name="n" expr="undefined"/></b:wait>`, `<wait>: param "n" is undefined`},
		{`<b:wait event="e"><param name="n" expr="0/0"/></b:wait>`, `<wait>: param "n" is NaN`},
		{`<b:wait event="e"><param name="n" expr="1"/><param name="n" expr="2"/></b:wait>`, `<wait>: param "n" is given twice`},
		{`<b:wait event="e"><param expr="1"/></b:wait>`, `attribute "name" of <param> is missing`},
		{`<b:wait event="e"><content expr="1"/></b:wait>`, `<wait>: <content> is not allowed here: want <param>`},
		{`<b:hot><param name="n" expr="1"/></b:hot>`, `<hot>: <param> is not allowed here: the element has no children`},
		{`<b:prune event="e"/>`, `<prune>: "event" is not an attribute of this element: want none`},
		{`<b:fail/>`, `<fail>: attribute "message" is missing: want an expression, such as message="'the bank is empty'"`},
		{`<b:ask event="e"/>`, `no action for the element "ask" of namespace "` + behavioral.Namespace + `"`},
		{`<send event="e" delay="1s"/>`, `a delayed event is pending, but time stands still in a b-program: request an event instead`},
		{`<send event="e"/>`, `the chart sends itself events forever`},
	} {
		err := onentry(t, test.content)
		if test.want == "" {
			if err != nil {
				t.Errorf("%s: %v", test.content, err)
			}
			continue
		}
		var thread *behavioral.ThreadError
		if !errors.As(err, &thread) || thread.Thread != "one" || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: got %v\nwant %s", test.content, err, test.want)
		}
	}
}

// A bid that is not made on entry would not end with a state.
func TestBidsAreMadeOnEntry(t *testing.T) {
	const head = `<datamodel><data id="n" expr="3"/></datamodel><state id="s"><onentry><b:request event="e"/></onentry>`
	const want = "a bid is made in <onentry>, and holds while the state is active"
	for _, inside := range []string{
		head + `<transition event="e"><b:wait event="f"/></transition></state>`,
		head + `<transition event="e" target="s"><b:wait event="f"/></transition></state>`,
		head + `<onexit><b:wait event="f"/></onexit><transition event="e" target="t"/></state><state id="t"/>`,
	} {
		p := newProgram(t, []behavioral.Thread{{Name: "one", Chart: parse(t, inside)}})
		if err := p.Run(t.Context(), nil); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", inside, err)
		}
	}
	p, err := behavioral.New([]behavioral.Thread{{Name: "one", Chart: parse(t, `<state id="s"><invoke><content>
<scxml xmlns="http://www.w3.org/2005/07/scxml" version="1.0"><state><onentry><b:request event="e"/></onentry></state></scxml></content></invoke></state>`)}})
	if err == nil {
		err = p.Start(t.Context())
	}
	if err == nil || !strings.Contains(err.Error(), "an invoked session is not a b-thread") {
		t.Errorf("an invoked session: %v", err)
	}
}

// What a state says holds until the state is exited, in all regions and outer states.
func TestBidsHoldWhileTheirStateIsActive(t *testing.T) {
	p := newProgram(t, []behavioral.Thread{{Name: "one", Chart: parse(t, `
<parallel id="p">
  <onentry><b:wait event="always"/></onentry>
  <state id="left">
    <onentry><b:block event="never"/></onentry>
    <state id="a"><onentry><b:request event="first" priority="2"/></onentry><transition event="first" target="b"/></state>
    <state id="b"><onentry><b:request event="second" priority="1"/></onentry><transition event="second" target="c"/></state>
    <state id="c"/>
  </state>
  <state id="right">
    <onentry><b:request event="never" priority="9"/><b:request event="stays"/></onentry>
    <transition event="first second"/>
    <transition event="stays" target="done"/>
  </state>
</parallel>
<state id="done"/>`)}})
	var stages []string
	for ok := true; ok; {
		var names []string
		for _, r := range p.Requests() {
			name := text(r.Event)
			if len(r.Blocked) > 0 {
				name = "(" + name + ")"
			}
			names = append(names, name)
		}
		stage := strings.Join(names, " ")
		if p.Admits(scxml.Event{Name: "always"}) {
			stage += " hears"
		}
		stages = append(stages, stage)
		var err error
		if _, ok, err = p.Step(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	if got, want := strings.Join(stages, "; "), "(never) first stays hears; (never) second stays hears; (never) stays hears; "; got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

// Two charts may say the same in states of the same name.
func TestEqualBidsOfTwoCharts(t *testing.T) {
	const inside = `<state id="s"><onentry><b:request event="e"/></onentry><transition event="e" target="t"/></state><state id="t"/>`
	p := newProgram(t, []behavioral.Thread{{Name: "one", Chart: parse(t, inside)}, {Name: "two", Chart: parse(t, inside)}})
	if got := run(t, p); got != "e" || !p.Ended() {
		t.Errorf("got %s, requests %v", got, p.Requests())
	}
}

func TestFailAndPrune(t *testing.T) {
	chart := parse(t, `<state id="s"><onentry><b:request event="a"/><b:request event="b"/></onentry>
<transition event="a" target="t"/><transition event="b" target="u"/></state>
<state id="t"><onentry><b:prune/><b:request event="more"/></onentry><transition event="more" target="v"/></state>
<state id="u"><onentry><b:request event="c"/></onentry><transition event="c" target="v"><b:fail message="'c after b'"/></transition></state>
<state id="v"><onentry><b:hot/></onentry></state>`)
	threads := []behavioral.Thread{{Name: "one", Chart: chart}}
	p := newProgram(t, threads)
	if got := run(t, p); got != "a" || !p.Pruned() {
		t.Errorf("the program is pruned: %v, after %s", p.Pruned(), got)
	}
	report, err := explore.Search(t.Context(), p.System, explore.Options{Reach: []string{"one/t"}})
	if err != nil {
		t.Fatal(err)
	}
	got := fmt.Sprint(report.States, report.Violations, len(report.Reached))
	want := `4 [property: one: c after b
1. b
2. c property: one: the program ends in a state that is hot
1. b
2. c] 1`
	if got != want {
		t.Errorf("got %s\nwant %s", got, want)
	}
	first := parse(t, `<state id="w"><onentry><b:block event="a"/></onentry></state>`)
	err = newProgram(t, append(threads, behavioral.Thread{Name: "two", Chart: first})).Run(t.Context(), nil)
	var failed *behavioral.FailError
	if !errors.As(err, &failed) || failed.Message != "c after b" {
		t.Errorf("Run: %v", err)
	}
}

func TestEventsFromOutside(t *testing.T) {
	chart := parse(t, `<datamodel><data id="sum" expr="0"/></datamodel>
<state id="s"><onentry><b:wait event="coin"/><b:block event="coin"><param name="value" expr="7"/></b:block></onentry>
<transition event="coin"><assign location="sum" expr="sum + _event.data.value"/></transition></state>`)
	p := newProgram(t, []behavioral.Thread{{Name: "bank", Chart: chart}})
	type coin struct {
		Value int `json:"value"`
	}
	for _, data := range []any{coin{7}, coin{2}, map[string]any{"value": 3}} {
		if err := p.Send(scxml.Event{Name: "coin", Data: data}); err != nil {
			t.Fatal(err)
		}
	}
	if got, want := run(t, p), `coin{"value":2} coin{"value":3}`; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	if sum, err := p.Eval(t.Context(), "data('bank', 'sum')"); err != nil || sum != int64(5) {
		t.Errorf("the sum is %v, %v", sum, err)
	}
	if names, err := p.Blockers(scxml.Event{Name: "coin", Data: coin{7}}); err != nil || !slices.Equal(names, []string{"bank"}) {
		t.Errorf("blocked by %v, %v", names, err)
	}
	for _, test := range []struct {
		event scxml.Event
		want  string
	}{
		{scxml.Event{Name: "a b"}, `event name "a b" contains white space`},
		{scxml.Event{Name: "a", Data: 7}, `event "a": the data is not an object: want one member for each param`},
		{scxml.Event{Name: "a", Data: map[string]any{"list": []int{1}}}, `event "a": param "list" is [1]: want a string`},
	} {
		if err := p.Send(test.event); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%v: %v", test.event, err)
		}
	}
}

// What a b-thread sends is reported each time, although its session runs once.
func TestSentMessagesAreReported(t *testing.T) {
	chart := parse(t, `<state id="s"><onentry><b:request event="tick"/></onentry>
<transition event="tick"><send event="lamp" target="nowhere" type="x"/></transition><transition event="error" target="s"/></state>`)
	p := newProgram(t, []behavioral.Thread{{Name: "one", Chart: chart}})
	if _, _, err := p.Step(t.Context()); err == nil || !strings.Contains(err.Error(), `b-thread "one"`) {
		t.Errorf("a message that nobody takes: %v", err)
	}
	chart = parse(t, `<state id="s"><onentry><b:request event="tick"/><send event="begin"/></onentry>
<transition event="tick"><send event="lamp"/><log label="tick" expr="1 + 1"/></transition></state>`)
	p = newProgram(t, []behavioral.Thread{{Name: "zero", Chart: parse(t, alternate)}, {Name: "one", Chart: chart}})
	want := "[{one {begin external <nil>     } }] []"
	for range 4 {
		if got := fmt.Sprint(p.Sent(), p.Logged()); got != want {
			t.Errorf("got %s, want %s", got, want)
		}
		want = "[{one {lamp external <nil>     } }] [{one tick 2}]"
		if s, ok, err := p.Step(t.Context()); err != nil || !ok || !slices.Equal(s.Requested, []string{"one"}) {
			t.Errorf("%+v, %v, %v", s, ok, err)
		}
	}
}

func TestNamesOfThreads(t *testing.T) {
	chart := parse(t, `<datamodel><data id="id" expr="_sessionid"/></datamodel><state id="s"/>`)
	for _, test := range []struct {
		threads []behavioral.Thread
		want    string
	}{
		{[]behavioral.Thread{{Name: "a", Chart: chart}, {Name: "a", Chart: chart}}, `behavioral: New: b-thread 1 has the name "a": want a name that no other has`},
		{[]behavioral.Thread{{Chart: chart}}, `behavioral: New: b-thread 0 has the name "": want a name that no other has`},
		{[]behavioral.Thread{{Name: "a", Chart: chart, Data: map[string]any{"x": 1}}}, `behavioral: New: b-thread "a": WithData: thread.scxml has no top-level <data id="x">`},
		{[]behavioral.Thread{{Name: "a"}}, `behavioral: New: b-thread "a": New: the chart is nil`},
	} {
		if _, err := behavioral.New(test.threads); err == nil || err.Error() != test.want {
			t.Errorf("%v, want %s", err, test.want)
		}
	}
	p := newProgram(t, []behavioral.Thread{{Name: "a/b", Chart: chart}, {Name: "c", Chart: chart}})
	for _, name := range []string{"a/b", "c"} {
		if v, err := p.Value(t.Context(), name, "id"); err != nil || v != name {
			t.Errorf("the id of %s is %v, %v", name, v, err)
		}
		if !p.In(name + "/s") {
			t.Errorf("%s is not in s", name)
		}
	}
	if p.In("s") || p.In("b/s") || p.In("a/b/t") || p.In("") {
		t.Error("the program is in a state that does not exist")
	}
	for _, expr := range []string{"data('d', 'id')", "data('c')", "hot('d')", "data('c', 'nothing')"} {
		if v, err := p.Eval(t.Context(), expr); err == nil {
			t.Errorf("%s is %v", expr, v)
		}
	}
	if v, err := p.Eval(t.Context(), "In('c/s') && !hot('c')"); err != nil || v != true {
		t.Errorf("%v, %v", v, err)
	}
}
