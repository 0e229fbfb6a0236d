package service

import (
	"context"

	"github.com/scxmlrun/scxmlrun/datamodel"
	"github.com/scxmlrun/scxmlrun/examples/sudoku"
	"github.com/scxmlrun/scxmlrun/examples/sudoku/human"
	"github.com/scxmlrun/scxmlrun/scxml"
)

// Options returns the options of a session that may invoke the services.
func Options() []scxml.Option {
	return []scxml.Option{
		scxml.WithInvoker("sudoku-generate", invoker(makePuzzle)),
		scxml.WithInvoker("sudoku-hint", invoker(hint)),
		scxml.WithInvoker("sudoku-solve", invoker(solve)),
	}
}

// invoker makes a service of a function. It stores the params in a P.
func invoker[P, R any](serve func(context.Context, *scxml.Invocation, P) (R, error)) scxml.Invoker {
	return scxml.InvokerFunc(func(ctx context.Context, inv *scxml.Invocation) (any, error) {
		var params P
		var given datamodel.Value = inv.Params
		if inv.Params == nil {
			given = inv.Content
		}
		if err := datamodel.Decode(given, &params); err != nil {
			return nil, err
		}
		return serve(ctx, inv, params)
	})
}

// The parts of params and results.
type (
	place struct {
		X int `json:"x"`
		Y int `json:"y"`
	}
	candidate struct {
		X     int `json:"x"`
		Y     int `json:"y"`
		Digit int `json:"digit"`
	}
	house struct {
		Kind   string `json:"kind"`
		Number int    `json:"number"`
	}
	technique struct {
		Number int    `json:"number"`
		Name   string `json:"name"`
	}
)

func placeOf(c human.Cell) place { return place{int(c) / 9, int(c) % 9} }

func candidatesOf(all []human.Candidate) []candidate {
	list := make([]candidate, len(all))
	for i, c := range all {
		list[i] = candidate{int(c.Cell) / 9, int(c.Cell) % 9, c.Digit}
	}
	return list
}

func techniqueOf(s *human.Step) *technique {
	return &technique{int(s.Technique), s.Technique.String()}
}

// order returns the techniques that a puzzle with so many solutions allows.
func order(solutions int) []human.Technique {
	all := human.Order()
	if solutions == 1 {
		return all
	}
	var some []human.Technique
	for _, t := range all {
		if !t.AssumesUnique() {
			some = append(some, t)
		}
	}
	return some
}

// A solver is a [sudoku.Solver] that can be interrupted.
type solver struct{ sudoku.Solver }

// solve returns the first solution of a grid and the number of solutions, 0, 1 or 2 for
// more, or the cause of ctx.
func (s *solver) solve(ctx context.Context, g *sudoku.Grid) (first sudoku.Grid, solutions int, err error) {
	boards := 0
	for known, solved := range s.Boards(g) {
		if boards++; boards%1024 == 0 && ctx.Err() != nil {
			return first, solutions, context.Cause(ctx)
		}
		if !solved {
			continue
		}
		if solutions++; solutions == 2 {
			break
		}
		first = known
	}
	return first, solutions, nil
}

// fit leaves out the entries of a board with which the puzzle does not have a solution, and
// of those that contradict each other all but the first. It returns a solution of the
// board that is left, and the number of solutions of the puzzle, as solve does.
func (s *solver) fit(ctx context.Context, puzzle, board *sudoku.Grid) (left, solution sudoku.Grid, wrong []place, solutions int, err error) {
	left = *puzzle
	solution, solutions, err = s.solve(ctx, puzzle)
	if err != nil || solutions == 0 {
		return left, solution, nil, solutions, err
	}
	for c := range human.Cell(81) {
		at := placeOf(c)
		digit := board[at.X][at.Y]
		if digit == 0 || puzzle[at.X][at.Y] != 0 {
			continue
		}
		left[at.X][at.Y] = digit
		if solution[at.X][at.Y] == digit {
			continue
		}
		other, n := sudoku.Grid{}, 0
		if solutions == 2 { // otherwise there is no other
			if other, n, err = s.solve(ctx, &left); err != nil {
				return left, solution, nil, solutions, err
			}
		}
		if n == 0 {
			left[at.X][at.Y] = 0
			wrong = append(wrong, at)
			continue
		}
		solution = other
	}
	return left, solution, wrong, solutions, nil
}
