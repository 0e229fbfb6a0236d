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

	"github.com/scxmlrun/scxmlrun/datamodel"
	"github.com/scxmlrun/scxmlrun/scxml"
)

// handsOut is an outbox with everything.
var handsOut = scxml.WithOutbox(scxml.Outbox{
	Processors: []string{"urn:p"}, Services: []string{"*"}, Sessions: true,
	Location: func(session, typ string) string { return typ + "/" + session },
})

// taskLines writes tasks as a line each.
func taskLines(tasks []scxml.Task) []string {
	var lines []string
	for _, task := range tasks {
		m := task.Message
		line := fmt.Sprintf("%d %v %s", task.ID, task.Kind, task.Session)
		if m.Event.Name != "" {
			line += fmt.Sprintf(" %s %s", m.Event.Name, m.Target)
		}
		if service := task.Service; service.ID != "" {
			line += fmt.Sprintf(" (%s %s %s of %d after %d)", service.ID, service.Type, datamodel.Text(service.Params), task.Invoke, task.Seq)
		}
		lines = append(lines, line)
	}
	return lines
}

// A host works with the tasks of a session that it saves and restores after each step.
func TestOutbox(t *testing.T) {
	chart := parse(t, `<datamodel><data id="got" expr="[]"/></datamodel>
		<state id="a">
			<onentry><send event="late" type="urn:p" target="there" id="m1" delay="1s"><param name="x" expr="1"/></send></onentry>
			<invoke id="job" type="urn:job" autoforward="true"><param name="n" expr="7"/><finalize><script>got.push('final ' + _event.name)</script></finalize></invoke>
			<transition event="tell"><send event="order" target="#_job"/><send event="hi" target="#_scxml_k2" id="m2"/></transition>
			<transition event="leave" target="b"/>
			<transition event="*"><script>got.push(_event.name + ' ' + _event.type + ' ' + _event.invokeid + ' ' + _event.sendid)</script></transition>
		</state>
		<state id="b"><transition event="*"><script>got.push(_event.name)</script></transition></state>`)
	opts := scxml.Options{handsOut, scxml.WithClock(func() time.Time { return time.Unix(0, 0) })}
	s := newSession(t, chart, append(opts, scxml.WithSessionID("k"))...)
	if err := s.Start(t.Context()); err != nil {
		t.Fatal(err)
	}
	again := func() { s = restore(t, chart, snapshot(t, s, opts), opts) }
	do := func(after time.Duration, event string, want ...string) {
		t.Helper()
		again()
		effect, err := s.Do(t.Context(), s.Now().Add(after), scxml.Event{Name: event})
		if err != nil {
			t.Fatal(err)
		}
		if got := taskLines(effect.Out); !slices.Equal(got, want) {
			t.Errorf("after %q the effect has the tasks\n%s\nwant\n%s", event, strings.Join(got, "\n"), strings.Join(want, "\n"))
		}
		if s.Busy() {
			t.Error("a task makes the session busy")
		}
	}
	report := func(o scxml.Outcome, want bool) {
		t.Helper()
		again()
		if changed, err := scxml.ForServer(s).Report(o); changed != want || err != nil {
			t.Errorf("%+v: changed %v, error %v; want %v", o, changed, err, want)
		}
	}
	if got, want := taskLines(scxml.ForServer(s).Outbox()), []string{`1 invoke k (job urn:job {"n":7} of 0 after 0)`}; !slices.Equal(got, want) {
		t.Errorf("the outbox has %q, want %q", got, want)
	}
	do(0, "tell", `2 forward k tell  (job urn:job {} of 1 after 0)`, `3 forward k order #_job (job urn:job {} of 1 after 0)`, `4 send k hi #_scxml_k2`)
	do(time.Second, "", `5 send k late there`)

	step := scxml.Event{Name: "step", Data: 1}
	report(scxml.Outcome{Task: 1, Event: &step, Seq: 1}, true)
	report(scxml.Outcome{Task: 1, Event: &step, Seq: 1}, false)
	report(scxml.Outcome{Task: 3}, true)
	report(scxml.Outcome{Task: 3, Err: errors.New("late")}, false)
	report(scxml.Outcome{Task: 4, Err: errors.New("no such session")}, true)
	report(scxml.Outcome{Task: 5, Err: errors.New("no such target"), Refused: true}, true)
	report(scxml.Outcome{Task: 2, Err: errors.New("autoforward")}, true)
	report(scxml.Outcome{Task: 99}, false)
	for _, wrong := range []struct {
		outcome scxml.Outcome
		message string
	}{
		{scxml.Outcome{}, "scxml: Report: the Outcome names no Task"},
		{scxml.Outcome{Task: 1, Event: &step, Seq: 3}, `scxml: Report: service "job": its event 3 is reported after its event 1: want 2`},
		{scxml.Outcome{Task: 1, Event: &step}, `scxml: Report: service "job": its event 0 is reported after its event 1: want 2`},
		{scxml.Outcome{Task: 1, Event: &scxml.Event{Name: "a b"}, Seq: 2}, `scxml: Report: service "job": event name "a b" contains white space: want the name of one event`},
	} {
		if changed, err := scxml.ForServer(s).Report(wrong.outcome); changed || err == nil || err.Error() != wrong.message {
			t.Errorf("%+v: changed %v, error %v; want %s", wrong.outcome, changed, err, wrong.message)
		}
	}
	do(0, "", "6 forward k step  (job urn:job {} of 1 after 0)")
	report(scxml.Outcome{Task: 1, Data: 5}, true)
	report(scxml.Outcome{Task: 1, Data: 5}, false)
	report(scxml.Outcome{Task: 6}, false) // the service has ended
	do(0, "")
	do(0, "leave")
	v, err := s.Eval(t.Context(), "got.join('|')")
	if err != nil {
		t.Fatal(err)
	}
	if want := "error.communication platform undefined m2|error.execution platform undefined m1|final step|step external job undefined|final done.invoke.job|done.invoke.job platform job undefined"; v != want {
		t.Errorf("the chart saw\n%v\nwant\n%v", v, want)
	}
	if len(scxml.ForServer(s).Outbox()) != 0 {
		t.Errorf("the outbox has %q", taskLines(scxml.ForServer(s).Outbox()))
	}
}

