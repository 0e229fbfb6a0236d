package js

import "slices"

// These are the methods of arrays that call a function, for one that is written in place and does not look at its third
// argument. Receivers of other types throw, as they do in [Method].

// arrayOf returns the array that v is.
func arrayOf(v Value, name string) *Object {
	if o := v.object(); o != nil && o.class == array {
		return o
	}
	Method(v, name)
	noMember(name)
	return nil
}

// ForEach is the method forEach.
func ForEach(v Value, f func(item Value, i float64)) {
	o := arrayOf(v, "forEach")
	for i, n := 0, len(o.values); i < n && i < len(o.values); i++ {
		if item := o.values[i]; !item.isHole() {
			f(item, float64(i))
		}
	}
}

// Every is the method every.
func Every(v Value, f func(item Value, i float64) bool) bool {
	o := arrayOf(v, "every")
	for i, n := 0, len(o.values); i < n && i < len(o.values); i++ {
		if item := o.values[i]; !item.isHole() && !f(item, float64(i)) {
			return false
		}
	}
	return true
}

// Some is the method some.
func Some(v Value, f func(item Value, i float64) bool) bool {
	o := arrayOf(v, "some")
	for i, n := 0, len(o.values); i < n && i < len(o.values); i++ {
		if item := o.values[i]; !item.isHole() && f(item, float64(i)) {
			return true
		}
	}
	return false
}

// Map is the method map.
func Map(v Value, f func(item Value, i float64) Value) Value {
	o := arrayOf(v, "map")
	made := sized(len(o.values))
	made.class = array
	for i := range made.values {
		if i < len(o.values) && !o.values[i].isHole() {
			made.values[i] = f(o.values[i], float64(i))
		} else {
			made.values[i] = Hole()
		}
	}
	return made.Value()
}

// Filter is the method filter.
func Filter(v Value, f func(item Value, i float64) bool) Value {
	o := arrayOf(v, "filter")
	kept := make([]Value, 0, min(len(o.values), 16))
	for i, n := 0, len(o.values); i < n && i < len(o.values); i++ {
		if item := o.values[i]; !item.isHole() && f(item, float64(i)) {
			kept = append(kept, item)
		}
	}
	return list(kept)
}

// Find is the method find.
func Find(v Value, f func(item Value, i float64) bool) Value {
	item, _ := arrayOf(v, "find").find(f)
	return item
}

// FindIndex is the method findIndex.
func FindIndex(v Value, f func(item Value, i float64) bool) float64 {
	_, i := arrayOf(v, "findIndex").find(f)
	return i
}

// find sees holes, as undefined.
func (o *Object) find(f func(item Value, i float64) bool) (Value, float64) {
	for i, n := 0, len(o.values); i < n; i++ {
		if item := o.at(i); f(item, float64(i)) {
			return item, float64(i)
		}
	}
	return Value{}, -1
}

func (o *Object) findLast(f func(item Value, i float64) bool) (Value, float64) {
	for i := len(o.values) - 1; i >= 0; i-- {
		if item := o.at(i); f(item, float64(i)) {
			return item, float64(i)
		}
	}
	return Value{}, -1
}

func (o *Object) reduce(f func(sum, item Value, i float64) Value, right bool, initial []Value) Value {
	sum, begun := Arg(initial, 0), len(initial) > 0
	for k, n := 0, len(o.values); k < n; k++ {
		i := k
		if right {
			i = n - 1 - k
		}
		switch {
		case i >= len(o.values) || o.values[i].isHole():
		case !begun:
			sum, begun = o.values[i], true
		default:
			sum = f(sum, o.values[i], float64(i))
		}
	}
	if !begun {
		throwText("TypeError: No initial value")
	}
	return sum
}

// Sort is the method sort with a function.
func Sort(v Value, f func(a, b Value) float64) Value {
	arrayOf(v, "sort").sort(f)
	return v
}

// iterate is a method that calls a function which is known at run time only.
func (o *Object) iterate(v Value, name string, args []Value) Value {
	f := callback(name, Arg(args, 0))
	space := make([]Value, 4)
	call := func(item Value, i float64) Value {
		space[0], space[1], space[2] = item, Number(i), v
		return f(space[:3])
	}
	test := func(item Value, i float64) bool { return call(item, i).Truth() }
	switch name {
	case "every":
		return Bool(Every(v, test))
	case "filter":
		return Filter(v, test)
	case "find":
		return Find(v, test)
	case "findIndex":
		return Number(FindIndex(v, test))
	case "findLast":
		item, _ := o.findLast(test)
		return item
	case "findLastIndex":
		_, i := o.findLast(test)
		return Number(i)
	case "flatMap":
		return list(Map(v, call).Object().flatten(nil, 1, 0))
	case "forEach":
		ForEach(v, func(item Value, i float64) { call(item, i) })
		return Value{}
	case "map":
		return Map(v, call)
	case "some":
		return Bool(Some(v, test))
	}
	return o.reduce(func(sum, item Value, i float64) Value {
		space[0], space[1], space[2], space[3] = sum, item, Number(i), v
		return f(space)
	}, name == "reduceRight", args[1:])
}

// callback returns the function that a method calls.
func callback(name string, v Value) Func {
	o := v.object()
	if o != nil && o.class == function {
		return o.more.call
	}
	switch name {
	case "filter", "reduce", "reduceRight": // as goja has it
		if v.IsNullish() {
			throwText("TypeError: Cannot convert undefined or null to object")
		}
		throwText("TypeError: " + v.ToText() + " is not a function")
	}
	if o == nil {
		throwText("TypeError: Value is not an object: " + v.ToText())
	}
	throwText("TypeError: Value is not callable: " + v.ToText())
	return nil
}

// comparison returns what the arguments of sort compare with, or nil.
func comparison(args []Value) func(a, b Value) float64 {
	v := Arg(args, 0)
	if v.IsUndefined() {
		return nil
	}
	o := v.object()
	if o == nil || o.class != function {
		throwText("TypeError: The comparison function must be either a function or undefined")
	}
	pair := make([]Value, 2)
	return func(a, b Value) float64 {
		pair[0], pair[1] = a, b
		return o.more.call(pair).ToNumber()
	}
}

// sort is stable; undefined comes last, and holes after it. Without f it compares texts.
func (o *Object) sort(f func(a, b Value) float64) {
	items := make([]Value, 0, len(o.values))
	for _, v := range o.values {
		if !v.isHole() {
			items = append(items, v)
		}
	}
	if f == nil {
		sortTexts(items)
	} else {
		slices.SortStableFunc(items, func(a, b Value) int {
			if a.IsUndefined() || b.IsUndefined() {
				return int(BoolNumber(a.IsUndefined()) - BoolNumber(b.IsUndefined()))
			}
			switch n := f(a, b); {
			case n < 0:
				return -1
			case n > 0:
				return 1
			}
			return 0
		})
	}
	o.kept = false
	for i := range o.values { // f may have changed how many there are
		if i < len(items) {
			o.values[i] = items[i]
		} else {
			o.values[i] = Hole()
		}
	}
}

func sortTexts(items []Value) {
	type entry struct {
		v    Value
		text string
	}
	entries := make([]entry, len(items))
	for i, v := range items {
		entries[i] = entry{v, v.ToText()}
	}
	slices.SortStableFunc(entries, func(a, b entry) int {
		if a.v.IsUndefined() || b.v.IsUndefined() {
			return int(BoolNumber(a.v.IsUndefined()) - BoolNumber(b.v.IsUndefined()))
		}
		return CompareText(a.text, b.text)
	})
	for i, e := range entries {
		items[i] = e.v
	}
}
