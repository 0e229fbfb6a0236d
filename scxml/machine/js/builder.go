package js

// Objects that are made of data have one Shape if they have the same names in the same order, as the items of a list do.

// shapes are the last ones that were made.
type shapes struct {
	recent [8]*Shape
	next   int
}

// with returns the latest one with a first name.
func (s *shapes) with(name string) *Shape {
	for i := range s.recent {
		shape := s.recent[(s.next-i-1)&(len(s.recent)-1)]
		if shape != nil && shape.keys[0] == name {
			return shape
		}
	}
	return nil
}

// A builder makes an object.
type builder struct {
	shapes *shapes
	o      *Object
	shape  *Shape // a known one that the names so far begin, or nil if there is none
	n      int    // of these names
}

func (b *builder) add(name string, v Value) *fault {
	if b.o == nil {
		if b.shape = b.shapes.with(name); b.shape != nil {
			b.o = sized(len(b.shape.keys))
		} else {
			b.o = new(Object)
		}
	}
	if b.shape != nil {
		if b.n < len(b.shape.keys) && b.shape.keys[b.n] == name {
			b.o.values[b.n] = v
			b.n++
			return nil
		}
		b.leaveShape()
	}
	if inherited(name) {
		return &fault{what: "a property with a name that all objects inherit"}
	}
	b.o.put(name, v)
	return nil
}

// leaveShape gives the object names of its own.
func (b *builder) leaveShape() {
	b.o.values = b.o.values[:b.n]
	b.o.shape, b.o.owned = (&Shape{keys: b.shape.keys[:b.n], indexes: b.shape.indexes}).clone(), true
	b.shape = nil
}

// done returns the object.
func (b *builder) done() Value {
	switch {
	case b.o == nil:
		return NewObject().Value()
	case b.shape != nil && b.n == len(b.shape.keys):
		b.o.shape = b.shape
		return b.o.Value()
	case b.shape != nil:
		b.leaveShape()
	}
	if b.o.owned = false; len(b.o.shape.keys) > 64 { // an object for which that is tried takes as much memory
		return b.o.Value()
	}
	b.shapes.recent[b.shapes.next] = b.o.shape
	b.shapes.next = (b.shapes.next + 1) & (len(b.shapes.recent) - 1)
	return b.o.Value()
}
