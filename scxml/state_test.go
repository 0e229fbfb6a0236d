package scxml_test

import (
	"bytes"
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/scxmlrun/scxmlrun/datamodel"
	"github.com/scxmlrun/scxmlrun/datamodel/ecmascript"
	"github.com/scxmlrun/scxmlrun/scxml"
	"github.com/scxmlrun/scxmlrun/scxml/scxmltest"
)

func state(t testing.TB, s *scxml.Session) []byte {
	t.Helper()
	state, err := scxml.ForSearch(s).AppendState(nil)
	if err != nil {
		t.Fatal(err)
	}
	return state
}

func key(t testing.TB, s *scxml.Session) string {
	t.Helper()
	key, err := scxml.ForSearch(s).AppendKey(nil)
	if err != nil {
		t.Fatal(err)
	}
	return string(key)
}

func load(t testing.TB, s *scxml.Session, state []byte) {
	t.Helper()
	if err := scxml.ForSearch(s).LoadState(state); err != nil {
		t.Fatal(err)
	}
}

// A state goes into a session that was never started, and into one that has ended, and both
// continue.
func TestLoadStateAtAnyTime(t *testing.T) {
	s, clock := start(t, `<datamodel><data id="n" expr="1"/></datamodel>
		<state id="a"><onentry><send event="due" delay="1s"/></onentry><transition event="due" target="b"/></state>
		<state id="b"><onentry><assign location="n" expr="n + 1"/></onentry><transition event="end" target="f"/></state>
		<final id="f"/>`)
	first, want := state(t, s), snapshot(t, s)
	fresh := newSession(t, s.Chart(), scxml.WithClock(clock.Now))
	load(t, fresh, first)
	if err := clock.Advance(t.Context(), s, time.Second); err != nil {
		t.Fatal(err)
	}
	send(t, s, clock, "end", nil)
	if s.Status() != scxml.Final {
		t.Fatal(s.Status())
	}
	ended := state(t, s)
	load(t, s, first)
	for _, s := range []*scxml.Session{s, fresh} {
		if got := snapshot(t, s); !bytes.Equal(got, want) {
			t.Errorf("got %s\nwant %s", got, want)
		}
		advance(t, s, s.Now().Add(time.Second))
		wantConfiguration(t, s, "b")
		if data, err := scxml.Data[map[string]int](s); err != nil || data["n"] != 2 {
			t.Errorf("data is %v, %v", data, err)
		}
	}
	load(t, fresh, ended)
	if fresh.Status() != scxml.Final || fresh.FinalState() != "f" || fresh.Send(scxml.Event{Name: "x"}) != scxml.ErrEnded {
		t.Errorf("the status is %v, in %q", fresh.Status(), fresh.FinalState())
	}
}

// A macrostep that was interrupted in one session is completed in another.
func TestLoadStateInterrupted(t *testing.T) {
	s, _ := start(t, `<state id="a"><transition event="e" target="b"/></state>
		<state id="b"><onentry><raise event="i"/></onentry><transition event="i" target="c"/></state>
		<state id="c"><invoke><content><scxml version="1.0"><state id="x"/></scxml></content></invoke></state>`)
	ctx, cancel := context.WithCancel(t.Context())
	s.OnState("b", func(bool) { cancel() })
	if err := s.Send(scxml.Event{Name: "e"}); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Step(ctx, s.Now()); !errors.Is(err, context.Canceled) {
		t.Fatal(err)
	}
	next := newSession(t, s.Chart())
	load(t, next, state(t, s))
	advance(t, next, next.Now())
	wantConfiguration(t, next, "c")
	if n := len(next.Sessions()); n != 2 {
		t.Errorf("%d sessions, want the invoked one too", n)
	}
}

func TestLoadStateRefuses(t *testing.T) {
	chart, _ := saved(t)
	other := parse(t, `<state id="a"/>`, `datamodel="null"`)
	s := newSession(t, other)
	if err := scxml.ForSearch(s).LoadState(nil); err == nil || !strings.Contains(err.Error(), "the state is damaged, or belongs to another chart") {
		t.Errorf("no state: %v", err)
	}
	if err := scxml.ForSearch(s).LoadState(nil); !errors.Is(err, scxml.ErrEnded) {
		t.Errorf("after a failed LoadState: %v", err)
	}
	good := savedState(t, chart)
	s = newSession(t, other)
	if err := scxml.ForSearch(s).LoadState(good); err == nil {
		t.Error("the state of another chart was loaded")
	}
	for n := range good {
		if scxml.ForSearch(newSession(t, chart)).LoadState(good[:n]) == nil {
			t.Errorf("%d of %d bytes were loaded", n, len(good))
		}
	}
	if scxml.ForSearch(newSession(t, chart)).LoadState(append(good, 0)) == nil {
		t.Error("a longer state was loaded")
	}
}

