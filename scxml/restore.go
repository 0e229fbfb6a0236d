package scxml

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/scxmlrun/scxmlrun/datamodel"
)

var (
	// ErrSnapshot is wrapped by the error of [Restore] for bytes that are not a snapshot, are
	// damaged, or have a newer version.
	ErrSnapshot = errors.New("not a valid snapshot")
	// ErrChartChanged is wrapped by the error of [Restore] if the document has changed since the
	// snapshot was taken and [WithMigration] is not given.
	ErrChartChanged = errors.New("the chart has changed since the snapshot was taken")
)

// A RestoreOption configures a [Session] made by [Restore]. Every [Option] is one.
type RestoreOption interface{ applyToRestore(*restoreConfig) }

type restoreOption func(*restoreConfig)

func (f restoreOption) applyToRestore(c *restoreConfig) { f(c) }

type restoreConfig struct {
	config
	timers  TimerPolicy
	migrate func(snapshot []byte, to *Chart) ([]byte, error)
}

var defaultRestoreConfig = restoreConfig{config: config{clock: time.Now, timed: true}}

// A TimerPolicy tells [Restore] what to do with delayed events, see [WithTimers].
type TimerPolicy uint8

const (
	// KeepDue keeps the due time of each event; this is the default. Session.Do
	// delivers, in order, what fell due in between before it takes a newer event.
	KeepDue TimerPolicy = iota
	// KeepRemaining keeps the time that was left when the snapshot was taken. The time in between
	// does not count.
	KeepRemaining
	// StartAnew makes each event wait for its whole delay again.
	StartAnew
)

// WithTimers sets what [Restore] does with delayed events; the default is KeepDue. With KeepDue the
// session keeps the time of the snapshot until it is driven. With KeepRemaining and StartAnew it
// takes the time of its clock, see [WithClock].
func WithTimers(p TimerPolicy) RestoreOption {
	return restoreOption(func(c *restoreConfig) { c.timers = p })
}

// WithMigration makes [Restore] accept snapshots of another version of the chart. If the document
// or one that it invokes has changed, Restore calls migrate, which returns the snapshot in the form
// that fits the chart to. States are saved by id, so a snapshot needs no change if states were only
// added to the chart.
//
// The result is checked like any snapshot, except for the hashes of the charts: all states that it
// names must exist, and its configuration must be legal. If the snapshot is signed, migrate gets it
// without the signature, after that was checked, and returns an unsigned one.
func WithMigration(migrate func(snapshot []byte, to *Chart) ([]byte, error)) RestoreOption {
	return restoreOption(func(c *restoreConfig) { c.migrate = migrate })
}

// Restore makes a session from the result of [Session.Snapshot]. The session continues where the
// saved one was: Restore runs no handler and processes no event. It needs the same options as [New]
// got, see [Options], except [WithData], [WithSeed], [WithSessionID] and [WithConfiguration], which are
// not allowed because the snapshot has their effects. Register OnSend and the other callbacks again.
//
// Services that were running are invoked again, see [Invoker]. Event I/O Processors are opened
// again, see [Reopener].
//
// A snapshot can contain code that the session runs. Restore only snapshots that you trust, or sign
// them with [WithSnapshotKey].
//
// The error is [ErrChartChanged], [ErrSnapshot], [ErrSignature], or names the option that is
// missing or wrong. In that case nothing was started.
func Restore(chart *Chart, snapshot []byte, opts ...RestoreOption) (*Session, error) {
	cfg := &defaultRestoreConfig
	if len(opts) > 0 {
		cfg = &restoreConfig{config: defaultRestoreConfig.config}
		for _, opt := range opts {
			if opt == nil {
				cfg.none = true
				continue
			}
			opt.applyToRestore(cfg)
		}
	}
	s, err := restore(chart, snapshot, cfg)
	if err != nil {
		return nil, failed("Restore", err)
	}
	return s, nil
}

