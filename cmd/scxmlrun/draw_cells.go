package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/scxmlrun/scxmlrun/cmd/internal/cli"
	"github.com/scxmlrun/scxmlrun/cmd/scxmlrun/internal/text"
	"github.com/scxmlrun/scxmlrun/scxml/diagram"
	"github.com/scxmlrun/scxmlrun/scxml/diagram/cells"
)

// cellFlags are the flags of the formats in characters.
type cellFlags struct {
	width  int
	ascii  bool
	detail cli.Choice
}

func (f *cellFlags) bind(cmd *cobra.Command) {
	f.detail = cli.Choice{Value: "all", All: []string{"all", "transitions", "states"}} // in the order of cells.Detail
	f.detail.Flag(cmd, "detail", "what a tree and unicode show: all, or no more than transitions or states")
	cmd.Flags().IntVar(&f.width, "width", 0, "`COLUMNS` of a tree and unicode (default: those of the terminal; elsewhere 80 for unicode, and as many as a tree needs)")
	cmd.Flags().BoolVar(&f.ascii, "ascii", false, "draw a tree and unicode with ASCII characters only")
}

// drawCells returns the function of a format in characters.
func drawCells(draw func(*diagram.Diagram, cells.Options) *cells.Grid) func(context.Context, io.Writer, *drawing) ([]string, error) {
	return func(_ context.Context, w io.Writer, p *drawing) (notes []string, err error) {
		f := &p.options.cells
		opts := cells.Options{Width: f.width, ASCII: f.ascii, Detail: cells.Detail(slices.Index(f.detail.All, f.detail.Value)), Marks: p.marks}
		out := &text.Writer{W: w}
		if toStdout(p.options.out) && cli.IsTerminal(os.Stdout) {
			out.Colour = text.NewWriter(os.Stdout).Colour
			if opts.Width == 0 {
				opts.Width, _ = cli.TerminalSize(os.Stdout)
			}
		}
		g := draw(p.diagram, opts)
		if g.Hidden > 0 {
			notes = append(notes, fmt.Sprintf("%d states have no room in %d columns; add a greater --width, or --format tree", g.Hidden, g.Width))
		}
		for y := range g.Height() {
			var line strings.Builder
			for _, s := range g.Row(y) {
				line.WriteString(out.Paint(look(s, p.marks), s.Text))
			}
			out.Print(strings.TrimRight(line.String(), " ") + "\n")
		}
		return notes, out.Err
	}
}

// look returns how characters look on a terminal with colours.
func look(s cells.Span, marks map[string]diagram.Mark) string {
	id := ""
	switch {
	case s.Edge != nil && s.Kind == cells.Mark:
		id = s.Edge.ID
	case s.Node != nil && (s.Kind == cells.Mark || s.Kind == cells.Border):
		id = s.Node.ID
	}
	if look := markLooks[marks[id]]; look != "" {
		return look
	}
	return looks[s.Kind]
}

var markLooks = map[diagram.Mark]string{diagram.Missed: text.Red, diagram.Reached: text.Green, diagram.Highlight: text.Yellow, diagram.Active: text.Green, diagram.Wrong: text.Red}

var looks = map[cells.Kind]string{
	cells.Border: text.Dim, cells.Note: text.Dim, cells.Arrow: text.Dim, cells.Name: text.Bold, cells.Event: text.Cyan, cells.Cond: text.Yellow,
}
