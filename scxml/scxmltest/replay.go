package scxmltest

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"strings"
	"testing/fstest"
	"time"

	"github.com/scxmlrun/scxmlrun/datamodel"
	"github.com/scxmlrun/scxmlrun/scxml"
	"github.com/scxmlrun/scxmlrun/scxml/explore"
	"github.com/scxmlrun/scxmlrun/scxml/internal/doc"
	"github.com/scxmlrun/scxmlrun/scxml/internal/table"
)

// Replay runs the document name in fsys on a virtual clock and returns its trace. Each line of
// events is one of
//
//	NAME [JSON]       send an external event, and do all resulting work; "stop" in quotes is an
//	                  event of that name
//	advance DURATION  advance the time, for example by 1.5s (see [time.ParseDuration])
//	stop              stop the session
//
// A scenario with a file outside has two more:
//
//	report TASK [OUTCOME]  report the outcome of a task, see [scxml.ServerView.Report]: done [JSON],
//	                       failed TEXT, refused TEXT, event NUMBER NAME [JSON], or nothing for a
//	                       message that was delivered
//	restore                save the session, and continue with a restored one
//
// A name that is nearly that of a command, such as "stpo", is an error unless it is in quotes or a
// transition of a running session takes it.
//
// Blank lines and lines that begin with # are skipped. After a stop the other lines are ignored. The
// error says why the chart cannot run at all; errors in the chart are part of the trace. The session
// has the id "session" and the seed 1; opts are for anything else it needs, such as functions.
func Replay(fsys fstest.MapFS, name, events string, opts ...scxml.Option) (string, error) {
	chart, err := scxml.Load(fsys, name)
	if err != nil {
		return "", err
	}
	s := Scenario{Events: events, Trace: []byte{}}
	got, err := s.Run(context.Background(), chart, append(opts, WithCover())...)
	if err != nil {
		return "", err
	}
	return got.Trace, nil
}

// A Result is what a scenario has led to.
type Result struct {
	Trace    string
	Failures []string       // what is not as expected; empty if the scenario passes
	Session  *scxml.Session // as it is at the end
}

// traceDiffers begins the failure of a scenario whose trace is not as expected.
const traceDiffers = "the trace differs"

// Run runs a scenario with a session of chart, as [Replay] does. The error says why it cannot run at
// all, or is that of ctx.
func (s *Scenario) Run(ctx context.Context, chart *scxml.Chart, opts ...scxml.Option) (*Result, error) {
	return s.Steps(ctx, chart, func(string, *scxml.Session) {}, opts...)
}

// Steps is Run, and calls step with the session after its start and after each line of the events. The
// line is "" at the start. After an error of the session there are no more steps.
func (s *Scenario) Steps(ctx context.Context, chart *scxml.Chart, step func(line string, s *scxml.Session), opts ...scxml.Option) (*Result, error) {
	run := &replay{chart: chart}
	var err error
	if run.checks, err = s.checks(chart); err != nil {
		return nil, err
	}
	run.options = opts
	if s.Outside != "" {
		if err := run.parseOutside(s.Outside); err != nil {
			return nil, err
		}
		run.options = append(slices.Clip(opts), run.outside.options())
	}
	if err := run.start(ctx, s.Snapshot); err != nil {
		return nil, err
	}
	if err = run.rest(ctx, run.err, "at the start"); err == nil {
		step("", run.session)
	}
	for i, line := range strings.Split(s.Events, "\n") {
		line = strings.TrimSpace(line)
		if line == "" || strings.HasPrefix(line, "#") || err != nil {
			continue
		}
		wait, bad := run.input(line)
		if bad != nil {
			return nil, fmt.Errorf("events line %d: %w", i+1, bad)
		}
		if err = run.advance(ctx, wait, "after "+line); err == nil {
			step(line, run.session)
		}
	}
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	if run.broken != nil {
		return nil, run.broken
	}
	if err != nil {
		fmt.Fprintf(&run.out, "%v\n", err)
	}
	result := &Result{Trace: run.out.String(), Session: run.session}
	if want := string(s.Trace); want != result.Trace && (s.Trace != nil || s.Check == "") {
		result.Failures = append(result.Failures, traceDiffers+" (- want, + got)\n"+diff(want, result.Trace))
	}
	for _, c := range run.checks {
		if c.end != nil && c.failure == "" {
			if c.failure, err = c.end(ctx, run.session, err); err != nil {
				return nil, fmt.Errorf("check %q: %w", c.line, err)
			}
		}
		if c.failure != "" {
			result.Failures = append(result.Failures, c.line+": "+c.failure)
		}
	}
	return result, nil
}

// A replay is a run of a scenario.
type replay struct {
	chart   *scxml.Chart
	session *scxml.Session
	clock   Clock
	out     bytes.Buffer
	checks  []*check
	options []scxml.Option
	outside *outside // or nil
	err     error    // of the start
	broken  error    // of a check that cannot be evaluated
}

