package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"github.com/scxmlrun/scxmlrun/cmd/internal/cli"
	"github.com/scxmlrun/scxmlrun/examples/sudoku"
	"github.com/scxmlrun/scxmlrun/examples/sudoku/format"
	"github.com/scxmlrun/scxmlrun/examples/sudoku/human"
	"github.com/scxmlrun/scxmlrun/examples/sudoku/photo"
)

const openHelp = `Open reads printed Sudokus from pictures: a photo of a newspaper, or a screenshot. It
reads JPEG, PNG, GIF, WebP and BMP files, and shows for each what it has read. All
lines of the grid must be in the picture, which may be turned by quarters.

A cell marked with ? may be wrong: compare it with the picture. If the digits that
are read are not a puzzle with exactly one solution, Open says so. Handwritten digits
are entries, marked with ', and not part of the puzzle.

The other commands read pictures as well: "sudoku solve photo.jpg" solves one, and
"sudoku play photo.jpg" plays it.

--json writes an object per picture with the keys file; grid: 81 characters, "." for an
empty cell; entries: the same for handwritten digits, if there are any; doubt: the cells
that may be wrong, such as "r1c9"; solutions: of the grid, 0, 1, or 2 for several; and
error, if the picture could not be read.

--debug FOLDER saves what each stage of reading sees as pictures in that folder, and a
page with all of them, index.html.`

