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
	"sync/atomic"
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
	// ErrReused says that the session has accepted another event with this [ID].
	ErrReused = errors.New("another event had this id")
	// ErrManyIDs says that the session would have to forget an [ID] before Config.IDsFor is over. Try again
	// later.
	ErrManyIDs = errors.New("too many events have an id")
	// ErrTooMany says that the store has as many sessions as [Config].Sessions allows. Delete some.
	ErrTooMany = errors.New("there are too many sessions")
	// ErrTooLarge says that an event, or the session after it, is larger than [Config].Size.
	ErrTooLarge = errors.New("too large")
	// ErrKey says that a text is not a key.
	ErrKey = errors.New("want 1 to 200 letters, digits and . _ : @ -, the first of them a letter or digit")
	// ErrUnknown says that a store has failed in a way that does not tell whether a change has
	// happened. Repeat the call with the same [ID].
	ErrUnknown = errors.New("it is unknown whether the change was stored")
	// ErrState says that a [Migration] names a state that no version has from which sessions move.
	ErrState = errors.New("no version from which sessions move has this state")
	// ErrInUse says that a version of a chart has sessions, or is the one for new sessions.
	ErrInUse = errors.New("the version is in use")
	// ErrRefused is wrapped by the error of a [Deliver] for a message that will never be delivered, and by that
	// of a service that would fail again.
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
	// Check is asked about each message for a type of Processors before it is accepted for delivery.
	// After an error the chart gets error.communication at once, before the step is stored. It runs
	// during the step and must not block. It may be nil.
	Check func(id string, m scxml.Message) error
	// Services run the <invoke> elements, by their type. The type "*" is all others that are not
	// charts.
	Services map[string]scxml.Invoker

	// Zero means the default. A negative number means no bound for Inbox, Size, CacheSize and Sessions,
	// and none of the others.
	Inbox int // events that may wait for a session; default 1,000
	Size  int // bytes of the snapshot of a session, and of the events in its inbox; default 1 MB
	IDs   int // events of a session whose [ID] is remembered; default 100, or 1,000 with IDsFor
	Log   int // entries that are kept of the log of a session; default 100
	Cache int // sessions that are kept in memory; default 10,000

	// IDsFor is the time for which each [ID] is remembered at least; with 0 there is none. A session
	// that would have to forget one earlier, because there are more than IDs, refuses the event with
	// [ErrManyIDs]. An id takes about 20 bytes besides its own, which are written with each step.
	IDsFor time.Duration

	// CacheSize bounds the sessions that are kept in memory by the bytes of their records. A session in
	// memory takes some ten times as many, and 50 KB if its data take a script engine. The default is
	// 64 MB.
	CacheSize int
	// KeepFinished says how long a session is kept when it has ended, by the name of its chart; "" is for
	// other charts. After that [Fleet.Run] deletes it, as [Fleet.DeleteAll] does: within a tenth of the
	// time, and within 10 minutes if there are less than a million. What is 0, or missing, is kept for
	// ever. All hosts of a store should have the same.
	KeepFinished map[string]time.Duration
	// Sessions is the number of sessions of the store from which on Create fails, and default 1,000,000.
	// Those that have ended count until they are deleted.
	// It is not exact while many are created, and needs a store that is a [Counter].
	Sessions int

	// Workers is the number of sessions, and of deliveries, that [Fleet.Run] works for at once; default 64.
	// Sessions that took a second or longer lately have workers to themselves, an eighth as many.
	Workers  int
	StepTime time.Duration // for one step of a session, of which most is the time of scripts; default 10 s
	GiveUp   time.Duration // time after which nothing is tried again, and the chart gets error.communication; default 24 h

	// Retry is asked, when a delivery or a service has failed, when to try again; the task is a TaskSend or a
	// TaskInvoke. What the chart says, see [scxml.Retry], counts before it, and Final of both; an error has a
	// name if it has a method ErrorName() string. Without a policy from either a service runs once. Else the
	// default is to try after 1 s, 2 s, and so on up to every 5 minutes, with no bound but GiveUp. A run of a
	// service that the end of a process has cut off counts as an attempt. Retry may be nil, and must not block.
	Retry func(scxml.Task) scxml.Retry

	// Host is the name of this process among those that share the store, see [Fleet.Run]: no two have the
	// same. "" means that there are no others. At most 100 letters, digits and . _ : @ -, the first of
	// them a letter or digit.
	Host string
	// Learn, if it is not nil, is called when a session has a version of a chart that is not defined, or
	// Create names a chart that is not: it may call [Fleet.Keep] and [Fleet.Define] with what another
	// host has added.
	Learn func(ctx context.Context, chart string) error

	// Logger gets what operators should know: failed steps, one line "a session is suspended" for each
	// suspension, deliveries that fail. It gets no data of events. Nil logs nothing.
	Logger *slog.Logger
	// Observers hear what the fleet does, in this order.
	Observers []Observer
}

