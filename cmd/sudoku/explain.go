package main

import (
	"cmp"
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/scxmlrun/scxmlrun/cmd/internal/cli"
	"github.com/scxmlrun/scxmlrun/cmd/internal/widget"
	"github.com/scxmlrun/scxmlrun/examples/sudoku/human"
	"github.com/scxmlrun/scxmlrun/examples/sudoku/picture"
)

const explainHelp = `Explain leads through the solution of a puzzle in words and pictures. The ending of
the --output selects the form:

  .txt    text, like standard output: the rating, and each step with its reason
  .html   a page with a picture of each step, in one file
  .svg    a picture of one step, the next one or that of --step
  .png    the same, on a transparent ground or with --background on a white one

--each writes a picture for each step: walk-1.svg, walk-2.svg, … The same numbers are
used if there are several puzzles. A file that exists is replaced only with --force.

In the pictures a circle is a candidate of the pattern, or one that is right in a
chain; a square is wrong in a chain; a rhomb is a fin, or one of a set. Two circles
are placed, and struck candidates are eliminated. Of two candidates with a line at
least one is right, of two with dashes at most one.

--json writes an object per line with the keys of "sudoku rate" and "sudoku steps",
and with solution and techniques.

` + positionHelp

type explainOptions struct {
	answerFlags
	pathFlags
	step, scale            int
	each, background, few  bool
	written                []string
	stepGiven, pngOptioned bool
}

func newExplainCommand() *cobra.Command {
	o := &explainOptions{}
	cmd := &cobra.Command{
		Use:   "explain [FILE…|PUZZLE…]",
		Short: "Lead through a solution, in words and pictures",
		Long:  explainHelp,
		Example: `  sudoku explain puzzle.txt
  sudoku explain --output walk.html puzzle.txt
  sudoku explain --output next.png --scale 2 --background game.json
  sudoku explain --output step.svg --step 12 puzzle.txt`,
	}
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		flags := cmd.Flags()
		o.stepGiven = flags.Changed("step")
		o.pngOptioned = o.background || flags.Changed("scale")
		return o.run(cmd.Context(), args)
	}
	flags := cmd.Flags()
	flags.IntVar(&o.step, "step", 1, "draw the step with the number `N`")
	flags.BoolVar(&o.each, "each", false, "draw each step")
	flags.BoolVar(&o.few, "few", false, "draw only the candidates that a step is about")
	flags.IntVar(&o.scale, "scale", 1, "width of a .png: `N` times 447 pixels, N from 1 to 4")
	flags.BoolVar(&o.background, "background", false, "draw on a white ground instead of a transparent one")
	o.pathFlags.bind(cmd)
	o.answerFlags.bind(cmd)
	return cmd
}

// kind is the ending of the file to write: .txt, .html, .svg or .png.
func (o *explainOptions) kind() (string, error) {
	kind := strings.ToLower(filepath.Ext(o.file))
	drawn := kind == ".svg" || kind == ".png"
	switch {
	case o.file == "" || o.file == stdinName || o.json:
		kind, drawn = ".txt", false
	case kind == ".htm":
		kind = ".html"
	case !slices.Contains([]string{".txt", ".html", ".svg", ".png"}, kind):
		return "", cli.Usagef("--output %q: want a name that ends in .txt, .html, .svg or .png", o.file)
	}
	switch {
	case o.stepGiven && o.each:
		return "", cli.Usagef("--step and --each do not go together")
	case o.step < 1:
		return "", cli.Usagef("--step: expected a number of at least 1, found %d", o.step)
	case o.scale < 1 || o.scale > picture.MaxScale:
		return "", cli.Usagef("--scale: expected a number from 1 to %d, found %d", picture.MaxScale, o.scale)
	case (o.stepGiven || o.each || o.few || o.pngOptioned) && !drawn:
		return "", cli.Usagef("--step, --each, --few, --scale and --background are for pictures; add --output step.svg or step.png")
	}
	return kind, o.check()
}

func (o *explainOptions) run(ctx context.Context, args []string) error {
	kind, err := o.kind()
	if err != nil {
		return err
	}
	order := o.order()
	if kind == ".txt" {
		return answerEach(ctx, args, &o.answerFlags, func() func(*entry) answer {
			t := &thinker{}
			return func(e *entry) answer { return o.answer(t, e, order) }
		})
	}
	return o.draw(ctx, args, kind, order)
}

// An explanation is a solution step by step.
type explanation struct {
	start *human.Position
	path  []human.Step
	rated rated
}

// explain finds the way to the solution. With an error it may have a part of it.
func (o *explainOptions) explain(t *thinker, e *entry, order []human.Technique) (x explanation, err error) {
	if x.start, err = t.position(&e.Game); err != nil {
		return x, err
	}
	if x.rated, _, err = t.rate(x.start, 1<<30); err != nil {
		return x, err
	}
	x.path, err = o.path(t, x.start, order)
	return x, err
}

// A techniqueCount says how often a technique is used.
type techniqueCount struct {
	Technique string `json:"technique"`
	Steps     int    `json:"steps"`
}

// techniques counts the techniques, the hardest first.
func (x *explanation) techniques() []techniqueCount {
	counts := map[human.Technique]int{}
	for i := range x.path {
		counts[x.path[i].Technique]++
	}
	list := []techniqueCount{}
	for _, t := range slices.Backward(human.Techniques()) {
		if counts[t] > 0 {
			list = append(list, techniqueCount{t.String(), counts[t]})
		}
	}
	return list
}

