package scxml

import (
	"github.com/scxmlrun/scxmlrun/datamodel"
)

// This file has the way of an event into a session and to the algorithm.

// EventData decodes the data of an event into a Go value, see [datamodel.Decode]. The event need not
// come from a session: Go data that a host has put into it is converted as Send does.
func EventData[T any](ev Event) (T, error) {
	var v T
	err := datamodel.Decode(ev.Data, &v)
	if err != nil {
		if data, e := datamodel.From(ev.Data); e == nil {
			v = *new(T)
			err = datamodel.Decode(data, &v)
		}
	}
	return v, err
}

// Deliver is [Session.Send] for an [IOProcessor] that has received an event, and for other sources
// that are not the users of the host. It does not ask the function of [WithAccept]. Any goroutine
// may call it.
func (v ServerView) Deliver(ev Event) error {
	if err := v.s.arriving(&ev); err != nil {
		return failed("Deliver", err)
	}
	return v.s.post(&ev, true)
}

// arriving checks an event from outside, and makes it one that a queue can hold.
func (s *Session) arriving(ev *Event) error {
	if err := datamodel.CheckEventName(ev.Name); err != nil {
		return err
	}
	return s.convert(ev)
}

// Send puts an event into the external queue of the session. It never blocks, and may be called
// from any goroutine, from callbacks and before Start. The event is processed when the session is
// driven.
//
// The event needs a name that [datamodel.CheckEventName] accepts. Its data may be any Go data, see
// [datamodel.From], and is copied. Its type is always External.
//
// The error is [ErrEnded], [ErrQueueFull], a [*LimitError] if the data is too large, or says what
// is wrong with the event.
func (s *Session) Send(ev Event) error { return s.send(&ev) } // inlined, so that ev is copied once only

func (s *Session) send(ev *Event) error {
	if s == nil {
		return errNil("Send")
	}
	if err := s.admit(ev); err != nil {
		return failed("Send", err)
	}
	t := s.tree
	t.mu.Lock()
	slot, err := s.posted(true)
	if err == nil {
		*slot = *ev
	}
	if t.onWake == nil {
		t.mu.Unlock() // inlined, which unlock is not
	} else {
		t.unlock()
	}
	return err
}

// post puts an event into the external queue. outside means that it comes from outside the session
// tree.
func (s *Session) post(ev *Event, outside bool) error {
	t := s.tree
	t.mu.Lock()
	slot, err := s.posted(outside)
	if err == nil {
		*slot = *ev
	}
	t.unlock()
	return err
}

// posted returns a new slot in the external queue. If a Trace reports events from outside,
// they wait for settle. The caller holds tree.mu.
func (s *Session) posted(outside bool) (*Event, error) {
	t := s.tree
	if s.ended {
		return nil, ErrEnded
	}
	if s.external.len() >= t.limits.ExternalQueue {
		return nil, ErrQueueFull
	}
	t.mark(s)
	t.wakeUp()
	if outside && t.trace != nil && t.trace.Arrive != nil {
		s.arrived++
		t.news = true
	} else if s.arrived > 0 && !outside {
		return s.external.insert(int(s.arrived)), nil
	}
	return s.external.add(), nil
}

// settle reports the events that have arrived since the last step, and releases them to their
// sessions.
func (t *tree) settle() {
	if t.trace == nil || t.trace.Arrive == nil {
		return // nothing waits to be told
	}
	type arrival struct {
		s  *Session
		ev Event
	}
	var told []arrival
	t.mu.Lock()
	if !t.news {
		t.mu.Unlock()
		return
	}
	t.news = false
	for _, s := range t.sessions {
		if s.arrived == 0 {
			continue
		}
		if t.trace != nil && t.trace.Arrive != nil {
			for i := s.external.len() - int(s.arrived); i < s.external.len(); i++ {
				told = append(told, arrival{s, *s.external.at(i)})
			}
		}
		s.arrived = 0
		t.mark(s)
	}
	t.mu.Unlock()
	for i := range told {
		t.trace.Arrive(told[i].s, &told[i].ev)
	}
}

// takeExternal moves the next external event, if there is one, to s.event once the last macrostep
// is complete. The caller holds tree.mu.
func (s *Session) takeExternal() bool {
	if s.unstable || s.internal.len() > 0 || s.external.len() <= int(s.arrived) {
		return false
	}
	s.fence = max(0, s.fence-1)
	s.take(&s.external)
	return true
}

// take moves the first event of q to s.event.
func (s *Session) take(q *queue) {
	if s.event == nil {
		s.event = new(Event)
	}
	q.take(s.event)
}

// eventTaken sets _event to s.event.
func (s *Session) eventTaken() {
	if s.store != nil {
		s.store.SetEvent(s.event)
	}
}
