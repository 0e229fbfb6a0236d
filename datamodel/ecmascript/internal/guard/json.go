package guard

import (
	"strconv"

	"github.com/dop251/goja"

	"github.com/scxmlrun/scxmlrun/datamodel/ecmascript/internal/native"
)

// protectJSON bounds how deep JSON text and data for JSON are.
func (g *Guards) protectJSON() {
	json := native.Class(g.vm, "JSON")
	if json == nil {
		return
	}
	g.replace(json, "parse", func(f native.Func, call goja.FunctionCall) goja.Value {
		text := call.Argument(0).ToString()
		g.checkJSON(text.String())
		v := f(goja.FunctionCall{This: call.This, Arguments: []goja.Value{text}})
		reviver, ok := goja.AssertFunction(call.Argument(1))
		if !ok {
			return v
		}
		root := g.vm.NewObject()
		native.Must(root.Set("", v))
		return g.revive(reviver, root, "", 0)
	})
	g.replace(json, "stringify", g.stringify)
}

// checkJSON throws if JSON text is too deep.
func (g *Guards) checkJSON(text string) {
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
				g.refuse("the JSON text is nested deeper than %d levels", maxNested)
			}
		case c == ']' || c == '}':
			depth--
		}
	}
}

// revive is InternalizeJSONProperty of ECMA-262, 25.5.1.1. A reviver may make the data deeper than
// the text was.
func (g *Guards) revive(reviver goja.Callable, holder *goja.Object, key string, depth int) goja.Value {
	if depth > maxNested {
		g.refuse("the data is nested deeper than %d levels", maxNested)
	}
	v := holder.Get(key)
	if o, ok := v.(*goja.Object); ok {
		one := func(key string) {
			if item := g.revive(reviver, o, key, depth+1); goja.IsUndefined(item) {
				_ = o.Delete(key)
			} else {
				_ = o.DefineDataProperty(key, item, goja.FLAG_TRUE, goja.FLAG_TRUE, goja.FLAG_TRUE)
			}
		}
		if native.IsArray(o) {
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
	return native.Must1(reviver(holder, g.vm.ToValue(key), v))
}

// stringify calls JSON.stringify with a replacer that checks the depth.
func (g *Guards) stringify(f native.Func, call goja.FunctionCall) goja.Value {
	var open []*goja.Object // from the outermost to the present one
	length := 0.0
	user, isFunction := goja.AssertFunction(call.Argument(1))
	var names []string
	list, isList := call.Argument(1).(*goja.Object)
	if isList = isList && !isFunction && native.IsArray(list); isList {
		names = propertyNames(native.Must1(g.lib.Elements(list)))
	}
	replacer := g.vm.ToValue(func(step goja.FunctionCall) goja.Value {
		g.alive()
		holder, v := step.This.(*goja.Object), step.Argument(1)
		if isFunction {
			v = native.Must1(user(holder, step.Argument(0), v))
		}
		length += 1 + textLength(v)
		g.checkString(length)
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
			g.refuse("the data is nested deeper than %d levels", maxNested)
		}
		if o, ok := v.(*goja.Object); ok && isList {
			return g.selected(o, names)
		}
		return v
	})
	args := []goja.Value{call.Argument(0), replacer, call.Argument(2)}
	return g.nested(f, goja.FunctionCall{This: call.This, Arguments: args})
}

// selected returns o, or for an object with properties a copy that has only those in names.
func (g *Guards) selected(o *goja.Object, names []string) goja.Value {
	if _, callable := goja.AssertFunction(o); callable || native.IsArray(o) {
		return o
	}
	switch o.ClassName() {
	case "String", "Number", "Boolean", "BigInt", "RawJSON":
		return o
	}
	out := g.vm.NewObject()
	for _, name := range names {
		if v := o.Get(name); v != nil {
			_ = out.DefineDataProperty(name, v, goja.FLAG_TRUE, goja.FLAG_TRUE, goja.FLAG_TRUE)
		}
	}
	return out
}

// propertyNames returns the names in the array argument of JSON.stringify.
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
