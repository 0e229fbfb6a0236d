package scxml

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/scxmlrun/scxmlrun/datamodel"
	"github.com/scxmlrun/scxmlrun/scxml/internal/doc"
	"github.com/scxmlrun/scxmlrun/scxml/internal/table"
)

// An Event is what charts react to; see [datamodel.Event].
type Event = datamodel.Event

// A Status is a stage in the life of a session.
type Status uint8

const (
	Unstarted Status = iota // New was called, but not Start
	Running
	Final   // reached a top-level final state
	Stopped // stopped, cancelled, or beyond a limit
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
// One goroutine at a time owns a session: the one that is inside Start, Do, Step, Advance or Run, or
// inside a callback of theirs, on that goroutine. Send, Stop and Call may be called from any goroutine
// at any time, and so may what says so; everything else belongs to the owner.
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
	unstable  bool  // a macrostep was interrupted
	ended     bool  // guarded by tree.mu
	err       error // why it was stopped
	done      datamodel.Value

	// The state of the session: all that its future depends on.
	config   table.Set
	history  [][]table.State // by state.history
	bound    table.Set       // late binding: states whose data is initialised
	toInvoke table.Set       // states entered in this macrostep that invoke something
	internal queue
	external queue // guarded by tree.mu
	fence    int32 // how many of the external events precede the next timer, see tree.fence
	arrived  int32 // how many of the last external events wait for settle; guarded by tree.mu
	ids      uint64
	delayed  map[string][]*timer // pending delayed sends by sendid
	store    datamodel.Store     // nil until it is needed
	preset   []presetData
	running  []*invocation // in the order in which they started

	locations []string // by tree.processors

	matcher table.Matcher
	ctx     context.Context // of the present turn; nil between turns
	steps   int             // microsteps of this macrostep
	logged  int             // bytes logged in this macrostep
	limit   *LimitError     // exceeded inside a microstep
	event   *Event          // the event being processed, or the last one; nil before the first

	observers *observers // nil without observers and Trace

	// The active atomic states in document order, derived from config by findAtomic. They are up to
	// date with config once a microstep has exited its states.
	atomic  []table.State
	enabled []transID // the optimal transition set
	*scratch
}

