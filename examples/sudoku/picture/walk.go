//go:build !js

// The program of the page does without: the templates alone are 50 KB of it.

package picture

import (
	_ "embed" // the page
	"fmt"
	"html/template"
	"io"
	"slices"
	"strings"

	"github.com/scxmlrun/scxmlrun/examples/sudoku/human"
)

// A Walk is a page of HTML that leads through a solution, with a picture of each step. It
// is one file that needs nothing else. It is light or dark as the reader's system is; the
// arrow keys move from step to step. Without JavaScript all steps are below each other.
type Walk struct {
	Title string
	Facts []Fact // about the puzzle, such as its rating
	Start *human.Position
	Path  []human.Step // from the start
}

// A Fact is a line of a small table.
type Fact struct{ Name, Value string }

//go:embed walk.html
var walkPage string

// A walkStep is a step on the page.
type walkStep struct {
	Number         int
	Technique      string
	Rating         string
	Bar            int // the rating in percent of the hardest
	Effect, Reason string
	Picture        template.HTML
}

// Write writes the page. It fails if a step does not fit the position that it is for.
func (k *Walk) Write(w io.Writer) error {
	defs := &svgDefs{ids: map[string]bool{}, themed: true}
	p := *k.Start
	page := struct {
		*Walk
		Theme, Dark template.CSS
		Defs        template.HTML
		Steps       []walkStep
		Techniques  []Fact
		End         template.HTML
		Solved      bool
	}{Walk: k, Techniques: techniquesOf(k.Path)}
	const most = 120 // the hardest rating is a little less
	for i := range k.Path {
		step := &k.Path[i]
		page.Steps = append(page.Steps, walkStep{
			Number: i + 1, Technique: step.Technique.String(), Rating: step.Rating.String(), Bar: min(100, 100*int(step.Rating)/most),
			Effect: unequal(step.Effect()), Reason: sentence(step.Reason()), Picture: inline(defs, &p, step),
		})
		if err := p.Apply(step); err != nil {
			return fmt.Errorf("cannot draw step %d: %w", i+1, err)
		}
	}
	page.End, page.Solved = inline(defs, &p, &human.Step{Technique: human.Trial}), p.Solved()
	page.Defs = template.HTML("<defs>" + defs.text.String() + "</defs>")
	page.Theme, page.Dark = themes()
	// Not a variable: programs without a Walk would have the parser of templates.
	t, err := template.New("walk").Parse(walkPage)
	if err != nil {
		return err
	}
	return t.Execute(w, page)
}

// inline returns a picture for the page.
func inline(defs *svgDefs, p *human.Position, step *human.Step) template.HTML {
	s := &stepSVG{defs: defs}
	newStepBoard(s, p, step, StepOptions{}).draw(marginPixels, marginPixels, cellPixels)
	grid := p.Grid()
	label := fmt.Sprintf("The board %s", grid.String())
	if len(step.Place)+len(step.Eliminate) > 0 {
		label = fmt.Sprintf("%v: %s", step.Technique, step.Effect())
	}
	size := number(sizePixels)
	return template.HTML(fmt.Sprintf(`<svg viewBox="0 0 %s %s" role="img" aria-label="%s">`, size, size, template.HTMLEscapeString(label)) + s.picture() + "</svg>")
}

// sentence makes a sentence of a reason. It leaves the name of a cell at the beginning.
func sentence(text string) string {
	if text[0] != 'r' || text[1] > '9' {
		text = strings.ToUpper(text[:1]) + text[1:]
	}
	return unequal(text) + "."
}

// unequal writes the sign for candidates that are eliminated as on paper.
func unequal(text string) string { return strings.ReplaceAll(text, "<>", "≠") }

// techniquesOf counts the techniques of a path, the hardest first.
func techniquesOf(path []human.Step) (facts []Fact) {
	var counts [human.Trial + 1]int
	for i := range path {
		counts[path[i].Technique]++
	}
	for t := human.Trial; t >= 0; t-- {
		if counts[t] > 0 {
			facts = append(facts, Fact{t.String(), fmt.Sprint(counts[t])})
		}
	}
	return facts
}

// darkColours has the colours of steps on a dark ground.
var darkColours = map[colour]colour{
	ink: {0xec, 0xec, 0xec}, hair: {0x5c, 0x5c, 0x5c}, pen: {0x8a, 0xb8, 0xff}, pencil: {0xa8, 0xa8, 0xa8},
	patternFill: {0x42, 0x38, 0x14}, placeFill: {0x12, 0x45, 0x33},
	onLine: {0x6d, 0xb8, 0xf0}, onFill: {0x12, 0x3a, 0x57},
	offLine: {0xf0, 0xb2, 0x4a}, offFill: {0x4f, 0x35, 0x08},
	finLine: {0xf0, 0x8c, 0xc0}, finFill: {0x4d, 0x1f, 0x38},
	placeLine: {0x4f, 0xd0, 0xa8}, loseLine: {0xff, 0x7a, 0x55}, loseFill: {0x5c, 0x1f, 0x0e},
	houseLine:    {0xa9, 0x9b, 0xf0},
	setFills[0]:  {0x16, 0x32, 0x4f},
	setFills[1]:  {0x1d, 0x3b, 0x1a},
	setFills[2]:  {0x46, 0x22, 0x2f},
	setFills[3]:  {0x2e, 0x27, 0x48},
	setLines[0]:  {0x31, 0x60, 0x8f},
	setLines[1]:  {0x3f, 0x7a, 0x3a},
	setLines[2]:  {0x8a, 0x45, 0x60},
	setLines[3]:  {0x5d, 0x4f, 0x96},
	linkLines[0]: {0xb4, 0xc8, 0xdc},
	linkLines[1]: {0xd7, 0x9b, 0xe8},
	linkLines[2]: {0xe0, 0xa8, 0x60},
	linkLines[3]: {0x66, 0xcc, 0xcc},
}

// themes returns the declarations of the colours for a light and for a dark ground.
func themes() (light, dark template.CSS) {
	var lines []string
	for c, d := range darkColours {
		lines = append(lines, c.hex()+d.hex())
	}
	slices.Sort(lines)
	for _, line := range lines {
		light += template.CSS(fmt.Sprintf("--%s:%s;", line[1:7], line[:7]))
		dark += template.CSS(fmt.Sprintf("--%s:%s;", line[1:7], line[7:]))
	}
	return light, dark
}
