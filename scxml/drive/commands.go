package drive

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/scxmlrun/scxmlrun/datamodel"
	"github.com/scxmlrun/scxmlrun/scxml"
	"github.com/scxmlrun/scxmlrun/scxml/record"
	"github.com/scxmlrun/scxmlrun/scxml/record/wire"
)

// elapsed returns the chart time since the start.
func (d *Driver) elapsed() time.Duration { return d.present.Sub(d.start) }

// hello sends the first record.
func (d *Driver) hello() {
	clock := "real"
	if d.cfg.Virtual {
		clock = "virtual"
	}
	g := &record.Greeting{
		Protocol: wire.Version, Chart: d.cfg.Chart.Name(), Clock: clock, File: d.cfg.File,
		Datamodel: d.cfg.Chart.Datamodel(), Version: d.cfg.Version, Restored: d.cfg.Saved != nil,
	}
	if d.cfg.Seed != nil && !g.Restored {
		g.Seed = *d.cfg.Seed
	}
	d.recorder.Tell(d.session, record.Record{Kind: record.Hello, Hello: g})
}

// Do carries out a command, see [Session]. Call it in an Input, or for a Get in Tell at rest or of
// Done.
func (d *Driver) Do(cmd wire.Command) (datamodel.Value, error) {
	answer := record.Record{ID: cmd.ID, Line: cmd.Line}
	var v datamodel.Value
	err := cmd.Err
	if err == nil {
		v, err = d.carryOut(cmd, answer)
	}
	answered := cmd.ID != nil || cmd.Line > 0
	switch {
	case err != nil && answered:
		answer.Kind, answer.Message = record.Rejected, err.Error()
		d.recorder.Tell(d.session, answer)
	case err == nil:
		d.busy = d.busy || cmd.Verb != wire.Get && cmd.Verb != wire.Why
		if answered {
			d.answers = append(d.answers, answer)
		}
	}
	return v, err
}

// carryOut carries out a command. If it fails, nothing was changed.
func (d *Driver) carryOut(cmd wire.Command, answer record.Record) (v datamodel.Value, err error) {
	s, err := d.find(cmd.Session)
	if err != nil {
		return nil, err
	}
	switch cmd.Verb {
	case wire.Advance, wire.Snapshot, wire.Stop:
		if s != d.session {
			return nil, fmt.Errorf("%q concerns all sessions together, not %q alone: write it without \"session\"", cmd.Verb, cmd.Session)
		}
	}
	switch cmd.Verb {
	case wire.Event:
		return nil, s.Send(cmd.Event)
	case wire.Advance:
		if !d.cfg.Virtual && !d.cfg.Hurry {
			return nil, ErrRealClock
		}
		if cmd.Advance > math.MaxInt64-max(d.elapsed(), d.ahead) {
			return nil, ErrTooFar
		}
		if !d.cfg.Virtual {
			d.ahead += cmd.Advance
			d.readClock()
			return nil, nil
		}
		d.target = d.present.Add(cmd.Advance)
		return nil, nil
	case wire.Cancel:
		answer.Kind, answer.Event.SendID, answer.Count = record.Cancel, cmd.Text, s.Cancel(cmd.Text)
	case wire.Get:
		answer.Kind, answer.Label = record.Value, cmd.Text
		v, err = s.Eval(d.ctx, cmd.Text)
	case wire.Why:
		answer.Kind = record.Value
		var trial scxml.Trial
		if trial, err = s.Try(d.ctx, cmd.Event); err == nil {
			v = trialValue(trial)
		}
	case wire.Snapshot:
		answer.Kind = record.Value
		d.catchUp()
		var snapshot []byte
		snapshot, err = s.Snapshot()
		v = string(snapshot)
	case wire.Stop:
		d.askToStop()
		return nil, nil
	default:
		return nil, nil
	}
	if d.listener != nil && (answer.Kind == record.Cancel || cmd.Verb == wire.Get && !slices.Contains(s.Chart().Data(), cmd.Text)) {
		// An expression can have an effect, even if it fails.
		change := record.Record{Kind: answer.Kind, Label: answer.Label, Event: answer.Event, Session: s.ID(), InvokeID: s.InvokeID()}
		d.listener.Changed(&change)
	}
	if err == nil {
		answer.Value = v
		d.recorder.Tell(s, answer)
	}
	return v, err
}

