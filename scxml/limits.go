package scxml

import (
	"errors"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strings"
	"time"

	"github.com/scxmlrun/scxmlrun/datamodel"
	"github.com/scxmlrun/scxmlrun/datamodel/ecmascript"
	"github.com/scxmlrun/scxmlrun/scxml/internal/delay"
	"github.com/scxmlrun/scxmlrun/scxml/internal/table"
)

// Limits bound what a document and a session may use. Zero means the default. A negative value
// means no limit, or the maximum where one is documented. The defaults are large enough for honest
// charts of 100,000 states; [Strict] has smaller ones for untrusted charts. Set limits with
// [WithLimits].
//
// Exceeding a limit has one of three effects, which the fields name:
//
//   - "refused": the document is refused with a [*DocumentError].
//   - "error.execution", "error.communication": the element fails. Its block of executable content
//     ends and the session continues.
//   - "stops": the session runs its onexit handlers and ends. Start, Step and Run return a
//     [*LimitError]. If it was an invoked session, its parent gets error.execution.
//
// The two times are watched by another thread. WebAssembly has none: there a script that loops does not end, and a page
// runs sessions in a worker, which it can terminate.
type Limits struct {
	DocumentSize  int // bytes of the document, and of all scripts and data that it loads; default 64 MB; refused
	DocumentDepth int // nesting of elements; default 1,000; refused
	Elements      int // default 5,000,000; refused
	Attributes    int // of one element; default 1,000; refused
	ExprSize      int // bytes of one expression or script; default 512 KB; a syntax error, which is error.execution when evaluated
	ExprDepth     int // nesting of brackets in one; default and maximum 1,000; as ExprSize

	Microsteps    int // in one macrostep, including internal events that enable nothing; default 100,000; stops, and the error names the states of the loop
	InternalQueue int // events; default 1,000,000; stops
	ExternalQueue int // events per session; default 1,000,000; [ErrQueueFull] from Send, error.communication of a <send>

	DataSize  int // of the data of one event, as [datamodel.Size] counts it; default 16 MB; an error from Send, error.execution of a <send>
	DataDepth int // nesting of it; default and maximum 500; as DataSize

	Timers int           // pending delayed events of a session tree; default 1,000,000; error.execution of the <send>
	Delay  time.Duration // of one <send>; default and maximum 366 days; error.execution of the <send>
	Outbox int           // messages that a session tree has handed out and that are not reported, see [WithOutbox]; default 100,000; error.communication of the <send>

	InvokeDepth int // nesting of invoked sessions; default 32; error.execution of the <invoke>
	Sessions    int // running sessions of a session tree; default 10,000; error.execution of the <invoke>

	ForeachItems  int           // iterations of one <foreach>; default 10,000,000; error.execution after that many
	ScriptTime    time.Duration // wall-clock time of one evaluation; default 5 s; interrupted with error.execution
	MacrostepTime time.Duration // wall-clock time of the scripts of one macrostep; default 30 s; stops
	CallDepth     int           // nesting of script calls; default 2,000; error.execution
	ArrayItems    int           // of an array that one function of the script library makes or goes through, set by the limits of the chart; default and maximum 10,000,000; error.execution
	StringLength  int           // of a string that one function of the script library makes, as ArrayItems; default and maximum 268,435,456; error.execution
	LogSize       int           // bytes logged by the <log> elements of one macrostep, plus 64 for each; default 16 MB; error.execution of the <log>
	ErrorReports  int           // error events of one macrostep reported to a [Trace] and a logger; default 1,000; one more report counts the rest
}

// DefaultLimits returns the limits that zero fields mean.
func DefaultLimits() Limits { return defaultLimits }

var defaultLimits = Limits{
	DocumentSize: 64 << 20, DocumentDepth: 1000, Elements: 5_000_000, Attributes: 1000,
	ExprSize: ecmascript.DefaultMaxScript, ExprDepth: 1000,
	Microsteps: 100_000, InternalQueue: 1_000_000, ExternalQueue: 1_000_000,
	DataSize: 16 << 20, DataDepth: datamodel.MaxDepth,
	Timers: 1_000_000, Delay: delay.Max, Outbox: 100_000,
	InvokeDepth: 32, Sessions: 10_000,
	ForeachItems: 10_000_000, ScriptTime: 5 * time.Second, MacrostepTime: 30 * time.Second,
	CallDepth: 2_000, ArrayItems: 10_000_000, StringLength: 256 << 20, LogSize: 16 << 20, ErrorReports: 1_000,
}

// Strict returns limits for untrusted charts.
func Strict() Limits {
	return Limits{
		DocumentSize: 4 << 20, DocumentDepth: 200, Elements: 100_000, Attributes: 64,
		ExprSize: 256 << 10, ExprDepth: 500,
		Microsteps: 10_000, InternalQueue: 10_000, ExternalQueue: 10_000,
		DataSize: 1 << 20, DataDepth: 200,
		Timers: 10_000, Delay: delay.Max, Outbox: 1_000,
		InvokeDepth: 8, Sessions: 100,
		ForeachItems: 1_000_000, ScriptTime: 100 * time.Millisecond, MacrostepTime: time.Second,
		CallDepth: 500, ArrayItems: 200_000, StringLength: 16 << 20, LogSize: 1 << 20, ErrorReports: 100,
	}
}

