package scxml

import (
	"context"
	"io/fs"
	"maps"
	"time"

	"github.com/scxmlrun/scxmlrun/datamodel"
)

// Settings are options as values, for a package that runs sessions elsewhere, as package isolate
// does. See [SettingsOf].
type Settings struct {
	// Used has the names of the options that were given, such as "WithData".
	Used []string

	Loader      fs.FS   // nil without one
	ChartLimits *Limits // given to the chart; nil without them
	Limits      *Limits // given to the session; nil without them
	Data        []Setting
	Seed        *uint64 // nil without one
	SessionID   string
	Timers      TimerPolicy
	Clock       func() time.Time // time.Now without one
	Accept      func(name string) bool
	Funcs       []HostFunc // the last of several with the same name is valid
	Invokers    map[string]Invoker
	Host        any      // the value given by WithHost; Funcs have it
	Processors  []string // types given to WithIOProcessor
	Outbox      *Outbox  // nil without WithOutbox; its types are not in Invokers and Processors

	Configuration []string // of WithConfiguration; nil without it

	ServicePanics bool // WithServicePanics is given
	Missing       bool // WithMissing is given
}

// A Setting is the initial value of a data item, see [WithData].
type Setting struct {
	ID    string
	Value datamodel.Value
}

// A HostFunc is a function given by [WithFunc]. Call decodes the arguments, calls the function and
// encodes its result. If the function panics, the error is a [*PanicError]. Call is as safe for
// concurrent use as the function.
type HostFunc struct {
	Name string
	Call func(ctx context.Context, args []datamodel.Value) (datamodel.Value, error)
}

// SettingsOf returns what options of a chart and of its session say. The error is the one that
// [New] returns for a value or function that cannot be used.
func SettingsOf(chart []ChartOption, session ...RestoreOption) (Settings, error) {
	cc, rc := new(chartConfig), restoreConfig{config: defaultConfig}
	rc.clock = nil
	for _, opt := range chart {
		opt.applyToChart(cc)
	}
	for _, opt := range session {
		opt.applyToRestore(&rc)
	}
	s := Settings{
		Loader: cc.loader, Limits: rc.limits, SessionID: rc.id, Timers: rc.timers,
		Clock: rc.clock, Accept: rc.accept, Outbox: rc.outbox,
		ServicePanics: rc.servicePanics, Missing: rc.missing, Host: rc.host,
	}
	for _, p := range rc.processors {
		if _, out := p.IOProcessor.(outboxProcessor); !out {
			s.Processors = append(s.Processors, p.typ)
		}
	}
	for _, i := range rc.invokers {
		if s.Invokers == nil {
			s.Invokers = make(map[string]Invoker)
		}
		s.Invokers[i.typ] = i.Invoker
	}
	maps.DeleteFunc(s.Invokers, func(_ string, i Invoker) bool { _, out := i.(outboxInvoker); return out })
	if rc.router == (outboxRouter{}) {
		rc.router = nil
	}
	if cc.limits != (Limits{}) {
		s.ChartLimits = &cc.limits
	}
	if rc.seeded {
		s.Seed = &rc.seed
	}
	for _, d := range rc.data {
		v, err := datamodel.From(d.value)
		if err != nil {
			return s, dataError(d.id, err)
		}
		s.Data = append(s.Data, Setting{d.id, v})
	}
	for _, f := range rc.funcs {
		host := rc.host
		if err := f.checkFor(rc.hostType()); err != nil {
			return s, funcError(f.name, err)
		}
		if !f.takes(rc.hostType()) {
			host = nil
		}
		s.Funcs = append(s.Funcs, HostFunc{f.name, func(ctx context.Context, args []datamodel.Value) (datamodel.Value, error) {
			return f.call(ctx, host, args)
		}})
	}
	if rc.beginning != nil {
		s.Configuration = rc.beginning.names
	}
	for _, option := range []struct {
		name string
		used bool
	}{
		{"WithLoader", s.Loader != nil}, {"WithLanguage", cc.languages != nil}, {"WithLimits", s.ChartLimits != nil || s.Limits != nil},
		{"WithData", s.Data != nil}, {"WithClock", s.Clock != nil}, {"WithSeed", rc.seeded}, {"WithLogger", rc.logger != nil},
		{"WithTrace", rc.trace != nil}, {"WithWake", rc.onWake != nil}, {"WithSessionID", rc.id != ""}, {"WithAccept", rc.accept != nil},
		{"WithIOProcessor", s.Processors != nil}, {"WithInvoker", len(s.Invokers) > 0}, {"WithOutbox", s.Outbox != nil}, {"WithAction", rc.actions != nil},
		{"WithFunc", rc.funcs != nil}, {"WithHost", rc.host != nil}, {"WithMissing", rc.missing}, {"WithRouter", rc.router != nil}, {"WithSnapshotKey", rc.snapshotKeys != nil},
		{"WithTimers", rc.timers != KeepDue}, {"WithMigration", rc.migrate != nil}, {"WithConfiguration", rc.beginning != nil},
	} {
		if option.used {
			s.Used = append(s.Used, option.name)
		}
	}
	if s.Clock == nil {
		s.Clock = time.Now
	}
	return s, nil
}
