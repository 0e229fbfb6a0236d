package scxml

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"time"

	"github.com/scxmlrun/scxmlrun/datamodel"
	"github.com/scxmlrun/scxmlrun/scxml/internal/table"
)

// An Event is what charts react to; see [datamodel.Event].
type Event = datamodel.Event

// A Status says where a session is in its life.
type Status uint8

const (
	Unstarted Status = iota // New, but not Start
	Running
	Final   // it has reached a top-level final state
	Stopped // it was stopped, cancelled, or went beyond a limit
)

var statusNames = [...]string{"unstarted", "running", "final", "stopped"}

// String returns the status in lower case.
func (s Status) String() string {
	if int(s) >= len(statusNames) {
		return fmt.Sprintf("Status(%d)", uint8(s))
	}
	return statusNames[s]
}

// A Session is one run of a [Chart].
//
// One goroutine at a time owns a session: the one that is inside Start, Step,
// Advance or Run, or in a function that these call back. Send, Stop and Call
// may be called from any goroutine at any time; everything else is the
// owner's.
type Session struct {
	chart *Chart
	tree  *tree
	id    string
	addr  string // see address

	parent   *Session // of an invoked session
	invokeID string
	depth    int32
	place    int32 // in tree.sessions

	final     table.State // the top-level final state, once it is entered
	status    Status
	cancelled bool  // by its parent
	unstable  bool  // a macrostep was broken off
	ended     bool  // guarded by tree.mu
	err       error // why it was stopped
	done      datamodel.Value

	// The state of the session: everything that its future depends on.
	config   table.Set
	history  [][]table.State // by state.history
	bound    table.Set       // late binding: states whose data is initialised
	toInvoke table.Set       // states entered in this macrostep that invoke something
	internal queue
	external queue // guarded by tree.mu
	fence    int32 // how many events of external are older than the next timer may be
	arrived  int32 // how many of the last events of external have to wait for settle; guarded by tree.mu
	ids      uint64
	delayed  map[string][]*timer // pending delayed sends by sendid
	store    datamodel.Store     // nil until it is needed
	preset   []presetData
	running  []*invocation // in the order of their start

	locations []string // of the session, by tree.processors

	matcher table.Matcher
	ctx     context.Context // of the present turn, nil between turns
	steps   int             // microsteps of this macrostep
	logged  int             // bytes that were logged in this macrostep
	limit   *LimitError     // a limit that was exceeded inside a microstep
	event   *Event          // the event being processed, or the last one; nil before the first

	observers *observers // nil if nobody observes, with a Trace neither

	// The active atomic states in document order; it is made of config, see
	// findAtoms, and has changed with it once the states of a microstep have been exited.
	atoms   []table.State
	enabled []transID // the optimal transition set
	*scratch
}

// scratch is the space that the algorithm works in, and uses again and again.
// A session whose microsteps are small never needs one, see needScratch.
type scratch struct {
	filtered           []transID
	domains, targets   []table.State
	exiting, nextAtoms []table.State
	entering           []entry // the entry set
	entrySet           table.Set
	defaultEntry       table.Set
	entered, most      int32 // how many states are in entrySet, and may be while the chart is compiled
	lowest, highest    table.State
	dynamic            bool // the entry set depends on what histories remember, or there was too much of it
	crowds             [][]transID
	cycle              []table.State // states entered by the last microsteps before the limit
	pairs              []Param
	defaultHistory     []defaultHistoryContent
	errors             int // error events of this macrostep
}

func (s *Session) needScratch() {
	if s.scratch == nil {
		s.scratch = new(scratch)
	}
}

// presetData is a converted [WithData].
type presetData struct {
	id    string
	value datamodel.Value
}

// New returns a session of chart that has not started. It fails when an
// option does not fit the chart.
func New(chart *Chart, opts ...Option) (*Session, error) {
	cfg := newConfig(opts)
	if err := cfg.check(chart); err != nil {
		return nil, fmt.Errorf("scxml: New: %w", err)
	}
	root := new(rootSession)
	s, t := &root.Session, &root.tree
	t.init(chart, cfg)
	s.init(chart, t)
	s.id = cfg.id
	t.sessions = root.sessions[:0]
	t.addSession(s)
	for _, d := range cfg.data {
		if !chart.declares(d.id) {
			return nil, fmt.Errorf("scxml: WithData: %s has no top-level <data id=%q>", chart.file, d.id)
		}
		v, err := datamodel.From(d.value)
		if err != nil {
			return nil, fmt.Errorf("scxml: WithData: data %q: %w", d.id, err)
		}
		s.preset = append(s.preset, presetData{d.id, v})
	}
	if cfg.data != nil {
		cfg.data = nil // the host's data need not be kept
	}
	return s, nil
}

// A rootSession is a session that the host makes, with its tree: one allocation.
type rootSession struct {
	Session
	tree
	sessions [1]*Session
}

func newSession(chart *Chart, t *tree) *Session {
	s := new(Session)
	s.init(chart, t)
	return s
}

// init makes s a session of chart.
func (s *Session) init(chart *Chart, t *tree) {
	s.chart, s.tree, s.final = chart, t, table.None
	if t != nil && t.trace != nil {
		s.observed()
	}
	s.config = table.NewSet(len(chart.states))
	if chart.hasInvokes {
		s.toInvoke = table.NewSet(len(chart.states))
	}
	if chart.late {
		s.bound = table.NewSet(len(chart.states))
	}
	if chart.histories > 0 {
		s.history = make([][]table.State, chart.histories)
	}
}

