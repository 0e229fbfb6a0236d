package guard

import (
	"strings"

	"github.com/dop251/goja"

	"github.com/scxmlrun/scxmlrun/datamodel/ecmascript/internal/native"
)

// putConcat bounds what concat of arrays and of strings makes.
func (g *Guards) putConcat() {
	g.before(native.Prototype(g.vm, "Array"), "concat", (*Guards).concat)
	g.before(native.Prototype(g.vm, "String"), "concat", func(g *Guards, call *goja.FunctionCall) {
		call.This = textOf(call.This)
		n := textLength(call.This)
		texts := make([]goja.Value, len(call.Arguments))
		for i, arg := range call.Arguments {
			texts[i] = arg.ToString()
			n += textLength(texts[i])
		}
		call.Arguments = texts
		g.checkString(n)
	})
}

// raw is for String.raw, which goes through what has nothing but a length.
func (g *Guards) raw(call *goja.FunctionCall) {
	if o, ok := call.Argument(0).(*goja.Object); ok {
		g.checkArray(lengthOf(o.Get("raw")))
	}
}

// split bounds how many strings a string becomes. How many a regular expression finds is not known.
func (g *Guards) split(call *goja.FunctionCall) {
	separator, ok := call.Argument(0).(goja.String)
	if !ok {
		return
	}
	call.This = textOf(call.This)
	if most := call.Argument(1); !goja.IsUndefined(most) {
		most = most.ToNumber()
		if call.Arguments = []goja.Value{separator, most}; most.ToFloat() >= 0 && most.ToFloat() <= float64(g.maxItems) {
			return
		}
	}
	g.checkArray(matches(call.This, separator))
}

// matches returns how often a string can be found in another, or less if that is few.
func matches(text, what goja.Value) float64 {
	n, size := textLength(text), textLength(what)
	if few := 10_000.0; size == 0 || n < few {
		return n + 1
	}
	return float64(strings.Count(text.String(), what.String()))
}

// replacing bounds the string that replace and replaceAll make.
func (g *Guards) replacing(f native.Func, call goja.FunctionCall) goja.Value {
	pattern, isObject := call.Argument(0).(*goja.Object)
	if len(call.Arguments) < 2 || isObject && pattern.ClassName() != "RegExp" {
		return f(call)
	}
	call.This = textOf(call.This)
	text, by := textLength(call.This), call.Arguments[1]
	length := 0.0
	if function := method(by); function != nil {
		by = g.vm.ToValue(func(step goja.FunctionCall) goja.Value {
			v := function(step).ToString()
			length += textLength(v)
			g.checkString(length)
			return v
		})
		return f(goja.FunctionCall{This: call.This, Arguments: []goja.Value{call.Arguments[0], by}})
	}
	by = by.ToString()
	call.Arguments = []goja.Value{call.Arguments[0], by}
	replacement := by.String()
	if most := textLength(by) + text*float64(strings.Count(replacement, "$")); text+(text+1)*most > float64(g.maxString) && (!isObject || pattern.Get("global").ToBoolean()) {
		count := g.vm.ToValue(func(step goja.FunctionCall) goja.Value {
			g.alive()
			length += replacedLength(replacement, step.Arguments)
			g.checkString(length)
			return g.vm.ToValue("")
		})
		f(goja.FunctionCall{This: call.This, Arguments: []goja.Value{call.Arguments[0], count}})
	}
	return f(call)
}

// replacedLength returns how long a replacement is at most for one match, whose arguments are those of a
// function: the match, its groups, where it begins, the string, and the groups that have names.
func replacedLength(replacement string, match []goja.Value) float64 {
	longest, i := 0.0, 1
	for ; i < len(match) && match[i].ExportType() != native.TypeInt; i++ {
		longest = max(longest, textLength(match[i]))
	}
	if i+1 >= len(match) {
		return 0
	}
	begin, size, text := match[i].ToFloat(), textLength(match[0]), textLength(match[i+1])
	parts := strings.Split(replacement, "$")
	n := float64(len(replacement))
	for i := 1; i < len(parts); i++ {
		switch p := parts[i]; {
		case p == "":
			i++ // $$, or the end
		case p[0] == '&':
			n += size
		case p[0] == '`':
			n += begin
		case p[0] == '\'':
			n += text - begin - size
		case p[0] == '<', p[0] >= '0' && p[0] <= '9':
			n += longest
		}
	}
	return n
}
