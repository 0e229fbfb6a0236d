package explore

import (
	"context"
	"fmt"
	"strings"

	"github.com/scxmlrun/scxmlrun/scxml"
)

// A view is what Options.View leaves of the data of a session.
type view struct {
	keep    []string // expressions
	dropped []string // locations
	drop    string   // an expression that drops the rest of the data, "" without a view
	state   []byte
}

// newView returns the view of a chart. Each text is an expression, or a location after a minus.
func newView(chart *scxml.Chart, texts []string) (*view, error) {
	v := new(view)
	if len(texts) == 0 {
		return v, nil
	}
	if chart.Datamodel() == "null" {
		return nil, fmt.Errorf("cannot drop data of %s: it has none", chart.File())
	}
	for _, text := range texts {
		if location, ok := strings.CutPrefix(text, "-"); ok {
			v.dropped = append(v.dropped, location)
		} else if err := chart.CheckLook(text); err != nil {
			return nil, fmt.Errorf("view %q: %w", text, err)
		} else {
			v.keep = append(v.keep, text)
		}
	}
	drop := v.dropped
	if v.keep != nil {
		drop = chart.AllData()
	}
	var b strings.Builder
	b.WriteString("(function () { 'use strict';")
	for _, location := range drop {
		clear := "delete " + location
		if !strings.ContainsAny(location, ".[") {
			clear = location + " = undefined"
		}
		// A location in an object that is not there has nothing to drop.
		b.WriteString(" try { " + clear + "; } catch (e) { if (!(e instanceof TypeError)) throw e; }")
	}
	b.WriteString(" })()")
	v.drop = b.String()
	return v, nil
}

// AppendKey is as [scxml.SearchView.AppendKey], but of the data has only what Options.View leaves.
func (s *Session) AppendKey(dst []byte) ([]byte, error) { return s.appendUntimed(s.clocks.append(dst)) }

// appendUntimed appends the key without the times of delayed events.
func (s *Session) appendUntimed(dst []byte) ([]byte, error) {
	v := s.view
	if v.drop == "" {
		dst, err := scxml.ForSearch(s.Session).AppendKey(dst)
		return dst, CannotKeep(s.chart, err)
	}
	ctx := context.Background()
	var err error
	if v.state, err = scxml.ForSearch(s.Session).AppendState(v.state[:0]); err != nil {
		return dst, CannotKeep(s.chart, err)
	}
	for _, expr := range v.keep {
		value, err := s.Session.Eval(ctx, expr)
		if err != nil {
			return dst, fmt.Errorf("view %q: %w", expr, err)
		}
		dst = append(append(dst, shown(value)...), '\n')
	}
	if _, err := s.Session.Eval(ctx, v.drop); err != nil {
		return dst, fmt.Errorf("view: %w", err)
	}
	if dst, err = scxml.ForSearch(s.Session).AppendKey(dst); err != nil {
		return dst, CannotKeep(s.chart, err)
	}
	if err = scxml.ForSearch(s.Session).LoadState(v.state); err != nil {
		return dst, err
	}
	return dst, s.clocks.loaded()
}
