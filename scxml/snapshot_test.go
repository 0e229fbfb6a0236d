package scxml_test

import (
	"bytes"
	"context"
	"errors"
	"runtime"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/scxmlrun/scxmlrun/datamodel"
	"github.com/scxmlrun/scxmlrun/scxml"
	"github.com/scxmlrun/scxmlrun/scxml/scxmltest"
)

// snapshot takes a snapshot, and checks that it restores to the same.
func snapshot(t testing.TB, s *scxml.Session, opts ...scxml.RestoreOption) []byte {
	t.Helper()
	data, err := s.Snapshot()
	if err != nil {
		t.Fatal(err)
	}
	again, err := restore(t, s.Chart(), data, opts...).Snapshot()
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(data, again) {
		t.Errorf("the snapshot of the restored session differs\n got: %s\nwant: %s", again, data)
	}
	return data
}

func restore(t testing.TB, chart *scxml.Chart, data []byte, opts ...scxml.RestoreOption) *scxml.Session {
	t.Helper()
	s, err := scxml.Restore(chart, data, opts...)
	if err != nil {
		t.Fatalf("%v\n%s", err, data)
	}
	return s
}

func advance(t testing.TB, s *scxml.Session, to time.Time) {
	t.Helper()
	if err := s.Advance(t.Context(), to); err != nil {
		t.Fatal(err)
	}
}

// edit replaces the first old in a snapshot.
func edit(t testing.TB, snapshot []byte, old, new string) []byte {
	t.Helper()
	if !bytes.Contains(snapshot, []byte(old)) {
		t.Fatalf("the snapshot does not contain %s:\n%s", old, snapshot)
	}
	return bytes.Replace(snapshot, []byte(old), []byte(new), 1)
}

const waiting = `
	<state id="a">
		<onentry><send event="one" delay="10s"/><send event="two" id="x" delay="20s"/></onentry>
		<transition event="one" target="b"/>
		<transition event="never"><cancel sendid="x"/></transition>
	</state>
	<state id="b"><transition event="two" target="c"/></state>
	<state id="c"/>`

// TestRestoreTimers checks when delayed events are due in a session that was saved after 4 s and
// restored after 104 s.
func TestRestoreTimers(t *testing.T) {
	for _, test := range []struct {
		name     string
		timers   scxml.TimerPolicy
		one, two time.Duration // since the beginning
	}{
		{"keep due", scxml.KeepDue, 10 * time.Second, 20 * time.Second},
		{"keep remaining", scxml.KeepRemaining, 110 * time.Second, 120 * time.Second},
		{"start anew", scxml.StartAnew, 114 * time.Second, 124 * time.Second},
	} {
		t.Run(test.name, func(t *testing.T) {
			s, clock := start(t, waiting)
			if err := clock.Advance(t.Context(), s, 4*time.Second); err != nil {
				t.Fatal(err)
			}
			data := snapshot(t, s)
			if err := clock.Advance(t.Context(), s, 100*time.Second); err != nil { // the old session continues
				t.Fatal(err)
			}
			r := restore(t, s.Chart(), data, scxml.WithClock(clock.Now), scxml.WithTimers(test.timers))
			wantConfiguration(t, r, "a")
			for i, want := range []time.Duration{test.one, test.two} {
				due, ok := r.NextDue()
				if got := due.Sub(scxmltest.Epoch); !ok || got != want {
					t.Errorf("event %d is due after %v (%v), want %v", i+1, got, ok, want)
				}
				advance(t, r, due)
			}
			wantConfiguration(t, r, "c")
		})
	}
}

// TestRestoreCancels: a delayed event can still be cancelled by its id.
func TestRestoreCancels(t *testing.T) {
	s, clock := start(t, waiting)
	r := restore(t, s.Chart(), snapshot(t, s), scxml.WithClock(clock.Now))
	send(t, r, clock, "never", nil)
	advance(t, r, clock.Now().Add(time.Minute))
	wantConfiguration(t, r, "b")
}

