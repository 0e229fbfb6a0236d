package inspect

import (
	"context"

	"github.com/scxmlrun/scxmlrun/datamodel"
	"github.com/scxmlrun/scxmlrun/scxml"
	"github.com/scxmlrun/scxmlrun/scxml/history"
	"github.com/scxmlrun/scxmlrun/scxml/record"
)

// A position is all that there is to see of a session tree after a macrostep.
type position struct {
	N             int          `json:"n"`
	Time          milliseconds `json:"time_ms"`
	Length        int          `json:"length"`
	Status        string       `json:"status"`
	Configuration []string     `json:"configuration"`
	Atomic        list         `json:"atomic"`
	Data          []item       `json:"data"`
	Event         *event       `json:"event"`
	External      []*event     `json:"external"`
	Internal      []*event     `json:"internal"`
	History       []remembered `json:"history"`
	Timers        []timer      `json:"timers"`
	Sessions      []child      `json:"sessions"`
	Row           *row         `json:"row"`
	LedTo         []effect     `json:"led_to"`
	Records       []recordJSON `json:"records"`
	Forms         []form       `json:"forms"`
}

// An effect is a later position, whose event was sent at this one.
type effect struct {
	N     int    `json:"n"`
	Event string `json:"event"`
}

// An item is a data item.
type item struct {
	Name    string `json:"name"`
	Value   long   `json:"value"`
	Message string `json:"message,omitempty"` // why there is no value
	Changed bool   `json:"changed"`
	Before  *long  `json:"before,omitempty"`
}

// A timer is a delayed event.
type timer struct {
	event
	Session string       `json:"session,omitempty"` // invokeid
	Due     milliseconds `json:"due_ms"`
}

// A remembered is a history with the states that it remembers.
type remembered struct {
	State string   `json:"state"`
	Value []string `json:"value"`
}

// A child is an invoked session.
type child struct {
	InvokeID      string   `json:"invokeid"`
	Chart         string   `json:"chart"`
	Configuration []string `json:"configuration"`
	Atomic        list     `json:"atomic"`
	Data          []item   `json:"data"`
}

const (
	maxRecords = 1000
	maxTimers  = 200
	maxQueued  = 200 // of a queue
	maxChilds  = 50
	maxItems   = 500
	lookAhead  = 64 // positions in which effects are looked for
)

// position returns the position n.
func (m *member) position(ctx context.Context, n int) (*position, error) {
	p := &position{N: n, Length: m.History.Len(), Timers: []timer{}, LedTo: []effect{}, Sessions: []child{}, Records: []recordJSON{}}
	var before []item
	err := m.walk(ctx, n-1, min(n+lookAhead, p.Length-1), func(r *row, at history.Position) {
		switch {
		case at.N < n:
			before = itemsOf(ctx, at.Session)
		case at.N == n:
			p.Row = r
			p.fill(ctx, m, at.Session, at.Records)
		case r.Cause != nil && r.Cause.N == n:
			p.LedTo = append(p.LedTo, effect{at.N, *r.Event})
		}
	})
	if err != nil {
		return nil, err
	}
	compare(before, p.Data)
	p.Forms, err = m.formsAt(ctx, n)
	return p, err
}

// fill describes a session tree and what it has just done.
func (p *position) fill(ctx context.Context, m *member, s *scxml.Session, records []record.Record) {
	p.Time, p.Status = p.Row.Time, s.Status().String()
	p.Configuration, p.Atomic, p.Data = s.Configuration(), scxml.ForTools(s).Atomic(), itemsOf(ctx, s)
	for i := range records {
		if len(p.Records) == maxRecords {
			break
		}
		rec := records[i]
		p.Records = append(p.Records, recordJSON{&rec})
		if rec.Kind == record.Event && p.Event == nil {
			p.Event = newEvent(&rec.Event, maxValue)
		}
	}
	for _, d := range scxml.ForTools(s).Delayed() {
		if len(p.Timers) == maxTimers {
			break
		}
		delay := milliseconds(d.Message.Delay)
		t := timer{event: *newEvent(&d.Message.Event, maxValue), Session: d.Session.InvokeID(), Due: m.chartTime(d.Due)}
		t.Target, t.Delay = d.Message.Target, &delay
		p.Timers = append(p.Timers, t)
	}
	for _, c := range s.Sessions() {
		if c != s && len(p.Sessions) < maxChilds {
			p.Sessions = append(p.Sessions, child{c.InvokeID(), c.Chart().Name(), c.Configuration(), scxml.ForTools(c).Atomic(), itemsOf(ctx, c)})
		}
	}
	p.queues(s)
}

// queues notes what waits in the queues, and what histories remember.
func (p *position) queues(s *scxml.Session) {
	tools := scxml.ForTools(s)
	internal, external := tools.Queues()
	p.Internal, p.External, p.History = eventsOf(internal), eventsOf(external), []remembered{}
	for _, st := range s.Chart().States() {
		if states := tools.Recorded(st); states != nil {
			r := remembered{State: st.Name()}
			for _, value := range states {
				r.Value = append(r.Value, value.Name())
			}
			p.History = append(p.History, r)
		}
	}
}

func eventsOf(queue []scxml.Event) []*event {
	queue = queue[:min(len(queue), maxQueued)]
	all := make([]*event, len(queue)) // never null
	for i := range queue {
		all[i] = newEvent(&queue[i], maxLine)
	}
	return all
}

// itemsOf returns the data of a session.
func itemsOf(ctx context.Context, s *scxml.Session) []item {
	items := []item{}
	if s.Chart().Datamodel() == "null" {
		return items
	}
	for _, id := range s.Chart().AllData() {
		if len(items) == maxItems {
			break
		}
		v, err := s.Eval(ctx, id)
		it := item{Name: id, Value: long{v}}
		if err != nil {
			it.Message = err.Error()
		}
		items = append(items, it)
	}
	return items
}

// compare marks the items of after whose values have changed.
func compare(before, after []item) {
	for i := range after {
		if i < len(before) && !datamodel.Equal(before[i].Value.Value, after[i].Value.Value) {
			after[i].Changed, after[i].Before = true, &before[i].Value
		}
	}
}
