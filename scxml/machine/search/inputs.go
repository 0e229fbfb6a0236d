package search

import (
	"fmt"
	"slices"

	"github.com/scxmlrun/scxmlrun/scxml/machine"
	"github.com/scxmlrun/scxmlrun/scxml/machine/js"
)

// An input is one as a worker gives it to its machine.
type input struct {
	number uint16
	plain  bool // it has a number and nothing else
	event  machine.Event
}

// chains notes the inputs of each state and of those around it that are active where its register has it.
func (s *search) chains(c *machine.Chart) {
	chain := func(of [][]int) [][]uint32 {
		all := make([][]uint32, len(c.IDs))
		for leaf := range all {
			var list []uint32
			for st := uint16(leaf); ; st = c.Parent[st] {
				var own []uint32
				for _, in := range of[st] {
					own = append(own, uint32(in))
				}
				list = append(own, list...)
				if st == 0 || c.Parts != nil && slices.Contains(c.Parts, st) {
					break
				}
			}
			all[leaf] = list
		}
		return all
	}
	s.taken = chain(s.task.States)
	if s.task.Given != nil {
		s.given = chain(s.task.Given)
	}
}

// takes returns the inputs that the present state may take. Those from the number of w.inputs on are waits.
func (w *worker) takes(quiet bool) ([]uint32, error) {
	w.chosen = w.chosen[:0]
	if quiet && w.m.Enabled != nil {
		w.chosen = w.m.Enabled(w.chosen)
		return w.chosen, nil
	}
	parts := w.regs[:max(1, len(w.chart.Parts))]
	add := func(all [][]uint32) {
		for _, leaf := range parts {
			for _, in := range all[leaf] { // none where no state of the part is active
				if !w.seen[in] {
					w.seen[in] = true
					w.chosen = append(w.chosen, in)
				}
			}
		}
	}
	add(w.taken)
	if w.given != nil {
		own := len(w.chosen)
		add(w.given)
		slices.Sort(w.chosen[own:])
	}
	for _, in := range w.chosen {
		w.seen[in] = false
	}
	if !w.delays.timed() {
		return w.chosen, nil
	}
	var err error
	w.chosen, err = w.delays.appendWaits(w.chosen, len(w.inputs))
	return w.chosen, err
}

func (w *worker) input(in Input) (made input, err error) {
	made.event.Name = in.Event
	if in.Data == nil {
		made.number = w.chart.Match(in.Event)
		made.plain = made.number != machine.Other && w.chart.Events[made.number] == in.Event
		return made, nil
	}
	failed := ""
	func() {
		defer js.Catch(&failed)
		made.event.Data = js.ParseJSON(js.String(string(in.Data)), js.Value{}).Any()
	}()
	if failed != "" {
		return made, fmt.Errorf("data of the event %q: %s", in.Event, failed)
	}
	_, err = w.m.Node.Accept(made.event.Data) // copies what it is given
	return made, err
}

// groups sorts inputs: first come those that a region in a local state takes, region by region. It returns where the inputs
// of each such region end.
func (w *worker) groups(inputs []uint32) (ends []int) {
	from := 0
	for _, leaf := range w.regs[:max(1, len(w.chart.Parts))] {
		if !w.task.Local[leaf] {
			continue
		}
		isOwn := func(in uint32) bool {
			return slices.Contains(w.taken[leaf], in) || w.given != nil && slices.Contains(w.given[leaf], in)
		}
		own := from
		for i := from; i < len(inputs); i++ {
			if in := inputs[i]; isOwn(in) {
				copy(inputs[own+1:i+1], inputs[own:i])
				inputs[own] = in
				own++
			}
		}
		if own > from {
			from = own
			ends = append(ends, from)
		}
	}
	return ends
}

// give gives the machine an input, and completes what follows from it. It reports whether a transition was taken for it.
func (w *worker) give(number uint32) (handled bool, err error) {
	if w.delays != nil {
		if int(number) >= len(w.inputs) {
			return true, w.delays.pass(number - uint32(len(w.inputs)))
		}
		if err := w.delays.happen(); err != nil {
			return true, err
		}
	}
	in := &w.inputs[number]
	if in.plain {
		return w.m.Handle(in.number), nil
	}
	handled, _ = machine.Send(w.m.Node, in.event) // the machine runs, and has accepted the event before
	return handled, nil
}
