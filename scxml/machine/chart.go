package machine

import (
	"slices"
	"strconv"
	"sync"
	"time"
)

// A Kind is what a state is in its document.
type Kind uint8

const (
	Atomic   Kind = iota // <state> without children
	Root                 // <scxml>
	Compound             // <state> with children
	Parallel             // <parallel>
	Final                // <final>
	Shallow              // <history>
	Deep                 // <history type="deep">
)

// Flags say what a state has.
type Flags uint8

const (
	OnEntry   Flags = 1 << iota // Node.OnEntry does something
	LateData                    // Node.Bind does something
	OnExit                      // Node.OnExit does something
	Evented                     // it has transitions with events
	Eventless                   // it has transitions without
	Histories                   // it has <history> children
	Invokes                     // it has <invoke> children
)

// No stands for the absence of a transition or a state.
const No = ^uint16(0)

// Eventless transitions are picked for NoEvent; an event whose name no descriptor matches but "*" is
// Other.
const (
	Other   uint16 = 0
	NoEvent        = No
)

// A Transition is what the structure needs to know of one. Those of <initial> and <history> are
// transitions too.
type Transition struct {
	Source, Domain uint16 // Domain is No without a target, and where a target is a history
	Targets        []uint16
	Internal       bool
	History        bool     // a target is a history
	Content        bool     // Node.Content does something
	Cond           bool     // Node.Condition is asked
	Events         []uint16 // numbers of events: in turn one from which on, and one before which, they match
}

// matches reports whether a transition is one for an event.
func (t *Transition) matches(event uint16) bool {
	if event == NoEvent {
		return len(t.Events) == 0
	}
	for i := 0; i < len(t.Events); i += 2 {
		if t.Events[i] <= event && event < t.Events[i+1] {
			return true
		}
	}
	return false
}

// A Recorded is a <history> and where a machine keeps what it remembers: from register Slot on, Len
// registers.
type Recorded struct {
	State, Slot, Len uint16
}

// A Chart is what is known of a chart's structure. Generated code has one for each chart, and never
// changes it.
type Chart struct {
	File, Name  string
	IDs         []string // by state; "" for a state without id
	At          []string // by state: its place in the document, line:column
	Kinds       []Kind
	Flags       []Flags
	Parent      []uint16   // by state; No for <scxml>
	Last        []uint16   // by state: the last state below it, or itself
	Part        []uint16   // by state: its register; nil if all is one part
	Parts       []uint16   // by register: the state
	Initial     []uint16   // by state: the default transition, or No; it ends with the last state that has one
	Of          [][]uint16 // by state: its transitions, in document order
	Transitions []Transition
	Histories   []Recorded
	Done        []uint16                // by state: its done event, or Other
	Invokes     map[uint16][]Invocation // by state
	Events      []string                // names, by number; that of Other is ""
	Match       func(name string) uint16
	ExecutionError,
	CommunicationError uint16 // the numbers of the two error events

	// Hash is that of the document and of all that it loads, as snapshots have it; "" for one inside of another document.
	Hash string

	Late        bool // binding="late"
	Plain       bool // it notices no more of an event than its name
	HasInvokes  bool
	Autoforward bool
	Eventless   bool // a transition has no event

	once  sync.Once
	asked []uint64 // by state, see asks
}

// asks reports whether a state or one around it may have a transition for an event: most have none for most events.
func (c *Chart) asks(state, event uint16) bool { return c.asked[state]>>asksBit(event)&1 != 0 }

// asksBit returns the bit of an event in Chart.asked, which it shares with others. The last one is that of NoEvent.
func asksBit(event uint16) uint16 {
	if event == NoEvent {
		return 63
	}
	return event % 63
}

// prepare makes Chart.asked.
func (c *Chart) prepare() {
	asked := make([]uint64, len(c.Kinds))
	for st := range asked {
		if st > 0 {
			asked[st] = asked[c.Parent[st]]
		}
		for _, id := range c.Of[st] {
			events := c.Transitions[id].Events
			if len(events) == 0 {
				asked[st] |= 1 << asksBit(NoEvent)
			}
			for i := 0; i < len(events); i += 2 {
				for num := range min(events[i+1]-events[i], 63) {
					asked[st] |= 1 << asksBit(events[i]+num)
				}
			}
		}
	}
	c.asked = asked
}