// start makes the session. The error says why it cannot; that of its start is in run.err.
func (run *replay) start(ctx context.Context, snapshot []byte) (err error) {
	if snapshot != nil {
		if err = run.restore(snapshot); err == nil {
			run.clock.since = max(0, run.session.Now().Sub(Epoch))
		}
		return err
	}
	all := append(run.traced(), scxml.WithSeed(1), scxml.WithSessionID("session"), scxml.WithMissing())
	if run.session, err = scxml.New(run.chart, append(all, run.options...)); err == nil {
		run.err = run.session.Start(ctx)
	}
	return err
}

// restore makes the session that of a snapshot.
func (run *replay) restore(snapshot []byte) error {
	same := scxml.WithMigration(func(snapshot []byte, _ *scxml.Chart) ([]byte, error) { return snapshot, nil })
	s, err := scxml.Restore(run.chart, snapshot, append(run.traced(), run.options...), same)
	if err == nil {
		run.session = s
	}
	return err
}

// traced returns the options with which a session is traced.
func (run *replay) traced() scxml.Options {
	all := scxml.Options{scxml.WithClock(run.clock.Now), scxml.WithTrace(NewTrace(&run.out)), scxml.WithTrace(run.trace())}
	for _, c := range run.checks {
		if c.trace != nil {
			all = append(all, scxml.WithTrace(c.trace))
		}
	}
	return all
}

// input gives the session what a line says, and returns how long to wait. The error says that the
// line is wrong.
func (run *replay) input(line string) (wait time.Duration, err error) {
	word, rest, _ := strings.Cut(line, " ")
	rest = strings.TrimSpace(rest)
	name, quoted := unquote(word)
	switch {
	case quoted:
		word = name
	case word == "advance":
		if wait, err = time.ParseDuration(rest); err == nil && wait < 0 {
			err = fmt.Errorf("cannot advance by a negative time: %v", wait)
		}
		return wait, err
	case word == "stop" && rest != "":
		return 0, fmt.Errorf(`nothing may follow stop; write "stop" in quotes for an event of this name`)
	case word == "stop":
		run.session.Stop()
		return 0, nil
	}
	if run.outside != nil && !quoted {
		if ok, err := run.outside.input(word, rest); ok {
			return 0, err
		}
	}
	if near := run.meant(word); near != "" && !quoted {
		return 0, fmt.Errorf("%q is not a command (did you mean %q?), and no transition takes an event of this name: to send it, write it in quotes", word, near)
	}
	ev := scxml.Event{Name: word}
	if rest != "" {
		if ev.Data, err = datamodel.ParseStrictJSON([]byte(rest)); err != nil {
			return 0, err
		}
	}
	if err := run.session.Send(ev); err != nil {
		fmt.Fprintf(&run.out, "%v\n", err)
	}
	return 0, nil
}

// meant returns the command that a word was probably meant to be; "" if a session takes an event of
// this name.
func (run *replay) meant(word string) string {
	commands := []string{"advance", "stop"}
	if run.outside != nil {
		commands = append(commands, "report", "restore")
	}
	near := doc.Near(word, slices.Values(commands))
	if near == "" {
		return ""
	}
	for _, s := range run.session.Sessions() {
		for _, t := range s.Chart().Transitions() {
			if slices.ContainsFunc(t.Events(), func(d string) bool { return table.Matches(d, word) }) {
				return ""
			}
		}
	}
	return near
}

// unquote returns the name of an event in quotes.
func unquote(word string) (name string, ok bool) {
	v, err := datamodel.ParseJSON([]byte(word))
	name, ok = v.(string)
	return name, ok && err == nil
}

// advance advances the time by d, with a rest whenever something was due.
func (run *replay) advance(ctx context.Context, d time.Duration, after string) error {
	end := run.clock.since + d
	err := run.rest(ctx, nil, after)
	for err == nil && run.clock.since < end {
		run.clock.since = end
		if due, ok := run.session.NextDue(); ok && due.Before(run.clock.Now()) {
			run.clock.since = due.Sub(Epoch)
		}
		err = run.rest(ctx, nil, after)
	}
	return err
}

// maxMacrosteps is how many macrosteps may follow from one line at one time.
const maxMacrosteps = 100_000

// rest does all the work of the present time, and checks the state that the session rests in. err is
// the error so far.
func (run *replay) rest(ctx context.Context, err error, after string) error {
	for steps, more := 0, true; more && err == nil; steps++ {
		if steps == maxMacrosteps {
			return explore.ErrEndless
		}
		more, err = run.session.Step(ctx, run.clock.Now())
	}
	if err == nil {
		err = run.session.Advance(ctx, run.clock.Now()) // waits for services
	}
	if err != nil {
		return err
	}
	if run.outside != nil {
		run.outside.handedOut()
	}
	for _, c := range run.checks {
		if c.rest == nil || c.failure != "" {
			continue
		}
		why, err := c.rest(ctx, run.session)
		if err != nil {
			run.broken = fmt.Errorf("check %q: %w", c.line, err)
			return run.broken
		}
		if why != "" {
			c.failure = why + " in " + in(run.session) + ", " + after
		}
	}
	return nil
}

// trace returns a trace that tells the checks of errors.
func (run *replay) trace() *scxml.Trace {
	return &scxml.Trace{Error: func(_ *scxml.Session, err *scxml.ExecutionError) {
		for _, c := range run.checks {
			if c.onError != nil && c.failure == "" {
				c.failure = c.onError(err)
			}
		}
	}}
}
