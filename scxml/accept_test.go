package scxml_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/scxmlrun/scxmlrun/scxml"
	"github.com/scxmlrun/scxmlrun/scxml/scxmltest"
)

const guarded = `<scxml xmlns="http://www.w3.org/2005/07/scxml" version="1.0">
	<state id="s">
		<onentry>
			<send event="timeout" delay="5s"/><raise event="ready"/><send event="inside" target="#_internal"/>
			<send event="relay" target="#_child"/><send event="hello" target="#_parent"/><send eventexpr="'computed'"/>
		</onentry>
		<invoke id="child" autoforward="true"><content><scxml version="1.0"><state id="c">
			<onentry><send event="result" target="#_parent"/><send event="tick" delay="1h"/></onentry>
			<transition event="forwarded timeout"/></state></scxml></content></invoke>
		<invoke src="loaded.scxml"/>
		<invoke src="missing.scxml"/>
		<transition event="timeout ready pay done.invoke.child error.* relay"/>
		<transition event="*"/>
	</state>
</scxml>`

func guardedChart(t *testing.T) *scxml.Chart {
	files := fstest.MapFS{
		"main.scxml":   {Data: []byte(guarded)},
		"loaded.scxml": {Data: []byte(`<scxml xmlns="http://www.w3.org/2005/07/scxml" version="1.0"><state><onentry><send event="loaded" target="#_parent"/></onentry></state></scxml>`)},
	}
	chart, err := scxml.Load(files, "main.scxml")
	if err != nil {
		t.Fatal(err)
	}
	return chart
}

func TestIsUserEvent(t *testing.T) {
	chart := guardedChart(t)
	for name, want := range map[string]bool{
		"pay": true, "relay": true, "hello": true, "tick": true, "computed": true, "donee": true, "errors": true,
		"": false, "timeout": false, "ready": false, "inside": false, "result": false, "loaded": false,
		"done": false, "done.invoke.child": false, "error": false, "error.execution": false,
	} {
		if got := chart.IsUserEvent(name); got != want {
			t.Errorf("%q: %v, want %v", name, got, want)
		}
	}
}

func TestIsHostEvent(t *testing.T) {
	chart, err := scxml.Parse("c", []byte(`<scxml xmlns="http://www.w3.org/2005/07/scxml" version="1.0"><state id="s"><onentry>
		<send event="opened"/><send event="shut.now"/><send event="late" delay="1s"/><send event="up" target="#_parent"/><raise event="raised"/>
	</onentry><transition event="shut"/></state></scxml>`))
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]bool{"opened": true, "shut.now": false, "late": false, "up": false, "raised": false, "typed": false, "": false} {
		if got := chart.IsHostEvent(name); got != want {
			t.Errorf("%q: %v, want %v", name, got, want)
		}
	}
}

// TestAccept: the rule holds for what the host sends, and for nothing else.
func TestAccept(t *testing.T) {
	chart := guardedChart(t)
	clock := new(scxmltest.Clock)
	var seen []string
	s := newSession(t, chart, scxml.WithClock(clock.Now), scxml.WithAccept(chart.IsUserEvent),
		scxml.WithTrace(&scxml.Trace{Event: func(s *scxml.Session, ev *scxml.Event) {
			if s.InvokeID() == "" {
				seen = append(seen, ev.Name)
			}
		}}))
	if err := errors.Join(s.Start(t.Context()), s.Advance(t.Context(), clock.Now())); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"done.invoke.child", "error.execution", "timeout", "result"} {
		if err := s.Send(scxml.Event{Name: name}); !errors.Is(err, scxml.ErrNotAccepted) {
			t.Errorf("Send %s: %v", name, err)
		}
		if effect, err := s.Do(t.Context(), clock.Now(), scxml.Event{Name: name}); !errors.Is(err, scxml.ErrNotAccepted) || effect.Taken {
			t.Errorf("Do %s: %v", name, err)
		}
	}
	if err := errors.Join(s.Send(scxml.Event{Name: "pay"}), scxml.ForServer(s).Deliver(scxml.Event{Name: "done.data"}), clock.Advance(t.Context(), s, 5e9)); err != nil {
		t.Fatal(err)
	}
	if want := []string{"result", "computed", "loaded", "pay", "done.data", "timeout"}; !same(seen, want) {
		t.Errorf("taken: %q, want %q", seen, want)
	}
	if got, want := s.Enabled(), []string{"pay", "relay", "*", "forwarded"}; !slices.Equal(got, want) {
		t.Errorf("enabled: %q, want %q", got, want)
	}
}

