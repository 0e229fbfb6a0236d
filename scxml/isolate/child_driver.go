package isolate

import (
	"context"
	"encoding/json"
	"errors"
	"time"

	"github.com/scxmlrun/scxmlrun/scxml"
	"github.com/scxmlrun/scxmlrun/scxml/drive"
	"github.com/scxmlrun/scxmlrun/scxml/history"
	"github.com/scxmlrun/scxmlrun/scxml/internal/eventjson"
	"github.com/scxmlrun/scxmlrun/scxml/record"
	"github.com/scxmlrun/scxmlrun/scxml/record/wire"
)

// slice is how long a driver works before its parent is notified: an honest chart that is never at
// rest must not overrun the deadline.
const slice = 100 * time.Millisecond

// A front is the child's end of a [drive.Front].
type front struct{ child *child }

func (f front) Failed() error { return nil }

// Tell passes a record to the host. After some the front end may look at the session.
func (f front) Tell(r *record.Record) {
	f.child.tell(frameRecord, "", r)
	if mayLook(r) {
		f.child.ask(hostLook.op, nil)
	}
}

// mayLook reports whether a front end may use its [drive.Session] in Tell of the record.
func mayLook(r *record.Record) bool { return r.Kind == record.Rest || r.Kind == record.Done }

// A driving has the fields of a [drive.Config].
type driving struct {
	Virtual       bool
	File, Version string
	Timeout       *time.Duration
	Reachable     bool
	Save          bool
	Recording     *history.Note `json:",omitempty"` // nil: there is none
}

var newDriver = method[*hosted, placement, *Chart]{"drive", func(_ context.Context, h *hosted, p placement) (*Chart, error) {
	c, d := h.child, p.Drive
	boundMatches(p.Document.Limits, p.Setup.Limits)
	if d.Recording != nil {
		h.recording = newRecording(&p.Document, d.Recording)
	}
	chart, err := c.chart(&p.Document)
	if err != nil {
		return nil, err
	}
	cfg := drive.Config{
		Chart: chart, Front: front{c}, Kinds: p.Kinds, Options: c.options(chart, &p.Setup, h.number),
		Saved: p.Setup.Saved, Virtual: d.Virtual, File: d.File, Version: d.Version,
		Timeout: d.Timeout, Reachable: d.Reachable, Slice: slice,
	}
	if cfg.Saved == nil {
		cfg.Seed, p.Setup.Seed = p.Setup.Seed, nil
		cfg.Options = append(cfg.Options, newOptions(&p.Setup)...)
	} else {
		cfg.Restoring = []scxml.RestoreOption{scxml.WithTimers(p.Setup.Timers)}
	}
	if d.Save {
		cfg.Save = func(snapshot []byte) error {
			_, err := callHost(c, hostSave, snapshot)
			return err
		}
	}
	if h.recording != nil {
		cfg.Listen = h.recording.listen
	}
	h.ctx, h.cancel = context.WithCancel(context.Background())
	if h.driver, err = drive.New(cfg); err != nil {
		return nil, err
	}
	c.hosted.Store(h.number, h)
	return describe(chart), nil
}}

// ofDriver returns a method of a driver that is there.
func ofDriver[In, Out any](op string, do func(ctx context.Context, d *drive.Driver, in In) (Out, error)) method[*hosted, In, Out] {
	return method[*hosted, In, Out]{op, func(ctx context.Context, h *hosted, in In) (out Out, err error) {
		if h.driver == nil {
			return out, h.missing()
		}
		return do(ctx, h.driver, in)
	}}
}

// A command is a [wire.Command]: a line, or why there is none.
type command struct {
	Line   int
	ID     eventjson.Value `json:",omitzero"`
	Text   json.RawMessage `json:",omitempty"`
	Reject string          `json:",omitempty"`
}

// An end is a [drive.End].
type end struct {
	drive.End
	SaveErr string `json:",omitempty"`
}

var (
	driverNext = ofDriver("next", func(ctx context.Context, d *drive.Driver, open bool) (drive.Wait, error) {
		return d.Next(ctx, open)
	})
	driverTake = ofDriver("take", func(_ context.Context, d *drive.Driver, _ none) (none, error) {
		return none{}, d.Take(func(drive.Session) error { return nil })
	})
	driverCommand = ofDriver("command", func(_ context.Context, d *drive.Driver, in command) (eventjson.Value, error) {
		var cmd wire.Command
		switch {
		case in.Reject != "":
			cmd.Err = errors.New(in.Reject)
		case in.Text != nil:
			cmd = wire.Line{Text: in.Text}.Command()
		}
		cmd.Line, cmd.ID = in.Line, in.ID.V
		v, err := d.Do(cmd)
		return eventjson.Value{V: v}, err
	})
	driverSettle = ofDriver("settle", func(_ context.Context, d *drive.Driver, _ none) (none, error) {
		d.Settle()
		return none{}, nil
	})
	driverLook = ofDriver("look", func(_ context.Context, d *drive.Driver, _ none) ([]drive.View, error) {
		return d.Look(), nil
	})
	driverFinish = ofDriver("finish", func(_ context.Context, d *drive.Driver, _ none) (out end, err error) {
		out.End, err = d.Finish()
		if out.End.SaveErr != nil {
			out.SaveErr, out.End.SaveErr = out.End.SaveErr.Error(), nil
		}
		return out, err
	})
)
