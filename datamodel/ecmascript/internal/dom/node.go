package dom

import (
	"reflect"
	"slices"
	"strings"
	"unicode/utf16"

	"github.com/dop251/goja"

	"github.com/scxmlrun/scxmlrun/datamodel"
	"github.com/scxmlrun/scxmlrun/datamodel/ecmascript/internal/native"
	"github.com/scxmlrun/scxmlrun/datamodel/ecmascript/internal/syntax"
)

// A Window makes the nodes of one runtime.
type Window struct {
	vm        *goja.Runtime
	prototype *goja.Object // has the methods of nodes
}

// The types of nodes, as the DOM numbers them.
const (
	element  = 1
	text     = 3
	comment  = 8
	document = 9
)

// A Node is a node of the DOM as a script sees it. It wraps a neutral node, which is shared and
// never changes. Wrappers are made when a script reaches a node. A node has one wrapper, so that
// === works.
//
// Scripts can only change attributes of elements.
type Node struct {
	*Tree
	node   *datamodel.Node  // nil for the document
	parent *Node            // nil for the document
	at     int              // among the children of parent
	kids   []*Node          // nil until a script looks at the children
	attrs  []datamodel.Attr // those of the element, once own is set
	own    bool
	object *goja.Object // nil until it is needed
}

// A Tree is what all nodes of one document have in common.
type Tree struct {
	*Window
	Document *Node
	root     *datamodel.Node
	changed  bool // some attribute was set
}

// Type is the ExportType of nodes.
var Type = reflect.TypeFor[*Node]()

// Of returns the node of an object whose ExportType is [Type].
func Of(o *goja.Object) *Node { return o.Export().(*Node) }

// Wrap returns the object for n. For an element it is the document with that root.
func (w *Window) Wrap(n *datamodel.Node) *goja.Object {
	doc := w.Document(n)
	if n.Type == datamodel.ElementNode {
		return doc.Object()
	}
	return doc.Children()[0].Object()
}

// Document returns the document whose root is n.
func (w *Window) Document(root *datamodel.Node) *Node {
	t := &Tree{Window: w, root: root}
	t.Document = &Node{Tree: t}
	return t.Document
}

// Object returns the object of n in the runtime.
func (n *Node) Object() *goja.Object {
	if n.object == nil {
		n.object = n.vm.NewDynamicObject(n)
		native.Must(n.object.SetPrototype(n.prototype))
	}
	return n.object
}

// Export returns the neutral node: that of the root for a document.
func (n *Node) Export() *datamodel.Node {
	if n.node == nil {
		return n.Children()[0].Export()
	}
	if !n.changed {
		return n.node
	}
	c := *n.node
	c.Attrs = slices.Clone(n.attributes())
	c.Children = make([]*datamodel.Node, len(n.node.Children))
	for i, kid := range n.Children() {
		c.Children[i] = kid.Export()
	}
	return &c
}

// Path returns the indexes of children that lead from the document to n.
func (n *Node) Path() (path []int) {
	for ; n.parent != nil; n = n.parent {
		path = append(path, n.at)
	}
	slices.Reverse(path)
	return path
}

// Children returns the nodes below n.
func (n *Node) Children() []*Node {
	if n.kids == nil {
		nodes := []*datamodel.Node{n.root}
		if n.node != nil {
			nodes = n.node.Children
		}
		all := make([]Node, len(nodes))
		n.kids = make([]*Node, len(nodes))
		for i, c := range nodes {
			all[i] = Node{Tree: n.Tree, node: c, parent: n, at: i}
			n.kids[i] = &all[i]
		}
	}
	return n.kids
}

func (n *Node) attributes() []datamodel.Attr {
	if n.own {
		return n.attrs
	}
	return n.node.Attrs
}

func (n *Node) kind() int {
	if n.node == nil {
		return document
	}
	return [...]int{datamodel.ElementNode: element, datamodel.TextNode: text, datamodel.CommentNode: comment}[n.node.Type]
}

func (n *Node) name() string {
	if k := n.kind(); k != element {
		return map[int]string{document: "#document", text: "#text", comment: "#comment"}[k]
	}
	return n.node.Name()
}

// element returns the element that methods of elements work on. For the document it is the root,
// which charts mean that ask a document for an attribute.
func (n *Node) element() *Node {
	switch n.kind() {
	case document:
		return n.Children()[0].element()
	case element:
		return n
	}
	return nil
}

// Keys returns nothing: like those of a browser's nodes, the properties are not listed.
func (n *Node) Keys() []string { return nil }

// Has implements [goja.DynamicObject].
func (n *Node) Has(key string) bool { return n.property(key) != nil }

// Set implements [goja.DynamicObject].
func (n *Node) Set(key string, _ goja.Value) bool {
	panic(n.vm.NewTypeError("XML cannot be changed but for attributes: %q", key))
}

// Delete implements [goja.DynamicObject].
func (n *Node) Delete(key string) bool { return n.Set(key, nil) }

