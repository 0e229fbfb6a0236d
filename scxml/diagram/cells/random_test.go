package cells

import (
	"encoding/xml"
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/scxmlrun/scxmlrun/scxml"
	"github.com/scxmlrun/scxmlrun/scxml/diagram"
)

// randomChart writes a state with others in it, with names and conditions of many kinds of characters.
func randomChart(t *rapid.T, b *strings.Builder, depth int) {
	id := fmt.Sprintf("%s%d", rapid.SampledFrom([]string{"s", "状態", "é", "long.name-of_a.state."}).Draw(t, "name"), b.Len())
	element := "state"
	children := 0
	if depth > 0 {
		children = rapid.IntRange(0, 4).Draw(t, "children")
	}
	if children > 0 && rapid.Bool().Draw(t, "parallel") {
		element = "parallel"
	}
	fmt.Fprintf(b, `<%s id="%s">`, element, id)
	for range rapid.IntRange(0, 2).Draw(t, "transitions") {
		cond := rapid.StringOfN(rapid.RuneFrom([]rune("ab 界\u0301\u200d\n\t…→\"<&")), 0, 60, -1).Draw(t, "cond")
		b.WriteString(`<transition event="e.*" cond="`)
		if err := xml.EscapeText(b, []byte(cond)); err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(b, `" target="%s"><raise event="r"/></transition>`, id)
	}
	for range children {
		randomChart(t, b, depth-1)
	}
	fmt.Fprintf(b, `</%s>`, element)
}

func TestRandomGrids(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		var b strings.Builder
		b.WriteString(`<scxml xmlns="http://www.w3.org/2005/07/scxml" version="1.0" datamodel="ecmascript">`)
		randomChart(rt, &b, 4)
		b.WriteString(`</scxml>`)
		chart, err := scxml.Parse("random.scxml", []byte(b.String()))
		if err != nil {
			rt.Fatal(err)
		}
		d := diagram.New(chart)
		marked := rapid.IntRange(0, len(d.Nodes)-1).Draw(rt, "marked")
		opts := Options{
			Width: rapid.IntRange(1, 120).Draw(rt, "width"), Detail: rapid.SampledFrom([]Detail{Everything, Transitions, States}).Draw(rt, "detail"),
			ASCII: rapid.Bool().Draw(rt, "ascii"), Steady: rapid.Bool().Draw(rt, "steady"),
			Marks: map[string]diagram.Mark{d.Nodes[marked].ID: diagram.Mark(rapid.IntRange(0, int(diagram.Active)).Draw(rt, "mark"))},
		}
		boxes := Boxes(d, opts)
		if boxes.Width > max(opts.Width, leastBox) {
			rt.Errorf("the boxes have %d columns, want at most %d", boxes.Width, opts.Width)
		}
		for y := range boxes.Height() {
			if w := widthOf(boxes.Row(y)); w != boxes.Width {
				rt.Errorf("row %d of boxes has %d columns, want %d", y, w, boxes.Width)
			}
		}
		checkGrid(rt, d, boxes, true)
		checkGrid(rt, d, Tree(d, opts), false)
		if rt.Failed() {
			rt.Logf("%s\n%s", b.String(), boxes)
		}
	})
}