// answer answers with an explanation in words.
func (o *explainOptions) answer(t *thinker, e *entry, order []human.Technique) answer {
	x, err := o.explain(t, e, order)
	if x.path == nil && err != nil {
		return answer{err: err}
	}
	if o.json {
		return answer{text: jsonLine(x.record(e, err == nil)), err: err}
	}
	var b strings.Builder
	b.WriteString(puzzleLine(e, x.start, e.Name))
	var used []string
	for _, c := range x.techniques() {
		used = append(used, fmt.Sprintf("%d %s", c.Steps, c.Technique))
	}
	fmt.Fprintf(&b, "%v\n", x.rated)
	if len(x.path) == 0 {
		b.WriteString("the puzzle is solved\n")
	} else {
		fmt.Fprintf(&b, "%s: %s\n", count(len(x.path), "1 step", "%d steps"), strings.Join(used, ", "))
	}
	for i := range x.path {
		s := &x.path[i]
		fmt.Fprintf(&b, "\n%3d. %v (%v): %s\n", i+1, s.Technique, s.Rating, s.Effect())
		for _, line := range widget.Wrap(s.Reason()+".", 75) {
			b.WriteString("     " + line + "\n")
		}
	}
	b.WriteString("\n")
	return answer{text: b.String(), err: err}
}

// An explainRecord is a line of explain --json.
type explainRecord struct {
	subject
	ratingFields
	Solution   string           `json:"solution"`
	Solved     bool             `json:"solved"`
	Techniques []techniqueCount `json:"techniques"`
	Steps      []stepFields     `json:"steps"`
}

func (x *explanation) record(e *entry, solved bool) explainRecord {
	r := explainRecord{subject: subjectOf(e, x.start), ratingFields: x.rated.fields(), Solved: solved, Techniques: x.techniques(), Steps: []stepFields{}}
	p := *x.start
	for i := range x.path {
		r.Steps = append(r.Steps, fieldsOf(&x.path[i]))
		_ = p.Apply(&x.path[i]) // it has been found there
	}
	if solved {
		grid := p.Grid()
		r.Solution = grid.String()
	}
	return r
}

// draw writes pages or pictures. The first puzzle is kept until it is known whether it is
// the only one, whose name has no number.
func (o *explainOptions) draw(parent context.Context, args []string, kind string, order []human.Technique) error {
	ctx, cancel := cli.Interruptible(parent, nil, nil)
	defer cancel(nil)
	in, err := newInput(ctx, args)
	if err != nil {
		return err
	}
	t, problems, progress := &thinker{}, problems{}, newProgress(in, nil)
	defer func() {
		progress.end()
		tellWritten(o.written...)
	}()
	write := func(e *entry, number int) error {
		var x explanation
		var err error
		if err := cli.Stoppable(ctx, func(context.Context) error { x, err = o.explain(t, e, order); return nil }); err != nil {
			return err
		}
		if err != nil {
			progress.Clear()
			problems.add(e, err)
		}
		if x.start == nil {
			return nil
		}
		progress.count++
		progress.show()
		return cmp.Or(context.Cause(ctx), o.write(kind, e, &x, number))
	}
	var first entry
	n := 0
	for e, err := range in.entries() {
		switch {
		case err != nil:
			return stopped(err)
		case n == maxPictures:
			return cli.Usagef("too many puzzles: want at most %s", thousands(maxPictures))
		}
		switch n++; n {
		case 1:
			first = e
			continue
		case 2:
			err = write(&first, 1)
		}
		if err := cmp.Or(err, write(&e, n)); err != nil {
			return stopped(err)
		}
	}
	if n == 1 {
		if err := write(&first, 0); err != nil {
			return stopped(err)
		}
	}
	return problems.error()
}

// write writes the page or the pictures of a puzzle. The names of the files get the
// number unless it is 0.
func (o *explainOptions) write(kind string, e *entry, x *explanation, number int) error {
	name := numbered(o.file, number)
	if kind == ".html" {
		return o.toFile(name, func(out *output) error { return x.page(e).Write(out) })
	}
	p, drawn := *x.start, false
	for i := range x.path {
		if s := &x.path[i]; o.each || i+1 == o.step {
			file := name
			if o.each {
				file = numbered(name, i+1)
			}
			if err := o.toFile(file, func(out *output) error { return o.picture(kind, out, &p, s) }); err != nil {
				return err
			}
			drawn = true
		}
		if err := p.Apply(&x.path[i]); err != nil {
			return err
		}
	}
	if !drawn && !o.each {
		return cli.Usagef("--step %d: %s has %s", o.step, e.place(), count(len(x.path), "1 step", "%d steps"))
	}
	return nil
}

// picture draws a step.
func (o *explainOptions) picture(kind string, out *output, p *human.Position, s *human.Step) error {
	options := picture.StepOptions{Few: o.few, Ground: picture.Ground(o.background), Scale: o.scale}
	if kind == ".png" {
		return picture.StepPNG(out, p, s, options)
	}
	return picture.StepSVG(out, p, s, options)
}

// toFile creates a file.
func (o *explainOptions) toFile(name string, write func(*output) error) error {
	out, err := o.create(name)
	if err != nil {
		return err
	}
	out.series = true
	if err = out.close(writeError(name, write(out))); err == nil {
		o.written = append(o.written, name)
	}
	return err
}

// page returns the page of an explanation.
func (x *explanation) page(e *entry) *picture.Walk {
	w := &picture.Walk{Title: e.Name, Start: x.start, Path: x.path}
	if w.Title == "" {
		w.Title = "A Sudoku, step by step"
	}
	w.Facts = []picture.Fact{
		{Name: "Level", Value: fmt.Sprintf("%d, %v", x.rated.Rating.Level(), x.rated.Rating.Level())},
		{Name: "ER/EP/ED", Value: x.rated.Rating.String()},
		{Name: "Score", Value: fmt.Sprintf("%d, %v", x.rated.Points, x.rated.Class)},
	}
	return w
}
