package js

import (
	"math"
	"strconv"
)

// Get returns a property. One of undefined or null throws, and so does one that a value has and a compiled chart cannot
// have as a value, such as a method.
func Get(v Value, name string) Value {
	switch v.typ() {
	case TypeObject:
		o := v.Object()
		if o.class < array {
			if i := o.shape.find(name); i >= 0 {
				return o.values[i]
			}
			return missing(v, name)
		}
		return o.get(name)
	case TypeString:
		if name == "length" {
			return Number(Length(v.Text()))
		}
		if i := arrayIndex(name); i >= 0 {
			return charAt(v.Text(), float64(i))
		}
	case TypeUndefined, TypeNull:
		throwText("TypeError: Cannot read property '" + name + "' of undefined") // as goja has it, for null too
	}
	return missing(v, name)
}

func (o *Object) get(name string) Value {
	if o.class == array {
		if name == "length" {
			return Number(float64(len(o.values)))
		}
		if i := arrayIndex(name); i >= 0 {
			return o.at(i)
		}
	}
	if v, ok := o.lookUp(name); ok {
		return v
	}
	return missing(o.Value(), name)
}

// missing is undefined, unless a value inherits the property.
func missing(v Value, name string) Value {
	if v.inherits(name) {
		notCompiled(name)
	}
	return Value{}
}

// at returns an item of an array.
func (o *Object) at(i int) Value {
	if uint(i) < uint(len(o.values)) && !o.values[i].isHole() {
		return o.values[i]
	}
	return Value{}
}

// Index returns the property with a computed name.
func Index(v, key Value) Value {
	if key.isNumber() {
		return At(v, key.Number())
	}
	return Get(v, propertyName(key))
}

// At is Index with a number.
func At(v Value, at float64) Value {
	if i := int(at); float64(i) == at && i >= 0 {
		switch v.typ() {
		case TypeObject:
			if o := v.Object(); o.class == array {
				return o.at(i)
			}
		case TypeString:
			return charAt(v.Text(), at)
		}
	}
	return Get(v, NumberText(at))
}

func charAt(s string, at float64) Value {
	if c := CharAt(s, at); c != "" {
		return String(c)
	}
	return Value{}
}

func propertyName(key Value) string { return key.ToText() }

// Set sets a property. One of undefined or null throws, and so does one that all objects inherit; one of another scalar is
// lost.
func Set(v Value, name string, to Value) {
	o := v.object()
	if o == nil {
		if v.IsNullish() {
			throwText("TypeError: Cannot convert undefined or null to object")
		}
		return
	}
	if o.class == array {
		if name == "length" {
			o.setLength(to)
			return
		}
		if i := arrayIndex(name); i >= 0 {
			o.setAt(i, to)
			return
		}
	}
	o.setProperty(name, to)
}

// SetIndex sets the property with a computed name.
func SetIndex(v, key, to Value) {
	if key.isNumber() {
		SetAt(v, key.Number(), to)
		return
	}
	Set(v, propertyName(key), to)
}

// SetAt is SetIndex with a number.
func SetAt(v Value, at float64, to Value) {
	if o := v.object(); o != nil && o.class == array {
		if i := int(at); float64(i) == at && i >= 0 && at < math.MaxUint32 {
			o.setAt(i, to)
			return
		}
	}
	Set(v, NumberText(at), to)
}

// maxItems bounds arrays, as the library of the interpreter does.
const maxItems = 10_000_000

func checkItems(n int) {
	if n > maxItems {
		throwText("RangeError: the array would have more than 10000000 items")
	}
}

func (o *Object) setAt(i int, to Value) {
	o.kept = false
	if i < len(o.values) {
		o.values[i] = to
		return
	}
	o.grow(i)
	o.values = append(o.values, to)
}

// grow adds holes to an array until it has n items, and makes sure that it can have one more.
func (o *Object) grow(n int) {
	checkItems(n + 1)
	for len(o.values) < n {
		o.values = append(o.values, Hole())
	}
}

func (o *Object) setLength(to Value) {
	n := to.ToNumber()
	if n != math.Trunc(n) || n < 0 || n > math.MaxUint32 {
		throwText("RangeError: Invalid array length")
	}
	o.kept = false
	if i := int(min(n, maxItems+1)); i < len(o.values) {
		clear(o.values[i:])
		o.values = o.values[:i]
	} else if i > 0 {
		o.grow(i - 1)
		if len(o.values) < i {
			o.values = append(o.values, Hole())
		}
	}
}

// Delete is the operator delete with a property.
func Delete(v Value, name string) bool {
	o := v.object()
	switch {
	case v.IsNullish():
		throwText("TypeError: Cannot convert undefined or null to object")
	case o == nil:
		return !hasOwn(v, name) // a character of a string stays
	case o.class == array && name == "length":
		return false
	case o.class == array && arrayIndex(name) >= 0:
		if i := arrayIndex(name); i < len(o.values) {
			o.kept = false
			o.values[i] = Hole()
		}
	default:
		if p := o.properties(); p != nil {
			p.remove(name)
		}
	}
	return true
}

// Has is the operator in.
func Has(key, v Value) bool {
	o := v.object()
	if o == nil {
		throwText("TypeError: Value is not an object: " + v.ToText())
	}
	name := propertyName(key)
	return o.has(name) || v.inherits(name)
}

// has reports whether o has a property itself.
func (o *Object) has(name string) bool {
	if o.class == array {
		if i := arrayIndex(name); i >= 0 {
			return i < len(o.values) && !o.values[i].isHole()
		}
		if name == "length" {
			return true
		}
	}
	_, ok := o.lookUp(name)
	return ok
}

// Keys returns the names that for … in goes through. Nobody may change the list.
func Keys(v Value) []string {
	switch o := v.object(); {
	case v.typ() == TypeString:
		names := make([]string, int(Length(v.Text())))
		for i := range names {
			names[i] = strconv.Itoa(i)
		}
		return names
	case o != nil:
		return o.names()
	}
	return nil
}

// stillHas reports whether a name that for … in goes through is still one of v's.
func stillHas(v Value, name string) bool {
	o := v.object()
	return o == nil || o.has(name)
}

// Items returns what for … of goes through at the place i, as long as there is more.
func Items(v Value, i int) (item Value, more bool) {
	switch o := v.object(); {
	case o != nil && o.class == array:
		return o.at(i), i < len(o.values)
	case v.typ() == TypeString:
		for _, r := range v.Text() {
			if i == 0 {
				return String(string(r)), true
			}
			i--
		}
		return Value{}, false
	case v.IsNullish():
		throwText("TypeError: Cannot convert undefined or null to object")
	}
	throwText("TypeError: object is not iterable")
	return Value{}, false
}
