package service

import (
	"fmt"
	"iter"
	"strings"

	"github.com/scxmlrun/scxmlrun/examples/sudoku"
	"github.com/scxmlrun/scxmlrun/examples/sudoku/compare"
	"github.com/scxmlrun/scxmlrun/examples/sudoku/csp"
	"github.com/scxmlrun/scxmlrun/examples/sudoku/human"
)

// A Method is a way to solve a puzzle that can be watched.
type Method struct {
	Name        string
	Explanation string // for users, one or more sentences

	// changes are what the method does to a board that has a solution, of a puzzle with
	// so many solutions. It ends when the loop over it ends.
	changes func(board *sudoku.Grid, solutions int) iter.Seq2[change, error]
}

// Methods returns the methods of sudoku-solve: human, and those of [compare.Solvers].
func Methods() []Method {
	all := []Method{{"human", "Solves as people do: each step is the easiest one, and has a reason.", byHuman}}
	for _, s := range compare.Solvers() {
		all = append(all, Method{s.Name, s.Explanation, bySearch(s)})
	}
	return all
}

func methodNamed(name string) (Method, error) {
	all := Methods()
	names := make([]string, len(all))
	for i, m := range all {
		if m.Name == name {
			return m, nil
		}
		names[i] = m.Name
	}
	last := len(names) - 1
	return Method{}, fmt.Errorf("%q is not a method: want %s or %s", name, strings.Join(names[:last], ", "), names[last])
}

// byHuman takes the steps of package human.
func byHuman(board *sudoku.Grid, solutions int) iter.Seq2[change, error] {
	return func(yield func(change, error) bool) {
		position, err := human.New(board)
		if err != nil {
			yield(change{}, err)
			return
		}
		techniques := order(solutions)
		var finder human.Finder
		for {
			step, ok := finder.Next(position, techniques...)
			if !ok {
				return
			}
			if err := position.Apply(&step); err != nil {
				yield(change{}, err)
				return
			}
			c := change{candidatesOf(step.Place), candidatesOf(step.Eliminate), techniqueOf(&step), step.Encode()}
			if !yield(c, nil) {
				return
			}
		}
	}
}

// bySearch shows the digits that a solver writes and removes.
func bySearch(s compare.Solver) func(*sudoku.Grid, int) iter.Seq2[change, error] {
	return func(board *sudoku.Grid, _ int) iter.Seq2[change, error] {
		return func(yield func(change, error) bool) {
			for step := range s.Steps(board) {
				set := candidate{step.Variable.Row, step.Variable.Col, step.Value}
				switch step.Kind {
				case csp.Backtrack:
					set.Digit = 0
				case csp.Assign:
				default:
					continue
				}
				if !yield(change{Set: []candidate{set}}, nil) {
					return
				}
			}
		}
	}
}
