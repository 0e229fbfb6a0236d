package reference

import (
	"context"
	"errors"
	"io/fs"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/scxmlrun/scxmlrun/datamodel"
	"github.com/scxmlrun/scxmlrun/scxml/internal/doc"
)

const scxmlProcessor = "http://www.w3.org/TR/scxml/#SCXMLEventProcessor"

// A Chart is a parsed document with everything needed to evaluate its expressions.
type Chart struct {
	Doc       *doc.Document
	languages []datamodel.Language
	loader    fs.FS

	language datamodel.Language
	compiled map[compiledKey]datamodel.Expr
	children map[*doc.Content]*Chart
}

type compiledKey struct {
	kind datamodel.Kind
	src  *datamodel.Source
}

// NewChart returns a chart for a document without errors. The document's data model must be among
// the languages. loader, which may be nil, has the files that are invoked.
func NewChart(d *doc.Document, loader fs.FS, languages ...datamodel.Language) *Chart {
	c := &Chart{
		Doc: d, languages: languages, loader: loader,
		compiled: map[compiledKey]datamodel.Expr{}, children: map[*doc.Content]*Chart{},
	}
	for _, l := range languages {
		if l.Name() == d.Datamodel {
			c.language = l
		}
	}
	return c
}

// compile compiles src once; the result keeps an error.
func (c *Chart) compile(kind datamodel.Kind, src *datamodel.Source) datamodel.Expr {
	key := compiledKey{kind, src}
	e, ok := c.compiled[key]
	if !ok {
		e, _ = c.language.Compile(kind, *src)
		c.compiled[key] = e
	}
	return e
}

func (c *Chart) child(d *doc.Document, problems []doc.Diagnostic) (*Chart, error) {
	for _, p := range problems {
		if p.Severity == doc.Error {
			return nil, errors.New(p.Message)
		}
	}
	return NewChart(d, c.loader, c.languages...), nil
}

// A World is a tree of sessions that share the time.
type World struct {
	// Tell receives what happens, with its words.
	Tell func(s *Session, what string, words ...string)
	// Value writes a value for Tell.
	Value  func(v datamodel.Value) string
	Limits Limits
	// TooLarge reports that something has exceeded Limits.DataSize.
	TooLarge bool

	Now      time.Time
	Sessions []*Session // running ones, in the order of their creation
	Timers   []*Timer   // in the order of sending
	created  int
	last     int // number of the session that had the last turn
}

// Limits are the limits of the engine that concern the algorithm.
type Limits struct {
	Microsteps   int // in a macrostep; beyond it the session is stopped
	Timers       int
	InvokeDepth  int
	Sessions     int
	ForeachItems int
	DataSize     int // of the data of an event and of the arguments of an invocation
}

// A Timer is a delayed event.
type Timer struct {
	Due  time.Time
	From *Session
	message
}

// A message is the result of a <send>.
type message struct {
	Event  datamodel.Event
	target string
}

// A Session is a run of a chart.
type Session struct {
	Number int // 0 for the root, the others in the order of their creation
	Parent *Session
	chart  *Chart
	world  *World

	// The global variables of Appendix D.
	Configuration  []*doc.State
	statesToInvoke []*doc.State
	InternalQueue  []datamodel.Event
	ExternalQueue  []datamodel.Event
	HistoryValue   map[*doc.State][]*doc.State
	running        bool

	store       datamodel.Store
	given       map[string]datamodel.Value // by namelist and params of <invoke>
	begun       []*doc.State               // the states that the session begins in, see StartIn
	entered     []*doc.State               // late binding: the states entered before
	ids         int                        // number of generated ids
	steps       int                        // microsteps since the session was stable
	started     bool
	Ended       bool
	Final       *doc.State // the top-level final state, once reached
	doneData    datamodel.Value
	invokeID    string
	cancelled   bool
	invocations []*invocation
}

// An invocation is a running <invoke>.
type invocation struct {
	doc   *doc.Invoke
	id    string
	child *Session // nil for a service
}

// receive passes an event to the invoked session. A service ignores it.
func (inv *invocation) receive(ev datamodel.Event) bool {
	return inv.child == nil || inv.child.receive(ev)
}

// Start starts the root session of a world.
func (w *World) Start(c *Chart) *Session {
	return w.StartIn(c, nil)
}

// StartIn is Start for a session that begins in the named states, a legal configuration, as if it had
// entered them in the past. Without names it enters the initial ones.
func (w *World) StartIn(c *Chart, names []string) *Session {
	s := w.newSession(c)
	for _, state := range c.Doc.States[1:] {
		if slices.Contains(names, NameOf(state)) {
			s.begun = add(s.begun, state)
			for _, ancestor := range getProperAncestors(state, c.Doc.Root) {
				s.begun = add(s.begun, ancestor)
			}
		}
	}
	s.turn(s.interpret)
	return s
}

func (w *World) newSession(c *Chart) *Session {
	s := &Session{Number: w.created, chart: c, world: w, HistoryValue: map[*doc.State][]*doc.State{}}
	w.created++
	w.Sessions = append(w.Sessions, s)
	var err error
	if s.store, err = c.language.NewStore(host{s}); err != nil {
		panic(err)
	}
	return s
}

