package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/scxmlrun/scxmlrun/cmd/internal/cli"
	"github.com/scxmlrun/scxmlrun/examples/sudoku"
	"github.com/scxmlrun/scxmlrun/examples/sudoku/format"
	"github.com/scxmlrun/scxmlrun/examples/sudoku/picture"
)

const printHelp = `Print prints puzzles, with --lp on a printer and with --output to a file. The
ending of the file's name selects the form:

  .pdf   pages with 1, 2, 4 or 6 puzzles
  .png   a picture on a transparent ground, or with --background on a white one
  .svg   a picture that can be scaled
  .txt   plain text, like standard output

The input is in any of these formats, which are recognized:

  lines           81 characters each; the Sudoku Exchange Puzzle Bank
  grids           9 lines of 9, with commas, frames or candidates
  .sdk .ss .sdm   SadMan Sudoku, Simple Sudoku, SudoCue
  .opensudoku     OpenSudoku and OpenSudoku2
  .hsol, :0000:…  HoDoKu: saved games, library
  .save           GNOME Sudoku
  https://…       links to f-puzzles and SudokuPad
  .json           saved games of sudoku play

A saved game is printed with the digits entered so far and the pencil marks. With
several puzzles, each gets its own picture: week-1.png, week-2.png, …

--solutions adds the solutions after the pages and the text. The exit status is
then 6 if a puzzle has no solution, and 7 if one has several.`

// maxPictures is the maximum number of pictures.
const maxPictures = 1000

type printOptions struct {
	target
	printer                 string
	lp, solutions, blank    bool
	background, rating      bool
	perPage, scale, copies  int
	paper                   cli.Choice
	printerGiven, copyGiven bool
}

func newPrintCommand() *cobra.Command {
	o := &printOptions{paper: cli.Choice{Value: "a4", All: []string{"a4", "letter"}}}
	cmd := &cobra.Command{
		Use:   "print [FILE…|PUZZLE…]",
		Short: "Print puzzles, or make pictures of them",
		Long:  printHelp,
		Example: `  sudoku new --count 12 | sudoku print --per-page 6 --solutions --output week.pdf
  sudoku print --lp --per-page 2 book.sdk
  sudoku print --output game.png --scale 2 saved.json`,
		RunE: func(cmd *cobra.Command, args []string) error {
			o.printerGiven, o.copyGiven = cmd.Flags().Changed("printer"), cmd.Flags().Changed("copies")
			return o.run(cmd.Context(), args)
		},
	}
	flags := cmd.Flags()
	o.target.bind(cmd, ", whose name ends in .pdf, .png, .svg or .txt")
	flags.BoolVar(&o.lp, "lp", false, "print on the default printer, with the command lp")
	flags.StringVar(&o.printer, "printer", "", "print on the printer of this `NAME`")
	flags.IntVar(&o.copies, "copies", 1, "print `N` copies")
	flags.IntVar(&o.perPage, "per-page", 1, "`N` puzzles per page: 1, 2, 4 or 6")
	o.paper.Flag(cmd, "paper", "size of the pages: a4 or letter")
	flags.BoolVar(&o.solutions, "solutions", false, "add the solutions at the end")
	flags.BoolVar(&o.blank, "blank", false, "show only the givens")
	flags.BoolVar(&o.rating, "rating", false, "also write how hard the puzzles are, on pages and in text")
	flags.BoolVar(&o.background, "background", false, "make the ground of a .png white")
	flags.IntVar(&o.scale, "scale", 1, "width of a .png: `N` times 447 pixels, N from 1 to 4")
	return cmd
}

