package datamodel

import (
	"iter"
	"math"
	"math/big"
	"slices"
	"time"
)

// A Value is a piece of data in neutral form, independent of any script engine: data of events,
// initial data, log entries. Values are trees. They are never changed once they have been passed
// on: do not modify a Value that you receive.
//
// The dynamic type of a Value is one of
//
//	nil            undefined
//	NullType       null, see [Null]
//	bool
//	int64          a number that is an integer of at most 2⁵³ in magnitude, except −0
//	float64        any other number, NaN, the infinities and −0 included
//	string
//	*big.Int       a BigInt
//	time.Time      a date
//	[]Value        an array; a hole is nil
//	*Object        an object: keys with values, in order
//	*Node          XML
//	Function       the name of a function, which cannot leave a session
//
// [From] makes a Value of any Go data, and [Decode] is its inverse. [AppendJSON] writes a Value as JSON, and
// so does package encoding/json, but for what JSON lacks outside of an Object: undefined, BigInts, dates and
// numbers such as NaN.
type Value = any

// NullType is the type of [Null].
type NullType struct{}

// Null is the value null, which differs from undefined (nil).
var Null = NullType{}

// String returns "null".
func (NullType) String() string { return "null" }

// A Function is the name of a function. Functions do not enter or leave a session, their names do.
// In a session a Function becomes undefined.
type Function string

// An Object is a list of keys with values that keeps its order. The zero Object is empty and ready
// to use; a nil *Object reads as an empty one.
type Object struct {
	keys  []string
	vals  []Value
	index map[string]int // nil while there are few keys
}

// indexFrom is the number of keys from which on an Object keeps an index.
const indexFrom = 12

// NewObject returns an object of the given keys and values: NewObject("x", int64(1), "y",
// int64(2)). It panics unless kv consists of pairs that begin with a string. It does not check that
// the others are Values (int64(1) is one, 1 is not); use [From] for other Go data.
func NewObject(kv ...Value) *Object {
	if len(kv)%2 != 0 {
		panic("datamodel.NewObject: odd number of arguments")
	}
	o := sized(len(kv) / 2)
	for i := 0; i < len(kv); i += 2 {
		o.Set(kv[i].(string), kv[i+1])
	}
	return o
}

// sized returns an object with room for n keys. Most events have one or two, which take one small
// allocation instead of three.
func sized(n int) *Object {
	switch n {
	case 1:
		small := new(struct {
			object Object
			keys   [1]string
			vals   [1]Value
		})
		small.object.keys, small.object.vals = small.keys[:0], small.vals[:0]
		return &small.object
	case 2:
		small := new(struct {
			object Object
			keys   [2]string
			vals   [2]Value
		})
		small.object.keys, small.object.vals = small.keys[:0], small.vals[:0]
		return &small.object
	}
	return &Object{keys: make([]string, 0, n), vals: make([]Value, 0, n)}
}

// withoutKeys returns an object with n values, and room for as many.
func withoutKeys(n int) *Object {
	switch n {
	case 1, 2:
		small := new(struct {
			object Object
			vals   [2]Value
		})
		small.object.vals = small.vals[:n:n]
		return &small.object
	case 3, 4:
		small := new(struct {
			object Object
			vals   [4]Value
		})
		small.object.vals = small.vals[:n:n]
		return &small.object
	}
	return &Object{vals: make([]Value, n)}
}

// Len returns the number of keys.
func (o *Object) Len() int {
	if o == nil {
		return 0
	}
	return len(o.keys)
}

// String returns the object as [Text] does.
func (o *Object) String() string { return Text(o) }

func (o *Object) find(key string) int {
	if o.index != nil {
		if i, ok := o.index[key]; ok {
			return i
		}
		return -1
	}
	return slices.Index(o.keys, key)
}

// Get returns the value of key and whether it is there.
func (o *Object) Get(key string) (Value, bool) {
	if o == nil {
		return nil, false
	}
	if i := o.find(key); i >= 0 {
		return o.vals[i], true
	}
	return nil, false
}

// Set makes v the value of key. A new key goes to the end.
func (o *Object) Set(key string, v Value) {
	if i := o.find(key); i >= 0 {
		o.vals[i] = v
		return
	}
	o.keys = append(o.keys, key)
	o.vals = append(o.vals, v)
	if o.index != nil {
		o.index[key] = len(o.keys) - 1
	} else if len(o.keys) >= indexFrom {
		o.index = make(map[string]int, 2*indexFrom)
		for i, k := range o.keys {
			o.index[k] = i
		}
	}
}

// All yields the keys with their values, in order.
func (o *Object) All() iter.Seq2[string, Value] {
	return func(yield func(string, Value) bool) {
		if o == nil {
			return
		}
		for i, k := range o.keys {
			if !yield(k, o.vals[i]) {
				return
			}
		}
	}
}

