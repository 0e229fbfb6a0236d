package datamodel

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/scxmlrun/scxmlrun/datamodel/internal/path"
)

// The namespaces that are bound without a declaration.
const (
	xmlSpace   = "http://www.w3.org/XML/1998/namespace"
	xmlnsSpace = "http://www.w3.org/2000/xmlns/"
)

// IsDecl reports whether a declares a namespace, and for which prefix ("" for the default
// namespace).
func (a Attr) IsDecl() (prefix string, ok bool) {
	if a.Prefix == "xmlns" {
		return a.Local, true
	}
	return "", a.Prefix == "" && a.Local == "xmlns"
}

// Name returns the name of n as it is written, with its prefix.
func (n *Node) Name() string { return qualified(n.Prefix, n.Local) }

// Name returns the name of a as it is written, with its prefix.
func (a Attr) Name() string { return qualified(a.Prefix, a.Local) }

func qualified(prefix, local string) string {
	if prefix == "" {
		return local
	}
	return prefix + ":" + local
}

// Content returns the text in n and in all that is below it.
func (n *Node) Content() string {
	if n.Type != ElementNode {
		return n.Text
	}
	var b strings.Builder
	n.content(&b)
	return b.String()
}

func (n *Node) content(b *strings.Builder) {
	for _, c := range n.Children {
		switch c.Type {
		case ElementNode:
			c.content(b)
		case TextNode:
			b.WriteString(c.Text)
		}
	}
}

func (n *Node) clone(depth int) (Value, *path.Error) {
	c, err := n.copyTree(depth)
	if err != nil {
		return nil, err
	}
	return c, nil
}

func (n *Node) copyTree(depth int) (*Node, *path.Error) {
	if depth > MaxDepth {
		return nil, path.New(fmt.Sprintf("data is nested deeper than %d levels", MaxDepth))
	}
	c := *n
	c.Attrs = slices.Clone(n.Attrs)
	c.Children = make([]*Node, len(n.Children))
	for i, child := range n.Children {
		var err *path.Error
		if c.Children[i], err = child.copyTree(depth + 1); err != nil {
			return nil, err
		}
	}
	return &c, nil
}

// XML returns n as XML text that is complete: it declares every namespace that it uses, also those
// that the original document declares further up.
func (n *Node) XML() string {
	w := xmlWriter{scope: newScope()}
	w.node(n, 0)
	return w.b.String()
}

// A scope has the declarations that are in force for each prefix, the nearest last.
type scope map[string][]binding

type binding struct {
	space string
	depth int // of the element that declares it; 0 is the root
}

func newScope() scope { return scope{"xml": {{xmlSpace, -1}}} }

// lookup returns the namespace of a prefix.
func (s scope) lookup(prefix string) (space string, ok bool) {
	if b := s[prefix]; len(b) > 0 {
		return b[len(b)-1].space, true
	}
	return "", prefix == ""
}

func (s scope) declare(prefix, space string, depth int) {
	s[prefix] = append(s[prefix], binding{space, depth})
}

// undeclare takes the nearest declaration back.
func (s scope) undeclare(prefix string) { s[prefix] = s[prefix][:len(s[prefix])-1] }

// declares reports whether an element of that depth, the innermost, has declared prefix.
func (s scope) declares(prefix string, depth int) bool {
	b := s[prefix]
	return len(b) > 0 && b[len(b)-1].depth == depth
}

type xmlWriter struct {
	b     strings.Builder
	scope scope
}

func (w *xmlWriter) node(n *Node, depth int) {
	if n == nil || depth > 2*MaxDepth { // no Value is that deep, unless made by hand
		return
	}
	switch n.Type {
	case TextNode:
		escapeXML(&w.b, n.Text, false)
	case CommentNode:
		w.b.WriteString("<!--")
		text := strings.ReplaceAll(n.Text, "--", "- -")
		if strings.HasSuffix(text, "-") {
			text += " "
		}
		w.b.WriteString(strings.Map(xmlChar, text))
		w.b.WriteString("-->")
	case ElementNode:
		w.element(n, depth)
	}
}

