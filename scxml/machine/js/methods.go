package js

import "slices"

// Method calls a method of v. Objects can have functions as properties; others have the methods of ECMAScript, see [Known].
func Method(v Value, name string, args ...Value) Value {
	switch v.typ() {
	case TypeUndefined, TypeNull:
		Receiver(v, name)
	case TypeString:
		return textMethod(v, name, args)
	case TypeNumber:
		return numberMethod(v, name, args)
	case TypeObject:
		o := v.Object()
		if f, ok := o.lookUp(name); ok {
			return callClone(f, args)
		}
		if o.class == array {
			return o.arrayMethod(v, name, args)
		}
	}
	return objectMethod(v, name, args)
}

// Receiver returns v, of which a method is to be called when the arguments are evaluated.
func Receiver(v Value, name string) Value {
	if v.IsNullish() {
		throwText("TypeError: Cannot read property '" + name + "' of undefined or null")
	}
	return v
}

// callClone calls a function that is known at run time only. That arguments are copied here keeps those of other methods off
// the heap.
func callClone(f Value, args []Value) Value { return Call(f, slices.Clone(args)...) }

func noMember(name string) { throwText("TypeError: Object has no member '" + name + "'") }

// objectMethod is a method that everything has.
func objectMethod(v Value, name string, args []Value) Value {
	switch name {
	case "hasOwnProperty", "propertyIsEnumerable":
		key := propertyName(Arg(args, 0))
		return Bool(hasOwn(v, key) && (name == "hasOwnProperty" || key != "length" || v.object() != nil && v.Object().class < array))
	case "toString", "toLocaleString":
		return String(v.ToText())
	case "valueOf":
		return v
	}
	if exists, _ := Known(v.kind(), name); exists {
		throwText("TypeError: the method " + name + " is not compiled")
	}
	noMember(name)
	return Value{}
}

// hasOwn reports whether a value has a property that it does not inherit.
func hasOwn(v Value, name string) bool {
	switch o := v.object(); {
	case o != nil:
		return o.has(name)
	case v.typ() == TypeString:
		i := arrayIndex(name)
		return name == "length" || i >= 0 && float64(i) < Length(v.Text())
	}
	return false
}
