package mutate

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/scxmlrun/scxmlrun/datamodel"
	"github.com/scxmlrun/scxmlrun/scxml"
)

const namespace = "http://www.w3.org/2005/07/scxml"

// An element is an element of the chart in the text of a document.
type element struct {
	name     string // "" if it is not in the namespace of SCXML
	pos      datamodel.Position
	span     // from < to the end of its end tag
	attrs    []attr
	parent   *element // nil for <scxml>, also for one that is invoked
	children []*element
	n        int // among the children of parent
	index    int // of a state, see mutator
}

// A span is a part of the text.
type span struct{ from, to int }

type attr struct {
	name  string
	span       // from the name to the last quote
	value span // between the quotes
}

// later returns the siblings after e.
func (e *element) later() []*element { return e.parent.children[e.n+1:] }

// attr returns an attribute; ok is false if the element does not have it.
func (e *element) attr(name string) (a attr, ok bool) {
	i := slices.IndexFunc(e.attrs, func(a attr) bool { return a.name == name })
	if i < 0 {
		return attr{}, false
	}
	return e.attrs[i], true
}

// A source is the text of a document and the elements in it.
type source struct {
	text  string
	roots []*element // <scxml> and the ones in <content> of <invoke>, in document order

	at        int // how far it was read, see offset
	line, col int
}

// scan finds the elements of a chart in its document.
func scan(chart *scxml.Chart) *source {
	src := &source{text: chart.Source(), line: 1, col: 1}
	if root := chart.Element(); root != nil {
		src.read(root, nil)
	}
	return src
}

// read reads an element and those in it, but not what is in a value.
func (src *source) read(of *scxml.Element, parent *element) {
	e := &element{pos: of.Pos, span: span{from: src.offset(of.Pos)}}
	if of.Space == namespace {
		e.name = of.Name
	}
	for _, a := range of.Attrs {
		name, value := src.offset(a.Pos), src.offset(a.ValuePos)
		end := value + strings.IndexByte(src.text[value:], src.text[value-1])
		if a.Space == "" {
			e.attrs = append(e.attrs, attr{a.Name, span{name, end + 1}, span{value, end}})
		}
	}
	switch {
	case parent == nil, e.name == "scxml" && parent.name == "content" && parent.parent.name == "invoke":
		src.roots = append(src.roots, e)
	case parent.isValue():
		return
	default:
		e.parent, e.n = parent, len(parent.children)
		parent.children = append(parent.children, e)
	}
	for _, child := range of.Children {
		src.read(child, e)
	}
	e.to = src.offset(of.End)
}

// offset returns the offset of a position, which is not before that of the last call.
func (src *source) offset(pos datamodel.Position) int {
	for ; src.line < pos.Line; src.line++ {
		src.at += strings.IndexByte(src.text[src.at:], '\n') + 1
		src.col = 1
	}
	for ; src.col < pos.Col; src.col++ {
		_, size := utf8.DecodeRuneInString(src.text[src.at:])
		src.at += size
	}
	return src.at
}

// isValue reports whether the children of an element are a value, or of another namespace.
func (e *element) isValue() bool {
	return e.name == "" || e.name == "data" || e.name == "assign" || e.name == "content"
}

// value returns an attribute as it is written, "" without it.
func (src *source) value(e *element, name string) string {
	a, _ := e.attr(name)
	return src.part(a.value)
}

func (src *source) part(s span) string { return src.text[s.from:s.to] }
