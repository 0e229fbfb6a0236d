package main

import (
	"os"

	"github.com/spf13/cobra"

	"github.com/scxmlrun/scxmlrun/cmd/internal/cli"
)

// Exit statuses in addition to those of package cli.
const (
	statusUnsolvable = 6 // a puzzle has no solution
	statusAmbiguous  = 7 // every puzzle has a solution, but one has several
)

func main() { os.Exit(cli.Execute(newRootCommand())) }

func newRootCommand() *cobra.Command {
	play := newPlayCommand()
	root := &cobra.Command{
		Use:   "sudoku",
		Short: "Solve, explain, rate, make, convert, print and play Sudokus",
		Long: `sudoku solves, explains, rates, makes, converts, prints and plays Sudokus, one or a
million. Without arguments it plays, on a terminal.

The commands read puzzles from the named files, from arguments that are puzzles
themselves (81 characters, or a link to f-puzzles or SudokuPad), or else from
standard input, and recognize the format: 81 characters a line (0 . * _ for an
empty cell), 9 lines of 9, candidate grids, the files of many programs, which
"sudoku convert --help" lists, and pictures, which "sudoku open --help" is about.

Exit status:
  0    success
  1    a failure: reading or writing failed, a limit was reached
  2    wrong usage, such as a file that does not exist
  3    the input is not a Sudoku; the message says where and why
  5    an entry is not on the way to the solution
  6    a puzzle has no solution
  7    every puzzle has a solution, but one has several
  130  interrupted`,
		Example: `  sudoku
  sudoku solve puzzles.txt
  sudoku hint game.json
  sudoku explain --output walk.html puzzle.txt
  sudoku new --count 6 --symmetry rotate180 | sudoku print --per-page 6 --output week.pdf
  sudoku convert book.sdk --to opensudoku
  sudoku play --missing 30`,
		SilenceErrors: true,
		SilenceUsage:  true,
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) > 0 {
				return cli.Usagef("unknown command %q%s", args[0], cli.DidYouMean(args[0], cli.CommandNames(cmd)))
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, _ []string) error {
			if !cli.IsTerminal(os.Stdout) {
				return cmd.Help()
			}
			play.SetContext(cmd.Context())
			return play.RunE(play, nil)
		},
	}
	root.Version = cli.VersionLine(root)
	root.SetVersionTemplate("{{.Version}}")
	root.Flags().Bool("version", false, "print the version")
	root.SetFlagErrorFunc(cli.FlagError)
	root.AddCommand(newSolveCommand(), newHintCommand(), newStepsCommand(), newExplainCommand(), newRateCommand(), newNewCommand(), newConvertCommand(), newOpenCommand(), newScreenshotCommand(), newPrintCommand(), newBenchCommand(), play, newStatsCommand(), newWebCommand(), cli.NewVersionCommand())
	cli.AddMan(root)
	root.SetHelpCommand(cli.NewHelpCommand(root))
	cli.AddCompletion(root)
	return root
}
