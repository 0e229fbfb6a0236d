package datamodel

import (
	"iter"
	"slices"
)

// A Value is a piece of data in neutral form, independent of any script
// engine. Values are what crosses the border of a session: as data of events,
// as initial data, in logs. They are trees and are never changed once they
// have been handed over: whoever receives one must not modify it.
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
//	Function       stands for a function, which cannot cross
//
// [From] makes a Value of any Go data, and [Decode] is its inverse. Package
// encoding/json knows nothing of Values and would write {} for an object: use
// [AppendJSON], or Decode into an any first.
type Value = any

// NullType is the type of [Null].
type NullType struct{}

// Null is the value null, which differs from undefined (nil).
var Null = NullType{}

// String returns "null".
func (NullType) String() string { return "null" }

// A Function stands for a function: functions do not cross the border of a
// session, their names do. Entering a session it becomes undefined.
type Function string

// An Object is a list of keys with values that keeps its order. The zero
// Object is empty and ready to use, and a nil *Object can be read as an empty
// one.
type Object struct {
	keys  []string
	vals  []Value
	index map[string]int // nil while there are few keys
}

// indexFrom is the number of keys from which on an Object keeps an index.
const indexFrom = 12

// NewObject returns an object of the given keys and values:
// NewObject("x", int64(1), "y", int64(2)). It panics when kv is not made of pairs
// that begin with a string. Whether what follows is a Value (int64(1) is, 1 is
// not) is not looked at: see [From] for what comes from elsewhere.
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

// sized returns an object with room for n keys. Most events have one or two, and
// that takes one small allocation instead of three.
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
	Pos      Position // where it stands, if it comes from a document
}

// An Attr is an attribute of a [Node].
type Attr struct {
	Prefix, Local, Space string
	Value                string
}