func (c Config) withDefaults() Config {
	if c.Now == nil {
		c.Now = time.Now
	}
	c.Inbox = orElse(c.Inbox, 1000)
	c.Size = orElse(c.Size, 1<<20)
	c.IDsFor = max(0, c.IDsFor)
	ids := 100
	if c.IDsFor > 0 {
		ids = 1000
	}
	c.IDs = orElse(c.IDs, ids)
	c.Log = orElse(c.Log, 100)
	c.Cache = orElse(c.Cache, 10_000)
	c.CacheSize = orElse(c.CacheSize, 64<<20)
	c.Sessions = orElse(c.Sessions, 1_000_000)
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

// A Fleet has the sessions of a store. Its methods may be called from any goroutine. Besides the errors that they
// name, methods that take the key of a session fail with [ErrNotFound] if there is none with it, all with the errors
// of the [Store], and those that change something with [ErrUnknown] if the store does not tell whether it has.
type Fleet struct {
	store Store
	cfg   Config
	env   Env
	cache cache
	hub   hub
	slow  atomic.Int64 // until when the store is not asked about receivers, in Unix nanoseconds

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
	if err := checkHost(f.cfg.Host); err != nil {
		return nil, err
	}
	f.cache.init(f.cfg.Cache, f.cfg.CacheSize)
	f.env = Env{Now: f.cfg.Now, Outbox: scxml.Outbox{
		Processors: slices.Sorted(maps.Keys(f.cfg.Processors)),
		Location:   f.cfg.Location,
		Services:   slices.Sorted(maps.Keys(f.cfg.Services)),
		Sessions:   true,
		Check:      f.reachable,
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
	err := f.Keep(def)
	if err == nil {
		f.mu.Lock()
		defer f.mu.Unlock()
		f.current[def.Name()] = def
	}
	return err
}

// Keep adds a version of a chart for the sessions that have it. Create does not use it.
func (f *Fleet) Keep(def Definition) error {
	if d, ok := def.(interface{ Check(Env) error }); ok {
		if err := d.Check(f.env); err != nil {
			return fmt.Errorf("cannot define chart %q: %w", def.Name(), err)
		}
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	f.charts[version{def.Name(), def.Hash()}] = def
	return nil
}

// Undefine removes a version of a chart that no session has. The error is [ErrInUse] if there is one,
// or if it is the version for new sessions, and [ErrNotFound]. No session may be migrated to the
// version at the same time.
func (f *Fleet) Undefine(ctx context.Context, name, hash string) error {
	v := version{name, hash}
	f.mu.Lock()
	def, current := f.charts[v], f.current[name]
	f.mu.Unlock()
	switch {
	case def == nil:
		return fmt.Errorf("version %q of chart %q: %w", hash, name, ErrNotFound)
	case current != nil && current.Hash() == hash:
		return fmt.Errorf("version %q of chart %q: %w: new sessions run it", hash, name, ErrInUse)
	}
	for after := ""; ; {
		list, err := f.List(ctx, after, 1000)
		if err != nil {
			return err
		}
		for _, s := range list {
			if s.Chart == name && s.Hash == hash {
				return fmt.Errorf("version %q of chart %q: %w: session %q has it", hash, name, ErrInUse, s.Key)
			}
		}
		if len(list) < 1000 {
			break
		}
		after = list[len(list)-1].Key
	}
	f.mu.Lock()
	delete(f.charts, v)
	f.mu.Unlock()
	return nil
}

// A ChartInfo is a chart of a fleet.
type ChartInfo struct {
	Name   string   `json:"name"`
	Hash   string   `json:"hash"`     // of the version that Create uses
	Hashes []string `json:"versions"` // of all versions
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
func (f *Fleet) definition(ctx context.Context, r *record) (Definition, error) {
	def, err := f.learned(ctx, r.Chart, func() Definition { return f.charts[version{r.Chart, r.Hash}] })
	if def == nil && err == nil {
		err = &ChartError{r.Key, r.Chart, r.Hash}
	}
	return def, err
}

// latest returns the version of a chart for new sessions. A fleet of one chart needs no name.
func (f *Fleet) latest(ctx context.Context, name string) (Definition, error) {
	def, err := f.learned(ctx, name, func() Definition {
		if name == "" && len(f.current) == 1 {
			for _, def := range f.current {
				return def
			}
		}
		return f.current[name]
	})
	if def == nil && err == nil {
		err = fmt.Errorf("chart %q: %w", name, ErrNotFound)
	}
	return def, err
}

// learned returns what find, called with mu held, finds at once or after Config.Learn.
func (f *Fleet) learned(ctx context.Context, chart string, find func() Definition) (Definition, error) {
	locked := func() Definition {
		f.mu.Lock()
		defer f.mu.Unlock()
		return find()
	}
	def := locked()
	if def != nil || f.cfg.Learn == nil {
		return def, nil
	}
	if err := f.cfg.Learn(ctx, chart); err != nil {
		return nil, fmt.Errorf("cannot look for chart %q: %w", chart, err)
	}
	return locked(), nil
}

// Ping reports whether the store can be read.
func (f *Fleet) Ping(ctx context.Context) error {
	_, err := f.store.List(ctx, "", 1)
	return err
}

// Host returns the name of this process among those that share the store, or "", see [Config].
func (f *Fleet) Host() string { return f.cfg.Host }

// Close closes the sessions in memory. What was acknowledged is in the store already. Calls in
// progress are not interrupted; after the last of them, and Run, have returned, the store may be
// closed.
func (f *Fleet) Close() error { f.cache.clear(); return nil }

// checkKey reports whether a text can be the key of a session. The error is [ErrKey].
func checkKey(key string) error {
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
