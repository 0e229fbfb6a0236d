package scxml

import (
	"sync"

	"github.com/scxmlrun/scxmlrun/datamodel"
	"github.com/scxmlrun/scxmlrun/scxml/internal/doc"
)

// An Element is an element of a document, as its author has written it. Together with the methods of
// [Chart], [State] and [Transition], which say what the document means, it is enough to draw,
// document or export a chart. It is shared and must not be modified.
type Element struct {
	Space, Name string // namespace and local name
	Attrs       []Attribute
	Parent      *Element // nil for the root of the document
	Children    []*Element

	// Text is the text in the element, without that in its children.
	Text string

	// Comment is the text of the comments directly before the element, and Last that of those after its
	// last child. Several are joined by newlines.
	Comment, Last string

	Pos datamodel.Position // of its start tag
	End datamodel.Position // of the first character after it
}

// An Attribute is an attribute of an [Element].
type Attribute struct {
	Space, Name, Value string

	Pos      datamodel.Position // of the name
	ValuePos datamodel.Position // of the first character of the value
}

// Attr returns the value of an attribute without a namespace, or "".
func (e *Element) Attr(name string) string {
	for _, a := range e.Attrs {
		if a.Name == name && a.Space == "" {
			return a.Value
		}
	}
	return ""
}

// Element returns the <scxml> element. It is nil for a chart that a session made of an XML value, and
// so are all other elements of such a chart.
//
// The first call for an element of a chart reads the text of the document again; sessions do not need it.
func (c *Chart) Element() *Element { return c.element(c.states[0].pos) }

// ElementAt returns the element whose start tag is at a position, or nil.
func (c *Chart) ElementAt(at datamodel.Position) *Element { return c.element(at) }

// Element returns the element of the state.
func (s State) Element() *Element { return s.chart.element(s.Pos()) }

// Element returns the <transition> element. It is nil for what an initial attribute says, or what a
// state without one does.
func (t Transition) Element() *Element {
	e := t.chart.element(t.Pos())
	if e == nil || e.Name != "transition" {
		return nil
	}
	return e
}

func (c *Chart) element(at datamodel.Position) *Element { return c.elements()[at] }

// readElements returns a function that reads the elements of the document when it is first called.
func (c *Chart) readElements() func() map[datamodel.Position]*Element {
	return sync.OnceValue(func() map[datamodel.Position]*Element {
		all := make(map[datamodel.Position]*Element)
		root := doc.Tree(c.file, c.source, c.config.docOptions().Limits)
		if root == nil {
			return all
		}
		var read func(x *doc.Element, comment string, parent *Element) *Element
		read = func(x *doc.Element, comment string, parent *Element) *Element {
			e := &Element{
				Space: x.Space, Name: x.Local, Parent: parent, Comment: comment, Text: x.Content().Text, Pos: x.Pos(), End: x.End(),
			}
			for i := range x.Attrs {
				a := &x.Attrs[i]
				e.Attrs = append(e.Attrs, Attribute{a.Space, a.Local, a.Value, x.NamePos(a), x.Source(a).Pos})
			}
			comments := x.Comments()
			for i, child := range x.Children {
				e.Children = append(e.Children, read(child, comments[i], e))
			}
			e.Last = comments[len(x.Children)]
			all[e.Pos] = e
			return e
		}
		read(root, root.Prolog(), nil)
		return all
	})
}
