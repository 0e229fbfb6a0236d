package main

import (
	"cmp"
	"context"

	"github.com/spf13/cobra"

	"github.com/scxmlrun/scxmlrun/cmd/internal/cli"
	"github.com/scxmlrun/scxmlrun/examples/sudoku/format"
)

const convertHelp = `Convert writes puzzles and saved games in another format. A format keeps what it
has room for:

  format      file         keeps besides the givens
  line        .txt         the name; 81 characters a line
  sdm         .sdm         nothing; 81 digits a line
  csv         .csv         nothing; 9 lines of 9 numbers
  text                     the board; a grid to look at
  sdk         .sdk         SadMan Sudoku: name, author and the like, board, notes
  ss          .ss          Simple Sudoku: board, notes
  candidates               the board with the candidates, or the notes if there are any
  opensudoku  .opensudoku  name, board, notes, colours, time; author and the like once
  hodoku      .hodoku      library lines: name, board, notes
  gnome       .save        GNOME Sudoku: level, board, notes, time
  f-puzzles   .url         links: name, author, comment, board, notes
  sudokupad                links: name, author, comment, board, notes
  json        .json        saved games: everything

The format is that of --to, or the one of the ending of the --output. The input
is recognized; it may also be a game that HoDoKu has saved (.hsol), lines of the
Sudoku Exchange Puzzle Bank, or any text in UTF-16.`

func newConvertCommand() *cobra.Command {
	var flags outputFlags
	var rating bool
	cmd := &cobra.Command{
		Use:   "convert [FILE…|PUZZLE…]",
		Short: "Write puzzles in another format",
		Long:  convertHelp,
		Example: `  sudoku convert book.sdk --to f-puzzles
  sudoku convert *.ss --output all.opensudoku
  sudoku new --count 9 | sudoku convert --to candidates
  sudoku convert book.txt --to sdk --rating`,
		RunE: func(cmd *cobra.Command, args []string) error {
			return runConvert(cmd.Context(), args, &flags, rating)
		},
	}
	cmd.Flags().BoolVar(&rating, "rating", false, ratingHelp)
	flags.bind(cmd)
	return cmd
}

func runConvert(parent context.Context, args []string, flags *outputFlags, rating bool) error {
	ctx, cancel := cli.Interruptible(parent, nil, nil)
	defer cancel(nil)
	in, err := newInput(ctx, args)
	if err != nil {
		return err
	}
	out, err := flags.open(true)
	if err != nil {
		return err
	}
	w := format.NewWriter(out, flags.format())
	progress := newProgress(in, out)
	p := &pipeline[format.Game, rated]{
		size: 1024,
		work: func() func(context.Context, *format.Game) rated {
			t := &thinker{}
			return func(_ context.Context, g *format.Game) (r rated) {
				if rating {
					r = t.rateGame(g)
				}
				return r
			}
		},
		result: func(g *format.Game, r rated) error {
			info := g.Info
			if r.describe(g, flags.format(), true); flags.format() == format.OpenSudoku {
				g.Info = info // which is that of all puzzles of the file
			}
			progress.add()
			return writeError("the output", w.Write(g))
		},
		flush: func() error { return writeError("the output", cmp.Or(w.Flush(), out.Flush())) },
	}
	if rating {
		p.size = 32 // one may take seconds
	}
	in.wait = func() { p.send(ctx) }
	err = p.run(ctx, in.games())
	progress.end()
	if err == nil {
		err = writeError("the output", w.Close())
	}
	return out.close(stopped(err))
}