// Get implements [goja.DynamicObject].
func (n *Node) Get(key string) goja.Value {
	if get := n.property(key); get != nil {
		return n.vm.ToValue(get(n))
	}
	return nil
}

// property returns the function that yields a property of the node itself, or nil. Methods are on
// the prototype.
func (n *Node) property(key string) func(*Node) any {
	if get := nodeProperties[key]; get != nil {
		return get
	}
	return map[int]properties{document: documentProperties, element: elementProperties, text: textProperties, comment: textProperties}[n.kind()][key]
}

type properties map[string]func(*Node) any // of which nil is null

var nodeProperties = properties{
	"nodeType": func(n *Node) any { return n.kind() },
	"nodeName": func(n *Node) any { return n.name() },
	"nodeValue": func(n *Node) any {
		if k := n.kind(); k == text || k == comment {
			return n.node.Text
		}
		return nil
	},
	"textContent": func(n *Node) any {
		if n.node == nil {
			return nil
		}
		return n.node.Content()
	},
	"childNodes":      func(n *Node) any { return n.list(n.Children()) },
	"firstChild":      func(n *Node) any { return child(n, 0) },
	"lastChild":       func(n *Node) any { return child(n, len(n.Children())-1) },
	"nextSibling":     func(n *Node) any { return child(n.parent, n.at+1) },
	"previousSibling": func(n *Node) any { return child(n.parent, n.at-1) },
	"parentNode": func(n *Node) any {
		if n.parent == nil {
			return nil
		}
		return n.parent.Object()
	},
	"ownerDocument": func(n *Node) any {
		if n.node == nil {
			return nil
		}
		return n.Document.Object()
	},
}

var documentProperties = properties{
	"documentElement": func(n *Node) any { return child(n, 0) },
	"children":        func(n *Node) any { return n.list(n.Children()) },
}

var elementProperties = properties{
	"tagName":      func(n *Node) any { return n.node.Name() },
	"localName":    func(n *Node) any { return n.node.Local },
	"prefix":       func(n *Node) any { return orNull(n.node.Prefix) },
	"namespaceURI": func(n *Node) any { return orNull(n.node.Space) },
	"attributes":   func(n *Node) any { return n.attributeList() },
	"children": func(n *Node) any {
		return n.list(slices.DeleteFunc(slices.Clone(n.Children()), func(kid *Node) bool { return kid.kind() != element }))
	},
}

var textProperties = properties{
	"data":   func(n *Node) any { return n.node.Text },
	"length": func(n *Node) any { return len(utf16.Encode([]rune(n.node.Text))) },
}

// child returns the object for the i-th child of n, which may be nil, or nil.
func child(n *Node, i int) any {
	if n == nil || i < 0 || i >= len(n.Children()) {
		return nil
	}
	return n.kids[i].Object()
}

func orNull(s string) any {
	if s == "" {
		return nil
	}
	return s
}

// list returns an array of nodes, which also has the method item of a NodeList.
func (n *Node) list(nodes []*Node) goja.Value {
	items := make([]any, len(nodes))
	for i, k := range nodes {
		items[i] = k.Object()
	}
	return n.itemList(items)
}

// attributeList returns the attributes as an array of objects with name and value.
func (n *Node) attributeList() goja.Value {
	var items []any
	for _, a := range n.attributes() {
		o := n.vm.NewObject()
		values := []any{a.Name(), a.Local, orNull(a.Prefix), orNull(a.Space), a.Value, a.Name(), a.Value}
		for i, key := range []string{"name", "localName", "prefix", "namespaceURI", "value", "nodeName", "nodeValue"} {
			native.Must(o.DefineDataProperty(key, n.vm.ToValue(values[i]), goja.FLAG_TRUE, goja.FLAG_TRUE, goja.FLAG_TRUE))
		}
		items = append(items, o)
	}
	return n.itemList(items)
}

// collect appends the elements below n that match.
func (n *Node) collect(into []*Node, match func(*datamodel.Node) bool) []*Node {
	for _, kid := range n.Children() {
		if kid.kind() != element {
			continue
		}
		if match(kid.node) {
			into = append(into, kid)
		}
		into = kid.collect(into, match)
	}
	return into
}

func (n *Node) attribute(name string) (string, bool) {
	for _, a := range n.attributes() {
		if a.Name() == name {
			return a.Value, true
		}
	}
	return "", false
}

func (n *Node) setAttribute(name, value string) {
	if !n.own {
		n.attrs, n.own = slices.Clone(n.node.Attrs), true
	}
	n.changed = true
	for i := range n.attrs {
		if n.attrs[i].Name() == name {
			n.attrs[i].Value = value
			return
		}
	}
	n.attrs = append(n.attrs, datamodel.Attr{Local: name, Value: value})
}

func (n *Node) removeAttribute(name string) {
	if _, ok := n.attribute(name); !ok {
		return
	}
	n.changed = true
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