// same reports whether two lists have the same members.
func same(a, b []string) bool {
	a, b = slices.Sorted(slices.Values(a)), slices.Sorted(slices.Values(b))
	return slices.Equal(a, b)
}

// TestServicesAreAccepted: the rule is not for what a service sends.
func TestServicesAreAccepted(t *testing.T) {
	clock := new(scxmltest.Clock)
	s := newSession(t, parse(t, `<state id="s"><invoke type="x" id="i"/><transition event="note" target="noted"/></state><state id="noted"/>`),
		scxml.WithClock(clock.Now), scxml.WithAccept(func(string) bool { return false }),
		scxml.WithInvoker("x", scxml.InvokerFunc(func(_ context.Context, inv *scxml.Invocation) (any, error) {
			return nil, inv.Send(scxml.Event{Name: "note"})
		})))
	if err := errors.Join(s.Start(t.Context()), s.Advance(t.Context(), clock.Now())); err != nil || !s.In("noted") {
		t.Error(err, s.Configuration())
	}
}

// TestTakes: what no transition can match is refused with the name that was meant, and what one can
// match is not.
func TestTakes(t *testing.T) {
	chart := parse(t, `<state id="s">
		<invoke><content><scxml version="1.0"><state><transition event="child"/></state></scxml></content></invoke>
		<transition event="pay.card.* refund. shut" cond="false"/><state id="t"><transition event="order"/></state></state>`)
	all := parse(t, `<state id="s"><transition event="a"/><transition event="*"/></state>`)
	forwards := parse(t, `<state id="s"><invoke autoforward="true"><content><scxml version="1.0"/></content></invoke><transition event="a"/></state>`)
	const refused, unknown = "event %q: the session does not accept this event from outside", ": no transition of chart.scxml takes it"
	for _, test := range []struct {
		chart      *scxml.Chart
		name, want string
	}{
		{chart, "pay.card", ""}, {chart, "pay.card.visa", ""}, {chart, "refund.all", ""}, {chart, "order", ""},
		{all, "b", ""}, {forwards, "b", ""},
		{chart, "pay", refused + unknown}, {chart, "child", refused + unknown},
		{chart, "pay.crad", refused + unknown + ` (did you mean "pay.card"?)`},
		{chart, "Order", refused + unknown + ` (did you mean "order"?)`},
		{chart, "shot", refused + unknown}, // not "shut", which is refused too
		{chart, "shut", refused},
	} {
		if got := test.chart.Takes(test.name); got != !strings.Contains(test.want, unknown) {
			t.Errorf("Takes(%q) = %v", test.name, got)
		}
		s := newSession(t, test.chart, scxml.WithAccept(func(name string) bool { return name != "shut" && test.chart.Takes(name) }))
		want := ""
		if test.want != "" {
			want = "scxml: Send: " + fmt.Sprintf(test.want, test.name)
		}
		if err := s.Send(scxml.Event{Name: test.name}); err == nil && want != "" || err != nil && (err.Error() != want || !errors.Is(err, scxml.ErrNotAccepted)) {
			t.Errorf("got  %v\nwant %s", err, want)
		}
	}
	if all.Takes("") {
		t.Error("an event without a name is taken")
	}
}

// TestEnabledIsForUsers: without a rule what only the platform sends is left out.
func TestEnabledIsForUsers(t *testing.T) {
	s, _ := start(t, `<state id="s"><transition event="a done.state.s error.execution errors done.* *"/></state>`)
	if got, want := s.Enabled(), []string{"a", "errors", "*"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}
