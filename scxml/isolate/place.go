package isolate

import (
	"context"
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/scxmlrun/scxmlrun/scxml"
	"github.com/scxmlrun/scxmlrun/scxml/internal/eventjson"
	"github.com/scxmlrun/scxmlrun/scxml/record"
)

// New returns a session in the child. It takes the options of [scxml.New] except those that cannot
// cross the wall, which it names in its error.
func (t *Tenant) New(ctx context.Context, spec Spec, opts ...scxml.Option) (*Session, error) {
	all := make([]scxml.RestoreOption, len(opts))
	for i, opt := range opts {
		all[i] = opt
	}
	return t.place(ctx, spec, nil, all)
}

// Restore is New for a session that was saved, by [Session.Snapshot] or by one of package scxml.
// The snapshot need not be trusted.
func (t *Tenant) Restore(ctx context.Context, spec Spec, snapshot []byte, opts ...scxml.RestoreOption) (*Session, error) {
	return t.place(ctx, spec, append([]byte{}, snapshot...), opts)
}

func (t *Tenant) place(ctx context.Context, spec Spec, saved []byte, opts []scxml.RestoreOption) (*Session, error) {
	s, p, err := t.prepare(spec, saved, opts)
	if err != nil {
		return nil, err
	}
	p.Now = s.clock()
	if spec.Records != nil {
		p.Kinds, s.tell = spec.Kinds, spec.Records
	}
	return s, s.place(ctx, newSession, p)
}

// A placement is the argument of the requests for a new session.
type placement struct {
	Document document
	Setup    setup
	Now      time.Time
	Kinds    record.Set
	Drive    *driving `json:",omitempty"`
}

// place makes the session in the child. If that fails, there is none.
func (s *Session) place(ctx context.Context, m method[*hosted, placement, *Chart], p *placement) (err error) {
	s.chart, err = ask(ctx, s, m, *p)
	if err == nil && s.chart == nil {
		s.tenant.breach("it did not describe the document")
		err = s.tenant.Err()
	}
	if err != nil {
		s.tenant.drop(s)
	}
	return err
}

// prepare returns a session that is not in the child yet, and what the child must know of it.
func (t *Tenant) prepare(spec Spec, saved []byte, opts []scxml.RestoreOption) (*Session, *placement, error) {
	settings, err := scxml.SettingsOf(spec.Options, opts...)
	if err == nil {
		err = refuse(settings.Used, saved != nil)
	}
	if err != nil {
		return nil, nil, fmt.Errorf("isolate: %w", err)
	}
	limits := settings.ChartLimits
	if limits == nil && settings.Limits == nil {
		strict := scxml.Strict()
		limits = &strict
	}
	s := &Session{
		tenant: t, spec: spec, value: settings.Host, clock: settings.Clock, accept: settings.Accept, invokers: settings.Invokers, panics: settings.ServicePanics,
		wake: make(chan struct{}, 1), depth: maxDepth(limits),
		host: host{time: t.pool.cfg.HostTime, funcs: map[string]scxml.HostFunc{}, loader: settings.Loader, most: maxFile(limits)},
	}
	setup := setup{
		Limits: settings.Limits, Seed: settings.Seed, SessionID: settings.SessionID, Configuration: settings.Configuration, Timers: settings.Timers,
		UserEvents: spec.UserEvents, Missing: settings.Missing, Saved: saved, Migrated: spec.Migrated,
	}
	for _, d := range settings.Data {
		setup.Data = append(setup.Data, preset{d.ID, eventjson.Value{V: d.Value}})
	}
	for _, f := range settings.Funcs {
		s.funcs[f.Name] = f
		setup.Funcs = append(setup.Funcs, f.Name)
	}
	if o := settings.Outbox; o != nil {
		s.outbox = *o
		setup.Outbox = &outbox{o.Processors, o.Services, o.Location != nil, o.Sessions, o.Check != nil}
	}
	for typ := range settings.Invokers {
		setup.Services = append(setup.Services, typ)
	}
	t.mu.Lock()
	t.numbers++
	s.number = t.numbers
	t.sessions[s.number] = s
	t.mu.Unlock()
	return s, &placement{
		Document: document{Name: spec.Name, Source: spec.Source, Loader: settings.Loader != nil, Limits: limits}, Setup: setup,
	}, nil
}

// maxDepth returns how deep elements of the document may be nested.
func maxDepth(limits *scxml.Limits) int {
	depth := scxml.DefaultLimits().DocumentDepth
	if limits != nil && limits.DocumentDepth != 0 {
		depth = limits.DocumentDepth
	}
	if depth < 0 { // there is no limit
		depth = math.MaxInt
	}
	return depth
}

// maxFile returns how many bytes of a file the child may read.
func maxFile(limits *scxml.Limits) int64 {
	size := scxml.DefaultLimits().DocumentSize
	if limits != nil && limits.DocumentSize > 0 {
		size = min(size, limits.DocumentSize)
	}
	return int64(size)
}

// refused are the options that cannot cross the wall, and what to do instead.
var refused = map[string]string{
	"WithLanguage":    "a data model runs in the process of the session",
	"WithLogger":      "use Spec.Records with kind Log",
	"WithTrace":       "use Spec.Records",
	"WithWake":        "use Session.Wake",
	"WithIOProcessor": "use WithOutbox",
	"WithAction":      "it needs the session; use WithFunc",
	"WithRouter":      "use WithOutbox",
	"WithSnapshotKey": "a child must not know the key; sign what Snapshot returns yourself",
	"WithMigration":   "change the snapshot before Restore, and set Spec.Migrated",
}

func refuse(used []string, restored bool) error {
	for _, name := range used {
		switch why, ok := refused[name]; {
		case ok:
			return fmt.Errorf("%s cannot cross the wall: %s", name, why)
		case restored && slices.Contains([]string{"WithData", "WithSeed", "WithSessionID", "WithConfiguration"}, name):
			return fmt.Errorf("%s is not allowed for Restore: the snapshot has the value", name)
		}
	}
	return nil
}
