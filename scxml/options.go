package scxml

import (
	"io/fs"
	"log/slog"
	"time"

	"github.com/scxmlrun/scxmlrun/datamodel"
)

// A ChartOption changes how [Load] and [Parse] read a document.
type ChartOption func(*chartConfig)

type chartConfig struct {
	loader    fs.FS
	languages []datamodel.Language
}

// WithLoader names the file system that the src attributes of <script> and
// <data> are read from; their paths are relative to its root. Without it
// [Load] uses the folder of the document, and [Parse] refuses to load
// anything.
func WithLoader(fsys fs.FS) ChartOption {
	return func(c *chartConfig) { c.loader = fsys }
}

// WithLanguage adds a data model to the built-in ones, ecmascript and null.
// It replaces an earlier one of the same name.
func WithLanguage(l datamodel.Language) ChartOption {
	return func(c *chartConfig) { c.languages = append(c.languages, l) }
}

// An Option changes a new [Session].
type Option func(*config)

type config struct {
	data   []dataValue
	clock  func() time.Time
	logger *slog.Logger
	seed   uint64
	seeded bool
	limits Limits
	trace  *Trace
	id     string

	processors []processor
}

type dataValue struct {
	id    string
	value any
}

// WithData gives the top-level data item id an initial value, in place of the
// one that the document says. The value may be any Go data, see
// [datamodel.From]; it is copied by [New]. Of several values for one item the
// last one counts.
func WithData(id string, value any) Option {
	return func(c *config) { c.data = append(c.data, dataValue{id, value}) }
}

// WithClock sets the clock that Start, Run and Call read; time.Now without
// it. Step is told the time by its caller.
func WithClock(now func() time.Time) Option {
	return func(c *config) { c.clock = now }
}

// WithSeed makes everything random in the session repeatable: Math.random and
// generated ids. Without it the seed is random.
func WithSeed(seed uint64) Option {
	return func(c *config) { c.seed, c.seeded = seed, true }
}

// WithLogger sends what <log> says to l, as records of level Info with the
// attributes session, label and value, and error events of the chart as
// records of level Warn. Without it nothing is logged.
func WithLogger(l *slog.Logger) Option {
	return func(c *config) { c.logger = l }
}

// WithTrace reports what the session, and every session that it invokes, does.
func WithTrace(t *Trace) Option {
	return func(c *config) { c.trace = t }
}

// WithSessionID sets _sessionid. Without it one is generated.
func WithSessionID(id string) Option {
	return func(c *config) { c.id = id }
}

// WithLimits replaces the default limits.
func WithLimits(l Limits) Option {
	return func(c *config) { c.limits = l }
}

// Limits bound what a session may use. A zero field stands for the default, a
// negative one for no limit.
type Limits struct {
	// Microsteps of one macrostep; default 100,000. The session is stopped
	// with a [*LimitError] beyond it.
	Microsteps int
	// InternalQueue is the length of the internal queue; default 1,000,000.
	// The session is stopped with a [*LimitError] beyond it.
	InternalQueue int
	// ExternalQueue is the length of the external queue of a session; default
	// 1,000,000. Beyond it Send returns [ErrQueueFull], and a <send> ends in
	// error.communication.
	ExternalQueue int
	// Timers is the number of delayed events pending in a session tree;
	// default 1,000,000. A <send> beyond it is error.execution.
	Timers int
	// ScriptTime is the wall-clock time of one evaluation; default 5 s.
	// Beyond it the evaluation is broken off, which is error.execution.
	ScriptTime time.Duration
	// InvokeDepth is how deep invoked sessions may invoke others; default 32.
	// An <invoke> beyond it is error.execution.
	InvokeDepth int
	// Sessions is the number of living sessions of a session tree; default
	// 10,000. An <invoke> beyond it is error.execution.
	Sessions int
	// CallDepth is the depth of nested script calls; default 2,000.
	CallDepth int
}
