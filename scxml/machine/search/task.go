package search

import (
	"context"
	"encoding/json"
	"io"
	"runtime/debug"
	"runtime/metrics"
	"time"

	"github.com/scxmlrun/scxmlrun/scxml/machine"
)

// A Machine is a compiled chart that is not started.
type Machine struct {
	Node   machine.Node
	Handle func(event uint16) bool
	Holds  func(condition int) (bool, error)
	// Enabled appends the inputs that would be handled; nil if that is not known. It is for a Pure task.
	Enabled func(dst []uint32) []uint32

	New *Machine // with Task.New, that of the new chart
}

// A Task says what to search.
type Task struct {
	Inputs []Input
	// States and Given have inputs by the number of the state that takes them, see [machine.Chart]. Those of States come
	// first, in the order of the states; then those of Given, in the order of their numbers.
	States, Given [][]int

	// Local says in which states a region needs not wait for others, by the number of the state: see Options.Reduce of
	// package explore; nil without.
	Local []bool

	Conditions []bool   // that must have the value in each state; the code has a condition for each
	Reach      []uint16 // states to which a path is wanted
	Errors     bool     // error events are findings
	Cover      []Kind   // of Entered, Taken, Followed, True and False, those that are findings; they are not for First

	ErrorReports int // how many error events one input may lead to, with Errors

	First       bool // the search ends with the first finding
	Stop        bool // it ends when all of Reach were found
	NoDeadlocks bool // they are counted, and are not findings

	Delays    bool // the chart may delay events, which are due at any times that are possible
	AnyDelays bool // those that are pending may be due in any order

	// New makes the task a comparison with another chart, whose States, Given, Pure, Limits and ErrorReports it has. A
	// finding is a difference in one of Aspects, in the words of package explore. First and NoDeadlocks must be set, and the
	// code must send also what nobody takes.
	New     *Task    `json:",omitempty"`
	Aspects []string `json:",omitempty"`

	Pure   bool           // conditions of transitions do not change data, do not fail, and do not look at events
	Limits machine.Limits // of the machine

	MaxStates, MaxDepth int   // 0 means none
	MaxMemory           int64 // of what the search keeps, in bytes
	Bits                int64 // size in bytes of a table that has three bits of each state; 0 to compare states whole
	Workers             int   // goroutines
}

// An Input is an event.
type Input struct {
	Event string
	Data  json.RawMessage `json:",omitempty"`
}

// A Kind is a kind of [Finding].
type Kind string

// Kinds, in the words of package explore.
const (
	Deadlock Kind = "deadlock"
	Broken   Kind = "property"
	Limit    Kind = "limit"
	Error    Kind = "error"
	Reached  Kind = "reached"

	Difference Kind = "difference"

	// What inputs do, with Task.Cover.
	Entered  Kind = "entered"  // a state
	Taken    Kind = "taken"    // a transition
	Followed Kind = "followed" // a transition, directly after another one; then that one belongs to the states that the search visits
	True     Kind = "true"     // the condition of a transition was asked, and holds
	False    Kind = "false"    // likewise, and it does not
)

// A Finding is something that was found for the first time, by the fewest inputs.
type Finding struct {
	Kind   Kind
	Number int    // of Broken: the condition; of Reached and Entered: the state; otherwise the transition, of Followed both, see [Pair]
	Event  string // of Error
	Path   []int  // the numbers of inputs, and behind those the numbers of waits
}

// A Result is what a search has found.
type Result struct {
	States, Transitions, Depth, Deadlocks int

	Pruned int // of the states, those that a comparison has not visited

	Findings []Finding // in the order in which they were found
	Bound    string    // why not all states were visited: states, depth, memory, first, reached or time
	Last     []int     // with a Bound: the path to the state that was found last
	Missed   float64   // with Task.Bits: states that were taken for others, to be expected
	Waits    [][]int   // the delayed events, by their order in a state, that are due when a wait is over
	Unable   string    // what of the chart cannot be searched, with nothing else
	Bytes    int       // of a state
	Kept     int64     // bytes that the search kept
}

// Progress is how far a search has come.
type Progress struct {
	States, Transitions, Depth, Frontier int
}

// A Message is what a program of [Main] writes: lines of JSON, of which the last one has a Result.
type Message struct {
	Progress *Progress `json:",omitempty"`
	Result   *Result   `json:",omitempty"`
}

// Main reads a [Task] and searches. It ends early when the input ends.
func Main(in io.Reader, out io.Writer, newMachine func() Machine) error {
	var t Task
	lines := json.NewDecoder(in)
	if err := lines.Decode(&t); err != nil {
		return err
	}
	ctx, end := withinMemory(context.Background(), t.MaxMemory)
	defer end()
	ctx, interrupt := context.WithCancel(ctx)
	defer interrupt()
	go func() {
		io.Copy(io.Discard, in)
		interrupt()
	}()
	e := json.NewEncoder(out)
	r := Run(ctx, newMachine, t, func(p Progress) {
		e.Encode(Message{Progress: &p}) // who does not read this does not get the result either
	})
	return e.Encode(Message{Result: &r})
}

// withinMemory returns a context that ends when the heap keeps more than so many bytes, 0 for no bound. [Task].MaxMemory
// does not count what the data of a chart take.
func withinMemory(ctx context.Context, memory int64) (context.Context, context.CancelFunc) {
	const more = 16 << 20
	ctx, cancel := context.WithCancelCause(ctx)
	if memory > 0 {
		debug.SetMemoryLimit(memory + memory/4 + more) // so that garbage is collected in time
		go func() {
			live := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
			for ctx.Err() == nil {
				time.Sleep(5 * time.Millisecond)
				if metrics.Read(live); live[0].Value.Uint64() > uint64(memory+more) {
					cancel(bound("memory"))
				}
			}
		}()
	}
	return ctx, func() { cancel(nil) }
}
