package isolate

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/scxmlrun/scxmlrun/scxml"
	"github.com/scxmlrun/scxmlrun/scxml/drive"
	"github.com/scxmlrun/scxmlrun/scxml/record"
	"github.com/scxmlrun/scxmlrun/scxml/record/wire"
)

// slice is how long a driver works before its parent hears of it: an honest chart that is never at
// rest must not overrun the deadline.
const slice = 100 * time.Millisecond

// A front is the child's end of a [drive.Front].
type front struct{ child *child }

func (f front) Failed() error { return nil }

// Tell passes a record to the host. After some the front end may look at the session.
func (f front) Tell(r *record.Record) {
	f.child.tell(frameRecord, r)
	if mayLook(r) {
		f.child.ask(call{Op: callLook})
	}
}

// mayLook reports whether a front end may use its [drive.Session] in Tell of the record.
func mayLook(r *record.Record) bool { return r.Kind == record.Rest || r.Kind == record.Done }

// newDriver makes a driver.
func (c *child) newDriver(req *request, a *answer) error {
	d := req.Drive
	h := new(hosted)
	if d.Recording != nil {
		h.recording = newRecording(req.Document, d.Recording)
	}
	chart, err := c.chart(req.Document)
	if err != nil {
		return err
	}
	a.Chart = describe(chart)
	cfg := drive.Config{
		Chart: chart, Front: front{c}, Kinds: d.Kinds, Options: c.options(chart, req.Setup, req.Session),
		Saved: req.Setup.Saved, Virtual: d.Virtual, File: d.File, Version: d.Version,
		Timeout: d.Timeout, Reachable: d.Reachable, Slice: slice,
	}
	if cfg.Saved == nil {
		cfg.Seed, req.Setup.Seed = req.Setup.Seed, nil
		cfg.Options = append(cfg.Options, newOptions(req.Setup)...)
	} else {
		cfg.Restoring = []scxml.RestoreOption{scxml.WithTimers(req.Setup.Timers)}
	}
	if d.Save {
		cfg.Save = func(snapshot []byte) error {
			if r := c.ask(call{Op: callSave, Data: snapshot}); r.Err != "" {
				return errors.New(r.Err)
			}
			return nil
		}
	}
	if h.recording != nil {
		cfg.Listen = h.recording.listen
	}
	h.ctx, h.cancel = context.WithCancel(context.Background())
	if h.driver, err = drive.New(cfg); err != nil {
		return err
	}
	c.mu.Lock()
	c.hosted[req.Session] = h
	c.mu.Unlock()
	return nil
}

// drive carries out a request of a driver.
func (h *hosted) drive(ctx context.Context, req *request, a *answer) error {
	err := h.doDrive(ctx, req, a)
	if h.recording != nil {
		a.Recording = h.recording.take()
	}
	return err
}

func (h *hosted) doDrive(ctx context.Context, req *request, a *answer) error {
	d := h.driver
	switch req.Op {
	case opNext:
		wait, err := d.Next(ctx, req.Open)
		a.Wait = &wait
		return err
	case opTake:
		return d.Take(func(drive.Session) error { return nil })
	case opCommand:
		var cmd wire.Command
		switch {
		case req.Text != "":
			cmd.Err = errors.New(req.Text)
		case req.Command != nil:
			cmd = wire.Line{Text: req.Command}.Command()
		}
		var err error
		cmd.Line = req.Line
		if cmd.ID, err = unpack(req.CommandID); err != nil {
			return err
		}
		v, err := d.Do(cmd)
		a.Value = packValue(v)
		return err
	case opSettle:
		d.Settle()
		return nil
	case opLook:
		a.Views = d.Look()
		return nil
	case opFinish:
		end, err := d.Finish()
		if end.SaveErr != nil {
			a.SaveErr, end.SaveErr = end.SaveErr.Error(), nil
		}
		a.End = &end
		return err
	}
	return fmt.Errorf("a driver has no request %q", req.Op)
}
