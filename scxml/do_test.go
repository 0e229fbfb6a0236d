package scxml_test

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/scxmlrun/scxmlrun/scxml"
	"github.com/scxmlrun/scxmlrun/scxml/scxmltest"
)

// do gives s an event at the given time after its start.
func do(t testing.TB, s *scxml.Session, at time.Duration, name string) scxml.Effect {
	t.Helper()
	effect, err := s.Do(t.Context(), scxmltest.Epoch.Add(at), scxml.Event{Name: name})
	if err != nil {
		t.Fatal(err)
	}
	return effect
}

// told writes an Effect in a line.
func told(e scxml.Effect) string {
	var b strings.Builder
	fmt.Fprintf(&b, "taken %v, handled %v;", e.Taken, e.Handled)
	for _, t := range e.Transitions {
		fmt.Fprintf(&b, " %s:%s", t.Source().Name(), strings.Join(t.Events(), ","))
	}
	for _, s := range e.Exited {
		b.WriteString(" -" + s.Name())
	}
	for _, s := range e.Entered {
		b.WriteString(" +" + s.Name())
	}
	for _, m := range e.Sent {
		b.WriteString(" " + m.Session.Chart().Name() + "!" + m.Event.Name)
	}
	for _, err := range e.Errors {
		b.WriteString(" " + err.Event)
	}
	return b.String()
}

const session = `<state id="idle">
		<transition event="start" target="waiting"/>
		<transition event="again" target="idle"/>
		<transition event="fail"><assign location="nowhere" expr="1"/></transition>
	</state>
	<state id="waiting">
		<onentry><send event="late" delay="1s"/><send event="out" type="basichttp" target="x"/></onentry>
		<transition event="late" target="idle"/>
		<transition event="pay" target="paid"/>
	</state>
	<state id="paid"><transition target="thanked"/></state>
	<state id="thanked"/>`

func TestDo(t *testing.T) {
	steps := []struct {
		at    time.Duration
		event string
		want  string
	}{
		{0, "", "taken false, handled false;"},
		{0, "nonsense", "taken true, handled false;"},
		{0, "again", "taken true, handled true; idle:again -idle +idle"},
		{1 * time.Second, "start", "taken true, handled true; idle:start -idle +waiting !out error.communication"},
		// What is due by now comes first, at its own time.
		{3 * time.Second, "pay", "taken true, handled false; waiting:late -waiting +idle !late"},
		{3 * time.Second, "start", "taken true, handled true; idle:start -idle +waiting !out error.communication"},
		{3500 * time.Millisecond, "pay", "taken true, handled true; waiting:pay paid: -waiting -paid +paid +thanked"},
		{2 * time.Second, "", "taken false, handled false;"},       // time does not go back
		{4 * time.Second, "", "taken false, handled false; !late"}, // and what is due goes out
		{9 * time.Second, "pay", "taken true, handled false;"},
	}
	s, _ := start(t, session, scxml.WithIOProcessor("basichttp", failing{}))
	for _, step := range steps {
		if got := told(do(t, s, step.at, step.event)); got != step.want {
			t.Errorf("%v at %v:\n got %s\nwant %s", step.event, step.at, got, step.want)
		}
	}
	if got, want := s.Now(), scxmltest.Epoch.Add(9*time.Second); !got.Equal(want) {
		t.Errorf("now %v, want %v", got, want)
	}
}

// A failing processor delivers nothing.
type failing struct{ echo }

func (failing) Send(_ *scxml.Session, _ scxml.Message, done func(error)) error {
	done(errors.New("nobody is there"))
	return nil
}

// TestDoReportsExecutionErrors: Effect has the errors of guards and actions.
func TestDoReportsExecutionErrors(t *testing.T) {
	s, _ := start(t, session, scxml.WithIOProcessor("basichttp", failing{}))
	effect := do(t, s, 0, "fail")
	if len(effect.Errors) != 1 || effect.Errors[0].Element != "assign" || !effect.Handled {
		t.Errorf("got %s", told(effect))
	}
}

