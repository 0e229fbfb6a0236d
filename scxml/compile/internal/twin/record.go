package twin

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"strings"

	"github.com/scxmlrun/scxmlrun/datamodel"
	"github.com/scxmlrun/scxmlrun/scxml"
	"github.com/scxmlrun/scxmlrun/scxml/internal/doc"
)

// These bound a record: its lines, their bytes, and the size and depth of a value.
const (
	maxLines = 40_000
	maxBytes = 64 << 20
	maxSize  = 1 << 20
	maxDepth = 100
)

// Restored is why a session that was restored cannot be compared.
const Restored = "the session is restored from a snapshot, which is not compared here"

// A Record is what a session of the interpreter does, line by line as a [Job] writes it, with the job that its
// compiled chart is given. Whoever drives the session adds the stimuli, and what the session has at rest.
type Record struct {
	Job
	Transcript
	Root *scxml.Session // nil before its first action
	Err  error          // why it cannot be compared

	// Found by [Compare].
	Difference string   // where the compiled chart first differs, or ""
	Refused    string   // why it refuses the data of an event, at which the comparison ends; or ""
	Saved      []string // the snapshots of a Job with Save: with all hooks, and with shortcuts

	code        []byte
	hooks       []hook
	bytes       int
	states      map[string]int // by name
	transitions map[datamodel.Position]int
}

// A Line is what [Transcript.Add] is given.
type Line struct {
	What   string
	Values []any
}

// Trace returns the trace for [scxml.WithTrace].
func (r *Record) Trace() *scxml.Trace {
	sent := func(s *scxml.Session, m scxml.Message) {
		if s.InvokeID() == "" {
			r.add(s, "hook", m.Event.Name)
		}
		r.add(s, "sent", m.Event.Name, m.Event.Data, m.Target, m.Delay.String(), m.Event.SendID)
	}
	own := func(s *scxml.Session, what string, value func() any) {
		if s.InvokeID() == "" && r.Watch(s) {
			r.add(s, what, value())
		}
	}
	return &scxml.Trace{
		Send: func(s *scxml.Session, m scxml.Message) {
			if m.Delay == 0 {
				sent(s, m)
			}
		},
		Timer: sent,
		Log:   func(s *scxml.Session, label string, v datamodel.Value) { r.add(s, "log", label, v) },
		Error: func(s *scxml.Session, e *scxml.ExecutionError) {
			if r.Watch(s) {
				r.AddError(e.Event, e.Element, e.SendID, e.Msg)
			}
		},
		Unhandled: func(s *scxml.Session, ev *scxml.Event) { own(s, "unhandled", func() any { return ev.Name }) },
		Enter:     func(s *scxml.Session, st scxml.State) { own(s, "entered", func() any { return st.ID() }) },
		Exit:      func(s *scxml.Session, st scxml.State) { own(s, "exited", func() any { return st.ID() }) },
		Transition: func(s *scxml.Session, tr scxml.Transition) {
			own(s, "took", func() any { return r.transitions[tr.Pos()] })
		},
	}
}

// Fail notes why the record cannot be compared.
func (r *Record) Fail(msg string) {
	if r.Err == nil {
		r.Err = errors.New(msg)
	}
}

// Watch notes the session that others are invoked by, and reports whether to record.
func (r *Record) Watch(s *scxml.Session) bool {
	switch {
	case s.InvokeID() != "" || s == r.Root:
	case r.Root != nil:
		r.Fail(Restored)
	default:
		chart := s.Chart()
		r.texts = r.Texts
		r.Root, r.Session, r.Now = s, s.ID(), s.Now()
		r.Items = append(r.Items, chart.AllData()...)
		r.states, r.transitions = map[string]int{}, map[datamodel.Position]int{}
		for i, st := range chart.States() {
			r.states[st.Name()] = i
		}
		for _, st := range document(chart).States {
			for _, tr := range st.Transitions {
				r.transitions[tr.Pos] = tr.Index
			}
		}
	}
	return r.Err == nil
}