// turn encloses what a session does, for its store.
func (s *Session) turn(f func()) {
	s.started = true
	s.world.last = s.Number
	s.store.Begin(context.Background())
	defer s.store.End()
	f()
}

// Step does what is next at the time now. It delivers the due events in the order of their times.
// Then the next session with work takes one external event and completes its macrostep, or, if it
// is new, its first macrostep. It reports whether there is more.
func (w *World) Step(now time.Time) bool {
	root := w.Sessions[0]
	if root.Ended {
		return false
	}
	if now.After(w.Now) {
		w.Now = now
	}
	for {
		t := w.nextTimer()
		if t == nil || t.Due.After(w.Now) {
			break
		}
		w.Timers = remove(w.Timers, t)
		t.From.tellEvent("due", t.Event)
		t.From.deliver(t.message)
	}
	if s := w.next(); s != nil {
		if !s.started {
			s.turn(s.interpret)
		} else {
			s.turn(s.takeTurn)
		}
	}
	return !root.Ended && w.next() != nil
}

// next returns the session whose turn it is among those with work.
func (w *World) next() *Session {
	var next, first *Session
	for _, s := range w.Sessions {
		if s.started && len(s.InternalQueue) == 0 && len(s.ExternalQueue) == 0 {
			continue
		}
		if first == nil {
			first = s
		}
		if next == nil && s.Number > w.last {
			next = s
		}
	}
	if next != nil {
		return next
	}
	return first
}

func (w *World) nextTimer() *Timer {
	var first *Timer
	for _, t := range w.Timers {
		if first == nil || t.Due.Before(first.Due) {
			first = t
		}
	}
	return first
}

// NextDue returns when the next delayed event is due.
func (w *World) NextDue() (due time.Time, ok bool) {
	if t := w.nextTimer(); t != nil {
		return t.Due, true
	}
	return time.Time{}, false
}

// Send puts an event of the host into the external queue.
func (s *Session) Send(ev datamodel.Event) bool { return s.receive(ev) }

// Stop stops the session from outside: its onexit handlers run.
func (s *Session) Stop() { s.turn(s.exitInterpreter) }

func (s *Session) receive(ev datamodel.Event) bool {
	if s.Ended {
		return false
	}
	s.ExternalQueue = append(s.ExternalQueue, ev)
	return true
}

// end does the rest of the end of a session.
func (s *Session) end() {
	s.Ended = true
	s.InternalQueue, s.ExternalQueue = nil, nil
	s.world.Timers = slices.DeleteFunc(slices.Clone(s.world.Timers), func(t *Timer) bool { return t.From == s })
	final := ""
	if s.Final != nil {
		final = NameOf(s.Final)
	}
	s.tell("done", final, s.world.Value(s.doneData))
	if s.Parent == nil {
		return
	}
	s.world.Sessions = remove(s.world.Sessions, s)
	switch {
	case s.cancelled: // REC 6.4: no done event
	case s.Final != nil:
		s.Parent.receive(datamodel.Event{
			Name: "done.invoke." + s.invokeID, Type: datamodel.Platform, Data: s.doneData, InvokeID: s.invokeID,
		})
	default:
		s.Parent.invocations = slices.DeleteFunc(slices.Clone(s.Parent.invocations), func(i *invocation) bool { return i.child == s })
		s.Parent.error("invoke", "", errors.New("the invoked session was stopped"))
	}
}

func (s *Session) newID(prefix string) string {
	s.ids++
	return prefix + "." + strconv.Itoa(s.ids)
}

// ID returns the value of _sessionid.
func (s *Session) ID() string { return "reference" + strconv.Itoa(s.Number) }

// address writes a target so that the ids of sessions do not matter.
func (s *Session) address(target string) string {
	if n, ok := strings.CutPrefix(target, "#_scxml_reference"); ok {
		return "#_scxml_" + n
	}
	return target
}

func (s *Session) setEvent(ev datamodel.Event) { s.store.SetEvent(&ev) }

// Store returns the data of the session.
func (s *Session) Store() datamodel.Store { return s.store }

// Chart returns the chart of the session.
func (s *Session) Chart() *Chart { return s.chart }

func (s *Session) tell(what string, words ...string) { s.world.Tell(s, what, words...) }

func (s *Session) tellEvent(what string, ev datamodel.Event, words ...string) {
	words = append([]string{
		ev.Name, ev.Type.String(), s.world.Value(ev.Data), ev.SendID, s.address(ev.Origin), ev.OriginType, ev.InvokeID,
	}, words...)
	s.tell(what, words...)
}

// host is a Session as its store sees it.
type host struct{ s *Session }

func (h host) In(state string) bool {
	return slices.ContainsFunc(h.s.Configuration, func(s *doc.State) bool { return NameOf(s) == state })
}
func (h host) Name() string      { return h.s.chart.Doc.Name }
func (h host) SessionID() string { return h.s.ID() }
func (h host) IOProcessors() []datamodel.IOProcessor {
	return []datamodel.IOProcessor{{Type: scxmlProcessor, Location: "#_scxml_" + h.s.ID()}}
}
func (h host) Now() time.Time               { return h.s.world.Now }
func (h host) Random() float64              { return 0.5 }
func (h host) ScriptTime() time.Duration    { return 0 }
func (h host) MacrostepTime() time.Duration { return 0 }
func (h host) CallDepth() int               { return 2000 }
