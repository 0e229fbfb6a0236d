package fleet

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/scxmlrun/scxmlrun/scxml/internal/rename"
)

// A Migration moves sessions to another version of their chart.
type Migration struct {
	Chart string // name of the chart
	From  string // hash of the version whose sessions move; "" is all other versions
	To    string // hash of the version that they move to; "" is the one for new sessions

	// Keys, Prefix and Share select among them. A key that no session of the chart has is [ErrNotFound].
	Keys   []string // only these; nil is all
	Prefix string   // only those whose keys begin so
	// Share is about the part of the sessions that moves, such as 0.01, chosen by their keys: a later
	// migration with the same share concerns the same ones, and one with a greater share these and
	// others. 0 is all.
	Share float64

	// States has the new names of states. A state keeps its name if it is not here. It does not
	// concern invoked sessions. The error is [ErrState] if no version that the sessions may have has a
	// state of the old name; it is found for versions whose [Definition] has a method HasState.
	States map[string]string
	// Script is an expression that is evaluated in each session after it has moved, such as
	// "total = items.length". Data items that are new are undefined before.
	Script string
	// Try tries only: nothing is stored.
	Try bool
}

// A MigrationReport is what a migration has done.
type MigrationReport struct {
	Tried    int     // sessions
	Migrated int     // sessions; none if one did not fit when all were tried
	Unfit    []Unfit // by key
}

// An Unfit is a session that does not fit the new version.
type Unfit struct {
	Key string
	Err error
}

// Migrate moves sessions to another version of their chart. It first tries all of them with copies,
// and moves none if one does not fit. If events change one in the meantime so that it does not fit any
// more, it stays, and the others move. Sessions that have ended stay as they are. A session keeps its
// position, inbox, timers and tasks. Each one moves in a swap of its own: after an error some have
// moved, and Migrate can be repeated.
func (f *Fleet) Migrate(ctx context.Context, m Migration) (report MigrationReport, err error) {
	def, err := f.target(ctx, m)
	if err != nil {
		return report, err
	}
	if err := f.checkStates(m, def); err != nil {
		return report, err
	}
	keys, err := f.movable(ctx, m, def)
	if err != nil {
		return report, err
	}
	for _, try := range []bool{true, false} {
		for _, key := range keys {
			moved := false
			err := f.turn(ctx, key, func(ctx context.Context, t *turn) error {
				moved = false
				if !t.movable(m, def) {
					return nil
				}
				live, err := t.move(ctx, m, def)
				switch {
				case err != nil:
					return &StepError{key, err}
				case try:
					live.Close()
					return nil
				}
				t.e.dropLive()
				t.e.live, t.used, moved = live, true, true
				t.note(Step{Kind: "migrate", Note: "from " + t.Hash}, Effect{})
				t.Hash = def.Hash()
				return nil
			})
			failed := (*StepError)(nil)
			switch {
			case errors.As(err, &failed) && !errors.Is(err, ErrAgain):
				report.Unfit = append(report.Unfit, Unfit{key, failed.Err})
			case err != nil && !errors.Is(err, ErrNotFound):
				return report, err
			case moved:
				report.Migrated++
			}
		}
		report.Tried = len(keys)
		if m.Try || len(report.Unfit) > 0 {
			break
		}
	}
	return report, nil
}

// target returns the definition that sessions move to.
func (f *Fleet) target(ctx context.Context, m Migration) (Definition, error) {
	if m.To == "" {
		return f.latest(ctx, m.Chart)
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	if def := f.charts[version{m.Chart, m.To}]; def != nil {
		return def, nil
	}
	return nil, fmt.Errorf("version %q of chart %q: %w", m.To, m.Chart, ErrNotFound)
}

// checkStates looks for states that no version has from which sessions move.
func (f *Fleet) checkStates(m Migration, to Definition) error {
	type stateful interface{ HasState(name string) bool }
	var froms []stateful
	f.mu.Lock()
	for v, def := range f.charts {
		if v.name != to.Name() || v.hash == to.Hash() || m.From != "" && v.hash != m.From {
			continue
		}
		from, ok := def.(stateful)
		if !ok {
			f.mu.Unlock()
			return nil
		}
		froms = append(froms, from)
	}
	f.mu.Unlock()
	for _, old := range slices.Sorted(maps.Keys(m.States)) {
		if len(froms) > 0 && !slices.ContainsFunc(froms, func(d stateful) bool { return d.HasState(old) }) {
			return fmt.Errorf("state %q of chart %q: %w", old, to.Name(), ErrState)
		}
	}
	return nil
}

func (f *Fleet) movable(ctx context.Context, m Migration, def Definition) (keys []string, err error) {
	for _, key := range m.Keys {
		stored, err := f.store.Load(ctx, key)
		if err == nil && stored.Chart != def.Name() {
			err = fmt.Errorf("it runs chart %q: %w", stored.Chart, ErrNotFound)
		}
		if err != nil {
			return nil, fmt.Errorf("session %q: %w", key, err)
		}
		if (&record{Record: *stored}).movable(m, def) && !slices.Contains(keys, key) {
			keys = append(keys, key)
		}
	}
	if m.Keys != nil {
		return keys, nil
	}
	for after := ""; ; {
		stored, err := f.store.List(ctx, after, 1000)
		if err != nil {
			return nil, err
		}
		for _, s := range stored {
			if (&record{Record: *s}).movable(m, def) {
				keys = append(keys, s.Key)
			}
		}
		if len(stored) < 1000 {
			return keys, nil
		}
		after = stored[len(stored)-1].Key
	}
}

func (r *record) movable(m Migration, def Definition) bool {
	return r.Chart == def.Name() && r.Hash != def.Hash() && (m.From == "" || r.Hash == m.From) &&
		!slices.Contains(finished, r.Record.info().Status) &&
		strings.HasPrefix(r.Key, m.Prefix) && (m.Share == 0 || float64(hashOf(r.Key)) <= m.Share*math.MaxUint64)
}

// move returns the session in its new version.
func (t *turn) move(ctx context.Context, m Migration, def Definition) (Live, error) {
	env := t.f.env
	env.Migrate = func(snapshot []byte) ([]byte, error) { return rename.States(snapshot, m.States) }
	live, err := def.Restore(ctx, env, t.snapshot)
	if err == nil && m.Script != "" {
		if _, err = live.Eval(ctx, m.Script); err != nil {
			err = fmt.Errorf("script: %w", err)
		}
	}
	if err == nil {
		_, err = live.Snapshot(ctx)
	}
	if err != nil && live != nil {
		live.Close()
	}
	return live, err
}