func newOpenCommand() *cobra.Command {
	var asJSON bool
	var debug string
	cmd := &cobra.Command{
		Use:   "open FILE…",
		Short: "Read puzzles from photos and screenshots",
		Long:  openHelp,
		Example: `  sudoku open photo.jpg
  sudoku open --json *.png
  sudoku open --debug stages photo.jpg
  sudoku solve photo.jpg`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 {
				return cli.Usagef("name the picture to open")
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			ctx, cancel := cli.Interruptible(cmd.Context(), nil, nil)
			defer cancel(nil)
			return runOpen(ctx, args, asJSON, debug)
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "write JSON, one object per picture")
	cmd.Flags().StringVar(&debug, "debug", "", "save the stages of reading as pictures in this `FOLDER`")
	return cmd
}

// An openRecord is a line of open --json.
type openRecord struct {
	File      string   `json:"file"`
	Grid      string   `json:"grid,omitempty"`
	Entries   string   `json:"entries,omitempty"`
	Doubt     []string `json:"doubt"`
	Solutions int      `json:"solutions"`
	Error     string   `json:"error,omitempty"`
}

// runOpen reads all pictures, also after one that cannot be read.
func runOpen(ctx context.Context, names []string, asJSON bool, debug string) error {
	reader := photo.NewReader()
	var stages *stagesPage
	if debug != "" {
		stages = &stagesPage{folder: debug}
	}
	var last error
	for i, name := range names {
		if ctx.Err() != nil {
			return stopped(context.Cause(ctx))
		}
		reading, err := readPicture(reader, name, stages)
		if err := showReading(name, reading, err, asJSON, i > 0); err != nil {
			return err
		}
		if err != nil {
			if last != nil && !asJSON {
				fmt.Fprintln(os.Stderr, "sudoku:", last)
			}
			last = err
		}
	}
	return last
}

// showReading writes what was read of a picture, or with asJSON why it was not. An empty line comes
// between two boards.
func showReading(name string, r *photo.Reading, readErr error, asJSON, after bool) error {
	var text string
	switch {
	case asJSON:
		line, err := json.Marshal(openedRecord(name, r, readErr))
		if err != nil {
			return err
		}
		text = string(line) + "\n"
	case readErr == nil && after:
		text = "\n" + describe(name, r)
	case readErr == nil:
		text = describe(name, r)
	}
	_, err := io.WriteString(os.Stdout, text)
	return writeError("the output", err)
}

func openedRecord(name string, r *photo.Reading, err error) openRecord {
	if err != nil {
		return openRecord{File: name, Doubt: []string{}, Error: strings.TrimPrefix(err.Error(), name+": ")}
	}
	record := openRecord{File: name, Grid: r.Grid.String(), Doubt: append([]string{}, doubtful(r)...), Solutions: r.Solutions}
	if r.Entries != (sudoku.Grid{}) {
		record.Entries = r.Entries.String()
	}
	return record
}

// readPicture reads the picture in a file. stages may be nil.
func readPicture(reader *photo.Reader, name string, stages *stagesPage) (*photo.Reading, error) {
	f, err := os.Open(name)
	switch {
	case errors.Is(err, os.ErrNotExist):
		return nil, cli.Usagef("cannot find %q%s", name, nearFile(name))
	case err != nil:
		return nil, cli.Usagef("cannot read %q: %v", name, cli.Plain(err))
	}
	defer f.Close()
	img, err := photo.Decode(f)
	if err != nil {
		return nil, refusedPicture(name, err)
	}
	reading, err := reader.Read(img)
	if stages != nil {
		seen, _ := reader.Stages(img) // the error is that of Read
		if err := stages.add(name, seen, reading, err); err != nil {
			return nil, fmt.Errorf("--debug: %w", err)
		}
	}
	if err != nil {
		return nil, refusedPicture(name, err)
	}
	return reading, nil
}

func refusedPicture(name string, err error) error {
	return &cli.Error{Status: cli.Refused, Err: fmt.Errorf("%s: %w", name, err)}
}

// openedGame returns the puzzle in a picture. What is in doubt is said on standard error.
func openedGame(name string, r io.Reader) (g format.Game, err error) {
	img, err := photo.Decode(r)
	if err != nil {
		return g, refusedPicture(name, err)
	}
	reading, err := photo.NewReader().Read(img)
	if err != nil {
		return g, refusedPicture(name, err)
	}
	if text := advice(reading); text != "" {
		fmt.Fprintf(os.Stderr, "sudoku: %s: %s", cli.Visible(name, cli.EscapeNewlines), text)
	}
	g.Givens = reading.Grid
	if reading.Entries != (sudoku.Grid{}) {
		g.Progress = &format.Progress{Board: reading.Board()}
	}
	return g, nil
}

// describe returns a board in which the cells in doubt are marked, and what to do about them.
func describe(name string, r *photo.Reading) string {
	var b strings.Builder
	board := r.Board()
	fmt.Fprintf(&b, "%s:\n", cli.Visible(name, cli.EscapeNewlines))
	for row := range 9 {
		if row%3 == 0 && row > 0 {
			b.WriteString("---------+---------+---------\n")
		}
		for column := range 9 {
			if column%3 == 0 && column > 0 {
				b.WriteByte('|')
			}
			digit, mark := byte('.'), byte(' ')
			if d := board[row][column]; d > 0 {
				digit = '0' + byte(d)
			}
			switch {
			case r.Doubt[row][column]:
				mark = '?'
			case r.Entries[row][column] > 0:
				mark = '\''
			}
			b.Write([]byte{' ', digit, mark})
		}
		b.WriteByte('\n')
	}
	b.WriteString(advice(r))
	return b.String()
}

// advice says in a line what is wrong with a reading, or "".
func advice(r *photo.Reading) string {
	cells := strings.Join(doubtful(r), ", ")
	if cells == "" {
		cells = "it"
	}
	switch {
	case r.Solutions == 0:
		return "it has no solution: compare " + cells + " with the picture\n"
	case r.Solutions > 1:
		return "it has several solutions: compare " + cells + " with the picture\n"
	case cells != "it":
		return "compare " + cells + " with the picture\n"
	}
	return ""
}

// doubtful returns the cells in doubt, such as "r1c9".
func doubtful(r *photo.Reading) (cells []string) {
	for row := range 9 {
		for column := range 9 {
			if r.Doubt[row][column] {
				cells = append(cells, human.At(row+1, column+1).String())
			}
		}
	}
	return cells
}
