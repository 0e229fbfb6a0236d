package es

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/scxmlrun/scxmlrun/datamodel/ecmascript/tree"
	"github.com/scxmlrun/scxmlrun/scxml/machine/js"
)

// This file writes functions of scripts, and calls in rich code.

// methodType are the types that methods of strings, numbers, arrays and objects have, whatever they are called for.
// Functions are parts of nothing, so that no object has methods of its own.
var methodType = map[string]Type{
	"at": Any, "charAt": String, "charCodeAt": Number, "codePointAt": Number | Undefined, "concat": String | Array, "copyWithin": Array,
	"endsWith": Bool, "every": Bool, "fill": Array, "filter": Array, "find": Any, "findIndex": Number, "findLast": Any, "findLastIndex": Number,
	"flat": Array, "flatMap": Array, "forEach": Undefined, "hasOwnProperty": Bool, "includes": Bool, "indexOf": Number, "join": String,
	"lastIndexOf": Number, "localeCompare": Number, "map": Array, "padEnd": String, "padStart": String, "pop": Any, "push": Number,
	"reduce": Any, "reduceRight": Any, "repeat": String, "replace": String, "replaceAll": String, "reverse": Array, "shift": Any,
	"slice": String | Array, "some": Bool, "sort": Array, "splice": Array, "split": Array, "startsWith": Bool, "substr": String,
	"substring": String, "toExponential": String, "toFixed": String, "toLocaleString": String, "toLowerCase": String, "toPrecision": String,
	"toString": String, "toUpperCase": String, "trim": String, "trimEnd": String, "trimLeft": String, "trimRight": String, "trimStart": String,
	"unshift": Number, "valueOf": Any,
}

// notCompiled are methods of what compiled charts do not have, or that they cannot call, with what to write instead, or why.
var notCompiled = map[string]string{
	"apply": callItself, "bind": callItself, "call": callItself, "entries": ofObject, "keys": ofObject, "values": ofObject,
	"exec": withoutRegExps, "test": withoutRegExps, "get": withoutMaps, "has": withoutMaps, "set": withoutMaps,
	"getTime": withoutDates, "toISOString": withoutDates, "toJSON": withoutDates,
	"next": ": go through an array", "then": ": compiled charts do not have promises", "with": ": copy the array with slice(), and assign",
}

// withoutClass says what to write in place of new.
var withoutClass = map[string]string{"Date": withoutDates, "Map": withoutMaps, "RegExp": withoutRegExps, "Set": withoutMaps}

const (
	callItself     = ": call the function itself"
	ofObject       = ": call Object.keys(), Object.values() or Object.entries()"
	withoutDates   = ": compiled charts do not have dates; use numbers of milliseconds, such as Date.now()"
	withoutMaps    = ": compiled charts do not have Map and Set; use an object"
	withoutRegExps = ": compiled charts do not have regular expressions; use methods of strings"
)

// callbacks are the methods that take a function, and do not keep it.
var callbacks = set("every", "filter", "find", "findIndex", "findLast", "findLastIndex", "flatMap", "forEach", "map", "reduce", "reduceRight",
	"replace", "replaceAll", "some", "sort")

// A static is a function of the library that is called by two names.
type static struct {
	function  string // of package js
	typ       Type
	args      int  // that the Go function has; -1 for any number
	functions bool // an argument may be a function
	effects   bool
}