// maxLimits are the largest limits that are possible.
var maxLimits = Limits{
	DocumentSize: math.MaxInt32, DocumentDepth: 100_000, Elements: math.MaxInt32, Attributes: math.MaxInt32,
	ExprSize: math.MaxInt32, ExprDepth: 1000,
	Microsteps: math.MaxInt, InternalQueue: math.MaxInt, ExternalQueue: math.MaxInt,
	DataSize: math.MaxInt, DataDepth: datamodel.MaxDepth,
	Timers: math.MaxInt, Delay: delay.Max, Outbox: math.MaxInt,
	InvokeDepth: math.MaxInt, Sessions: math.MaxInt,
	ForeachItems: math.MaxInt, ScriptTime: math.MaxInt64, MacrostepTime: math.MaxInt64,
	CallDepth: math.MaxInt32, ArrayItems: 10_000_000, StringLength: 256 << 20, LogSize: math.MaxInt, ErrorReports: math.MaxInt,
}

// withDefaults returns l with zero and negative fields replaced, so that limits can be compared
// directly. Every field is an int or a time.Duration.
func (l Limits) withDefaults() Limits {
	fields, defaults, most := reflect.ValueOf(&l).Elem(), reflect.ValueOf(&defaultLimits).Elem(), reflect.ValueOf(&maxLimits).Elem()
	for i := range fields.NumField() {
		switch f, most := fields.Field(i), most.Field(i).Int(); {
		case f.IsZero():
			f.Set(defaults.Field(i))
		case f.Int() < 0 || f.Int() > most:
			f.SetInt(most)
		}
	}
	return l
}

// A LimitError names the exceeded limit. Start, Step and Run return it for a session that a limit
// has stopped, and errors of executable content wrap it.
type LimitError struct {
	Limit  string   // name of the field of [Limits]
	Value  any      // its value: an int or a time.Duration
	States []string // for Microsteps: the states that the last microsteps entered

	// Transitions says, for Microsteps, where the transitions are that the last microsteps took.
	Transitions []datamodel.Position
}

// Error names the limit, its value and the loop of states.
func (e *LimitError) Error() string {
	msg := fmt.Sprintf("scxml: limit %s = %v exceeded", e.Limit, e.Value)
	if len(e.States) > 0 {
		msg += ": the chart loops through " + strings.Join(e.States, ", ")
	}
	const most = 5
	for i, pos := range e.Transitions[:min(len(e.Transitions), most)] {
		switch {
		case i > 0:
			msg += fmt.Sprintf(", %d:%d", pos.Line, pos.Col)
		case len(e.Transitions) == 1:
			msg += " by the transition at " + pos.String()
		default:
			msg += " by the transitions at " + pos.String()
		}
	}
	if more := len(e.Transitions) - most; more > 0 {
		msg += fmt.Sprintf(" and %d more", more)
	}
	return msg
}

// checkData compares event data with the limits.
func (l *Limits) checkData(v datamodel.Value) error {
	switch v := v.(type) {
	case nil, bool, int64, float64, datamodel.NullType:
		return nil
	case string:
		if len(v) <= l.DataSize {
			return nil
		}
	}
	switch size, depth := datamodel.Size(v, l.DataSize, l.DataDepth); {
	case depth > l.DataDepth:
		return &LimitError{Limit: "DataDepth", Value: l.DataDepth}
	case size > l.DataSize:
		return &LimitError{Limit: "DataSize", Value: l.DataSize}
	}
	return nil
}

// checkLimits is called before each microstep.
func (s *Session) checkLimits() error {
	if s.limit != nil {
		return s.limit
	}
	limit := s.tree.limits.Microsteps
	switch {
	case s.steps < limit-cycleLength:
		return nil
	case s.steps <= limit:
		s.noteCycle()
		return nil
	}
	return &LimitError{Limit: "Microsteps", Value: limit, States: s.cycleNames(), Transitions: s.cyclePlaces()}
}

// exceeded receives every error that becomes an error event. If it is one that stops the session,
// the next microstep does so. Errors returned by functions of the host do not count, such as the
// error of another session.
func (s *Session) exceeded(err error) {
	var eval *datamodel.EvalError
	if errors.As(err, &eval) && eval.Err == datamodel.ErrMacrostepTime && s.limit == nil {
		s.limit = &LimitError{Limit: "MacrostepTime", Value: s.tree.limits.MacrostepTime}
	}
}

// noteCycle records the states that were just entered, or the active ones if an event has enabled
// nothing.
func (s *Session) noteCycle() {
	const most = 1024
	s.needScratch()
	if s.steps <= max(1, s.tree.limits.Microsteps-cycleLength) {
		s.cycle = s.cycle[:0] // of an earlier macrostep
		s.cycleTaken = s.cycleTaken[:0]
	}
	note := func(st table.State) {
		if len(s.cycle) < most {
			s.cycle = append(s.cycle, st)
		}
	}
	dynamic := false
	for _, id := range s.enabled {
		if len(s.cycleTaken) < most && !slices.Contains(s.cycleTaken, id) {
			s.cycleTaken = append(s.cycleTaken, id)
		}
		for _, e := range s.chart.staticEntries(id) {
			note(e.state)
		}
		dynamic = dynamic || !s.chart.transitions[id].static
	}
	if dynamic {
		for _, e := range s.entering {
			note(e.state)
		}
	}
	if len(s.enabled) == 0 {
		for _, st := range s.atomic {
			note(st)
		}
	}
}

// cycleNames returns the names of the recorded states without duplicates.
func (s *Session) cycleNames() []string {
	var names []string
	seen := make(map[table.State]bool)
	for _, st := range s.cycle {
		if !seen[st] {
			seen[st] = true
			names = append(names, s.chart.states[st].name)
		}
	}
	return names
}

// cyclePlaces returns the places of the transitions that were written down.
func (s *Session) cyclePlaces() []datamodel.Position {
	var places []datamodel.Position
	for _, id := range s.cycleTaken {
		places = append(places, s.chart.transitions[id].pos)
	}
	return places
}

// cycleLength is how many microsteps before the limit noteCycle begins to record.
const cycleLength = 100
