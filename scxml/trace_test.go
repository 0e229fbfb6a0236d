package scxml_test

import (
	"errors"
	"reflect"
	"slices"
	"testing"

	"github.com/scxmlrun/scxmlrun/scxml"
	"github.com/scxmlrun/scxmlrun/scxml/scxmltest"
)

// everything is a chart that causes every report of a Trace in one macrostep.
const everything = `<scxml xmlns="http://www.w3.org/2005/07/scxml" version="1.0">
	<state id="a">
		<onentry><send event="later" id="x" delay="1s"/><send event="now"/><raise event="r"/><log label="l"/><cancel sendid="none"/><send event="e" target="#_parent"/></onentry>
		<onentry><send type="urn:refuses"/></onentry>
		<invoke><content><scxml version="1.0"><state/></scxml></content></invoke>
		<transition event="later" cond="In('a')" target="b"/>
	</state>
	<final id="b"/>
</scxml>`

// refusing is a processor that takes no message.
type refusing struct{ echo }

func (refusing) Send(*scxml.Session, scxml.Message, func(error)) error { return errors.New("refused") }

// all returns a Trace whose functions all call f with the name of their field.
func all(f func(field string)) *scxml.Trace {
	t := new(scxml.Trace)
	v := reflect.ValueOf(t).Elem()
	for i := range v.NumField() {
		field := v.Type().Field(i)
		v.Field(i).Set(reflect.MakeFunc(field.Type, func([]reflect.Value) []reflect.Value { f(field.Name); return nil }))
	}
	return t
}

// TestTracesAddUp: each of several traces gets everything, in the order in which they are given.
func TestTracesAddUp(t *testing.T) {
	chart, err := scxml.Parse("everything.scxml", []byte(everything))
	if err != nil {
		t.Fatal(err)
	}
	run := func(traces ...*scxml.Trace) {
		clock := new(scxmltest.Clock)
		opts := []scxml.Option{scxml.WithClock(clock.Now), scxml.WithIOProcessor("urn:refuses", refusing{})}
		for _, trace := range traces {
			opts = append(opts, scxml.WithTrace(trace))
		}
		s := newSession(t, chart, opts...)
		if err := errors.Join(s.Send(scxml.Event{Name: "from.outside"}), s.Start(t.Context())); err != nil {
			t.Fatal(err)
		}
		if err := clock.Advance(t.Context(), s, 1e9); err != nil || s.Status() != scxml.Final {
			t.Fatal(s.Status(), err)
		}
	}
	var alone, together []string
	run(nil, all(func(field string) { alone = append(alone, field) }))
	stables := 0
	note := func(who string) *scxml.Trace {
		return all(func(field string) { together = append(together, field+" "+who) })
	}
	run(note("first"), nil, note("second"), &scxml.Trace{Stable: func(*scxml.Session) { stables++ }})

	var want []string
	for _, field := range alone {
		want = append(want, field+" first", field+" second")
	}
	if !slices.Equal(together, want) {
		t.Errorf("got %q, want %q", together, want)
	}
	fields := reflect.TypeFor[scxml.Trace]()
	for i := range fields.NumField() {
		if name := fields.Field(i).Name; !slices.Contains(alone, name) {
			t.Errorf("the chart has nothing for %s", name)
		}
	}
	n := 0
	for _, field := range alone {
		if field == "Stable" {
			n++
		}
	}
	if stables != n {
		t.Errorf("the third trace got %d macrosteps, want %d", stables, n)
	}
}

// Traces allocate nothing by themselves, and a nil Trace is ignored.
func TestTracesDoNotAllocate(t *testing.T) {
	for name, traces := range map[string][]*scxml.Trace{
		"nil": {nil, nil}, "two": {{Stable: func(*scxml.Session) {}}, {Stable: func(*scxml.Session) {}, Done: func(*scxml.Session) {}}},
	} {
		opts := []scxml.Option{}
		for _, trace := range traces {
			opts = append(opts, scxml.WithTrace(trace))
		}
		ctx := t.Context()
		s, clock := start(t, `<state id="a"><transition event="toggle" target="b"/></state><state id="b"><transition event="toggle" target="a"/></state>`, opts...)
		if got := testing.AllocsPerRun(100, func() {
			if s.Send(scxml.Event{Name: "toggle"}) != nil || s.Advance(ctx, clock.Now()) != nil {
				t.Error("the session does not continue")
			}
		}); got != 0 {
			t.Errorf("%s: a macrostep allocates %v times", name, got)
		}
	}
}