var statics = map[string]static{
	"Array.from":           {"js.ArrayFrom", Array, 2, true, true},
	"Array.isArray":        {"js.IsArray", Bool, 1, true, false},
	"Array.of":             {"js.Array", Array, -1, false, false},
	"JSON.parse":           {"js.ParseJSON", Any, 2, true, true},
	"JSON.stringify":       {"js.Stringify", String | Undefined, 3, true, true},
	"Object.assign":        {"js.ObjectAssign", Object | Array, -1, false, true},
	"Object.entries":       {"js.ObjectEntries", Array, 1, false, false},
	"Object.fromEntries":   {"js.ObjectFromEntries", Object, 1, false, false},
	"Object.hasOwn":        {"js.ObjectHasOwn", Bool, 2, false, false},
	"Object.is":            {"js.ObjectIs", Bool, 2, true, false},
	"Object.keys":          {"js.ObjectKeys", Array, 1, false, false},
	"Object.values":        {"js.ObjectValues", Array, 1, false, false},
	"String.fromCharCode":  {"js.FromCharCode", String, -1, false, false},
	"String.fromCodePoint": {"js.FromCodePoint", String, -1, false, false},
}

// richCall returns the value of a call.
func (m emitter) richCall(x *tree.Call) code {
	if x.Optional {
		return m.unsupported(x, "a call with ?.: write f && f(x)")
	}
	switch f := x.Func.(type) {
	case *tree.Name:
		if method := m.script(f.Name); method != nil {
			return m.callMethod(method, x)
		}
		if v := m.find(f.Name); v != nil && v.text != "" {
			return m.callValue(m.field(v), x.Args)
		}
		if m.isError(f) {
			return m.makeError(f.Name, m.args(x.Args, false))
		}
		if m.isName(f, "Array") {
			return m.invoke("js.NewArray", Array, m.args(x.Args, false))
		}
		if !m.known(f.Name) && !m.mayExist(f.Name) && !isLibrary(f.Name) {
			return m.undeclared(f, f.Name)
		}
		return m.unsupported(x, "a call of %s(), which compiled charts do not have", f.Name)
	case *tree.Member:
		return m.callMember(x, f)
	case *tree.Func, *tree.Call:
		return m.callValue(m.value(f), x.Args)
	}
	return m.unsupported(x, "a call of %s: call a function by its name", tree.Words(x.Func))
}

// callValue calls a function that is not known.
func (m emitter) callValue(f code, list []tree.Expr) code {
	m.noteUnknown()
	args := m.args(list, true)
	for _, a := range args {
		m.growTo(m.anyArg, a.typ&Function)
	}
	m.reads(m.anyResult)
	return m.invoke("js.Call", m.anyResult.typ, append([]code{f.asValue()}, args...))
}

// invoke returns a call of a function that may do anything.
func (m emitter) invoke(function string, typ Type, args []code) code {
	out := call(repValue, typ, function, args...)
	if r := typ.rep(); function != "js.Call" && r == repBool && strings.HasPrefix(function, "js.Is") {
		out.rep = r
	}
	out.fails, out.effects, out.costly = true, true, true
	return out
}

// args returns the arguments of a call.
func (m emitter) args(list []tree.Expr, functions bool) []code {
	args := make([]code, len(list))
	for i, a := range list {
		if args[i] = m.value(a).asValue().rounded(); !functions {
			args[i] = m.keep(a, args[i])
		}
	}
	return args
}

