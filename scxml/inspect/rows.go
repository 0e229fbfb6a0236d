package inspect

import (
	"context"
	"encoding/json"
	"slices"
	"strings"
	"time"

	"github.com/scxmlrun/scxmlrun/scxml/history"
	"github.com/scxmlrun/scxmlrun/scxml/record"
)

const (
	maxRows  = 500
	maxFind  = 1000
	lookBack = 64 // positions before those that are asked for, in which causes are looked for
)

// walk calls f for the positions from first to last with their rows.
func (m *member) walk(ctx context.Context, first, last int, f func(*row, history.Position)) error {
	var causes causes
	return m.History.Walk(ctx, max(m.History.First(), first-lookBack), last, record.All, func(at history.Position) error {
		cause, kind := causes.find(at.N, at.Records)
		if at.N >= first {
			r := m.newRow(at)
			if r.Cause = cause; r.Kind == externalRow {
				r.Kind = kind
			}
			f(r, at)
		}
		return nil
	})
}

// rows returns the rows of the positions from first to last, as far as they exist.
func (m *member) rows(ctx context.Context, first, last int) ([]*row, error) {
	rows := []*row{}
	first, last = max(m.History.First(), first), min(last, m.History.Len()-1)
	if first > last {
		return rows, nil
	}
	err := m.walk(ctx, first, last, func(r *row, _ history.Position) { rows = append(rows, r) })
	return rows, err
}

// causes tells where events come from. It follows the events of the external queues by their names:
// the first that was sent is the first that is taken.
type causes struct {
	queued  map[string][]source
	delayed []delayed // that are not due yet
}

type source struct {
	from int // position; -1 for outside
	kind string
	text string
}

type delayed struct {
	name, sendID string
	due          time.Duration
	from         int
}

// find returns the cause of the event that the macrostep of position n took, if it is known, and
// the kind of its row.
func (c *causes) find(n int, records []record.Record) (found *cause, kind string) {
	if c.queued == nil {
		c.queued = map[string][]source{}
	}
	kind = externalRow
	for i := range records {
		rec := &records[i]
		name := rec.Event.Name
		switch rec.Kind {
		case record.Arrive:
			c.queued[name] = append(c.queued[name], source{-1, externalRow, ""})
		case record.Send:
			switch {
			case rec.Delay > 0:
				c.delayed = append(c.delayed, delayed{name, rec.Event.SendID, rec.Time + rec.Delay, n})
			case rec.Target == "" || strings.HasPrefix(rec.Target, "#_") && rec.Target != "#_internal":
				c.queued[name] = append(c.queued[name], source{n, internalRow, "<send>"})
			}
		case record.Timer:
			c.queued[name] = append(c.queued[name], c.due(name, rec.Event.SendID))
		case record.Cancel:
			c.delayed = slices.DeleteFunc(c.delayed, func(d delayed) bool { return d.sendID == rec.Event.SendID })
		case record.Event:
			if sources := c.queued[name]; len(sources) > 0 {
				kind = sources[0].kind
				if sources[0].from >= 0 {
					found = &cause{sources[0].from, sources[0].text}
				}
				c.queued[name] = sources[1:]
			}
		}
	}
	return found, kind
}

// due takes the next of the delayed events with a name and a sendid.
func (c *causes) due(name, sendID string) source {
	next := -1
	for i, d := range c.delayed {
		if d.name == name && d.sendID == sendID && (next < 0 || d.due < c.delayed[next].due) {
			next = i
		}
	}
	if next < 0 {
		return source{-1, timerRow, ""}
	}
	from := c.delayed[next].from
	c.delayed = slices.Delete(c.delayed, next, next+1)
	return source{from, timerRow, "<send> with a delay"}
}

// tick returns the message about the newest rows, and the number of positions, or nil if the page has
// seen them. All pages share it, and it is made anew at most every interval, and not more often than
// a fifth of the processor allows.
func (m *member) tick(ctx context.Context, seen int) (message []byte, length int, err error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if length = m.History.Len(); length != m.newest.length && time.Since(m.newest.at) >= m.newest.pause {
		began := time.Now()
		if message, err = m.newestRows(ctx, length); err != nil {
			return nil, 0, err
		}
		now := time.Now()
		m.newest = newest{message, length, now, max(interval, 4*now.Sub(began)) - interval/4}
	}
	if m.newest.length == seen {
		return nil, seen, nil
	}
	return m.newest.message, m.newest.length, nil
}

// newest is a message about the newest rows.
type newest struct {
	message []byte
	length  int // number of positions
	at      time.Time
	pause   time.Duration // before the next one
}

func (m *member) newestRows(ctx context.Context, length int) ([]byte, error) {
	rows, err := m.rows(ctx, length-tickRows, length-1)
	if err != nil {
		return nil, err
	}
	now := m.chartTime(time.Now())
	if m.Virtual {
		now = rows[len(rows)-1].Time
	}
	return json.Marshal(struct {
		Session string       `json:"session"`
		First   int          `json:"first"`
		Length  int          `json:"length"`
		Now     milliseconds `json:"now_ms"`
		Rows    []*row       `json:"rows"`
	}{m.id, m.History.First(), length, now, rows})
}