// TestDoHandledIsAboutTheEvent: an event that the chart sends for its host, and
// that the chart itself does not take, says nothing about the one that caused it.
func TestDoHandledIsAboutTheEvent(t *testing.T) {
	s, _ := start(t, `<state id="a"><transition event="go" target="b"><send event="gone"/></transition></state><state id="b"/>`)
	if got, want := told(do(t, s, 0, "go")), "taken true, handled true; a:go -a +b !gone"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

// TestDoSeesChildren: what children send counts, what they enter does not.
func TestDoSeesChildren(t *testing.T) {
	s, _ := start(t, `<state id="s"><invoke autoforward="true" id="c"><content>
		<scxml version="1.0" name="child"><state id="in">
			<transition event="ping" target="out"><send event="pong" target="#_parent"/></transition></state>
			<state id="out"/></scxml></content></invoke>
		<transition event="pong"><log expr="1"/></transition></state>`)
	do(t, s, 0, "")
	if got, want := told(do(t, s, 0, "ping")), "taken true, handled false; s:pong child!pong"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

// TestDoWhileOthersSend: other goroutines may send while the owner is in Do.
func TestDoWhileOthersSend(t *testing.T) {
	s, _ := start(t, `<datamodel><data id="n" expr="0"/></datamodel>
		<state id="s"><transition event="count"><assign location="n" expr="n + 1"/></transition></state>`)
	const events = 10_000
	sent := make(chan struct{})
	go func() {
		defer close(sent)
		for range events {
			if err := s.Send(scxml.Event{Name: "count"}); err != nil {
				t.Error(err)
			}
			runtime.Gosched()
		}
	}()
	for sending := true; sending; {
		select {
		case <-sent:
			sending = false
		default:
			runtime.Gosched() // in WebAssembly there is one thread
		}
		do(t, s, 0, "")
	}
	if data, err := scxml.Data[struct{ N int }](s); data.N != events {
		t.Errorf("%d events, %v, want %d", data.N, err, events)
	}
}

// TestDoIsRepeated: an event that was not taken can be given again, one that was
// taken is finished without it.
func TestDoIsRepeated(t *testing.T) {
	s, _ := start(t, `<state id="a"><transition event="go" target="b"/></state>
		<state id="b"><onentry><script>for (var i = 0; i &lt; 1000; i++) stop(i)</script><log expr="2"/></onentry></state>`,
		scxml.WithFunc("stop", func(i int) {
			if i == 0 {
				cancelled()
			}
		}))
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	effect, err := s.Do(ctx, scxmltest.Epoch, scxml.Event{Name: "go"})
	if effect.Taken || !errors.Is(err, context.Canceled) || !s.In("a") {
		t.Fatalf("%s, %v", told(effect), err)
	}
	ctx, cancelled = context.WithCancel(t.Context())
	effect, err = s.Do(ctx, scxmltest.Epoch, scxml.Event{Name: "go"})
	if !effect.Taken || !effect.Handled || !errors.Is(err, context.Canceled) {
		t.Fatalf("%s, %v", told(effect), err)
	}
	if effect = do(t, s, 0, ""); !s.In("b") || effect.Taken {
		t.Fatalf("%s in %v", told(effect), s.Configuration())
	}
}

var cancelled context.CancelFunc

// TestEffectIsReadable: what an Effect has can be printed.
func TestEffectIsReadable(t *testing.T) {
	s, _ := start(t, `<state id="closed"><transition event="push kick" target="open"/><transition event="look"/></state><state id="open"/>`)
	look, push := do(t, s, 0, "look"), do(t, s, 0, "push")
	if got, want := fmt.Sprint(look.Transitions, push.Transitions, push.Exited, push.Entered), "[closed look] [closed push kick -> open] [closed] [open]"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

func TestDoRefuses(t *testing.T) {
	s, _ := start(t, `<state id="s"><transition event="end" target="f"/></state><final id="f"/>`)
	for _, c := range []struct {
		ev   scxml.Event
		want string
	}{
		{scxml.Event{Name: "a b"}, `scxml: Do: event name "a b" contains white space: want the name of one event`},
		{scxml.Event{Data: 1}, "scxml: Do: the event has data and no name"},
		{scxml.Event{Name: "e", Data: func() {}}, `scxml: Do: data of event "e": cannot use a func() as data`},
	} {
		effect, err := s.Do(t.Context(), scxmltest.Epoch, c.ev)
		if err == nil || !strings.HasPrefix(err.Error(), c.want) || effect.Taken {
			t.Errorf("%v: %v, want %s", c.ev, err, c.want)
		}
	}
	var inside error
	s.OnState("f", func(bool) { _, inside = s.Do(t.Context(), scxmltest.Epoch, scxml.Event{Name: "x"}) })
	do(t, s, 0, "end")
	if !errors.Is(inside, scxml.ErrDriven) {
		t.Errorf("in a callback: %v", inside)
	}
	if _, err := s.Do(t.Context(), scxmltest.Epoch, scxml.Event{Name: "x"}); !errors.Is(err, scxml.ErrEnded) {
		t.Errorf("after the end: %v", err)
	}
	do(t, s, 0, "")
	unstarted := newSession(t, parse(t, `<state/>`))
	if effect, err := unstarted.Do(t.Context(), scxmltest.Epoch, scxml.Event{Name: "x"}); !errors.Is(err, scxml.ErrNotStarted) || effect.Taken {
		t.Errorf("before Start: %v", err)
	}
}

// TestDoEqualsSend: a session that is driven by Do does what one does that is
// brought to the time, is sent the event and then advances.
func TestDoEqualsSend(t *testing.T) {
	run := func(drive func(s *scxml.Session, at time.Time, ev scxml.Event) error) (log []string) {
		note := func(what string) func(*scxml.Session, scxml.State) {
			return func(s *scxml.Session, st scxml.State) {
				log = append(log, fmt.Sprint(s.Now().Sub(scxmltest.Epoch), what, st.Name()))
			}
		}
		s, _ := start(t, session, scxml.WithTrace(&scxml.Trace{Enter: note(" + "), Exit: note(" - ")}))
		for i, name := range []string{"start", "x", "start", "pay", "again"} {
			if err := drive(s, scxmltest.Epoch.Add(time.Duration(i)*700*time.Millisecond), scxml.Event{Name: name}); err != nil {
				t.Fatal(err)
			}
		}
		return log
	}
	one := run(func(s *scxml.Session, at time.Time, ev scxml.Event) error {
		_, err := s.Do(t.Context(), at, ev)
		return err
	})
	three := run(func(s *scxml.Session, at time.Time, ev scxml.Event) error {
		return errors.Join(s.Advance(t.Context(), at), s.Send(ev), s.Advance(t.Context(), at))
	})
	if !slices.Equal(one, three) || len(one) < 5 {
		t.Errorf("Do: %q\nAdvance and Send: %q", one, three)
	}
}

// TestEffectIsKept: no later call changes an effect that Do has returned, nor does what its caller appends.
func TestEffectIsKept(t *testing.T) {
	for _, c := range speedCharts() {
		s := driven(t, compiled(t, c.name, render(c.name, c.root)))
		again := driven(t, compiled(t, c.name, render(c.name, c.root)))
		var effects []scxml.Effect
		var want []string
		into := new(scxml.Effect)
		for i := range 200 {
			ev := scxml.Event{Name: c.events[i%len(c.events)]}
			effect, err := s.Do(s.ctx, now, ev)
			if err := errors.Join(err, again.DoInto(s.ctx, now, ev, into)); err != nil {
				t.Fatal(err)
			}
			if told(*into) != told(effect) {
				t.Fatalf("%s: DoInto: %s, Do: %s", c.name, told(*into), told(effect))
			}
			want, effects = append(want, told(effect)), append(effects, effect)
			_ = append(effect.Entered, again.Chart().States()[0])
			_ = append(effect.Exited, again.Chart().States()[0])
			_ = append(effect.Transitions, again.Chart().Transitions()[0])
		}
		for i, effect := range effects {
			if told(effect) != want[i] {
				t.Fatalf("%s, effect %d: got %s, want %s", c.name, i, told(effect), want[i])
			}
		}
	}
}

// TestDoIntoForgets: nothing of an earlier effect is left.
func TestDoIntoForgets(t *testing.T) {
	s, _ := start(t, session)
	var effect scxml.Effect
	for i, c := range []struct{ event, want string }{
		{"fail", "taken true, handled true; idle:fail error.execution"},
		{"start", "taken true, handled true; idle:start -idle +waiting error.execution"},
		{"nothing", "taken true, handled false;"},
		{"", "taken false, handled false;"},
	} {
		if err := s.DoInto(t.Context(), scxmltest.Epoch, scxml.Event{Name: c.event}, &effect); err != nil || told(effect) != c.want {
			t.Errorf("%d: got %s, %v, want %s", i, told(effect), err, c.want)
		}
	}
	do(t, s, 0, "again")
	if effect.Taken {
		t.Error("the effect given before is still written to")
	}
	if err := s.DoInto(t.Context(), scxmltest.Epoch, scxml.Event{}, nil); err == nil || err.Error() != "scxml: DoInto: the effect is nil" {
		t.Error(err)
	}
}

func TestHandle(t *testing.T) {
	s, _ := start(t, session)
	effect, err := s.Handle(t.Context(), scxmltest.Epoch, scxml.Event{Name: "pay"})
	want := `scxml: "pay" is not handled in idle, which takes start, again, fail`
	unhandled := new(scxml.UnhandledError)
	if !errors.As(err, &unhandled) || err.Error() != want || !effect.Taken || effect.Handled {
		t.Errorf("got %v, %s, want %s", err, told(effect), want)
	}
	if effect, err = s.Handle(t.Context(), scxmltest.Epoch, scxml.Event{Name: "start"}); err != nil || !effect.Handled {
		t.Error(err)
	}
	if _, err = s.Handle(t.Context(), scxmltest.Epoch, scxml.Event{}); err != nil {
		t.Errorf("time passes: %v", err)
	}
	end, _ := start(t, `<state id="s"><transition event="e" target="f"/></state><final id="f"/>`)
	if _, err = end.Handle(t.Context(), scxmltest.Epoch, scxml.Event{Name: "e"}); err != nil {
		t.Error(err)
	}
	if _, err = end.Handle(t.Context(), scxmltest.Epoch, scxml.Event{Name: "e"}); !errors.Is(err, scxml.ErrEnded) {
		t.Error(err)
	}
	guarded, _ := start(t, `<state id="s"><transition event="e.f" cond="false"/></state>`)
	if _, err = guarded.Handle(t.Context(), scxmltest.Epoch, scxml.Event{Name: "e.f.g"}); err == nil || err.Error() != `scxml: "e.f.g" is not handled in s, where no condition of its transitions holds` {
		t.Error(err)
	}
	mute, _ := start(t, `<state id="s"><state id="t"/></state>`)
	if _, err = mute.Handle(t.Context(), scxmltest.Epoch, scxml.Event{Name: "e"}); err == nil || err.Error() != `scxml: "e" is not handled in s, t, which takes no event` {
		t.Error(err)
	}
}

// BenchmarkDo compares the ways to give a session an event, and what costs nothing to ask.
func BenchmarkDo(b *testing.B) {
	for _, c := range speedCharts() {
		for _, way := range []string{"Step", "DoInto", "Do", "idle", "Try", "Enabled"} {
			b.Run(c.name+"/"+way, func(b *testing.B) {
				op := c.wayOp(b, way)
				b.ReportAllocs()
				for b.Loop() {
					op()
				}
			})
		}
	}
}
