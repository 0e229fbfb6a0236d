package diagram

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/scxmlrun/scxmlrun/datamodel"
	"github.com/scxmlrun/scxmlrun/scxml"
	"github.com/scxmlrun/scxmlrun/scxml/internal/short"
)

// maxProblem is the greatest number of characters that a picture shows of an error.
const maxProblem = 64

// Marks returns a new map in which all nodes and edges with errors are [Wrong]. It is for the options of
// pictures.
func (d *Diagram) Marks() map[string]Mark {
	marks := make(map[string]Mark)
	for _, n := range d.Nodes {
		if len(problems(n.Lines)) > 0 {
			marks[n.ID] = Wrong
		}
	}
	for _, e := range d.Edges {
		if len(problems(e.Actions)) > 0 {
			marks[e.ID] = Wrong
			if len(e.Targets) == 0 { // the box of the source shows it
				marks[e.Source.ID] = Wrong
			}
		}
	}
	return marks
}

// problems returns the errors among some lines, which come first.
func problems(lines []Line) []Line {
	n := 0
	for n < len(lines) && lines[n].Kind == Problem {
		n++
	}
	return lines[:n:n]
}

// addProblems gives each error of the document to the innermost state or transition around it, and to
// the transitions the targets that they do not lead to.
func (d *Diagram) addProblems() {
	errors := d.Chart.Errors()
	if len(errors) == 0 {
		return
	}
	for _, e := range d.Edges {
		targets := ""
		if x := e.Transition.Element(); x != nil {
			targets = x.Attr("target")
		} else if x := e.Source.State.Element(); x != nil && e.Kind == Initial {
			targets = x.Attr("initial")
		}
		if e.Kind == Default && slices.Contains(e.Targets, e.Source) {
			e.Targets = nil // pictures have no room for it
		}
		for id := range strings.FieldsSeq(targets) {
			n := &Node{ID: id}
			if s, known := d.Chart.State(id); known {
				n = d.nodes[s]
			}
			if !slices.Contains(e.Targets, n) {
				e.Beyond = append(e.Beyond, n)
			}
		}
	}
	nodes := make(map[datamodel.Position]*Node)
	for _, n := range d.Nodes {
		nodes[n.State.Pos()] = n
	}
	for _, p := range errors {
		n, e := d.Root, (*Edge)(nil)
		for x := d.Chart.Element(); x != nil; x = childAt(x, p.Pos) {
			n, e = cmp.Or(nodes[x.Pos], n), cmp.Or(d.edges[x.Pos], e)
		}
		message := strings.TrimPrefix(p.Message, fmt.Sprintf("%s %q: ", n.Kind, n.State.ID()))
		line := Line{Kind: Problem, Text: newText("error: " + message), Pos: p.Pos}
		line.Short = short.Line(line.Whole, maxProblem)
		lines := &n.Lines
		if e != nil {
			lines = &e.Actions
		}
		*lines = slices.Insert(*lines, len(problems(*lines)), line)
	}
}

// childAt returns the child of an element that is around a position, or nil.
func childAt(e *scxml.Element, at datamodel.Position) *scxml.Element {
	i, found := slices.BinarySearchFunc(e.Children, at, func(c *scxml.Element, at datamodel.Position) int { return compare(c.Pos, at) })
	if !found {
		i--
	}
	if i < 0 || at.File != e.Pos.File || compare(e.Children[i].End, at) <= 0 {
		return nil
	}
	return e.Children[i]
}

func compare(a, b datamodel.Position) int {
	return cmp.Or(cmp.Compare(a.Line, b.Line), cmp.Compare(a.Col, b.Col))
}
