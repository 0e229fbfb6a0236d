package scxml

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"

	"github.com/scxmlrun/scxmlrun/datamodel"
)

var (
	// ErrSnapshot is what [Restore] returns for bytes that are no snapshot, or
	// a damaged one, or one of a newer version than it knows; the error that
	// wraps it says which.
	ErrSnapshot = errors.New("not a snapshot that can be restored")
	// ErrChartChanged is what [Restore] returns when the document has changed
	// since the snapshot was taken, and there is no [WithMigration].
	ErrChartChanged = errors.New("the chart has changed since the snapshot was taken")
)

// A RestoreOption changes a [Session] that [Restore] makes. Every [Option] is one.
type RestoreOption interface{ applyToRestore(*restoreConfig) }

type restoreOption func(*restoreConfig)

func (f restoreOption) applyToRestore(c *restoreConfig) { f(c) }

type restoreConfig struct {
	config
	timers  TimerPolicy
	migrate func(snapshot []byte, to *Chart) ([]byte, error)
}

var defaultRestoreConfig = restoreConfig{config: defaultConfig}

// A TimerPolicy says what [Restore] does with delayed events, see [WithTimers].
type TimerPolicy uint8

const (
	// KeepDue keeps the time at which each event is due. What fell due in
	// between is delivered by the first Step or Advance, in order; have Advance
	// do that before you Send what came later. This is the default.
	KeepDue TimerPolicy = iota
	// KeepRemaining keeps the time that was left when the snapshot was taken,
	// counted from the session's Now: the time in between does not count.
	KeepRemaining
	// StartAnew lets each event wait for its whole delay again.
	StartAnew
)

// WithTimers says what [Restore] does with delayed events. With KeepRemaining
// and StartAnew the session's time is that of its clock from then on, see
// [WithClock]; with KeepDue it is the one of the snapshot until somebody drives
// the session.
func WithTimers(p TimerPolicy) RestoreOption {
	return restoreOption(func(c *restoreConfig) { c.timers = p })
}

// WithMigration has [Restore] accept a snapshot of another version of the
// chart: migrate is called if the document or one that it invokes has changed,
// and returns the snapshot as it should be for the chart to. Of a signed snapshot
// it gets what the signature was found to hold for, and returns one that is not
// signed, see [WithSnapshotKey]. What it returns is
// checked like any other snapshot, but for the hashes of the charts: all states
// that it names have to be there, and its configuration has to be a legal one. States have their
// ids in a snapshot, so that one of a chart to which something was added needs
// no change.
func WithMigration(migrate func(snapshot []byte, to *Chart) ([]byte, error)) RestoreOption {
	return restoreOption(func(c *restoreConfig) { c.migrate = migrate })
}

// Restore makes a session of what [Session.Snapshot] has returned. It goes on
// where the other was: Restore runs no handler and processes no event. The
// session needs the same options as one from [New] (see [Options]; loggers, functions,
// processors, invokers, handlers of OnSend …), but no [WithData], [WithSeed] and
// [WithSessionID], whose effects are in the snapshot.
//
// Services that were at work are invoked anew, see [Invoker]; Event I/O
// Processors are opened again, see [Reopener].
//
// A snapshot is trusted input: whoever writes one writes code that the session
// runs. Snapshots from elsewhere need a signature, see [WithSnapshotKey].
//
// The error is [ErrChartChanged], [ErrSnapshot] or [ErrSignature], or it says which
// option is missing or wrong. There is no session then, and nothing of it was started.
func Restore(chart *Chart, snapshot []byte, opts ...RestoreOption) (*Session, error) {
	cfg := &defaultRestoreConfig
	if len(opts) > 0 {
		cfg = &restoreConfig{config: defaultConfig}
		for _, opt := range opts {
			opt.applyToRestore(cfg)
		}
	}
	s, err := restore(chart, snapshot, cfg)
	if err != nil {
		return nil, fmt.Errorf("scxml: Restore: %w", err)
	}
	return s, nil
}

