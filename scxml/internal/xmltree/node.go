package xmltree

import (
	"cmp"

	"github.com/beevik/etree"

	"github.com/scxmlrun/scxmlrun/datamodel"
)

// FromNode converts a neutral tree, such as XML that a chart has computed, to an element.
// Attributes and text get the place of their element. Places without a file name get file. If the
// tree exceeds a limit, FromNode returns a problem.
func FromNode(file string, n *datamodel.Node, lim Limits) (*Element, *Problem) {
	f := &fromNode{doc: &document{file: cmp.Or(n.Pos.File, file)}, lim: lim.WithDefaults()}
	e := f.element(n, 1, place{1, 1})
	if f.limit != "" {
		return nil, &Problem{Pos: e.Pos(), Code: "document-limit", Message: f.limit}
	}
	return e, nil
}

type fromNode struct {
	doc   *document
	lim   Limits
	count int
	limit string
}

func (f *fromNode) element(n *datamodel.Node, depth int, at place) *Element {
	if n.Pos.IsValid() {
		at = place{int32(n.Pos.Line), int32(n.Pos.Col)}
	}
	et := &etree.Element{Space: n.Prefix, Tag: n.Local}
	e := &Element{Prefix: n.Prefix, Local: n.Local, Space: n.Space, doc: f.doc, et: et, at: at, body: at, from: -1, end: -1}
	f.count++
	if depth > f.lim.Depth {
		f.limit = "elements are nested more than " + quantity(f.lim.Depth, "level") + " deep"
		return e
	}
	if f.count > f.lim.Elements {
		f.limit = "document has more than " + quantity(f.lim.Elements, "element")
		return e
	}
	if len(n.Attrs) > f.lim.Attributes {
		f.limit = "<" + n.Local + "> has more than " + quantity(f.lim.Attributes, "attribute")
		return e
	}
	for _, a := range n.Attrs {
		et.Attr = append(et.Attr, etree.Attr{Space: a.Prefix, Key: a.Local, Value: a.Value})
		e.Attrs = append(e.Attrs, Attr{Space: a.Space, Local: a.Local, Value: a.Value, name: at, val: at})
	}
	for _, c := range n.Children {
		switch c.Type {
		case datamodel.ElementNode:
			child := f.element(c, depth+1, at)
			if f.limit != "" {
				return e
			}
			e.Children = append(e.Children, child)
			et.Child = append(et.Child, child.et)
		case datamodel.TextNode:
			et.Child = append(et.Child, etree.NewText(c.Text))
			if e.text.line == 0 && indexNotSpace(c.Text) >= 0 {
				e.text = at
			}
		case datamodel.CommentNode:
			et.Child = append(et.Child, etree.NewComment(c.Text))
		}
	}
	return e
}