func restore(chart *Chart, source []byte, cfg *restoreConfig) (*Session, error) {
	if err := cfg.check(chart); err != nil {
		return nil, err
	}
	switch {
	case cfg.data != nil || cfg.seeded || cfg.id != "" || cfg.beginning != nil:
		return nil, errors.New("WithData, WithSeed, WithSessionID and WithConfiguration are not allowed: the snapshot has these values")
	case cfg.timers > StartAnew:
		return nil, fmt.Errorf("WithTimers: %d is not a TimerPolicy", cfg.timers)
	}
	source, err := cfg.verify(source)
	if err != nil {
		return nil, err
	}
	r := &restorer{tree: newTree(chart, &cfg.config), policy: cfg.timers}
	err = r.read(source, chart)
	if errors.Is(err, ErrChartChanged) && cfg.migrate != nil {
		if source, err = cfg.migrate(source, chart); err != nil {
			return nil, fmt.Errorf("migration: %w", err)
		}
		r = &restorer{tree: newTree(chart, &cfg.config), policy: cfg.timers, migrated: true}
		err = r.read(source, chart)
	}
	if err != nil {
		return nil, err
	}
	if err := r.open(); err != nil {
		for _, s := range r.tree.sessions {
			s.closeProcessors()
		}
		return nil, err
	}
	r.join()
	return r.tree.sessions[0], nil
}

// damaged returns an error that wraps ErrSnapshot.
func damaged(format string, args ...any) error {
	return fmt.Errorf("%w: %w", ErrSnapshot, fmt.Errorf(format, args...))
}

// readSnapshot reads the JSON of a snapshot.
func readSnapshot(source []byte) (*snapshot, error) {
	snap := new(snapshot)
	d := json.NewDecoder(bytes.NewReader(source))
	d.DisallowUnknownFields()
	err := d.Decode(snap)
	if err == io.EOF {
		return nil, damaged("it is empty")
	}
	if err == nil {
		if _, more := d.Token(); more != io.EOF {
			err = errors.New("unexpected data after it")
		}
	}
	if err != nil { // perhaps of another version, which may differ
		snap = new(snapshot)
		if json.Unmarshal(source, &struct {
			Format  *string `json:"format"`
			Version *int    `json:"version"`
		}{&snap.Format, &snap.Version}) != nil {
			return nil, damaged("%w", err)
		}
	}
	switch {
	case snap.Format != snapshotFormat:
		return nil, damaged("its format is not %q", snapshotFormat)
	case snap.Version > snapshotVersion:
		return nil, damaged("its version is %d, which is newer than %d", snap.Version, snapshotVersion)
	case snap.Version < 1:
		return nil, damaged("it has no version")
	case err != nil:
		return nil, damaged("%w", err)
	}
	switch n := len(snap.Sessions); {
	case n == 0:
		return nil, damaged("it has no session")
	case len(snap.Data) != n:
		return nil, damaged("it has %d sessions, but data for %d", n, len(snap.Data))
	case snap.Turn < 0 || snap.Turn > n:
		return nil, damaged("turn is %d, but it has %d sessions", snap.Turn, n)
	}
	return snap, nil
}

// A restorer builds a session tree. Nothing outside of the tree sees it before open.
type restorer struct {
	snap     *snapshot
	tree     *tree
	policy   TimerPolicy
	migrated bool              // hashes are not compared
	services []restoredService // to be started at the end
}

type restoredService struct {
	invocation *invocation
	session    *Session
	invoker    Invoker
}

// read makes the sessions of a snapshot and their timers, without their data.
func (r *restorer) read(source []byte, chart *Chart) (err error) {
	if r.snap, err = readSnapshot(source); err != nil {
		return err
	}
	if err := r.sessions(chart); err != nil {
		return err
	}
	if err := r.timers(); err != nil {
		return err
	}
	return r.outbox()
}

// checkChart compares the chart of a session with the saved one.
func (r *restorer) checkChart(s *Session, saved savedChart) error {
	switch {
	case r.migrated || saved.Hash == s.chart.Hash():
		return nil
	case s.parent == nil:
		return fmt.Errorf("%w: %s", ErrChartChanged, s.chart.file)
	}
	return fmt.Errorf("%w: %s, invoked as %q", ErrChartChanged, s.chart.file, s.invokeID)
}

