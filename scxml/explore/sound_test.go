package explore_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/scxmlrun/scxmlrun/scxml/explore"
)

// TestNeverHoldsFalsely: a search does not say that something holds which an input, a random number, a time
// or an answer that it has not tried would break. Each chart hides the way to the state bad. It is found, or
// the report has the reason why it was not.
func TestNeverHoldsFalsely(t *testing.T) {
	const bad = `<state id="bad"/>`
	// on returns a chart that goes to bad when a condition is true at the event e.
	on := func(cond string) string {
		return `<state id="a"><transition event="e" cond="` + cond + `" target="bad"/><transition event="e"/></state>` + bad
	}
	with := func(data, rest string) string { return `<datamodel>` + data + `</datamodel>` + rest }
	numbers := map[string][]any{"e": {1, 2}}
	for _, test := range []struct {
		name, inside string
		opts         explore.Options
		reason       string // "" for a violation
	}{
		// Chance.
		{"random", on("Math.random() &lt; 0.01"), explore.Options{}, "chance"},
		{"random by a computed name", on("Math['ran' + 'dom']() &lt; 0.01"), explore.Options{}, "chance"},
		{"random by an escaped name", on(`Math.r\u0061ndom() &lt; 0.01`), explore.Options{}, "chance"},
		{"random by a name in an event", on("Math[_event.data]() &lt; 0.01"), explore.Options{Data: map[string][]any{"e": {"random"}}}, "chance"},
		{"random by eval", on("eval(_event.data) &lt; 0.01"), explore.Options{Data: map[string][]any{"e": {"Math.random()"}}}, "chance"},
		{"random by Function", on("Function('return Math.ran' + 'dom()')() &lt; 0.01"), explore.Options{}, "chance"},
		{"random by descriptors", on("Object.values(Object.getOwnPropertyDescriptors(Math)).map(d =&gt; d.value).filter(f =&gt; f.name == 'ran' + 'dom')[0]() &lt; 0.01"), explore.Options{}, "chance"},
		{"random at the start", with(`<data id="x" expr="Math.random()"/>`, on("x &lt; 0.01")), explore.Options{}, "chance"},
		{"random kept as a function", with(`<data id="f" expr="Math.random"/>`, on("f() &lt; 0.01")), explore.Options{}, "chance"},
		{"random in a delay", with(``, `<state id="a"><onentry><send event="x" delayexpr="Math.random() * 100 + 'ms'"/></onentry><transition event="x" target="b"/></state><state id="b"/>`+bad), explore.Options{}, "chance"},
		{"random in a property", on("false"), explore.Options{Properties: []explore.Property{explore.Never("Math.random() < 0.01")}}, "chance"},
		{"random in an invoked session", `<state id="a"><invoke><content><scxml version="1.0"><state id="x"><transition cond="Math.random() &lt; 0.01" target="y"/></state><state id="y"><onentry><send event="go" target="#_parent"/></onentry></state></scxml></content></invoke><transition event="go" target="bad"/></state>` + bad, explore.Options{}, "chance"},
		{"random in an invoked session that ends", `<state id="a"><invoke id="i"><content><scxml version="1.0"><state id="x"><transition cond="Math.random() &lt; 0.01" target="y"/><transition target="z"/></state><final id="y"><donedata><param name="n" expr="1"/></donedata></final><final id="z"/></scxml></content></invoke><transition event="done.invoke.i" cond="_event.data" target="bad"/></state>` + bad, explore.Options{}, "chance"},
		{"random in a sort", with(`<data id="l" expr="[1,2,3,4]"/>`, on("l.slice().sort(() =&gt; Math.random() - 0.5).join('') == '4321'")), explore.Options{}, "chance"},

		{"random in a script alone", with(`<data id="x"/>`, `<state id="a"><transition event="e"><script>x = Math.random() &lt; 0.01</script></transition></state>`), explore.Options{Properties: []explore.Property{}}, "chance"},

		// The clock.
		{"now", on("Date.now() &gt; 1e12"), explore.Options{}, "clock"},
		{"now by a computed name", on("Date['now']() &gt; 1e12"), explore.Options{}, "clock"},
		{"a new Date", on("+new Date &gt; 1e12"), explore.Options{}, "clock"},
		{"Date by another name", with(`<data id="D" expr="Date"/>`, on("new D() &gt; 1e12")), explore.Options{}, "clock"},
		{"Date as a function", on("Date().length == 1"), explore.Options{}, "clock"},
		{"Date by Reflect", on("Reflect.construct(Date, []).getTime() &gt; 1e12"), explore.Options{}, "clock"},
		{"a class that extends Date", on("new (class extends Date {})().getTime() &gt; 1e12"), explore.Options{}, "clock"},
		{"Date in a property", on("false"), explore.Options{Properties: []explore.Property{explore.Never("Date.now() > 1e12")}}, "clock"},

		// Ids.
		{"the session's id", on("_sessionid != 'session'"), explore.Options{}, "ids"},
		{"the id by a computed name", `<script/>` + on("globalThis['_sess' + 'ionid'] != 'session'"), explore.Options{}, "ids"},
		{"the session's address", on("_ioprocessors.scxml.location.length &gt; 20"), explore.Options{}, "ids"},
		{"an id by Object.values", on("Object.getOwnPropertyNames(globalThis).some(n =&gt; n[0] == '_' &amp;&amp; globalThis[n] == 'other')"), explore.Options{}, "ids"},
		{"the origin of an event", `<state id="a"><onentry><send event="x"/></onentry><transition event="x" cond="_event.origin.length &gt; 20" target="bad"/></state>` + bad, explore.Options{}, "ids"},
		{"the origin by a computed name", `<state id="a"><onentry><send event="x"/></onentry><transition event="x" cond="_event['ori' + 'gin'].length &gt; 20" target="bad"/></state>` + bad, explore.Options{}, "ids"},
		{"the id of an invocation", `<state id="a"><transition event="e" target="a"/><invoke><content><scxml version="1.0"><state id="x"><transition event="go" target="y"/></state><final id="y"/></scxml></content></invoke><transition event="done" cond="globalThis['_ev' + 'ent'].invokeid == 'a.3'" target="bad"/><transition event="ask"><send event="go" targetexpr="'#_a.3'"/></transition></state>` + bad, explore.Options{NoDeadlocks: true, MaxDepth: 8}, ""},
		{"the id of a send in a location", with(`<data id="id"/>`, `<state id="a"><transition event="e"><send event="x" idlocation="id"/></transition><transition event="f" cond="id == 'send.3'" target="bad"/></state>`+bad), explore.Options{NoDeadlocks: true, MaxDepth: 8}, ""},

		// Names of events.
		{"a name behind a wildcard", `<state id="a"><transition event="*" cond="_event.name == 'b'" target="bad"/></state>` + bad, explore.Options{NoDeadlocks: true}, "names"},
		{"a longer name", `<state id="a"><transition event="e" cond="_event.name == 'e.f'" target="bad"/></state>` + bad, explore.Options{NoDeadlocks: true}, "names"},
		{"a name by a computed field", `<state id="a"><transition event="*" cond="_event['na' + 'me'] == 'b'" target="bad"/></state>` + bad, explore.Options{NoDeadlocks: true}, "names"},
		{"a name in a copy", with(`<data id="e"/>`, `<state id="a"><transition event="f" cond="e &amp;&amp; e.name == 'b'" target="bad"/><transition event="*"><assign location="e" expr="_event"/></transition></state>`+bad), explore.Options{NoDeadlocks: true}, "names"},
		{"data in a copy", with(`<data id="e"/>`, `<state id="a"><transition event="f" cond="e &amp;&amp; e.data == 7" target="bad"/><transition event="g"><assign location="e" expr="_event"/></transition></state>`+bad), explore.Options{NoDeadlocks: true, Names: []string{"f", "g"}}, "data"},
		{"data in a copy, with data", with(`<data id="e"/>`, `<state id="a"><transition event="f" cond="e &amp;&amp; e.data == 7" target="bad"/><transition event="g"><assign location="e" expr="_event"/></transition></state>`+bad), explore.Options{NoDeadlocks: true, Data: map[string][]any{"f": {1}, "g": {6}}}, "names"},
		{"a name in JSON", `<state id="a"><transition event="*" cond="JSON.stringify(_event).indexOf('secret') &gt; 0" target="bad"/></state>` + bad, explore.Options{NoDeadlocks: true}, "names"},
		{"a name that an invoked session gets", `<state id="a"><invoke autoforward="true"><content><scxml version="1.0"><state id="x"><transition event="*" cond="_event.name == 'b'"><send event="go" target="#_parent"/></transition></state></scxml></content></invoke><transition event="go" target="bad"/></state>` + bad, explore.Options{NoDeadlocks: true}, "names"},
		{"a name that is given", `<state id="a"><transition event="*" cond="_event.name == 'b'" target="bad"/></state>` + bad, explore.Options{NoDeadlocks: true, Names: []string{"b"}}, ""},
		{"a name that has data", `<state id="a"><transition event="*" cond="_event.name == 'b'" target="bad"/></state>` + bad, explore.Options{NoDeadlocks: true, Data: map[string][]any{"b": {1}}}, ""},

		// Data of events.
		{"data", on("_event.data &gt; 5"), explore.Options{}, "data"},
		{"data by a computed name", on("_event['da' + 'ta'] &gt; 5"), explore.Options{}, "data"},
		{"data of another event", on("_event.data &gt; 5"), explore.Options{Data: map[string][]any{"f": {6}}}, "data"},
		{"data in a script", with(`<data id="x"/>`, `<state id="a"><transition event="e"><script>x = _event.data</script></transition><transition event="f" cond="x &gt; 5" target="bad"/></state>`+bad), explore.Options{}, "data"},
		{"data in a param", `<state id="a"><transition event="e"><send event="x"><param name="n" expr="_event.data"/></send></transition><transition event="x" cond="_event.data.n &gt; 5" target="bad"/></state>` + bad, explore.Options{}, "data"},
		{"data that are given", on("_event.data &gt; 1"), explore.Options{Data: numbers}, ""},
		{"data that an invoked session gets", `<state id="a"><transition event="e"/><invoke autoforward="true"><content><scxml version="1.0"><state id="x"><transition event="e" cond="_event.data == 7"><send event="go" target="#_parent"/></transition></state></scxml></content></invoke><transition event="go" target="bad"/></state>` + bad, explore.Options{NoDeadlocks: true}, "data"},

		// Properties that look at the event.
		{"an event in never", `<state id="a"><transition event="a"/><transition event="b"/></state>`, explore.Options{NoDeadlocks: true, Properties: []explore.Property{explore.Never("_event && _event.name == 'b'")}}, ""},
		{"an event in always", `<state id="a"><transition event="a"/><transition event="b"/></state>`, explore.Options{NoDeadlocks: true, Properties: []explore.Property{explore.Always("!_event || _event.name == 'a'")}}, ""},
		{"an event in never, with more workers", `<state id="a"><transition event="a"/><transition event="b"/></state>`, explore.Options{NoDeadlocks: true, Workers: 4, Properties: []explore.Property{explore.Never("_event && _event.name == 'b'")}}, ""},
		{"an event that the chart has no transition for", `<state id="a"><transition event="a"/></state>`, explore.Options{NoDeadlocks: true, Properties: []explore.Property{explore.Never("_event && _event.name == 'b'")}}, "names"},
		{"two ways into a state", `<state id="a"><transition event="x" target="b"/><transition event="y" target="b"/></state><state id="b"/>`, explore.Options{NoDeadlocks: true, Properties: []explore.Property{explore.Never("In('b') && _event.name == 'y'")}}, ""},

		// What is outside.
		{"a message to another session", `<state id="a"><onentry><send event="x" target="#_scxml_other"/></onentry><transition event="error.communication" target="b"/><transition event="e" target="bad"/></state><state id="b"/>` + bad, explore.Options{NoDeadlocks: true}, "delivery"},
		{"a message by HTTP", `<state id="a"><onentry><send event="x" type="basichttp" target="http://127.0.0.1:1/"/></onentry><transition event="error" target="b"/><transition event="e" target="bad"/></state><state id="b"/>` + bad, explore.Options{NoDeadlocks: true}, "delivery"},
		{"a service", `<state id="a"><invoke type="pay"/><transition event="error" target="b"/><transition event="done.invoke" target="bad"/></state><state id="b"/>` + bad, explore.Options{NoDeadlocks: true}, "services"},

		// What the user leaves out.
		{"a view", with(`<data id="n" expr="0"/>`, `<state id="a"><transition event="e" cond="n &lt; 5"><assign location="n" expr="n + 1"/></transition><transition event="f" cond="n == 3" target="bad"/></state>`+bad), explore.Options{NoDeadlocks: true, View: []string{"-n"}}, "view"},
	} {
		opts := test.opts
		if opts.Properties == nil {
			opts.Properties = []explore.Property{explore.Never("In('bad')")}
			if !strings.Contains(test.inside, bad) {
				t.Fatalf("%s: the chart has no bad state", test.name)
			}
		}
		opts.NoDeadlocks = true
		r := run(t, parse(t, test.inside), opts)
		var names []string
		for _, reason := range r.LeftOut {
			names = append(names, reason.Name)
		}
		switch {
		case test.reason == "" && r.Verdict != explore.Violated, test.reason != "" && r.Verdict != explore.Searched && r.Verdict != explore.Violated:
			t.Errorf("%s: %v (%v), left out: %v", test.name, r.Verdict, r.Bound, r.LeftOut)
		case test.reason != "" && !slices.Contains(names, test.reason):
			t.Errorf("%s: left out: %v, want %s", test.name, r.LeftOut, test.reason)
		case r.Verdict == explore.Searched:
			opts.Assume = explore.Reasons
			if r := run(t, parse(t, test.inside), opts); r.Verdict != explore.Holds || len(r.Assumed) == 0 {
				t.Errorf("%s: with all assumed: %v", test.name, r)
			}
		}
	}
}

