package es

import (
	"cmp"
	"slices"
	"strings"
	"sync"

	"github.com/scxmlrun/scxmlrun/datamodel"
	"github.com/scxmlrun/scxmlrun/datamodel/ecmascript"
	"github.com/scxmlrun/scxmlrun/datamodel/ecmascript/tree"
	"github.com/scxmlrun/scxmlrun/scxml/machine/js"
)

// isSystem reports whether name is that of a system variable (REC 5.10).
func isSystem(name string) bool {
	switch name {
	case "_event", "_sessionid", "_name", "_ioprocessors", "_x":
		return true
	}
	return false
}

// library are the names that every chart can use without declaring them.
var library = sync.OnceValue(func() map[string]bool {
	m := map[string]bool{}
	if l, ok := ecmascript.New().(datamodel.Checker); ok {
		for _, name := range l.Names() {
			m[name] = true
		}
	}
	return m
})

func isLibrary(name string) bool { return library()[name] }

// known reports whether a name means something besides what is in the library.
func (m emitter) known(name string) bool {
	return m.find(name) != nil || m.script(name) != nil || isSystem(name) || name == "In" || name == "undefined" || name == "NaN" || name == "Infinity"
}

// mayExist reports whether a name is that of a variable which executable content declares, perhaps not yet.
func (m emitter) mayExist(name string) bool {
	return m.find(name) == nil && m.perhaps(m.phase(), name) != nil
}

// perhaps returns the variable that a name means in a phase if it exists by then, or nil.
func (c *Chart) perhaps(phase int, name string) *variable {
	if v := c.vars[name]; v != nil && v.local != nil && phase == lastPhase {
		return v
	}
	return nil
}

// find returns the variable that a name means, or nil.
func (m emitter) find(name string) *variable {
	for s := m.scope; s != nil; s = s.parent {
		if v := s.vars[name]; v != nil {
			return v
		}
	}
	return m.lookup(m.e, m.phase(), name)
}

// phase is when the code runs, at the earliest.
func (m emitter) phase() int {
	if m.root != nil {
		return m.root.phase
	}
	return m.e.phase
}

// undeclared returns code that fails, for a name that means nothing.
func (m emitter) undeclared(x tree.Node, name string) code {
	if m.root != nil && (m.vars[name] != nil || m.funcs[name] != nil) {
		return m.unsupported(x, "the function %s is called before the script that declares %s: move that script up", m.root.name, name)
	}
	return m.throw(repValue, "ReferenceError: "+name+" is not defined")
}

// script returns the function of a script that a name means, or nil.
func (m emitter) script(name string) *function {
	if f := m.funcs[name]; f != nil && m.phase() >= f.from && m.find(name) == nil {
		return f
	}
	return nil
}

// field returns the value of a variable.
func (m emitter) field(v *variable) code {
	m.reads(v)
	c := m.place(v)
	if v.early && v.lexical {
		c = call(repValue, c.typ, "js.Initialized", c)
		c.fails = true
	}
	return c
}

// place returns a variable, to which something may be assigned.
func (m emitter) place(v *variable) code {
	text := v.text
	if text == "" {
		text = m.names.Field(v.name)
	}
	return code{text: text, prec: precOperand, typ: v.typ, rep: v.typ.rep()}
}

// name returns the value of a variable.
func (m emitter) name(x *tree.Name) code {
	if v := m.find(x.Name); v != nil {
		return m.field(v)
	}
	if f := m.script(x.Name); f != nil {
		if m.needsRich() {
			return constant(js.Value{})
		}
		return m.methodValue(f)
	}
	if m.mayExist(x.Name) {
		if m.needsRich() {
			return constant(js.Value{})
		}
		c := m.field(m.vars[x.Name])
		c = call(repValue, c.typ, "js.Declared", c, textConst(x.Name))
		c.fails = true
		return c
	}
	switch x.Name {
	case "arguments":
		if m.scope != nil {
			return m.unsupported(x, "arguments: give the function parameters")
		}
	case "undefined":
		return constant(js.Value{})
	case "NaN":
		return numberConst(js.NaN())
	case "Infinity":
		return numberConst(js.Infinity())
	case "_name":
		return code{text: m.names.Name, prec: precOperand, typ: String, rep: repString}
	case "_sessionid":
		return code{text: m.names.SessionID, prec: precOperand, typ: String, rep: repString}
	case "_event":
		if m.needsRich() {
			return constant(js.Value{})
		}
		return m.eventValue()
	case "_x":
		return m.unsupported(x, "_x, which compiled charts do not have")
	case "_ioprocessors":
		return m.unsupported(x, "_ioprocessors as a value: write the name of a processor, as in _ioprocessors.scxml.location")
	}
	if isLibrary(x.Name) || x.Name == "In" {
		if m.needsRich() {
			return constant(js.Value{})
		}
		return m.libraryValue(x, x.Name)
	}
	return m.undeclared(x, x.Name)
}