// handingOut starts a session "k" whose tasks are handed out.
func handingOut(t *testing.T, inside string, opts ...scxml.Option) *scxml.Session {
	t.Helper()
	s, _ := start(t, inside, append(opts, handsOut, scxml.WithSessionID("k"))...)
	return s
}

func wantTasks(t *testing.T, s *scxml.Session, want ...string) {
	t.Helper()
	if got := taskLines(scxml.ForServer(s).Outbox()); !slices.Equal(got, want) {
		t.Errorf("the tasks are\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

func reports(t *testing.T, s *scxml.Session, o scxml.Outcome, want bool) {
	t.Helper()
	if changed, err := scxml.ForServer(s).Report(o); changed != want || err != nil {
		t.Errorf("%+v: changed %v, error %v; want %v", o, changed, err, want)
	}
}

// A service that has ended is not cancelled when its state is exited, and one that is cancelled cannot
// end any more. Events for it are dropped in both cases.
func TestTasksOfServicesThatEnd(t *testing.T) {
	s := handingOut(t, `<state id="a"><invoke id="one" type="x"/><invoke id="two" type="x"/>
		<transition event="tell"><send event="e" target="#_one"/><send event="e" target="#_two"/></transition>
		<transition event="go" target="b"/></state>
		<state id="b"><transition event="done.invoke error" target="c"/></state><state id="c"/>`)
	do(t, s, 0, "tell")
	wantTasks(t, s, "1 invoke k (one x {} of 0 after 0)", "2 invoke k (two x {} of 0 after 0)",
		"3 forward k e #_one (one x {} of 1 after 0)", "4 forward k e #_two (two x {} of 2 after 0)")
	reports(t, s, scxml.Outcome{Task: 1}, true)
	do(t, s, 0, "")
	do(t, s, 0, "go")
	wantTasks(t, s, "5 cancel k (two x {} of 2 after 0)")
	reports(t, s, scxml.Outcome{Task: 2, Data: "late"}, false)
	reports(t, s, scxml.Outcome{Task: 2, Event: &scxml.Event{Name: "late"}, Seq: 1}, false)
	reports(t, s, scxml.Outcome{Task: 4, Err: errors.New("late")}, false)
	reports(t, s, scxml.Outcome{Task: 5, Err: errors.New("nobody there")}, true)
	do(t, s, 0, "")
	wantConfiguration(t, s, "b")
	wantTasks(t, s)
}

// The tasks of an invoked session are those of the tree. What becomes of them after its end nobody
// hears.
func TestTasksOfInvokedSessions(t *testing.T) {
	s := handingOut(t, `<state id="a"><invoke id="kid"><content><scxml version="1.0"><state id="x">
			<onentry><send event="out" type="urn:p"/></onentry><invoke id="job" type="x"/>
		</state></scxml></content></invoke>
		<transition event="error" target="c"/><transition event="go" target="b"/></state>
		<state id="b"><transition event="error" target="c"/></state><state id="c"/>`)
	advance(t, s, s.Now())
	kid := s.Sessions()[1].ID()
	wantTasks(t, s, "1 send "+kid+" out ", "2 invoke "+kid+" (job x {} of 0 after 0)")
	do(t, s, 0, "go")
	wantTasks(t, s, "1 send "+kid+" out ", "3 cancel "+kid+" (job x {} of 2 after 0)")
	s = restore(t, s.Chart(), snapshot(t, s, handsOut), handsOut)
	reports(t, s, scxml.Outcome{Task: 1, Err: errors.New("lost")}, true)
	do(t, s, 0, "")
	wantConfiguration(t, s, "b")
}

// A session that has ended keeps its tasks, and one that is suspended has handed them on.
func TestTasksAfterTheEnd(t *testing.T) {
	s := handingOut(t, `<state id="a"><invoke id="job" type="x"/><transition event="go" target="b"><send event="out" type="urn:p"/></transition></state><final id="b"/>`)
	do(t, s, 0, "go")
	s = restore(t, s.Chart(), snapshot(t, s, handsOut), handsOut)
	wantTasks(t, s, "2 cancel k (job x {} of 1 after 0)", "3 send k out ")
	reports(t, s, scxml.Outcome{Task: 3, Err: errors.New("lost")}, true)
	wantTasks(t, s, "2 cancel k (job x {} of 1 after 0)")

	s = handingOut(t, `<state id="a"><invoke id="job" type="x"/></state>`)
	suspended, err := s.Suspend()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := scxml.ForServer(s).Report(scxml.Outcome{Task: 1}); !errors.Is(err, scxml.ErrEnded) {
		t.Errorf("a report after Suspend: %v", err)
	}
	s = restore(t, s.Chart(), suspended, handsOut)
	wantTasks(t, s, "1 invoke k (job x {} of 0 after 0)")
	if err := scxml.ForServer(s).Abandon(); err != nil {
		t.Fatal(err)
	}
	wantTasks(t, s, "1 invoke k (job x {} of 0 after 0)")
}

// A service that ran in process becomes a task, with the events that it has not received.
func TestServiceMovesToOutbox(t *testing.T) {
	waits := scxml.WithInvoker("x", scxml.InvokerFunc(func(ctx context.Context, _ *scxml.Invocation) (any, error) {
		<-ctx.Done()
		return nil, ctx.Err()
	}))
	s, _ := start(t, `<state id="a"><invoke id="job" type="x"/><transition event="tell"><send event="e" target="#_job"/></transition></state>`, waits, scxml.WithSessionID("k"))
	do(t, s, 0, "tell")
	saved, err := s.Suspend()
	if err != nil {
		t.Fatal(err)
	}
	s = restore(t, s.Chart(), saved, handsOut)
	wantTasks(t, s, "1 invoke k (job x {} of 0 after 0)", "2 forward k e  (job x {} of 1 after 0)")
	moved := snapshot(t, s, handsOut)
	for _, test := range []struct {
		opt  scxml.RestoreOption
		want string
	}{
		{waits, "the snapshot has tasks: WithOutbox is missing"},
		{scxml.Options{handsOut, waits}, `a service of type "x" was handed out: WithOutbox does not name the type`},
	} {
		if _, err := scxml.Restore(s.Chart(), moved, test.opt); err == nil || !strings.HasSuffix(err.Error(), test.want) {
			t.Errorf("got %v, want %s", err, test.want)
		}
	}
}

// More messages than the limit are error.communication. Services are not counted, and are always
// cancelled.
func TestOutboxLimit(t *testing.T) {
	s := handingOut(t, `<state id="a"><invoke id="job" type="x"/>
		<transition event="tell"><send event="e" id="1" type="urn:p"/><send event="e" id="2" target="#_job"/><send event="e" id="3" type="urn:p"/><send event="e" id="4" target="#_scxml_x"/><send event="e" id="5" target="#_job"/></transition>
		<transition event="go" target="b"/></state><state id="b"/>`, scxml.WithLimits(scxml.Limits{Outbox: 2}))
	var failed []string
	for _, e := range append(do(t, s, 0, "tell").Errors, do(t, s, 0, "").Errors...) {
		failed = append(failed, e.Event+" "+e.SendID+" "+e.Msg)
	}
	slices.Sort(failed)
	const full = "scxml: limit Outbox = 2 exceeded"
	if want := []string{"error.communication 3 " + full, "error.communication 4 " + full, "error.communication 5 " + full}; !slices.Equal(failed, want) {
		t.Errorf("failed %q, want %q", failed, want)
	}
	do(t, s, 0, "go")
	wantTasks(t, s, "2 send k e ", "4 cancel k (job x {} of 1 after 0)")
}

// What the host refuses while the step runs is error.communication in the same step, before the next
// external event, and not a task.
func TestOutboxCheck(t *testing.T) {
	var asked []string
	s, _ := start(t, `<datamodel><data id="got" expr="[]"/></datamodel><state id="a">
		<transition event="go"><send event="self"/><send event="e" id="1" target="#_scxml_gone"/><send event="e" id="2" target="#_scxml_there"/>
			<send event="e" id="3" type="urn:p" target="gone"/><send event="e" id="4" type="urn:p"/><raise event="raised"/></transition>
		<transition event="*"><script>got.push(_event.name + (_event.sendid || ""))</script></transition></state>`,
		scxml.WithSessionID("k"), scxml.WithOutbox(scxml.Outbox{
			Processors: []string{"urn:p"}, Sessions: true,
			Check: func(session string, m scxml.Message) error {
				asked = append(asked, session+" "+m.Type[:3]+" "+m.Target)
				if strings.HasSuffix(m.Target, "gone") {
					return errors.New("there is nobody")
				}
				return nil
			},
		}))
	effect := do(t, s, 0, "go")
	wantTasks(t, s, "1 send k e #_scxml_there", "2 send k e ")
	if want := []string{"k htt #_scxml_gone", "k htt #_scxml_there", "k urn gone", "k urn "}; !slices.Equal(asked, want) {
		t.Errorf("asked about %q, want %q", asked, want)
	}
	if len(effect.Errors) != 2 || effect.Errors[0].Error() != "chart.scxml:2:46: <send>: there is nobody" {
		t.Errorf("errors %q", effect.Errors)
	}
	v, err := s.Eval(t.Context(), "got.join(' ')")
	if want := "error.communication1 raised error.communication3 self"; v != want || err != nil {
		t.Errorf("the chart saw %v (%v), want %s", v, err, want)
	}
}

// Call in a callback of Report fails, because it would wait for itself.
func TestCallInReport(t *testing.T) {
	var got error
	s := handingOut(t, `<state id="a"><onentry><send event="e" type="urn:p"/></onentry></state>`, scxml.WithTrace(&scxml.Trace{
		Outcome: func(s *scxml.Session, _ *scxml.ExecutionError) { got = s.Call(t.Context(), func(*scxml.Session) {}) },
	}))
	reports(t, s, scxml.Outcome{Task: 1, Err: errors.New("lost")}, true)
	if !errors.Is(got, scxml.ErrDriven) {
		t.Errorf("got %v, want %v", got, scxml.ErrDriven)
	}
}

// A session reports inside Call, but not inside a macrostep.
func TestReportInside(t *testing.T) {
	var inside error
	s := handingOut(t, `<state id="a"><onentry><send event="e" type="urn:p"/></onentry></state>`)
	s.OnEvent("go", func(scxml.Event) { _, inside = scxml.ForServer(s).Report(scxml.Outcome{Task: 1}) })
	do(t, s, 0, "go")
	if inside == nil || inside.Error() != "scxml: Report: called during a macrostep; call it after Step returns, or inside Call" {
		t.Error(inside)
	}
	go s.Call(t.Context(), func(s *scxml.Session) { _, inside = scxml.ForServer(s).Report(scxml.Outcome{Task: 1}) })
	for len(scxml.ForServer(s).Outbox()) > 0 {
		do(t, s, 0, "")
		runtime.Gosched() // WebAssembly has one thread
	}
	if inside != nil {
		t.Error(inside)
	}
	none, _ := start(t, `<state id="a"/>`)
	if _, err := scxml.ForServer(none).Report(scxml.Outcome{Task: 1}); err == nil || err.Error() != "scxml: Report: the session has no outbox, see WithOutbox" {
		t.Error(err)
	}
}

// Restore refuses tasks that do not fit together.
func TestRestoreRefusesTasks(t *testing.T) {
	s := handingOut(t, `<state id="a"><invoke id="job" type="x"/><invoke id="gone" type="x"/>
		<transition event="tell"><send event="e" target="#_job"/><send event="out" type="urn:p"/></transition></state>`)
	do(t, s, 0, "tell")
	good := snapshot(t, s, handsOut)
	for _, test := range [][3]string{
		{`"last":4`, `"last":3`, "task 4 is impossible"},
		{`"id":4`, `"id":0`, "task 0 is impossible"},
		{`"id":4`, `"id":1`, "task 1 is impossible"},
		{`"id":4`, `"id":3`, "task 3 is impossible"},
		{`"kind":"send"`, `"kind":"invoke"`, "task 4 is impossible"},
		{`"kind":"send"`, `"kind":"sing"`, "task 4 is impossible"},
		{`"kind":"send"`, `"kind":"forward"`, "task 4 is impossible"},
		{`"kind":"forward"`, `"kind":"cancel"`, "task 3 is impossible"},
		{`"invoke":1,"service":{"id":"job"`, `"invoke":4,"service":{"id":"job"`, "task 3 is impossible"},
		{`"task":2`, `"task":1`, `service "gone" has the impossible task 1`},
		{`"task":2`, `"task":5`, `service "gone" has the impossible task 5`},
	} {
		if _, err := scxml.Restore(s.Chart(), edit(t, good, test[0], test[1]), handsOut); !errors.Is(err, scxml.ErrSnapshot) || !strings.HasSuffix(err.Error(), test[2]) {
			t.Errorf("%s: %v, want %s", test[1], err, test[2])
		}
	}
}

// A dry copy of a session with tasks hands out nothing, and what is reported to the session comes to the
// copy as what comes from outside.
func TestDryOutbox(t *testing.T) {
	s := handingOut(t, `<state id="a"><invoke id="job" type="x"/><transition event="tell"><send event="out" type="urn:p"/><send event="hi" target="#_scxml_x"/><send event="e" target="#_job"/></transition>
		<transition event="done.invoke.job" target="b"/></state><state id="b"/>`)
	do(t, s, 0, "tell")
	dry := restore(t, s.Chart(), snapshot(t, s, handsOut), handsOut, scxml.WithDry(scxml.Dry{}))
	do(t, dry, 0, "tell")
	if err := scxml.ForReplay(dry).Arrive(scxml.Event{Name: "done.invoke.job", Type: datamodel.Platform, InvokeID: "job"}); err != nil {
		t.Fatal(err)
	}
	do(t, dry, 0, "")
	wantConfiguration(t, dry, "b")
	wantTasks(t, dry)
	if _, err := scxml.ForServer(dry).Report(scxml.Outcome{Task: 1}); err == nil {
		t.Error("a dry session takes a report")
	}
}

// A restored session with tasks, whatever they are, can be reported to, driven and saved.
func FuzzRestoreTasks(f *testing.F) {
	chart, err := scxml.Parse("chart.scxml", []byte(document(`<state id="a"><invoke id="job" type="x" autoforward="true"/>
		<invoke id="kid"><content><scxml version="1.0"><state id="k"><onentry><send event="up" type="urn:p"/></onentry></state></scxml></content></invoke>
		<transition event="tell"><send event="e" target="#_job"/><send event="out" type="urn:p" delay="1s"/><send event="hi" target="#_scxml_x"/></transition></state>`)))
	if err != nil {
		f.Fatal(err)
	}
	s, err := scxml.New(chart, handsOut, scxml.WithSessionID("k"), scxml.WithSeed(1))
	if err == nil {
		err = s.Start(f.Context())
	}
	if err != nil {
		f.Fatal(err)
	}
	if _, err := s.Do(f.Context(), s.Now(), scxml.Event{Name: "tell"}); err != nil {
		f.Fatal(err)
	}
	good, err := s.Snapshot()
	if err != nil {
		f.Fatal(err)
	}
	f.Add(good)
	f.Fuzz(func(t *testing.T, data []byte) {
		always := scxml.WithMigration(func(b []byte, _ *scxml.Chart) ([]byte, error) { return b, nil })
		s, err := scxml.Restore(chart, data, always, handsOut, scxml.WithLimits(scxml.Limits{Microsteps: 100, Timers: 100}))
		if err != nil {
			return
		}
		tasks := scxml.ForServer(s).Outbox()
		for i, task := range slices.Backward(tasks) { // events for a service before its end
			if i > 0 && task.ID <= tasks[i-1].ID {
				t.Fatalf("task %d follows task %d", task.ID, tasks[i-1].ID)
			}
			if task.Kind == scxml.TaskInvoke {
				_, _ = scxml.ForServer(s).Report(scxml.Outcome{Task: task.ID, Event: &scxml.Event{Name: "e"}, Seq: task.Seq + 1}) // the queue may be full
			}
			changed, err := scxml.ForServer(s).Report(scxml.Outcome{Task: task.ID, Err: errors.New("lost"), Refused: task.ID%2 == 0})
			if again, _ := scxml.ForServer(s).Report(scxml.Outcome{Task: task.ID}); !changed || err != nil || again {
				t.Fatalf("task %d: changed %v, %v, and again %v", task.ID, changed, err, again)
			}
		}
		for range 10 {
			_, _ = s.Step(t.Context(), s.Now())
		}
		if _, err := s.Snapshot(); err != nil {
			t.Fatal(err)
		}
	})
}
