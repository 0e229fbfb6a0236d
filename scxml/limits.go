package scxml

import (
	"errors"
	"fmt"
	"time"

	"github.com/scxmlrun/scxmlrun/datamodel"
	"github.com/scxmlrun/scxmlrun/datamodel/ecmascript"
	"github.com/scxmlrun/scxmlrun/scxml/internal/doc"
	"github.com/scxmlrun/scxmlrun/scxml/internal/table"
)

// Limits bound what a document and a session may use. A zero field stands for
// the default, a negative one for no limit (where that is not possible, for the
// largest one). The defaults stop no honest chart of 100,000 states; [Strict]
// is for charts from strangers. [WithLimits] sets them.
//
// A limit that is hit leaves everything in a defined state. Either it is
// error.execution: the block of executable content ends there, and the session
// goes on. Or it stops the session: the onexit handlers run, and Start, Step
// and Run return a [*LimitError]; an invoked session that is stopped so is
// error.execution in its parent. Which of the two it is, each field says. What
// a document has too much of refuses it.
type Limits struct {
	DocumentSize  int // bytes of the document, and of all scripts and data that it loads together; default 64 MB
	DocumentDepth int // nesting of elements; default 1,000
	Elements      int // default 5,000,000
	Attributes    int // of one element; default 1,000
	ExprSize      int // bytes of one expression or script; default 512 KB. A longer one is a syntax error: error.execution when it is evaluated
	ExprDepth     int // nesting of brackets in it; default and maximum 1,000. A deeper one is a syntax error, likewise

	Microsteps    int // of one macrostep, internal events that enable nothing included; default 100,000. It stops the session and names the cycle of states
	InternalQueue int // events; default 1,000,000. It stops the session
	ExternalQueue int // events, for each session; default 1,000,000. Send returns [ErrQueueFull], a <send> is error.communication

	DataSize  int // of the data of one event, counted as [datamodel.Size] does; default 16 MB. Send returns an error, a <send> is error.execution
	DataDepth int // nesting of it; default and maximum 500. Likewise

	Timers int           // delayed events pending in a session tree; default 1,000,000. A <send> is error.execution
	Delay  time.Duration // of one <send>; default and maximum 366 days. A <send> is error.execution

	InvokeDepth int // nesting of invoked sessions; default 32. An <invoke> is error.execution
	Sessions    int // living sessions of a session tree; default 10,000. An <invoke> is error.execution

	ForeachItems  int           // iterations of one <foreach>; default 10,000,000. It is error.execution after that many
	ScriptTime    time.Duration // wall-clock time of one evaluation; default 5 s. It is broken off, which is error.execution
	MacrostepTime time.Duration // wall-clock time of the scripts of one macrostep; default 30 s. It stops the session
	CallDepth     int           // nesting of script calls; default 2,000. It is error.execution
	LogSize       int           // bytes that the <log> elements of one macrostep say, each counted with 64 more; default 16 MB. A <log> is error.execution
	ErrorReports  int           // error events of one macrostep that a [Trace] and a logger are told of; default 1,000. The others are counted, and that is told
}

// DefaultLimits returns what zero fields stand for.
func DefaultLimits() Limits { return defaultLimits }

// defaultLimits are what a zero field stands for.
var defaultLimits = Limits{
	DocumentSize: 64 << 20, DocumentDepth: 1000, Elements: 5_000_000, Attributes: 1000,
	ExprSize: ecmascript.DefaultMaxScript, ExprDepth: 1000,
	Microsteps: 100_000, InternalQueue: 1_000_000, ExternalQueue: 1_000_000,
	DataSize: 16 << 20, DataDepth: datamodel.MaxDepth,
	Timers: 1_000_000, Delay: doc.MaxDelay,
	InvokeDepth: 32, Sessions: 10_000,
	ForeachItems: 10_000_000, ScriptTime: 5 * time.Second, MacrostepTime: 30 * time.Second,
	CallDepth: 2_000, LogSize: 16 << 20, ErrorReports: 1_000,
}

// Strict returns limits for charts from strangers.
func Strict() Limits {
	return Limits{
		DocumentSize: 4 << 20, DocumentDepth: 200, Elements: 100_000, Attributes: 64,
		ExprSize: 256 << 10, ExprDepth: 500,
		Microsteps: 10_000, InternalQueue: 10_000, ExternalQueue: 10_000,
		DataSize: 1 << 20, DataDepth: 200,
		Timers: 10_000, Delay: doc.MaxDelay,
		InvokeDepth: 8, Sessions: 100,
		ForeachItems: 1_000_000, ScriptTime: 100 * time.Millisecond, MacrostepTime: time.Second,
		CallDepth: 500, LogSize: 1 << 20, ErrorReports: 100,
	}
}

