// Package xmltree reads XML into a light tree in which every element, text and
// attribute value has a position. It knows nothing about SCXML.
//
// Package etree builds the tree, but it has no positions and accepts documents that are not
// well-formed: a second root, text outside the root, duplicate attributes, unbound prefixes. So a
// scanner reads the text first. It makes the checks that etree lacks, and records a mark with the
// place of each tag and attribute. The marks and etree's elements, both in document order, are
// then joined.
package xmltree

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"github.com/beevik/etree"

	"github.com/scxmlrun/scxmlrun/datamodel"
)

// Limits bound what [Parse] accepts. A zero field means its default.
type Limits struct {
	Size     int // bytes of the document; 64 MB
	Depth    int // nesting of elements; 1,000
	Elements int // number of elements; 5,000,000

	Attributes int // of one element; 1,000
}

// The defaults of [Limits]; they do not stop an honest chart of 100,000 states.
const (
	defaultSize     = 64 << 20
	defaultDepth    = 1000
	defaultElements = 5_000_000

	defaultAttributes = 1000
)

// WithDefaults returns lim with its zero fields set.
func (lim Limits) WithDefaults() Limits {
	lim.Size = min(cmp.Or(lim.Size, defaultSize), math.MaxInt32) // offsets are kept in 32 bits
	lim.Depth = cmp.Or(lim.Depth, defaultDepth)
	lim.Elements = cmp.Or(lim.Elements, defaultElements)
	lim.Attributes = cmp.Or(lim.Attributes, defaultAttributes)
	return lim
}

// A Problem says why a document is not well-formed, or cannot be read.
type Problem struct {
	Pos     datamodel.Position
	Code    string // stable, for example "mismatched-tag"
	Message string
}

// An Element is an element of a document.
type Element struct {
	Prefix   string // as written, "" without one
	Local    string
	Space    string // namespace URI
	Attrs    []Attr // in document order, namespace declarations included
	Children []*Element

	doc       *document
	et        *etree.Element
	at        place
	body      place // of the first character after the start tag
	text      place // see TextPos; zero if there is no such character
	close     place // see End; zero for a computed element
	from, end int32 // the content is doc.src[from:end]; from is -1 if there is no source text
}

// An Attr is an attribute. Its value is normalized as XML 1.0, 3.3.3 requires: white space
// becomes blanks, unless it is written as a character reference.
type Attr struct {
	Space, Local string // Space is "" for an attribute without prefix
	Value        string
	Raw          string // the value as written if that differs from Value, else ""

	name, val place
}

// A document holds what the elements of one document share.
type document struct {
	file   string
	src    string
	mended bool // src has placeholders, see mend.go
}

// A place is a line and a column, both from 1.
type place struct{ line, col int32 }

func (d *document) position(p place) datamodel.Position {
	return datamodel.Position{File: d.file, Line: int(p.line), Col: int(p.col)}
}

// Parse reads a document. file is its name in positions.
//
// Problems are in document order. If there are any, the element is usually nil. It is not nil if
// all problems leave the tree intact (duplicate attributes, unbound prefixes) or the meaning clear
// (a "&" or "<" that is not escaped), so that the caller can look for more problems.
func Parse(file string, src []byte, lim Limits) (*Element, []Problem) {
	lim = lim.WithDefaults()
	if len(src) > lim.Size {
		return nil, []Problem{{
			Pos:     datamodel.Position{File: file, Line: 1, Col: 1},
			Code:    "document-limit",
			Message: "document has more than " + quantity(lim.Size, "byte"),
		}}
	}
	text, problem := decode(src)
	if problem != nil {
		problem.Pos.File = file
		return nil, []Problem{*problem}
	}
	s := newScanner(&document{file: file, src: text}, lim)
	s.scan()
	var root *Element
	if s.failed {
		root = s.mended()
	} else {
		root = s.build()
	}
	s.sortProblems()
	return root, s.problems
}

// ParsePart reads a document for which Parse returns nil, with [ParseText]. The text is that of the whole
// document. The root is nil if it does not begin before the first problem.
func ParsePart(file string, src []byte, lim Limits) (root *Element, text string) {
	if len(src) > lim.WithDefaults().Size {
		return nil, ""
	}
	text, problem := decode(src)
	if problem != nil {
		return nil, ""
	}
	return ParseText(file, text, lim), text
}

// ParseText reads the text of a document. If that is not well-formed, it reads what comes before the first
// problem. All elements that are open there end there.
func ParseText(file, text string, lim Limits) *Element {
	s := newScanner(&document{file: file, src: text}, lim.WithDefaults())
	s.scan()
	if !s.failed {
		return s.build()
	}
	if root := s.mended(); root != nil || len(s.marks) == 0 {
		return root
	}
	var part strings.Builder
	part.WriteString(text[:s.last])
	for _, i := range slices.Backward(s.open) {
		part.WriteString("</" + s.nameOf(&s.marks[i]) + ">")
	}
	s = newScanner(&document{file: file, src: part.String()}, s.lim)
	if s.scan(); s.failed {
		return s.mended()
	}
	return s.build()
}

func (s *scanner) sortProblems() {
	slices.SortStableFunc(s.problems, func(a, b Problem) int {
		return cmp.Or(cmp.Compare(a.Pos.Line, b.Pos.Line), cmp.Compare(a.Pos.Col, b.Pos.Col))
	})
}

// Pos returns the place of the element's start tag.
func (e *Element) Pos() datamodel.Position { return e.doc.position(e.at) }

// End returns the place of the first character after the element.
func (e *Element) End() datamodel.Position { return e.doc.position(e.close) }

// File returns the name of the document that e belongs to.
func (e *Element) File() string { return e.doc.file }

// Document returns the whole text of e's document as UTF-8, or "" if e was computed.
func (e *Element) Document() string { return e.doc.unmend(e.doc.src) }

// Attr returns the attribute with the given name and no namespace, or nil.
func (e *Element) Attr(local string) *Attr { return e.AttrOf("", local) }

// AttrOf returns the attribute with the given namespace and name, or nil.
func (e *Element) AttrOf(space, local string) *Attr {
	for i := range e.Attrs {
		if a := &e.Attrs[i]; a.Local == local && a.Space == space {
			return a
		}
	}
	return nil
}

// NamePos returns the place of the name of e's attribute a.
func (e *Element) NamePos(a *Attr) datamodel.Position { return e.doc.position(a.name) }

// Source returns the value of e's attribute a, with its place.
func (e *Element) Source(a *Attr) datamodel.Source {
	return datamodel.Source{Text: a.Value, Pos: e.doc.position(a.val), Raw: a.Raw}
}
