package copies

import (
	"context"
	"slices"
	"time"

	"github.com/scxmlrun/scxmlrun/scxml"
	"github.com/scxmlrun/scxmlrun/scxml/fleet"
	"github.com/scxmlrun/scxmlrun/scxml/history"
	"github.com/scxmlrun/scxmlrun/scxml/inspect"
)

// A variant is a way in which a session could continue.
type variant struct {
	name string
	does func(ctx context.Context, s *scxml.Session, h *history.History)
}

// sessions returns the copies of a session: as it is, and as it could continue.
func (c *Copies) sessions(ctx context.Context, key string) (all []inspect.Session, err error) {
	of, err := c.cfg.Fleet.Copy(ctx, key)
	if err != nil {
		return nil, err
	}
	of.Options = slices.Concat(of.Options, c.cfg.Options)
	ctx, cancel := context.WithTimeout(ctx, c.cfg.StepTime)
	defer cancel()
	for _, v := range variants(&of) {
		h, err := c.restore(&of)
		if err != nil {
			return nil, &fleet.StepError{Key: key, Err: err}
		}
		v.does(ctx, h.Session(), h)
		all = append(all, inspect.Session{Name: key + v.name, History: h, Virtual: true, Drive: true})
	}
	return all, nil
}

// restore returns a copy of a session as it is stored, with a history that begins there.
func (c *Copies) restore(of *fleet.Copy) (*history.History, error) {
	h, err := history.New(history.Config{Chart: of.Chart, Options: of.Options, Bytes: c.cfg.Bytes})
	if err != nil {
		return nil, err
	}
	s, err := scxml.Restore(of.Chart, of.Snapshot, scxml.Options(of.Options), scxml.WithDry(scxml.Dry{}), h.Option())
	if err != nil {
		return nil, err
	}
	return h, h.Attach(s)
}

// variants returns the ways in which a session could continue, beginning with the one that is shown first.
func variants(of *fleet.Copy) []variant {
	asItIs := variant{"", func(context.Context, *scxml.Session, *history.History) {}}
	goesOn := func(ctx context.Context, s *scxml.Session, h *history.History) { proceed(ctx, s, h, of.Inbox, of.Now) }
	fail := of.Failure
	switch {
	case fail == nil && of.Status == "suspended":
		return []variant{asItIs, {", resumed", goesOn}}
	case fail == nil:
		return []variant{{"", goesOn}}
	case fail.Task != 0: // what was to be reported is not stored
		return []variant{asItIs}
	}
	return []variant{asItIs, {", retried", goesOn}, {", skipped", func(ctx context.Context, s *scxml.Session, h *history.History) {
		inbox := of.Inbox
		if fail.Position == 0 {
			scxml.ForServer(s).Reschedule(func(d scxml.Delayed) time.Time {
				if d.Due.After(of.Now) {
					return d.Due
				}
				return time.Time{}
			})
			_ = h.Mark() // the snapshot that the fleet has says that it can be taken
		} else if len(inbox) > 0 && inbox[0].Position == fail.Position {
			inbox = inbox[1:]
		}
		proceed(ctx, s, h, inbox, of.Now)
	}}}
}

// proceed lets a session process its inbox, and then what is due. A step that fails is the last one, and
// the history shows it.
func proceed(ctx context.Context, s *scxml.Session, h *history.History, inbox []fleet.Waiting, now time.Time) {
	for _, w := range inbox {
		if w.To != "" {
			if _, err := s.Do(ctx, w.At, scxml.Event{}); err != nil {
				return
			}
			i := slices.IndexFunc(s.Sessions(), func(other *scxml.Session) bool { return other.ID() == w.To })
			if i >= 0 && scxml.ForServer(s.Sessions()[i]).Deliver(w.Event) != nil {
				return
			}
			w.Event = scxml.Event{}
		}
		if _, err := s.Do(ctx, w.At, w.Event); err != nil {
			return
		}
	}
	steps := h.Len()
	if _, err := s.Do(ctx, now, scxml.Event{}); err == nil && h.Len() == steps {
		_ = h.Mark() // that time has passed, so that timers count from now
	}
}
