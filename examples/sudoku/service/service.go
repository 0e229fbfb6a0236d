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
	var options []scxml.Option
	for _, s := range Services() {
		options = append(options, scxml.WithInvoker(s.Type, s.Invoker))
	}
	return options
}

// A Service is one of the services.
type Service struct {
	Type    string // of <invoke>
	Invoker scxml.Invoker
}

// Services returns the services, for hosts that run them elsewhere, see [scxml.NewInvocation].
func Services() []Service {
	return []Service{
		{"sudoku-generate", invoker(makePuzzle)},
		{"sudoku-hint", invoker(hint)},
		{"sudoku-solve", invoker(solve)},
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

// fit leaves out the entries of a board with which the puzzle does not have a solution, and
// of those that contradict each other all but the first. It returns the board that is left,
// a solution of it, and the number of solutions of the puzzle: 0, 1, or 2 for more.
func fit(puzzle, board *sudoku.Grid) (left, solution sudoku.Grid, wrong []place, solutions int) {
	var s sudoku.Solver // no grid takes it longer than milliseconds
	left = *puzzle
	solution, solutions = s.Solve(puzzle)
	if solutions == 0 {
		return left, solution, nil, 0
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
		if other, ok := s.First(&left); ok {
			solution = other
			continue
		}
		left[at.X][at.Y] = 0
		wrong = append(wrong, at)
	}
	return left, solution, wrong, solutions
}
