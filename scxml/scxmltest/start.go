package scxmltest

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/scxmlrun/scxmlrun/datamodel"
	"github.com/scxmlrun/scxmlrun/scxml"
)

// A Session is a session on a virtual clock whose errors fail a test, see [Start]. Only the goroutine
// of the test may use it, except for the methods of [scxml.Session] that other goroutines may call.
type Session struct {
	*scxml.Session
	t     testing.TB
	now   time.Time
	wake  <-chan struct{}
	trace lastLines
}

// Start makes a session of chart and starts it. The time is [Epoch]; it advances only with Advance.
// The session has the id "session" and the seed 1 unless opts say otherwise. When the test ends, the
// session is abandoned. If the test has failed by then, the last lines of the trace are added to its
// log, each with the line of the document that it is about.
func Start(t testing.TB, chart *scxml.Chart, opts ...scxml.Option) *Session {
	t.Helper()
	needCover(t)
	s := &Session{t: t, now: Epoch}
	all := scxml.Options{
		scxml.WithSeed(1), scxml.WithSessionID("session"), scxml.WithTrace(s.trace.places()), scxml.WithTrace(NewTrace(&s.trace)), WithCover(),
		scxml.Options(opts), scxml.WithClock(func() time.Time { return s.now }),
	}
	var err error
	if s.Session, err = scxml.New(chart, all); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		t.Helper()
		if t.Failed() {
			t.Log(s.trace.String())
		}
		_ = scxml.ForServer(s.Session).Abandon() // which fails if the test has panicked inside a callback
	})
	s.wake = s.Wake() // before anything can happen outside
	if err := s.Session.Start(t.Context()); err != nil {
		t.Fatal(err)
	}
	s.Advance(0)
	return s
}

// Do gives the session an event, with at most one value as its data, and returns all that follows
// from it now: unlike [scxml.Session.Do], it waits for services and deliveries, as
// [scxml.Session.Advance] does. The test fails at once with an error of these two, and if the
// session has ended.
func (s *Session) Do(name string, data ...any) scxml.Effect {
	s.t.Helper()
	ev := scxml.Event{Name: name}
	switch {
	case name == "":
		s.t.Fatal("Do: the event does not have a name")
	case len(data) > 1:
		s.t.Fatalf("Do(%q): got %d values: want at most one, for example a map or a struct", name, len(data))
	case len(data) == 1:
		ev.Data = data[0]
	}
	var all scxml.Effect
	if err := s.do(&all, ev); err != nil {
		s.t.Fatalf("Do(%q): %v", name, err)
	}
	return all
}

// Advance advances the time by d, and returns all that happens meanwhile, each delayed event at its
// own time. While a service works, time does not advance. The test fails at once if d is negative,
// and with an error of [scxml.Session.Advance].
func (s *Session) Advance(d time.Duration) scxml.Effect {
	s.t.Helper()
	if d < 0 {
		s.t.Fatalf("Advance(%v): cannot advance by a negative time", d)
	}
	var all scxml.Effect
	for end := s.now.Add(d); ; {
		if err := s.do(&all, scxml.Event{}); err != nil {
			s.t.Fatalf("Advance(%v): %v", d, err)
		}
		if !s.now.Before(end) || s.Status() != scxml.Running {
			s.now = end
			return all
		}
		s.now = end
		if due, ok := s.NextDue(); ok && due.Before(end) {
			s.now = due
		}
	}
}

// patience is how long a test waits for services and deliveries.
var patience = time.Minute

// do adds to all what follows from ev, and from work outside of the session, at the present time.
func (s *Session) do(all *scxml.Effect, ev scxml.Event) error {
	late := time.NewTimer(patience)
	defer late.Stop()
	for {
		e, err := s.Session.Do(s.t.Context(), s.now, ev)
		all.Taken, all.Handled = all.Taken || e.Taken, all.Handled || e.Handled
		all.Transitions = append(all.Transitions, e.Transitions...)
		all.Exited, all.Entered = append(all.Exited, e.Exited...), append(all.Entered, e.Entered...)
		all.Sent, all.Errors = append(all.Sent, e.Sent...), append(all.Errors, e.Errors...)
		if err != nil || s.Status() != scxml.Running {
			return err
		}
		ev = scxml.Event{}
		busy := s.Busy() // asked first: what ends later leaves a value in wake
		select {
		case <-s.wake:
			continue
		default:
			if !busy {
				return nil
			}
		}
		select {
		case <-s.wake:
		case <-late.C:
			ctx, cancel := context.WithTimeout(s.t.Context(), 100*time.Millisecond)
			defer cancel()
			return s.Session.Advance(ctx, s.now) // whose error says what takes so long
		}
	}
}

// maxLines is how many lines of the trace a failure shows.
const maxLines = 40

// lastLines are the last lines of a trace. NewTrace writes them one by one.
type lastLines struct {
	lines []traceLine
	count int
	about traceLine // the element that the next line is about
}

type traceLine struct {
	text  string
	chart *scxml.Chart // nil if the line is not about an element of the document
	pos   datamodel.Position
}

// places returns a trace that notes what the next line is about. It is called before that of
// NewTrace.
func (l *lastLines) places() *scxml.Trace {
	return &scxml.Trace{
		Enter:      func(s *scxml.Session, st scxml.State) { l.about = traceLine{chart: s.Chart(), pos: st.Pos()} },
		Transition: func(s *scxml.Session, t scxml.Transition) { l.about = traceLine{chart: s.Chart(), pos: t.Pos()} },
	}
}

// Write implements [io.Writer].
func (l *lastLines) Write(text []byte) (int, error) {
	if len(l.lines) == maxLines {
		l.lines = append(l.lines[:0], l.lines[1:]...)
	}
	l.about.text = strings.TrimSuffix(string(text), "\n")
	l.lines, l.about = append(l.lines, l.about), traceLine{}
	l.count++
	return len(text), nil
}

// String returns the lines, with those of the document.
func (l *lastLines) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "the last %d of %d lines of the trace:", len(l.lines), l.count)
	for _, line := range l.lines {
		text := line.text
		if line.chart != nil && line.pos.IsValid() {
			text = fmt.Sprintf("%-32s  %v: %s", text, line.pos, sourceLine(line.chart.Source(), line.pos.Line))
		}
		b.WriteString("\n  " + text)
	}
	return b.String()
}

// sourceLine returns a line of a document without the white space around it.
func sourceLine(source string, number int) string {
	for line := range strings.Lines(source) {
		if number--; number == 0 {
			return strings.TrimSpace(line)
		}
	}
	return ""
}
