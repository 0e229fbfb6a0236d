package scxml

import (
	"encoding/xml"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"time"

	"github.com/scxmlrun/scxmlrun/datamodel"
)

// A ChartOption changes how [Load] and [Parse] read a document.
type ChartOption interface{ applyToChart(*chartConfig) }

type chartConfig struct {
	loader    fs.FS
	languages []datamodel.Language
	limits    Limits
}

type chartOption func(*chartConfig)

func (f chartOption) applyToChart(c *chartConfig) { f(c) }

// WithLoader sets the file system for the src attributes of <script>, <data> and <invoke>. Their
// paths are relative to its root, and only regular files are read; fsys should implement
// [fs.StatFS], so that a FIFO is not opened. Without WithLoader, [Load] uses the folder of the
// document and [Parse] loads nothing.
func WithLoader(fsys fs.FS) ChartOption {
	return chartOption(func(c *chartConfig) { c.loader = fsys })
}

// WithLanguage adds a data model to the built-in ones, ecmascript and null. It replaces a data
// model with the same name.
func WithLanguage(l datamodel.Language) ChartOption {
	return chartOption(func(c *chartConfig) { c.languages = append(c.languages, l) })
}

// An Option configures a [Session]. It is an option of [New] and of [Restore].
type Option interface {
	RestoreOption
	applyToSession(*config)
}

type option func(*config)

func (f option) applyToSession(c *config)        { f(c) }
func (f option) applyToRestore(c *restoreConfig) { f(&c.config) }

// Options combine several options into one, for a host that passes the same ones to [New] and to
// [Restore].
type Options []Option

func (o Options) applyToSession(c *config) {
	for _, opt := range o {
		if opt == nil {
			c.none = true
			continue
		}
		opt.applyToSession(c)
	}
}
func (o Options) applyToRestore(c *restoreConfig) {
	for _, opt := range o {
		if opt == nil {
			c.none = true
			continue
		}
		opt.applyToRestore(c)
	}
}

type config struct {
	data   []dataValue
	clock  func() time.Time
	logger *slog.Logger
	seed   uint64
	seeded bool
	limits *Limits // nil: those of the chart
	accept func(name string) bool
	onWake func(*Session)
	watch  *watch // see SearchView.Watch
	trace  *Trace
	id     string
	none   bool // an option is nil
	timed  bool // by the host, or restored: Do takes every time

	beginning *beginning // nil: in the initial states

	processors []processor
	invokers   []givenInvoker

	missing       bool // WithMissing is given
	servicePanics bool // end the process
	actions       map[xml.Name]Action
	funcs         []*hostFunc
	host          any // see WithHost
	router        Router
	outbox        *Outbox

	snapshotKeys [][]byte // the first signs

	dry *Dry // nil unless WithDry is given
}

// defaultConfig is the configuration without options. It must not be modified.
var defaultConfig = config{clock: time.Now}

func newConfig(opts []Option) *config {
	if len(opts) == 0 {
		return &defaultConfig
	}
	cfg := defaultConfig
	Options(opts).applyToSession(&cfg)
	return &cfg
}

// check reports options that no session, or no session of this chart, can use.
func (c *config) check(chart *Chart) error {
	if chart == nil {
		return errors.New("the chart is nil")
	}
	if len(chart.errors) > 0 {
		return fmt.Errorf("the document has errors: %v", chart.errors[0])
	}
	if c.none {
		return errors.New("an option is nil: leave it out")
	}
	for _, p := range c.processors {
		switch {
		case p.typ == SCXMLEventProcessor:
			return fmt.Errorf("WithIOProcessor: type %q is the SCXML Event I/O Processor, which is built in", p.typ)
		case p.IOProcessor == nil:
			return fmt.Errorf("WithIOProcessor: the processor for type %q is nil", p.typ)
		}
	}
	for _, i := range c.invokers {
		if c.given(i.typ) == nil {
			return fmt.Errorf("WithInvoker: the invoker for type %q is nil", i.typ)
		}
	}
	if len(c.actions) > 0 { // to begin a loop over an empty map takes a twentieth of New
		if err := c.checkActions(); err != nil {
			return err
		}
	}
	if err := checkSnapshotKeys(c.snapshotKeys); err != nil {
		return err
	}
	return c.checkFuncs(chart)
}

func (c *config) checkActions() error {
	for name, action := range c.actions {
		if action == nil {
			return fmt.Errorf("WithAction: the action for the element %q of namespace %q is nil", name.Local, name.Space)
		}
	}
	return nil
}

type dataValue struct {
	id    string
	value any
}

// WithData sets the initial value of the top-level data item id, in place of the one in the
// document. The value may be any Go data, see [datamodel.From]; [New] copies it. The last of
// several values for one item wins. New fails if the chart does not declare the item.
func WithData(id string, value any) Option {
	return option(func(c *config) { c.data = append(c.data, dataValue{id, value}) })
}

// WithClock sets the clock that Start and Run read; the default is time.Now. The callers of
// Do, Step and Advance pass the time, which must be of the same clock: without WithClock, Do and
// Advance refuse a time that is more than a minute before the session's own.
func WithClock(now func() time.Time) Option {
	if now == nil {
		now = time.Now
	}
	return option(func(c *config) { c.clock, c.timed = now, true })
}

// WithSeed makes Math.random and generated ids of the session repeatable. Without it the seed is
// random.
func WithSeed(seed uint64) Option {
	return option(func(c *config) { c.seed, c.seeded = seed, true })
}

// WithLogger sends the output of <log> to l as records of level Info with the attributes session,
// label and value, and the chart's error events as records of level Warn. [Limits] bound what one
// macrostep logs. Without it nothing is logged.
func WithLogger(l *slog.Logger) Option {
	return option(func(c *config) { c.logger = l })
}

// WithTrace reports what the session and the sessions it invokes do. Several traces are called in
// the order in which they are given. A nil Trace is ignored. A Trace must not be modified after it
// is given.
func WithTrace(t *Trace) Option {
	return option(func(c *config) { c.trace = c.trace.and(t) })
}

// WithWake calls f with the session that the host made when a session tree that had no work gets
// some: an event from another goroutine, a Call, a Stop or the answer of a service. A host of many
// sessions then drives that one with [Session.Step], and asks none of the others; package pool does. f
// is called once, and again only after the session was driven. It is also called when a driver
// leaves work to do without saying so in its results. Delayed events do not call it; see
// [Session.NextDue].
//
// f runs outside all locks, on the goroutine that caused the work, which may be the owner's. It
// must not block and must not drive the session.
func WithWake(f func(*Session)) Option {
	return option(func(c *config) { c.onWake = f })
}

// WithSessionID sets _sessionid. Without it the id is generated.
func WithSessionID(id string) Option {
	return option(func(c *config) { c.id = id })
}

// WithLimits sets limits. As an option of [Load] and [Parse] they apply to the document and to the
// sessions of its chart, as an option of [New] and [Restore] to one session.
func WithLimits(l Limits) LimitsOption { return LimitsOption{l} }

// A LimitsOption is a [ChartOption] and an [Option].
type LimitsOption struct{ limits Limits }

func (o LimitsOption) applyToChart(c *chartConfig)     { c.limits = o.limits }
func (o LimitsOption) applyToSession(c *config)        { c.limits = &o.limits }
func (o LimitsOption) applyToRestore(c *restoreConfig) { o.applyToSession(&c.config) }