// TestRestoreQueue: unprocessed events are restored in order and with all their fields.
func TestRestoreQueue(t *testing.T) {
	s, clock := start(t, `<state id="a"/>`)
	date := time.Date(2026, 2, 3, 4, 5, 6, 7e6, time.UTC)
	xml, err := datamodel.ParseXML(`<p:a xmlns:p="urn:p" b="&lt;"><!--c-->d</p:a>`)
	if err != nil {
		t.Fatal(err)
	}
	values := []datamodel.Value{
		nil, datamodel.Null, true, int64(-7), 0.5, "a\u2028<b>", []datamodel.Value{"", int64(1)},
		datamodel.NewObject("$k", int64(1), "k", datamodel.NewObject()), date, xml,
	}
	for _, v := range values {
		if err := s.Send(scxml.Event{Name: "e", Data: v, SendID: "s", Origin: "o", OriginType: "t", InvokeID: "i", Raw: "r"}); err != nil {
			t.Fatal(err)
		}
	}
	r := restore(t, s.Chart(), snapshot(t, s), scxml.WithClock(clock.Now))
	var got []scxml.Event
	r.OnEvent("*", func(ev scxml.Event) { got = append(got, ev) })
	advance(t, r, clock.Now())
	if len(got) != len(values) {
		t.Fatalf("%d events came out, want %d", len(got), len(values))
	}
	for i, ev := range got {
		if !datamodel.Equal(ev.Data, values[i]) {
			t.Errorf("data of event %d: %s, want %s", i, datamodel.Text(ev.Data), datamodel.Text(values[i]))
		}
		ev.Data = nil
		if want := (scxml.Event{Name: "e", SendID: "s", Origin: "o", OriginType: "t", InvokeID: "i", Raw: "r"}); ev != want {
			t.Errorf("event %d is %+v, want %+v", i, ev, want)
		}
	}
}

// TestRestoreHistory: both kinds of history are restored.
func TestRestoreHistory(t *testing.T) {
	s, clock := start(t, `
		<state id="on" initial="p">
			<history id="shallow"><transition target="p"/></history>
			<history id="deep" type="deep"><transition target="p"/></history>
			<state id="p" initial="p1"><transition event="q" target="q"/><state id="p1"/></state>
			<state id="q" initial="q1"><state id="q1"><transition event="q" target="q2"/></state><state id="q2"/></state>
			<transition event="off" target="off"/>
		</state>
		<state id="off"><transition event="s" target="shallow"/><transition event="d" target="deep"/></state>`)
	for _, event := range []string{"q", "q", "off"} {
		send(t, s, clock, event, nil)
	}
	data := snapshot(t, s)
	for event, want := range map[string][]string{"s": {"on", "q", "q1"}, "d": {"on", "q", "q2"}} {
		r := restore(t, s.Chart(), data, scxml.WithClock(clock.Now))
		send(t, r, clock, event, nil)
		wantConfiguration(t, r, want...)
	}
}

