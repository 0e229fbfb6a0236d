package main

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"strconv"

	"github.com/spf13/cobra"

	"github.com/scxmlrun/scxmlrun/cmd/internal/cli"
	"github.com/scxmlrun/scxmlrun/examples/sudoku"
	"github.com/scxmlrun/scxmlrun/examples/sudoku/compare"
	"github.com/scxmlrun/scxmlrun/examples/sudoku/format"
)

const solveHelp = `Solve writes the solution of each puzzle and checks that it is the only one. It
solves the givens of a saved game and ignores the digits entered so far.

In the format "line", the puzzle is followed by "no solution" if it has none, and
the first solution by "several solutions" if there are more. Other formats contain
both the givens and the solution if they can. --json writes an object for each
puzzle, with "solutions": 0, 1, or 2 for several.

--method selects another way of solving, for comparison; "sudoku solve --compare"
shows how much work each method does, and --steps and --watch show it step by step.
--trace and --check are for the method bthreads: --trace says for each move which
b-threads asked for it and which blocked others, and --check visits all states of the
program, which proves how many solutions there are.
--film FILE saves the steps as a picture of the end (FILE ends in .png), a picture of
each step (%03d.png), an animation (.gif) or a recording for asciinema (.cast).
`

// defaultMethod is the name of the fast solver.
const defaultMethod = "bitboard"

type solveOptions struct {
	outputFlags
	method               cli.Choice
	first, unique, steps bool
	watch, compare       bool
	trace, explore       bool
	film                 string
	count, all, limit    int
	delay                timeSpan
	countGiven, allGiven bool
}

func newSolveCommand() *cobra.Command {
	o := &solveOptions{method: cli.Choice{Value: defaultMethod}}
	long := solveHelp + "\nMethods:\n"
	for _, s := range compare.Solvers() {
		o.method.All = append(o.method.All, s.Name)
		long += paragraph(s.Name, s.Explanation)
	}
	cmd := &cobra.Command{
		Use:   "solve [FILE…|PUZZLE…]",
		Short: "Solve puzzles, or count their solutions",
		Long:  long,
		Example: `  sudoku solve puzzles.txt
  sudoku solve --unique < many.txt > proper.txt
  sudoku solve --count 1000 8.........95.......76.........724598...936412...518763...671......493.8....852.3.
  sudoku solve --compare puzzles.txt
  sudoku solve --trace --method bthreads puzzle.txt`,
		RunE: func(cmd *cobra.Command, args []string) error {
			o.countGiven, o.allGiven = cmd.Flags().Changed("count"), cmd.Flags().Changed("all")
			if (o.trace || o.explore) && !cmd.Flags().Changed("method") {
				o.method.Value = threadsMethod
			}
			return o.run(cmd.Context(), args)
		},
	}
	flags := cmd.Flags()
	flags.BoolVar(&o.first, "first", false, "stop at the first solution")
	flags.BoolVar(&o.unique, "unique", false, "write the puzzles, not the solutions, with exactly one solution")
	flags.IntVar(&o.count, "count", 0, "write the number of solutions, counting up to `N`")
	flags.IntVar(&o.all, "all", 0, "write all solutions, up to `N` of each puzzle")
	o.method.Flag(cmd, "method", "how to solve, see above")
	flags.IntVar(&o.limit, "limit", 1_000_000, "methods other than the default give up a puzzle after `N` steps")
	flags.BoolVar(&o.steps, "steps", false, "write each step of the method")
	flags.BoolVar(&o.trace, "trace", false, "write who asked for each move and who blocked others, see above")
	flags.BoolVar(&o.explore, "check", false, "visit all states of the method bthreads, see above")
	flags.BoolVar(&o.watch, "watch", false, "show the method at work in the terminal")
	flags.StringVar(&o.film, "film", "", "save the method at work to `FILE`, see above")
	o.delay = timeSpan(defaultDelay)
	flags.Var(&o.delay, "delay", "how long --watch and --film show each step")
	flags.BoolVar(&o.compare, "compare", false, "write a table of all methods: steps and time; the exit status is that of the default method")
	o.bind(cmd)
	return cmd
}

