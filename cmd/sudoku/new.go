package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"iter"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/spf13/cobra"

	"github.com/scxmlrun/scxmlrun/cmd/internal/cli"
	"github.com/scxmlrun/scxmlrun/examples/sudoku/format"
	"github.com/scxmlrun/scxmlrun/examples/sudoku/generate"
	"github.com/scxmlrun/scxmlrun/examples/sudoku/human"
	"github.com/scxmlrun/scxmlrun/examples/sudoku/rate"
)

// generateFlags select the puzzles to make.
type generateFlags struct {
	method, symmetry cli.Choice
	level, needs     string
	rating           bool // also write how hard the puzzles are
	options          generate.Options
	cmd              *cobra.Command
}

// generateFlagNames are the names of the flags.
var generateFlagNames = []string{"method", "level", "needs", "tries", "rounds", "missing", "symmetry", "seed"}

// bind adds the flags to a command.
func (g *generateFlags) bind(cmd *cobra.Command) {
	g.cmd = cmd
	for _, m := range generate.Methods() {
		g.method.All = append(g.method.All, m.Name)
	}
	for _, s := range generate.Symmetries() {
		g.symmetry.All = append(g.symmetry.All, s.Name)
	}
	g.method.Value, g.symmetry.Value = g.method.All[0], g.symmetry.All[0]
	g.method.Flag(cmd, "method", "how to make puzzles: "+strings.Join(g.method.All, ", "))
	g.symmetry.Flag(cmd, "symmetry", "of the givens: "+strings.Join(g.symmetry.All, ", "))
	cmd.Flags().StringVar(&g.level, "level", "", "how hard puzzles are: `N` from 1 to 5, or beginner, easy, medium, hard, expert")
	cmd.Flags().StringVar(&g.needs, "needs", "", "make puzzles that need this `TECHNIQUE`, such as x-wing, and nothing harder")
	cmd.Flags().IntVar(&g.options.Tries, "tries", 50_000, "give up a puzzle with --level or --needs after `N` filled grids")
	cmd.Flags().IntVar(&g.options.Rounds, "rounds", 1, "remove a cell and put others back `N` times, 1 to 5 (--method scan)")
	cmd.Flags().IntVar(&g.options.Missing, "missing", 40, "make puzzles with `N` empty cells (--method missing)")
	cmd.Flags().Uint64Var(&g.options.Seed, "seed", 0, "seed `NUMBER`: the same seed makes the same puzzles (default: random)")
}

// flagMethods says which methods a flag is for. Without --method, the first flag that is
// given chooses its first one.
var flagMethods = []struct {
	flag    string
	methods []string
}{
	{"missing", []string{"missing"}},
	{"rounds", []string{"scan"}},
	{"level", []string{"level", "minimal"}},
	{"needs", []string{"level", "minimal"}},
	{"symmetry", []string{"minimal", "level"}},
	{"tries", []string{"minimal", "level"}},
}