// trialValue returns a trial as data, see [Session].
func trialValue(t scxml.Trial) datamodel.Value {
	texts := func(list []string) []datamodel.Value {
		out := make([]datamodel.Value, len(list))
		for i, text := range list {
			out[i] = text
		}
		return out
	}
	candidates := make([]datamodel.Value, len(t.Candidates))
	for i, c := range t.Candidates {
		tr, message := c.Transition, datamodel.Value(datamodel.Null)
		if c.Err != nil {
			message = c.Err.Error()
		}
		var targets []string
		for _, target := range tr.Targets() {
			targets = append(targets, target.Name())
		}
		candidates[i] = datamodel.NewObject("session", c.Session.ID(), "verdict", strings.ReplaceAll(c.Verdict.String(), " ", "-"),
			"source", tr.Source().Name(), "events", texts(tr.Events()), "cond", tr.Cond(), "targets", texts(targets),
			"at", tr.Pos().String(), "message", message)
	}
	return datamodel.NewObject("handled", t.Handled, "certain", t.Certain, "candidates", candidates)
}

var (
	// ErrRealClock is the error of a command to advance the real clock.
	ErrRealClock = errors.New("cannot advance the real clock")
	// ErrTooFar is the error of a command to advance a virtual clock beyond its range.
	ErrTooFar = errors.New(`cannot "advance" the clock by more than 292 years`)
)

// find returns the session of the tree with the given id, the root for "".
func (d *Driver) find(id string) (*scxml.Session, error) {
	if id == "" {
		return d.session, nil
	}
	var ids []string
	for _, s := range d.session.Sessions() {
		if s.ID() == id {
			return s, nil
		}
		ids = append(ids, fmt.Sprintf("%q", s.ID()))
	}
	if len(ids) > 12 {
		return nil, fmt.Errorf("no session %q", id)
	}
	return nil, fmt.Errorf("no session %q (want %s)", id, strings.Join(ids, ", "))
}

// Settle does the work that is due now, see [Session]. Call it in an Input only.
func (d *Driver) Settle() {
	for range Patience {
		// An error has stopped the session, which the loop sees.
		if more, _ := d.step(d.ctx); !more {
			return
		}
	}
}

// Look returns the visible state of the sessions, see [Session]. Call it in an Input, or in Tell at
// rest.
func (d *Driver) Look() []View {
	var all []View
	timers := map[*scxml.Session][]Timer{}
	for _, p := range scxml.ForTools(d.session).Delayed() {
		ev := &p.Message.Event
		timers[p.Session] = append(timers[p.Session], Timer{ev.Name, ev.SendID, p.Due.Sub(d.start)})
	}
	for _, s := range d.session.Sessions() {
		m := d.mapOf(s.Chart())
		v := View{Session: s.ID(), InvokeID: s.InvokeID(), Takes: s.Enabled(), Data: m.data, States: m.names, Timers: timers[s]}
		for _, name := range s.Configuration() {
			v.Active = append(v.Active, m.states[name])
		}
		all = append(all, v)
	}
	return all
}

// A chartMap is the part of a View that depends on the chart only.
type chartMap struct {
	states      map[string]State
	names, data []string
}

func (d *Driver) mapOf(chart *scxml.Chart) *chartMap {
	m := d.maps[chart]
	if m != nil {
		return m
	}
	m = &chartMap{states: map[string]State{}, data: chart.AllData()}
	if d.maps == nil || len(d.maps) > 100 { // a chart can compute the charts that it invokes
		d.maps = map[*scxml.Chart]*chartMap{}
	}
	d.maps[chart] = m
	for number, st := range chart.States()[1:] {
		depth := 0
		for p, ok := st.Parent(); ok && p != chart.Root(); p, ok = p.Parent() {
			depth++
		}
		m.names = append(m.names, st.Name())
		m.states[st.Name()] = State{Name: st.Name(), Number: number + 1, Depth: depth, Atomic: st.IsAtomic()}
	}
	return m
}
