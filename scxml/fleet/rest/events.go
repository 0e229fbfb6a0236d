package rest

import (
	"encoding/json"
	"fmt"
	"net/http"

	"github.com/scxmlrun/scxmlrun/datamodel"
	"github.com/scxmlrun/scxmlrun/scxml"
	"github.com/scxmlrun/scxmlrun/scxml/basichttp"
	"github.com/scxmlrun/scxmlrun/scxml/fleet"
)

const (
	jsonType = "application/json"
	formType = "application/x-www-form-urlencoded"
	maxID    = 200 // bytes of an Idempotency-Key, and of a source
)

// event reads the event in a request: an object of JSON, or what the Basic HTTP Event I/O Processor
// receives.
func (c *call) event(types ...string) (ev scxml.Event, opts []fleet.SendOption, err error) {
	body, err := c.body(c.server.cfg.MaxBody, types...)
	if err != nil {
		return ev, nil, err
	}
	if isType(c.r, formType) {
		r := c.r.Clone(c)
		r.Header.Del("Authorization") // the session sees the rest as _event.raw
		q := r.URL.Query()
		q.Del("wait")
		r.URL.RawQuery = q.Encode()
		if ev, err = basichttp.Event(r, body); err != nil {
			return ev, nil, malformed("%w", err)
		}
		return ev, nil, nil
	}
	var in struct {
		Name   string          `json:"name"`
		Data   json.RawMessage `json:"data"`
		Source string          `json:"source"`
		Number uint64          `json:"number"`
	}
	if err := parse(body, &in); err != nil {
		return ev, nil, err
	}
	ev.Name = in.Name
	if err := datamodel.CheckEventName(in.Name); err != nil {
		return ev, nil, malformed("%w", err)
	}
	if in.Data != nil {
		if ev.Data, err = datamodel.ParseJSON(in.Data); err != nil {
			return ev, nil, malformed("data of event %q: %w", in.Name, err)
		}
	}
	switch {
	case (in.Source == "") != (in.Number == 0):
		return ev, nil, malformed("source and number belong together, and numbers begin with 1")
	case len(in.Source) > maxID:
		return ev, nil, malformed("the source has %d bytes: want at most %d", len(in.Source), maxID)
	case in.Number > 0:
		opts = append(opts, fleet.From(in.Source, in.Number))
	}
	return ev, opts, nil
}

func (s *Server) sendEvent(c *call) (int, any, error) {
	wait, err := c.flag("wait")
	if err != nil {
		return 0, nil, err
	}
	ev, opts, err := c.event(jsonType, formType)
	if err != nil {
		return 0, nil, err
	}
	if ids := c.r.Header.Values("Idempotency-Key"); len(ids) > 0 {
		if id := ids[0]; len(ids) > 1 || id == "" || len(id) > maxID {
			return 0, nil, malformed("want one Idempotency-Key of 1 to %d bytes", maxID)
		}
		opts = append(opts, fleet.ID(ids[0]))
	}
	key := c.r.PathValue("key")
	if !wait {
		r, err := s.cfg.Fleet.Send(c, key, ev, opts...)
		return http.StatusAccepted, r, err
	}
	r, err := s.cfg.Fleet.Do(c, key, ev, opts...)
	return http.StatusOK, result{
		r.Receipt, r.Handled, r.Status, list(r.Configuration), r.Effect.Exited, r.Effect.Entered, c.errors(r.Effect.Errors),
	}, err
}

// maxErrors is how many errors of a chart an answer names.
const maxErrors = 20

// errors says what has failed in a chart. The messages may have data of the session, which not every token may see.
func (c *call) errors(all []*scxml.ExecutionError) (texts []string) {
	for i, e := range all {
		switch {
		case i == maxErrors:
			return append(texts, fmt.Sprintf("… and %d more", len(all)-i))
		case c.token.Scopes&Read == 0:
			texts = append(texts, fmt.Sprintf("%s: <%s>: %s (the message needs the scope read)", e.Pos, e.Element, e.Event))
		default:
			texts = append(texts, e.Error())
		}
	}
	return texts
}

type result struct {
	fleet.Receipt
	Handled       bool     `json:"handled"`
	Status        string   `json:"status"`
	Configuration []string `json:"configuration"`
	Exited        []string `json:"exited,omitempty"`
	Entered       []string `json:"entered,omitempty"`
	Errors        []string `json:"errors,omitempty"`
}

// list returns a list that is [] in JSON if it is empty.
func list[T any](items []T) []T { return append([]T{}, items...) }

func (s *Server) tryEvent(c *call) (int, any, error) {
	ev, opts, err := c.event(jsonType)
	if err == nil && opts != nil {
		err = malformed("a trial has no source and number: want name and data")
	}
	if err != nil {
		return 0, nil, err
	}
	trial, err := s.cfg.Fleet.Try(c, c.r.PathValue("key"), ev)
	return http.StatusOK, map[string]any{
		"handled": trial.Handled, "certain": trial.Certain, "candidates": list(trial.Candidates),
	}, err
}
