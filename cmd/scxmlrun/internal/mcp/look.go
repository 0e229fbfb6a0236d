package mcp

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/scxmlrun/scxmlrun/cmd/internal/cli"
	"github.com/scxmlrun/scxmlrun/cmd/scxmlrun/internal/check"
	"github.com/scxmlrun/scxmlrun/cmd/scxmlrun/internal/document"
	"github.com/scxmlrun/scxmlrun/cmd/scxmlrun/internal/notation"
	"github.com/scxmlrun/scxmlrun/scxml"
	"github.com/scxmlrun/scxmlrun/scxml/diagram"
	"github.com/scxmlrun/scxmlrun/scxml/diagram/cells"
	"github.com/scxmlrun/scxmlrun/scxml/diagram/raster"
)

// This file has the tools that read charts and do not run them.

type checkArgs struct {
	chartArg
	Code     string   `json:"code,omitempty" jsonschema:"explain this code, such as unknown-target, instead of checking a chart"`
	Portable []string `json:"portable,omitempty" jsonschema:"also warn about what these engines are known not to support"`
	Declare  []string `json:"declare,omitempty" jsonschema:"names of functions that the host adds"`
}

func (a *checkArgs) options() (scxml.LintOptions, error) {
	for _, name := range a.Portable {
		if !slices.Contains(scxml.Engines(), name) {
			return scxml.LintOptions{}, fmt.Errorf(`"portable": %q is not an engine%s`, name, cli.DidYouMean(name, scxml.Engines()))
		}
	}
	return scxml.LintOptions{Portable: a.Portable, Declared: a.Declare}, nil
}

func checkChart(_ context.Context, c *call, a checkArgs) (*answer, error) {
	if a.Code != "" {
		if a.chartArg != (chartArg{}) {
			return nil, errors.New(`"code" goes without a chart`)
		}
		if a.Code == "list" {
			return report(check.Codes()), nil
		}
		text, err := check.Explanation(a.Code)
		if err != nil {
			return nil, err
		}
		return report(text), nil
	}
	opts, err := a.options()
	if err != nil {
		return nil, err
	}
	d, err := c.document(a.chartArg)
	if err != nil {
		return nil, err
	}
	found := scxml.Lint(d.name, d.source, opts, scxml.WithLoader(d.folder), scxml.WithLimits(c.limits))
	if len(found) == 0 {
		return report("nothing to report"), nil
	}
	return report(diagnostics(found)), nil
}

// sketch compiles a chart as far as it can be read. The note says what is wrong with it.
func (c *call) sketch(a chartArg) (d *written, chart *scxml.Chart, note string, err error) {
	if d, err = c.document(a); err != nil {
		return nil, nil, "", err
	}
	chart, err = scxml.Sketch(d.name, d.source, scxml.WithLoader(d.folder), scxml.WithLimits(c.limits))
	if chart == nil {
		return nil, nil, "", err
	}
	if err != nil {
		note = describe(err) + "\n\nThis is what could be read:\n\n"
	}
	return d, chart, note, nil
}

type describeArgs struct{ chartArg }

func describeChart(_ context.Context, c *call, a describeArgs) (*answer, error) {
	d, chart, note, err := c.sketch(a.chartArg)
	if err != nil {
		return nil, err
	}
	if n := len(chart.States()) - 1; n > document.MaxStates {
		return nil, fmt.Errorf("the chart has %d states: a description has at most %d; draw a part of it, with format tree and state or depth", n, document.MaxStates)
	}
	b := bytes.NewBufferString(note)
	page := document.New(chart, d.folder)
	page.Used, page.Allowed = nil, nil // the same for most charts
	if err := page.WriteMarkdown(b, ""); err != nil {
		return nil, err
	}
	return report(cli.Escape(b.String(), cli.InXML)), nil
}

type drawArgs struct {
	chartArg
	Format string `json:"format,omitempty" jsonschema:"png (default), svg, tree, dot, mermaid, plantuml, smcat, xstate or scjson"`
	State  string `json:"state,omitempty" jsonschema:"draw only this state and those in it"`
	Depth  int    `json:"depth,omitempty" jsonschema:"draw only so many levels of states"`
	Scale  int    `json:"scale,omitempty" jsonschema:"pixels of a PNG for a point, 1 to 4; default 2"`
	Dark   bool   `json:"dark,omitempty" jsonschema:"light on dark"`
}

const drawLess = "draw a part of the chart with state or depth"

