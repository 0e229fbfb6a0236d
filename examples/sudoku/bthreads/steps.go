package bthreads

import (
	"context"
	"iter"
	"slices"

	"github.com/scxmlrun/scxmlrun/examples/sudoku"
	"github.com/scxmlrun/scxmlrun/scxml/explore"
)

// A Step is an event that the b-threads agree on after the given moves.
type Step struct {
	Event string // "Move", "NoSolution" or "Win"
	Move  Move   // of the event Move

	// Depth is how many moves were made and not taken back before this event. If it is not larger than that of
	// the Move before, the search has turned back and tries another choice.
	Depth int

	// Choices are the moves between which the search has to choose, Move first, then those that it has not
	// tried. If there is one only, the strategies are sure.
	Choices []Move

	player *player
}

// Steps returns an iterator over the events that lead to the first solution of a puzzle. The last one is Win.
// If there is no solution, it is the NoSolution after which nothing is left to try, and if the givens
// contradict each other there are no steps. The loop may end at any time. An error ends the iteration: it is
// the context's cause if ctx is done, otherwise a b-thread has made a mistake.
func Steps(ctx context.Context, g *sudoku.Grid) iter.Seq2[*Step, error] {
	return func(yield func(*Step, error) bool) {
		if err := search(ctx, g, yield); err != nil {
			yield(nil, err)
		}
	}
}

// A choice is a state in which the search has more than one move left to try.
type choice struct {
	state []byte
	depth int
	left  []explore.Input
}

// search goes depth first through the states of the program.
func search(ctx context.Context, g *sudoku.Grid, yield func(*Step, error) bool) error {
	game, err := current()
	if err != nil {
		return err
	}
	p, err := game.borrow()
	if err != nil {
		return err
	}
	defer p.giveBack()
	if err := p.begin(ctx, g); err != nil {
		return err
	}
	var open []choice
	inputs, depth := p.AppendInputs(nil), 0
	for {
		if p.Prune() { // turn back
			last := len(open) - 1
			if last < 0 {
				return nil
			}
			if err := p.LoadState(open[last].state); err != nil {
				return err
			}
			inputs, depth = open[last].left, open[last].depth
			open = open[:last]
		}
		if len(inputs) == 0 {
			return nil
		}
		step := &Step{Event: inputs[0].Event, Depth: depth, player: p}
		for _, in := range inputs {
			if m, ok := moveOf(in.Event, in.Data); ok {
				step.Choices = append(step.Choices, m)
			}
		}
		if step.Choices != nil {
			step.Move = step.Choices[0]
		}
		if !yield(step, nil) {
			return nil
		}
		if len(inputs) > 1 {
			state, err := p.AppendState(nil)
			if err != nil {
				return err
			}
			open = append(open, choice{state, depth, slices.Clone(inputs[1:])})
		}
		if err := p.Apply(ctx, inputs[0]); err != nil {
			return err
		}
		inputs, depth = p.AppendInputs(nil), depth+1
	}
}

// A Blocked move is one that was requested and not possible.
type Blocked struct {
	Move Move
	By   []string // the b-threads that block it
}

// Explain returns the names of the b-threads that request the event of a step, and what else these request
// and others block. It must be called before the loop continues.
func (s *Step) Explain() (asked []string, blocked []Blocked) {
	requests := s.player.Requests()
	for _, r := range requests {
		if m, _ := moveOf(r.Event.Name, r.Event.Data); r.Event.Name == s.Event && m == s.Move {
			asked = append(asked, r.By...)
		}
	}
	for _, r := range requests {
		m, ok := moveOf(r.Event.Name, r.Event.Data)
		if ok && r.Blocked != nil && slices.ContainsFunc(r.By, func(name string) bool { return slices.Contains(asked, name) }) {
			blocked = append(blocked, Blocked{m, r.Blocked})
		}
	}
	return asked, blocked
}
