// Package compiletest compares what a compiled chart does with what the interpreter does in a test.
//
// A [Recording] watches the session of a test. From it comes the code of a program that runs the compiled chart
// with the same events at the same times, and tells what the chart does. The program is built in a module that
// requires this one; who builds and runs it is the caller's business.
//
// Compared are the states that are left and entered, the transitions, messages when they are sent or due, logs, errors
// without their texts and, whenever the chart rests, the configuration, the data, and when the next delayed event
// is due. Of invoked charts, messages, logs and errors are compared.
package compiletest

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"
	"testing/fstest"
	"time"

	"github.com/scxmlrun/scxmlrun/datamodel"
	"github.com/scxmlrun/scxmlrun/scxml"
	"github.com/scxmlrun/scxmlrun/scxml/compile"
	"github.com/scxmlrun/scxmlrun/scxml/compile/internal/twin"
	"github.com/scxmlrun/scxmlrun/scxml/internal/doc"
)

// These bound a recording: the macrosteps that follow from one event at one time, lines, and their bytes.
const (
	maxSteps = 10_000
	maxLines = 40_000
	maxBytes = 64 << 20
)

// A Recording is what a session on a virtual clock does in a test. Its zero value is empty. It belongs to the
// goroutine that drives the session.
type Recording struct {
	root  *scxml.Session
	err   error
	t     twin.Transcript
	job   twin.Job
	now   time.Time
	bytes int

	states      map[string]int // by name
	transitions map[datamodel.Position]int

	rest    []line // what the session rests with
	settled int    // lines before the last step ended
	steps   int    // since the last stimulus

	sent    bool // the last stimulus is an event
	waiting bool // which was not taken yet
	current bool // it is what was taken last
	handled bool
}

type line struct {
	what   string
	values []any
}

// Trace returns the trace for [scxml.WithTrace]. It is for the session of one test, from its start on.
func (r *Recording) Trace() *scxml.Trace {
	sent := func(s *scxml.Session, m scxml.Message) {
		r.add(s, "sent", m.Event.Name, m.Event.Data, m.Target, m.Delay.String(), m.Event.SendID)
	}
	own := func(f func()) func(*scxml.Session) {
		return func(s *scxml.Session) {
			if s.InvokeID() == "" && r.watch(s) {
				f()
			}
		}
	}
	return &scxml.Trace{
		Clock: func(s *scxml.Session, now time.Time) {
			if r.watch(s); r.root == s && now.After(r.now) {
				r.stimulus(twin.Stimulus{Wait: now.Sub(r.now)})
				r.now = now
			}
		},
		Arrive: func(s *scxml.Session, ev *scxml.Event) {
			if s.InvokeID() != "" || ev.Type != datamodel.External || ev.OriginType != "" {
				r.fail(fmt.Errorf("the event %q comes from a service or from another session, which a compiled chart does not have", ev.Name))
				return
			}
			st := twin.Stimulus{Event: ev.Name}
			if ev.Data != nil {
				st.Data = datamodel.AppendJSON(nil, ev.Data)
			}
			if r.watch(s) {
				r.stimulus(st)
			}
		},
		Event: func(s *scxml.Session, _ *scxml.Event) {
			own(func() { r.current, r.handled, r.waiting = r.waiting, r.handled || r.waiting, false })(s)
		},
		InternalEvent: func(s *scxml.Session, _ *scxml.Event) { own(func() { r.current = false })(s) },
		Unhandled: func(s *scxml.Session, ev *scxml.Event) {
			own(func() {
				r.add(s, "unhandled", ev.Name)
				r.handled = r.handled && !r.current
			})(s)
		},
		Enter: func(s *scxml.Session, st scxml.State) { own(func() { r.add(s, "entered", st.ID()) })(s) },
		Exit:  func(s *scxml.Session, st scxml.State) { own(func() { r.add(s, "exited", st.ID()) })(s) },
		Transition: func(s *scxml.Session, tr scxml.Transition) {
			own(func() { r.add(s, "took", r.transitions[tr.Pos()]) })(s)
		},
		Send: func(s *scxml.Session, m scxml.Message) {
			if m.Delay == 0 {
				sent(s, m)
			}
		},
		Timer: sent,
		Log:   func(s *scxml.Session, label string, v datamodel.Value) { r.add(s, "log", label, v) },
		Error: func(s *scxml.Session, e *scxml.ExecutionError) { r.add(s, "error", e.Event, e.Element, e.SendID) },
		Done: func(s *scxml.Session) {
			if s == r.root && s.Err() == scxml.ErrStopped {
				since := slices.Clone(r.t.Lines[r.settled:]) // what the stop has led to
				r.t.Lines = r.t.Lines[:r.settled]
				r.stimulus(twin.Stimulus{Stop: true})
				r.t.Lines = append(r.t.Lines, since...)
			}
		},
		Step: func(s *scxml.Session, _ error) { r.step() },
	}
}

func (r *Recording) fail(err error) {
	if r.err == nil {
		r.err = err
	}
}

