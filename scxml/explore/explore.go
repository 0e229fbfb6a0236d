package explore

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/scxmlrun/scxmlrun/datamodel"
	"github.com/scxmlrun/scxmlrun/scxml"
)

// Options say what to explore. The zero Options look for deadlocks without bounds.
type Options struct {
	// Session are options of the sessions that visit the states. Unless they say otherwise, the seed
	// is 1, the clock is at the beginning of the year 2000, and the events of [scxml.Chart.IsUserEvent] are
	// accepted. WithTrace and callbacks would be called on many goroutines, in no order.
	Session []scxml.Option

	// Data has the data that an event may carry, by the name of the event. The search sends the event
	// with each of them.
	Data map[string][]any

	// From is the snapshot of a session in which the search begins, see [scxml.Session.Snapshot]; nil
	// for a session that starts. Then Session must not have WithData, WithSeed or WithSessionID.
	From []byte

	Properties []Property
	Reach      []string // names of states that must be active in some state of the session
	Errors     bool     // error events are violations
	Unused     bool     // report what no input led to, at the cost of some speed

	// Bounds of the search; 0 means none. If one is reached the verdict is Inconclusive, unless there
	// is a violation. MaxMemory is in bytes, and is estimated. A context with a deadline bounds the
	// time.
	MaxStates int
	MaxDepth  int
	MaxMemory int64

	Workers  int            // how many goroutines work; 0: one for each core
	Progress func(Progress) // is called a few times a second while the search runs; may be nil
}

// Progress is how far a search has come.
type Progress struct {
	States      int // found
	Transitions int
	Depth       int // of the states that are being visited
	Frontier    int // states that were found and not yet visited
}

// A Property must hold in every state that the chart rests in.
type Property struct {
	Name string
	// Holds reports whether the property holds in the present state of s. It may change s, and is
	// called on many goroutines, each with its own session. An error ends the search.
	Holds func(ctx context.Context, s *scxml.Session) (bool, error)
}

// Never is the property that an expression of the chart's data model is not true in any state.
func Never(expr string) Property { return evaluated("never "+expr, expr, false) }

// Always is the property that an expression of the chart's data model is true in every state.
func Always(expr string) Property { return evaluated("always "+expr, expr, true) }

func evaluated(name, expr string, want bool) Property {
	return Property{name, func(ctx context.Context, s *scxml.Session) (bool, error) {
		v, err := s.Eval(ctx, expr)
		if err != nil {
			return false, fmt.Errorf("property %q: %w", name, err)
		}
		return truth(v) == want, nil
	}}
}

// truth is the operation ToBoolean of ECMAScript.
func truth(v datamodel.Value) bool {
	switch v := v.(type) {
	case nil, datamodel.NullType:
		return false
	case bool:
		return v
	case int64:
		return v != 0
	case float64:
		return v != 0 && v == v
	case string:
		return v != ""
	}
	return true
}

// A Verdict is the result of a search.
type Verdict uint8

const (
	Holds        Verdict = iota // all states were visited, and there is no violation
	Violated                    // there is one
	Inconclusive                // none was found, but not all states were visited
)

var verdictNames = [...]string{"holds", "violated", "inconclusive"}

// String returns "holds", "violated" or "inconclusive".
func (v Verdict) String() string { return verdictNames[v] }

// A Report is what a search has found.
type Report struct {
	Verdict Verdict
	Bound   string // why the verdict is Inconclusive: "states", "depth", "memory", "time" or "delays"

	States      int
	Transitions int // inputs that changed the state
	Depth       int // how many inputs lead to the state that is the farthest
	Deadlocks   int

	// Violations has the first one of each kind and property, in the order in which they were found.
	Violations []Violation

	Reached []Reached // of the states of Options.Reach, in the order in which they were found

	// Unentered are the states of the chart that were never entered, histories apart, and Untaken the
	// transitions that were never taken. Both are empty without Options.Unused.
	Unentered []scxml.State
	Untaken   []scxml.Transition
}

// Reached is a shortest way to a state of the chart.
type Reached struct {
	State string
	Path  []Input
}

// A Kind is a kind of [Violation].
type Kind string

const (
	Deadlock Kind = "deadlock"
	Broken   Kind = "property" // a Property does not hold
	Limit    Kind = "limit"    // one of scxml.Limits is exceeded
	Endless  Kind = "endless"  // the session sends itself events forever
	Error    Kind = "error"    // the chart raises an error event
	Missing  Kind = "missing"  // a state of Options.Reach is active in no state of the session
)

// A Violation is something that must not be, with a shortest way to it.
type Violation struct {
	Kind          Kind
	Property      string   // of Broken: its name; of Missing: the state; of Error: the event
	Message       string   // of Limit and Error: what is wrong
	Path          []Input  // from the start of the session
	Configuration []string // of Deadlock and Broken: the states that are active then
}

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
	writePath(&b, v.Path)
	return b.String()
}

func writePath(b *strings.Builder, path []Input) {
	for i, in := range path {
		b.WriteString("\n" + strconv.Itoa(i+1) + ". " + in.String())
	}
}

// String returns one line for the state, and one for each input.
func (r Reached) String() string {
	var b strings.Builder
	b.WriteString("reached: " + r.State)
	if len(r.Path) == 0 {
		b.WriteString(", at the start")
	}
	writePath(&b, r.Path)
	return b.String()
}

// An Input is what comes from outside: an event, or time that passes until a delayed event is due.
type Input struct {
	Event string // "" if time passes
	Data  datamodel.Value
	Wait  time.Duration
}

// String returns the input as a line of a scenario of package scxmltest: "tap {"x":1}" or "advance 5s".
func (in Input) String() string {
	switch {
	case in.Event == "":
		return "advance " + in.Wait.String()
	case in.Data == nil:
		return in.Event
	}
	return in.Event + " " + string(datamodel.AppendJSON(nil, in.Data))
}

// Other is the name of the event that comes for the descriptor "*".
const Other = "other"

// Run explores a chart. The error is that of [scxml.New], or says why the chart cannot be explored.
// A context that is done ends the search with the report so far, whose Bound is "time".
func Run(ctx context.Context, chart *scxml.Chart, opts Options) (*Report, error) {
	if opts.Workers <= 0 {
		opts.Workers = runtime.GOMAXPROCS(0)
	}
	for _, name := range opts.Reach {
		if _, ok := chart.State(name); !ok {
			return nil, fmt.Errorf("explore: %q is not a state of %s", name, chart.File())
		}
	}
	s := &search{chart: chart, opts: opts, seen: map[hash]struct{}{}, inputs: map[string]int32{}, report: &Report{}}
	for _, name := range slices.Sorted(maps.Keys(opts.Data)) {
		for _, data := range opts.Data[name] {
			v, err := datamodel.From(data)
			if err != nil {
				return nil, fmt.Errorf("explore: data of event %q: %w", name, err)
			}
			if s.data == nil {
				s.data = map[string][]datamodel.Value{}
			}
			s.data[name] = append(s.data[name], v)
		}
	}
	if err := s.run(ctx); err != nil && !errors.Is(err, errBound) {
		return nil, fmt.Errorf("explore: %w", err)
	}
	return s.judge(), nil
}