// generator checks the flags and returns a function that makes a generator for each core.
// These call tried for each grid that has not led to a puzzle.
func (g *generateFlags) generator(tried func()) (func() *generate.Generator, error) {
	given := g.cmd.Flags().Changed
	chosen := given("method")
	for _, f := range flagMethods {
		switch {
		case !given(f.flag):
		case !chosen:
			g.method.Value, chosen = f.methods[0], true
		case f.flag == "level" && g.method.Value == "scan":
			return nil, cli.Usagef("--level is for --method level or minimal; for more rounds of --method scan write --rounds")
		case !slices.Contains(f.methods, g.method.Value):
			return nil, cli.Usagef("--%s is for --method %s, not for %q", f.flag, strings.Join(f.methods, " or "), g.method.Value)
		}
	}
	o := &g.options
	o.Method, o.Symmetry, o.Tried = g.method.Value, g.symmetry.Value, tried
	var err error
	if given("level") {
		if o.Level, err = rate.ParseLevel(g.level); err != nil {
			return nil, cli.Usagef("--level: %v", err)
		}
	}
	if given("needs") {
		if o.Needs, err = human.ParseTechnique(g.needs); err != nil {
			return nil, cli.Usagef("--needs: %v", err)
		}
	}
	switch {
	case given("needs") && o.Needs == human.FullHouse:
		return nil, cli.Usagef("--needs: every puzzle needs a %v: write another technique", o.Needs)
	case o.Missing < 1:
		return nil, cli.Usagef("--missing: expected a number from 1 to 81, found %d", o.Missing)
	case o.Rounds < 1:
		return nil, cli.Usagef("--rounds: expected a number from 1 to 5, found %d", o.Rounds)
	case o.Tries < 1:
		return nil, cli.Usagef("--tries: expected a number of at least 1, found %d", o.Tries)
	case !given("seed"):
		o.Seed = rand.Uint64N(math.MaxUint32) // short enough to type
	}
	if _, err := generate.New(*o); err != nil {
		return nil, cli.Usagef("%v", err)
	}
	return func() *generate.Generator {
		made, err := generate.New(*o)
		if err != nil {
			panic(err) // the same options have just been accepted
		}
		return made
	}, nil
}

func newNewCommand() *cobra.Command {
	var flags generateFlags
	var out outputFlags
	var count int
	var solutions bool
	cmd := &cobra.Command{
		Use:   "new",
		Short: "Make new puzzles",
		Example: `  sudoku new
  sudoku new --level 3 --symmetry rotate180
  sudoku new --level hard --needs xy-wing --count 10
  sudoku new --count 1000 --symmetry random --seed 7 > book.txt
  sudoku new --missing 50 --json`,
		Args: cli.NoArgs,
	}
	var help strings.Builder
	help.WriteString("New makes puzzles, with exactly one solution unless the method says otherwise.\nThe same seed makes the same puzzles, on every machine.\n\nLevels, by the hardest step on the scale of SukakuExplainer (see sudoku rate):\n")
	for _, l := range rate.Levels() {
		least, most := l.Band()
		band := fmt.Sprintf("%v and more", least)
		if l != rate.Expert {
			band = fmt.Sprintf("%v to %v", max(least, human.FullHouse.Rating()), most)
		}
		help.WriteString(paragraph(fmt.Sprintf("%d %v", l, l), fmt.Sprintf("%s: %s.", band, l.Needs())))
	}
	help.WriteString("\n--needs makes puzzles that fall to a technique and those before it in this list,\nand not without it. Some are so rare that the search takes minutes, or fails:\n")
	var names []string
	for _, t := range human.Order()[1:] {
		names = append(names, t.String())
	}
	help.WriteString(paragraph("", strings.Join(names, ", ")+"."))
	help.WriteString("\nMethods:\n")
	for _, m := range generate.Methods() {
		help.WriteString(paragraph(m.Name, m.Explanation))
	}
	help.WriteString("\nSymmetries:\n")
	for _, s := range generate.Symmetries() {
		help.WriteString(paragraph(s.Name, s.Explanation))
	}
	cmd.Long = help.String()
	cmd.Flags().IntVar(&count, "count", 1, "make `N` puzzles")
	cmd.Flags().BoolVar(&flags.rating, "rating", false, ratingHelp)
	cmd.Flags().BoolVar(&solutions, "solutions", false, "also write the solution: as the board in formats that have one, otherwise as a name")
	flags.bind(cmd)
	out.bind(cmd)
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		if count < 1 {
			return cli.Usagef("--count: expected a number of at least 1, found %d", count)
		}
		return runNew(cmd.Context(), &flags, uint64(count), &out, solutions)
	}
	return cmd
}

// A made is a new puzzle, or the reason why it was not made.
type made struct {
	generate.Puzzle
	rated rated
	err   error
}