// descends reports whether s is below ancestor.
func (c *Chart) descends(s, ancestor uint16) bool { return ancestor < s && s <= c.Last[ancestor] }

// part returns the register of a state.
func (c *Chart) part(s uint16) uint16 {
	if c.Part == nil {
		return 0
	}
	return c.Part[s]
}

func (c *Chart) isHistory(st uint16) bool { return c.Kinds[st] == Shallow || c.Kinds[st] == Deep }

// stateName is how the format names a state: by its id or, without one, TYPE#N.
func (c *Chart) stateName(st uint16) string {
	if c.IDs[st] != "" {
		return c.IDs[st]
	}
	number := "#" + strconv.Itoa(int(st))
	name := [...]string{"state", "scxml", "state", "parallel", "final", "history", "history"}[c.Kinds[st]] + number
	if slices.Contains(c.IDs, name) {
		return number
	}
	return name
}

// A Node is a machine as this package sees it. Generated code implements it.
type Node interface {
	// Machine returns what is common to all machines, the chart, and the registers, followed by what
	// histories remember.
	Machine() (*Core, *Chart, []uint16)
	// Init gives data their first values, and runs the scripts of <scxml>.
	Init()
	// Accept returns the data of an event from outside in the form that the machine takes, or says why it cannot
	// take them. A machine that reads data takes what its expressions can hold, see AcceptScalars in package
	// js; one that does not takes any data, see AcceptAny there.
	Accept(data any) (any, error)
	// Sent tells the hooks of the chart's own events of a message that is sent.
	Sent(m *Message)
	// Event sets _event.
	Event(ev *Event)
	// Condition evaluates the condition of a transition.
	Condition(transition uint16) bool
	// Content runs the executable content of a transition.
	Content(transition uint16)
	// Bind gives the data of a state their first values, when they are late. It is called once.
	Bind(state uint16)
	// OnEntry and OnExit run the handlers of a state.
	OnEntry(state uint16)
	OnExit(state uint16)
	// DoneData evaluates the <donedata> of a final state.
	DoneData(state uint16) any
	// Invoke evaluates an <invoke> of a state, the i-th. It adds the values to inv, and reports whether there was
	// no error.
	Invoke(state uint16, i int, inv *Invocation) bool
	// Finalize runs the <finalize> of an invocation.
	Finalize(state uint16, i int)
}

// Limits bound what a machine may use. Zero means the default.
type Limits struct {
	Microsteps    int           // of one macrostep; default 100,000; ends the machine
	Macrosteps    int           // that one call leads to because machines send events to each other; default: any; ends the machine
	InternalQueue int           // events; default 1,000,000; ends the machine
	ExternalQueue int           // events; default 1,000,000; error.communication of a <send>, an error of Send in a hook
	Timers        int           // delayed events of a tree of machines; default 1,000,000; error.execution of the <send>
	Delay         time.Duration // of one <send>; default 366 days; error.execution of the <send>
	InvokeDepth   int           // default 32; error.execution of the <invoke>
	Sessions      int           // of a tree of machines; default 10,000; error.execution of the <invoke>
}

// ShortcutSteps bounds the microsteps of a macrostep that shortcuts take: then this package continues, which knows the
// limits. A machine with a lower limit uses no shortcuts.
const ShortcutSteps = 200

func (l *Limits) setDefaults() {
	set := func(n *int, value int) {
		if *n == 0 {
			*n = value
		}
	}
	set(&l.Microsteps, 100_000)
	set(&l.InternalQueue, 1_000_000)
	set(&l.ExternalQueue, 1_000_000)
	set(&l.Timers, 1_000_000)
	set(&l.InvokeDepth, 32)
	set(&l.Sessions, 10_000)
	if l.Delay == 0 {
		l.Delay = 366 * 24 * time.Hour
	}
}