// isName reports whether x is a name that is not hidden by a variable.
func (m emitter) isName(x tree.Expr, name string) bool {
	n, ok := x.(*tree.Name)
	return ok && n.Name == name && m.find(name) == nil && m.script(name) == nil
}

// isData reports whether x is _event.data.
func (m emitter) isData(x tree.Expr) bool {
	f, ok := x.(*tree.Member)
	return ok && f.Name == "data" && m.isName(f.Of, "_event")
}

// eventFields are the fields of _event besides data (REC 5.10.1).
var eventFields = []string{"name", "type", "sendid", "origin", "origintype", "invokeid"}

// ioAliases are the names of processors in earlier drafts of the REC, which charts still use.
var ioAliases = map[string]string{
	"scxml":     "http://www.w3.org/TR/scxml/#SCXMLEventProcessor",
	"basichttp": "http://www.w3.org/TR/scxml/#BasicHTTPEventProcessor",
}

// location returns the location of an I/O processor that every machine has, or "".
func (m emitter) location(processor string) string {
	if m.names.Of == nil {
		return ""
	}
	return m.names.Of(cmp.Or(ioAliases[processor], processor))
}

// member returns a property.
func (m emitter) member(x *tree.Member) code {
	switch {
	case inherited[x.Name], methods[x.Name] && !m.isData(x.Of):
		if m.value(x.Of); m.needsRich() {
			return constant(js.Value{})
		}
		return m.libraryValue(x, x.Name)
	case m.isName(x.Of, "_event"):
		return m.eventField(x)
	case m.isData(x.Of):
		return m.dataMember(x)
	case m.isName(x.Of, "_ioprocessors") && m.location(x.Name) == "" && m.names.Host != nil:
		return code{text: m.names.Host(cmp.Or(ioAliases[x.Name], x.Name)), prec: precOperand, typ: Undefined | Object, called: true}
	case m.isName(x.Of, "_x"), m.isName(x.Of, "_ioprocessors") && m.location(x.Name) == "":
		return constant(js.Value{})
	case m.isName(x.Of, "Math") && mathConstants[x.Name] != 0:
		return numberConst(mathConstants[x.Name])
	case m.isName(x.Of, "Number") && numberConstants[x.Name] != 0:
		return numberConst(numberConstants[x.Name])
	}
	if of, ok := x.Of.(*tree.Member); ok && m.isName(of.Of, "_ioprocessors") && m.location(of.Name) != "" {
		if x.Name != "location" {
			return constant(js.Value{})
		}
		return code{text: m.location(of.Name), prec: precOperand, typ: String, rep: repString}
	}
	return m.property(x, m.value(x.Of), x.Name, x.Optional)
}

// property returns a property of a value, which is the node x.
func (m emitter) property(x tree.Node, c code, name string, optional bool) code {
	length := name == "length"
	switch {
	case c.rep == repString && length:
		if c.konst != nil {
			return numberConst(js.Length(c.konst.Text()))
		}
		return call(repNumber, Number, "js.Length", c)
	case c.typ == Array && length:
		return call(repNumber, Number, "js.Len", c)
	case c.rep != repValue:
		return after(constant(js.Value{}), c)
	}
	typ := Undefined
	switch {
	case c.typ&(Object|Array) != 0:
		typ = Any
	case length && c.typ&String != 0:
		typ = Number
		if c.typ != String {
			typ |= Undefined
		}
	}
	if c.typ&Function != 0 {
		return m.unsupported(x, "the property %q of a function: keep its value in a variable", name)
	}
	if optional {
		return call(repValue, typ|Undefined, "js.OptionalProperty", c.asValue(), textConst(name))
	}
	err, fails := code{text: "nil"}, c.fails || c.typ&nullish != 0 || c.typ == 0
	if fails {
		err = m.err()
	}
	out := call(repValue, typ, "js.Property", err, c.asValue(), textConst(name))
	out.fails = fails
	return out
}

