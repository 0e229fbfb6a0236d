package compiled

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/scxmlrun/scxmlrun/datamodel"
	"github.com/scxmlrun/scxmlrun/scxml"
	"github.com/scxmlrun/scxmlrun/scxml/explore"
	"github.com/scxmlrun/scxmlrun/scxml/internal/table"
	"github.com/scxmlrun/scxmlrun/scxml/machine"
	"github.com/scxmlrun/scxmlrun/scxml/machine/search"
)

// setTask makes the task of the options, but for the conditions.
func (s *Search) setTask() error {
	o := &s.opts
	for _, refused := range []struct {
		is   bool
		what string
	}{
		{o.From != nil, "the search begins in a snapshot"},
		{len(o.View) > 0, "the search has a view"},
		{len(o.Observers) > 0, "the search has property charts"},
		{len(o.LeadsTo) > 0, "the search is about what leads to what"},
		{o.Graph, "the search has a graph to draw"},
		{o.Unused, "the search lists what is not used"},
		{o.Times, "the search measures times"},
		{o.Simulate != nil, "the search makes random runs"},
	} {
		if refused.is {
			return errors.New(refused.what)
		}
	}
	t := &s.Task
	if o.Reduce {
		local, err := explore.LocalStates(s.chart, *o)
		if err != nil {
			return err
		}
		t.Local = local
	}
	t.Errors, t.First, t.Stop, t.NoDeadlocks = o.Errors, o.First, o.Stop, o.NoDeadlocks
	t.MaxStates, t.MaxDepth, t.MaxMemory, t.Bits, t.Workers = o.MaxStates, o.MaxDepth, o.MaxMemory, o.Bits, o.Workers
	limits := s.chart.Limits()
	t.ErrorReports = limits.ErrorReports
	t.Limits = machine.Limits{
		Microsteps: limits.Microsteps, InternalQueue: limits.InternalQueue, ExternalQueue: limits.ExternalQueue,
		Timers: limits.Timers, Delay: limits.Delay,
	}
	states := s.chart.States()
	for _, name := range o.Reach {
		t.Reach = append(t.Reach, uint16(slices.IndexFunc(states, func(st scxml.State) bool { return st.Name() == name })))
	}
	return s.takes(states)
}

// takes notes the inputs of each state, as a session of package explore chooses them.
func (s *Search) takes(states []scxml.State) error {
	given := slices.Clone(s.opts.Names)
	for _, name := range slices.Sorted(maps.Keys(s.opts.Data)) {
		if !slices.Contains(given, name) {
			given = append(given, name)
		}
	}
	numbers := map[string][]int{}
	inputs := func(name string) ([]int, error) {
		if known, ok := numbers[name]; ok {
			return known, nil
		}
		var own []int
		add := func(in explore.Input, data json.RawMessage) {
			own = append(own, len(s.inputs))
			s.inputs = append(s.inputs, in)
			s.Task.Inputs = append(s.Task.Inputs, search.Input{Event: in.Event, Data: data})
		}
		for _, item := range s.opts.Data[name] {
			v, err := datamodel.From(item)
			if err != nil {
				return nil, err
			}
			text := datamodel.AppendJSON(nil, v)
			// Values that JSON lacks are written as objects with such a key.
			if again, err := datamodel.ParseJSON(text); err != nil || !datamodel.Equal(again, v) || v == nil || bytes.Contains(text, []byte(`"$`)) {
				return nil, fmt.Errorf("data of the event %q are not JSON", name)
			}
			add(explore.Input{Event: name, Data: v}, text)
		}
		if len(s.opts.Data[name]) == 0 {
			add(explore.Input{Event: name}, nil)
		}
		numbers[name] = own
		return own, nil
	}
	s.Task.States = make([][]int, len(states))
	for i := range given { // in their order, which is that of the numbers
		if _, err := inputs(given[i]); err != nil {
			return err
		}
	}
	if given != nil {
		s.Task.Given = make([][]int, len(states))
	}
	for i, st := range states {
		var own, more []int
		s.transitions = append(s.transitions, st.Transitions()...)
		if t, ok := st.Initial(); ok && t.Element() != nil {
			s.transitions = append(s.transitions, t)
		}
		for _, t := range st.Transitions() {
			for _, d := range t.Events() {
				name := strings.TrimSuffix(strings.TrimSuffix(d, "*"), ".")
				if name != "" && !s.chart.IsUserEvent(name) {
					continue
				}
				for _, name := range given {
					if table.Matches(d, name) && s.chart.IsUserEvent(name) {
						more = append(more, numbers[name]...)
					}
				}
				if s.opts.Names != nil {
					continue
				}
				all, err := inputs(cmp.Or(name, explore.Other))
				if err != nil {
					return err
				}
				own = append(own, all...)
			}
		}
		s.Task.States[i] = own
		if given != nil {
			s.Task.Given[i] = more
		}
	}
	slices.SortFunc(s.transitions, func(a, b scxml.Transition) int {
		return cmp.Or(cmp.Compare(a.Pos().Line, b.Pos().Line), cmp.Compare(a.Pos().Col, b.Pos().Col))
	})
	return nil
}
