package inspect

import (
	"encoding/json"
	"errors"
	"net/http"

	"github.com/scxmlrun/scxmlrun/datamodel"
	"github.com/scxmlrun/scxmlrun/scxml"
)

// branch makes a branch of a session: a copy that continues from a position by itself, and sends
// nothing out.
func (in *Inspector) branch(c *call, m *member) (any, error) {
	var args struct {
		At int `json:"at"`
	}
	if err := c.decode(&args); err != nil {
		return nil, err
	}
	if err := m.has(args.At); err != nil {
		return nil, err
	}
	b := &member{
		Session: Session{Name: m.Name, Virtual: true}, branch: &branchPoint{m.id, args.At},
		facts: m.facts, driving: make(chan struct{}, 1),
	}
	if err := in.replay(c, func() (err error) {
		b.History, err = m.History.Branch(c, args.At)
		return err
	}); err != nil {
		return nil, err
	}
	if err := in.addBranch(b, m); err != nil {
		return nil, err
	}
	return b.view(c.access), nil
}

// drop removes a branch.
func (in *Inspector) drop(c *call, m *member) (any, error) {
	if err := c.decodeNothing(); err != nil {
		return nil, err
	}
	if m.branch == nil {
		return nil, refuse(http.StatusConflict, "session %q is not a branch; only the program can remove it", m.Name)
	}
	in.remove(m)
	return struct{}{}, nil
}

// A trial is what an event would do.
type trial struct {
	Handled    bool        `json:"handled"`
	Certain    bool        `json:"certain"`
	Candidates []candidate `json:"candidates"`
	Rows       []*row      `json:"rows"`
	Changed    []item      `json:"changed"`
}

// A candidate is a transition that the event might enable.
type candidate struct {
	Session    string `json:"session,omitempty"` // invokeid
	Transition string `json:"transition"`
	Verdict    string `json:"verdict"`
	Cond       string `json:"cond,omitempty"`
	At         string `json:"at"`
	Message    string `json:"message,omitempty"`
}

// try tells what an event would do at a position, and does it on a copy.
func (in *Inspector) try(c *call, m *member) (any, error) {
	var args struct {
		At    *int            `json:"at"` // nil for the newest position
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
	at := m.History.Len() - 1
	if args.At != nil {
		at = *args.At
	}
	if err := m.has(at); err != nil {
		return nil, err
	}
	t := &trial{Candidates: []candidate{}, Rows: []*row{}, Changed: []item{}}
	return t, in.replay(c, func() error { return m.try(c, t, at, ev) })
}

func (m *member) try(c *call, t *trial, at int, ev scxml.Event) error {
	h, err := m.History.Branch(c, at)
	if err != nil {
		return err
	}
	s := h.Session()
	said, err := s.Try(c, ev)
	if err != nil {
		return sendError(err)
	}
	t.Handled, t.Certain = said.Handled, said.Certain
	for _, cd := range said.Candidates {
		view := candidate{Session: cd.Session.InvokeID(), Verdict: cd.Verdict.String(), Cond: cd.Transition.Cond(), At: place(cd.Transition.Pos())}
		if cd.Session == s {
			view.Transition = m.facts().transitions[view.At]
		}
		if cd.Err != nil {
			view.Message = cd.Err.Error()
		}
		t.Candidates = append(t.Candidates, view)
	}
	before := itemsOf(c, s)
	first := h.Len()
	if _, err := s.Do(c, s.Now(), ev); err != nil && !errors.As(err, new(*scxml.LimitError)) {
		return sendError(err)
	}
	copied := &member{Session: Session{History: h}, facts: m.facts}
	if t.Rows, err = copied.rows(c, first, first+tickRows-1); err != nil {
		return err
	}
	for i, it := range itemsOf(c, s) {
		if i < len(before) && !datamodel.Equal(before[i].Value.Value, it.Value.Value) {
			it.Changed, it.Before = true, &before[i].Value
			t.Changed = append(t.Changed, it)
		}
	}
	return nil
}
