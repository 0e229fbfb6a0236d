package inspect

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"time"

	"github.com/scxmlrun/scxmlrun/datamodel"
	"github.com/scxmlrun/scxmlrun/scxml"
)

// readEvent returns the event of a request, or an error that says what is wrong with it.
func readEvent(name string, data json.RawMessage) (scxml.Event, error) {
	ev := scxml.Event{Name: name}
	err := datamodel.CheckEventName(name)
	if err == nil && data != nil {
		ev.Data, err = datamodel.ParseJSON(data)
	}
	if err != nil {
		return ev, refuse(http.StatusUnprocessableEntity, "cannot send the event: %w", err)
	}
	return ev, nil
}

// send sends an event to a session.
func (in *Inspector) send(c *call, m *member) (any, error) {
	var args struct {
		Event string          `json:"event"`
		Data  json.RawMessage `json:"data"`
	}
	if err := c.decode(&args); err != nil {
		return nil, err
	}
	ev, err := readEvent(args.Event, args.Data)
	if err != nil {
		return nil, err
	}
	if m.driving == nil {
		s, err := m.session()
		if err == nil {
			err = sendError(s.Send(ev))
		}
		return struct{}{}, err
	}
	return m.drive(c, func(ctx context.Context, s *scxml.Session) error {
		_, err := s.Do(ctx, s.Now(), ev)
		return sendError(err)
	})
}

// sendError gives an error of Send or Do its status.
func sendError(err error) error {
	switch {
	case err == nil:
		return nil
	case errors.Is(err, scxml.ErrEnded), errors.Is(err, scxml.ErrQueueFull), errors.Is(err, scxml.ErrStopped):
		return refuse(http.StatusConflict, "cannot send the event: %w", err)
	}
	return refuse(http.StatusUnprocessableEntity, "cannot send the event: %w", err)
}

// advance advances a virtual clock.
func (in *Inspector) advance(c *call, m *member) (any, error) {
	var args struct {
		By   float64 `json:"by_ms"`
		Next bool    `json:"next"` // to the next delayed event
	}
	if err := c.decode(&args); err != nil {
		return nil, err
	}
	const most = float64(100 * 365 * 24 * time.Hour / time.Millisecond)
	if args.Next && args.By != 0 {
		return nil, refuse(http.StatusUnprocessableEntity, "cannot advance by a time and to the next event: want by_ms or next")
	}
	if args.By < 0 || args.By > most {
		return nil, refuse(http.StatusUnprocessableEntity, "cannot advance by %v ms: want a number from 0 to %v", args.By, most)
	}
	if m.driving == nil {
		return nil, refuse(http.StatusConflict, "cannot advance the clock of session %q, which its program does; make a branch", m.Name)
	}
	return m.drive(c, func(ctx context.Context, s *scxml.Session) error {
		to := s.Now().Add(time.Duration(args.By * float64(time.Millisecond)))
		if args.Next {
			due, ok := s.NextDue()
			if !ok {
				return refuse(http.StatusConflict, "no delayed event is pending")
			}
			to = due
		}
		return s.Advance(ctx, to)
	})
}

// drive lets f drive a session that the inspector drives, such as that of a branch.
func (m *member) drive(c *call, f func(context.Context, *scxml.Session) error) (any, error) {
	select {
	case m.driving <- struct{}{}:
		defer func() { <-m.driving }()
	case <-c.Done():
		return nil, refuse(http.StatusServiceUnavailable, "another request drives session %q", m.Name)
	}
	s, err := m.session()
	if err == nil {
		err = f(c, s)
	}
	if err != nil {
		return nil, err
	}
	return struct {
		N int `json:"n"`
	}{m.History.Len() - 1}, nil
}

// stop stops a session: its onexit handlers run.
func (in *Inspector) stop(c *call, m *member) (any, error) {
	if err := c.decodeNothing(); err != nil {
		return nil, err
	}
	if m.driving == nil {
		s, err := m.session()
		if err == nil {
			s.Stop()
		}
		return struct{}{}, err
	}
	return m.drive(c, func(ctx context.Context, s *scxml.Session) error {
		s.Stop()
		if _, err := s.Step(ctx, s.Now()); !errors.Is(err, scxml.ErrStopped) {
			return err
		}
		return nil
	})
}

// cancel cancels delayed events.
func (in *Inspector) cancel(c *call, m *member) (any, error) {
	var args struct {
		SendID string `json:"sendid"`
	}
	if err := c.decode(&args); err != nil {
		return nil, err
	}
	var answer struct {
		Count int `json:"count"`
	}
	cancel := func(_ context.Context, s *scxml.Session) error {
		if answer.Count = s.Cancel(args.SendID); answer.Count == 0 {
			return nil
		}
		return m.History.Mark()
	}
	if m.driving != nil {
		_, err := m.drive(c, cancel)
		return answer, err
	}
	s, err := m.session()
	if err != nil {
		return nil, err
	}
	ctx, stop := context.WithTimeout(c, patience)
	defer stop()
	var failed error
	err = s.Call(ctx, func(s *scxml.Session) { failed = cancel(ctx, s) })
	if err != nil {
		return nil, refuse(http.StatusConflict, "cannot cancel the event: the program does not drive session %q now: %w", m.Name, err)
	}
	return answer, failed
}

// patience is how long a request waits for the owner of a session.
const patience = 5 * time.Second

// session returns the session.
func (m *member) session() (*scxml.Session, error) {
	s := m.History.Session()
	if s == nil {
		return nil, refuse(http.StatusConflict, "session %q has not started yet", m.Name)
	}
	return s, nil
}