func draw(ctx context.Context, c *call, a drawArgs) (*answer, error) {
	formats := []string{"png", "svg", "tree"}
	for _, f := range notation.Formats() {
		formats = append(formats, f.Name)
	}
	switch {
	case a.Format != "" && !slices.Contains(formats, a.Format):
		return nil, fmt.Errorf(`"format": %q is not a format%s`, a.Format, cli.DidYouMean(a.Format, formats))
	case a.Scale < 0 || a.Scale > raster.MaxScale:
		return nil, fmt.Errorf(`"scale": %d is not a scale: want 1 to %d`, a.Scale, raster.MaxScale)
	case a.Depth < 0:
		return nil, fmt.Errorf(`"depth": %d is not a number of levels: want 1 or more`, a.Depth)
	}
	_, chart, note, err := c.sketch(a.chartArg)
	if err != nil {
		return nil, err
	}
	pic := diagram.New(chart)
	if a.State != "" || a.Depth > 0 {
		if pic, err = partOf(pic, a); err != nil {
			return nil, err
		}
	}
	out := new(answer)
	if note != "" {
		out = report(note)
	}
	for _, f := range notation.Formats() {
		if f.Name == a.Format {
			text, lost := f.Write(pic)
			if lost != nil {
				out.Parts = append(out.Parts, report(f.Name+" cannot express:\n"+strings.Join(lost, "\n")).Parts...)
			}
			return out, out.content([]byte(text), drawLess)
		}
	}
	if a.Format == "tree" {
		return out, out.content([]byte(visible(cells.Tree(pic, cells.Options{}).String())), drawLess)
	}
	return out, picture(ctx, out, pic, a)
}

// picture adds a picture of pixels, or SVG, to an answer.
func picture(ctx context.Context, out *answer, pic *diagram.Diagram, a drawArgs) error {
	l, err := pic.Layout(ctx)
	if err != nil {
		return fmt.Errorf("%w; %s", err, drawLess)
	}
	theme := diagram.Auto
	if a.Dark {
		theme = diagram.Dark
	}
	var b bytes.Buffer
	if a.Format == "svg" {
		if err := l.WriteSVG(&b, diagram.SVGOptions{Theme: theme, Marks: pic.Marks()}); err != nil {
			return err
		}
		return out.content([]byte(cli.Escape(b.String(), cli.InXML)), drawLess)
	}
	if err := raster.WritePNG(&b, l, raster.Options{Theme: theme, Marks: pic.Marks(), Scale: a.Scale}); err != nil {
		return fmt.Errorf("%w; %s", err, drawLess)
	}
	if b.Len() > maxContent {
		return fmt.Errorf("the picture has %d bytes: want at most %d; use a smaller scale, or %s", b.Len(), maxContent, drawLess)
	}
	if missing, err := raster.Missing(l, nil); err == nil && len(missing) > 0 {
		out.Parts = append(out.Parts, report("these letters are not drawn as they are written; format svg has them: "+string(missing)).Parts...)
	}
	out.Parts = append(out.Parts, part{Image: b.Bytes(), Type: "image/png"})
	return nil
}

// partOf returns a part of a diagram.
func partOf(d *diagram.Diagram, a drawArgs) (*diagram.Diagram, error) {
	if a.Format == "scjson" {
		return nil, errors.New(`"state" and "depth" are for pictures, and scjson is the whole chart`)
	}
	var names []string
	for _, n := range d.Nodes[1:] {
		if n.ID == a.State {
			return d.Part(n, a.Depth), nil
		}
		names = append(names, n.ID)
	}
	if a.State != "" {
		return nil, fmt.Errorf(`"state": %q is not a state of the chart%s`, a.State, cli.DidYouMean(a.State, names))
	}
	return d.Part(d.Root, a.Depth), nil
}

type importArgs struct {
	File string `json:"file,omitempty" jsonschema:"file of the chart, below the folder of the server"`
	Text string `json:"text,omitempty" jsonschema:"text of the chart, in place of file"`
	From string `json:"from,omitempty" jsonschema:"xstate or smcat; by default, what begins with a brace is xstate"`
}

func importChart(_ context.Context, c *call, a importArgs) (*answer, error) {
	name, text, err := c.text("text", a.Text, a.File)
	if err != nil {
		return nil, err
	}
	imported, err := notation.Read(name, a.From, text)
	if err != nil {
		return nil, err
	}
	var notes []string
	for _, note := range imported.Notes {
		notes = append(notes, note.String())
	}
	out := new(answer)
	if notes != nil {
		out = report("lost or guessed:\n" + strings.Join(notes, "\n"))
	}
	return out, out.content(imported.SCXML, "import a smaller chart")
}
