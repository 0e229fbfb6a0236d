package explore

import (
	"strconv"
	"strings"

	"github.com/scxmlrun/scxmlrun/scxml"
)

// A Verdict is the result of a search.
type Verdict uint8

const (
	Holds        Verdict = iota // all states were visited, and there is no violation, whatever comes
	Violated                    // there is one
	Inconclusive                // none was found, but not all states were visited
	Searched                    // there is none in the states that were visited, but see Report.LeftOut
)

var verdictNames = [...]string{"holds", "violated", "inconclusive", "holds as far as searched"}

// String returns "holds", "violated", "inconclusive" or "holds as far as searched".
func (v Verdict) String() string { return verdictNames[v] }

// A Report is what a search has found.
type Report struct {
	Verdict Verdict
	Bound   string // why not all states were visited: "states", "depth", "memory", "timers", "time", "delays", "reached" or "runs"

	// LeftOut is what the search did not try by itself, in the order of the names. With the verdict Holds
	// there is nothing. Assumed is what Options.Assume has taken from it.
	LeftOut, Assumed []Reason

	States      int // with Options.Simulate, all that the runs came to, known ones too
	Transitions int // inputs that changed the state
	Depth       int // how many inputs lead to the state that is the farthest
	Runs        int // with Options.Simulate
	Deadlocks   int
	Missed      float64 // with Options.Bits, how many states the search expects to have taken for known ones

	// Violations has the first one of each kind and property, in the order in which they were found.
	Violations []Violation

	Pruned  int       // states that a system did not want to be visited
	Reached []Reached // of the states of Options.Reach, in the order in which they were found

	// Unentered are the states of the chart that were never entered, histories apart, and Untaken the
	// transitions that were never taken. Both are empty without Options.Unused.
	Unentered []scxml.State
	Untaken   []scxml.Transition

	Grows []Growth // what grows, if a bound was reached

	Graph *Graph // with Options.Graph

	ids  bool // keys have generated ids
	lost bool // a worker of the search may still be at work
}

// A Graph has the states that a search has found. The first node is the first state.
type Graph struct {
	Nodes []Node
	Edges []Edge // in the order of the nodes that they come from; inputs that change nothing are left out
}

// A Node is a state.
type Node struct {
	Configuration   []string
	Final, Deadlock bool
}

// An Edge is an input that leads from one state to another. From and To are indexes in Nodes.
type Edge struct {
	From, To int
	Input    Input
}

// Reached is a shortest way to a state of the chart.
type Reached struct {
	State string
	Path  []Input
	Times *Times // with Options.Times, unless a bound was reached; Path need not be one of theirs
}

// A Kind is a kind of [Violation].
type Kind string

const (
	Deadlock Kind = "deadlock" // no input that was tried changes anything, see Report.LeftOut
	Broken   Kind = "property" // a Property does not hold
	Limit    Kind = "limit"    // one of scxml.Limits is exceeded
	Endless  Kind = "endless"  // the session sends itself events forever
	Error    Kind = "error"    // the chart raises an error event
	Missing  Kind = "missing"  // a state of Options.Reach is active in no state of the session, and nothing was left out

	Unanswered Kind = "leads-to"   // a Response does not hold
	Difference Kind = "difference" // found by Compare: what the two charts do is not the same
)

// A Violation is something that must not be, with a shortest way to it.
type Violation struct {
	Kind          Kind
	Property      string   // of Broken and Unanswered: its name; of Missing: the state; of Error: the event; of Difference: the aspect
	Message       string   // of Limit, Error and Difference: what is wrong
	Path          []Input  // from the start of the session
	Cycle         []Input  // of Unanswered: what comes then, again and again; nil if nothing that was tried has an effect any more
	Configuration []string // of Deadlock, Broken and Unanswered: the states that are active after Path
}

// isLike reports whether the kind and the property are the same.
func (v Violation) isLike(w Violation) bool { return v.Kind == w.Kind && v.Property == w.Property }

// String returns one line for the violation, and one for each input.
func (v Violation) String() string {
	var b strings.Builder
	b.WriteString(string(v.Kind))
	for _, text := range []string{v.Property, v.Message} {
		if text != "" {
			b.WriteString(": " + text)
		}
	}
	if v.Configuration != nil {
		b.WriteString(" in " + strings.Join(v.Configuration, " "))
	}
	if len(v.Path) == 0 && v.Kind != Missing {
		b.WriteString(", at the start")
	}
	writePath(&b, 1, v.Path)
	if v.Cycle != nil {
		b.WriteString("\nand then again and again")
		writePath(&b, len(v.Path)+1, v.Cycle)
	}
	return b.String()
}

// writePath writes a line for each input, numbered from a number on.
func writePath(b *strings.Builder, number int, path []Input) {
	for i, in := range path {
		b.WriteString("\n" + strconv.Itoa(number+i) + ". " + in.String())
	}
}

// String returns one line for the state, and one for each input. The times follow.
func (r Reached) String() string {
	var b strings.Builder
	b.WriteString("reached: " + r.State)
	if len(r.Path) == 0 {
		b.WriteString(", at the start")
	}
	writePath(&b, 1, r.Path)
	if r.Times != nil {
		b.WriteString("\n" + r.Times.String())
	}
	return b.String()
}