// scratch is the algorithm's reused work space. A session with small microsteps needs none, see
// needScratch.
type scratch struct {
	filtered            []transID
	domains, targets    []table.State
	exiting, nextAtomic []table.State
	entering            []entry // the entry set
	entrySet            table.Set
	defaultEntry        table.Set
	entered, most       int32 // states in entrySet; their limit while the chart is compiled
	lowest, highest     table.State
	dynamic             bool          // the entry set depends on histories, or is too large
	lists               [][]transID   // of selectIndexed
	cycle               []table.State // states entered by the last microsteps before the limit
	cycleTaken          []transID     // transitions taken by them
	pairs               []Param
	defaultHistory      []defaultHistoryContent
	errors              int    // error events of this macrostep
	codec               *codec // of the root, see AppendState; nil until needed
	out                 outbox // of the root
	evals               map[string]evaluated
	watched             *watched // nil without a watch
	at                  *place   // where the session is, nil if that is not known; see plan.go
	next                *plan    // for the transitions in enabled, if they were found by it
	asked               bool     // a condition was asked to find them
	strayed             int8     // microsteps without a place
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

// New returns an unstarted session of chart. It fails if an option does not fit the chart, and if the
// chart uses a service, an Event I/O Processor, an action or a function that no option gives, see
// [WithMissing].
func New(chart *Chart, opts ...Option) (*Session, error) {
	cfg := newConfig(opts)
	if err := cfg.check(chart); err != nil {
		return nil, failed("New", err)
	}
	if err := cfg.checkMissing(chart); err != nil {
		return nil, fmt.Errorf("scxml: New: %w", err)
	}
	if cfg.beginning != nil {
		var err error
		if cfg.beginning, err = cfg.beginning.resolve(chart); err != nil {
			return nil, err
		}
	}
	root := new(rootSession)
	s, t := &root.Session, &root.tree
	t.init(chart, cfg)
	if len(chart.states) <= 64 {
		s.config = root.first.config[:]
	}
	s.atomic, s.enabled, t.sessions = root.first.atomic[:0], root.first.enabled[:0], root.first.sessions[:0]
	s.init(chart, t)
	s.id = cfg.id
	t.addSession(s)
	for _, d := range cfg.data {
		if !chart.declares(d.id) {
			return nil, fmt.Errorf("scxml: WithData: %s has no top-level <data id=%q>", chart.file, d.id)
		}
		v, err := datamodel.From(d.value)
		if err != nil {
			return nil, dataError(d.id, err)
		}
		s.preset = append(s.preset, presetData{d.id, v})
	}
	if cfg.data != nil {
		cfg.data = nil // do not keep the host's data
	}
	return s, nil
}

func dataError(id string, err error) error {
	return fmt.Errorf("scxml: WithData: data %q: %w", id, err)
}

// A rootSession is a session made by the host together with its tree, and with what its lists need in a
// small chart, in one allocation.
type rootSession struct {
	Session
	tree
	first struct {
		sessions [1]*Session
		config   [1]uint64
		atomic   [1]table.State
		enabled  [1]transID
	}
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
	if s.config == nil {
		s.config = table.NewSet(len(chart.states))
	}
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

// Chart returns the chart that the session runs. Any goroutine may call it.
func (s *Session) Chart() *Chart { return s.chart }

// ID returns the value of _sessionid. If it is not given by [WithSessionID], it is drawn now at the
// latest. The id of an invoked session is that of the root of its tree, "~" and a random text, so a
// [Router] that knows the root finds the others. Only the owner may call it, but any goroutine if
// WithSessionID gave it.
func (s *Session) ID() string {
	if s.id == "" {
		if s.parent != nil {
			s.id = s.tree.sessions[0].ID() + "~"
		}
		s.id += strconv.FormatUint(s.tree.rand().Uint64(), 36)
	}
	return s.id
}

// Seed returns the seed of the random numbers of the session tree. If [WithSeed] does not give one,
// it is drawn now at the latest. The numbers of a restored session are in its snapshot, and its seed
// means nothing. Only the owner may call Seed.
func (s *Session) Seed() uint64 {
	s.tree.rand()
	return s.tree.seed
}

// InvokeID returns the id of the invocation that started the session, or "" for the session that
// the host made. Any goroutine may call it.
func (s *Session) InvokeID() string { return s.invokeID }

// Sessions returns the running sessions of the tree in the order of their creation. The first one
// is the session that the host made. Only the owner may call it, as for [Session.Configuration].
func (s *Session) Sessions() []*Session {
	s.mine("Sessions")
	return slices.Clone(s.tree.sessions)
}

// Now returns the session's present time, as its driver last set it. Only the owner may call it.
func (s *Session) Now() time.Time { return s.tree.now }

// Status returns the present status of the session. Any goroutine may call it.
func (s *Session) Status() Status {
	s.tree.mu.Lock()
	defer s.tree.mu.Unlock()
	return s.status
}

// Err returns why a session was stopped: [ErrStopped], a [*LimitError], or the cause of a cancelled
// context. It is nil if the session was not stopped. Any goroutine may call it.
func (s *Session) Err() error {
	s.tree.mu.Lock()
	defer s.tree.mu.Unlock()
	if before, ok := s.err.(*stoppedBefore); ok {
		return before.error
	}
	return s.err
}

// FinalState returns the name of the top-level final state that the session has reached, or "". Any
// goroutine may call it.
func (s *Session) FinalState() string {
	s.tree.mu.Lock()
	defer s.tree.mu.Unlock()
	return s.finalState()
}

func (s *Session) finalState() string {
	if s.final == table.None {
		return ""
	}
	return s.chart.states[s.final].name
}

// become gives the session a status. err is why it was stopped, or nil.
func (s *Session) become(status Status, err error) {
	s.tree.mu.Lock()
	defer s.tree.mu.Unlock()
	s.status, s.err = status, err
}

// DoneData returns the value of the <donedata> of the top-level final state, or undefined (nil).
// Use [datamodel.Decode] to convert it to Go data. Only the owner may call it: it panics with an
// error that wraps [ErrDriven] while another goroutine drives the session.
func (s *Session) DoneData() datamodel.Value {
	s.mine("DoneData")
	return s.done
}

// In reports whether the state with the given id or name is active. Only the owner may call it, as
// for [Session.Configuration].
func (s *Session) In(state string) bool {
	s.mine("In")
	return s.in(state)
}

func (s *Session) in(state string) bool {
	st, ok := s.chart.byName[state]
	return ok && s.config.Has(st)
}

// Configuration returns the names of the active states in document order. Only the owner may call
// it. It panics with an error that wraps [ErrDriven] while another goroutine drives the session: there
// call it in a function given to [Session.Call].
func (s *Session) Configuration() []string {
	s.mine("Configuration")
	var names []string
	for st := s.config.Next(0); st != table.None; st = s.config.Next(st + 1) {
		names = append(names, s.chart.states[st].name)
	}
	return names
}

// Enabled returns the event descriptors of the transitions of the active states, in document order
// and without duplicates: the events that a user can send now and the session can react to if the
// conditions hold. Those of invoked sessions with autoforward follow. Descriptors that [WithAccept]
// refuses are left out; without WithAccept those of events that only the platform sends, such as
// done.state.ID and error.execution. Only the owner may call it, as for [Session.Configuration].
func (s *Session) Enabled() []string {
	s.mine("Enabled")
	return s.takes()
}

func (s *Session) takes() []string {
	var all []string
	var seen map[string]bool // what is in all, if that is long
	add := func(descriptors []string) {
		for _, e := range descriptors {
			if seen[e] || seen == nil && slices.Contains(all, e) || !s.fromUser(e) {
				continue
			}
			if all == nil {
				all = make([]string, 0, 16)
			}
			all = append(all, e)
			if seen == nil && len(all) > 32 {
				seen = make(map[string]bool)
				for _, known := range all {
					seen[known] = true
				}
			}
			if seen != nil {
				seen[e] = true
			}
		}
	}
	addOf := func(st table.State) {
		for _, id := range s.chart.states[st].evented {
			add(s.chart.transitions[id].events)
		}
	}
	if s.config.Next(0) != table.None {
		addOf(0) // <scxml> is around all others, though it does not count as a state
	}
	for st := s.config.Next(0); st != table.None; st = s.config.Next(st + 1) {
		addOf(st)
	}
	for _, inv := range s.running {
		if inv.autoforward && inv.child != nil {
			add(inv.child.takes())
		}
	}
	return all
}

// fromUser reports whether a user can send an event that the descriptor matches.
func (s *Session) fromUser(descriptor string) bool {
	name := strings.TrimSuffix(strings.TrimSuffix(descriptor, "*"), ".")
	if accept := s.tree.accept; accept != nil && name != "" {
		return accept(name)
	}
	return !isPlatformEvent(name)
}

// Eval evaluates a value expression in the session's data model and returns a copy of the result.
// The null data model has no values; there Eval evaluates a condition such as In('id'). After the end
// In is true for the final state that the session has reached.
//
// The expression can change data, like a script of the chart. Before Start it works on data that
// Start discards. It is interrupted when ctx is done or the limit ScriptTime is exceeded. The error
// is a [*datamodel.EvalError]. Only the owner may call Eval.
func (s *Session) Eval(ctx context.Context, expr string) (datamodel.Value, error) {
	if s.elsewhere() {
		return nil, failed("Eval", ErrDriven)
	}
	return s.eval(ctx, expr)
}

func (s *Session) eval(ctx context.Context, expr string) (datamodel.Value, error) {
	e, err := s.compile(expr)
	if err != nil {
		return nil, err
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
	if e.isCondition {
		return s.data().Condition(e.Expr)
	}
	return s.data().Value(e.Expr)
}

// evaluated is a text that Eval has compiled.
type evaluated struct {
	datamodel.Expr
	isCondition bool
}

// evalMemory is how many texts a session remembers, since a host may evaluate the same ones again and again.
const evalMemory = 100

// compile compiles an expression for Eval.
func (s *Session) compile(expr string) (evaluated, error) {
	s.needScratch()
	if e, ok := s.evals[expr]; ok {
		return e, nil
	}
	e, err := s.chart.compileEval(expr)
	if err != nil {
		return e, err
	}
	if s.evals == nil || len(s.evals) == evalMemory {
		s.evals = make(map[string]evaluated)
	}
	s.evals[expr] = e
	return e, nil
}

func (c *Chart) compileEval(expr string) (evaluated, error) {
	e, err := c.language.Compile(datamodel.ValueExpr, datamodel.Source{Text: expr})
	if err == nil {
		return evaluated{e, false}, nil
	}
	if e, err = c.language.Compile(datamodel.Condition, datamodel.Source{Text: expr}); err != nil {
		return evaluated{}, err
	}
	return evaluated{e, true}, nil
}

// CheckLook reports what is wrong with an expression for [Session.Eval] that is to look at a session,
// and not to change it: it cannot be compiled, it asks In() for a state that the chart does not have, or
// its text shows that it changes data, as n = 1 does in place of n == 1. Functions that it calls are not
// looked into. CheckLook is safe for concurrent use.
func (c *Chart) CheckLook(expr string) error {
	e, err := c.compileEval(expr)
	if err != nil {
		return err
	}
	checker, _ := c.language.(datamodel.Checker)
	if checker == nil {
		return nil
	}
	kind := datamodel.ValueExpr
	if e.isCondition {
		kind = datamodel.Condition
	}
	for _, f := range checker.Check(kind, e.Source()) {
		if f.Kind == datamodel.StatePredicate {
			if _, ok := c.byName[f.Text]; !ok {
				return fmt.Errorf("In(%q): %q is not a state%s", f.Text, f.Text, didYouMean(doc.Near(f.Text, maps.Keys(c.byName))))
			}
		}
		if f.Kind == datamodel.Assignment {
			hint := ""
			if left, _, ok := strings.Cut(f.Text, "="); ok && !strings.ContainsAny(left[max(0, len(left)-1):], "+-*/%&|^<>?") {
				hint = "; to compare, write =="
			}
			return fmt.Errorf("it changes data (%s)%s", f.Text, hint)
		}
	}
	return nil
}

// Start initialises the data, enters the initial states, unless [WithConfiguration] says otherwise, and
// completes the first macrostep. Errors inside the chart become error events there, not an error of
// Start.
//
// Start fails if the session was started before, if a limit stops it ([*LimitError]), if the data
// model does not allow the name of a function given by [WithFunc], and if ctx is done. In the last
// case the next Step continues. It makes its caller the owner, and fails with [ErrDriven] if there
// is one.
func (s *Session) Start(ctx context.Context) error {
	if s == nil {
		return errNil("Start")
	}
	t := s.tree
	if err := t.enter(true); err != nil {
		return err
	}
	defer t.leave()
	return s.begin(ctx)
}

// begin is Start for a caller that owns the tree.
func (s *Session) begin(ctx context.Context) error {
	t := s.tree
	if s.parent != nil {
		return errors.New("scxml: Start: an invoked session is started by its parent")
	}
	if s.status != Unstarted {
		return errors.New("scxml: Start: the session was started before")
	}
	t.now = t.clock()
	t.tellClock()
	t.settle()
	if err := s.open(); err != nil {
		return failed("Start", err)
	}
	err := s.firstTurn(ctx)
	if err == nil {
		t.turn = 1 // the root had its turn: what it has invoked comes next
	}
	t.tellStep(s, err)
	return err
}

// firstTurn is the turn of the root at its start.
func (s *Session) firstTurn(ctx context.Context) error {
	s.enterTurn(ctx)
	defer s.leaveTurn()
	s.initialise()
	if ctx.Err() != nil {
		s.unstable = true
		return context.Cause(ctx)
	}
	return s.completeMacrostep(ctx)
}

// open prepares the session for running.
func (s *Session) open() error {
	s.openProcessors()
	s.store = nil // an Eval before Start may have made one
	if s.chart.usesData {
		if err := s.openStore(); err != nil {
			s.closeProcessors()
			return err
		}
	}
	if r := s.tree.router; r != nil {
		r.Join(s)
	}
	s.become(Running, nil)
	return nil
}

// newID returns an id that is unique within the session.
func (s *Session) newID(prefix string) string {
	s.ids++
	return prefix + "." + strconv.FormatUint(s.ids, 10)
}
