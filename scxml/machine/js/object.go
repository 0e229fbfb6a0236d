package js

import (
	"math"
	"strconv"
	"unsafe"
)

// An Object is an object, an array or a function.
type Object struct {
	values []Value // the items of an array, or the values of the properties that shape names; see typeHole
	shape  *Shape  // nil for none
	more   *more   // of some arrays and all functions
	class  class
	owned  bool // shape belongs to this object alone, and may be changed
	kept   bool // values are as in more.sent; what changes them clears it
	flat   bool // more.sent has no objects inside
	frozen bool // it is a part of a message, see Out
}

// more is what few objects have.
type more struct {
	call  Func    // of a function
	props *Object // what an array or a function has besides; nil for nothing
	sent  *Object // the last message that this object was in, as a part of it
}

// A Func is what a function does. It must not keep args.
type Func func(args []Value) Value

type class uint8

const (
	plain class = iota
	errorObject
	array
	function
)

// typeHole is the type of what an array does not have, or what was deleted. No Value outside of an Object has it.
const typeHole Type = 7

// Array returns an array with these items, which may be from [Hole].
func Array(items ...Value) Value {
	o := sized(len(items))
	o.class = array
	copy(o.values, items)
	return o.Value()
}

// list returns an array. It keeps items.
func list(items []Value) Value { return (&Object{class: array, values: items}).Value() }

// Hole returns what an array literal has for a missing item.
func Hole() Value { return ofKind(typeHole, 0) }

// NewObject returns an object without properties.
func NewObject() *Object { return new(Object) }

// With sets a property of an object that is being made, and returns the object. A name that all objects inherit throws.
func (o *Object) With(name string, v Value) *Object {
	o.put(name, v)
	return o
}

// Make returns an object with a Shape, whose names have these values.
func Make(shape *Shape, values ...Value) Value {
	o := sized(len(values))
	copy(o.values, values)
	o.shape = shape
	return o.Value()
}

// sized returns an object with n values, most often in one piece of memory.
func sized(n int) *Object {
	switch n {
	case 1:
		return with[[1]Value](n)
	case 2:
		return with[[2]Value](n)
	case 3, 4:
		return with[[4]Value](n)
	case 5:
		return with[[5]Value](n)
	case 6:
		return with[[6]Value](n)
	case 7, 8:
		return with[[8]Value](n)
	case 9:
		return with[[9]Value](n)
	}
	return &Object{values: make([]Value, n)}
}

// with returns an object with n values, which has room for an array A of them.
func with[A any](n int) *Object {
	o := new(struct {
		Object
		space A
	})
	o.values = unsafe.Slice((*Value)(unsafe.Pointer(&o.space)), unsafe.Sizeof(o.space)/unsafe.Sizeof(Value{}))[:n]
	return &o.Object
}

// Function returns a function.
func Function(f Func) Value {
	o := new(struct {
		Object
		space more
	})
	o.class, o.more, o.space.call = function, &o.space, f
	return o.Value()
}

// properties returns the object that has the properties of o but for the items of an array, or nil if there are none.
func (o *Object) properties() *Object {
	switch {
	case o.class < array:
		return o
	case o.more == nil:
		return nil
	}
	return o.more.props
}

// lookUp returns a property but for items.
func (o *Object) lookUp(name string) (v Value, ok bool) {
	if p := o.properties(); p != nil {
		if i := p.shape.find(name); i >= 0 {
			return p.values[i], true
		}
	}
	return Value{}, false
}

// setProperty sets a property but for items.
func (o *Object) setProperty(name string, v Value) {
	if o.class >= array {
		if o.more == nil {
			o.more = new(more)
		}
		if o.more.props == nil {
			o.more.props = new(Object)
		}
		o = o.more.props
	}
	o.put(name, v)
}

// arrayIndex returns the index that a name of a property is, or -1.
func arrayIndex(name string) int {
	if name == "" || len(name) > 10 || name[0] == '0' && len(name) > 1 {
		return -1
	}
	n := uint64(0)
	for i := range len(name) {
		d := name[i] - '0'
		if d > 9 {
			return -1
		}
		n = 10*n + uint64(d)
	}
	if n >= math.MaxUint32 {
		return -1
	}
	return int(min(n, math.MaxInt)) // which is less on small machines
}

// names returns the names of the properties that loops and Object.keys see: those of array items first, in ascending
// order. Nobody may change the list.
func (o *Object) names() []string {
	p := o.properties()
	if o.class != array {
		return p.enumerable()
	}
	all := make([]string, 0, len(o.values))
	for i := range o.values {
		if !o.values[i].isHole() {
			all = append(all, strconv.Itoa(i))
		}
	}
	return append(all, p.enumerable()...)
}

// inherited reports whether every object has a property, which compiled charts do not have as a value.
func inherited(name string) bool {
	switch name {
	case "constructor", "hasOwnProperty", "isPrototypeOf", "propertyIsEnumerable", "toLocaleString", "toString", "valueOf",
		"__proto__", "__defineGetter__", "__defineSetter__", "__lookupGetter__", "__lookupSetter__":
		return true
	}
	return false
}

// checkName throws if all objects inherit a property, which no object of a compiled chart has itself: to have a text or
// to be compared, an object asks nobody.
func checkName(name string) {
	if inherited(name) {
		notCompiled(name)
	}
}

func notCompiled(name string) { throwText("TypeError: the property " + name + " is not compiled") }
