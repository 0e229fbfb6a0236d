package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/scxmlrun/scxmlrun/cmd/internal/cli"
	"github.com/scxmlrun/scxmlrun/examples/sudoku"
	"github.com/scxmlrun/scxmlrun/examples/sudoku/format"
	"github.com/scxmlrun/scxmlrun/examples/sudoku/human"
	"github.com/scxmlrun/scxmlrun/examples/sudoku/rate"
)

// A thinker has what rate, hint, steps and explain need on one core.
type thinker struct {
	solver sudoku.Solver
	finder human.Finder
	rater  rate.Rater
}

// Why a puzzle cannot be used.
var (
	errStuck      = errors.New("none of the techniques helps")
	errWrongEntry = errors.New("an entry is not on the way to the solution; sudoku hint --check says which")
	errWrongMarks = errors.New("the candidates exclude the solution; sudoku hint --check says where")
)

// position returns the position of a game: its board, with the pencil marks as
// candidates if every empty cell has some. It must lead to exactly one solution.
func (t *thinker) position(g *format.Game) (*human.Position, error) {
	solution, err := t.solution(g)
	if err != nil {
		return nil, err
	}
	board := g.Board()
	p, err := human.Resume(&g.Givens, &board)
	if err != nil || !agrees(&board, &solution) {
		return nil, errWrongEntry
	}
	restrict(p, g)
	for c := range human.Cell(81) {
		if d := solution[c/9][c%9]; p.Digit(c) == 0 && !p.Has(c, d) {
			return nil, errWrongMarks
		}
	}
	return p, nil
}

// agrees reports whether the numbers of a board are those of a solution.
func agrees(board, solution *sudoku.Grid) bool {
	for r, row := range board {
		for c, d := range row {
			if d != 0 && d != solution[r][c] {
				return false
			}
		}
	}
	return true
}

// restrict eliminates the candidates that are not among the pencil marks, unless these
// leave out a cell: then they are not meant to be complete.
func restrict(p *human.Position, g *format.Game) {
	if g.Progress == nil {
		return
	}
	notes := g.Progress.Notes // not the corner marks, which are not complete
	for c := range human.Cell(81) {
		if p.Digit(c) == 0 && notes[c/9][c%9] == 0 {
			return
		}
	}
	for c := range human.Cell(81) {
		for d := range (p.Candidates(c) &^ human.Digits(notes[c/9][c%9])).All() {
			p.Eliminate(c, d)
		}
	}
}

// maxSolutions is how many solutions of givens are compared with the candidates of a
// position.
const maxSolutions = 10_000

// solution returns the only solution of the givens or, when these have several, of the
// board with its candidates.
func (t *thinker) solution(g *format.Game) (sudoku.Grid, error) {
	solution, n := t.solver.Solve(&g.Givens)
	switch {
	case n == 0:
		return solution, human.ErrNoSolution
	case n == 1:
		return solution, nil
	case g.Progress == nil:
		return solution, human.ErrNotUnique
	}
	board := g.Board()
	p, err := human.New(&board)
	if err != nil {
		return solution, errWrongEntry
	}
	restrict(p, g)
	found, seen := 0, 0
	for s := range t.solver.All(&board) {
		if seen++; fits(p, &s) {
			solution = s
			found++
		}
		if found > 1 || seen == maxSolutions {
			return solution, human.ErrNotUnique
		}
	}
	if found == 0 {
		return solution, human.ErrNoSolution
	}
	return solution, nil
}

// fits reports whether a solution has only candidates of a position.
func fits(p *human.Position, s *sudoku.Grid) bool {
	for c := range human.Cell(81) {
		if d := s[c/9][c%9]; p.Digit(c) != d && !p.Has(c, d) {
			return false
		}
	}
	return true
}

// An answer is what a command writes about a puzzle.
type answer struct {
	text  string
	err   error  // why the puzzle cannot be used
	wrong bool   // the text says that an entry is wrong
	count func() // counts the puzzle for a summary, if not nil
}

// answerEach works on the puzzles on all cores and writes the answers in their order. A
// puzzle that cannot be used is named on standard error and does not stop the others.
func answerEach(parent context.Context, args []string, o *answerFlags, work func() func(*entry) answer) error {
	ctx, cancel := cli.Interruptible(parent, nil, nil)
	defer cancel(nil)
	in, err := newInput(ctx, args)
	if err != nil {
		return err
	}
	out, err := o.create(o.file)
	if err != nil {
		return err
	}
	progress, problems := newProgress(in, out), problems{}
	p := &pipeline[entry, answer]{
		size: 32, // one may take seconds
		work: func() func(context.Context, *entry) answer {
			f := work()
			return func(_ context.Context, e *entry) answer { return f(e) }
		},
		result: func(e *entry, a answer) error {
			problems.wrong = problems.wrong || a.wrong
			if a.count != nil {
				a.count()
			}
			if a.err != nil {
				progress.Clear()
				problems.add(e, a.err)
				if o.json && a.text == "" && o.tail == nil {
					a.text = jsonLine(errorRecord{e.Givens.String(), e.Name, a.err.Error()})
				}
			}
			progress.count++
			progress.show()
			_, err := out.WriteString(a.text)
			return writeError("the output", err)
		},
		flush: func() error { return writeError("the output", out.Flush()) },
	}
	in.wait = func() { p.send(ctx) }
	if o.head != "" {
		out.WriteString(o.head) // an error comes again
	}
	err = p.run(ctx, in.entries())
	progress.end()
	if err == nil && o.tail != nil {
		out.WriteString(o.tail())
	}
	if err := out.close(stopped(err)); err != nil {
		return err
	}
	return problems.error()
}

// answerFlags are those of commands that answer.
type answerFlags struct {
	target
	json bool
	head string        // written first
	tail func() string // returns what is written at the end, if not nil
}

// An errorRecord is the line of --json for a puzzle that cannot be used.
type errorRecord struct {
	Puzzle string `json:"puzzle"`
	Name   string `json:"name,omitempty"`
	Error  string `json:"error"`
}

// jsonLine writes a value as a line of JSON.
func jsonLine(v any) string {
	var line strings.Builder
	encoder := json.NewEncoder(&line)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(v); err != nil {
		panic(err) // the values have only numbers, strings and lists
	}
	return cli.Escape(line.String(), cli.InJSON)
}

// maxProblems is how many puzzles that cannot be used are named.
const maxProblems = 100

// problems counts puzzles that cannot be used.
type problems struct {
	total, none, several int
	wrong                bool // an entry is
}

// add names a puzzle on standard error.
func (p *problems) add(e *entry, err error) {
	switch p.total++; {
	case errors.Is(err, human.ErrNoSolution):
		p.none++
	case errors.Is(err, human.ErrNotUnique):
		p.several++
	case errors.Is(err, errWrongEntry), errors.Is(err, errWrongMarks):
		p.wrong = true
	}
	if p.total <= maxProblems {
		fmt.Fprintf(os.Stderr, "sudoku: %s\n", cli.Visible(e.place()+": "+err.Error(), cli.EscapeNewlines))
	}
}

// error returns the exit status, and how many puzzles were not named.
func (p *problems) error() error {
	result := &cli.Error{Status: cli.Failed}
	switch {
	case p.total == 0 && !p.wrong:
		return nil
	case p.none > 0:
		result.Status = statusUnsolvable
	case p.several > 0:
		result.Status = statusAmbiguous
	case p.wrong:
		result.Status = cli.Unexpected
	}
	if more := p.total - maxProblems; more > 0 {
		result.Err = fmt.Errorf("%s cannot be used", counted(more, "more puzzle"))
	}
	return result
}
