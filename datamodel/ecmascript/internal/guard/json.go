package ecmascript

import (
	"strconv"

	"github.com/dop251/goja"
)

// protectJSON bounds how deep JSON text and data for JSON are.
func (st *store) protectJSON() {
	json := st.class("JSON")
	if json == nil {
		return
	}
	st.replace(json, "parse", func(f native, call goja.FunctionCall) goja.Value {
		text := call.Argument(0).ToString()
		st.checkJSON(text.String())
		v := f(goja.FunctionCall{This: call.This, Arguments: []goja.Value{text}})
		reviver, ok := goja.AssertFunction(call.Argument(1))
		if !ok {
			return v
		}
		root := st.vm.NewObject()
		must(root.Set("", v))
		return st.revive(reviver, root, "", 0)
	})
	st.replace(json, "stringify", st.stringify)
}

// checkJSON throws if JSON text is too deep.
func (st *store) checkJSON(text string) {
	depth, quoted := 0, false
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case quoted && c == '\\':
			i++
		case c == '"':
			quoted = !quoted
		case quoted:
		case c == '[' || c == '{':
			if depth++; depth > maxNested {
				st.refuse("the JSON text is nested deeper than %d levels", maxNested)
			}
		case c == ']' || c == '}':
			depth--
		}
	}
}

// revive is InternalizeJSONProperty of ECMA-262, 25.5.1.1. What the reviver
// puts elsewhere may be deeper than the text was.
func (st *store) revive(reviver goja.Callable, holder *goja.Object, key string, depth int) goja.Value {
	if depth > maxNested {
		st.refuse("the data is nested deeper than %d levels", maxNested)
	}
	v := holder.Get(key)
	if o, ok := v.(*goja.Object); ok {
		one := func(key string) {
			if item := st.revive(reviver, o, key, depth+1); goja.IsUndefined(item) {
				_ = o.Delete(key)
			} else {
				_ = o.DefineDataProperty(key, item, goja.FLAG_TRUE, goja.FLAG_TRUE, goja.FLAG_TRUE)
			}
		}
		if isArray(o) {
			for i := range int64(lengthOf(o)) {
				one(strconv.FormatInt(i, 10))
			}
		} else {
			for _, key := range o.Keys() {
				one(key)
			}
		}
	}
	if v == nil {
		v = goja.Undefined()
	}
	return rethrow(reviver(holder, st.vm.ToValue(key), v))
}

// stringify calls JSON.stringify with a replacer that watches how deep it gets.
func (st *store) stringify(f native, call goja.FunctionCall) goja.Value {
	var open []*goja.Object // from the outermost to the present one
	length := 0.0
	user, isFunction := goja.AssertFunction(call.Argument(1))
	var names []string
	list, isList := call.Argument(1).(*goja.Object)
	if isList = isList && !isFunction && isArray(list); isList {
		names = propertyNames(rethrow(st.elements(list)))
	}
	replacer := st.vm.ToValue(func(step goja.FunctionCall) goja.Value {
		st.alive()
		holder, v := step.This.(*goja.Object), step.Argument(1)
		if isFunction {
			v = rethrow(user(holder, step.Argument(0), v))
		}
		length += 1 + textLength(v)
		st.checkString(length)
		for n := len(open); ; n-- {
			if n == 0 {
				open = append(open, holder)
				break
			}
			if open[n-1] == holder {
				open = open[:n]
				break
			}
		}
		if len(open) > maxNested {
			st.refuse("the data is nested deeper than %d levels", maxNested)
		}
		if o, ok := v.(*goja.Object); ok && isList {
			return st.selected(o, names)
		}
		return v
	})
	args := []goja.Value{call.Argument(0), replacer, call.Argument(2)}
	return st.nested(f, goja.FunctionCall{This: call.This, Arguments: args})
}

// selected returns o, or of an object with properties one that has no others
// than those of names.
func (st *store) selected(o *goja.Object, names []string) goja.Value {
	if _, callable := goja.AssertFunction(o); callable || isArray(o) {
		return o
	}
	switch o.ClassName() {
	case "String", "Number", "Boolean", "BigInt", "RawJSON":
		return o
	}
	out := st.vm.NewObject()
	for _, name := range names {
		if v := o.Get(name); v != nil {
			_ = out.DefineDataProperty(name, v, goja.FLAG_TRUE, goja.FLAG_TRUE, goja.FLAG_TRUE)
		}
	}
	return out
}

// propertyNames returns the names that the array argument of JSON.stringify lists.
func propertyNames(items []goja.Value) (names []string) {
	for _, v := range items {
		switch o, ok := v.(*goja.Object); {
		case ok && o.ClassName() != "String" && o.ClassName() != "Number", v == nil, goja.IsUndefined(v), goja.IsNull(v):
			continue
		case !ok:
			switch v.Export().(type) {
			case string, int64, float64:
			default:
				continue
			}
		}
		names = append(names, v.String())
	}
	return names
}
