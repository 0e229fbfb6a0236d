package xmltree

import (
	"encoding/xml"
	"errors"
	"strings"

	"github.com/beevik/etree"
)

const (
	xmlSpace   = "http://www.w3.org/XML/1998/namespace"
	xmlnsSpace = "http://www.w3.org/2000/xmlns/"
)

// build has etree read the root element and joins the result with the marks.
func (s *scanner) build() *Element {
	root := &s.marks[0]
	end := int(root.end)
	if !root.selfClosed {
		end += strings.IndexByte(s.src[end:], '>') + 1
	}
	tree, err := s.read(int(root.start), end)
	if err != nil {
		// The scanner accepts some things that encoding/xml does not, such as an exotic name.
		at := root.at
		if e := (*xml.SyntaxError)(nil); errors.As(err, &e) {
			at = place{root.at.line + int32(e.Line) - 1, 1}
			err = errors.New(e.Msg)
		}
		s.fail(at, "malformed-xml", "%v", err)
		return nil
	}
	if s.doc.mended {
		unmend(tree)
	}
	b := &builder{
		s:        s,
		elements: make([]Element, len(s.marks)),
		attrs:    make([]Attr, len(s.attrs)),
		children: make([]*Element, len(s.marks)),
		bound:    map[string][]string{"": {""}, "xml": {xmlSpace}},
	}
	return b.element(tree)
}

// A builder walks etree's elements in document order, which is the order of the marks. Three
// slices, each allocated once, hold all that it makes.
type builder struct {
	s        *scanner
	elements []Element
	attrs    []Attr
	children []*Element
	next     int                 // how many elements there are so far
	bound    map[string][]string // prefix → namespaces, the innermost last
}

func (b *builder) element(et *etree.Element) *Element {
	m := &b.s.marks[b.next]
	e := &b.elements[b.next]
	b.next++
	e.doc, e.et, e.at, e.body, e.from, e.end = b.s.doc, et, m.at, m.body, m.from, m.end
	e.text, e.close = m.text, m.close
	e.Prefix, e.Local = et.Space, et.Tag
	e.Attrs = b.attrs[m.attrs:m.attrsEnd:m.attrsEnd]
	declares := false
	for i := range e.Attrs {
		a, am, ea := &e.Attrs[i], &b.s.attrs[int(m.attrs)+i], &et.Attr[i]
		a.Local, a.Value, a.name, a.val = ea.Key, ea.Value, am.name, am.val
		raw := b.s.src[am.from:am.end]
		if strings.ContainsAny(raw, "\t\r\n") {
			a.Value = b.s.doc.unmend(normalize(raw))
		}
		raw = b.s.doc.unmend(raw)
		if a.Value == raw {
			a.Value = raw // keeps one string less
		} else {
			a.Raw = raw
		}
		if ea.Space == "xmlns" || ea.Space == "" && ea.Key == "xmlns" {
			b.declare(ea.Space, a)
			declares = true
		}
	}
	b.resolve(e)
	e.Children = b.children[:0:m.nodes]
	b.children = b.children[m.nodes:]
	for _, c := range et.Child {
		if c, ok := c.(*etree.Element); ok {
			e.Children = append(e.Children, b.element(c))
		}
	}
	if declares {
		b.undeclare(e)
	}
	return e
}

// declare binds a prefix, or the default namespace.
func (b *builder) declare(prefix string, a *Attr) {
	name := a.Local
	if prefix == "" {
		name = ""
	}
	a.Space = xmlnsSpace
	bad := ""
	switch {
	case name == "xmlns" || a.Value == xmlnsSpace:
		bad = "the prefix xmlns cannot be declared"
	case (name == "xml") != (a.Value == xmlSpace):
		bad = "only the prefix xml can be bound to the namespace " + xmlSpace + ", and only to that"
	case name != "" && a.Value == "":
		bad = `prefix "` + name + `" is bound to an empty namespace`
	}
	if bad != "" {
		b.s.note(a.name, "bad-namespace", "%s", bad)
	}
	b.bound[name] = append(b.bound[name], a.Value)
}

func (b *builder) undeclare(e *Element) {
	for i := range e.Attrs {
		if a := &e.Attrs[i]; a.Space == xmlnsSpace {
			name := a.Local
			if e.et.Attr[i].Space == "" {
				name = ""
			}
			b.bound[name] = b.bound[name][:len(b.bound[name])-1]
		}
	}
}

// resolve sets the namespaces of an element and its attributes, and reports attributes that appear
// twice.
func (b *builder) resolve(e *Element) {
	e.Space = b.lookup(e.et.Space, e.at, "element", e.Local)
	for i := range e.Attrs {
		a := &e.Attrs[i]
		if p := e.et.Attr[i].Space; p != "" && a.Space == "" {
			a.Space = b.lookup(p, a.name, "attribute", a.Local)
		}
	}
	if len(e.Attrs) < 2 {
		return
	}
	type name struct{ space, local string }
	var seen map[name]bool
	if len(e.Attrs) > 16 {
		seen = make(map[name]bool, len(e.Attrs))
	}
	for i := range e.Attrs {
		a := &e.Attrs[i]
		twice := false
		if seen != nil {
			n := name{a.Space, a.Local}
			twice = seen[n]
			seen[n] = true
		} else {
			for j := range i {
				twice = twice || e.Attrs[j].Local == a.Local && e.Attrs[j].Space == a.Space
			}
		}
		if twice {
			b.s.note(a.name, "duplicate-attribute", "attribute %q appears twice in <%s>", a.Local, e.et.FullTag())
		}
	}
}

// lookup returns the namespace of a prefix.
func (b *builder) lookup(prefix string, at place, what, local string) string {
	if bound := b.bound[prefix]; len(bound) > 0 {
		return bound[len(bound)-1]
	}
	b.s.note(at, "unbound-prefix", "prefix %q of %s %q is not bound to a namespace: add xmlns:%s=\"…\"", prefix, what, prefix+":"+local, prefix)
	return prefix // as encoding/xml does
}