// unlimited is what a negative limit is turned into.
const unlimited = int(^uint(0) >> 1)

// withDefaults returns l with each field set to what it stands for, so that
// nobody who compares with it has to know about zero and negative values.
func (l Limits) withDefaults() Limits {
	set := func(n *int, to, most int) {
		switch {
		case *n == 0:
			*n = to
		case *n < 0 || *n > most:
			*n = most
		}
	}
	setTime := func(d *time.Duration, to, most time.Duration) {
		switch {
		case *d == 0:
			*d = to
		case *d < 0 || *d > most:
			*d = most
		}
	}
	d := &defaultLimits
	set(&l.DocumentSize, d.DocumentSize, 1<<31-1)
	set(&l.DocumentDepth, d.DocumentDepth, 100_000)
	set(&l.Elements, d.Elements, 1<<31-1)
	set(&l.Attributes, d.Attributes, 1<<31-1)
	set(&l.ExprSize, d.ExprSize, 1<<31-1)
	set(&l.ExprDepth, d.ExprDepth, d.ExprDepth)
	set(&l.Microsteps, d.Microsteps, unlimited)
	set(&l.InternalQueue, d.InternalQueue, unlimited)
	set(&l.ExternalQueue, d.ExternalQueue, unlimited)
	set(&l.DataSize, d.DataSize, unlimited)
	set(&l.DataDepth, d.DataDepth, d.DataDepth)
	set(&l.Timers, d.Timers, unlimited)
	setTime(&l.Delay, d.Delay, d.Delay)
	set(&l.InvokeDepth, d.InvokeDepth, unlimited)
	set(&l.Sessions, d.Sessions, unlimited)
	set(&l.ForeachItems, d.ForeachItems, unlimited)
	setTime(&l.ScriptTime, d.ScriptTime, 1<<63-1)
	setTime(&l.MacrostepTime, d.MacrostepTime, 1<<63-1)
	set(&l.CallDepth, d.CallDepth, 1<<31-1)
	set(&l.LogSize, d.LogSize, unlimited)
	set(&l.ErrorReports, d.ErrorReports, unlimited)
	return l
}

// A LimitError says which of the [Limits] was exceeded. It is what Start, Step
// and Run return for a session that was stopped by one, and what errors of
// executable content wrap that hit one.
type LimitError struct {
	Limit  string   // name of the field of Limits
	Value  any      // its value: an int or a time.Duration
	States []string // for Microsteps: the states that the last microsteps entered, the cycle
}

// Error names the limit, its value and the cycle.
func (e *LimitError) Error() string {
	msg := fmt.Sprintf("scxml: limit %s = %v exceeded", e.Limit, e.Value)
	if len(e.States) > 0 {
		msg += ": the chart goes round in "
		for i, name := range e.States {
			if i > 0 {
				msg += ", "
			}
			msg += name
		}
	}
	return msg
}

// checkData holds event data against the limits.
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
	return &LimitError{Limit: "Microsteps", Value: limit, States: s.cycleNames()}
}

// exceeded is told of every error that becomes an error event: one that the
// session must not survive stops it before its next microstep. What a function
// of the host has returned, such as the error of another session, is not one.
func (s *Session) exceeded(err error) {
	var eval *datamodel.EvalError
	if errors.As(err, &eval) && eval.Err == datamodel.ErrMacrostepTime && s.limit == nil {
		s.limit = &LimitError{Limit: "MacrostepTime", Value: s.tree.limits.MacrostepTime}
	}
}

// noteCycle writes down the states that were just entered, or if it was an
// event that has enabled nothing, those that are active.
func (s *Session) noteCycle() {
	const most = 1024
	s.needScratch()
	if s.steps == s.tree.limits.Microsteps-cycleLength {
		s.cycle = s.cycle[:0] // of an earlier macrostep
	}
	note := func(st table.State) {
		if len(s.cycle) < most {
			s.cycle = append(s.cycle, st)
		}
	}
	dynamic := false
	for _, id := range s.enabled {
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
		for _, st := range s.atoms {
			note(st)
		}
	}
}

// cycleNames returns the names of the states that were written down, each once.
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

// cycleLength is how many microsteps before the limit the states that are
// entered are written down.
const cycleLength = 100