// watch notes the root session, and reports whether to record.
func (r *Recording) watch(s *scxml.Session) bool {
	switch {
	case s.InvokeID() != "" || s == r.root:
	case r.root != nil:
		r.fail(errors.New("the session is restored, which a compiled chart cannot be"))
	default:
		r.root, r.now = s, s.Now()
		r.states, r.transitions = map[string]int{}, map[datamodel.Position]int{}
		for i, st := range s.Chart().States() {
			r.states[st.Name()] = i
		}
		document, _ := doc.Parse(s.Chart().File(), []byte(s.Chart().Source()), doc.Options{Loader: s.Chart().Loader()})
		for _, st := range document.States {
			for _, tr := range st.Transitions {
				r.transitions[tr.Pos] = tr.Index
			}
		}
		r.job = twin.Job{Session: s.ID(), Now: r.now, Items: s.Chart().AllData()}
	}
	return r.err == nil
}

// add adds a line.
func (r *Recording) add(s *scxml.Session, what string, values ...any) {
	if !r.watch(s) {
		return
	}
	r.t.Add(what, values...)
	r.bytes += len(r.t.Lines[len(r.t.Lines)-1])
	if len(r.t.Lines) > maxLines || r.bytes > maxBytes {
		r.fail(errors.New("it does too much to be compared"))
	}
}

// step notes what the session has when a step is over.
func (r *Recording) step() {
	if r.root == nil || r.err != nil {
		return
	}
	s := r.root
	r.settled = len(r.t.Lines)
	if r.steps++; r.steps > maxSteps {
		r.fail(errors.New("it does too much to be compared"))
	}
	r.rest = r.rest[:0]
	if s.Status() == scxml.Running {
		var active []datamodel.Value
		for _, name := range s.Configuration() {
			active = append(active, int64(r.states[name]))
		}
		r.rest = append(r.rest, line{"in", []any{active}})
		if due, ok := s.NextDue(); ok {
			r.rest = append(r.rest, line{"due", []any{due.Sub(r.job.Now).String()}})
		}
	} else {
		why := ""
		if limit := (*scxml.LimitError)(nil); errors.As(s.Err(), &limit) {
			why = limit.Limit
		}
		r.rest = append(r.rest, line{"ended", []any{why, s.DoneData()}})
	}
	if s.Chart().Datamodel() != "ecmascript" {
		return
	}
	for _, id := range r.job.Items {
		if v, err := s.Eval(context.Background(), id); err == nil {
			r.rest = append(r.rest, line{"data " + id, []any{v}})
		}
	}
}

// stimulus writes what the session rests with, and begins what follows from a stimulus.
func (r *Recording) stimulus(st twin.Stimulus) {
	r.flush()
	r.job.Stimuli = append(r.job.Stimuli, st)
	r.t.Lines = append(r.t.Lines, st.String())
	r.sent = st.Event != ""
	r.waiting, r.handled, r.current, r.steps = r.sent, false, false, 0
}

func (r *Recording) flush() {
	if r.sent {
		r.add(r.root, "handled", r.handled)
	}
	for _, l := range r.rest {
		r.add(r.root, l.what, l.values...)
	}
	r.settled = len(r.t.Lines)
}

// Compile compiles the chart of the test when that is over, and returns the code with the name of its type: charts
// that are equal have the same. Without a name there is nothing to run, because the test has made no session. The
// error says what of the test a compiled chart cannot do, or is that of [compile.Go].
func (r *Recording) Compile(dynamic bool) (name string, code []byte, err error) {
	if r.root == nil || r.err != nil {
		return "", nil, r.err
	}
	if r.flush(); r.err != nil {
		return "", nil, r.err
	}
	r.job.Typed = !dynamic
	chart := r.root.Chart()
	fsys := chart.Loader()
	if fsys == nil {
		fsys = fstest.MapFS{}
	}
	generate := func(typ string) ([]byte, error) {
		return compile.Source(fsys, path.Base(chart.File()), []byte(chart.Source()), compile.Options{Package: "main", Type: typ, Dynamic: dynamic})
	}
	if code, err = generate("Chart"); err == nil {
		r.job.Chart = fmt.Sprintf("C%x", sha256.Sum256(code))[:16]
		code, err = generate(r.job.Chart)
	}
	return r.job.Chart, code, err
}

// Program returns the other files of a program that runs charts: those with the given names.
func Program(names []string) map[string][]byte {
	return map[string][]byte{
		"driver.go": []byte(strings.Replace(twin.Source, "\npackage twin\n", "\npackage main\n", 1)),
		"main.go": []byte("package main\n\nimport (\n\t\"os\"\n\n\t\"github.com/scxmlrun/scxmlrun/scxml/machine\"\n)\n\nfunc main() {\n" + twin.Registration("", names) +
			"if err := Main(os.Stdin, os.Stdout); err != nil {\npanic(err)\n}\n}\n"),
	}
}

// Jobs returns what the program is given, a line each: one job with all hooks, and one that leaves machines their shortcuts.
func (r *Recording) Jobs() [2]any {
	quick := r.job
	quick.Shortcuts = true
	return [2]any{r.job, quick}
}

// Difference returns where the two transcripts of the compiled chart first differ from the recording, or "".
func (r *Recording) Difference(got [2][]string) string {
	if text := twin.Difference(r.t.Lines, got[0]); text != "" {
		return text
	}
	if text := twin.Difference(twin.Comparable(r.t.Lines, true), got[1]); text != "" {
		return "without hooks:\n" + text
	}
	return ""
}