func (w *xmlWriter) element(n *Node, depth int) {
	var own []string // the prefixes that n declares
	defer func() {
		for _, prefix := range own {
			w.scope.undeclare(prefix)
		}
	}()
	bind := func(prefix, space string) {
		w.scope.declare(prefix, space, depth)
		own = append(own, prefix)
	}

	attrs := slices.Clone(n.Attrs)
	for _, a := range attrs {
		if prefix, ok := a.IsDecl(); ok {
			bind(prefix, a.Value)
		}
	}
	declare := func(prefix, space string) {
		bind(prefix, space)
		if prefix == "" {
			attrs = append(attrs, Attr{Local: "xmlns", Space: xmlnsSpace, Value: space})
		} else {
			attrs = append(attrs, Attr{Prefix: "xmlns", Local: prefix, Space: xmlnsSpace, Value: space})
		}
	}
	// prefixFor returns a prefix for space, preferably the one that was written.
	prefixFor := func(prefix, space string, attr bool) string {
		if space == "" && prefix != "" || prefix == "xml" {
			return prefix // unbound in its document too
		}
		if space == "" && attr {
			return ""
		}
		if bound, ok := w.scope.lookup(prefix); ok && bound == space && (prefix != "" || !attr) {
			return prefix
		}
		if !w.scope.declares(prefix, depth) && (prefix != "" || !attr) {
			declare(prefix, space)
			return prefix
		}
		if space == "" {
			// The element has no namespace, but declares one for what is in it.
			attrs = slices.DeleteFunc(attrs, func(a Attr) bool { p, ok := a.IsDecl(); return ok && p == "" })
			declare("", "")
			return ""
		}
		for i := 1; ; i++ {
			free := "ns" + strconv.Itoa(i)
			if _, bound := w.scope.lookup(free); !bound {
				declare(free, space)
				return free
			}
		}
	}

	name := qualified(prefixFor(n.Prefix, n.Space, false), n.Local)
	for i := 0; i < len(attrs); i++ { // prefixFor appends declarations
		if _, ok := attrs[i].IsDecl(); !ok {
			prefix := prefixFor(attrs[i].Prefix, attrs[i].Space, true)
			attrs[i].Prefix = prefix
		}
	}
	w.b.WriteByte('<')
	w.b.WriteString(name)
	for _, a := range attrs {
		w.b.WriteByte(' ')
		w.b.WriteString(a.Name())
		w.b.WriteString(`="`)
		escapeXML(&w.b, a.Value, true)
		w.b.WriteByte('"')
	}
	if len(n.Children) == 0 {
		w.b.WriteString("/>")
		return
	}
	w.b.WriteByte('>')
	for _, c := range n.Children {
		w.node(c, depth+1)
	}
	w.b.WriteString("</")
	w.b.WriteString(name)
	w.b.WriteByte('>')
}

// escapeXML writes text with the character references of Canonical XML.
func escapeXML(b *strings.Builder, text string, attr bool) {
	for _, r := range text {
		switch {
		case r == '&':
			b.WriteString("&amp;")
		case r == '<':
			b.WriteString("&lt;")
		case r == '>' && !attr:
			b.WriteString("&gt;")
		case r == '"' && attr:
			b.WriteString("&quot;")
		case r == '\r' || attr && (r == '\t' || r == '\n'):
			fmt.Fprintf(b, "&#x%X;", r)
		default:
			b.WriteRune(xmlChar(r))
		}
	}
}

// xmlChar returns r, or U+FFFD for a character that XML does not allow.
func xmlChar(r rune) rune {
	switch {
	case r == '\t', r == '\n', r == '\r',
		r >= ' ' && r <= 0xD7FF, r >= 0xE000 && r <= 0xFFFD, r >= 0x10000:
		return r
	}
	return '\uFFFD'
}
