package js

import (
	"slices"
	"strings"
)

// arrayMethod is a method of an array.
func (o *Object) arrayMethod(v Value, name string, args []Value) Value {
	n := len(o.values)
	switch name {
	case "at":
		i := integer(Arg(args, 0).ToNumber())
		if i < 0 {
			i += float64(n)
		}
		if i < 0 || i >= float64(n) {
			return Value{}
		}
		return o.at(int(i))
	case "concat":
		return o.concat(args)
	case "copyWithin":
		to, from := relative(Arg(args, 0), n, 0), relative(Arg(args, 1), n, 0)
		o.kept = false
		copy(o.values[to:], o.values[from:max(relative(Arg(args, 2), n, n), from)])
		return v
	case "fill":
		o.kept = false
		for i, end := relative(Arg(args, 1), n, 0), relative(Arg(args, 2), n, n); i < end; i++ {
			o.values[i] = Arg(args, 0)
		}
		return v
	case "flat":
		depth := 1.0
		if d := Arg(args, 0); !d.IsUndefined() {
			depth = integer(d.ToNumber())
		}
		return list(o.flatten(nil, depth, 0))
	case "includes":
		return Bool(o.includes(Arg(args, 0), relative(Arg(args, 1), n, 0)))
	case "indexOf":
		return Number(o.indexOf(Arg(args, 0), relative(Arg(args, 1), n, 0)))
	case "join":
		separator := ","
		if s := Arg(args, 0); !s.IsUndefined() {
			separator = s.ToText()
		}
		return String(o.join(separator))
	case "lastIndexOf":
		return Number(o.lastIndexOf(args))
	case "pop":
		return o.pop()
	case "push":
		return Number(o.push(args))
	case "reverse":
		o.kept = false
		slices.Reverse(o.values)
		return v
	case "shift":
		return o.shift()
	case "slice":
		from := relative(Arg(args, 0), n, 0)
		return o.slice(from, relative(Arg(args, 1), n, n))
	case "sort":
		o.sort(comparison(args))
		return v
	case "splice":
		from, to := o.spliced(args)
		removed := o.slice(from, to)
		o.kept = false
		o.values = slices.Replace(o.values, from, to, args[min(2, len(args)):]...)
		return removed
	case "toLocaleString", "toString":
		return String(o.join(","))
	case "toReversed":
		reversed := o.dense()
		slices.Reverse(reversed)
		return list(reversed)
	case "toSorted":
		f := comparison(args)
		sorted := list(o.dense())
		sorted.Object().sort(f)
		return sorted
	case "toSpliced":
		from, to := o.spliced(args)
		return list(slices.Replace(o.dense(), from, to, args[min(2, len(args)):]...))
	case "unshift":
		checkItems(n + len(args))
		o.kept = false
		o.values = slices.Insert(o.values, 0, args...)
		return Number(float64(len(o.values)))
	case "with":
		i := integer(Arg(args, 0).ToNumber())
		if i < 0 {
			i += float64(n)
		}
		if i < 0 || i >= float64(n) {
			throwText("RangeError: Invalid index " + Arg(args, 0).ToText())
		}
		changed := o.dense()
		changed[int(i)] = Arg(args, 1)
		return list(changed)
	case "every", "filter", "find", "findIndex", "findLast", "findLastIndex", "flatMap", "forEach", "map", "reduce", "reduceRight", "some":
		return o.iterate(v, name, args)
	}
	return objectMethod(v, name, args)
}

// relative is how slice and its like understand an argument: from the end, if it is negative.
func relative(v Value, n, otherwise int) int {
	if v.IsUndefined() {
		return otherwise
	}
	return place(v.ToNumber(), n)
}

// place is relative for a number.
func place(at float64, n int) int {
	if at = integer(at); at < 0 {
		return int(max(float64(n)+at, 0))
	}
	return int(min(at, float64(n)))
}

// dense returns the items with undefined in place of holes.
func (o *Object) dense() []Value {
	all := slices.Clone(o.values)
	for i := range all {
		all[i] = o.at(i)
	}
	return all
}

// Push is [Method] for push with one argument.
func Push(v, item Value) float64 {
	o := v.object()
	if o == nil || o.class != array || o.properties() != nil {
		return Method(v, "push", item).Number()
	}
	checkItems(len(o.values) + 1)
	o.values, o.kept = append(o.values, item), false
	return float64(len(o.values))
}

// IndexIn is [Method] for indexOf with one argument.
func IndexIn(v, item Value) float64 {
	o := v.object()
	if o == nil || o.class != array || o.properties() != nil {
		return Method(v, "indexOf", item).Number()
	}
	return o.indexOf(item, 0)
}

func (o *Object) push(items []Value) float64 {
	checkItems(len(o.values) + len(items))
	o.values, o.kept = append(o.values, items...), false
	return float64(len(o.values))
}

