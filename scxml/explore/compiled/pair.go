package compiled

import (
	"bytes"
	"errors"
	"fmt"
	"slices"

	"github.com/scxmlrun/scxmlrun/scxml"
	"github.com/scxmlrun/scxmlrun/scxml/explore"
	"github.com/scxmlrun/scxmlrun/scxml/machine/search"
)

// Compare is [New] for the search of [explore.Compare]: the program has both charts.
func Compare(old, new *scxml.Chart, opts explore.Options, aspects ...explore.Aspect) (*Search, error) {
	if opts.Properties != nil || opts.Reach != nil || opts.Reduce {
		return nil, errors.New("a comparison has no properties or states to reach, and is not reduced")
	}
	if len(aspects) == 0 {
		aspects = explore.Aspects
	}
	opts.Errors, opts.First, opts.Stop, opts.NoDeadlocks = false, true, false, true
	s := &Search{chart: old, opts: opts, aspects: aspects, newer: &Search{chart: new, opts: opts}}
	both := []*Search{s, s.newer}
	for _, side := range both {
		if err := side.setTask(); err != nil {
			return nil, err
		}
	}
	s.share()
	sends := false
	for i, side := range both {
		which := []string{"old", "new"}[i]
		if err := side.complete([]string{"Searched", "Compared"}[i]); err != nil {
			return nil, fmt.Errorf("the %s chart: %w", which, err)
		}
		// What nobody takes is sent too, whether the machine knows of somebody who listens or not.
		side.Code = bytes.ReplaceAll(side.Code, []byte("if m.core.Flags&machine.Observed == 0 {"), []byte("if false {"))
		sends = sends || bytes.Contains(side.Code, []byte("machine.Dispatch("))
	}
	for _, a := range aspects {
		if a != explore.Sends || sends { // who listens to what is sent makes a machine slower
			s.Task.Aspects = append(s.Task.Aspects, string(a))
		}
	}
	s.Task.New = &s.newer.Task
	return s, nil
}

// share numbers the inputs of both charts together. They are those that neither chart sends itself.
func (s *Search) share() {
	var inputs []explore.Input
	var given []search.Input
	for _, side := range []*Search{s, s.newer} {
		numbers := make([]int, len(side.inputs)) // -1 for one that does not come
		for i, in := range side.inputs {
			if numbers[i] = -1; s.chart.IsUserEvent(in.Event) && s.newer.chart.IsUserEvent(in.Event) {
				text := in.String()
				if numbers[i] = slices.IndexFunc(inputs, func(other explore.Input) bool { return other.String() == text }); numbers[i] < 0 {
					numbers[i] = len(inputs)
					inputs, given = append(inputs, in), append(given, side.Task.Inputs[i])
				}
			}
		}
		for _, of := range [][][]int{side.Task.States, side.Task.Given} {
			for st, list := range of {
				of[st] = nil
				for _, in := range list {
					if numbers[in] >= 0 {
						of[st] = append(of[st], numbers[in])
					}
				}
			}
		}
	}
	for _, side := range []*Search{s, s.newer} {
		side.inputs, side.Task.Inputs = inputs, given
	}
}
