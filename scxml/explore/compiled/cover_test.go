package compiled_test

import (
	"context"
	"encoding/binary"
	"fmt"
	"slices"

	"github.com/scxmlrun/scxmlrun/scxml"
	"github.com/scxmlrun/scxmlrun/scxml/explore"
	"github.com/scxmlrun/scxmlrun/scxml/explore/compiled"
	"github.com/scxmlrun/scxmlrun/scxml/machine/search"
)

// A covering session tells what it does as violations. The transition that it has taken last belongs to its state, if
// pairs are asked for.
type covering struct {
	*explore.Session
	cover []search.Kind
	last  int // in Transitions of the chart, plus one
	did   []explore.Violation
}

func newCovering(s *subject) (*covering, error) {
	c := &covering{cover: s.cover}
	opts := s.opts
	opts.Session = append(slices.Clip(opts.Session), scxml.WithTrace(&scxml.Trace{
		Enter: func(_ *scxml.Session, st scxml.State) { c.tell(search.Entered, st.Pos()) },
		Transition: func(_ *scxml.Session, t scxml.Transition) {
			c.tell(search.Taken, t.Pos())
			if all := s.chart.Transitions(); slices.Contains(s.cover, search.Followed) {
				if c.last > 0 {
					c.tell(search.Followed, all[c.last-1].Pos(), t.Pos())
				}
				c.last = slices.Index(all, t) + 1
			}
		},
		Cond: func(_ *scxml.Session, t scxml.Transition, is bool, _ error) {
			if is {
				c.tell(search.True, t.Pos())
			} else {
				c.tell(search.False, t.Pos())
			}
		},
	}))
	var err error
	c.Session, err = explore.NewSession(s.chart, opts)
	return c, err
}

func (c *covering) tell(kind search.Kind, at ...any) {
	if slices.Contains(c.cover, kind) {
		c.did = append(c.did, explore.Violation{Kind: explore.Kind(kind), Property: fmt.Sprint(at...)})
	}
}

// violation is what covering sessions tell of a deed.
func violation(d compiled.Deed) explore.Violation {
	v := explore.Violation{Kind: explore.Kind(d.Kind)}
	switch d.Kind {
	case search.Entered:
		v.Property = fmt.Sprint(d.State.Pos())
	case search.Followed:
		v.Property = fmt.Sprint(d.Before.Pos(), d.Transition.Pos())
	default:
		v.Property = fmt.Sprint(d.Transition.Pos())
	}
	return v
}

func (c *covering) Start(ctx context.Context) error {
	c.did = nil
	return c.Session.Start(ctx)
}

func (c *covering) Apply(ctx context.Context, in explore.Input) error {
	c.did = nil
	return c.Session.Apply(ctx, in)
}

func (c *covering) Violations() []explore.Violation { return c.did }

func (c *covering) AppendState(dst []byte) ([]byte, error) {
	return c.Session.AppendState(binary.AppendUvarint(dst, uint64(c.last)))
}

func (c *covering) AppendKey(dst []byte) ([]byte, error) {
	return c.Session.AppendKey(binary.AppendUvarint(dst, uint64(c.last)))
}

func (c *covering) LoadState(state []byte) error {
	last, n := binary.Uvarint(state)
	c.last = int(last)
	return c.Session.LoadState(state[n:])
}
