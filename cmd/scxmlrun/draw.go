package main

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/scxmlrun/scxmlrun/cmd/internal/cli"
	"github.com/scxmlrun/scxmlrun/cmd/scxmlrun/internal/load"
	"github.com/scxmlrun/scxmlrun/scxml"
	"github.com/scxmlrun/scxmlrun/scxml/cover"
	"github.com/scxmlrun/scxmlrun/scxml/diagram"
	"github.com/scxmlrun/scxmlrun/scxml/diagram/cells"
	"github.com/scxmlrun/scxmlrun/scxml/diagram/raster"
)

const drawHelp = `Draw draws a chart. The same chart gives the same picture, byte by byte, and a
change of a name moves nothing else unless it needs more room.

An arrow that begins or ends with a hook around a border leaves that state and
enters it again; one without, from inside, stays in it (type="internal"). A
clock is at what is sent with a delay. H and H* are histories, with arrows to
their defaults. Long texts are shortened; a browser shows them whole when the
pointer rests on them. An SVG picture is light or dark as the reader prefers.

The format tree has a line for a state and one for each thing that it does;
unicode draws boxes in boxes with characters, which is what a terminal shows. A
state that is entered by default has an arrow before its name.

dot (Graphviz), mermaid, plantuml and smcat (state-machine-cat) are texts that those
tools draw. xstate is a machine of XState 5 as JSON, with the names of guards and
actions in place of code; "scxmlrun import" reads it, and smcat. scjson is the whole
chart as JSON. What a format cannot express is said on standard error.

A PNG picture draws letters that its own font lacks with fonts of this computer, and
says which it cannot draw.

A document with errors, with a data model that is not known or with a script that is
missing is drawn as far as it can be read: what is wrong is marked, and said on
standard error.

A picture has at most 5,000 states, and a drawing in another format 100,000.
--state draws one state of a larger chart with all that it does, and --depth the
states of a few levels; a transition to a state that is not shown has its name after
an arrow.

States are named by their ids, or as in "state#7", and transitions by their
source and number: door/2 is the second transition of door.

Exit status:
  0    the picture was written
  1    it could not be written
  2    wrong usage
  3    the document has errors (diagnostics on standard error): the picture shows what
       could be read, and there is none if that is nothing
  130  it was interrupted`

const drawExample = `  scxmlrun draw door.scxml > door.svg
  scxmlrun draw door.scxml -o door.png --theme dark
  scxmlrun draw door.scxml -o door.svg --watch
  scxmlrun draw door.scxml --format tree
  scxmlrun draw door.scxml --state house --depth 1 > house.svg
  scxmlrun draw door.scxml --format dot | dot -Tpdf -o door.pdf
  scxmlrun draw door.scxml --active open --highlight closed/1 > now.svg
  scxmlrun test --cover cover.json tests && scxmlrun draw door.scxml --coverage cover.json > cover.svg`

// A drawFormat is a value of --format.
type drawFormat struct {
	name       string
	extensions []string // of files that are written in the format without --format
	// write writes the picture. The notes say what it lacks of the chart.
	write func(ctx context.Context, w io.Writer, p *drawing) (notes []string, err error)
}

// drawFormats are the values of --format, the default first.
var drawFormats = append([]drawFormat{
	{"svg", []string{".svg"}, func(ctx context.Context, w io.Writer, p *drawing) ([]string, error) {
		l, notes, err := p.layout(ctx)
		if err != nil {
			return nil, err
		}
		var b strings.Builder
		if err := l.WriteSVG(&b, diagram.SVGOptions{Theme: p.theme, Marks: p.marks}); err != nil {
			return nil, err
		}
		_, err = io.WriteString(w, cli.Escape(b.String(), cli.InXML))
		return notes, err
	}},
	{"png", []string{".png"}, func(ctx context.Context, w io.Writer, p *drawing) ([]string, error) {
		l, notes, err := p.layout(ctx)
		if err != nil {
			return nil, err
		}
		fonts, lacks, err := fontsFor(l)
		if err != nil {
			return nil, err
		}
		return append(notes, lacks...), raster.WritePNG(w, l, raster.Options{Theme: p.theme, Marks: p.marks, Scale: p.scale, Fonts: fonts})
	}},
	{"tree", []string{".txt"}, drawCells(cells.Tree)},
	{"unicode", nil, drawCells(cells.Boxes)},
}, notationFormats()...)

// A drawing is what a format draws.
type drawing struct {
	options *drawOptions
	diagram *diagram.Diagram
	theme   diagram.Theme
	marks   map[string]diagram.Mark
	marked  bool // by flags
	scale   int
}