// check rejects flags that do not go together.
func (o *solveOptions) check() error {
	var modes []string
	for _, m := range []struct {
		given bool
		flag  string
	}{{o.first, "--first"}, {o.unique, "--unique"}, {o.countGiven, "--count"}, {o.allGiven, "--all"},
		{o.steps, "--steps"}, {o.watch, "--watch"}, {o.film != "", "--film"}, {o.compare, "--compare"}, {o.trace, "--trace"}, {o.explore, "--check"}} {
		if m.given {
			modes = append(modes, m.flag)
		}
	}
	switch {
	case len(modes) > 1:
		return cli.Usagef("%s do not go together", cli.List(modes, "and"))
	case o.countGiven && o.count < 1, o.allGiven && o.all < 1:
		return cli.Usagef("%s: expected a number of at least 1", modes[0])
	case o.method.Value != threadsMethod && (o.trace || o.explore):
		return cli.Usagef("%s: only the method %q has b-threads", modes[0], threadsMethod)
	case o.method.Value != defaultMethod && (o.unique || o.countGiven || o.allGiven):
		return cli.Usagef("%s: only the method %q looks for more than one solution", modes[0], defaultMethod)
	case o.limit < 0:
		return cli.Usagef("--limit: expected a number of at least 0, where 0 means no limit")
	case o.watch && !cli.IsTerminal(os.Stdout):
		return cli.Usagef("--watch needs a terminal, and standard output is not one; use --steps")
	case o.watch && !cli.CanMoveCursor(os.Stdout):
		return cli.Usagef("--watch needs a terminal that can move the cursor, and TERM is %q; use --steps", os.Getenv("TERM"))
	case o.watch && o.file != "":
		return cli.Usagef("--watch shows the steps in the terminal; to write them to a file use --steps or --film")
	}
	return nil
}

func (o *solveOptions) run(parent context.Context, args []string) error {
	if err := o.check(); err != nil {
		return err
	}
	ctx, cancel := cli.Interruptible(parent, nil, nil)
	defer cancel(nil)
	in, err := newInput(ctx, args)
	if err != nil {
		return err
	}
	out, err := o.open(!o.steps && !o.watch && o.film == "" && !o.compare && !o.trace && !o.explore)
	if err != nil {
		return err
	}
	switch {
	case o.compare:
		err = o.runCompare(ctx, in, out)
	case o.trace:
		err = o.runTrace(ctx, in, out)
	case o.explore:
		err = o.runCheck(ctx, in, out)
	case o.film != "":
		err = o.runFilm(ctx, in, out)
	case o.steps || o.watch:
		err = o.runSteps(ctx, in, out, nil)
	case o.allGiven:
		err = o.runAll(ctx, in, out)
	default:
		err = o.runEach(ctx, in, out)
	}
	return out.close(stopped(err))
}

// solver returns the method.
func (o *solveOptions) solver() compare.Solver {
	for _, s := range compare.Solvers() {
		if s.Name == o.method.Value {
			return s
		}
	}
	panic("unknown method " + o.method.Value) // the flag has accepted it
}

// A solution is the result of solving a puzzle.
type solution struct {
	first     sudoku.Grid
	solutions int   // their number; 2 means several, unless --count is given
	unsolved  bool  // a solution exists, but the method has not found it
	err       error // the search was cancelled
}

// worker returns a function that solves puzzles on one core.
func (o *solveOptions) worker() func(context.Context, *format.Game) solution {
	fast := &sudoku.Solver{}
	switch {
	case o.countGiven:
		return func(ctx context.Context, g *format.Game) (s solution) {
			s.solutions, s.err = fast.Count(ctx, &g.Givens, o.count)
			return s
		}
	case o.method.Value != defaultMethod:
		method := o.solver()
		return func(ctx context.Context, g *format.Game) (s solution) {
			r, err := method.Solve(ctx, &g.Givens, o.limit)
			if r.Solved {
				return solution{first: r.Solution, solutions: 1}
			}
			_, ok := fast.First(&g.Givens)
			return solution{unsolved: ok, err: err}
		}
	case o.first:
		return func(_ context.Context, g *format.Game) (s solution) {
			var ok bool
			if s.first, ok = fast.First(&g.Givens); ok {
				s.solutions = 1
			}
			return s
		}
	}
	return func(_ context.Context, g *format.Game) (s solution) {
		s.first, s.solutions = fast.Solve(&g.Givens)
		return s
	}
}

// runEach solves the puzzles on all cores.
func (o *solveOptions) runEach(ctx context.Context, in *input, out *output) error {
	w := format.NewWriter(out, o.format())
	progress := newProgress(in, out)
	verdict := verdict{method: o.method.Value}
	p := &pipeline[format.Game, solution]{
		size: 1024,
		work: o.worker,
		result: func(g *format.Game, s solution) error {
			if s.err != nil {
				return s.err
			}
			verdict.add(s)
			progress.add()
			return writeError("the output", o.write(w, out, g, s))
		},
		flush: func() error {
			return writeError("the output", cmp.Or(w.Flush(), out.Flush()))
		},
	}
	in.wait = func() { p.send(ctx) }
	err := p.run(ctx, in.games())
	progress.end()
	if err == nil {
		err = writeError("the output", w.Close())
	}
	if err != nil {
		return err
	}
	return verdict.error()
}

