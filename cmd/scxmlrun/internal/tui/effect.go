package tui

import (
	"context"
	"errors"
	"strings"
	"time"

	"github.com/scxmlrun/scxmlrun/cmd/scxmlrun/internal/text"
	"github.com/scxmlrun/scxmlrun/datamodel"
	"github.com/scxmlrun/scxmlrun/scxml"
	"github.com/scxmlrun/scxmlrun/scxml/diagram"
)

// An effect is what an event would do.
type effect struct {
	name            string // of the event
	lines           []entry
	entered, exited map[*diagram.Node]bool
	edges           map[string]bool // positions of transitions
}

// previewTime is how long an event may work to show what it would do.
const previewTime = 200 * time.Millisecond

func (e *effect) add(word, line string, t tone) { e.lines = append(e.lines, entry{word, line, t}) }

func (e *effect) fail(err error) {
	if errors.Is(err, context.DeadlineExceeded) {
		e.add("endless", "or it takes long", errorTone)
	} else {
		e.add("cannot", err.Error(), errorTone)
	}
}

// effectOf returns what an event would do at the position that is shown.
func (f *Front) effectOf(name string, data datamodel.Value) *effect {
	k := f.look
	key := name + " " + string(datamodel.AppendJSON(nil, data))
	if k.effects[key] == nil {
		k.effects[key] = f.preview(k, name, data)
	}
	return k.effects[key]
}

// preview finds out what an event would do at a position, by sending it to a copy.
func (f *Front) preview(k *look, name string, data datamodel.Value) *effect {
	e := &effect{name: name, entered: map[*diagram.Node]bool{}, exited: map[*diagram.Node]bool{}, edges: map[string]bool{}}
	if k.session == nil || k.session.Status() != scxml.Running || name == "" {
		return e
	}
	ctx, cancel := context.WithTimeout(f.Context, previewTime)
	defer cancel()
	s, err := k.line.h.Seek(ctx, k.n)
	if err != nil {
		e.fail(err)
		return e
	}
	if k.queued { // which comes first
		if _, err := s.Do(ctx, s.Now(), scxml.Event{}); err != nil {
			e.fail(err)
			return e
		}
		if s.Status() != scxml.Running {
			e.add("never", "comes: what is queued ends the session", dimTone)
			return e
		}
	}
	ev := scxml.Event{Name: name, Data: data}
	trial, err := s.Try(ctx, ev)
	if err != nil {
		e.fail(err)
		return e
	}
	does, err := s.Do(ctx, s.Now(), ev)
	if err != nil {
		e.fail(err)
	}
	for _, t := range does.Transitions {
		if at := t.Pos().String(); !e.edges[at] {
			e.edges[at] = true
			e.add("take", transitionText(t), wouldTone)
		}
	}
	if !e.forward(trial) && !does.Handled {
		e.explain(trial)
	}
	now := f.active(s)
	for n := range now {
		e.entered[n] = !k.active[n]
	}
	for n := range k.active {
		e.exited[n] = !now[n]
	}
	e.tell(k, s, does)
	return e
}

// transitionText returns the source, the events and the targets of a transition.
func transitionText(t scxml.Transition) string {
	return strings.Replace(t.String(), "->", "→", 1)
}

// forward adds what invoked sessions would do with the event, and reports whether they would do anything.
func (e *effect) forward(trial scxml.Trial) (any bool) {
	for _, c := range trial.Candidates {
		if id := c.Session.InvokeID(); id != "" && c.Verdict == scxml.Taken {
			e.add("take", "["+id+"] "+transitionText(c.Transition), wouldTone)
			any = true
		}
	}
	return any
}

// explain adds why the event would do nothing.
func (e *effect) explain(trial scxml.Trial) {
	said := false
	for _, c := range trial.Candidates {
		switch c.Verdict {
		case scxml.CondFalse, scxml.CondFailed, scxml.NotEvaluated:
			line := c.Transition.Source().Name() + ": " + strings.Join(strings.Fields(c.Transition.Cond()), " ")
			word := map[scxml.Verdict]string{scxml.CondFalse: "false", scxml.CondFailed: "failed", scxml.NotEvaluated: "unsure"}[c.Verdict]
			if c.Err != nil {
				line += ": " + c.Err.Error()
			}
			e.add(word, line, dimTone)
			said = true
		}
	}
	if !said {
		e.add("nothing", "no active state has a transition for it", dimTone)
	}
}

// tell adds the other effects.
func (e *effect) tell(k *look, s *scxml.Session, does scxml.Effect) {
	was := map[string]datamodel.Value{}
	for _, c := range k.data {
		if c.err == nil {
			was[c.name()] = c.value
		}
	}
	for _, now := range dataOf(context.Background(), s) {
		if old, ok := was[now.name()]; ok && now.err == nil {
			for _, line := range text.Differences(now.name(), old, now.value, dataWidth) {
				e.add("data", line, wouldTone)
			}
		}
	}
	before := map[uint64]bool{}
	for _, d := range scxml.ForTools(k.session).Delayed() {
		before[d.Seq] = true
	}
	for _, m := range does.Sent {
		line := text.Message(m.Event.Name, m.Event.Data, dataWidth)
		if m.Target != "" {
			line += " to " + m.Target
		}
		e.add("send", line, wouldTone)
	}
	for _, d := range scxml.ForTools(s).Delayed() {
		if !before[d.Seq] {
			e.add("timer", d.Message.Event.Name+" in "+duration(d.Due.Sub(s.Now())), wouldTone)
		}
	}
	for _, err := range does.Errors {
		e.add("error", err.Event+": "+err.Msg, errorTone)
	}
	if s.Status() != scxml.Running {
		e.add("ends", "the session, in "+s.FinalState(), wouldTone)
	}
}