// wide is the width or height of a picture from which on it is hard to read on a screen.
const wide = 3000

func (p *drawing) layout(ctx context.Context) (l *diagram.Layout, notes []string, err error) {
	if l, err = p.diagram.Layout(ctx); err == nil && p.options.whole() && max(l.Width, l.Height) > wide {
		notes = append(notes, fmt.Sprintf("the picture is large, %d by %d points; --depth N and --state ID draw less of the chart", l.Width, l.Height))
	}
	return l, notes, err
}

type drawOptions struct {
	name              string
	format, theme     cli.Choice
	out, coverage     string
	active, highlight []string
	scale             int
	state             string
	depth             int
	watch             bool
	cells             cellFlags
}

func newDrawCommand() *cobra.Command {
	o := &drawOptions{theme: cli.Choice{Value: "auto", All: []string{"auto", "light", "dark", "print"}}}
	for _, f := range drawFormats {
		o.format.All = append(o.format.All, f.name)
	}
	cmd := &cobra.Command{
		Use:        "draw FILE",
		Short:      "Draw a chart",
		Long:       drawHelp,
		Example:    drawExample,
		SuggestFor: []string{"render", "plot", "visualize", "diagram"},
		Args:       oneFile,
		RunE: func(cmd *cobra.Command, args []string) error {
			o.name = args[0]
			format, err := o.chooseFormat()
			if err != nil {
				return err
			}
			if o.watch {
				return o.drawAgain(cmd.Context(), format)
			}
			var picture []byte
			var refused error
			if err := cli.Stoppable(cmd.Context(), func(ctx context.Context) (err error) {
				picture, refused, err = o.draw(ctx, format)
				return err
			}); err != nil {
				return err
			}
			return cmp.Or(writeOut(o.out, picture), refused)
		},
		ValidArgsFunction: completeChart,
	}
	o.format.Flag(cmd, "format", "what to write: "+cli.List(o.format.All, "or")+" (default: what the name of -o says; without -o unicode on a terminal, and svg elsewhere)")
	flags := cmd.Flags()
	flags.StringVarP(&o.out, "out", "o", "", "write to `FILE` instead of standard output")
	o.theme.Flag(cmd, "theme", "colours: "+cli.List(o.theme.All, "or"))
	flags.StringSliceVar(&o.active, "active", nil, "show these states, and those around them, as active: `ID,...`")
	flags.StringSliceVar(&o.highlight, "highlight", nil, "point at these states and transitions: `ID,...`")
	flags.StringVar(&o.coverage, "coverage", "", "colour what was and what was not reached according to `FILE`, which scxmlrun test --cover has written")
	flags.IntVar(&o.scale, "scale", 2, "pixels of a PNG for one of an SVG, 1 to 4: `N`")
	flags.StringVar(&o.state, "state", "", "draw the state `ID` and the states in it")
	flags.IntVar(&o.depth, "depth", 0, "draw `N` levels of states, and say how many are in those of the last one (default: all)")
	o.cells.bind(cmd)
	flags.BoolVar(&o.watch, "watch", false, "draw again whenever FILE changes, until interrupted; needs -o")
	return cmd
}

// chooseFormat returns the format of --format, or that of the extension of -o.
func (o *drawOptions) chooseFormat() (*drawFormat, error) {
	switch {
	case o.watch && toStdout(o.out):
		return nil, cli.Usagef("--watch needs a file to write to; write, for example: -o chart.svg")
	case o.watch && o.name == load.Stdin:
		return nil, cli.Usagef("--watch cannot watch standard input; name a file")
	case o.scale < 1 || o.scale > raster.MaxScale:
		return nil, cli.Usagef("--scale: %d is not a scale: want 1 to %d", o.scale, raster.MaxScale)
	case o.depth < 0:
		return nil, cli.Usagef("--depth: %d is not a number of levels: want 1 or more, or 0 for all", o.depth)
	case o.cells.width < 0:
		return nil, cli.Usagef("--width: %d is not a number of columns: want 1 or more, or 0 for as many as the terminal has", o.cells.width)
	}
	extension := strings.ToLower(filepath.Ext(o.out))
	for i := range drawFormats {
		f := &drawFormats[i]
		if f.name == o.format.Value || o.format.Value == "" && slices.Contains(f.extensions, extension) {
			return f, nil
		}
	}
	if extension != "" {
		return nil, cli.Usagef("-o %s: %q is not the extension of a picture; add --format with %s", o.out, extension, cli.List(o.format.All, "or"))
	}
	if toStdout(o.out) && cli.IsTerminal(os.Stdout) {
		return &drawFormats[slices.IndexFunc(drawFormats, func(f drawFormat) bool { return f.name == "unicode" })], nil
	}
	return &drawFormats[0], nil
}