// savedState returns the state of a session of the chart with a bit of everything.
func savedState(t testing.TB, chart *scxml.Chart) []byte {
	_, data := saved(t)
	return state(t, restore(t, chart, data))
}

// FuzzLoadState: whatever the bytes are, LoadState returns.
func FuzzLoadState(f *testing.F) {
	chart, _ := saved(f)
	f.Add(savedState(f, chart))
	f.Fuzz(func(t *testing.T, state []byte) {
		s := newSession(t, chart)
		if scxml.ForSearch(s).LoadState(state) != nil && s.Status() != scxml.Stopped {
			t.Errorf("the status is %v", s.Status())
		}
	})
}

// State that is elsewhere cannot be kept, and the error says where it is.
func TestStateElsewhere(t *testing.T) {
	invoking := parse(t, `<state id="a"><invoke type="service"/></state>`)
	for _, test := range []struct {
		option scxml.Option
		want   string
	}{
		{scxml.WithIOProcessor("urn:x", addresses("")), "scxml: AppendState: cannot keep the state of a session with WithIOProcessor: part of it is elsewhere"},
		{scxml.WithRouter(new(scxml.Directory)), "scxml: AppendState: cannot keep the state of a session with WithRouter: part of it is elsewhere"},
		{handsOut, `scxml: AppendState: cannot keep the state of a service: "a" invokes one of type "service" (chart.scxml:1:77)`},
		{scxml.WithInvoker("service", scxml.InvokerFunc(service)), `scxml: AppendState: cannot keep the state of a service: "a" invokes one of type "service" (chart.scxml:1:77)`},
		{scxml.WithInvoker("*", scxml.InvokerFunc(service)), `scxml: AppendState: cannot keep the state of a service: "a" invokes one of type "service" (chart.scxml:1:77)`},
	} {
		s := newSession(t, invoking, test.option)
		if err := s.Start(t.Context()); err != nil {
			t.Fatal(err)
		}
		if _, err := scxml.ForSearch(s).AppendState(nil); err == nil || err.Error() != test.want {
			t.Errorf("got  %v\nwant %s", err, test.want)
		}
		if err := scxml.ForSearch(s).LoadState(nil); err == nil || err.Error() != strings.Replace(test.want, "AppendState", "LoadState", 1) || s.Status() != scxml.Running {
			t.Errorf("%v, and the session is %v", err, s.Status())
		}
		s.Stop()
		_, _ = s.Step(t.Context(), s.Now())
	}
}