// add adds a line.
func (r *Record) add(s *scxml.Session, what string, values ...any) {
	if !r.Watch(s) {
		return
	}
	for _, v := range values {
		if size, depth := datamodel.Size(v, maxSize, maxDepth); size >= maxSize || depth >= maxDepth {
			r.Fail("it has too much data to be compared")
			return
		}
	}
	r.Add(what, values...)
	r.bytes += len(r.Lines[len(r.Lines)-1])
	if len(r.Lines) > maxLines || r.bytes > maxBytes {
		r.Fail("it does too much to be compared")
	}
}

// Stimulus adds what the session is given.
func (r *Record) Stimulus(st Stimulus) {
	r.Stimuli = append(r.Stimuli, st)
	r.Lines = append(r.Lines, st.String())
}

// AddAll adds lines.
func (r *Record) AddAll(lines ...Line) {
	for _, l := range lines {
		r.add(r.Root, l.What, l.Values...)
	}
}

// Rest returns where the session is, and what it has.
func (r *Record) Rest() (lines []Line) {
	s := r.Root
	add := func(what string, values ...any) { lines = append(lines, Line{what, values}) }
	if s.Status() == scxml.Running {
		var active []datamodel.Value
		for _, name := range s.Configuration() {
			active = append(active, int64(r.states[name]))
		}
		add("in", active)
		if due, ok := s.NextDue(); ok {
			add("due", due.Sub(r.Now).String())
		}
	} else {
		why := ""
		if limit := (*scxml.LimitError)(nil); errors.As(s.Err(), &limit) {
			why = limit.Limit
		}
		add("ended", why, s.DoneData())
	}
	if s.Chart().Datamodel() == "ecmascript" {
		for _, id := range r.Items {
			if v, err := s.Eval(context.Background(), id); err == nil {
				add("data "+id, v)
			}
		}
	}
	return lines
}

// Compile has the chart compiled, as type typ of package main. The error is that of generate, or says what a compiled
// chart cannot do alike.
func (r *Record) Compile(chart *scxml.Chart, generate func(typ string) ([]byte, error)) error {
	// Equal charts are compiled once, by a name that says what they are.
	code, err := generate("Chart")
	if err == nil {
		r.Chart = fmt.Sprintf("C%x", sha256.Sum256(code))[:16]
		r.code, err = generate(r.Chart)
	}
	if err != nil {
		return err
	}
	r.hooks = findHooks(r.Chart, string(r.code))
	switch {
	case invokesLater(chart.Loader(), document(chart), 0):
		return errors.New("it invokes what exists at run time only, for which a compiled chart needs its host")
	case strings.Contains(chart.Source(), "Math.random"):
		return errors.New("it uses random numbers")
	}
	return nil
}

func document(chart *scxml.Chart) *doc.Document {
	d, _ := doc.Parse(chart.File(), []byte(chart.Source()), doc.Options{Loader: chart.Loader()})
	return d
}

// invokesLater reports whether a document, or one that it invokes, has an <invoke> of a computed type or document.
func invokesLater(fsys fs.FS, d *doc.Document, depth int) bool {
	if d == nil || depth > 5 {
		return false
	}
	for _, s := range d.States {
		for _, inv := range s.Invokes {
			var child *doc.Document
			switch {
			case inv.TypeExpr != nil || inv.SrcExpr != nil || inv.Content != nil && inv.Content.Expr != nil:
				return true
			case inv.Content != nil && inv.Content.Scxml():
				child, _ = inv.Content.Parse(doc.Options{Loader: fsys})
			case inv.Src != "" && fsys != nil:
				name := path.Clean(strings.TrimPrefix(inv.Src, "file:"))
				if text, err := fs.ReadFile(fsys, name); err == nil {
					child, _ = doc.Parse(name, text, doc.Options{Loader: fsys})
				}
			}
			if invokesLater(fsys, child, depth+1) {
				return true
			}
		}
	}
	return false
}