func (m emitter) callMember(x *tree.Call, f *tree.Member) code {
	if n, ok := f.Of.(*tree.Name); ok && m.isName(n, n.Name) {
		switch name := n.Name + "." + f.Name; {
		case name == "Math.random" && m.names.Random != "", name == "Date.now" && m.names.Now != "":
			text := m.names.Random
			if n.Name == "Date" {
				text = m.names.Now
			}
			return after(code{text: text, prec: precOperand, typ: Number, rep: repNumber, effects: true, called: true}, m.args(x.Args, true)...)
		case statics[name].function != "":
			s := statics[name]
			args := m.args(x.Args, s.functions)
			for n := len(args); n < s.args || n == 0 && s.function == "js.ObjectAssign"; n++ {
				args = append(args, constant(js.Value{}))
			}
			if s.args >= 0 && len(args) > s.args {
				return m.unsupported(x, "a call of %s() with more than %d arguments: leave out the others", name, s.args)
			}
			out := call(s.typ.rep(), s.typ, s.function, args...)
			out.fails, out.costly = true, true
			out.effects = out.effects || s.effects
			if s.functions {
				m.noteUnknown()
			}
			return out
		case n.Name == "_name", n.Name == "_sessionid": // strings
		case isLibrary(n.Name), isSystem(n.Name):
			return m.unsupported(x, "a call of %s(), which compiled charts do not have", name)
		}
	}
	typ, ok := methodType[f.Name]
	switch {
	case ok:
	case methods[f.Name] || inherited[f.Name] || notCompiled[f.Name] != "":
		return m.unsupported(x, "a call of .%s()%s", f.Name, cmp.Or(notCompiled[f.Name], ", which compiled charts do not have"))
	default: // which nothing has
		typ = Undefined
	}
	of := m.value(f.Of)
	switch {
	case of.typ == String && typ == String|Array:
		typ = String
	case of.typ == Array && typ == String|Array:
		typ = Array
	}
	if callbacks[f.Name] {
		m.noteUnknown()
	}
	args := m.args(x.Args, callbacks[f.Name])
	receiver := of.asValue()
	if of.typ&nullish != 0 && slices.ContainsFunc(args, func(c code) bool { return c.fails }) {
		receiver = call(repValue, of.typ, "js.Receiver", receiver, textConst(f.Name))
		receiver.fails = true
	}
	if quick := quickMethods[f.Name]; quick != "" && len(args) == 1 {
		out := call(repNumber, Number, quick, receiver, args[0])
		out.fails, out.effects, out.costly = true, true, true
		return out
	}
	out := call(repValue, typ, "js.Method", append([]code{receiver, textConst(f.Name)}, args...)...)
	out.fails, out.effects, out.costly = true, true, true
	return out.narrow()
}

// quickMethods are methods of arrays that have a function, for one argument.
var quickMethods = map[string]string{"push": "js.Push", "indexOf": "js.IndexIn"}

// callMethod calls a function of a script.
func (m emitter) callMethod(f *function, x *tree.Call) code {
	var known []code // arguments
	if m.divided[f.name] {
		if f, known = m.divide(f, x); f == nil {
			return code{text: "unknown", prec: precOperand, rep: repValue} // of no type yet
		}
	}
	m.noteCall(f)
	args := make([]code, len(x.Args))
	value := func(i int) code {
		if known != nil {
			return known[i]
		}
		return m.value(x.Args[i])
	}
	for i := range x.Args {
		if i < len(f.params) {
			m.grow(f.params[i], func() Type { args[i] = value(i); return args[i].typ })
		} else {
			args[i] = value(i)
		}
	}
	for i := len(args); i < len(f.params); i++ {
		m.growTo(f.params[i], Undefined)
	}
	m.reads(f.result)
	passed := slices.Clone(args[:min(len(args), len(f.params))])
	for i := range passed {
		passed[i] = passed[i].rounded().to(f.params[i].typ)
	}
	for _, p := range f.params[len(passed):] {
		passed = append(passed, m.value(&tree.Name{At: x.At, Name: "undefined"}).to(p.typ))
	}
	if more := args[min(len(args), len(f.params)):]; slices.ContainsFunc(more, func(c code) bool { return c.fails }) {
		return m.callWithMore(f, passed, more)
	}
	out := call(f.result.typ.rep(), f.result.typ, m.names.Func(f.name, f.number), passed...)
	out.fails, out.effects, out.costly = true, true, true
	return out
}

// callWithMore is a call with more arguments than the function has parameters: they are evaluated all the same, after the others.
func (m emitter) callWithMore(f *function, args, more []code) code {
	var b strings.Builder
	for i, a := range args {
		if a.konst == nil {
			fmt.Fprintf(&b, "arg%d := %s\n", i, a.rounded().text)
			args[i] = temp(a, "arg"+strconv.Itoa(i))
		}
	}
	for _, a := range more {
		fmt.Fprintf(&b, "_ = %s\n", a.text)
	}
	out := call(f.result.typ.rep(), f.result.typ, m.names.Func(f.name, f.number), args...)
	out.text = fmt.Sprintf("func() %s {\n%sreturn %s\n}()", out.rep, b.String(), out.text)
	out.fails, out.effects, out.costly = true, true, true
	return out
}

