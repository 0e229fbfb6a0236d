package ecmascript

import (
	"slices"
	"strings"

	"github.com/dop251/goja"

	"github.com/scxmlrun/scxmlrun/datamodel"
	"github.com/scxmlrun/scxmlrun/datamodel/ecmascript/internal/syntax"
)

// The types of nodes of the DOM that there are here.
const (
	domElement  = 1
	domText     = 3
	domComment  = 8
	domDocument = 9
)

// A domNode is a node of the DOM as a script sees it, wrapped over a neutral
// node, which is shared and never changes. Wrappers are made when a script gets
// to a node, and a node has one wrapper, so that === works.
//
// The only thing that a script can change is attributes of elements.
type domNode struct {
	tree   *domTree
	node   *datamodel.Node  // nil for the document
	parent *domNode         // nil for the document
	at     int              // among the children of parent
	kids   []*domNode       // nil until a script looks at the children
	attrs  []datamodel.Attr // those of the element, once changed is set
	own    bool             // attrs counts
	object *goja.Object     // nil until it is needed
}

// A domTree is what all nodes of one document have in common.
type domTree struct {
	st      *store
	doc     *domNode
	root    *datamodel.Node
	changed bool // some attribute was set
}

// wrapTree returns the document whose root is n.
func (st *store) wrapTree(n *datamodel.Node) goja.Value {
	t := &domTree{st: st, root: n}
	t.doc = &domNode{tree: t}
	if n.Type == datamodel.ElementNode {
		return t.doc.wrap()
	}
	return t.doc.children()[0].wrap()
}

// wrap returns the object that stands for n in the runtime.
func (n *domNode) wrap() *goja.Object {
	if n.object == nil {
		n.object = n.tree.st.vm.NewDynamicObject(n)
		must(n.object.SetPrototype(n.tree.st.domPrototype()))
	}
	return n.object
}

// orNull returns the object for n, or null.
func (n *domNode) orNull() goja.Value {
	if n == nil {
		return goja.Null()
	}
	return n.wrap()
}

// export returns the neutral node: that of the root for a document.
func (n *domNode) export() *datamodel.Node {
	if n.node == nil {
		return n.children()[0].export()
	}
	if !n.tree.changed {
		return n.node
	}
	c := *n.node
	c.Attrs = slices.Clone(n.attributes())
	c.Children = make([]*datamodel.Node, len(n.node.Children))
	for i, kid := range n.children() {
		c.Children[i] = kid.export()
	}
	return &c
}

func (n *domNode) children() []*domNode {
	if n.kids == nil {
		nodes := []*datamodel.Node{n.tree.root}
		if n.node != nil {
			nodes = n.node.Children
		}
		all := make([]domNode, len(nodes))
		n.kids = make([]*domNode, len(nodes))
		for i, c := range nodes {
			all[i] = domNode{tree: n.tree, node: c, parent: n, at: i}
			n.kids[i] = &all[i]
		}
	}
	return n.kids
}

func (n *domNode) attributes() []datamodel.Attr {
	if n.own {
		return n.attrs
	}
	return n.node.Attrs
}

func (n *domNode) kind() int {
	switch {
	case n.node == nil:
		return domDocument
	case n.node.Type == datamodel.ElementNode:
		return domElement
	case n.node.Type == datamodel.CommentNode:
		return domComment
	}
	return domText
}

// sibling returns the node by places further on, or nil.
func (n *domNode) sibling(by int) *domNode {
	if n.parent == nil {
		return nil
	}
	if i := n.at + by; i >= 0 && i < len(n.parent.children()) {
		return n.parent.kids[i]
	}
	return nil
}

func (n *domNode) name() string {
	switch n.kind() {
	case domDocument:
		return "#document"
	case domElement:
		return n.node.Name()
	case domComment:
		return "#comment"
	}
	return "#text"
}

// element returns the element that methods of elements work on: for the
// document its root, which is what charts mean that ask a document for an
// attribute.
func (n *domNode) element() *domNode {
	switch n.kind() {
	case domDocument:
		return n.children()[0].element()
	case domElement:
		return n
	}
	return nil
}

// The property names that a wrapper has itself; methods are on the prototype.
var domKeys = []string{
	"nodeType", "nodeName", "nodeValue", "textContent", "childNodes", "firstChild", "lastChild",
	"nextSibling", "previousSibling", "parentNode", "ownerDocument",
}

var domElementKeys = append(slices.Clone(domKeys),
	"tagName", "localName", "prefix", "namespaceURI", "attributes", "children")

var domTextKeys = append(slices.Clone(domKeys), "data", "length")

var domDocumentKeys = append(slices.Clone(domKeys), "documentElement", "children")

func (n *domNode) keys() []string {
	switch n.kind() {
	case domDocument:
		return domDocumentKeys
	case domElement:
		return domElementKeys
	}
	return domTextKeys
}

// Keys returns nothing: like those of a browser's nodes, the properties are not listed.
func (n *domNode) Keys() []string { return nil }

func (n *domNode) Has(key string) bool { return slices.Contains(n.keys(), key) }

func (n *domNode) Set(key string, _ goja.Value) bool {
	panic(n.tree.st.vm.NewTypeError("XML cannot be changed but for attributes: %q", key))
}

func (n *domNode) Delete(key string) bool { return n.Set(key, nil) }

