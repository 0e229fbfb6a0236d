package isolate

import (
	"context"
	"errors"

	"github.com/scxmlrun/scxmlrun/datamodel"
	"github.com/scxmlrun/scxmlrun/scxml"
	"github.com/scxmlrun/scxmlrun/scxml/drive"
	"github.com/scxmlrun/scxmlrun/scxml/internal/eventjson"
	"github.com/scxmlrun/scxmlrun/scxml/record"
	"github.com/scxmlrun/scxmlrun/scxml/record/wire"
)

// Lint is [scxml.Lint] in the child: it reports all problems of a document. Only the child parses
// it.
func (t *Tenant) Lint(ctx context.Context, name string, source []byte, o scxml.LintOptions, opts ...scxml.ChartOption) ([]scxml.Diagnostic, error) {
	s, p, err := t.prepare(Spec{Name: name, Source: source, Options: opts}, nil, nil)
	if err != nil {
		return nil, err
	}
	defer t.drop(s)
	return ask(ctx, s, lintDocument, linting{p.Document, o})
}

// A Driver is a [drive.Driver] whose session is in a child, as front ends need it. Its methods are
// for [drive.Run] and for front ends.
type Driver struct {
	s     *Session
	front drive.Front
	held  *record.Record // to be told when the child waits for requests
}

var (
	_ drive.Stepper = (*Driver)(nil)
	_ drive.Session = (*Driver)(nil)
)

// Drive returns a driver of a new session in the child, or of cfg.Saved. Of cfg it does not use
// Chart, which spec describes, Slice, Listen and Attach. cfg.Options and cfg.Restoring obey the rules of
// [Tenant.New].
func (t *Tenant) Drive(ctx context.Context, spec Spec, cfg drive.Config) (*Driver, error) {
	opts := append(cfg.Restoring[:len(cfg.Restoring):len(cfg.Restoring)], scxml.Options(cfg.Options))
	s, p, err := t.prepare(spec, cfg.Saved, opts)
	if err != nil {
		return nil, err
	}
	if p.Setup.Outbox != nil {
		t.drop(s)
		return nil, errors.New("isolate: WithOutbox is not for a driver, which reports no tasks; use Tenant.New")
	}
	d := &Driver{s: s, front: cfg.Front}
	s.tell, s.save, s.look = d.tell, cfg.Save, d.look
	if cfg.Saved == nil && cfg.Seed != nil {
		p.Setup.Seed = cfg.Seed
	}
	p.Kinds, p.Drive = cfg.Kinds, &driving{
		Virtual: cfg.Virtual, File: cfg.File, Version: cfg.Version, Timeout: cfg.Timeout, Reachable: cfg.Reachable, Save: cfg.Save != nil,
	}
	if spec.Recording != nil {
		p.Drive.Recording = &spec.Note
	}
	if err := s.place(ctx, newDriver, p); err != nil {
		return nil, err
	}
	return d, nil
}

// Chart returns what the child has said of the document.
func (d *Driver) Chart() *Chart { return d.s.chart }

// Run is [drive.Driver.Run].
func (d *Driver) Run(ctx context.Context, inputs <-chan drive.Input) (drive.End, error) {
	return drive.Run(ctx, d, inputs)
}

// tell hears a record. A front end may look at the session in some, after which the child waits.
func (d *Driver) tell(r *record.Record) {
	if mayLook(r) {
		d.held = r
		return
	}
	d.front.Tell(r)
}

func (d *Driver) look() {
	if r := d.held; r != nil {
		d.held, d.s.looking = nil, true
		defer func() { d.s.looking = false }()
		d.front.Tell(r)
	}
}

// Next is [drive.Driver.Next].
func (d *Driver) Next(ctx context.Context, open bool) (drive.Wait, error) {
	if ctx.Err() != nil || d.front.Failed() != nil {
		return drive.Wait{Over: true}, nil
	}
	wait, err := ask(ctx, d.s, driverNext, open)
	if err != nil {
		return drive.Wait{Over: true}, err
	}
	return wait, nil
}

// Take is [drive.Driver.Take].
func (d *Driver) Take(input drive.Input) error {
	_, _ = ask(context.Background(), d.s, driverTake, none{}) // Next tells of a child that has died
	return input(d)
}

// Finish is [drive.Driver.Finish].
func (d *Driver) Finish() (drive.End, error) {
	out, err := ask(context.Background(), d.s, driverFinish, none{})
	if out.SaveErr != "" {
		out.End.SaveErr = errors.New(out.SaveErr)
	}
	return out.End, err
}

// Wake is a [drive.Stepper]'s: nothing but its front end wakes the session.
func (d *Driver) Wake() <-chan struct{} { return d.s.wake }

// Do is [drive.Driver.Do].
func (d *Driver) Do(cmd wire.Command) (datamodel.Value, error) {
	in := command{Line: cmd.Line, ID: eventjson.Value{V: cmd.ID}}
	if cmd.Err != nil {
		in.Reject = cmd.Err.Error()
	} else if cmd.Verb != wire.None {
		in.Text = cmd.AppendJSON(nil)
	}
	v, err := ask(context.Background(), d.s, driverCommand, in)
	return v.V, err
}

// Settle is [drive.Driver.Settle].
func (d *Driver) Settle() {
	_, _ = ask(context.Background(), d.s, driverSettle, none{}) // as Take
}

// Look is [drive.Driver.Look]. It returns nothing if the child has died.
func (d *Driver) Look() []drive.View {
	views, _ := ask(context.Background(), d.s, driverLook, none{})
	for _, v := range views {
		for _, st := range v.Active { // which front ends indent
			if st.Depth < 0 || st.Depth > d.s.depth {
				d.s.tenant.breach("it said that state %q is nested %d deep", st.Name, st.Depth)
				return nil
			}
		}
	}
	return views
}
