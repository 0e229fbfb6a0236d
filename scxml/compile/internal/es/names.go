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
	return m.lookup(m.e, name) != nil || isSystem(name) || name == "In" || name == "undefined" || name == "NaN" || name == "Infinity"
}

// mayExist reports whether a name is that of a variable which a script in executable content declares.
func (m emitter) mayExist(name string) bool {
	v := m.vars[name]
	return v != nil && v.local != nil && m.e.phase == lastPhase && m.lookup(m.e, name) == nil
}

// field returns the value of a variable.
func (m emitter) field(v *variable) code {
	return code{text: m.names.Field(v.name), prec: precOperand, typ: v.typ, rep: v.typ.rep()}
}

// name returns the value of a variable.
func (m emitter) name(x *tree.Name) code {
	if v := m.lookup(m.e, x.Name); v != nil {
		return m.field(v)
	}
	if m.mayExist(x.Name) {
		return m.unsupported(x, "%q is a variable of a <script> in executable content, which may not have run yet: declare it with <data>", x.Name)
	}
	switch x.Name {
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
		if m.e.event {
			return code{text: "js.ObjectValue()", prec: precOperand, typ: Object}
		}
		return code{text: "js.If(" + m.names.Present() + ", js.ObjectValue(), js.Value{})", prec: precOperand, typ: Object | Undefined}
	case "_x", "_ioprocessors":
		return m.unsupported(x, "%s as a value: compiled expressions have scalars only", x.Name)
	}
	if isLibrary(x.Name) || x.Name == "In" {
		return m.unsupported(x, "%s of ECMAScript's library", x.Name)
	}
	return m.throw(repValue, "ReferenceError: "+x.Name+" is not defined")
}

// isName reports whether x is a name that is not hidden by a variable.
func (m emitter) isName(x tree.Expr, name string) bool {
	n, ok := x.(*tree.Name)
	return ok && n.Name == name && m.lookup(m.e, name) == nil
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

// location returns the location of an I/O processor, or "" if there is none with that name.
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
		m.value(x.Of)
		return m.unsupported(x, "the property %q, which is inherited", x.Name)
	case m.isName(x.Of, "_event"):
		return m.eventField(x)
	case m.isData(x.Of):
		return m.dataMember(x)
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
	return m.property(m.value(x.Of), x.Name, x.Optional)
}

// property returns a property of a scalar.
func (m emitter) property(c code, name string, optional bool) code {
	typ := Undefined
	if name == "length" && c.typ&String != 0 {
		typ = Number
		if c.typ != String {
			typ |= Undefined
		}
	}
	switch {
	case c.rep == repString && name == "length":
		if c.konst != nil {
			return numberConst(js.Length(c.konst.Text()))
		}
		return call(repNumber, Number, "js.Length", c)
	case c.rep != repValue:
		return after(constant(js.Value{}), c)
	}
	function, failing, err := "js.Property", nullish|Object, "nil"
	if optional {
		function, failing = "js.OptionalProperty", Object
	}
	fails := c.fails || c.typ&failing != 0 || c.typ == 0
	if fails {
		err = "&" + m.names.Err
	}
	out := call(repValue, typ, function, code{text: err}, c.asValue(), textConst(name))
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
		c = code{text: m.names.Data(), prec: precOperand, typ: Scalar | Object, data: true}
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
	out := call(c.rep, c.typ, "js.OfEvent", code{text: "&" + m.names.Err}, code{text: m.names.Present()}, c, textConst(x.Name))
	out.fails, out.data = true, c.data
	return out
}

// dataMember returns _event.data.NAME.
func (m emitter) dataMember(x *tree.Member) code {
	err, member, data := code{text: "&" + m.names.Err}, code{text: "&" + m.names.Member(x.Name)}, code{text: "&" + m.names.Data()}
	if !m.e.event && !x.Of.(*tree.Member).Optional { // otherwise the data are undefined
		data = call(repValue, 0, "js.DataOfEvent", err, code{text: m.names.Present()}, data)
		data.fails = true
	}
	function := "js.Member"
	if x.Optional {
		function = "js.OptionalMember"
	}
	out := call(repValue, Scalar, function, err, data, member, textConst(x.Name))
	out.fails = true
	if !data.fails && !x.Optional { // with DataOfEvent, the data must be asked for first
		out.member = strings.TrimSuffix(strings.TrimPrefix(out.text, "js.Member("), ")")
	}
	return out
}

// chain returns the value of a chain with ?., in which nothing but ?. follows the first one.
func (m emitter) chain(x *tree.Chain) code {
	last := true
	for at := x.X; ; {
		switch n := at.(type) {
		case *tree.Member:
			if n.Optional && !last {
				return m.unsupported(x, "a property after a ?. that may leave it out")
			}
			last, at = last && n.Optional, n.Of
			continue
		case *tree.Index, *tree.Call:
			return m.unsupported(x, "a call or a computed name in a chain with ?.")
		}
		return m.value(x.X)
	}
}

// call returns the value of a call.
func (m emitter) call(x *tree.Call) code {
	if m.isName(x.Func, "In") {
		return m.in(x)
	}
	f, seen := m.function(x.Func)
	if f != nil && !x.Optional {
		args := make([]code, len(x.Args))
		for i, a := range x.Args {
			args[i] = m.value(a)
		}
		if out, ok := f(args); ok {
			return out
		}
	}
	for _, a := range x.Args {
		m.value(a)
	}
	what := "a call"
	switch f := x.Func.(type) {
	case *tree.Name:
		what = "a call of " + f.Name + "()"
	case *tree.Member:
		what = "a call of ." + f.Name + "()"
		if !seen && !isLibraryName(f.Of) {
			m.value(f.Of)
		}
	default:
		m.value(x.Func)
	}
	return m.unsupported(x, "%s: compiled expressions call In() and some functions of ECMAScript's library only", what)
}

func isLibraryName(x tree.Expr) bool {
	n, ok := x.(*tree.Name)
	return ok && isLibrary(n.Name)
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
		return m.unsupported(x, "In() with a computed id")
	default:
		c = id.convert(repBool, Bool, m.names.Named(id.text))
	}
	return after(c, rest...)
}

func (c code) boolean() code {
	c.typ = Bool
	return c
}
