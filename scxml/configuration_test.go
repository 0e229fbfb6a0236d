package scxml_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/scxmlrun/scxmlrun/scxml"
	"github.com/scxmlrun/scxmlrun/scxml/scxmltest"
)

// begin returns a session that has begun in the given states, with its trace.
func begin(t *testing.T, inside, attrs string, states []string, opts ...scxml.Option) (*scxml.Session, string) {
	t.Helper()
	var out bytes.Buffer
	opts = append(opts, scxml.WithConfiguration(states...), scxml.WithSeed(1), scxml.WithTrace(scxmltest.NewTrace(&out)))
	s, err := scxml.New(parse(t, inside, attrs), opts...)
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Start(t.Context()); err != nil {
		t.Fatal(err)
	}
	return s, out.String()
}

func states(names string) []string { return strings.Fields(names) }

func equal(t *testing.T, what, got, want string) {
	t.Helper()
	if got != want {
		t.Errorf("%s: got %s, want %s", what, got, want)
	}
}

// evaluate returns what an expression gives.
func evaluate(t *testing.T, s *scxml.Session, expr string) string {
	t.Helper()
	v, err := s.Eval(t.Context(), expr)
	if err != nil {
		t.Fatal(err)
	}
	return fmt.Sprint(v)
}

// Nothing of what led into the states happens again: no handler, no content of <initial> and <history>, no
// done event and no delayed event.
func TestBeginningRunsNoHandler(t *testing.T) {
	const order = `
		<datamodel><data id="log" expr="''"/></datamodel>
		<state id="order">
			<onentry><script>log += 'order '</script><send event="late" delay="1s"/></onentry>
			<initial><transition target="open"><script>log += 'initial '</script></transition></initial>
			<state id="open"/>
			<state id="paid">
				<onentry><script>log += 'paid '</script><raise event="entered"/></onentry>
				<onexit><script>log += 'exit'</script></onexit>
				<transition event="ship" target="sent"/>
			</state>
			<state id="delivery" initial="sent">
				<final id="sent"><onentry><script>log += ' sent'</script></onentry></final>
				<transition event="done.state.delivery"><script>log += ' done'</script></transition>
			</state>
			<transition event="entered late"><script>log += 'wrong '</script></transition>
		</state>`
	s, trace := begin(t, order, "", states("paid"))
	equal(t, "configuration", fmt.Sprint(s.Configuration()), "[order paid]")
	if _, due := s.NextDue(); due || evaluate(t, s, "log") != "" {
		t.Errorf("there is a delayed event: %v; log: %q", due, evaluate(t, s, "log"))
	}
	equal(t, "trace", trace, "enter order\nenter paid\nstable paid\n")
	if e, err := s.Do(t.Context(), s.Now(), scxml.Event{Name: "ship"}); err != nil || !e.Handled {
		t.Error(e, err)
	}
	equal(t, "log", evaluate(t, s, "log"), "exit sent done") // from here on everything as always

	s, trace = begin(t, order, "", states("sent"))
	equal(t, "trace in a final state", trace, "enter order\nenter delivery\nenter sent\nstable sent\n")
	equal(t, "log", evaluate(t, s, "log"), "")
}

// A parallel is in a final state once its other region is too.
func TestBeginningInAFinalRegion(t *testing.T) {
	const both = `<parallel id="p">
			<state id="a"><state id="a1"><transition event="a" target="a2"/></state><final id="a2"/></state>
			<state id="b"><state id="b1"/><final id="b2"/></state>
			<transition event="done.state.p" target="end"/>
		</parallel>
		<state id="end"/>`
	s, _ := begin(t, both, "", states("b2 a1"))
	equal(t, "configuration", fmt.Sprint(s.Configuration()), "[p a a1 b b2]")
	if _, err := s.Do(t.Context(), s.Now(), scxml.Event{Name: "a"}); err != nil || !s.In("end") {
		t.Error(s.Configuration(), err)
	}
	s, _ = begin(t, both, "", states("a2 b2")) // where the done event was, and led nowhere
	equal(t, "configuration", fmt.Sprint(s.Configuration()), "[p a a2 b b2]")
}

// The data is initialised, with what the host gives, and then the scripts run. The states are not active yet.
func TestBeginningInitialisesData(t *testing.T) {
	const chart = `
		<datamodel><data id="items"/><data id="n" expr="items.length"/><data id="before" expr="In('paid')"/></datamodel>
		<script>var total = n * 10, during = In('paid')</script>
		<state id="open"><datamodel><data id="early" expr="n + 1"/></datamodel></state>
		<state id="paid"><datamodel><data id="own" expr="In('paid')"/></datamodel><transition event="back" target="open"/></state>`
	for binding, want := range map[string]string{"early": "[2,20,false,false,false,3]", "late": "[2,20,false,false,true,null]"} {
		s, _ := begin(t, chart, fmt.Sprintf("binding=%q", binding), states("paid"), scxml.WithData("items", []string{"book", "pen"}))
		equal(t, binding, evaluate(t, s, "JSON.stringify([n, total, before, during, own, early])"), want)
		if _, err := s.Do(t.Context(), s.Now(), scxml.Event{Name: "back"}); err != nil {
			t.Error(err)
		}
		equal(t, binding, evaluate(t, s, "early"), "3")
	}
	// What fails is an error event, which the states can handle.
	s, _ := begin(t, `<datamodel><data id="x" expr="nothing.here"/></datamodel><state id="a"/>
		<state id="b"><transition event="error.execution" target="c"/></state><state id="c"/>`, "", states("b"))
	equal(t, "configuration", fmt.Sprint(s.Configuration()), "[c]")
}

