package fleet

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/scxmlrun/scxmlrun/scxml"
)

// ErrNoCopy says that a session cannot be copied, because it is not of this process.
var ErrNoCopy = errors.New("the session runs in another process")

// A Copy is what [Fleet.Copy] returns about a session, for those who want to continue it without the fleet.
type Copy struct {
	Info
	Now      time.Time // by the clock of the fleet
	Chart    *scxml.Chart
	Options  []scxml.Option // of its sessions: those of [Define], and those that the fleet adds
	Snapshot []byte         // for [scxml.Restore] with the options
	Inbox    []Waiting      // what the snapshot has not seen
	Failure  *Failure       // nil if no step has failed
}

// Copy returns a session as it is stored. What is made of it is not part of the fleet. With the options a
// session hands out tasks, which nobody carries out, and writes to the log that [Define] was given; a
// dry session does neither, see [scxml.WithDry].
//
// The error wraps [ErrNoCopy] if the session is not one in this process: its [Definition] is not made by
// Define, and has no method Copy(Env) (*scxml.Chart, []scxml.Option, error).
func (f *Fleet) Copy(ctx context.Context, key string) (Copy, error) {
	rec, err := f.stored(ctx, key)
	if err != nil {
		return Copy{}, err
	}
	def, err := f.definition(ctx, rec)
	if err != nil {
		return Copy{}, err
	}
	c := Copy{Info: rec.info(), Now: f.cfg.Now(), Snapshot: rec.snapshot, Failure: rec.failure}
	if c.Chart, c.Options, err = f.copied(def); err == nil {
		c.Inbox, err = rec.waiting()
	}
	if err != nil {
		return Copy{}, fmt.Errorf("cannot copy session %q: %w", key, err)
	}
	return c, nil
}

// copied returns what a definition gives to copies.
func (f *Fleet) copied(def Definition) (*scxml.Chart, []scxml.Option, error) {
	if d, ok := def.(interface {
		Copy(Env) (*scxml.Chart, []scxml.Option, error)
	}); ok {
		return d.Copy(f.env)
	}
	return nil, nil, ErrNoCopy
}

// Copy is for [Fleet.Copy].
func (d *local) Copy(env Env) (*scxml.Chart, []scxml.Option, error) {
	return d.chart, d.options(env), nil
}
