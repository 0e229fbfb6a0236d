package machine

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"time"
)

// A Core is what all machines have in common. Its zero value is a machine that is not started.
type Core struct {
	// Flags is zero while a machine rests, watched by nobody, with nothing queued: generated code handles
	// an event by itself then, and calls [Handle] otherwise.
	Flags CoreFlags
	one   uint16   // the event that is raised, with the flag One
	s     *session // nil while it is not needed
}

// CoreFlags say why an event cannot be handled in the quickest way.
type CoreFlags uint16

const (
	Started   CoreFlags = 1 << iota // set from Start on
	Busy                            // a macrostep is under way
	Ended                           // it has reached a final state, or was stopped
	Watched                         // Hooks want to know what happens inside
	Slow                            // it does not use shortcuts: a test has asked for it, or for the sake of a limit
	Raised                          // the internal queue is not empty, or One is set
	One                             // Core.one is raised, and the internal queue is empty
	Posted                          // an external queue of the tree is not empty, or may not be, or there are invoked machines
	Listening                       // someone wants to know all that is sent
	Driven                          // package machine is at work on the machine, or on what it has invoked
	direct                          // generated code is at work on the machine, see Content
)

const (
	// Ready are the flags of a machine that rests.
	Ready = Started
	// Content are the flags that generated code sets while it runs executable content by itself.
	Content = Busy | direct
	// Observed are the flags of a machine that must send what nobody takes: somebody would miss it, or other machines of its
	// tree have their turns earlier without it.
	Observed = asked | Posted

	asked = Watched | Listening | Slow // for by the host
)

// Hooks tell a host what happens in a machine. Each may be nil. They run inside a step: an event that
// they give to the machine waits until the step is over. The first three tell of invoked machines too.
type Hooks struct {
	Sent         func(m Message)              // by a <send>, when it is due
	Log          func(label string, data any) // by a <log>
	Error        func(e *Error)               // an error event was raised
	Unhandled    func(event string)           // an event has enabled no transition
	Entered      func(state string)           // ids; "" of a state without
	EnteredState func(state uint16)           // as Entered, by the number of the state in its [Chart]
	Exited       func(state string)
	Took         func(transition int) // in document order
}

// IsZero reports whether all hooks are nil.
func (h *Hooks) IsZero() bool {
	return h.Sent == nil && h.Log == nil && h.Error == nil && !h.watches()
}

// watches reports whether a hook wants to know what shortcuts do not tell.
func (h *Hooks) watches() bool {
	return h.Unhandled != nil || h.Entered != nil || h.EnteredState != nil || h.Exited != nil || h.Took != nil
}

// hooks returns the hooks that tell of one machine.
func (s *session) hooks() *Hooks {
	if s.parent != nil {
		return &noHooks
	}
	return &s.tree.options.Hooks
}

var noHooks Hooks

// Options set up a machine.
type Options struct {
	SessionID string // _sessionid; by default a random one
	Limits    Limits
	Hooks     Hooks
	Data      Fields // initial values of top-level data items, which replace those of the document
	Slow      bool   // do without shortcuts: for tests that compare
	Invoker   func(inv *Invocation) (Service, error)
	// Action executes elements of other namespaces. It runs inside a step, as hooks do. An error becomes
	// error.execution and ends the block, and so does an element without an Action.
	Action func(call *ActionCall) error
	Host   Host // takes messages and services; it may be nil
}

// A session is what a machine needs beside its registers as soon as it uses a queue, a timer or an
// invocation.
type session struct {
	node  Node
	core  *Core
	chart *Chart
	regs  []uint16
	tree  *tree

	parent    *session
	invokeID  string
	depth     int
	cancelled bool
	status    status
	final     uint16
	done      any
	err       error

	id       string
	origin   string // see address
	ids      uint64
	preset   Fields
	internal queue
	external queue
	fence    int
	unstable bool
	asked    bool // the transitions without an event were asked just now
	steps    int
	limit    error
	event    Event  // of an entry without one
	current  *Event // _event

	enabled, filtered, targets []uint16
	domains                    []uint16
	toInvoke                   []uint16 // sorted
	running                    []*invocation
	bound                      []uint16 // the states whose late data have had their first values
	locations                  string   // JSON of a snapshot, kept for the next one
}

type status uint8

const (
	unstarted status = iota
	running
	final
	stopped
)

