package inspect

import (
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/scxmlrun/scxmlrun/datamodel"
)

func (in *Inspector) getSessions(c *call, _ *member) (any, error) { return in.list(c.access), nil }

// A chartView is a chart in answers.
type chartView struct {
	Name        string           `json:"name"`
	File        string           `json:"file"`
	Source      string           `json:"source"`
	Datamodel   string           `json:"datamodel"`
	States      []stateView      `json:"states"`
	Transitions []transitionView `json:"transitions"`
}

type stateView struct {
	Name   string  `json:"name"`
	Kind   string  `json:"kind"`
	Parent *string `json:"parent"`
	At     string  `json:"at"`
}

type transitionView struct {
	ID      string `json:"id"`
	Source  string `json:"source"`
	Events  list   `json:"events"`
	Cond    string `json:"cond"`
	Targets list   `json:"targets"`
	At      string `json:"at"`
}

func (in *Inspector) getChart(c *call, m *member) (any, error) {
	chart := m.History.Chart()
	v := chartView{Name: chart.Name(), File: chart.File(), Source: chart.Source(), Datamodel: chart.Datamodel(), Transitions: []transitionView{}}
	for _, n := range m.facts().diagram.Nodes {
		s := stateView{Name: n.ID, Kind: n.Kind.String(), At: place(n.State.Pos())}
		if n.Parent != nil {
			s.Parent = &n.Parent.ID
		}
		v.States = append(v.States, s)
	}
	for _, e := range m.facts().diagram.Edges {
		t := transitionView{ID: e.ID, Source: e.Source.ID, Events: e.Transition.Events(), Cond: e.Transition.Cond(), At: place(e.Transition.Pos())}
		for _, target := range e.Targets {
			t.Targets = append(t.Targets, target.ID)
		}
		v.Transitions = append(v.Transitions, t)
	}
	return v, nil
}

// place writes a position, or "" for what has none.
func place(p datamodel.Position) string {
	if !p.IsValid() {
		return ""
	}
	return p.String()
}

func (in *Inspector) getRows(c *call, m *member) (any, error) {
	from, err := c.number("from", 0)
	if err != nil {
		return nil, err
	}
	count, err := c.number("count", tickRows)
	if err != nil {
		return nil, err
	}
	var rows []*row
	err = in.replay(c, func() (err error) {
		rows, err = m.rows(c, from, from+min(count, maxRows)-1)
		return err
	})
	return struct {
		Length int    `json:"length"`
		Rows   []*row `json:"rows"`
	}{m.History.Len(), rows}, err
}

func (in *Inspector) getPosition(c *call, m *member) (any, error) {
	n, err := m.History.Len()-1, error(nil)
	if text := c.r.PathValue("n"); text != "last" {
		if n, err = strconv.Atoi(text); err != nil {
			return nil, refuse(http.StatusUnprocessableEntity, `%q is not a position: want a number or "last"`, text)
		}
	}
	if err := m.has(n); err != nil {
		return nil, err
	}
	var p *position
	err = in.replay(c, func() (err error) {
		p, err = m.position(c, n)
		return err
	})
	return p, err
}

// has returns an error unless the history has position n.
func (m *member) has(n int) error {
	length := m.History.Len()
	switch {
	case length == 0:
		return refuse(http.StatusConflict, "session %q has not started yet", m.Name)
	case n < m.History.First() || n >= length:
		return refuse(http.StatusNotFound, "session %q has no position %d: want %d to %d", m.Name, n, m.History.First(), length-1)
	}
	return nil
}

// replay calls f, which replays sessions, when not too many others do.
func (in *Inspector) replay(c *call, f func() error) error {
	select {
	case in.replays <- struct{}{}:
		defer func() { <-in.replays }()
		return f()
	case <-c.Done():
		return refuse(http.StatusServiceUnavailable, "too many requests are being served")
	}
}

func (in *Inspector) getPicture(c *call, m *member) (any, error) {
	return picture(m.facts().svg()), nil
}

// find looks for a text in rows, some thousands in a call.
func (in *Inspector) find(c *call, m *member) (any, error) {
	last := m.History.Len() - 1
	from, err := c.number("from", last)
	if err != nil {
		return nil, err
	}
	q := c.r.URL.Query()
	text, back := strings.ToLower(q.Get("text")), q.Get("back") == "true"
	if other := q.Get("back"); !back && other != "" && other != "false" {
		return nil, refuse(http.StatusUnprocessableEntity, "back: %q is not a truth value: want true or false", other)
	}
	var answer struct {
		N    *int `json:"n"`
		Next *int `json:"next"`
	}
	first, end := from, from+maxFind-1
	next := end + 1
	if back {
		first, end = from-maxFind+1, from
		next = first - 1
	}
	err = in.replay(c, func() error {
		rows, err := m.rows(c, first, end)
		if back {
			slices.Reverse(rows)
		}
		for _, r := range rows {
			if r.contains(text) {
				answer.N = &r.N
				break
			}
		}
		return err
	})
	if answer.N == nil && next >= m.History.First() && next <= last {
		answer.Next = &next
	}
	return answer, err
}

// contains reports whether one of the texts of a row contains a text in lower case.
func (r *row) contains(text string) bool {
	has := func(s string) bool { return strings.Contains(strings.ToLower(s), text) }
	if r.Event != nil && has(*r.Event) || r.Data != nil && has(string(r.Data)) {
		return true
	}
	for _, l := range []list{r.Enter, r.Exit, r.Sent, r.Raised, r.Errors, r.Logs} {
		if slices.ContainsFunc(l, has) {
			return true
		}
	}
	return false
}
