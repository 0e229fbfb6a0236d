package debug

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/scxmlrun/scxmlrun/datamodel"
	"github.com/scxmlrun/scxmlrun/scxml"
)

// A document knows where breakpoints of its lines stop.
type document struct {
	root *scxml.Element
	runs []*scxml.Element // states, transitions, and executable content, in document order
}

func newDocument(chart *scxml.Chart) *document {
	d := &document{root: chart.Element()}
	for d.root.Parent != nil { // a chart that is an element of a document
		d.root = d.root.Parent
	}
	d.add(d.root)
	slices.SortFunc(d.runs, func(a, b *scxml.Element) int { return order(a.Pos, b.Pos) })
	return d
}

func order(a, b datamodel.Position) int {
	return cmp.Or(cmp.Compare(a.Line, b.Line), cmp.Compare(a.Col, b.Col))
}

func (d *document) add(e *scxml.Element) {
	if runs(e) {
		d.runs = append(d.runs, e)
	}
	for _, c := range e.Children {
		d.add(c)
	}
}

// runs reports whether a session can stop at an element.
func runs(e *scxml.Element) bool {
	if e.Name == "transition" {
		return e.Parent != nil && e.Parent.Name != "initial" && e.Parent.Name != "history"
	}
	return isState(e) || isContent(e)
}

func isState(e *scxml.Element) bool {
	return e.Name == "state" || e.Name == "parallel" || e.Name == "final"
}

// isContent reports whether an element is executable content.
func isContent(e *scxml.Element) bool {
	if e.Parent == nil || e.Name == "else" || e.Name == "elseif" {
		return false
	}
	switch e.Parent.Name {
	case "onentry", "onexit", "transition", "finalize", "if", "foreach":
		return true
	case "scxml":
		return e.Name == "script"
	}
	return false
}

// find returns the element at which a breakpoint of a line stops, and says so if it is in another
// line.
func (d *document) find(line, col int) (at datamodel.Position, reason string) {
	for _, e := range d.runs {
		if e.Pos.Line == line {
			if at = e.Pos; e.Pos.Col >= col {
				return at, ""
			}
		}
	}
	if at.IsValid() {
		return at, ""
	}
	here := datamodel.Position{Line: line, Col: 1 << 30}
	// The last element that begins before the end of the line and ends after its beginning: the code in a
	// <script>, a <param> of a <send>.
	for _, e := range slices.Backward(d.runs) {
		if order(e.Pos, here) < 0 && e.End.Line >= line && !isState(e) {
			if e.Name == "transition" || e.Name == "if" || e.Name == "foreach" {
				break // the line is between two elements of it
			}
			return e.Pos, ""
		}
	}
	for _, e := range d.runs {
		if e.Pos.Line > line {
			return e.Pos, fmt.Sprintf("nothing runs in line %d: moved to line %d", line, e.Pos.Line)
		}
	}
	return at, fmt.Sprintf("nothing runs in line %d or after it", line)
}