// A tree is what a machine shares with those that it invokes.
type tree struct {
	options  Options
	now      time.Time
	timers   timers
	unused   []*timer
	seq      uint64
	sessions []*session // in the order of creation
	turn     int
	turns    int     // of the present call
	effect   *Effect // of Do, or nil
	sending  Message // see message
	stopping bool    // Stop was called in a hook, or before the machine was saved

	undelivered []func() // by processors: what tells of it

	random, outbox string // JSON of a snapshot, kept for the next one
}

// enter and leave bracket all work on a tree. A hook can call the machine meanwhile: events wait, and Stop too.
func (t *tree) enter() {
	t.sessions[0].core.Flags |= Driven
	t.turns = 0
}

func (t *tree) leave() {
	root := t.sessions[0]
	if t.stopping && root.status == running {
		root.exitInterpreter(stopped, errStopped)
	}
	root.core.Flags &^= Driven
}

// over reports whether there is nothing more to do.
func (t *tree) over() bool { return t.sessions[0].status != running || t.stopping }

// busy reports whether a hook has called the machine.
func (s *session) busy() bool { return s.core.Flags&(Busy|Driven) != 0 }

// An Effect is what a call has done.
type Effect struct {
	Handled         bool      // the event enabled a transition
	Exited, Entered []string  // states of the machine itself, in the words of [Configuration]
	Sent            []Message // delayed ones when they were due; At has the file too
	Errors          []*Error
}

// session returns the session of a machine and makes it first if it has none.
func of(n Node) *session {
	core, chart, regs := n.Machine()
	if core.s == nil {
		core.s = &session{node: n, core: core, chart: chart, regs: regs, tree: new(tree)}
		core.s.tree.options.Limits.setDefaults()
		core.s.tree.sessions = append(core.s.tree.sessions, core.s)
	}
	if core.s.status == unstarted && core.Flags&Started != 0 { // a shortcut has started it
		core.s.status = running
		core.s.tree.turn = 1
	}
	if core.Flags&One != 0 {
		core.Flags &^= One
		core.s.internal.add(entry{num: core.one, typ: Internal})
	}
	return core.s
}

// SetUp sets the options of a machine that is not started.
func SetUp(n Node, o Options) {
	s := of(n)
	o.Limits.setDefaults()
	s.tree.options = o
	s.preset = o.Data
	s.id = o.SessionID
	if o.Hooks.watches() {
		s.core.Flags |= Watched
	}
	if o.Hooks.Sent != nil {
		s.core.Flags |= Listening
	}
	if o.Slow || o.Limits.Microsteps < ShortcutSteps {
		s.core.Flags |= Slow
	}
}

// OptionsOf returns what [SetUp] has set, with the limits that apply.
func OptionsOf(n Node) Options { return of(n).tree.options }

// Preset returns the value that the host, or the machine's parent, has given to a top-level data item.
func Preset(n Node, id string) (value any, ok bool) {
	core, _, _ := n.Machine()
	if core.s == nil {
		return nil, false
	}
	// The last one wins.
	for _, f := range slices.Backward(core.s.preset) {
		if f.Name == id {
			return f.Value, true
		}
	}
	return nil, false
}

// SessionID returns _sessionid. That of an invoked machine is that of the root of its tree, "~" and a random text.
func SessionID(n Node) string {
	s := of(n)
	if s.id == "" {
		if s.parent != nil { // so that hosts of many machines know whose it is
			s.id = SessionID(s.tree.sessions[0].node) + "~"
		}
		s.id += strconv.FormatUint(rand.Uint64(), 36)
	}
	return s.id
}

// address returns the origin of what the machine sends.
func (s *session) address() string {
	if s.origin == "" {
		s.origin = scxmlAddress + SessionID(s.node)
	}
	return s.origin
}

// NewID returns an id that is unique within the machine.
func NewID(n Node, prefix string) string {
	s := of(n)
	s.ids++
	return prefix + "." + strconv.FormatUint(s.ids, 10)
}

var (
	errStopped = errors.New("stopped")
	errStart   = errors.New("the machine is started already")

	errNotStarted = errors.New("the machine is not started")
)

// Start enters the initial states at the time now, and does all that follows from it.
func Start(n Node, now time.Time) error { return start(n, now, nil) }

func start(n Node, now time.Time, in []uint16) error {
	s := of(n)
	if s.status != unstarted {
		return errStart
	}
	s.tree.now = now
	s.tree.turn = 1
	s.core.Flags |= Started
	s.tree.enter()
	s.initialise(in)
	s.completeMacrostep()
	s.tree.advance(now)
	s.tree.leave()
	return s.err
}