// sessions makes the sessions, without their data.
func (r *restorer) sessions(chart *Chart) error {
	t := r.tree
	if len(r.snap.Sessions) > t.limits.Sessions {
		return &LimitError{Limit: "Sessions", Value: t.limits.Sessions}
	}
	t.now = r.snap.Now
	t.turn = int32(r.snap.Turn)
	t.stop = r.snap.Stop
	t.asked = t.stop
	if err := r.random(); err != nil {
		return err
	}
	children := make(map[int]*Session) // made by the invocations of the sessions before them
	root := newSession(chart, t)
	if err := r.checkChart(root, r.snap.Chart); err != nil {
		return err
	}
	for i := range r.snap.Sessions {
		saved := &r.snap.Sessions[i]
		s := root
		if i > 0 {
			if s = children[i]; s == nil {
				return damaged("no invocation has session %d", i)
			}
			if saved.Parent < 0 || saved.Parent >= i || t.sessions[saved.Parent] != s.parent || saved.InvokeID != s.invokeID {
				return damaged("session %d does not match its parent's invocation", i)
			}
			if err := r.checkChart(s, saved.Chart); err != nil {
				return err
			}
		}
		t.addSession(s)
		if err := r.session(s, saved); err != nil {
			return fmt.Errorf("session %d: %w", i, err)
		}
		for j := range saved.Invocations {
			if err := r.invocation(s, &saved.Invocations[j], i, children); err != nil {
				return fmt.Errorf("session %d: invocation %q: %w", i, saved.Invocations[j].ID, err)
			}
		}
	}
	if len(children) != len(t.sessions)-1 {
		return damaged("an invocation names a session that does not exist")
	}
	return nil
}

func (r *restorer) random() error {
	t, saved := r.tree, r.snap.Random
	switch {
	case saved == nil:
	case saved.State == nil:
		t.seed, t.seeded = saved.Seed, true
	default:
		t.random = newRandom()
		if err := t.random.pcg.UnmarshalBinary(saved.State); err != nil {
			return damaged("random: %w", err)
		}
	}
	return nil
}

// open opens the processors and gives the sessions their data.
func (r *restorer) open() error {
	for i, s := range r.tree.sessions {
		if s.status == Unstarted {
			if string(r.snap.Data[i]) != "null" {
				return fmt.Errorf("session %d: %w", i, damaged("it has data, but its status is %q", s.status))
			}
			continue
		}
		if s.status == Running {
			s.reopenProcessors(r.snap.Sessions[i].Locations)
		}
		if err := r.data(s, r.snap.Data[i]); err != nil {
			return fmt.Errorf("session %d: %w", i, err)
		}
	}
	return nil
}

// data restores the data of s.
func (r *restorer) data(s *Session, saved json.RawMessage) error {
	missing := string(saved) == "null"
	switch {
	case missing && !s.chart.usesData:
		return nil
	case missing && !r.migrated:
		return damaged("its data is missing")
	}
	if err := s.openStore(); err != nil {
		return err
	}
	if missing { // an older version of the chart had nothing to evaluate
		for _, st := range s.chart.withData {
			for _, d := range s.chart.states[st].data {
				if err := s.data().Declare(d.id); err != nil {
					return fmt.Errorf("data %q: %w", d.id, err)
				}
			}
		}
		return nil
	}
	saver, ok := s.store.(datamodel.Saver)
	if !ok {
		return fmt.Errorf("%w: data model %q cannot save its data", ErrNotSerializable, s.chart.Datamodel())
	}
	if s.event != nil {
		s.eventTaken()
	}
	if err := saver.Load(saved, s.chart.exprs); err != nil {
		return damaged("data: %w", err)
	}
	return nil
}

// join makes the tree known outside. Nothing can fail after this.
func (r *restorer) join() {
	for _, s := range r.tree.sessions {
		if router := r.tree.router; router != nil && s.status == Running {
			router.Join(s)
		}
	}
	for _, restored := range r.services {
		restored.invocation.cancel = restored.session.startService(restored.invoker, restored.invocation.service)
	}
}
