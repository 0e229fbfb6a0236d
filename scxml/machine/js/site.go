package js

import "sync/atomic"

// A Site is a place in a program that reads or sets one property. It remembers where objects had it last time, which is
// faster than to look it up: most objects that a place meets are alike. All goroutines may use it.
type Site struct{ place atomic.Uint32 }

// Get is [Get] with the same name each time.
func (s *Site) Get(v Value, name string) Value {
	if v.typ == TypeObject {
		if o := v.Object(); o.shape != nil {
			if i := int(s.place.Load()); i < len(o.shape.keys) && o.shape.keys[i] == name && o.values[i].typ != typeHole {
				return o.values[i]
			}
		}
	}
	return s.get(v, name)
}

//go:noinline
func (s *Site) get(v Value, name string) Value {
	s.note(v, name)
	return Get(v, name)
}

// note remembers where v has a property.
func (s *Site) note(v Value, name string) {
	if o := v.object(); o != nil {
		if i := o.shape.find(name); i >= 0 {
			s.place.Store(uint32(i))
		}
	}
}

// Set is [Set] with the same name each time.
func (s *Site) Set(v Value, name string, to Value) {
	if v.typ == TypeObject {
		if o := v.Object(); o.shape != nil {
			if i := int(s.place.Load()); i < len(o.shape.keys) && o.shape.keys[i] == name && o.values[i].typ != typeHole {
				o.values[i] = to
				return
			}
		}
	}
	Set(v, name, to)
	s.note(v, name)
}
