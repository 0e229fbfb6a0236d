package main

import (
	"fmt"
	"math"

	"github.com/scxmlrun/scxmlrun/datamodel"
	"github.com/scxmlrun/scxmlrun/scxml"
)

// maxReport is how many bytes a macrostep may cause to be written, about: data
// counts as datamodel.Size says. The engine bounds logs and errors itself, but
// a <foreach> can send the same megabytes any number of times.
const maxReport = 256 << 20

// errReport is the failure of a session that goes beyond maxReport.
var errReport = fmt.Errorf("limit of %d bytes of output in one macrostep exceeded: the chart sends too much, or enters too many states", maxReport)

// A reportLimit bounds what a macrostep causes to be written: what is more is
// not shown, and the session ends with a failure.
type reportLimit struct {
	written  int    // of this macrostep
	exceeded func() // is called when it is too much
}

// room counts something that is about to be written, and reports whether it may be.
func (l *reportLimit) room(data datamodel.Value, texts ...string) bool {
	const record = 128 // what stands around them
	if l.written > maxReport {
		return false
	}
	size, _ := datamodel.Size(data, maxReport, math.MaxInt)
	for _, text := range texts {
		size += len(text)
	}
	if l.written += record + size; l.written <= maxReport {
		return true
	}
	l.exceeded()
	return false
}

// watch puts the limit before what a trace shows of a macrostep.
func (l *reportLimit) watch(t *scxml.Trace) {
	if send := t.Send; send != nil {
		t.Send = func(s *scxml.Session, m scxml.Message) {
			if l.room(m.Event.Data, m.Event.Name, m.Target, m.Type, m.Event.SendID) {
				send(s, m)
			}
		}
	}
	if raise := t.Raise; raise != nil {
		t.Raise = func(s *scxml.Session, ev *scxml.Event) {
			if l.room(ev.Data, ev.Name, ev.SendID) {
				raise(s, ev)
			}
		}
	}
	if cancel := t.Cancel; cancel != nil {
		t.Cancel = func(s *scxml.Session, sendID string, n int) {
			if l.room(nil, sendID) {
				cancel(s, sendID, n)
			}
		}
	}
	t.Enter, t.Exit = l.state(t.Enter), l.state(t.Exit)
	if transition := t.Transition; transition != nil {
		t.Transition = func(s *scxml.Session, tr scxml.Transition) {
			if l.room(nil, tr.Source().Name(), tr.Cond()) {
				transition(s, tr)
			}
		}
	}
	stable := t.Stable
	t.Stable = func(s *scxml.Session) {
		l.written = 0
		if stable != nil {
			stable(s)
		}
	}
}

func (l *reportLimit) state(show func(*scxml.Session, scxml.State)) func(*scxml.Session, scxml.State) {
	if show == nil {
		return nil
	}
	return func(s *scxml.Session, state scxml.State) {
		if l.room(nil, state.Name()) {
			show(s, state)
		}
	}
}