// No history remembers anything before a state is exited.
func TestBeginningWithoutHistory(t *testing.T) {
	const chart = `
		<state id="away"><transition event="go" target="h"/></state>
		<state id="home" initial="one">
			<history id="h"><transition target="two"/></history>
			<state id="one"/><state id="two"/><state id="three"/>
			<transition event="leave" target="away"/>
		</state>`
	for state, want := range map[string]string{"away": "[home two]", "three": "[home three]"} {
		s, _ := begin(t, chart, "", states(state))
		for _, event := range []string{"leave", "go"} {
			if _, err := s.Do(t.Context(), s.Now(), scxml.Event{Name: event}); err != nil {
				t.Error(err)
			}
		}
		equal(t, state, fmt.Sprint(s.Configuration()), want)
	}
}

// Eventless transitions are taken, so that a session that rests is stable. Only states that are active then
// invoke something.
func TestBeginningIsAMacrostep(t *testing.T) {
	const chart = `
		<datamodel><data id="n"/></datamodel>
		<state id="checking">
			<invoke type="check" id="check"/>
			<transition cond="n &gt; 5" target="good"/>
			<transition event="done.invoke.check" target="checked"/>
		</state>
		<state id="good"/><state id="checked"/>
		<state id="other"><invoke type="check"/></state>`
	for n, want := range map[int]string{6: "[good]", 5: "[checked]"} {
		called := 0
		s, _ := begin(t, chart, "", states("checking"), scxml.WithData("n", n), scxml.WithInvoker("check",
			scxml.InvokerFunc(func(context.Context, *scxml.Invocation) (any, error) { called++; return nil, nil })))
		if err := s.Advance(t.Context(), s.Now()); err != nil {
			t.Error(err)
		}
		equal(t, "configuration", fmt.Sprint(s.Configuration()), want)
		if called != 6-n {
			t.Errorf("the service was called %d times", called)
		}
	}
	// An invoked session begins in its initial states.
	s, _ := begin(t, `<state id="a"/><state id="b"><invoke id="child"><content>
		<scxml xmlns="http://www.w3.org/2005/07/scxml" version="1.0"><state id="a"/><state id="b"/></scxml></content></invoke></state>`, "", states("b"))
	if err := s.Advance(t.Context(), s.Now()); err != nil {
		t.Error(err)
	}
	if all := s.Sessions(); len(all) != 2 || !all[1].In("a") {
		t.Error(all)
	}
}

// OnState reports the states, when they are active; before the start none is.
func TestBeginningIsReported(t *testing.T) {
	s, err := scxml.New(parse(t, `<state id="a"/><state id="b"><state id="c"/></state>`, ""), scxml.WithConfiguration("c"))
	if err != nil {
		t.Fatal(err)
	}
	var heard []string
	for _, name := range []string{"a", "b", "c"} {
		s.OnState(name, func(active bool) { heard = append(heard, fmt.Sprintf("%s %t %t", name, active, s.In(name))) })
	}
	if s.In("c") || len(s.Configuration()) > 0 {
		t.Errorf("%v is active before the start", s.Configuration())
	}
	if err := s.Start(t.Context()); err != nil {
		t.Fatal(err)
	}
	equal(t, "heard", fmt.Sprint(heard), "[b true true c true true]")
}

// A session that was stopped before its start, or whose start was interrupted, is as any other.
func TestBeginningInterrupted(t *testing.T) {
	chart := parse(t, `<state id="a"/><state id="b"><onexit><log label="out"/></onexit><transition event="e" target="a"/></state>`, "")
	s, err := scxml.New(chart, scxml.WithConfiguration("b"))
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Start(done); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	if _, err := s.Do(t.Context(), time.Now(), scxml.Event{Name: "e"}); err != nil || !s.In("a") {
		t.Error(s.Configuration(), err)
	}
}