func restore(chart *Chart, source []byte, cfg *restoreConfig) (*Session, error) {
	if err := cfg.check(chart); err != nil {
		return nil, err
	}
	switch {
	case cfg.data != nil || cfg.seeded || cfg.id != "":
		return nil, errors.New("WithData, WithSeed and WithSessionID are for new sessions")
	case cfg.timers > StartAnew:
		return nil, fmt.Errorf("WithTimers: there is no TimerPolicy %d", cfg.timers)
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
			err = errors.New("something follows it")
		}
	}
	if err != nil { // it may be of another version, where that is no wonder
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
		return nil, damaged("it does not say that its format is %q", snapshotFormat)
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
		return nil, damaged("it has the data of %d sessions, and %d sessions", len(snap.Data), n)
	case snap.Turn < 0 || snap.Turn > n:
		return nil, damaged("turn is %d, and there are %d sessions", snap.Turn, n)
	}
	return snap, nil
}

// A restorer builds a session tree. Until its method open nothing outside of
// the tree hears of it.
type restorer struct {
	snap     *snapshot
	tree     *tree
	policy   TimerPolicy
	migrated bool              // hashes do not count any more
	services []restoredService // to be started once everything is there
}

type restoredService struct {
	invocation *invocation
	session    *Session
	invoker    Invoker
}

// read makes the sessions of a snapshot and their timers, but not their data.
func (r *restorer) read(source []byte, chart *Chart) (err error) {
	if r.snap, err = readSnapshot(source); err != nil {
		return err
	}
	if err := r.sessions(chart); err != nil {
		return err
	}
	return r.timers()
}

// checkChart compares the chart of a session with that of the one saved.
func (r *restorer) checkChart(s *Session, saved savedChart) error {
	switch {
	case r.migrated || saved.Hash == hex.EncodeToString(s.chart.hash):
		return nil
	case s.parent == nil:
		return fmt.Errorf("%w: %s", ErrChartChanged, s.chart.file)
	}
	return fmt.Errorf("%w: %s, invoked as %q", ErrChartChanged, s.chart.file, s.invokeID)
}

// sessions makes the sessions, but for their data.
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
	children := make(map[int]*Session) // made by the invocations of those before them
	root := newSession(chart, t)
	if err := r.checkChart(root, r.snap.Chart); err != nil {
		return err
	}
	for i := range r.snap.Sessions {
		saved := &r.snap.Sessions[i]
		s := root
		if i > 0 {
			if s = children[i]; s == nil {
				return damaged("nobody has invoked session %d", i)
			}
			if saved.Parent < 0 || saved.Parent >= i || t.sessions[saved.Parent] != s.parent || saved.InvokeID != s.invokeID {
				return damaged("session %d is not the one that its parent has invoked", i)
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
		return damaged("an invocation has a session that is not there")
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
		t.pcg = new(rand.PCG)
		if err := t.pcg.UnmarshalBinary(saved.State); err != nil {
			return damaged("random: %w", err)
		}
		t.rng = rand.New(t.pcg)
	}
	return nil
}

// open opens the processors and gives the sessions their data.
func (r *restorer) open() error {
	for i, s := range r.tree.sessions {
		if s.status == Unstarted {
			if string(r.snap.Data[i]) != "null" {
				return fmt.Errorf("session %d: %w", i, damaged("it has data, and its status is %q", s.status))
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

// data gives s its data.
func (r *restorer) data(s *Session, saved json.RawMessage) error {
	if string(saved) == "null" {
		if s.chart.usesData {
			return damaged("its data are missing")
		}
		return nil
	}
	if err := s.openStore(); err != nil {
		return err
	}
	saver, ok := s.store.(datamodel.Saver)
	if !ok {
		return fmt.Errorf("%w: data model %q has no way to save its data", ErrNotSerializable, s.chart.Datamodel())
	}
	if s.event != nil {
		s.eventTaken()
	}
	if err := saver.Load(saved, s.chart.exprs); err != nil {
		return damaged("data: %w", err)
	}
	return nil
}

// join makes the tree known to the outside. Nothing can fail any more.
func (r *restorer) join() {
	for _, s := range r.tree.sessions {
		if h := r.tree.directory; h != nil && s.status == Running {
			h.add(s)
		}
	}
	for _, restored := range r.services {
		restored.invocation.cancel = restored.session.startService(restored.invoker, restored.invocation.service)
	}
}