func TestStateWhen(t *testing.T) {
	s := newSession(t, parse(t, `<state id="a"/>`))
	if _, err := scxml.ForSearch(s).AppendKey(nil); !errors.Is(err, scxml.ErrNotStarted) {
		t.Errorf("before Start: %v", err)
	}
	s.OnState("a", func(bool) {
		_, appendErr := scxml.ForSearch(s).AppendState(nil)
		for _, err := range []error{appendErr, scxml.ForSearch(s).LoadState(nil)} {
			if err == nil || !strings.Contains(err.Error(), "called during a macrostep") {
				t.Errorf("in OnState: %v", err)
			}
		}
	})
	if err := s.Start(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := scxml.ForServer(s).Abandon(); err != nil {
		t.Fatal(err)
	}
	if _, err := scxml.ForSearch(s).AppendState(nil); !errors.Is(err, scxml.ErrEnded) {
		t.Errorf("after Abandon: %v", err)
	}
}

// A data item may have the name of what a runtime has anyway.
func TestStateOfBuiltins(t *testing.T) {
	for _, name := range []string{"Object", "Function", "Array", "Map", "Symbol", "Math", "JSON", "Reflect", "Proxy"} {
		s, clock := start(t, `<datamodel><data id="`+name+`" expr="9"/><data id="n" expr="0"/></datamodel>
			<state id="a"><transition event="e"><script>n = n + 1</script></transition></state>`)
		again := newSession(t, s.Chart(), scxml.WithClock(clock.Now))
		load(t, again, state(t, s))
		send(t, s, clock, "e", nil)
		send(t, again, clock, "e", nil)
		if got, want := key(t, again), key(t, s); got != want {
			t.Errorf("%s: got %q, want %q", name, got, want)
		}
		if data, err := scxml.Data[map[string]int](again); err != nil || data[name] != 9 || data["n"] != 1 {
			t.Errorf("%s: data is %v, %v", name, data, err)
		}
	}
}

// A key has what matters for the future, and nothing else.
func TestKey(t *testing.T) {
	for _, test := range []struct {
		name, inside string
		one, other   string // events (with + left in the queue), or delays, that lead to the two states
		same         bool
	}{
		{"time", `<state id="a"/>`, "1s", "2s", true},
		{"what is left of a delay", `<state id="a"><transition event="e"><send event="x" delay="3s"/></transition></state>`, "e 1s", "2s e 1s", true},
		{"a shorter delay", `<state id="a"><transition event="e"><send event="x" delay="3s"/></transition></state>`, "e 1s", "e 2s", false},
		{"the whole delay", `<state id="a"><transition event="e"><send event="x" delay="3s"/></transition></state>`, "e 1s", "e 1s", true},
		{"the order of delayed events", `<state id="a"><transition event="e"><send event="x" delay="3s"/></transition><transition event="f"><send event="y" delay="3s"/></transition></state>`, "e f", "f e", false},
		{"data of a delayed event", `<state id="a"><transition event="*"><send event="x" delay="3s"><param name="n" expr="_event.name"/></send></transition></state>`, "e", "f", false},
		{"the target of a delayed event", `<state id="a"><transition event="*"><send event="x" delay="3s" targetexpr="'#_' + _event.name"/></transition>` +
			`<invoke id="e"><content><scxml version="1.0"><state id="x"/></scxml></content></invoke><invoke id="f"><content><scxml version="1.0"><state id="x"/></scxml></content></invoke></state>`, "e", "f", false},
		{"the id of a delayed event", `<datamodel><data id="ids" expr="[]"/><data id="n"/></datamodel><state id="a"><transition event="e"><send event="x" delay="3s" idlocation="n"/><script>ids.push(n)</script></transition>` +
			`<transition event="f"><cancel sendidexpr="ids[0]"/></transition><transition event="g"><cancel sendidexpr="ids[1]"/></transition></state>`, "e e f", "e e g", false},
		{"an event in the queue", `<state id="a"/>`, "+e", "+f", false},
		{"the last event", `<state id="a"/>`, "e", "f", true},
		{"data of the last event", `<datamodel><data id="n" expr="[1]"/></datamodel><state id="a"><transition event="*" cond="_event.data.x &gt; n.map(x => x)[0]"/></state>`, "e", "f", true},
		{"data", `<datamodel><data id="n" expr="1"/></datamodel><state id="a"><transition event="e"><assign location="n" expr="n + 1"/></transition></state>`, "e", "e e", false},
		{"a stored event", `<datamodel><data id="n" expr="1"/></datamodel><state id="a"><transition event="*"><assign location="n" expr="_event"/></transition></state>`, "e", "f", false},
		{"unused ids", `<state id="a"><transition event="e" target="a"/><invoke><content><scxml version="1.0"><state id="x"/></scxml></content></invoke></state>`, "e", "e e", true},
		{"an id that code can see", `<datamodel><data id="n"/></datamodel><state id="a"><transition event="e"><send event="x" idlocation="n"/></transition></state>`, "e", "e e", false},
		{"random numbers", `<datamodel><data id="n"/></datamodel><state id="a"><transition event="e"><script>Math.random()</script></transition></state>`, "e", "e e", true},
		{"history", `<state id="a" initial="a1"><history id="h"><transition target="a1"/></history><state id="a1"><transition event="e" target="a2"/></state><state id="a2"/><transition event="f" target="b"/></state><state id="b"/>`, "f", "e f", false},
		{"an event that onexit of an invoked session can see", `<state id="a"><transition event="x"/><invoke autoforward="true"><content><scxml version="1.0"><state id="x"><onexit><log expr="_event.name"/></onexit></state></scxml></content></invoke></state>`, "e", "f", false},
		{"an event that an invoked session cannot see", `<state id="a"><invoke autoforward="true"><content><scxml version="1.0"><state id="x"/></scxml></content></invoke></state>`, "e", "f", true},
	} {
		var keys [2]string
		for i, events := range []string{test.one, test.other} {
			clock := new(scxmltest.Clock)
			s := newSession(t, parse(t, test.inside), scxml.WithSeed(1), scxml.WithClock(clock.Now))
			scxml.ForSearch(s).Watch(false)
			if err := s.Start(t.Context()); err != nil {
				t.Fatal(err)
			}
			for _, event := range strings.Fields(events) {
				if d, err := time.ParseDuration(event); err == nil {
					err = clock.Advance(t.Context(), s, d)
					if err != nil {
						t.Fatal(err)
					}
				} else if name, queued := strings.CutPrefix(event, "+"); queued {
					if err := s.Send(scxml.Event{Name: name}); err != nil {
						t.Fatal(err)
					}
				} else {
					send(t, s, clock, event, map[string]any{"x": event})
				}
			}
			before := snapshot(t, s)
			keys[i] = key(t, s)
			if after := snapshot(t, s); !bytes.Equal(before, after) {
				t.Errorf("%s: AppendKey changes the session\n%s\n%s", test.name, before, after)
			}
		}
		if (keys[0] == keys[1]) != test.same {
			t.Errorf("%s: after %s the key is %q, after %s it is %q", test.name, test.one, keys[0], test.other, keys[1])
		}
	}
}

// savingOnly is ECMAScript whose stores cannot be reset.
type savingOnly struct{ datamodel.Language }

func (l savingOnly) NewStore(h datamodel.Host) (datamodel.Store, error) {
	st, err := l.Language.NewStore(h)
	if err != nil {
		return nil, err
	}
	return struct {
		datamodel.Store
		datamodel.Saver
	}{st, st.(datamodel.Saver)}, nil
}

// A store that is not a Resetter is replaced by a new one.
func TestLoadStateWithoutResetter(t *testing.T) {
	chart, err := scxml.Parse("chart.scxml", []byte(document(`<datamodel><data id="n" expr="{x: 1}"/></datamodel>
		<state id="a"><transition event="e"><assign location="n.x" expr="n.x + 1"/></transition></state>`)), scxml.WithLanguage(savingOnly{ecmascript.New()}))
	if err != nil {
		t.Fatal(err)
	}
	clock := new(scxmltest.Clock)
	s := newSession(t, chart, scxml.WithClock(clock.Now))
	if err := s.Start(t.Context()); err != nil {
		t.Fatal(err)
	}
	first, want := state(t, s), key(t, s)
	send(t, s, clock, "e", nil)
	if key(t, s) == want {
		t.Error("other data has the same key")
	}
	load(t, s, first)
	if got := key(t, s); got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

// The state of a session with an outbox can be kept when its tasks are reported. The next task has the
// ID that it would have, and the session the address.
func TestStateWithOutbox(t *testing.T) {
	s := handingOut(t, `<datamodel><data id="at"/></datamodel><state id="a"><onentry><send event="out" type="urn:p"/></onentry>
		<transition event="go" target="a"/><transition event="look"><assign location="at" expr="_ioprocessors['urn:p'].location"/></transition></state>`)
	if _, err := scxml.ForSearch(s).AppendState(nil); err == nil || err.Error() != "scxml: AppendState: cannot keep the state of a session with tasks: report them first" {
		t.Error(err)
	}
	reports(t, s, scxml.Outcome{Task: 1}, true)
	state, err := scxml.ForSearch(s).AppendState(nil)
	if err != nil {
		t.Fatal(err)
	}
	key, _ := scxml.ForSearch(s).AppendKey(nil)
	do(t, s, 0, "go")
	reports(t, s, scxml.Outcome{Task: 2}, true)
	if again, err := scxml.ForSearch(s).AppendKey(nil); err != nil || !bytes.Equal(key, again) {
		t.Errorf("the key differs after another task, %v", err)
	}
	fresh := newSession(t, s.Chart(), handsOut)
	if err := scxml.ForSearch(fresh).LoadState(state); err != nil {
		t.Fatal(err)
	}
	do(t, fresh, 0, "look")
	do(t, fresh, 0, "go")
	wantTasks(t, fresh, "2 send k out ")
	if v, err := fresh.Eval(t.Context(), "at"); v != "urn:p/k" || err != nil {
		t.Errorf("the location is %v, %v", v, err)
	}
}
