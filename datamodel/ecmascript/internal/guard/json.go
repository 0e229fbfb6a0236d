package guard

import (
	"github.com/dop251/goja"

	"github.com/scxmlrun/scxmlrun/datamodel/ecmascript/internal/native"
)

// putJSON bounds how deep JSON text and data for JSON are, and how long the text becomes.
func (g *Guards) putJSON() {
	json := native.Class(g.vm, "JSON")
	g.replace(json, "parse", func(f native.Func, call goja.FunctionCall) goja.Value {
		text := call.Argument(0).ToString()
		g.checkJSON(text.String())
		if len(call.Arguments) > 0 {
			call.Arguments = append([]goja.Value{text}, call.Arguments[1:]...)
		}
		return f(call)
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

// stringify calls JSON.stringify with a replacer that checks depth and length. A list of the names of
// properties leaves no place for one.
func (g *Guards) stringify(f native.Func, call goja.FunctionCall) goja.Value {
	replacer := method(call.Argument(1))
	if o, ok := call.Argument(1).(*goja.Object); ok && replacer == nil && native.IsArray(o) {
		return g.nested(f, call)
	}
	indent := max(textLength(call.Argument(2)), 0)
	if n := call.Argument(2); n.ExportType() == native.TypeInt || n.ExportType() == native.TypeFloat {
		indent = n.ToFloat()
	}
	indent = max(0, min(indent, 10))
	var open []*goja.Object // from the outermost to the present one
	length := 0.0
	check := g.vm.ToValue(func(step goja.FunctionCall) goja.Value {
		g.alive()
		holder, key, v := step.This.(*goja.Object), step.Argument(0), step.Argument(1)
		if replacer != nil {
			v = replacer(goja.FunctionCall{This: holder, Arguments: []goja.Value{key, v}})
		}
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
		length += 1 + textLength(key) + textLength(v) + indent*float64(len(open))
		g.checkString(length)
		return v
	})
	return g.nested(f, goja.FunctionCall{This: call.This, Arguments: []goja.Value{call.Argument(0), check, call.Argument(2)}})
}