// eventField returns a field of _event.
func (m emitter) eventField(x *tree.Member) code {
	var c code
	switch {
	case x.Name == "name" || x.Name == "type":
		c = code{text: m.names.Event(x.Name), prec: precOperand, typ: String, rep: repString}
	case slices.Contains(eventFields, x.Name):
		c = call(repValue, String|Undefined, "js.TextOrUndefined", code{text: m.names.Event(x.Name)})
	case x.Name == "data":
		m.whole = true
		c = code{text: m.names.Data(), prec: precOperand, typ: Any}
	default:
		c = constant(js.Value{})
	}
	switch {
	case m.e.event:
		return c
	case x.Optional:
		c = c.asValue()
		return call(repValue, c.typ|Undefined, "js.If", code{text: m.names.Present()}, c, constant(js.Value{}))
	}
	out := call(c.rep, c.typ, "js.OfEvent", m.err(), code{text: m.names.Present()}, c, textConst(x.Name))
	out.fails = true
	return out
}

// dataMember returns _event.data.NAME.
func (m emitter) dataMember(x *tree.Member) code {
	if m.whole {
		c := m.eventField(x.Of.(*tree.Member))
		return m.property(x, c, x.Name, x.Optional)
	}
	member, data := code{text: "&" + m.names.Member(x.Name)}, code{text: "&" + m.names.Data()}
	if !m.e.event && !x.Of.(*tree.Member).Optional { // otherwise the data are undefined
		data = call(repValue, 0, "js.DataOfEvent", m.err(), code{text: m.names.Present()}, data)
		data.fails = true
	}
	if x.Optional {
		return call(repValue, Any, "js.OptionalMember", data, member, textConst(x.Name))
	}
	out := call(repValue, Any, "js.Member", m.err(), data, member, textConst(x.Name))
	out.fails = true
	if !data.fails { // with DataOfEvent, the data must be asked for first
		out.member = strings.TrimSuffix(strings.TrimPrefix(out.text, "js.Member("), ")")
	}
	return out
}

// chain returns the value of a chain with ?., of which code that is not rich has only those in which nothing but ?.
// follows the first one.
func (m emitter) chain(x *tree.Chain) code {
	last := true
	for at := x.X; !m.out.rich; {
		n, ok := at.(*tree.Member)
		if !ok {
			switch at.(type) {
			case *tree.Index, *tree.Call:
				m.needsRich()
			}
			return m.value(x.X)
		}
		if n.Optional && !last {
			m.needsRich()
		}
		last, at = last && n.Optional, n.Of
	}
	return m.richChain(x)
}

// call returns the value of a call.
func (m emitter) call(x *tree.Call) code {
	if m.isName(x.Func, "In") {
		return m.in(x)
	}
	if f, _ := m.function(x.Func); f != nil && !x.Optional {
		args := make([]code, len(x.Args))
		for i, a := range x.Args {
			args[i] = m.value(a)
		}
		if out, ok := f(args); ok {
			return out
		}
	}
	if m.needsRich() {
		return constant(js.Value{})
	}
	return m.richCall(x)
}

// in is the predicate In() of REC 5.9.1.
func (m emitter) in(x *tree.Call) code {
	const wrong = "TypeError: In() wants the id of a state, a string"
	if len(x.Args) == 0 {
		return m.throw(repBool, wrong).boolean()
	}
	args := make([]code, len(x.Args))
	for i, a := range x.Args {
		args[i] = m.value(a)
	}
	id, rest := args[0], args[1:]
	var c code
	switch {
	case id.konst != nil && id.typ != String:
		c = m.throw(repBool, wrong).boolean()
	case id.konst != nil:
		text := m.names.In(id.konst.Text())
		if text == "" {
			return after(boolConst(false), rest...)
		}
		c = code{text: text, prec: precOperand, typ: Bool, rep: repBool}
	case id.typ != String || m.names.Named == nil:
		return m.unsupported(x, "In() with a computed id that is not known to be a string: write In(String(id))")
	default:
		c = id.convert(repBool, Bool, m.names.Named(id.text))
	}
	return after(c, rest...)
}

func (c code) boolean() code {
	c.typ = Bool
	return c
}

func readOnly(name string) string {
	return "TypeError: the system variable " + name + " cannot be changed"
}
