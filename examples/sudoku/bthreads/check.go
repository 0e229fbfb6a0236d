package bthreads

import (
	"context"
	"sync/atomic"

	"github.com/scxmlrun/scxmlrun/examples/sudoku"
	"github.com/scxmlrun/scxmlrun/scxml/explore"
)

// A Report is what [Check] has found.
type Report struct {
	Solution  sudoku.Grid // the first one
	Solutions int         // how many there are, if Bound is ""
	Bound     string      // why not all states were visited, see explore.Report; "" if they were

	States      int // of the program after the given moves, the pruned ones among them
	Transitions int
	Pruned      int // states at which PruneWhenNoSolution turned the search back
	Depth       int // events after the given moves on the longest way
}

// Limits bound a search. 0 means no bound.
type Limits struct {
	States   int
	Memory   int64                   // bytes
	Progress func(states, depth int) // is called a few times a second; may be nil
}

// Check searches all states that the program can come to after the given moves, on all cores, with package
// explore. So it proves that a puzzle has so many solutions and no more. A context that is done bounds the
// search.
func Check(ctx context.Context, g *sudoku.Grid, limits Limits) (*Report, error) {
	game, err := current()
	if err != nil {
		return nil, err
	}
	var solutions atomic.Int64
	var players []*player
	defer func() {
		for _, p := range players {
			p.giveBack()
		}
	}()
	found, err := explore.Search(ctx, func() (explore.System, error) {
		p, err := game.borrow()
		if err != nil {
			return nil, err
		}
		players = append(players, p)
		return &checked{p, g}, nil
	}, explore.Options{
		Progress: func(p explore.Progress) {
			if limits.Progress != nil {
				limits.Progress(p.States, p.Depth)
			}
		},
		Reach: []string{"DetectWin/won"},
		Properties: []explore.Property{{Name: "solutions", Holds: func(_ context.Context, s explore.System) (bool, error) {
			if won(s) {
				solutions.Add(1)
			}
			return true, nil
		}}},
		MaxStates: limits.States,
		MaxMemory: limits.Memory,
	})
	if err != nil {
		return nil, err
	}
	r := &Report{Solution: *g, Solutions: int(solutions.Load()), Bound: found.Bound,
		States: found.States, Transitions: found.Transitions, Pruned: found.Pruned, Depth: found.Depth}
	if found.Reached == nil { // the last ones, if any, are beyond the bound
		r.Solutions = 0
	}
	for _, way := range found.Reached {
		for _, in := range way.Path {
			if m, ok := moveOf(in.Event, in.Data); ok {
				r.Solution[m.Row][m.Column] = m.Number
			}
		}
	}
	return r, nil
}

// checked is a player whose first state is that after the given moves.
type checked struct {
	*player
	puzzle *sudoku.Grid
}

func (c *checked) Start(ctx context.Context) error { return c.begin(ctx, c.puzzle) }
