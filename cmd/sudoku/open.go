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
	"github.com/scxmlrun/scxmlrun/examples/sudoku/photo/gallery"
)

const openHelp = `Open reads printed Sudokus from pictures: a photo of a newspaper, or a screenshot. It
reads JPEG, PNG, GIF, WebP and BMP files, and shows for each what it has read. All
lines of the grid must be in the picture, which may be turned by quarters.
"-" is standard input.

A cell marked with ? may be wrong: compare it with the picture. If the digits that
are read are not a puzzle with exactly one solution, Open says so. Handwritten digits
are entries, marked with ', and not part of the puzzle.

The other commands read pictures as well: "sudoku solve photo.jpg" solves one, and
"sudoku play photo.jpg" plays it.

--json writes an object per picture with the keys file; grid: 81 characters, "." for an
empty cell; entries: the same for handwritten digits, if there are any; doubt: the cells
that may be wrong, such as "r1c9"; solutions: of the grid, 0, 1, or 2 for several; and
error, if the picture could not be read.

A picture with several Sudokus is refused, unless one is much larger than the others. With
--all, all Sudokus in each picture are read, and --json writes an object for each.

--debug FOLDER saves what each stage of reading sees as pictures in that folder, and a
page with all of them, index.html.`

func newOpenCommand() *cobra.Command {
	var o openOptions
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
			return o.run(ctx, args)
		},
	}
	cmd.Flags().BoolVar(&o.json, "json", false, "write JSON, one object per picture")
	cmd.Flags().BoolVar(&o.all, "all", false, "read all Sudokus in each picture")
	cmd.Flags().StringVar(&o.debug, "debug", "", "save the stages of reading as pictures in this `FOLDER`")
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

type openOptions struct {
	json, all bool
	debug     string
}

// run reads all pictures, also after one that cannot be read.
func (o *openOptions) run(ctx context.Context, names []string) error {
	reader := photo.NewReader()
	var page *gallery.Page
	if o.debug != "" {
		page = &gallery.Page{Folder: o.debug}
	}
	var last error
	shown := false
	for _, name := range names {
		done := cli.Working("reading " + name)
		readings, err := o.read(ctx, reader, name, page)
		done()
		if ctx.Err() != nil {
			return stopped(context.Cause(ctx))
		}
		if name == stdinName {
			name = stdinShown
		}
		if err != nil {
			if last != nil && !o.json {
				fmt.Fprintln(os.Stderr, "sudoku:", last)
			}
			last = err
			readings = []*photo.Reading{nil}
		}
		for _, r := range readings {
			if err := showReading(name, r, err, o.json, shown); err != nil {
				return err
			}
			shown = shown || r != nil
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
	return writeError("standard output", err)
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

// read reads the Sudokus in a picture file that are asked for. page may be nil.
func (o *openOptions) read(ctx context.Context, reader *photo.Reader, name string, page *gallery.Page) ([]*photo.Reading, error) {
	var r io.Reader
	if name == stdinName {
		name, r = stdinShown, newReader(ctx, os.Stdin, nil)
	} else {
		f, err := cli.Open(ctx, name)
		switch {
		case errors.Is(err, os.ErrNotExist):
			return nil, cli.Usagef("cannot find %q%s", name, nearFile(name))
		case err != nil:
			return nil, cli.Usagef("cannot read %q: %v", name, cli.Plain(err))
		}
		defer f.Close()
		if info, err := f.Stat(); err == nil && info.IsDir() {
			return nil, cli.Usagef("%q is a folder; name its files", name)
		}
		r = newReader(ctx, f, nil)
	}
	img, err := photo.Decode(ctx, r)
	if err != nil {
		return nil, refusedPicture(ctx, name, err)
	}
	var readings []*photo.Reading
	if o.all {
		readings, err = reader.ReadAll(ctx, img)
	} else {
		var r *photo.Reading
		r, err = reader.Read(ctx, img)
		readings = append(readings, r)
	}
	var several *photo.SeveralError
	if errors.As(err, &several) {
		err = fmt.Errorf("%w, or use --all", err)
	}
	if err != nil {
		readings = nil
	}
	if page != nil {
		stages, _ := reader.Stages(ctx, img) // the error is that of Read
		if err := page.Add(&gallery.Entry{Name: name, Stages: stages, Readings: readings, Err: err}); err != nil {
			return nil, fmt.Errorf("--debug: %w", err)
		}
	}
	if err != nil {
		return nil, refusedPicture(ctx, name, err)
	}
	return readings, nil
}

// refusedPicture says why a picture cannot be read, unless the player does not want it any more.
func refusedPicture(ctx context.Context, name string, err error) error {
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	return &cli.Error{Status: cli.Refused, Err: fmt.Errorf("%s: %w", name, err)}
}

// openedGame returns the puzzle in a picture. What is in doubt is said on standard error.
func openedGame(ctx context.Context, name string, r io.Reader) (g format.Game, err error) {
	img, err := photo.Decode(ctx, r)
	if err != nil {
		return g, refusedPicture(ctx, name, err)
	}
	reading, err := photo.NewReader().Read(ctx, img)
	if err != nil {
		return g, refusedPicture(ctx, name, err)
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
	for row, column := range sudoku.Cells {
		if r.Doubt[row][column] {
			cells = append(cells, human.At(row+1, column+1).String())
		}
	}
	return cells
}
