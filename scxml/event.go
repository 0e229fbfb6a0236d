package scxml

import (
	"fmt"

	"github.com/scxmlrun/scxmlrun/datamodel"
)

// This file is how events get into a session, and to the algorithm.

// EventData decodes the data of an event into a Go value, see [datamodel.Decode].
func EventData[T any](ev Event) (T, error) {
	var v T
	err := datamodel.Decode(ev.Data, &v)
	return v, err
}

// Send puts an event into the external queue of the session. The event needs a
// name, see [datamodel.CheckEventName]; its data may be any Go data, see
// [datamodel.From], and are copied; its type is External whatever ev says. Send may be called from any goroutine and
// from callbacks, before Start too; it never blocks. Somebody has to drive the
// session for the event to be processed.
//
// The error is [ErrEnded], [ErrQueueFull], or it says what is wrong with the
// event, which a [*LimitError] does if there are too much data.
func (s *Session) Send(ev Event) error { return s.send(&ev) } // inlined, so that ev is copied only once

func (s *Session) send(ev *Event) error {
	if err := datamodel.CheckEventName(ev.Name); err != nil {
		return fmt.Errorf("scxml: Send: %w", err)
	}
	data := ev.Data
	if data != nil {
		var err error
		if data, err = datamodel.From(data); err == nil {
			err = s.tree.limits.checkData(data)
		}
		if err != nil {
			return fmt.Errorf("scxml: Send: data of event %q: %w", ev.Name, err)
		}
	}
	t := s.tree
	t.mu.Lock()
	slot, err := s.posted()
	if err == nil {
		*slot = *ev
		slot.Type, slot.Data = datamodel.External, data
	}
	t.mu.Unlock()
	return err
}

// post puts an event into the external queue.
func (s *Session) post(ev Event) error {
	t := s.tree
	t.mu.Lock()
	err := s.postLocked(ev)
	t.mu.Unlock()
	return err
}

// postLocked is post for a caller that holds tree.mu.
func (s *Session) postLocked(ev Event) error {
	slot, err := s.posted()
	if err == nil {
		*slot = ev
	}
	return err
}

// posted returns a new place in the external queue. The caller holds tree.mu.
func (s *Session) posted() (*Event, error) {
	t := s.tree
	if s.ended {
		return nil, ErrEnded
	}
	if s.external.len() >= t.limits.ExternalQueue {
		return nil, ErrQueueFull
	}
	t.mark(s)
	t.wakeUp()
	return s.external.add(), nil
}

// takeExternal moves the next external event to s.event if the last macrostep is
// complete and there is one. The caller holds tree.mu.
func (s *Session) takeExternal() bool {
	if s.unstable || s.internal.len() > 0 || s.external.len() == 0 {
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

// eventTaken makes s.event the value of _event.
func (s *Session) eventTaken() {
	if s.store != nil {
		s.store.SetEvent(s.event)
	}
}