func (n *domNode) Get(key string) goja.Value {
	vm, kind := n.tree.st.vm, n.kind()
	switch key {
	case "nodeType":
		return vm.ToValue(kind)
	case "nodeName":
		return vm.ToValue(n.name())
	case "nodeValue":
		if kind == domText || kind == domComment {
			return vm.ToValue(n.node.Text)
		}
		return goja.Null()
	case "textContent":
		if kind == domDocument {
			return goja.Null()
		}
		return vm.ToValue(n.node.Content())
	case "childNodes":
		return n.list(n.children())
	case "firstChild", "lastChild":
		kids := n.children()
		if len(kids) == 0 {
			return goja.Null()
		}
		if key == "firstChild" {
			return kids[0].wrap()
		}
		return kids[len(kids)-1].wrap()
	case "nextSibling":
		return n.sibling(1).orNull()
	case "previousSibling":
		return n.sibling(-1).orNull()
	case "parentNode":
		return n.parent.orNull()
	case "ownerDocument":
		if kind == domDocument {
			return goja.Null()
		}
		return n.tree.doc.wrap()
	}
	switch kind {
	case domDocument:
		switch key {
		case "documentElement":
			return n.children()[0].wrap()
		case "children":
			return n.list(n.children())
		}
	case domElement:
		switch key {
		case "tagName":
			return vm.ToValue(n.node.Name())
		case "localName":
			return vm.ToValue(n.node.Local)
		case "prefix":
			return nullIfEmpty(vm, n.node.Prefix)
		case "namespaceURI":
			return nullIfEmpty(vm, n.node.Space)
		case "attributes":
			return n.attributeList()
		case "children":
			var elements []*domNode
			for _, kid := range n.children() {
				if kid.kind() == domElement {
					elements = append(elements, kid)
				}
			}
			return n.list(elements)
		}
	default:
		switch key {
		case "data":
			return vm.ToValue(n.node.Text)
		case "length":
			return vm.ToValue(len(utf16Units(n.node.Text)))
		}
	}
	return nil
}

func nullIfEmpty(vm *goja.Runtime, s string) goja.Value {
	if s == "" {
		return goja.Null()
	}
	return vm.ToValue(s)
}

// list returns an array of nodes, which also has the method item of a NodeList.
func (n *domNode) list(nodes []*domNode) goja.Value {
	items := make([]any, len(nodes))
	for i, k := range nodes {
		items[i] = k.wrap()
	}
	return n.tree.st.itemList(n.tree.st.vm.NewArray(items...))
}

// attributeList returns the attributes as an array of objects with name and value.
func (n *domNode) attributeList() goja.Value {
	st := n.tree.st
	var items []any
	for _, a := range n.attributes() {
		o := st.vm.NewObject()
		st.setProperty(o, "name", st.vm.ToValue(a.Name()))
		st.setProperty(o, "localName", st.vm.ToValue(a.Local))
		st.setProperty(o, "prefix", nullIfEmpty(st.vm, a.Prefix))
		st.setProperty(o, "namespaceURI", nullIfEmpty(st.vm, a.Space))
		st.setProperty(o, "value", st.vm.ToValue(a.Value))
		st.setProperty(o, "nodeName", st.vm.ToValue(a.Name()))
		st.setProperty(o, "nodeValue", st.vm.ToValue(a.Value))
		items = append(items, o)
	}
	return st.itemList(st.vm.NewArray(items...))
}

// collect appends the elements below n that match.
func (n *domNode) collect(into []*domNode, match func(*datamodel.Node) bool) []*domNode {
	for _, kid := range n.children() {
		if kid.kind() != domElement {
			continue
		}
		if match(kid.node) {
			into = append(into, kid)
		}
		into = kid.collect(into, match)
	}
	return into
}

func utf16Units(s string) []uint16 {
	var units []uint16
	for _, r := range s {
		if r > 0xFFFF {
			units = append(units, 0)
		}
		units = append(units, 0)
	}
	return units
}

func (n *domNode) attribute(name string) (string, bool) {
	for _, a := range n.attributes() {
		if a.Name() == name {
			return a.Value, true
		}
	}
	return "", false
}

func (n *domNode) setAttribute(name, value string) {
	if !n.own {
		n.attrs, n.own = slices.Clone(n.node.Attrs), true
	}
	n.tree.changed = true
	for i := range n.attrs {
		if n.attrs[i].Name() == name {
			n.attrs[i].Value = value
			return
		}
	}
	n.attrs = append(n.attrs, datamodel.Attr{Local: name, Value: value})
}

func (n *domNode) removeAttribute(name string) {
	if _, ok := n.attribute(name); !ok {
		return
	}
	n.tree.changed = true
	n.attrs = slices.DeleteFunc(slices.Clone(n.attributes()), func(a datamodel.Attr) bool { return a.Name() == name })
	n.own = true
}

func matchName(name string) func(*datamodel.Node) bool {
	return func(n *datamodel.Node) bool { return name == "*" || n.Name() == name }
}

func matchNS(space, local string) func(*datamodel.Node) bool {
	return func(n *datamodel.Node) bool {
		return (space == "*" || n.Space == space) && (local == "*" || n.Local == local)
	}
}

// isXMLName reports whether s may name an attribute.
func isXMLName(s string) bool {
	return syntax.IsIdentifier(strings.NewReplacer("-", "_", ".", "_", ":", "_").Replace(s)) &&
		!strings.HasPrefix(s, "-") && !strings.HasPrefix(s, ".") && !strings.Contains(s, "$")
}