// kind is the ending of the file to write: .pdf, .png, .svg or .txt.
func (o *printOptions) kind() (string, error) {
	toPrinter := o.lp || o.printerGiven
	kind := strings.ToLower(filepath.Ext(o.file))
	switch {
	case toPrinter && o.file != "":
		return "", cli.Usagef("--output does not go together with a printer")
	case o.copyGiven && !toPrinter:
		return "", cli.Usagef("--copies is for printers; add --lp")
	case o.copies < 1 || o.copies > 1000:
		return "", cli.Usagef("--copies: expected a number from 1 to 1000, found %d", o.copies)
	case !slices.Contains(picture.PerPage(), o.perPage):
		return "", cli.Usagef("--per-page: expected 1, 2, 4 or 6, found %d", o.perPage)
	case o.scale < 1 || o.scale > picture.MaxScale:
		return "", cli.Usagef("--scale: expected a number from 1 to %d, found %d", picture.MaxScale, o.scale)
	case toPrinter:
		return ".pdf", nil
	case o.file == "" || o.file == stdinName:
		return ".txt", nil
	case !slices.Contains([]string{".pdf", ".png", ".svg", ".txt"}, kind):
		return "", cli.Usagef("--output %q: expected a name that ends in .pdf, .png, .svg or .txt", o.file)
	case o.background && kind != ".png":
		return "", cli.Usagef("--background is for pictures; add --output puzzle.png")
	case o.solutions && (kind == ".png" || kind == ".svg"):
		return "", cli.Usagef("--solutions is for pages and text; for pictures of solutions: sudoku solve --to sdk | sudoku print --output %s", o.file)
	}
	return kind, nil
}

func (o *printOptions) run(parent context.Context, args []string) error {
	kind, err := o.kind()
	if err != nil {
		return err
	}
	ctx, cancel := cli.Interruptible(parent, nil, nil)
	defer cancel(nil)
	in, err := newInput(ctx, args)
	if err != nil {
		return err
	}
	verdict := verdict{method: defaultMethod}
	switch {
	case o.lp || o.printerGiven:
		err = o.print(ctx, in, &verdict)
	case kind == ".png" || kind == ".svg":
		err = o.pictures(ctx, in, kind)
	default:
		var out *output
		if out, err = o.create(o.file); err != nil {
			return err
		}
		if kind == ".pdf" {
			err = o.pages(ctx, in, out, &verdict)
		} else {
			err = o.text(ctx, in, out, &verdict)
		}
		err = out.close(err)
	}
	return stopped(cmp.Or(err, verdict.error()))
}

// each calls f for each puzzle, with its solution if that is wanted. More than limit
// puzzles are an error, unless limit is 0. f may write to out, unless that is nil.
func (o *printOptions) each(ctx context.Context, in *input, out *output, v *verdict, limit int, f func(g *format.Game, solution *sudoku.Grid, remark string) error) error {
	progress := newProgress(in, out)
	defer progress.end()
	t := &thinker{}
	for g, err := range in.games() {
		switch {
		case err != nil:
			return err
		case limit > 0 && progress.count == limit:
			return cli.Usagef("too many puzzles: want at most %s", thousands(limit))
		}
		if o.blank {
			g.Progress = nil
		}
		if o.rating {
			var r rated
			if err := cli.Stoppable(ctx, func(context.Context) error { r = t.rateGame(&g); return nil }); err != nil {
				return err
			}
			r.describe(&g, format.Text, false)
		}
		var first *sudoku.Grid
		remark := ""
		if o.solutions {
			s := solution{}
			s.first, s.solutions = t.solver.Solve(&g.Givens)
			v.add(s)
			switch s.solutions {
			case 0:
				remark = "no solution"
			case 1:
				first = &s.first
			default:
				remark = "several solutions"
			}
		}
		if err := cmp.Or(context.Cause(ctx), f(&g, first, remark)); err != nil {
			return err
		}
		progress.add()
	}
	return nil
}

// pages writes a PDF.
func (o *printOptions) pages(ctx context.Context, in *input, w io.Writer, v *verdict) error {
	paper := map[string]picture.Paper{"a4": picture.A4, "letter": picture.Letter}[o.paper.Value]
	p, err := picture.NewPages(w, picture.Options{PerPage: o.perPage, Paper: paper, Solutions: o.solutions})
	if err != nil {
		return err
	}
	err = o.each(ctx, in, nil, v, picture.MaxPuzzles, func(g *format.Game, solution *sudoku.Grid, remark string) error {
		return writeError("the output", p.Add(g, solution, remark))
	})
	return cmp.Or(err, writeError("the output", p.Close()))
}

