package scxml_test

import (
	"errors"
	"fmt"
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
		if changed, err := s.Report(o); changed != want || err != nil {
			t.Errorf("%+v: changed %v, error %v; want %v", o, changed, err, want)
		}
	}
	if got, want := taskLines(s.Outbox()), []string{`1 invoke k (job urn:job {"n":7} of 0 after 0)`}; !slices.Equal(got, want) {
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
		if changed, err := s.Report(wrong.outcome); changed || err == nil || err.Error() != wrong.message {
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
	if len(s.Outbox()) != 0 {
		t.Errorf("the outbox has %q", taskLines(s.Outbox()))
	}
}
