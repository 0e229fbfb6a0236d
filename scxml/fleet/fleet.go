package fleet

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"slices"
	"sync"
	"time"

	"github.com/scxmlrun/scxmlrun/scxml"
)

// Errors of a fleet, besides those of its [Store], [scxml.ErrNotAccepted] and [*ChartError]. Compare
// with [errors.Is].
var (
	// ErrExists says that there is a session with this key.
	ErrExists = errors.New("the session exists")
	// ErrEnded says that the session has ended and accepts no events.
	ErrEnded = errors.New("the session has ended")
	// ErrSuspended says that the session is suspended. Send works.
	ErrSuspended = errors.New("the session is suspended")
	// ErrNotSuspended says that the session is not suspended.
	ErrNotSuspended = errors.New("the session is not suspended")
	// ErrNoFailure says that nothing has failed that could be tried again or skipped.
	ErrNoFailure = errors.New("nothing has failed")
	// ErrInboxFull says that too many events wait in the inbox of a session. Try again later.
	ErrInboxFull = errors.New("the inbox of the session is full")
	// ErrTooLarge says that an event, or the session after it, is larger than [Config].Size.
	ErrTooLarge = errors.New("too large")
	// ErrKey says that a text is not a key.
	ErrKey = errors.New("want 1 to 200 letters, digits and . _ : @ -, the first of them a letter or digit")
	// ErrUnknown says that a store has failed in a way that does not tell whether a change has
	// happened. Repeat the call with the same [ID].
	ErrUnknown = errors.New("it is unknown whether the change was stored")
	// ErrRefused is wrapped by the error of a [Deliver] for a message that will never be delivered.
	ErrRefused = errors.New("the message was refused")
	// ErrAgain is wrapped by errors of a [Live] that are not the session's fault: the fleet tries
	// again, and does not count a failed attempt.
	ErrAgain = errors.New("try again")
)

// A ChartError says that a session has a version of a chart that the fleet does not know.
type ChartError struct{ Key, Chart, Hash string }

// Error names the session, the chart and the hash.
func (e *ChartError) Error() string {
	return fmt.Sprintf("session %q runs a version of chart %q that is not here (hash %s): define it, or migrate the session",
		e.Key, e.Chart, e.Hash)
}

// A Config configures a fleet. The zero value works.
type Config struct {
	// Now tells the time; the default is time.Now.
	Now func() time.Time

	// Processors deliver the messages of <send> elements, by their type.
	Processors map[string]Deliver
	// Location returns the address of a session for a type of Processors, which becomes its location
	// in _ioprocessors, or "". The id is the key, or KEY~TEXT for a session that it has invoked. It may
	// be nil.
	Location func(id, typ string) string
	// Services run the <invoke> elements, by their type. The type "*" is all others that are not
	// charts.
	Services map[string]scxml.Invoker

	// Zero means the default. A negative number means no bound for Inbox and Size, and none of the
	// others.
	Inbox int // events that may wait for a session; default 1,000
	Size  int // bytes of the snapshot of a session, and of the events in its inbox; default 1 MB
	IDs   int // events of a session whose [ID] is remembered; default 100
	Log   int // entries that are kept of the log of a session; default 100
	Cache int // sessions that are kept in memory; default 10,000

	Workers  int           // sessions, and as many deliveries, that [Fleet.Run] works for at once; default 64
	StepTime time.Duration // for one step of a session, of which most is the time of scripts; default 10 s
	GiveUp   time.Duration // time after which a message that cannot be delivered becomes error.communication; default 24 h

	// Logger gets what operators should know: failed steps, suspended sessions, deliveries that
	// fail. It gets no data of events. Nil logs nothing.
	Logger *slog.Logger
}

func (c Config) withDefaults() Config {
	if c.Now == nil {
		c.Now = time.Now
	}
	c.Inbox = orElse(c.Inbox, 1000)
	c.Size = orElse(c.Size, 1<<20)
	c.IDs = orElse(c.IDs, 100)
	c.Log = orElse(c.Log, 100)
	c.Cache = orElse(c.Cache, 10_000)
	c.Workers = max(1, orElse(c.Workers, 64))
	c.StepTime = cmp.Or(c.StepTime, 10*time.Second)
	c.GiveUp = cmp.Or(c.GiveUp, 24*time.Hour)
	if c.Logger == nil {
		c.Logger = slog.New(slog.DiscardHandler)
	}
	return c
}

