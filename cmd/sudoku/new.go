package main

import (
	"context"
	"fmt"
	"iter"
	"math"
	"math/rand/v2"
	"strings"

	"github.com/spf13/cobra"

	"github.com/scxmlrun/scxmlrun/cmd/internal/cli"
	"github.com/scxmlrun/scxmlrun/examples/sudoku/format"
	"github.com/scxmlrun/scxmlrun/examples/sudoku/generate"
)

// generateFlags select the puzzles to make.
type generateFlags struct {
	method, symmetry cli.Choice
	options          generate.Options
	cmd              *cobra.Command
}

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
	cmd.Flags().IntVar(&g.options.Level, "level", 0, "difficulty for --method scan: `N` from 1 to 5 (default 1)")
	cmd.Flags().IntVar(&g.options.Missing, "missing", 0, "make puzzles with `N` empty cells (--method missing; default 40)")
	cmd.Flags().Uint64Var(&g.options.Seed, "seed", 0, "seed `NUMBER`: the same seed makes the same puzzles (default: random)")
}

// generator checks the flags and returns a function that makes a generator for each core.
func (g *generateFlags) generator() (func() *generate.Generator, error) {
	given := g.cmd.Flags().Changed
	o := &g.options
	if given("missing") {
		if given("method") && g.method.Value != "missing" {
			return nil, cli.Usagef("--missing is for --method missing, not for %q", g.method.Value)
		}
		if o.Missing < 1 {
			return nil, cli.Usagef("--missing: expected a number from 1 to 81, found %d", o.Missing)
		}
		g.method.Value = "missing"
	}
	o.Method, o.Symmetry = g.method.Value, g.symmetry.Value
	switch {
	case given("level") && o.Method != "scan":
		return nil, cli.Usagef("--level is for --method scan, not for %q", o.Method)
	case given("level") && o.Level < 1:
		return nil, cli.Usagef("--level: expected a number from 1 to 5, found %d", o.Level)
	case given("symmetry") && o.Method != "minimal":
		return nil, cli.Usagef("--symmetry is for --method minimal, not for %q", o.Method)
	}
	if !given("seed") {
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
  sudoku new --count 1000 --symmetry random --seed 7 > book.txt
  sudoku new --method scan --level 5 --to text
  sudoku new --missing 50 --json`,
		Args: cli.NoArgs,
	}
	cmd.Long = "New makes puzzles, with exactly one solution unless the method says otherwise.\nThe same seed makes the same puzzles, on every machine.\n\nMethods:\n"
	for _, m := range generate.Methods() {
		cmd.Long += paragraph(m.Name, m.Explanation)
	}
	cmd.Long += "\nSymmetries:\n"
	for _, s := range generate.Symmetries() {
		cmd.Long += paragraph(s.Name, s.Explanation)
	}
	cmd.Flags().IntVar(&count, "count", 1, "make `N` puzzles")
	cmd.Flags().BoolVar(&solutions, "solutions", false, "also write the solution: as the board in formats that have one, otherwise as a name")
	flags.bind(cmd)
	out.bind(cmd)
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		if count < 1 {
			return cli.Usagef("--count: expected a number of at least 1, found %d", count)
		}
		generator, err := flags.generator()
		if err != nil {
			return err
		}
		return runNew(cmd.Context(), generator, flags.options, uint64(count), &out, solutions)
	}
	return cmd
}

// A made is a new puzzle, or the reason why it was not made.
type made struct {
	generate.Puzzle
	err error
}

func runNew(parent context.Context, generator func() *generate.Generator, o generate.Options, count uint64, flags *outputFlags, solutions bool) error {
	ctx, cancel := cli.Interruptible(parent, nil, nil)
	defer cancel(nil)
	out, err := flags.open(true)
	if err != nil {
		return err
	}
	w := format.NewWriter(out, flags.format())
	progress := newProgress(flags.file)
	p := &pipeline[uint64, made]{
		size: 32, // making a puzzle takes as long as solving many
		work: func() func(context.Context, *uint64) made {
			g := generator()
			return func(ctx context.Context, number *uint64) made {
				puzzle, err := g.Puzzle(ctx, *number)
				return made{puzzle, err}
			}
		},
		result: func(number *uint64, m made) error {
			if m.err != nil {
				return m.err
			}
			progress.add()
			if flags.json {
				r := record{Givens: m.Grid.String(), Solution: m.Solution.String(), Unique: &m.Unique, Method: o.Method, Seed: &o.Seed, Number: number}
				return writeError("the output", r.write(out))
			}
			game := format.Game{Givens: m.Grid}
			if solutions && flags.format() == format.Line {
				game.Name = m.Solution.String()
			} else if solutions {
				game.Progress = &format.Progress{Board: m.Solution}
			}
			return writeError("the output", w.Write(&game))
		},
		flush: func() error { return writeError("the output", firstError(w.Flush(), out.Flush())) },
	}
	err = p.run(ctx, numbers(count))
	progress.Clear()
	if err == nil {
		err = writeError("the output", w.Close())
	}
	return out.close(stopped(err))
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
