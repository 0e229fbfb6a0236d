package xmltree

import (
	"strings"

	"github.com/beevik/etree"

	"github.com/scxmlrun/scxmlrun/datamodel"
)

// HasText reports whether e directly contains text that is not white space.
func (e *Element) HasText() bool { return e.text.line > 0 }

// TextPos returns the place of the first character of that text that is not white space.
func (e *Element) TextPos() datamodel.Position { return e.doc.position(e.text) }

// Content returns the content of e: as nodes if it contains elements, otherwise as text in which
// every character has its exact place.
func (e *Element) Content() datamodel.Source {
	src := datamodel.Source{Pos: e.doc.position(e.body)}
	var parts []string
	for _, c := range e.et.Child {
		if c, ok := c.(*etree.CharData); ok {
			parts = append(parts, c.Data)
		}
	}
	src.Text = strings.Join(parts, "")
	if len(e.Children) > 0 {
		src.Nodes = e.nodes()
		return src
	}
	if e.from >= 0 {
		if raw := e.doc.unmend(e.doc.src[e.from:e.end]); raw != src.Text {
			src.Raw = raw
		} else {
			src.Text = raw // a part of the document, so that etree's copy can be freed
		}
	}
	return src
}

// Comments returns the comments before each child element of e, and those after the last one. Several
// are joined by newlines.
func (e *Element) Comments() []string {
	comments := make([]string, 1, len(e.Children)+1)
	for _, c := range e.et.Child {
		switch c := c.(type) {
		case *etree.Element:
			comments = append(comments, "")
		case *etree.Comment:
			last := &comments[len(comments)-1]
			if *last != "" {
				*last += "\n"
			}
			*last += c.Data
		}
	}
	return comments
}

// Prolog returns the comments before the root element, joined by newlines.
func (e *Element) Prolog() string {
	var comments []string
	for text := e.doc.src; ; {
		before, rest, found := strings.Cut(text, "<!--")
		comment, rest, _ := strings.Cut(rest, "-->")
		if !found || rootBegins(before) {
			return strings.Join(comments, "\n")
		}
		comments, text = append(comments, comment), rest
	}
}

// rootBegins reports whether a part of a document has a start tag.
func rootBegins(text string) bool {
	for {
		_, rest, found := strings.Cut(text, "<")
		if !found {
			return false
		}
		if rest != "" && rest[0] != '?' && rest[0] != '!' {
			return true
		}
		text = rest
	}
}

// Node returns e as a neutral tree with resolved namespaces. Of the document, it keeps only the
// text alive.
func (e *Element) Node() *datamodel.Node {
	n := &datamodel.Node{
		Type:   datamodel.ElementNode,
		Prefix: e.Prefix,
		Local:  e.Local,
		Space:  e.Space,
		Pos:    e.Pos(),
	}
	for i := range e.Attrs {
		a := &e.Attrs[i]
		n.Attrs = append(n.Attrs, datamodel.Attr{Prefix: e.et.Attr[i].Space, Local: a.Local, Space: a.Space, Value: a.Value})
	}
	n.Children = e.nodes()
	return n
}

// nodes returns the content of e as nodes. Adjacent pieces of text become one node.
func (e *Element) nodes() []*datamodel.Node {
	var nodes []*datamodel.Node
	var text []string // pieces that are not yet a node
	endText := func() {
		if len(text) > 0 {
			nodes = append(nodes, &datamodel.Node{Type: datamodel.TextNode, Text: strings.Join(text, ""), Pos: e.firstPos(nodes)})
			text = text[:0]
		}
	}
	element := 0
	for _, c := range e.et.Child {
		switch c := c.(type) {
		case *etree.Element:
			endText()
			nodes = append(nodes, e.Children[element].Node())
			element++
		case *etree.CharData:
			text = append(text, c.Data)
		case *etree.Comment:
			endText()
			nodes = append(nodes, &datamodel.Node{Type: datamodel.CommentNode, Text: c.Data, Pos: e.firstPos(nodes)})
		}
	}
	endText()
	return nodes
}

// firstPos returns the place of e's first node. The places of later texts are not known.
func (e *Element) firstPos(before []*datamodel.Node) datamodel.Position {
	if len(before) > 0 {
		return datamodel.Position{}
	}
	return e.doc.position(e.body)
}