// Handle gives the machine an event that has no more than a name, and does all that follows from it. It
// reports whether the event has enabled a transition; one given by a hook, inside a step, is handled
// after the step, and one given before Start or after the end is not handled.
func Handle(n Node, num uint16) bool {
	handled, _ := handle(n, entry{num: num}) // a hook that fills the queue loses the event, see Limits
	return handled
}

// Send is Handle for any event. Its type is External. The error is about its name or its data, or is that the
// machine does not run, or that its queue is full, into which the event of a hook goes.
func Send(n Node, ev Event) (handled bool, err error) {
	if err := checkEventName(ev.Name); err != nil {
		return false, err
	}
	if ev.Data, err = n.Accept(ev.Data); err != nil {
		return false, fmt.Errorf("data of event %q: %w", ev.Name, err)
	}
	core, chart, _ := n.Machine()
	switch {
	case core.Flags&Started == 0:
		return false, errNotStarted
	case core.Flags&Ended != 0:
		return false, errEnded
	}
	ev.Type = External
	return handle(n, entry{num: chart.Match(ev.Name), ev: &ev})
}

// Settle does all that follows from a transition that generated code has taken by itself, in a macrostep of
// so far n microsteps.
func Settle(n Node, steps int) { settle(n, steps, false) }

// SettleQueue is Settle after generated code has found no transition without an event: their conditions, which can fail,
// are not asked again before the next event.
func SettleQueue(n Node, steps int) { settle(n, steps, true) }

func settle(n Node, steps int, asked bool) {
	s := of(n)
	s.tree.enter()
	s.tree.turn = 1
	s.core.Flags |= Busy
	s.steps, s.asked = steps, asked
	s.completeMacrostep()
	s.tree.advance(s.tree.now)
	s.tree.leave()
}

// Take takes one transition in the place of generated code, which calls it where it has no shortcut.
func Take(n Node, transition uint16) {
	s := of(n)
	s.core.Flags |= Busy
	s.enabled = append(s.enabled[:0], transition)
	s.domains = append(s.domains[:0], s.transitionDomain(transition))
	s.microstep()
}

// HandleInternal handles an internal event that Next has removed, and that has no shortcut. Generated code has set _event.
func HandleInternal(n Node, num uint16) {
	s := of(n)
	busy := s.core.Flags & Busy
	s.core.Flags |= Busy
	s.selectTransitions(num)
	s.takeEnabled(busy)
}

// TakeAll takes the transitions that generated code has found enabled, one for each atomic state that has one, in document
// order of these.
func TakeAll(n Node, enabled []uint16) {
	s := of(n)
	busy := s.core.Flags & Busy
	s.core.Flags |= Busy
	s.enabled = append(s.enabled[:0], enabled...)
	s.resolve()
	s.takeEnabled(busy)
}

// takeEnabled takes the transitions of s.enabled. It resets the flag Busy to what it was, unless there may be more to do
// than the next event, such as to invoke. Generated code counts the microstep.
func (s *session) takeEnabled(busy CoreFlags) {
	if len(s.enabled) > 0 {
		moves := slices.ContainsFunc(s.enabled, func(id uint16) bool { return len(s.chart.Transitions[id].Targets) > 0 })
		steps := s.steps
		s.microstep()
		if s.steps = steps; moves {
			return
		}
	}
	s.core.Flags = s.core.Flags&^Busy | busy
}

// Raise puts an event that has no more than a name into the internal queue (REC 4.2).
func (c *Core) Raise(n Node, num uint16) {
	if f := c.Flags & (Busy | Driven | Raised | direct); f == 0 || f == Content {
		c.one = num
		c.Flags |= Raised | One
		return
	}
	of(n).raise(entry{num: num, typ: Internal})
}

// Next removes the first event of the internal queue if it has no more than a name, and returns its number.
func (c *Core) Next() (num uint16, ok bool) {
	if c.Flags&One != 0 {
		c.Flags &^= Raised | One
		return c.one, true
	}
	return c.next()
}

func (c *Core) next() (num uint16, ok bool) {
	if c.Flags&Raised == 0 {
		return 0, false
	}
	q := &c.s.internal
	if e := &q.ring[q.head]; e.ev != nil || e.typ != Internal {
		return 0, false
	}
	num = q.take().num
	if q.n == 0 {
		c.Flags &^= Raised
	}
	return num, true
}

