package main

import (
	"errors"
	"io"

	"github.com/scxmlrun/scxmlrun/cmd/internal/cli"
	"github.com/scxmlrun/scxmlrun/datamodel"
	"github.com/scxmlrun/scxmlrun/scxml"
)

// protocolVersion is the version of the machine protocol, see PROTOCOL.md.
const protocolVersion = 1

// A jsonFront speaks the machine protocol: it turns what the session reports
// into records, and input lines into what they ask for.
type jsonFront struct {
	driver *driver
	out    *recorder
	all    bool // --trace
}

func newJSONFront(w io.Writer, o *runOptions) *jsonFront {
	return &jsonFront{out: &recorder{w: w}, all: o.trace}
}

func (f *jsonFront) failed() error { return f.out.err }

// begin starts a record about a session: the fields that every record has.
func (f *jsonFront) begin(kind string, s *scxml.Session) *recorder {
	r := f.out.begin(kind, f.driver.elapsed()).text("session", s.ID())
	if s != f.driver.session {
		r.text("invokeid", s.InvokeID())
	}
	return r
}

func (f *jsonFront) hello(d *driver) {
	clock := "real"
	if d.virtual {
		clock = "virtual"
	}
	f.begin("hello", d.session).
		integer("protocol", protocolVersion).
		text("chart", d.chart.Name()).
		text("clock", clock).
		text("file", d.file).
		text("datamodel", d.chart.Datamodel()).
		unsigned("seed", d.seed).
		text("scxmlrun", cli.Version()).
		value("restored", d.saved != nil).
		end()
}

// rest writes the idle records.
func (f *jsonFront) rest(d *driver, answers []any) {
	for _, a := range answers {
		r := f.begin("idle", d.session)
		if l, ok := a.(lineID); ok {
			r.answers(l)
		} else { // the start
			r.value("answers", datamodel.Null)
		}
		f.configuration(r, d.session)
		if due, ok := d.session.NextDue(); ok {
			r.milliseconds("next_due_ms", due.Sub(d.start))
		} else {
			r.value("next_due_ms", datamodel.Null)
		}
		r.end()
	}
}

func (f *jsonFront) configuration(r *recorder, s *scxml.Session) {
	all := s.Configuration()
	r.texts("configuration", all).texts("atomic", atomic(s.Chart(), all))
}

func (f *jsonFront) trace(d *driver) *scxml.Trace {
	f.driver = d
	t := &scxml.Trace{
		Event: func(s *scxml.Session, ev *scxml.Event) {
			// The field invokeid of this record is the event's, so the
			// session's is left out.
			f.out.begin("event", d.elapsed()).text("session", s.ID()).
				text("name", ev.Name).value("data", ev.Data).text("eventtype", ev.Type.String()).
				text("sendid", ev.SendID).text("origin", ev.Origin).text("origintype", ev.OriginType).
				text("invokeid", ev.InvokeID).end()
		},
		Stable: func(s *scxml.Session) {
			r := f.begin("stable", s)
			f.configuration(r, s)
			r.end()
		},
		Send: func(s *scxml.Session, m scxml.Message) {
			f.begin("send", s).
				text("name", m.Event.Name).value("data", m.Event.Data).text("target", m.Target).
				text("eventtype", m.Type).text("sendid", m.Event.SendID).milliseconds("delay_ms", m.Delay).end()
		},
		Log: func(s *scxml.Session, label string, value datamodel.Value) {
			f.begin("log", s).text("label", label).value("value", value).end()
		},
		Error: func(s *scxml.Session, err *scxml.ExecutionError) {
			f.begin("error", s).
				text("name", err.Event).text("message", err.Msg).text("at", place(err.Pos)).
				text("element", err.Element).text("sendid", err.SendID).stack("stack", err.Stack).end()
		},
		Done: f.done,
	}
	if f.all {
		f.traceAll(t)
	}
	return t
}