// orElse returns n, or otherwise if it is 0, or 0 if it is negative.
func orElse(n, otherwise int) int { return max(0, cmp.Or(n, otherwise)) }

type version struct{ name, hash string } // of a chart

// A Fleet has the sessions of a store. Its methods may be called from any goroutine.
type Fleet struct {
	store Store
	cfg   Config
	env   Env
	cache cache
	hub   hub

	mu      sync.Mutex // never held while anything waits
	charts  map[version]Definition
	current map[string]Definition // by name
}

// New returns a fleet over a store, which remains the caller's to close. Several fleets, in several
// processes, may share a store that allows it. The charts are defined as by [Fleet.Define].
func New(store Store, cfg Config, charts ...Definition) (*Fleet, error) {
	f := &Fleet{
		store: store, cfg: cfg.withDefaults(),
		charts: make(map[version]Definition), current: make(map[string]Definition),
	}
	f.cache.init(f.cfg.Cache)
	f.env = Env{Now: f.cfg.Now, Outbox: scxml.Outbox{
		Processors: slices.Sorted(maps.Keys(f.cfg.Processors)),
		Location:   f.cfg.Location,
		Services:   slices.Sorted(maps.Keys(f.cfg.Services)),
		Sessions:   true,
	}}
	for _, def := range charts {
		if err := f.Define(def); err != nil {
			return nil, err
		}
	}
	return f, nil
}

// Define adds a chart, or another version of one: [Fleet.Create] uses the version of a name that was
// defined last, and sessions keep theirs. It may be called at any time.
func (f *Fleet) Define(def Definition) error {
	if d, ok := def.(*local); ok && d.err != nil {
		return fmt.Errorf("cannot define chart %q: %w", d.name, d.err)
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	f.charts[version{def.Name(), def.Hash()}], f.current[def.Name()] = def, def
	return nil
}

// A ChartInfo is a chart of a fleet.
type ChartInfo struct {
	Name   string
	Hash   string   // of the version that Create uses
	Hashes []string // of all versions
}

// Charts returns the charts of the fleet by name.
func (f *Fleet) Charts() []ChartInfo {
	f.mu.Lock()
	defer f.mu.Unlock()
	var list []ChartInfo
	for _, name := range slices.Sorted(maps.Keys(f.current)) {
		info := ChartInfo{Name: name, Hash: f.current[name].Hash()}
		for v := range f.charts {
			if v.name == name {
				info.Hashes = append(info.Hashes, v.hash)
			}
		}
		slices.Sort(info.Hashes)
		list = append(list, info)
	}
	return list
}

// definition returns the version of a chart that a session runs.
func (f *Fleet) definition(r *record) (Definition, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if def := f.charts[version{r.Chart, r.Hash}]; def != nil {
		return def, nil
	}
	return nil, &ChartError{r.Key, r.Chart, r.Hash}
}

// latest returns the version of a chart for new sessions. A fleet of one chart needs no name.
func (f *Fleet) latest(name string) (Definition, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if name == "" && len(f.current) == 1 {
		for _, def := range f.current {
			return def, nil
		}
	}
	if def := f.current[name]; def != nil {
		return def, nil
	}
	return nil, fmt.Errorf("chart %q: %w", name, ErrNotFound)
}

// Ping reports whether the store can be read.
func (f *Fleet) Ping(ctx context.Context) error {
	_, err := f.store.List(ctx, "", 1)
	return err
}

// Close closes the sessions in memory. What was acknowledged is in the store already. Calls in
// progress are not interrupted; after the last of them, and Run, have returned, the store may be
// closed.
func (f *Fleet) Close() error { f.cache.clear(); return nil }

// CheckKey reports whether a text can be the key of a session. The error is [ErrKey].
func CheckKey(key string) error {
	ok := len(key) >= 1 && len(key) <= 200
	for i := 0; ok && i < len(key); i++ {
		c := key[i]
		alnum := c >= '0' && c <= '9' || c >= 'A' && c <= 'Z' || c >= 'a' && c <= 'z'
		ok = alnum || i > 0 && (c == '.' || c == '_' || c == ':' || c == '@' || c == '-')
	}
	if !ok {
		return fmt.Errorf("%.220q is not a key: %w", key, ErrKey)
	}
	return nil
}