// write writes the result of a puzzle.
func (o *solveOptions) write(w *format.Writer, out *output, g *format.Game, s solution) error {
	switch {
	case o.unique:
		if s.solutions == 1 {
			return w.Write(g)
		}
		return nil
	case o.json:
		r := record{Name: g.Name, Givens: g.Givens.String()}
		if s.solutions > 0 && !o.countGiven {
			r.Solution = s.first.String()
		}
		if !s.unsolved && !o.first {
			r.Solutions = &s.solutions
		}
		r.More = o.countGiven && s.solutions == o.count
		return r.write(out)
	case o.countGiven:
		text := strconv.Itoa(s.solutions)
		if s.solutions == o.count {
			text += "+"
		}
		_, err := out.WriteString(text + "\n")
		return err
	case s.unsolved:
		return w.Write(solved(o.format(), g, nil, "not solved"))
	case s.solutions == 0:
		return w.Write(solved(o.format(), g, nil, "no solution"))
	case s.solutions > 1:
		return w.Write(solved(o.format(), g, &s.first, "several solutions"))
	}
	return w.Write(solved(o.format(), g, &s.first, ""))
}

// solved returns the game with its solution in the form that suits a format, and with
// a remark in its name if the format writes names next to the grid.
func solved(f format.Format, g *format.Game, solution *sudoku.Grid, remark string) *format.Game {
	s := format.Game{Name: g.Name, Givens: g.Givens, Info: g.Info}
	switch {
	case f == format.Line:
		if s.Name != "" && remark != "" {
			s.Name += ": "
		}
		s.Name += remark
		fallthrough
	case f == format.SDM || f == format.CSV:
		if solution != nil {
			s.Givens = *solution
		}
	case solution != nil:
		s.Progress = &format.Progress{Board: *solution}
	}
	return &s
}

// runAll writes all solutions.
func (o *solveOptions) runAll(ctx context.Context, in *input, out *output) error {
	w := format.NewWriter(out, o.format())
	progress := newProgress(in, out)
	defer progress.end()
	in.wait = func() { w.Flush(); out.Flush() } // an error comes again
	solver, verdict := &sudoku.Solver{}, verdict{method: defaultMethod}
	for g, err := range in.games() {
		if err != nil {
			return err
		}
		n := 0
		for s := range solver.All(&g.Givens) {
			if n++; n%1024 == 0 && ctx.Err() != nil {
				break
			}
			if o.json {
				err = (&record{Name: g.Name, Givens: g.Givens.String(), Solution: s.String()}).write(out)
			} else {
				err = w.Write(solved(o.format(), &g, &s, ""))
			}
			progress.add()
			if err != nil || n == o.all {
				break
			}
		}
		if err := cmp.Or(context.Cause(ctx), writeError("the output", err)); err != nil {
			return err
		}
		verdict.add(solution{solutions: n})
	}
	return cmp.Or(writeError("the output", w.Close()), verdict.error())
}

// A verdict counts puzzles by their solutions.
type verdict struct {
	method                      string
	total                       int
	none, several, unsolved     int
	firstNone, firstSeveral, at int // the numbers of puzzles, from 1
}

func (v *verdict) add(s solution) {
	v.total++
	switch {
	case s.unsolved:
		if v.unsolved++; v.unsolved == 1 {
			v.at = v.total
		}
	case s.solutions == 0:
		if v.none++; v.none == 1 {
			v.firstNone = v.total
		}
	case s.solutions > 1:
		if v.several++; v.several == 1 {
			v.firstSeveral = v.total
		}
	}
}

// error returns the finding for the exit status, or nil if every puzzle has exactly one
// solution.
func (v *verdict) error() error {
	var text string
	say := func(n, first int, one, many string) {
		switch {
		case n == 0:
			return
		case text != "":
			text += "; "
		}
		switch {
		case v.total == 1:
			text += "the puzzle " + one
		case n == 1:
			text += fmt.Sprintf("1 of %s puzzles %s: number %s", thousands(v.total), one, thousands(first))
		default:
			text += fmt.Sprintf("%s of %s puzzles %s, the first is number %s", thousands(n), thousands(v.total), many, thousands(first))
		}
	}
	say(v.none, v.firstNone, "has no solution", "have no solution")
	say(v.several, v.firstSeveral, "has several solutions", "have several solutions")
	say(v.unsolved, v.at, "was not solved by "+v.method, "were not solved by "+v.method)
	status := cli.Failed
	switch {
	case text == "":
		return nil
	case v.none > 0:
		status = statusUnsolvable
	case v.several > 0:
		status = statusAmbiguous
	}
	return &cli.Error{Status: status, Err: &finding{text}}
}

// A finding is a result about puzzles that has an exit status and is not a failure.
type finding struct{ text string }

func (f *finding) Error() string { return f.text }