// traceAll adds the records of --trace.
func (f *jsonFront) traceAll(t *scxml.Trace) {
	t.Microstep = func(s *scxml.Session, ev *scxml.Event, transitions []scxml.Transition) {
		name := ""
		if ev != nil {
			name = ev.Name
		}
		f.begin("microstep", s).text("event", name).integer("transitions", int64(len(transitions))).end()
	}
	t.Exit = func(s *scxml.Session, state scxml.State) { f.begin("exit", s).text("state", state.Name()).end() }
	t.Enter = func(s *scxml.Session, state scxml.State) { f.begin("enter", s).text("state", state.Name()).end() }
	t.Transition = func(s *scxml.Session, tr scxml.Transition) {
		targets := make([]string, 0, 1)
		for _, target := range tr.Targets() {
			targets = append(targets, target.Name())
		}
		f.begin("transition", s).
			text("source", tr.Source().Name()).texts("events", tr.Events()).text("cond", tr.Cond()).
			texts("targets", targets).text("at", place(tr.Pos())).end()
	}
	t.Raise = func(s *scxml.Session, ev *scxml.Event) {
		f.begin("raise", s).text("name", ev.Name).value("data", ev.Data).text("eventtype", ev.Type.String()).text("sendid", ev.SendID).end()
	}
	t.Timer = func(s *scxml.Session, m scxml.Message) {
		f.begin("timer", s).text("name", m.Event.Name).text("sendid", m.Event.SendID).text("target", m.Target).end()
	}
	t.Cancel = f.cancelled
	t.Invoke = func(s *scxml.Session, id string, child *scxml.Session) { f.invoked("invoke", s, id, child) }
	t.CancelInvoke = func(s *scxml.Session, id string, child *scxml.Session) { f.invoked("cancelinvoke", s, id, child) }
}

func (f *jsonFront) cancelled(s *scxml.Session, sendID string, n int) {
	f.begin("cancel", s).text("sendid", sendID).integer("count", int64(n)).end()
}

// invoked writes a record about an invocation. As in event records, invokeid is
// not about the session but a field of the record's own.
func (f *jsonFront) invoked(kind string, s *scxml.Session, id string, child *scxml.Session) {
	childID, chart := "", ""
	if child != nil { // it is a session
		childID, chart = child.ID(), child.Chart().Name()
	}
	f.out.begin(kind, f.driver.elapsed()).text("session", s.ID()).
		text("invokeid", id).text("child", childID).text("chart", chart).end()
}

// done writes that a session has ended, and before it the limit if that is why.
func (f *jsonFront) done(s *scxml.Session) {
	reason, failure := "stopped", error(nil)
	var limit *scxml.LimitError
	if errors.As(s.Err(), &limit) {
		failure = limit
	} else if s == f.driver.session {
		failure = f.driver.failure
	}
	switch {
	case failure != nil:
		reason = "limit"
		f.begin("error", s).
			text("name", "limit").text("message", failure.Error()).text("at", "").
			text("element", "").text("sendid", "").stack("stack", nil).end()
	case s.Status() == scxml.Final:
		reason = "final"
	case s == f.driver.session && f.driver.timedOut:
		reason = "timeout"
	}
	f.begin("done", s).text("reason", reason).text("final", s.FinalState()).value("data", s.DoneData()).end()
}

// line does what an input line asks for, or answers that it cannot be used.
func (f *jsonFront) line(d *driver, in inputLine) (answer any, ok bool) {
	id := lineID{number: in.number}
	cmd, err := parseCommand(in)
	id.id = cmd.id
	if err == nil {
		err = f.carryOut(d, cmd, id)
	}
	if err != nil {
		f.begin("rejected", d.session).answers(id).integer("line", int64(in.number)).text("message", err.Error()).end()
		return nil, false
	}
	return id, true
}

// carryOut does what a command says. An error means that nothing was changed.
func (f *jsonFront) carryOut(d *driver, cmd command, id lineID) error {
	switch cmd.verb {
	case "event":
		s, err := d.find(cmd.session)
		if err != nil {
			return err
		}
		return s.Send(cmd.event)
	case "advance":
		if !d.virtual {
			return errors.New(`the real clock cannot be advanced; start scxmlrun with --clock virtual`)
		}
		if d.present.Add(cmd.advance).Sub(d.start) < 0 {
			return errors.New(`"advance" goes beyond what the clock can show, which is 292 years`)
		}
		d.advance(cmd.advance)
	case "cancel":
		s, err := d.find(cmd.session)
		if err != nil {
			return err
		}
		n := s.Cancel(cmd.text)
		if f.all {
			f.cancelled(s, cmd.text, n)
		}
	case "get":
		s, err := d.find(cmd.session)
		if err != nil {
			return err
		}
		value, err := s.Eval(d.ctx, cmd.text)
		if err != nil {
			return err
		}
		f.begin("value", s).answers(id).text("location", cmd.text).value("value", value).end()
	case "snapshot":
		d.catchUp()
		snapshot, err := d.session.Snapshot()
		if err != nil {
			return err
		}
		f.begin("value", d.session).answers(id).text("location", "").value("value", string(snapshot)).end()
	case "stop":
		d.session.Stop()
	}
	return nil
}
