package service

import (
	"context"
	"fmt"
	"iter"

	"github.com/scxmlrun/scxmlrun/examples/sudoku"
	"github.com/scxmlrun/scxmlrun/scxml"
)

// maxChanges is the number of changes without a wish. Each becomes some objects of the chart.
const maxChanges = 2000

type solveParams struct {
	InitState    sudoku.Grid  `json:"initState"`
	CurrentState *sudoku.Grid `json:"currentState"`
	Method       string       `json:"method"`
	Most         int          `json:"most"`
}

type solved struct {
	Solutions int          `json:"solutions"`
	Solution  *sudoku.Grid `json:"solution"`
	Wrong     []place      `json:"wrong"`
	Changes   []change     `json:"changes"`
	Complete  bool         `json:"complete"`
}

// A change is what a solver does at once.
type change struct {
	Set       []candidate `json:"set"` // the digit 0 clears a cell
	Exclude   []candidate `json:"exclude,omitzero"`
	Technique *technique  `json:"technique,omitempty"`
	Step      string      `json:"step,omitempty"`
}

// solve is the service sudoku-solve.
func solve(ctx context.Context, _ *scxml.Invocation, p solveParams) (*solved, error) {
	var changes func(*sudoku.Grid, int) iter.Seq2[change, error]
	if p.Method != "" {
		m, err := methodNamed(p.Method)
		if err != nil {
			return nil, err
		}
		changes = m.changes
	}
	switch {
	case p.Most < 0:
		return nil, fmt.Errorf("%d is not a number of changes: want at least 1", p.Most)
	case p.Most == 0:
		p.Most = maxChanges
	}
	if p.CurrentState == nil {
		p.CurrentState = &p.InitState
	}
	left, solution, wrong, solutions := fit(&p.InitState, p.CurrentState)
	result := &solved{Solutions: solutions, Wrong: append([]place{}, wrong...), Changes: []change{}}
	if solutions > 0 {
		result.Solution = &solution
	}
	if changes == nil || solutions == 0 {
		return result, nil
	}
	if wrong != nil {
		var clear change
		for _, at := range wrong {
			clear.Set = append(clear.Set, candidate{at.X, at.Y, 0})
		}
		result.Changes = append(result.Changes, clear)
	}
	board := left
	for c, err := range changes(&left, solutions) {
		switch {
		case err != nil:
			return nil, err
		case ctx.Err() != nil:
			return nil, context.Cause(ctx)
		case len(result.Changes) == p.Most:
			return result, nil
		}
		for _, set := range c.Set {
			board[set.X][set.Y] = set.Digit
		}
		result.Changes = append(result.Changes, c)
	}
	result.Complete = board.Empty() == 0
	return result, nil
}