// text writes the grids, and then the solutions.
func (o *printOptions) text(ctx context.Context, in *input, out *output, v *verdict) error {
	solutions, n, limit := "", 0, 0
	if o.solutions { // they are kept until the end
		limit = picture.MaxPuzzles
	}
	err := o.each(ctx, in, out, v, limit, func(g *format.Game, solution *sudoku.Grid, remark string) error {
		n++
		board := g.Board()
		name := strings.TrimSpace(fmt.Sprintf("%d  %s", n, g.Name))
		if o.rating && g.Info.Rating != "" {
			name += fmt.Sprintf("  (%s, %s)", g.Info.Level, g.Info.Rating)
		}
		if o.solutions {
			if solution != nil {
				remark = "\n" + format.Rows(solution)
			} else {
				remark = ": " + remark + "\n"
			}
			solutions += fmt.Sprintf("\nSolution of %d%s", n, remark)
		}
		if n > 1 {
			name = "\n" + name
		}
		_, err := fmt.Fprintf(out, "%s\n%s", name, format.Rows(&board))
		return writeError("the output", err)
	})
	if err != nil {
		return err
	}
	_, err = out.WriteString(solutions)
	return writeError("the output", err)
}

// pictures writes a picture for each puzzle. The first is kept until it is known
// whether it is the only one, whose name has no number.
func (o *printOptions) pictures(ctx context.Context, in *input, kind string) error {
	var first *format.Game
	n := 0
	err := o.each(ctx, in, nil, nil, maxPictures, func(g *format.Game, _ *sudoku.Grid, _ string) error {
		if n++; n == 1 {
			first = g
			return nil
		}
		if n == 2 {
			if err := o.picture(kind, first, 1); err != nil {
				return err
			}
		}
		return o.picture(kind, g, n)
	})
	switch {
	case err != nil:
	case n == 1:
		err = o.picture(kind, first, 0)
	case n > 1:
		tellWritten(numberedAll(o.file, n)...)
	}
	return err
}

// picture writes a picture. The name of the file gets the number unless it is 0.
func (o *printOptions) picture(kind string, g *format.Game, number int) error {
	name := numbered(o.file, number)
	out, err := o.create(name)
	if err != nil {
		return err
	}
	out.series = number > 0
	if kind == ".png" {
		err = picture.PNG(out, g, o.scale, picture.Ground(o.background))
	} else {
		err = picture.SVG(out, g)
	}
	return out.close(writeError(name, err))
}

// numbered adds a number to the name of a file, unless it is 0.
func numbered(name string, number int) string {
	if number == 0 {
		return name
	}
	return fmt.Sprintf("%s-%d%s", strings.TrimSuffix(name, filepath.Ext(name)), number, filepath.Ext(name))
}

// numberedAll returns the names with the numbers 1 to n.
func numberedAll(name string, n int) (names []string) {
	for i := range n {
		names = append(names, numbered(name, i+1))
	}
	return names
}

// print sends a complete PDF to lp.
func (o *printOptions) print(ctx context.Context, in *input, v *verdict) error {
	lp, err := exec.LookPath("lp")
	if err != nil {
		return &cli.Error{Status: cli.Failed, Err: errors.New(`cannot find the command "lp" to print with; write a file with --output puzzles.pdf, and print that`)}
	}
	f, err := os.CreateTemp("", "sudoku-*.pdf")
	if err != nil {
		return &cli.Error{Status: cli.Failed, Err: err}
	}
	defer os.Remove(f.Name())
	defer f.Close()
	if err := o.pages(ctx, in, f, v); err != nil {
		return err
	}
	if _, err := f.Seek(0, io.SeekStart); err != nil {
		return writeError(f.Name(), err)
	}
	args := []string{"-t", "Sudoku", "-n", fmt.Sprint(o.copies)}
	if o.printer != "" {
		args = append(args, "-d", o.printer)
	}
	cmd := exec.CommandContext(ctx, lp, args...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = f, os.Stdout, os.Stderr
	if err := cmd.Run(); err != nil {
		return cmp.Or[error](context.Cause(ctx), &cli.Error{Status: cli.Failed, Err: fmt.Errorf("lp: %w", err)})
	}
	return nil
}