// noteCall notes that a method is called, noteUnknown that an unknown function is.
func (m emitter) noteCall(f *function) {
	if m.root != nil {
		m.root.calls[f] = true
	}
	if !m.solving && m.divided != nil {
		m.called[m.root] = append(m.called[m.root], f)
	}
	if p := m.phase(); m.solving && p < f.phase {
		f.phase = p
		m.enqueue([]*unit{f.unit})
	}
}

func (m emitter) noteUnknown() {
	if m.root != nil {
		m.root.unknown = true
	}
}

// methodValue returns a function of a script as a value.
func (m emitter) methodValue(f *function) code {
	f.value = true
	m.noteCall(f)
	args := make([]code, len(f.params))
	for i, p := range f.params {
		m.reads(m.anyArg)
		m.growTo(p, m.anyArg.typ)
		args[i] = call(repValue, Any|Function, "js.Arg", code{text: "args"}, numberConst(float64(i))).to(p.typ)
	}
	m.reads(f.result)
	m.growTo(m.anyResult, f.result.typ)
	result := call(f.result.typ.rep(), f.result.typ, m.names.Func(f.name, f.number), args...).asValue()
	return code{text: "js.Function(func(args []js.Value) js.Value { return " + result.text + " })", prec: precOperand, typ: Function, costly: true, called: true}
}

// libraryValue returns a function of the library as a value.
func (m emitter) libraryValue(x tree.Node, name string) code {
	if f := globals[name]; f != nil {
		if _, isName := x.(*tree.Name); isName {
			arg := call(repValue, Any, "js.Arg", code{text: "args"}, numberConst(0))
			if c, ok := f([]code{arg}); ok && name != "parseInt" {
				return code{text: "js.Function(func(args []js.Value) js.Value { return " + c.asValue().text + " })", prec: precOperand, typ: Function, costly: true, called: true}
			}
		}
	}
	return m.unsupported(x, "%s of ECMAScript's library as a value: call it, or write a function that calls it", name)
}

// literal returns a function literal.
func (m emitter) literal(x *tree.Func) code {
	f := m.closures[x]
	if m.root != nil {
		m.root.closes = true
	}
	for _, p := range f.params {
		m.reads(m.anyArg)
		m.growTo(p, m.anyArg.typ)
	}
	m.reads(f.result)
	m.growTo(m.anyResult, f.result.typ)
	text := "js.Function(" + m.funcLiteral(f) + ")"
	if own := m.scopes[x]; own != nil {
		if v := own.vars[x.Name]; uses(text, v.text) {
			text = "func() js.Value {\nvar " + v.text + " js.Value\n" + v.text + " = " + text + "\nreturn " + v.text + "\n}()"
		}
	}
	return code{text: text, prec: precOperand, typ: Function, costly: true, called: true}
}

// Deep reports whether functions count their calls in Names.Depth.
func (c *Chart) Deep() bool { return c.deep }

// mark finds the methods that can call themselves.
func (c *Chart) mark() {
	reach := func(from *function) bool {
		seen := map[*function]bool{}
		var visit func(f *function) bool
		visit = func(f *function) bool {
			next := make([]*function, 0, len(f.calls))
			for g := range f.calls {
				next = append(next, g)
			}
			if f.unknown {
				for _, g := range c.methods {
					if g.value || g.closes {
						next = append(next, g)
					}
				}
			}
			for _, g := range next {
				if g == from {
					return true
				}
				if !seen[g] {
					seen[g] = true
					if visit(g) {
						return true
					}
				}
			}
			return false
		}
		return visit(from)
	}
	for _, f := range c.methods {
		f.deep = reach(f)
	}
}