// TestRestoreChildren: invoked sessions of all three kinds, and theirs, continue; one that has not
// begun begins, and one that has ended is finalized.
func TestRestoreChildren(t *testing.T) {
	const child = `<scxml xmlns="http://www.w3.org/2005/07/scxml" version="1.0" datamodel="null"><state id="%">
		<onentry><send event="on" delay="1s"/></onentry><transition event="on" target="f"/></state><final id="f"/></scxml>`
	nested := strings.Replace(strings.Replace(child, "%", "inner", 1), "</onentry>",
		"</onentry><invoke id='innermost'><content>"+strings.Replace(child, "%", "innermost", 1)+"</content></invoke>", 1)
	source := document(`
		<parallel id="p">
			<state id="i"><invoke id="inline"><content>`+nested+`</content></invoke></state>
			<state id="s"><invoke id="file" src="child.scxml" autoforward="true"/></state>
			<state id="e"><invoke id="over"><content><scxml version="1.0" datamodel="null"><final/></scxml></content></invoke>
				<transition event="done.invoke.over" type="internal" target="e1"/><state id="e0"/><state id="e1"/></state>
		</parallel>`, `datamodel="null"`)
	chart, err := scxml.Parse("t.scxml", []byte(source), scxml.WithLoader(fstest.MapFS{"child.scxml": {Data: []byte(strings.Replace(child, "%", "loaded", 1))}}))
	if err != nil {
		t.Fatal(err)
	}
	clock := new(scxmltest.Clock)
	var plain, saved strings.Builder
	run := func(out *strings.Builder, restored bool) {
		opts := scxml.Options{scxml.WithClock(clock.Now), scxml.WithTrace(scxmltest.NewTrace(out))}
		*clock = scxmltest.Clock{}
		s := newSession(t, chart, opts)
		if err := s.Start(t.Context()); err != nil {
			t.Fatal(err)
		}
		if !restored {
			err = clock.Advance(t.Context(), s, time.Minute)
		} else {
			_, err = clock.AdvanceRestored(t.Context(), s, time.Minute, func(data []byte) (*scxml.Session, error) {
				return scxml.Restore(chart, data, opts)
			})
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	run(&plain, false)
	run(&saved, true)
	if plain.String() != saved.String() {
		t.Errorf("with restored sessions:\n%s\nwithout:\n%s", &saved, &plain)
	}
	for _, want := range []string{"innermost", "loaded", "done.invoke.over", "done.invoke.inline"} {
		if !strings.Contains(plain.String(), want) {
			t.Errorf("the trace has no %s:\n%s", want, &plain)
		}
	}
}

// TestRestoreRandom: generated ids continue and do not repeat.
func TestRestoreRandom(t *testing.T) {
	const chart = `<state id="a"><transition event="e" target="a"/><invoke type="t"/></state>`
	ids := func(restored bool) (ids []string) {
		clock := new(scxmltest.Clock)
		opts := scxml.Options{
			scxml.WithClock(clock.Now),
			scxml.WithInvoker("t", scxml.InvokerFunc(func(ctx context.Context, _ *scxml.Invocation) (any, error) {
				<-ctx.Done() // if it ended at once, it could end between two snapshots
				return nil, context.Cause(ctx)
			})),
			scxml.WithTrace(&scxml.Trace{Invoke: func(_ *scxml.Session, id string, _ *scxml.Session) { ids = append(ids, id) }}),
		}
		s := newSession(t, parse(t, chart), append(opts, scxml.WithSeed(7))...)
		if err := s.Start(t.Context()); err != nil {
			t.Fatal(err)
		}
		for range 3 {
			if restored {
				s = restore(t, s.Chart(), snapshot(t, s, opts), opts)
			}
			if err := s.Send(scxml.Event{Name: "e"}); err != nil {
				t.Fatal(err)
			}
			if _, err := s.Step(t.Context(), clock.Now()); err != nil {
				t.Fatal(err)
			}
		}
		return append(ids, s.ID())
	}
	if plain, saved := ids(false), ids(true); !slices.Equal(plain, saved) || len(plain) != 5 {
		t.Errorf("ids with restored sessions %q, without %q", saved, plain)
	}
}

// TestRestoreService: a service is invoked again with the same arguments, unless it had ended.
func TestRestoreService(t *testing.T) {
	const chart = `
		<datamodel><data id="n" expr="1"/></datamodel>
		<state id="a">
			<invoke id="long" type="svc" src="here"><param name="n" expr="n"/></invoke>
			<invoke id="short" type="svc"><content>text</content></invoke>
			<transition event="tell"><send target="#_long" event="told"/></transition>
			<transition event="heard" target="b"/>
		</state>
		<state id="b"/>`
	started := make(chan *scxml.Invocation, 10)
	svc := scxml.InvokerFunc(func(ctx context.Context, inv *scxml.Invocation) (any, error) {
		started <- inv
		if inv.ID == "short" {
			return nil, nil
		}
		if !inv.Restored {
			<-ctx.Done() // it never looks at its events
			return nil, nil
		}
		ev, err := inv.Receive(ctx)
		if err == nil {
			err = inv.Send(scxml.Event{Name: "heard", Data: ev.Name})
		}
		<-ctx.Done()
		return nil, err
	})
	ctx := t.Context()
	opt := scxml.WithInvoker("svc", svc)
	s, err := scxml.New(parse(t, chart), opt)
	if err == nil {
		err = s.Start(ctx)
	}
	if err != nil {
		t.Fatal(err)
	}
	<-started
	<-started
	told := false
	s.OnEvent("done.invoke.short", func(scxml.Event) { _ = s.Send(scxml.Event{Name: "tell"}) })
	s.OnSend("told", func(scxml.Event) { told = true })
	drive(t, s, func() bool { return told })
	data, err := s.Snapshot()
	if err != nil {
		t.Fatal(err)
	}
	s.Stop()
	if _, err := s.Step(ctx, time.Now()); !errors.Is(err, scxml.ErrStopped) {
		t.Fatal(err)
	}

	if _, err := scxml.Restore(s.Chart(), data); err == nil || !strings.Contains(err.Error(), `"svc"`) {
		t.Errorf("without the invoker: %v", err)
	}
	r := restore(t, s.Chart(), data, opt)
	again := <-started
	if n, _ := again.Params.Get("n"); !again.Restored || again.ID != "long" || again.Src != "here" || n != int64(1) {
		t.Errorf("it was invoked again as %+v", again)
	}
	var heard any
	r.OnEvent("heard", func(ev scxml.Event) { heard = ev.Data })
	drive(t, r, func() bool { return r.In("b") })
	if heard != "told" {
		t.Errorf("the service reported %v", heard)
	}
	if len(started) > 0 {
		t.Errorf("a service that had ended was invoked again: %+v", <-started)
	}
}

// drive drives a session in real time until done returns true.
func drive(t testing.TB, s *scxml.Session, done func() bool) {
	t.Helper()
	for {
		more, err := s.Step(t.Context(), time.Now())
		switch {
		case err != nil:
			t.Fatal(err)
		case done():
			return
		case !more:
			<-s.Wake()
		}
	}
}

// TestRestoreLocation: a processor can keep a session's address.
func TestRestoreLocation(t *testing.T) {
	s, err := scxml.New(parse(t, `<state id="a"/>`), scxml.WithIOProcessor("p", addresses("first")))
	if err == nil {
		err = s.Start(t.Context())
	}
	if err != nil {
		t.Fatal(err)
	}
	data, err := s.Snapshot()
	if err != nil {
		t.Fatal(err)
	}
	r := restore(t, s.Chart(), data, scxml.WithIOProcessor("q", addresses("second")), scxml.WithIOProcessor("p", addresses("third")))
	data, err = r.Snapshot()
	if err != nil {
		t.Fatal(err)
	}
	if want := `"locations":[{"type":"q","location":"second"},{"type":"p","location":"first again"}]`; !strings.Contains(string(data), want) {
		t.Errorf("the snapshot lacks %s:\n%s", want, data)
	}
}

// addresses is a processor that gives sessions an address and sends nothing.
type addresses string

func (a addresses) Open(*scxml.Session) string                          { return string(a) }
func (addresses) Reopen(_ *scxml.Session, location string) string       { return location + " again" }
func (addresses) Close(*scxml.Session)                                  {}
func (addresses) Send(*scxml.Session, scxml.Message, func(error)) error { return nil }

// TestSnapshotWhen checks when a snapshot can be taken.
func TestSnapshotWhen(t *testing.T) {
	chart := parse(t, `<state id="a"><onentry><send event="later" delay="1s"/></onentry><transition event="e"/></state>`)
	clock := new(scxmltest.Clock)
	s := newSession(t, chart, scxml.WithClock(clock.Now))
	if _, err := s.Snapshot(); !errors.Is(err, scxml.ErrNotStarted) {
		t.Errorf("before Start: %v", err)
	}
	inside := func(what string) func() {
		return func() {
			if _, err := s.Snapshot(); err == nil || !strings.Contains(err.Error(), "called during a macrostep") {
				t.Errorf("in %s: %v", what, err)
			}
		}
	}
	s.OnState("a", func(bool) { inside("OnState")() })
	s.OnEvent("e", func(scxml.Event) { inside("OnEvent")() })
	s.OnSend("later", func(scxml.Event) { inside("OnSend")() })
	if err := s.Start(t.Context()); err != nil {
		t.Fatal(err)
	}
	send(t, s, clock, "e", nil)
	if err := clock.Advance(t.Context(), s, time.Second); err != nil {
		t.Fatal(err)
	}
	snapshot(t, s)
	called := make(chan error)
	later := clock.Now().Add(time.Second)
	go func() {
		called <- s.Call(t.Context(), func(s *scxml.Session) {
			snapshot(t, s)
			if !s.Now().Equal(later) { // the rest of the delays counts from there
				t.Errorf("in a Call it is %v, want %v", s.Now(), later)
			}
		})
	}()
	for err := error(nil); ; {
		select {
		case err = <-called:
		default:
			_, _ = s.Step(t.Context(), later)
			runtime.Gosched() // WebAssembly does not interrupt this goroutine for the other
			continue
		}
		if err != nil {
			t.Error(err)
		}
		break
	}
}

// TestSnapshotTwice: a snapshot does not change the session, even if it finds an event whose data no
// script has looked at.
func TestSnapshotTwice(t *testing.T) {
	s, clock := start(t, `<datamodel><data id="last"/></datamodel>
		<state id="a"><transition event="e"><assign location="last" expr="_event"/></transition></state>`)
	send(t, s, clock, "e", []int{1})
	if one, two := snapshot(t, s), snapshot(t, s); !bytes.Equal(one, two) {
		t.Errorf("first %s\nthen  %s", one, two)
	}
}

// TestRestoreEnded: sessions that have ended can be saved too.
func TestRestoreEnded(t *testing.T) {
	s, clock := start(t, `<state id="a"><transition event="e" target="f"/><transition event="loop" target="l"/></state>
		<state id="l"><transition target="l"/></state>
		<final id="f"><donedata><content expr="[1, null]"/></donedata></final>`, scxml.WithLimits(scxml.Limits{Microsteps: 10}))
	begun := snapshot(t, s)
	send(t, s, clock, "e", nil)
	r := restore(t, s.Chart(), snapshot(t, s))
	if r.Status() != scxml.Final || r.FinalState() != "f" || datamodel.Text(r.DoneData()) != "[1,null]" || r.Err() != nil {
		t.Errorf("restored: %v in %q with %v, %v", r.Status(), r.FinalState(), r.DoneData(), r.Err())
	}
	if err := r.Send(scxml.Event{Name: "e"}); !errors.Is(err, scxml.ErrEnded) {
		t.Errorf("Send: %v", err)
	}
	if more, err := r.Step(t.Context(), clock.Now()); more || err != nil {
		t.Errorf("Step: %v, %v", more, err)
	}

	r = restore(t, s.Chart(), begun, scxml.WithClock(clock.Now))
	r.Stop()
	r = restore(t, s.Chart(), snapshot(t, r)) // before it is carried out
	if _, err := r.Step(t.Context(), clock.Now()); !errors.Is(err, scxml.ErrStopped) || r.Status() != scxml.Stopped {
		t.Errorf("a Stop that was pending: %v, %v", r.Status(), err)
	}
	if r = restore(t, s.Chart(), snapshot(t, r)); !errors.Is(r.Err(), scxml.ErrStopped) {
		t.Errorf("restored after Stop: %v", r.Err())
	}

	r = restore(t, s.Chart(), begun, scxml.WithClock(clock.Now))
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_ = r.Run(ctx)
	if r = restore(t, s.Chart(), snapshot(t, r)); !errors.Is(r.Err(), context.Canceled) {
		t.Errorf("restored after its context was done: %v", r.Err())
	}

	r = restore(t, s.Chart(), begun, scxml.WithClock(clock.Now), scxml.WithLimits(scxml.Limits{Microsteps: 10}))
	if err := r.Send(scxml.Event{Name: "loop"}); err != nil {
		t.Fatal(err)
	}
	err := r.Advance(t.Context(), clock.Now())
	var limit *scxml.LimitError
	if r = restore(t, s.Chart(), snapshot(t, r)); !errors.As(r.Err(), &limit) || r.Err().Error() != err.Error() {
		t.Errorf("restored after a limit: %v, want %v", r.Err(), err)
	}
}

// TestRestoreInterrupted: a macrostep that was interrupted continues.
func TestRestoreInterrupted(t *testing.T) {
	s, _ := start(t, `<state id="a"><transition event="e" target="b"/></state>
		<state id="b"><onentry><raise event="i"/></onentry><transition event="i" target="c"/></state>
		<state id="c"><invoke><content><scxml version="1.0"><state id="x"/></scxml></content></invoke><transition event="i"/></state>`)
	ctx, cancel := context.WithCancel(t.Context())
	s.OnState("b", func(bool) { cancel() })
	if err := s.Send(scxml.Event{Name: "e"}); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Step(ctx, s.Now()); !errors.Is(err, context.Canceled) {
		t.Fatal(err)
	}
	wantConfiguration(t, s, "b")
	r := restore(t, s.Chart(), snapshot(t, s))
	advance(t, r, r.Now())
	wantConfiguration(t, r, "c")
	if n := len(r.Sessions()); n != 2 {
		t.Errorf("%d sessions, want the invoked one too", n)
	}
}

// TestSuspend: a suspended session has released everything without running its chart, and no event
// is lost between it and the one that continues.
func TestSuspend(t *testing.T) {
	const chart = `
		<state id="a">
			<onentry><send event="late" id="late" delay="1s"/></onentry>
			<onexit><log label="exit"/></onexit>
			<invoke id="svc" type="svc"/>
			<transition event="e"><log label="e"/></transition>
		</state>`
	directory, ended, log := new(scxml.Directory), make(chan bool, 10), new(strings.Builder)
	clock := new(scxmltest.Clock)
	opts := scxml.Options{
		scxml.WithRouter(directory), scxml.WithClock(clock.Now),
		scxml.WithTrace(&scxml.Trace{Log: func(_ *scxml.Session, label string, _ datamodel.Value) { log.WriteString(label) }}),
		scxml.WithInvoker("svc", scxml.InvokerFunc(func(ctx context.Context, inv *scxml.Invocation) (any, error) {
			_, err := inv.Receive(ctx)
			ended <- true
			return nil, err
		})),
	}
	s := newSession(t, parse(t, chart), opts...)
	if err := s.Start(t.Context()); err != nil {
		t.Fatal(err)
	}
	sent := make(chan int)
	go func() { // from outside, until the session does not take any more
		n := 0
		for s.Send(scxml.Event{Name: "e"}) == nil {
			n++
			if n == 100 {
				sent <- 0
			}
		}
		sent <- n
	}()
	<-sent
	data, err := s.Suspend()
	if err != nil {
		t.Fatal(err)
	}
	n := <-sent
	<-ended
	if _, ok := s.NextDue(); ok || s.Status() != scxml.Stopped || log.Len() > 0 {
		t.Errorf("a delayed event: %v; status %v; the chart said %q", ok, s.Status(), log)
	}
	if _, err := s.Step(t.Context(), clock.Now()); !errors.Is(err, scxml.ErrStopped) {
		t.Errorf("Step: %v", err)
	}
	if _, err := s.Snapshot(); !errors.Is(err, scxml.ErrEnded) {
		t.Errorf("Snapshot: %v", err)
	}
	if n := s.Cancel("late"); n != 0 {
		t.Errorf("Cancel: %d delayed events", n)
	}
	r := restore(t, s.Chart(), data, opts)
	for more := true; more; {
		if more, err = r.Step(t.Context(), clock.Now()); err != nil {
			t.Fatal(err)
		}
	}
	if got := log.Len(); got != n {
		t.Errorf("%d events came out, %d went in", got, n)
	}
	if err := scxml.ForServer(r).Abandon(); err != nil {
		t.Fatal(err)
	}
	<-ended
	if log.Len() != n || r.Send(scxml.Event{Name: "e"}) == nil {
		t.Errorf("after Abandon the chart said %q, and takes events", log.String()[n:])
	}
}

// TestSuspendFails: a session that cannot be saved is unchanged.
func TestSuspendFails(t *testing.T) {
	for _, test := range []struct {
		name, data string
		year       int
	}{
		{"data", "(function () { let n = 0; return () => n++ })()", 2000},
		{"time", "1", 10000}, // RFC 3339 has four digits for it
	} {
		t.Run(test.name, func(t *testing.T) {
			now, ended := time.Date(test.year, 1, 1, 0, 0, 0, 0, time.UTC), make(chan bool, 1)
			s := newSession(t, parse(t, `
				<datamodel><data id="f" expr="`+test.data+`"/></datamodel>
				<state id="a">
					<onentry><send event="late" delay="1s"/></onentry>
					<invoke id="svc" type="svc"/>
					<transition event="e" target="b"/>
				</state>
				<state id="b"><transition event="late" target="c"/></state>
				<state id="c"/>`),
				scxml.WithClock(func() time.Time { return now }),
				scxml.WithInvoker("svc", scxml.InvokerFunc(func(ctx context.Context, inv *scxml.Invocation) (any, error) {
					_, err := inv.Receive(ctx)
					ended <- true
					return nil, err
				})))
			if err := s.Start(t.Context()); err != nil {
				t.Fatal(err)
			}
			advance(t, s, now)
			if data, err := s.Suspend(); err == nil {
				t.Fatalf("no error, but %s", data)
			}
			if s.Status() != scxml.Running {
				t.Fatalf("status %v", s.Status())
			}
			select {
			case <-ended:
				t.Error("the service was cancelled")
			default:
			}
			if err := s.Send(scxml.Event{Name: "e"}); err != nil {
				t.Fatal(err)
			}
			advance(t, s, now.Add(time.Second))
			wantConfiguration(t, s, "c")
			<-ended
		})
	}
}

// A snapshot says that a session was asked to stop until it has done so.
func TestSnapshotOfStop(t *testing.T) {
	s, err := scxml.New(parse(t, `<state id="s"/>`))
	if err == nil {
		err = s.Start(t.Context())
	}
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []bool{false, true, false} {
		if data := snapshot(t, s); bytes.Contains(data, []byte(`"stop":true`)) != want {
			t.Errorf("%d: %s", i, data)
		}
		if s.Stop(); i > 0 {
			if _, err := s.Step(t.Context(), time.Now()); !errors.Is(err, scxml.ErrStopped) {
				t.Fatal(err)
			}
		}
	}
}
