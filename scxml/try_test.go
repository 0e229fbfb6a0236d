package scxml_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/scxmlrun/scxmlrun/scxml"
)

// verdicts writes what Try says of each transition, by its target.
func verdicts(t testing.TB, s *scxml.Session, name string, data any) (scxml.Trial, string) {
	t.Helper()
	trial, err := s.Try(t.Context(), scxml.Event{Name: name, Data: data})
	if err != nil {
		t.Fatal(err)
	}
	var all []string
	for _, c := range trial.Candidates {
		all = append(all, c.Transition.Targets()[0].Name()+": "+c.Verdict.String())
	}
	return trial, strings.Join(all, "\n")
}

const nullTry = `<scxml xmlns="http://www.w3.org/2005/07/scxml" version="1.0" datamodel="null">
	<parallel id="p">
		<transition event="out" target="q"/>
		<transition event="both" target="q"/>
		<state id="a">
			<transition event="go" type="internal" cond="In(b2)" target="a1"/>
			<transition event="go" type="internal" cond="In(b1)" target="a2"/>
			<transition event="go" type="internal" target="a3"/>
			<state id="a1"><transition event="x" target="a2"/><transition event="both" target="a3"/></state>
			<state id="a2"/><state id="a3"/>
		</state>
		<state id="b">
			<state id="b1"><transition event="go.there" target="b2"/></state>
			<state id="b2"/>
		</state>
	</parallel>
	<state id="q"/>
</scxml>`

func TestTry(t *testing.T) {
	chart, err := scxml.Parse("try.scxml", []byte(nullTry))
	if err != nil {
		t.Fatal(err)
	}
	s := newSession(t, chart)
	if err := s.Start(t.Context()); err != nil {
		t.Fatal(err)
	}
	const none = "no match"
	for _, c := range []struct{ event, want string }{
		{"go", `q: ` + none + `
q: ` + none + `
a1: cond false
a2: taken
a3: not reached
a2: ` + none + `
a3: ` + none + `
b2: ` + none},
		{"go.there", `q: ` + none + `
q: ` + none + `
a1: cond false
a2: taken
a3: not reached
a2: ` + none + `
a3: ` + none + `
b2: taken`},
		// The one of a1 comes first and lies deeper: it preempts that of the parallel, which b1 takes.
		{"both", `q: ` + none + `
q: preempted
a1: ` + none + `
a2: ` + none + `
a3: ` + none + `
a2: ` + none + `
a3: taken
b2: ` + none},
	} {
		before := snapshot(t, s)
		trial, got := verdicts(t, s, c.event, nil)
		if got != c.want || !trial.Handled || !trial.Certain {
			t.Errorf("%s: handled %v, certain %v, got\n%s\nwant\n%s", c.event, trial.Handled, trial.Certain, got, c.want)
		}
		if after := snapshot(t, s); !slices.Equal(before, after) {
			t.Errorf("%s: Try has changed the session", c.event)
		}
	}
	if trial, _ := verdicts(t, s, "nothing", nil); trial.Handled || !trial.Certain {
		t.Error("an event that nothing takes is handled")
	}
	want := `try.scxml:6:4: a: go: cond false (In(b2))`
	if trial, _ := verdicts(t, s, "go", nil); !strings.Contains(trial.String(), want) {
		t.Errorf("got\n%s\nwant a line %s", trial, want)
	}
}

// TestTryForwards: what invoked sessions would do is listed and does not count.
func TestTryForwards(t *testing.T) {
	s, clock := start(t, `<state id="s"><invoke autoforward="true"><content><scxml version="1.0"><state id="c"><transition event="e" target="d"/></state><state id="d"/></scxml></content></invoke></state>`)
	if err := s.Advance(t.Context(), clock.Now()); err != nil {
		t.Fatal(err)
	}
	if trial, got := verdicts(t, s, "e", nil); trial.Handled || got != "d: taken" || trial.Candidates[0].Session == s {
		t.Errorf("handled %v: %s", trial.Handled, got)
	}
}

func TestTryRefuses(t *testing.T) {
	s := newSession(t, parse(t, `<state id="s"><transition event="end" target="f"/></state><final id="f"/>`))
	try := func() error {
		_, err := s.Try(t.Context(), scxml.Event{Name: "e"})
		return err
	}
	if err := try(); !errors.Is(err, scxml.ErrNotStarted) {
		t.Errorf("before Start: %v", err)
	}
	var inside, called error
	s.OnState("s", func(bool) { inside = try() })
	if err := s.Start(t.Context()); err != nil {
		t.Fatal(err)
	}
	done := make(chan error)
	go func() { done <- s.Call(t.Context(), func(*scxml.Session) { called = try() }) }()
	<-s.Wake()
	if _, err := s.Do(t.Context(), s.Now(), scxml.Event{Name: "end"}); err != nil {
		t.Fatal(err)
	}
	if err := <-done; err != nil {
		t.Fatal(err)
	}
	if !errors.Is(inside, scxml.ErrDriven) || called != nil {
		t.Errorf("in a callback: %v, in a call: %v", inside, called)
	}
	if err := try(); !errors.Is(err, scxml.ErrEnded) {
		t.Errorf("after the end: %v", err)
	}
	if _, err := s.Try(t.Context(), scxml.Event{}); err == nil {
		t.Error("an event without a name is tried")
	}
}
