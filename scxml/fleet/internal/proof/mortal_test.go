package proof

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/scxmlrun/scxmlrun/datamodel"
	"github.com/scxmlrun/scxmlrun/scxml"
	"github.com/scxmlrun/scxmlrun/scxml/fleet"
)

// A mortal is a session that ends. What it has accepted after the order to end has no effect; what it
// has sent before arrives.
type mortal struct {
	key   string
	tasks []*order // in the order of their positions
	end   uint64   // position of the order to end
	told  bool     // that order was given, perhaps
	goes  bool     // it is deleted some time after that
	gone  bool     // it was
	state fleet.State
	book  []entry
}

func mortalName(i int) string { return fmt.Sprint("mortal-", i) }

// mortals creates sessions and lets them end, while they have a service, a session inside, messages
// to deliver and events in the inbox.
func (c *client) mortals() {
	c.create(c.plan.names()...)
	for i := range c.plan.mortals {
		m := &mortal{key: mortalName(i), goes: c.plan.keep > 0}
		c.create(m.key)
		c.mu.Lock()
		c.ledger.mortals = append(c.ledger.mortals, m)
		c.mu.Unlock()
		letters := []byte("nsjhaps")
		c.rand.Shuffle(len(letters), func(i, j int) { letters[i], letters[j] = letters[j], letters[i] })
		end := c.rand.IntN(len(letters))
		letters = slices.Insert(letters, end, 'z')
		for n, letter := range letters {
			o := &order{n: 100_000 + 100*i + n, key: m.key, letter: letter, to: name(c.rand.IntN(c.plan.sessions))}
			m.told = m.told || letter == 'z'
			if c.give(o, m) {
				m.tasks = append(m.tasks, o)
			}
			if letter == 'z' {
				m.end = o.position
				if !o.accepted && len(m.tasks) > 0 { // it was deleted before the answer was heard
					m.end = m.tasks[len(m.tasks)-1].position
				}
			}
			c.sleep(context.Background(), time.Duration(c.rand.ExpFloat64()*float64(300*time.Millisecond)))
		}
	}
}

// give gives an order until the answer is known. It returns false if the session had ended, or was deleted
// after that.
func (c *client) give(o *order, m *mortal) bool {
	data := map[string]any{"n": o.n, "to": o.to, "delay": "5s"}
	if o.letter == 's' || o.letter == 'h' {
		c.mu.Lock()
		c.ledger.messages = append(c.ledger.messages, &message{n: o.n, to: o.to})
		c.mu.Unlock()
	}
	ev := scxml.Event{Name: map[byte]string{'n': "note", 'a': "arm", 's': "tell", 'p': "post", 'j': "job", 'h': "kid", 'z': "quit"}[o.letter], Data: data}
	wait := c.rand.IntN(2) == 0
	c.try(1, func(ctx context.Context, f *fleet.Fleet) bool {
		var err error
		if wait {
			var result fleet.Result
			result, err = f.Do(ctx, o.key, ev, fleet.ID(fmt.Sprint(o.n)))
			o.position = result.Position
		} else {
			var receipt fleet.Receipt
			receipt, err = f.Send(ctx, o.key, ev, fleet.ID(fmt.Sprint(o.n)))
			o.position = receipt.Position
		}
		c.notef("the mortal %s gets %v: position %d, %v", o.key, o, o.position, err)
		o.accepted = err == nil
		if errors.Is(err, fleet.ErrNotFound) && m.goes {
			if !m.told {
				c.mu.Lock()
				c.ledger.wrongf("%s was deleted while it ran", m.key)
				c.mu.Unlock()
			}
			return true
		}
		return err == nil || errors.Is(err, fleet.ErrEnded)
	})
	return o.accepted
}

// look reports whether nothing is left to do for a mortal.
func (m *mortal) look(ctx context.Context, t *testing.T, f *fleet.Fleet) bool {
	var err error
	if m.state, err = f.Get(ctx, m.key); errors.Is(err, fleet.ErrNotFound) && m.goes {
		m.gone = true
		return true
	} else if err != nil {
		t.Errorf("Get(%q): %v", m.key, err)
		return true
	}
	var data struct{ Book string }
	if err = datamodel.Decode(m.state.Data, &data); err == nil {
		m.book, err = readBook(data.Book)
	}
	if err != nil {
		t.Errorf("book of %q: %v", m.key, err)
	}
	if m.state.Status == "suspended" {
		if err := f.Retry(ctx, m.key); err != nil {
			t.Errorf("cannot repair %q: %v", m.key, err)
		}
	}
	return !m.goes && m.state.Status == "final" && m.state.Inbox == 0 && len(m.state.Tasks) == 0
}

// checkMortal: a session that has ended did what it was told before, in this order, and nothing after.
func (l *ledger) checkMortal(m *mortal) {
	if !m.gone && (m.state.Status != "final" || m.state.Final != "gone" || !m.state.NextDue.IsZero()) {
		l.faultf("%s has not ended: %+v", m.key, m.state)
	}
	var want, got []entry
	for _, o := range m.tasks {
		if o.position <= m.end {
			want = append(want, o.token())
		}
	}
	for _, e := range m.book {
		switch e.letter {
		case 'k', 'l', 'd', 'i', 'm', 'f', 'q', 'r': // depend on when it ended
		default:
			got = append(got, e)
		}
	}
	if !m.gone && !slices.Equal(got, want) {
		l.faultf("the book of %s has %v, want %v", m.key, got, want)
	}
	for _, o := range m.tasks {
		if o.position > m.end {
			continue
		}
		if o.letter == 'p' {
			l.checkParcel(o)
		}
		if o.letter != 's' {
			continue
		}
		if times := l.count(o.to, 'r', o.n); times != 1 {
			l.faultf("the message %d of %s, which has ended, arrived at %s %d times", o.n, m.key, o.to, times)
		}
	}
}
