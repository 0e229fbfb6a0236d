package rest

import (
	"context"
	"errors"
	"net/http"
	"regexp"
	"strings"
	"sync"
	"time"

	"github.com/scxmlrun/scxmlrun/scxml/fleet"
	"github.com/scxmlrun/scxmlrun/scxml/fleet/census"
)

var (
	traceparent = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`^[0-9a-f]{2}-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}$`)
	})
	tracestate = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[!-~][ -~]*$`) })
)

// traced returns the context of a request, with its trace if it has one, as [fleet.WithTrace] wants it:
// W3C Trace Context says what a traceparent is. A tracestate of more than 512 characters is left out.
func traced(r *http.Request) context.Context {
	t := r.Header.Get("traceparent")
	if !traceparent().MatchString(t) || t[:2] == "ff" || strings.Trim(t[3:35], "0") == "" || strings.Trim(t[36:52], "0") == "" {
		return r.Context()
	}
	if state := strings.Join(r.Header.Values("tracestate"), ","); len(state) <= 512 && tracestate().MatchString(state) {
		t += " " + state
	}
	return fleet.WithTrace(r.Context(), t)
}

// absent is the answer to requests for what the server was not given.
func absent(what string) error {
	return refuse(http.StatusNotFound, "unknown-route", "this server has no %s", what)
}

func (s *Server) getOverview(c *call) (int, any, error) {
	if s.cfg.Census == nil {
		return 0, nil, absent("overview")
	}
	body := struct {
		Complete bool           `json:"complete"`
		Counts   []census.Count `json:"counts"`
		Troubles map[string]int `json:"troubles"`
		Stuck    int            `json:"stuck"`
	}{Complete: s.cfg.Census.Complete(), Counts: list(s.cfg.Census.Counts()), Troubles: map[string]int{}}
	found, stuck := s.cfg.Census.Troubles(c, s.cfg.Fleet, time.Now())
	body.Stuck = stuck
	for _, kind := range census.Kinds {
		body.Troubles[kind] = found[kind]
	}
	return http.StatusOK, body, nil
}

func (s *Server) findSessions(c *call) (int, any, error) {
	if s.cfg.Census == nil {
		return 0, nil, absent("overview")
	}
	limit, err := c.number("limit", 100, 1, 1000)
	if err != nil {
		return 0, nil, err
	}
	stuck, err := c.flag("stuck")
	if err != nil {
		return 0, nil, err
	}
	q := c.r.URL.Query()
	return http.StatusOK, s.cfg.Census.Find(c, s.cfg.Fleet, census.Query{
		Text: q.Get("text"), Chart: q.Get("chart"), Hash: q.Get("hash"), Status: q.Get("status"),
		Stuck: stuck, Trouble: q.Get("trouble"), After: q.Get("after"), Limit: int(limit),
	}, time.Now()), nil
}

func (s *Server) getOutbox(c *call) (int, any, error) {
	st, err := s.cfg.Fleet.Get(c, c.r.PathValue("key"))
	return http.StatusOK, map[string]any{"tasks": list(st.Tasks)}, err
}

func (s *Server) getTimers(c *call) (int, any, error) {
	timers, err := s.cfg.Fleet.Timers(c, c.r.PathValue("key"))
	return http.StatusOK, map[string]any{"timers": list(timers)}, err
}

func (s *Server) sendPicture(c *call) error {
	ctx, cancel := context.WithDeadline(c, c.limit(s.cfg.Timeout))
	defer cancel()
	if s.cfg.Picture == nil {
		return absent("pictures")
	}
	chart, err := s.chart(c.r.PathValue("chart"))
	if err != nil {
		return err
	}
	hash := c.r.URL.Query().Get("hash")
	if hash == "" {
		hash = chart.Hash
	}
	svg, err := s.cfg.Picture(ctx, chart.Name, hash)
	if errors.Is(err, fleet.ErrNotFound) {
		return refuse(http.StatusNotFound, "not-found", "there is no picture of version %q of chart %q: %w", hash, chart.Name, err)
	} else if err != nil {
		return err
	}
	c.w.Header().Set("Content-Type", "image/svg+xml")
	_, _ = c.w.Write(svg) // the reader has gone
	return nil
}

func (s *Server) sendMetrics(c *call) error {
	c.limit(s.cfg.Timeout)
	if s.cfg.Metrics == nil {
		return absent("metrics")
	}
	c.w.Header().Set("Content-Type", metricsType)
	_ = s.cfg.Metrics(c.w) // the reader has gone
	return nil
}

const metricsType = "text/plain; version=0.0.4; charset=utf-8"