// What is not a legal configuration is refused, with what to write instead.
func TestWithConfigurationRefuses(t *testing.T) {
	const document = `
		<state id="open"/>
		<state id="paid" initial="cash"><history id="again"><transition target="card"/></history><state id="cash"/><state id="card"/></state>
		<parallel id="sent">
			<state id="parcel"><state id="packed"/><final id="gone"/></state>
			<state id="mail"/>
			<parallel id="papers"><state id="bill"/><state id="letter"/></parallel>
		</parallel>
		<state><state id="inner"/></state>
		<final id="delivered"/>`
	chart := parse(t, document, "")
	for names, want := range map[string]string{
		"":                      `no state is given`,
		"piad":                  `chart.scxml has no state "piad" (did you mean "paid"?)`,
		"nonsense":              `chart.scxml has no state "nonsense"`,
		"open sent.packed":      `chart.scxml has no state "sent.packed"`,
		"scxml#0":               `"scxml#0" is the <scxml> element, and not a state`,
		"again":                 `"again" is a <history>, which is never active: give the states that it would remember`,
		"delivered":             `"delivered" is a top-level final state, in which a session has ended`,
		"paid":                  `"paid" has states of its own: give one of "cash", "card"`,
		"open card":             `"open" and "card" exclude each other: only one top-level state is active at a time`,
		"card paid cash":        `"cash" and "card" exclude each other: only one child of "paid" is active at a time`,
		"packed mail":           `the region "papers" of the parallel "sent" is missing: give "papers"`,
		"mail papers":           `the region "parcel" of the parallel "sent" is missing: give one of "packed", "gone"`,
		"packed papers letter":  `the region "mail" of the parallel "sent" is missing: give "mail"`,
		"packed papers mail":    `the region "bill" of the parallel "papers" is missing: give "bill"`,
		"gone bill letter":      `the region "mail" of the parallel "sent" is missing: give "mail"`,
		"packed inner":          `"packed" and "inner" exclude each other: only one top-level state is active at a time`,
		"sent":                  `the region "parcel" of the parallel "sent" is missing: give one of "packed", "gone"`,
		"open delivered":        `"delivered" is a top-level final state, in which a session has ended`,
		"state#14":              `"state#14" has states of its own: give "inner"`,
		"Open":                  `chart.scxml has no state "Open" (did you mean "open"?)`,
		"open open":             "",
		"inner":                 "",
		"state#14 inner":        "",
		"mail gone bill letter": "",
		"sent parcel gone mail papers bill letter": "",
	} {
		s, err := scxml.New(chart, scxml.WithConfiguration(states(names)...))
		got := fmt.Sprint(err)
		if err == nil {
			got = ""
		} else if s != nil {
			t.Errorf("%q: a session and an error", names)
		}
		if want != "" {
			want = "scxml: WithConfiguration: " + want
		}
		equal(t, names, got, want)
	}
	var many strings.Builder
	for i := range 20 {
		fmt.Fprintf(&many, "<state id='s%d'/>", i)
	}
	_, err := scxml.New(parse(t, "<state id='all'>"+many.String()+"</state>", ""), scxml.WithConfiguration("all"))
	equal(t, "many", fmt.Sprint(err), `scxml: WithConfiguration: "all" has states of its own: give one of "s0", "s1", "s2", "s3", "s4", "s5", "s6", "s7", …`)
}

// The last WithConfiguration wins, and the caller's list can change.
func TestWithConfigurationKeepsTheLast(t *testing.T) {
	chart := parse(t, `<state id="a"/><state id="b"/>`, "")
	names := []string{"b"}
	opts := []scxml.Option{scxml.WithConfiguration("nonsense"), scxml.WithConfiguration(names...)}
	names[0] = "a"
	for range 2 { // options can be used again
		s, err := scxml.New(chart, opts...)
		if err != nil {
			t.Fatal(err)
		}
		if err := s.Start(t.Context()); err != nil || !s.In("b") {
			t.Error(s.Configuration(), err)
		}
	}
}

// A snapshot of the session is one like any other, and Restore takes no configuration.
func TestBeginningAndSnapshots(t *testing.T) {
	const chart = `<state id="a"><transition event="e" target="b"/></state><state id="b"><onentry><log label="in"/></onentry><transition event="e" target="a"/></state>`
	s, _ := begin(t, chart, "", states("b"), scxml.WithSessionID("id"))
	saved, err := s.Snapshot()
	if err != nil {
		t.Fatal(err)
	}
	_, err = scxml.Restore(s.Chart(), saved, scxml.WithConfiguration("b"))
	const want = "scxml: Restore: WithData, WithSeed, WithSessionID and WithConfiguration are not allowed: the snapshot has these values"
	if err == nil || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
	restored, err := scxml.Restore(s.Chart(), saved)
	if err != nil {
		t.Fatal(err)
	}
	if again, err := restored.Snapshot(); err != nil || !bytes.Equal(saved, again) || !slices.Equal(restored.Configuration(), s.Configuration()) {
		t.Errorf("%v\n%s\n%s", err, saved, again)
	}
	// A dry copy drops the option for Restore.
	if _, err := scxml.Restore(s.Chart(), saved, scxml.WithConfiguration("b"), scxml.WithDry(scxml.Dry{})); err != nil {
		t.Error(err)
	}
}