// draw returns the picture of the chart. If the document has errors, it shows what could be read, and refused
// is the error to end with.
func (o *drawOptions) draw(ctx context.Context, format *drawFormat) (picture []byte, refused, err error) {
	if err := cli.CheckOut("-o", o.out, o.name, o.coverage); err != nil {
		return nil, nil, err
	}
	source, folder, err := load.Read(o.name, scxml.Limits{})
	if err != nil {
		return nil, nil, err
	}
	if o.whole() {
		if err := format.tooLarge(load.CountStates(source)); err != nil {
			return nil, nil, o.cannotDraw(ctx, format, err, nil)
		}
	}
	chart, refused, err := load.Sketch(o.name, source, folder)
	if err != nil {
		return nil, nil, err
	}
	defer cli.Working("drawing " + o.name)()
	p := &drawing{options: o, diagram: diagram.New(chart), scale: o.scale, theme: diagram.Theme(slices.Index(o.theme.All, o.theme.Value))}
	marks, err := o.marks(p.diagram)
	if err != nil {
		return nil, nil, err
	}
	if p.diagram, err = o.part(format, p.diagram); err != nil {
		return nil, nil, err
	}
	p.marked = len(marks) > 0
	p.marks = p.diagram.Marks()
	maps.Copy(p.marks, marks)
	var out bytes.Buffer
	var notes []string
	if err = format.tooLarge(len(p.diagram.Nodes) - 1); err == nil {
		notes, err = format.write(ctx, &out, p)
	}
	if err != nil {
		return nil, nil, o.cannotDraw(ctx, format, err, p.diagram)
	}
	for _, note := range notes {
		fmt.Fprintf(os.Stderr, "scxmlrun: %s: %s\n", format.name, cli.Visible(note, cli.KeepNewlines))
	}
	if toStdout(o.out) && format.name == "png" && cli.IsTerminal(os.Stdout) {
		return nil, nil, cli.Usagef("a PNG picture is not for a terminal; write, for example: -o chart.png")
	}
	return out.Bytes(), refused, nil
}

// marks returns the marks that the flags ask for.
func (o *drawOptions) marks(d *diagram.Diagram) (map[string]diagram.Mark, error) {
	marks := make(map[string]diagram.Mark)
	if o.coverage != "" {
		if err := coverageMarks(marks, d, o.coverage); err != nil {
			return nil, err
		}
	}
	states := stateIDs(d)
	all := slices.Clone(states)
	for _, e := range d.Edges {
		all = append(all, e.ID)
	}
	for _, id := range o.highlight {
		if !slices.Contains(all, id) {
			return nil, cli.Usagef("--highlight: %q is not a state or a transition of the chart%s", id, cli.DidYouMean(id, all))
		}
		marks[id] = diagram.Highlight
	}
	for _, id := range o.active {
		at := slices.Index(states, id)
		if at < 0 {
			return nil, cli.Usagef("--active: %q is not a state of the chart%s", id, cli.DidYouMean(id, states))
		}
		for n := d.Nodes[at+1]; n.Parent != nil; n = n.Parent {
			marks[n.ID] = diagram.Active
		}
	}
	return marks, nil
}

// coverageMarks marks what a coverage file has counts of.
func coverageMarks(marks map[string]diagram.Mark, d *diagram.Diagram, name string) error {
	profile, err := cover.Open(name)
	if err != nil {
		return &cli.Error{Status: cli.Failed, Err: fmt.Errorf("--coverage: %w", cli.Plain(err))}
	}
	type place struct{ line, col int }
	counts := make(map[place]int)
	found := false
	for _, document := range profile.Documents() {
		if document.Source != d.Chart.Source() {
			continue
		}
		found = true
		for _, e := range document.Elements {
			counts[place{e.Line, e.Col}] += e.Count
		}
	}
	if !found {
		return &cli.Error{Status: cli.Failed, Err: fmt.Errorf("%q has no counts of the chart as it is now: remove the file and run the tests again", name)}
	}
	mark := func(id string, line, col int) {
		if n, known := counts[place{line, col}]; known && n > 0 {
			marks[id] = diagram.Reached
		} else if known {
			marks[id] = diagram.Missed
		}
	}
	for _, n := range d.Nodes {
		mark(n.ID, n.State.Pos().Line, n.State.Pos().Col)
	}
	for _, e := range d.Edges {
		if e.Kind == diagram.Transition {
			mark(e.ID, e.Transition.Pos().Line, e.Transition.Pos().Col)
		}
	}
	return nil
}
