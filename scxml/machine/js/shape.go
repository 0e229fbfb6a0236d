package js

import (
	"cmp"
	"slices"
)

// A Shape is the names of the properties of objects, in the order in which they were set. Objects of one literal share
// theirs, which nothing changes then.
type Shape struct {
	keys    []string
	index   map[string]int // of keys, when there are many
	indexes bool           // some names are those of array items, which loops see first
	dead    int            // how many keys are not in index, because they were deleted
}

// manyKeys is the number of names from which on a Shape has an index.
const manyKeys = 12

// NewShape returns the Shape of an object literal. The names differ, and none is one that all objects inherit.
func NewShape(keys ...string) *Shape {
	s := &Shape{keys: slices.Clip(keys)}
	for _, k := range keys {
		checkName(k)
		s.indexes = s.indexes || arrayIndex(k) >= 0
	}
	if len(keys) >= manyKeys {
		s.makeIndex()
	}
	return s
}

func (s *Shape) makeIndex() {
	s.index = make(map[string]int, 2*len(s.keys))
	for i, k := range s.keys {
		s.index[k] = i
	}
}

// find returns the place of a property, or -1.
func (s *Shape) find(name string) int {
	if s == nil {
		return -1
	}
	if s.index != nil {
		if i, ok := s.index[name]; ok {
			return i
		}
		return -1
	}
	for i, k := range s.keys {
		if k == name {
			return i
		}
	}
	return -1
}

// clone returns a copy that one object can have alone. No key of s is deleted.
func (s *Shape) clone() *Shape {
	made := &Shape{keys: append(make([]string, 0, len(s.keys)+4), s.keys...), indexes: s.indexes}
	if len(s.keys) >= manyKeys {
		made.makeIndex()
	}
	return made
}

// add adds a name to a Shape that only one object has.
func (s *Shape) add(name string) {
	s.keys = append(s.keys, name)
	s.indexes = s.indexes || arrayIndex(name) >= 0
	if s.index != nil {
		s.index[name] = len(s.keys) - 1
	} else if len(s.keys) >= manyKeys {
		s.makeIndex()
	}
}

// put sets a property of o, which is neither an array nor a function.
func (o *Object) put(name string, v Value) {
	o.kept = false
	if i := o.shape.find(name); i >= 0 {
		o.values[i] = v
		return
	}
	checkName(name)
	switch {
	case o.shape == nil:
		few := new(struct {
			Shape
			space [4]string
		})
		few.keys = few.space[:0]
		o.shape, o.values = &few.Shape, make([]Value, 0, 4)
	case !o.owned:
		o.shape = o.shape.clone()
	}
	o.owned = true
	o.shape.add(name)
	o.values = append(o.values, v)
}

// remove deletes a property of o, which is neither an array nor a function. It does not change the list of names, which
// a loop may be going through.
func (o *Object) remove(name string) {
	i := o.shape.find(name)
	if i < 0 {
		return
	}
	o.values[i], o.kept = Hole(), false
	if s := o.shape; o.owned && s.index != nil {
		delete(s.index, name)
		if s.dead++; 2*s.dead < len(s.keys) {
			return
		}
	}
	*o = *o.compact()
}

// compact returns a copy of o without what is deleted.
func (o *Object) compact() *Object {
	keys, values := o.living()
	made := &Object{values: values, shape: &Shape{keys: keys, indexes: o.shape.indexes}, class: o.class, owned: true}
	if len(keys) >= manyKeys {
		made.shape.makeIndex()
	}
	return made
}

// living returns copies of the names and values that are not deleted.
func (o *Object) living() (keys []string, values []Value) {
	keys, values = make([]string, 0, len(o.values)), make([]Value, 0, len(o.values))
	for i, v := range o.values {
		if !v.isHole() {
			keys, values = append(keys, o.shape.keys[i]), append(values, v)
		}
	}
	return keys, values
}

// compareKeys compares names of properties for the order of loops: those of array items come first.
func compareKeys(a, b string) int {
	return cmp.Compare(uint(arrayIndex(a)), uint(arrayIndex(b))) // -1 is the largest
}

// enumerable returns the names of the properties of o, which is neither an array nor a function, in the order of loops:
// those of array items first, in ascending order. Nobody may change the list.
func (o *Object) enumerable() []string {
	if o == nil || o.shape == nil {
		return nil
	}
	keys := o.shape.keys[:len(o.shape.keys):len(o.shape.keys)]
	if o.shape.dead > 0 || o.shape.indexes {
		keys, _ = o.living()
		slices.SortStableFunc(keys, compareKeys)
	}
	if o.class == errorObject {
		keys = slices.DeleteFunc(slices.Clone(keys), func(k string) bool { return k == "name" || k == "message" })
	}
	return keys
}