// A NodeType says what a [Node] is.
type NodeType uint8

const (
	ElementNode NodeType = iota
	TextNode
	CommentNode
)

// A Node is a piece of XML.
type Node struct {
	Type     NodeType
	Prefix   string // of an element: its prefix as written, "" without one
	Local    string // of an element: its local name
	Space    string // of an element: its namespace URI
	Attrs    []Attr // of an element, in document order, xmlns declarations included
	Text     string // of a text or comment
	Children []*Node
	Pos      Position // in the document, if it comes from one
}

// An Attr is an attribute of a [Node].
type Attr struct {
	Prefix string // as written, "" without one
	Local  string // the local name
	Space  string // the namespace URI, "" for none
	Value  string // with entities resolved
}

// Truth reports whether a value counts as true in a condition: the operation ToBoolean of ECMAScript.
func Truth(v Value) bool {
	switch v := v.(type) {
	case nil, NullType:
		return false
	case bool:
		return v
	case int64:
		return v != 0
	case float64:
		return v != 0 && v == v
	case string:
		return v != ""
	}
	return true
}

// Equal reports whether a and b are the same data. The order of keys does not matter. NaN equals
// NaN; −0 and 0 differ, and so do undefined, null and a missing key. Dates are compared as points
// in time, XML as written but for the order of attributes.
func Equal(a, b Value) bool {
	switch a := a.(type) {
	case float64:
		b, ok := b.(float64)
		return ok && (math.Float64bits(a) == math.Float64bits(b) || a != a && b != b)
	case []Value:
		b, ok := b.([]Value)
		return ok && slices.EqualFunc(a, b, Equal)
	case *Object:
		b, ok := b.(*Object)
		if !ok || a.Len() != b.Len() {
			return false
		}
		for k, v := range a.All() {
			if w, ok := b.Get(k); !ok || !Equal(v, w) {
				return false
			}
		}
		return true
	case *big.Int:
		b, ok := b.(*big.Int)
		return ok && a.Cmp(b) == 0
	case time.Time:
		b, ok := b.(time.Time)
		return ok && a.Equal(b)
	case *Node:
		b, ok := b.(*Node)
		return ok && equalNodes(a, b)
	case nil, bool, int64, string, NullType, Function:
		switch b.(type) {
		case nil, bool, int64, string, NullType, Function:
			return a == b
		}
	}
	return false // also for what is not a Value
}

func equalNodes(a, b *Node) bool {
	if a.Type != b.Type || a.Prefix != b.Prefix || a.Local != b.Local || a.Space != b.Space || a.Text != b.Text {
		return false
	}
	if len(a.Attrs) != len(b.Attrs) || !slices.EqualFunc(a.Children, b.Children, equalNodes) {
		return false
	}
	if slices.Equal(a.Attrs, b.Attrs) {
		return true
	}
	attrs := make(map[Attr]bool, len(b.Attrs))
	for _, attr := range b.Attrs {
		attrs[attr] = true
	}
	return !slices.ContainsFunc(a.Attrs, func(attr Attr) bool { return !attrs[attr] })
}

// Size returns about how many bytes v takes, and how deeply it is nested. A number counts 8, a text
// its length, and an element of an array, object or piece of XML 8 more; a value without parts has
// depth 0. Counting stops beyond maxSize bytes or a depth of maxDepth.
func Size(v Value, maxSize, maxDepth int) (size, depth int) {
	c := counter{maxSize: maxSize, maxDepth: maxDepth}
	c.count(v, 0)
	return c.size, c.depth
}

type counter struct{ size, depth, maxSize, maxDepth int }

func (c *counter) count(v Value, depth int) {
	c.depth = max(c.depth, depth)
	if c.full() {
		return
	}
	c.size += 8
	switch v := v.(type) {
	case string:
		c.size += len(v)
	case Function:
		c.size += len(v)
	case *big.Int:
		c.size += v.BitLen() / 8
	case []Value:
		c.depth = max(c.depth, min(depth+1, depth+len(v)))
		for _, item := range v {
			if c.full() {
				return
			}
			switch item.(type) {
			case int64, float64, bool: // most of what there is; without a call
				c.size += 8
			default:
				c.count(item, depth+1)
			}
		}
	case *Object:
		for i, key := range v.keys {
			if c.full() {
				return
			}
			c.size += len(key)
			c.count(v.vals[i], depth+1)
		}
	case *Node:
		c.size += len(v.Local) + len(v.Text)
		for _, a := range v.Attrs {
			c.size += 8 + len(a.Local) + len(a.Value)
		}
		for _, child := range v.Children {
			if c.full() {
				return
			}
			c.count(child, depth+1)
		}
	}
}

func (c *counter) full() bool { return c.size > c.maxSize || c.depth > c.maxDepth }