func runNew(parent context.Context, flags *generateFlags, count uint64, outFlags *outputFlags, solutions bool) error {
	ctx, cancel := cli.Interruptible(parent, nil, nil)
	defer cancel(nil)
	progress := &search{progress: newProgress(nil, nil)}
	defer progress.end()
	generator, err := flags.generator(progress.tried)
	if err != nil {
		return err
	}
	out, err := outFlags.open(true)
	if err != nil {
		return err
	}
	progress.share(out)
	w := format.NewWriter(out, outFlags.format())
	o := &flags.options
	p := &pipeline[uint64, made]{
		size: 32, // making a puzzle takes as long as solving many
		work: func() func(context.Context, *uint64) made {
			g, t := generator(), &thinker{}
			return func(ctx context.Context, number *uint64) made {
				puzzle, err := g.Puzzle(ctx, *number)
				m := made{puzzle, rated{Rating: puzzle.Rating}, err}
				if err == nil && flags.rating {
					m.rated = t.rateGame(&format.Game{Givens: puzzle.Grid})
				}
				return m
			}
		},
		result: func(number *uint64, m made) error {
			if m.err != nil {
				return searchError(m.err)
			}
			progress.made()
			if outFlags.json {
				r := record{Givens: m.Grid.String(), Solution: m.Solution.String(), Unique: &m.Unique, Method: o.Method, Seed: &o.Seed, Number: number}
				r.rated(m.rated)
				return writeError("the output", r.write(out))
			}
			game := format.Game{Givens: m.Grid}
			m.rated.describe(&game, outFlags.format(), flags.rating)
			if count > 1 && outFlags.format() == format.OpenSudoku {
				game.Info = format.Info{} // which is that of all puzzles of the file
			}
			if solutions && outFlags.format() == format.Line {
				game.Name = m.Solution.String()
			} else if solutions {
				game.Progress = &format.Progress{Board: m.Solution}
			}
			return writeError("the output", w.Write(&game))
		},
		flush: func() error { return writeError("the output", cmp.Or(w.Flush(), out.Flush())) },
	}
	if o.Level != 0 || o.Needs != 0 {
		p.size = 1
	}
	err = p.run(ctx, numbers(count))
	progress.end()
	if err == nil {
		err = writeError("the output", w.Close())
	}
	err = out.close(stopped(err))
	if err == nil && cli.IsTerminal(os.Stderr) {
		fmt.Fprintf(os.Stderr, "made in %v\n", time.Since(progress.start).Round(time.Millisecond))
	}
	return err
}

// A search is a progress line that counts the grids tried, too. Several goroutines may
// use it.
type search struct {
	mu sync.Mutex
	*progress
	grids int
	ended bool
}

// tried notes that a grid has not led to a puzzle.
func (s *search) tried() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.grids++
	if !s.ended && s.Due() {
		s.Write(fmt.Sprintf("%s, %s tried", counted(s.count, "puzzle"), counted(s.grids, "grid")))
	}
}

// made notes that a puzzle is done.
func (s *search) made() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.add()
}

// end removes the line.
func (s *search) end() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.ended = true
	s.progress.end()
}

// searchError returns the error of a search that has failed or was interrupted.
func searchError(err error) error {
	var interrupt *cli.Interrupt
	if errors.As(err, &interrupt) {
		return err
	}
	return &cli.Error{Status: cli.Failed, Err: err}
}

// numbers yields the numbers of the puzzles, from 0.
func numbers(count uint64) iter.Seq2[uint64, error] {
	return func(yield func(uint64, error) bool) {
		for i := range count {
			if !yield(i, nil) {
				return
			}
		}
	}
}

// paragraph writes a name and, indented after it, its meaning.
func paragraph(name, text string) string {
	const indent, width = 14, 80
	var out strings.Builder
	fmt.Fprintf(&out, "  %-*s", indent-3, name)
	column := max(indent-1, len(name)+2)
	if column >= indent {
		out.WriteString("\n" + strings.Repeat(" ", indent-1))
		column = indent - 1
	}
	for word := range strings.FieldsSeq(text) {
		if column+1+len(word) > width {
			out.WriteString("\n" + strings.Repeat(" ", indent-1))
			column = indent - 1
		}
		out.WriteString(" " + word)
		column += 1 + len(word)
	}
	return out.String() + "\n"
}
