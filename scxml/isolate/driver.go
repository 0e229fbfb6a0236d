package isolate

import (
	"context"
	"errors"

	"github.com/scxmlrun/scxmlrun/datamodel"
	"github.com/scxmlrun/scxmlrun/scxml"
	"github.com/scxmlrun/scxmlrun/scxml/drive"
	"github.com/scxmlrun/scxmlrun/scxml/record"
	"github.com/scxmlrun/scxmlrun/scxml/record/wire"
)

// Lint is [scxml.Lint] in the child: it reports all problems of a document. Only the child parses
// it.
func (t *Tenant) Lint(ctx context.Context, name string, source []byte, o scxml.LintOptions, opts ...scxml.ChartOption) ([]scxml.Diagnostic, error) {
	s, req, err := t.prepare(Spec{Name: name, Source: source, Options: opts}, nil, nil)
	if err != nil {
		return nil, err
	}
	defer t.drop(s)
	req.Op, req.Setup, req.Lint = opLint, nil, &o
	a, err := t.ask(ctx, req, s)
	if err != nil {
		return nil, err
	}
	return a.Diagnostics, nil
}

// A Driver is a [drive.Driver] whose session is in a child, as front ends need it. Its methods are
// for [drive.Run] and for front ends.
type Driver struct {
	s       *Session
	front   drive.Front
	held    *record.Record // to be told when the child waits for requests
	looking bool           // the front end is told of it
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
	s, req, err := t.prepare(spec, cfg.Saved, opts)
	if err != nil {
		return nil, err
	}
	if req.Setup.Outbox != nil {
		t.drop(s)
		return nil, errors.New("isolate: WithOutbox is not for a driver, which reports no tasks; use Tenant.New")
	}
	d := &Driver{s: s, front: cfg.Front}
	s.save, s.look = cfg.Save, d.look
	if cfg.Saved == nil && cfg.Seed != nil {
		req.Setup.Seed = cfg.Seed
	}
	req.Op, req.Drive = opDrive, &driving{
		Kinds: cfg.Kinds, Virtual: cfg.Virtual, File: cfg.File, Version: cfg.Version,
		Timeout: cfg.Timeout, Reachable: cfg.Reachable, Save: cfg.Save != nil,
	}
	if spec.Recording != nil {
		req.Drive.Recording = &spec.Note
	}
	a, err := t.ask(ctx, req, d)
	if err != nil {
		t.drop(s)
		return nil, err
	}
	if err := s.placed(a); err != nil {
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

// tell is a [client]'s. A front end may look at the session in some records, after which the child
// waits.
func (d *Driver) tell(r *record.Record) {
	if mayLook(r) {
		d.held = r
		return
	}
	d.front.Tell(r)
}

func (d *Driver) look() {
	if r := d.held; r != nil {
		d.held, d.looking = nil, true
		defer func() { d.looking = false }()
		d.front.Tell(r)
	}
}

// answer is a [client]'s.
func (d *Driver) answer(ctx context.Context, c *call) reply { return d.s.answer(ctx, c) }

// ask makes a request, also inside another when the child waits for it.
func (d *Driver) ask(ctx context.Context, req *request) (*answer, error) {
	req.Session = d.s.number
	ask := d.s.tenant.ask
	if d.looking {
		ask = d.s.tenant.exchange
	}
	a, err := ask(ctx, req, d)
	if w := d.s.spec.Recording; w != nil && len(a.Recording) > 0 {
		_, _ = w.Write(a.Recording) // which tells its owner of an error
	}
	return a, err
}

// Next is [drive.Driver.Next].
func (d *Driver) Next(ctx context.Context, open bool) (drive.Wait, error) {
	if ctx.Err() != nil || d.front.Failed() != nil {
		return drive.Wait{Over: true}, nil
	}
	a, err := d.ask(ctx, &request{Op: opNext, Open: open})
	if err != nil || a.Wait == nil {
		return drive.Wait{Over: true}, err
	}
	return *a.Wait, nil
}

// Take is [drive.Driver.Take].
func (d *Driver) Take(input drive.Input) error {
	_, _ = d.ask(context.Background(), &request{Op: opTake}) // Next tells of a child that has died
	return input(d)
}

// Finish is [drive.Driver.Finish].
func (d *Driver) Finish() (drive.End, error) {
	a, err := d.ask(context.Background(), &request{Op: opFinish})
	if a.End == nil {
		return drive.End{}, err
	}
	end := *a.End
	if a.SaveErr != "" {
		end.SaveErr = errors.New(a.SaveErr)
	}
	return end, err
}

// Wake is a [drive.Stepper]'s: nothing but its front end wakes the session.
func (d *Driver) Wake() <-chan struct{} { return d.s.wake }

// Do is [drive.Driver.Do].
func (d *Driver) Do(cmd wire.Command) (datamodel.Value, error) {
	req := &request{Op: opCommand, Line: cmd.Line, CommandID: packValue(cmd.ID)}
	if cmd.Err != nil {
		req.Text = cmd.Err.Error()
	} else if cmd.Verb != wire.None {
		req.Command = cmd.AppendJSON(nil)
	}
	a, err := d.ask(context.Background(), req)
	if err != nil {
		return nil, err
	}
	return unpack(a.Value)
}

// Settle is [drive.Driver.Settle].
func (d *Driver) Settle() {
	_, _ = d.ask(context.Background(), &request{Op: opSettle}) // as Take
}

// Look is [drive.Driver.Look]. It returns nothing if the child has died.
func (d *Driver) Look() []drive.View {
	a, _ := d.ask(context.Background(), &request{Op: opLook})
	for _, v := range a.Views {
		for _, st := range v.Active { // which front ends indent
			if st.Depth < 0 || st.Depth > d.s.depth {
				d.s.tenant.breach("it said that state %q is nested %d deep", st.Name, st.Depth)
				return nil
			}
		}
	}
	return a.Views
}