// A state that was not found is missing only if nothing was left out.
func TestMissingAsFarAsSearched(t *testing.T) {
	chart := parse(t, `<state id="a"><transition event="e" cond="Math.random() &lt; 0.01" target="bad"/></state><state id="bad"/>`)
	opts := explore.Options{NoDeadlocks: true, Reach: []string{"bad"}}
	if r := run(t, chart, opts); r.Verdict != explore.Searched || len(r.Violations) > 0 {
		t.Errorf("%v: %v", r.Verdict, r.Violations)
	}
	opts.Assume = []string{"chance"}
	if r := run(t, chart, opts); r.Verdict != explore.Violated || r.Violations[0].Kind != explore.Missing {
		t.Errorf("with chance assumed: %v: %v", r.Verdict, r.Violations)
	}
}

// States that differ only in what decides later are told apart: which data were bound late, and which of two
// invocations of the same chart is left.
func TestKeysHaveWhatDecidesLater(t *testing.T) {
	const child = `<content><scxml version="1.0" datamodel="null"><state id="k"><transition event="end" target="f"/></state><final id="f"/></scxml></content>`
	for _, test := range []struct{ name, inside, attr string }{
		{"late binding", `<state id="a"><transition event="e" target="b"/><transition event="clear"><assign location="k" expr="undefined"/></transition></state>` +
			`<state id="b"><datamodel><data id="k" expr="5"/></datamodel><transition event="f" cond="k === undefined" target="bad"/><transition event="back" target="a"/></state><state id="bad"/>`, `binding="late"`},
		{"invocations", `<state id="a"><invoke id="i1">` + child + `</invoke><invoke id="i2">` + child + `</invoke><state id="both"><transition event="x" target="one"><send event="end" target="#_i1"/></transition>` +
			`<transition event="y" target="one"><send event="end" target="#_i2"/></transition></state><state id="one"><transition event="probe"><send event="ping" target="#_i2"/></transition></state>` +
			`<transition event="error.communication" target="bad"/></state><state id="bad"/>`, ""},
	} {
		r := run(t, parse(t, test.inside, test.attr), explore.Options{NoDeadlocks: true, Properties: []explore.Property{explore.Never("In('bad')")}})
		if r.Verdict != explore.Violated {
			t.Errorf("%s: %v", test.name, r)
		}
	}
}