func (c *Chart) declares(id string) bool {
	for _, d := range c.states[0].data {
		if d.id == id {
			return true
		}
	}
	return false
}

// Chart returns the chart that the session runs.
func (s *Session) Chart() *Chart { return s.chart }

// ID returns the value of _sessionid.
func (s *Session) ID() string {
	if s.id == "" {
		s.id = strconv.FormatUint(s.tree.random().Uint64(), 36)
	}
	return s.id
}

// InvokeID returns the id of the invocation that the session is, "" for a
// session that the host made.
func (s *Session) InvokeID() string { return s.invokeID }

// Sessions returns the running sessions of the tree in the order of their
// creation; the first is the one that the host made.
func (s *Session) Sessions() []*Session { return slices.Clone(s.tree.sessions) }

// Now returns the present on the session's clock, as its driver last told it.
func (s *Session) Now() time.Time { return s.tree.now }

// Status returns where the session is in its life.
func (s *Session) Status() Status { return s.status }

// Err returns why a session was stopped: [ErrStopped], a [*LimitError], or
// the cause of a cancelled context. It is nil for any other.
func (s *Session) Err() error { return s.err }

// FinalState returns the name of the top-level final state that the session
// has reached, or "".
func (s *Session) FinalState() string {
	if s.final == table.None {
		return ""
	}
	return s.chart.states[s.final].name
}

// DoneData returns the value of the <donedata> of the top-level final state;
// undefined (nil) without one. [datamodel.Decode] puts it into Go variables.
func (s *Session) DoneData() datamodel.Value { return s.done }

// In reports whether the state of the given id or name is active.
func (s *Session) In(state string) bool {
	st, ok := s.chart.byName[state]
	return ok && s.config.Has(st)
}

// Configuration returns the names of the active states in document order.
func (s *Session) Configuration() []string {
	var names []string
	for st := s.config.Next(0); st != table.None; st = s.config.Next(st + 1) {
		names = append(names, s.chart.states[st].name)
	}
	return names
}

// Enabled returns the event descriptors of the transitions of the active
// states, in document order and without duplicates: what the session can react
// to now, conditions aside.
func (s *Session) Enabled() []string {
	var all []string
	seen := make(map[string]bool)
	for st := s.config.Next(0); st != table.None; st = s.config.Next(st + 1) {
		for _, id := range s.chart.states[st].evented {
			for _, e := range s.chart.transitions[id].events {
				if !seen[e] {
					seen[e] = true
					all = append(all, e)
				}
			}
		}
	}
	return all
}

// Eval evaluates a value expression in the session's data model and returns a
// copy of the result; in the null data model, which has no values, a condition
// such as In(id). The error is a [*datamodel.EvalError]. Like a script of
// the chart, the expression can change data; those of a session that has not
// started yet are made anew at the start. It is broken off when ctx is done,
// and by the limit for scripts. Only the owner may call it.
func (s *Session) Eval(ctx context.Context, expr string) (datamodel.Value, error) {
	e, err := s.chart.language.Compile(datamodel.ValueExpr, datamodel.Source{Text: expr})
	isCondition := false
	if err != nil {
		var condErr error
		if e, condErr = s.chart.language.Compile(datamodel.Condition, datamodel.Source{Text: expr}); condErr != nil {
			return nil, err
		}
		isCondition = true
	}
	if s.store == nil {
		if err := s.openStore(); err != nil {
			return nil, err
		}
		if s.event != nil {
			s.eventTaken()
		}
	}
	if s.ctx == nil {
		s.enterTurn(ctx)
		defer s.leaveTurn()
	}
	if isCondition {
		return s.data().Condition(e)
	}
	return s.data().Value(e)
}

// Start initialises the data, enters the initial states and completes the
// first macrostep. What goes wrong inside the chart is not an error here but
// an error event there. Start fails if the session has started before, when
// ctx is done (Step then goes on where it stopped), with a [*LimitError], and if
// the data model cannot have a function under the name that [WithFunc] gives it.
func (s *Session) Start(ctx context.Context) error {
	t := s.tree
	if err := t.enter(); err != nil {
		return err
	}
	defer t.leave()
	return s.begin(ctx)
}

// begin is Start for the owner.
func (s *Session) begin(ctx context.Context) error {
	t := s.tree
	if s.parent != nil {
		return errors.New("scxml: Start: an invoked session starts by itself")
	}
	if s.status != Unstarted {
		return errors.New("scxml: Start: the session has started before")
	}
	t.now = t.clock()
	t.tellClock()
	t.settle()
	if err := s.open(); err != nil {
		return fmt.Errorf("scxml: Start: %w", err)
	}
	s.enterTurn(ctx)
	defer s.leaveTurn()
	s.initialise()
	if ctx.Err() != nil {
		s.unstable = true
		return context.Cause(ctx)
	}
	if err := s.completeMacrostep(ctx); err != nil {
		return err
	}
	t.turn = 1 // this was the root's: what it has invoked comes next
	return nil
}

// open gives the session what it needs to run.
func (s *Session) open() error {
	s.openProcessors()
	s.store = nil // an Eval before this has made one
	if s.chart.usesData {
		if err := s.openStore(); err != nil {
			s.closeProcessors()
			return err
		}
	}
	if h := s.tree.directory; h != nil {
		h.add(s)
	}
	s.status = Running
	return nil
}

// newID returns an id that is unique within the session.
func (s *Session) newID(prefix string) string {
	s.ids++
	return prefix + "." + strconv.FormatUint(s.ids, 10)
}