// Listen notes in e what a machine does, except for Handled, until stop is called.
func Listen(n Node, e *Effect) (stop func()) {
	s := of(n)
	before := s.core.Flags & Listening
	s.core.Flags |= Listening
	s.tree.effect = e
	return func() {
		s.tree.effect = nil
		s.core.Flags = s.core.Flags&^Listening | before
	}
}

// moved notes that a state was entered or exited.
func (s *session) moved(st uint16, in bool) {
	switch e := s.tree.effect; {
	case e == nil || s.parent != nil:
	case in:
		e.Entered = append(e.Entered, s.chart.stateName(st))
	default:
		e.Exited = append(e.Exited, s.chart.stateName(st))
	}
}

// Do is Send for a host that wants to know what came of it. In a hook the event waits, and the effect is empty.
func Do(n Node, ev Event) (e Effect, err error) {
	s := of(n)
	if s.busy() {
		_, err = Send(n, ev)
		return e, err
	}
	defer Listen(n, &e)()
	e.Handled, err = Send(n, ev)
	return e, err
}

func handle(n Node, e entry) (handled bool, err error) {
	s := of(n)
	switch {
	case s.status != running:
		return false, nil
	case s.busy():
		if err := s.room(); err != nil {
			return false, err
		}
		s.queue(e)
		return false, nil
	}
	t := s.tree
	t.enter()
	defer t.leave()
	if t.stopping { // since it was restored
		return false, nil
	}
	t.advance(t.now)
	if t.over() {
		return false, nil
	}
	t.turn = 1
	s.take(e)
	handled = s.externalEvent(e.num)
	s.completeMacrostep()
	t.advance(t.now)
	return handled, nil
}

// Advance does all that is due up to the time to, each thing at its own time.
func Advance(n Node, to time.Time) {
	s := of(n)
	if s.status == running && !s.busy() {
		s.tree.enter()
		if !s.tree.stopping {
			s.tree.advance(to)
		}
		s.tree.leave()
	}
}

// NextDue returns when the next delayed event is due.
func NextDue(n Node) (due time.Time, ok bool) {
	core, _, _ := n.Machine()
	if core.s == nil || len(core.s.tree.timers) == 0 {
		return time.Time{}, false
	}
	return core.s.tree.timers[0].due, true
}

// Stop ends a machine: its onexit handlers run, and what it has invoked ends. In a hook it does so when the macrostep is
// complete: what waits, or is due, is not processed any more.
func Stop(n Node) {
	s := of(n)
	switch {
	case s.status != running:
	case s.busy():
		s.tree.stopping = true
		s.core.Flags |= Posted // so that a shortcut does not return before leave
	default:
		s.tree.enter()
		s.exitInterpreter(stopped, errStopped)
		s.tree.leave()
	}
}

// Running reports whether a machine is started and has not ended.
func Running(n Node) bool {
	core, _, _ := n.Machine()
	return core.Flags&(Started|Ended) == Started
}

// Err returns the limit that has ended a machine, or nil.
func Err(n Node) error {
	if s := of(n); s.err != errStopped {
		return s.err
	}
	return nil
}

// DoneData returns the data of the final state in which a machine has ended.
func DoneData(n Node) any { return of(n).done }

// Active reports whether a state is active: where the registers, part by part, are regs.
func (c *Chart) Active(regs []uint16, state uint16) bool {
	r := regs[c.part(state)]
	return r != 0 && state <= r && r <= c.Last[state]
}

// ID returns the id of a state.
func (c *Chart) ID(state uint16) string {
	if int(state) < len(c.IDs) {
		return c.IDs[state]
	}
	return "State(" + strconv.Itoa(int(state)) + ")"
}

// EventName returns the name of an event.
func (c *Chart) EventName(num uint16) string {
	if int(num) < len(c.Events) {
		return c.Events[num]
	}
	return "Event(" + strconv.Itoa(int(num)) + ")"
}

// Now returns the time of a machine.
func Now(n Node) time.Time { return of(n).tree.now }

// Child returns the child of a state that is active where a register has the state leaf, below it.
func (c *Chart) Child(leaf, state uint16) uint16 {
	for c.Parent[leaf] != state {
		leaf = c.Parent[leaf]
	}
	return leaf
}

// ActiveID reports whether the state with an id is active.
func (c *Chart) ActiveID(regs []uint16, id string) bool {
	for s, other := range c.IDs {
		if other == id && id != "" {
			return c.Active(regs, uint16(s))
		}
	}
	return false
}

// Address returns the target by which other machines reach this one.
func Address(n Node) string { return of(n).address() }
