package suite

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/scxmlrun/scxmlrun/scxml"
	"github.com/scxmlrun/scxmlrun/scxml/explore"
	"github.com/scxmlrun/scxmlrun/scxml/history"
	"github.com/scxmlrun/scxmlrun/scxml/scxmltest"
)

// ErrNotKept is the error of a path that does not lead to where it should.
var ErrNotKept = errors.New("suite: the expression is never true")

// Shrink returns a path with a part of what has arrived until the end, after which an expression of the chart's data model is still true (as a
// condition is, see [explore.Never]) at some rest. No event of it can be left out, and no waiting time be
// shorter, as far as one change at a time shows (Zeller's ddmin, IEEE TSE 28(2), 2002). An event that does
// not need data has none.
//
// The session begins in a snapshot, or anew if from is nil; it is that of a scenario, see
// [scxmltest.Replay]. Progress, which may be nil, is called often, with the number of events that are left.
// The error is the cause of ctx, or ErrNotKept if the whole path does not lead there, together with that of
// the expression if it could never be evaluated.
func Shrink(ctx context.Context, chart *scxml.Chart, from []byte, all []history.Arrival, end time.Duration, keep string, progress func(left int)) ([]explore.Input, error) {
	s := &shrinker{ctx: ctx, chart: chart, from: from, keep: keep, progress: progress, all: all}
	if progress == nil {
		s.progress = func(int) {}
	}
	n, end, err := s.try(all, end)
	switch {
	case err != nil:
		return nil, err
	case n < 0 && !s.known && s.unknown != nil:
		return nil, fmt.Errorf("%w: %w", ErrNotKept, s.unknown)
	case n < 0:
		return nil, ErrNotKept
	}
	s.all, s.end = all[:n], end
	for _, step := range []func() error{s.leaveOut, s.hurry, s.leaveOut, s.strip} {
		if err := step(); err != nil {
			return nil, err
		}
	}
	return s.path(), nil
}

type shrinker struct {
	ctx      context.Context
	chart    *scxml.Chart
	from     []byte
	keep     string
	progress func(int)

	all []history.Arrival
	end time.Duration // when the expression is true

	known   bool  // the expression has had a value
	unknown error // why it had none last
}

// path returns what is left.
func (s *shrinker) path() (path []explore.Input) {
	var now time.Duration
	wait := func(until time.Duration) {
		if until > now {
			path = append(path, explore.Input{Wait: until - now})
			now = until
		}
	}
	for _, m := range s.all {
		wait(m.Time)
		path = append(path, explore.Input{Event: m.Event.Name, Data: m.Event.Data})
	}
	wait(s.end)
	return path
}

// try runs a session and returns how many of the events it takes until the expression is true, and when
// that is; n is -1 if it never is.
func (s *shrinker) try(all []history.Arrival, end time.Duration) (n int, at time.Duration, err error) {
	var clock scxmltest.Clock
	var session *scxml.Session
	if s.from != nil {
		same := scxml.WithMigration(func(snapshot []byte, _ *scxml.Chart) ([]byte, error) { return snapshot, nil })
		session, err = scxml.Restore(s.chart, s.from, scxml.WithClock(clock.Now), same)
	} else if session, err = scxml.New(s.chart, scxml.WithClock(clock.Now), scxml.WithSeed(1), scxml.WithSessionID("session"), scxml.WithMissing()); err == nil {
		err = session.Start(s.ctx)
	}
	if err != nil {
		return -1, 0, err
	}
	begin := session.Now()
	for i := 0; ; i++ {
		until := end
		if i < len(all) {
			until = all[i].Time
		}
		for now := session.Now().Sub(begin); ; {
			held, err := s.rest(session, begin.Add(now))
			if held || err != nil {
				return i, now, err
			}
			if now >= until {
				break
			}
			now = until
			if due, ok := session.NextDue(); ok && due.Sub(begin) < until {
				now = max(due.Sub(begin), session.Now().Sub(begin))
			}
		}
		s.progress(len(s.all))
		if i == len(all) || session.Status() != scxml.Running {
			return -1, 0, context.Cause(s.ctx)
		}
		if err := session.Send(scxml.Event{Name: all[i].Event.Name, Data: all[i].Event.Data}); err != nil {
			return -1, 0, nil // without it
		}
	}
}

// maxSteps is how many macrosteps may follow from one event.
const maxSteps = 100_000

// rest lets the session come to rest, and reports whether the expression is true there.
func (s *shrinker) rest(session *scxml.Session, now time.Time) (bool, error) {
	for steps, more := 0, true; more; steps++ {
		var err error
		if more, err = session.Step(s.ctx, now); s.ctx.Err() != nil {
			return false, context.Cause(s.ctx)
		}
		if err != nil || steps == maxSteps {
			break
		}
	}
	without, err := explore.Never(s.keep).Holds(s.ctx, &explore.Session{Session: session})
	if err != nil {
		s.unknown = errors.Unwrap(err)
		return false, nil
	}
	s.known = true
	return !without, nil
}

// accept tries a smaller list, and keeps it if the expression is true after it.
func (s *shrinker) accept(all []history.Arrival, end time.Duration) (bool, error) {
	n, at, err := s.try(all, end)
	if err != nil || n < 0 {
		return false, err
	}
	s.all, s.end = all[:n], at
	return true, nil
}

// leaveOut leaves out events, many at a time first.
func (s *shrinker) leaveOut() error {
	for size := (len(s.all) + 1) / 2; size > 0; {
		smaller := false
		for from := 0; from < len(s.all); {
			rest := slices.Concat(s.all[:from], s.all[min(from+size, len(s.all)):])
			ok, err := s.accept(rest, s.end)
			if err != nil {
				return err
			}
			if smaller = smaller || ok; !ok {
				from += size
			}
		}
		if size == 1 && !smaller {
			break
		}
		size = max(1, min(size/2, (len(s.all)+1)/2))
		if len(s.all) == 0 {
			break
		}
	}
	return nil
}

// hurry shortens waiting times to what is needed, in milliseconds.
func (s *shrinker) hurry() error {
	for i := 0; i <= len(s.all); i++ {
		low, high := time.Duration(-1), s.wait(i) // above low, at most high
		for next := time.Duration(0); low < next && next < high && i <= len(s.all); next = (low + (high-low)/2).Truncate(time.Millisecond) {
			all, less := slices.Clone(s.all), high-next
			for k := i; k < len(all); k++ {
				all[k].Time -= less
			}
			ok, err := s.accept(all, s.end-less)
			if err != nil {
				return err
			}
			if ok {
				high = next
			} else {
				low = next
			}
		}
	}
	return nil
}

// wait returns the time before an event, or before the end.
func (s *shrinker) wait(i int) time.Duration {
	at, before := s.end, time.Duration(0)
	if i < len(s.all) {
		at = s.all[i].Time
	}
	if i > 0 {
		before = s.all[i-1].Time
	}
	return at - before
}

// strip takes the data from events that do not need them.
func (s *shrinker) strip() error {
	for i := 0; i < len(s.all); i++ {
		if s.all[i].Event.Data == nil {
			continue
		}
		all := slices.Clone(s.all)
		all[i].Event.Data = nil
		if _, err := s.accept(all, s.end); err != nil {
			return err
		}
	}
	return nil
}