func (o *Object) pop() Value {
	n := len(o.values)
	if n == 0 {
		return Value{}
	}
	last := o.at(n - 1)
	o.values[n-1] = Value{}
	o.values, o.kept = o.values[:n-1], false
	return last
}

func (o *Object) shift() Value {
	if len(o.values) == 0 {
		return Value{}
	}
	first := o.at(0)
	o.values, o.kept = slices.Delete(o.values, 0, 1), false
	return first
}

func (o *Object) slice(from, to int) Value {
	if to <= from {
		return Array()
	}
	return Array(o.values[from:to]...)
}

func (o *Object) concat(args []Value) Value {
	n := len(o.values)
	for _, a := range args {
		if IsArray(a) {
			n += len(a.Object().values)
		} else {
			n++
		}
	}
	checkItems(n)
	all := append(make([]Value, 0, n), o.values...)
	for _, a := range args {
		if IsArray(a) {
			all = append(all, a.Object().values...)
		} else {
			all = append(all, a)
		}
	}
	return list(all)
}

// spliced returns which items splice removes.
func (o *Object) spliced(args []Value) (from, to int) {
	n := len(o.values)
	from = relative(Arg(args, 0), n, 0)
	switch len(args) {
	case 0:
		return from, from
	case 1:
		return from, n
	}
	count := int(min(max(integer(args[1].ToNumber()), 0), float64(n-from)))
	checkItems(n - count + len(args) - 2)
	return from, from + count
}

// maxNested bounds how deep what the library goes through is nested.
const maxNested = 1000

// flatten adds the items to all, and in place of arrays their items, so many levels deep.
func (o *Object) flatten(all []Value, depth float64, level int) []Value {
	if level > maxNested {
		throwText("RangeError: functions of the library are nested deeper than 1000 levels")
	}
	for i := range o.values {
		item := o.values[i]
		if item.isHole() {
			continue
		}
		if depth > 0 && IsArray(item) {
			all = item.Object().flatten(all, depth-1, level+1)
			continue
		}
		checkItems(len(all) + 1)
		all = append(all, item)
	}
	return all
}

// A joiner writes arrays as one text.
type joiner struct {
	b    strings.Builder
	open []*Object // from the outermost array to the present one: inside of themselves they are empty
}

func (o *Object) join(separator string) string {
	var j joiner
	j.write(o, separator)
	return j.b.String()
}

func (j *joiner) write(o *Object, separator string) {
	switch {
	case slices.Contains(j.open, o):
		return
	case len(j.open) >= maxNested:
		throwText("RangeError: functions of the library are nested deeper than 1000 levels")
	}
	j.open = append(j.open, o)
	for i := range o.values {
		if i > 0 {
			j.b.WriteString(separator)
		}
		checkText(float64(j.b.Len()))
		switch item := o.at(i); {
		case IsArray(item):
			j.write(item.Object(), ",")
		case !item.IsNullish():
			j.b.WriteString(item.ToText())
		}
	}
	j.open = j.open[:len(j.open)-1]
}

// sameValueZero is the comparison of includes.
func sameValueZero(a, b Value) bool {
	return StrictEqual(a, b) || a.isNumber() && b.isNumber() && IsNaN(a.Number()) && IsNaN(b.Number())
}

func (o *Object) includes(want Value, from int) bool {
	for i := from; i < len(o.values); i++ {
		if sameValueZero(o.at(i), want) {
			return true
		}
	}
	return false
}

func (o *Object) indexOf(want Value, from int) float64 {
	if want.isNumber() {
		for i := from; i < len(o.values); i++ {
			if v := &o.values[i]; v.number == want.number && v.isNumber() {
				return float64(i)
			}
		}
		return -1
	}
	for i := from; i < len(o.values); i++ {
		if StrictEqual(o.values[i], want) { // not a hole
			return float64(i)
		}
	}
	return -1
}

func (o *Object) lastIndexOf(args []Value) float64 {
	n := float64(len(o.values))
	last := n - 1
	if len(args) > 1 {
		if last = integer(args[1].ToNumber()); last < 0 {
			last += n
		}
	}
	for i := int(min(max(last, -1), n-1)); i >= 0; i-- {
		if StrictEqual(o.values[i], Arg(args, 0)) {
			return float64(i)
		}
	}
	return -1
}

// IsArray is Array.isArray.
func IsArray(v Value) bool {
	o := v.object()
	return o != nil && o.class == array
}

// NewArray is Array, as a function and with new.
func NewArray(args ...Value) Value {
	if len(args) != 1 || args[0].typ() != TypeNumber {
		return Array(args...)
	}
	made := Array()
	made.Object().setLength(args[0])
	return made
}
