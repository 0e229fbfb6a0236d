package js

import (
	"math"
	"slices"
	"unsafe"
)

// Out returns v for others, in the form of [Value.Any], or fails, see [Throw]: an object or array is a copy, see
// [Value.Copy], which nobody changes. What has not changed since the last time is not copied again.
func Out(err *string, v Value) any {
	if v.typ() != TypeObject {
		return v.Any()
	}
	var w walk
	made, fault := w.share(v)
	if fault != nil {
		return Throw[any](err, fault.Error())
	}
	return made.Any()
}

// share returns a copy that is frozen: the last one, if that is still the same.
func (w *walk) share(v Value) (Value, *fault) {
	o := v.object()
	if o == nil || o.class == function || o.class == errorObject {
		v, err := w.copy(v)
		if o := v.object(); o != nil {
			o.frozen = true
		}
		return v, err
	}
	n, all := 0, false
	if o.kept {
		if n, all = w.unchanged(o); all {
			return o.more.sent.Value(), nil
		}
	}
	if err := w.enter(o); err != nil {
		return Value{}, err
	}
	if o.shape != nil && o.shape.dead > 0 {
		o = o.compact()
	}
	if o.more == nil {
		o.more = new(more)
	}
	last := o.more.sent
	made, err := w.shareParts(o, last, n)
	if err != nil {
		return Value{}, err
	}
	w.leave()
	if o.kept = true; made == last {
		return last.Value(), nil
	}
	made.class, made.frozen = o.class, true
	if o.class == plain && o.shape != nil {
		if made.shape = o.shape; o.owned {
			made.shape = o.shape.clone()
		}
	}
	o.more.sent = made
	return made.Value(), nil
}

// unchanged returns how many of the first values of o, which is kept, are certainly as in its last message, and counts their
// parts. If that is all of o, it counts the values, too. Without an order, they are what shareParts begins with.
func (w *walk) unchanged(o *Object) (n int, all bool) {
	if w.depth+2 > maxDepth || !o.flat && o.shape != nil && o.shape.indexes {
		return 0, false
	}
	if !o.flat {
		last := o.more.sent.values
		for i := range o.values {
			part := o.values[i].object()
			if part == nil || !part.kept || !part.flat || unsafe.Pointer(part.more.sent) != last[i].ref || w.parts+len(part.values) > maxParts {
				return i, false
			}
			w.parts += len(part.values)
		}
	}
	if w.parts+len(o.values) > maxParts {
		return 0, false
	}
	w.parts += len(o.values)
	return len(o.values), true
}

// shareParts returns an object with the values of o as a message, which may be last, the last one. The first values are known
// to be as in last.
func (w *walk) shareParts(o, last *Object, first int) (*Object, *fault) {
	order := o.order()
	same := o.kept || last != nil && order == nil && len(last.values) == len(o.values) && (last.shape == o.shape || slices.Equal(last.shape.keysOf(), o.shape.keysOf()))
	if !o.kept && o.hasScalars() {
		if o.flat = true; same && slices.EqualFunc(o.values, last.values, identical) {
			return last, nil
		}
		made := sized(len(o.values))
		copy(made.values, o.values)
		return made, nil
	}
	made := last
	if !same {
		made = sized(len(o.values))
	}
	flat := first == 0
	for n := first; n < len(o.values); n++ {
		i := n
		if order != nil {
			i = order[n]
		}
		item := o.values[i]
		if part := item.object(); part != nil && part.kept && part.flat && w.depth < maxDepth && w.parts+len(part.values) <= maxParts { // as share has it
			w.parts += len(part.values)
			item, flat = part.more.sent.Value(), false
		} else if part != nil || item.typ() == TypeObject || item.isHole() {
			part, err := w.share(item)
			if err != nil {
				return nil, err.in(o.step(i))
			}
			item = part
			flat = flat && item.typ() != TypeObject
		}
		if same {
			if identical(item, made.values[i]) {
				continue
			}
			if made == last {
				made = sized(len(o.values))
				copy(made.values, last.values)
			}
		}
		made.values[i] = item
	}
	o.flat = flat
	return made, nil
}

// hasScalars reports whether o has neither objects nor holes inside.
func (o *Object) hasScalars() bool {
	for i := range o.values {
		if v := &o.values[i]; !v.isNumber() && (v.typ() == TypeObject || v.isHole()) {
			return false
		}
	}
	return true
}

func (s *Shape) keysOf() []string {
	if s == nil {
		return nil
	}
	return s.keys
}

// identical reports whether two Values are the same, down to the bits of a number.
func identical(a, b Value) bool {
	return a.ref == b.ref && math.Float64bits(a.number) == math.Float64bits(b.number)
}

// Accept is the method Accept of machines whose expressions read the data of events as a whole: it takes what [From] takes.
func Accept(data any) (any, error) {
	switch x := data.(type) {
	case *Object:
		if x != nil && x.frozen {
			return data, nil
		}
	case Fields:
		if !slices.ContainsFunc(x, func(f Field) bool { return !passes(f) }) {
			return data, nil
		}
	}
	v, err := From(data)
	if err != nil {
		return nil, err
	}
	return v.Any(), nil
}

// passes reports whether a field can be passed on as it is.
func passes(f Field) bool {
	if inherited(f.Name) {
		return false
	}
	switch x := f.Value.(type) {
	case nil, NullType, bool, float64, string:
		return true
	case *Object:
		return x != nil && x.frozen
	}
	return false
}

// In returns a copy of data of others, or fails, see [Throw].
func In(err *string, data any) Value {
	v, why := From(data)
	if why != nil {
		return Throw[Value](err, why.Error())
	}
	return v
}

// Get returns a property as [Fields] do.
func (o *Object) Get(name string) (value any, ok bool) {
	if !o.has(name) {
		return nil, false
	}
	return o.get(name).Any(), true
}

// Data is [Value.Data].
func (o *Object) Data() any { return o.Value().Data() }

// ForeachItems returns a copy of the items of an array, for <foreach>, or fails, see [Throw].
func ForeachItems(err *string, v Value) []Value {
	o := v.object()
	if o == nil || o.class != array {
		return Throw[[]Value](err, "TypeError: the value is not an array")
	}
	items := slices.Clone(o.values)
	for i := range items {
		items[i] = o.at(i)
	}
	return items
}
