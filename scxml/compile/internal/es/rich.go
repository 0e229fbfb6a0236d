package es

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/scxmlrun/scxmlrun/datamodel/ecmascript/tree"
)

// This file writes expressions of which the code is rich: see emission.

// richValue returns the value of an expression that always needs rich code.
func (m emitter) richValue(x tree.Expr) code {
	switch x := x.(type) {
	case *tree.Array:
		items := make([]code, len(x.Items))
		for i, item := range x.Items {
			if items[i] = (code{text: "js.Hole()", prec: precOperand, called: true}); item != nil {
				items[i] = m.part(item)
			}
		}
		c := call(repValue, Array, "js.Array", items...)
		c.costly = true
		return c
	case *tree.Object:
		return m.object(x)
	case *tree.Index:
		return m.index(m.value(x.Of), m.value(x.Key), x.Optional)
	case *tree.Func:
		return m.literal(x)
	case *tree.New:
		return m.construct(x)
	case *tree.Assign:
		return m.assign(x)
	case *tree.Update:
		return m.update(x)
	}
	return m.unsupported(x, "%s", notOf(x))
}

// object returns an object literal.
func (m emitter) object(x *tree.Object) code {
	var names []string
	values := []code{{called: true}}
	for _, p := range x.Props {
		name, ok := p.Key.(*tree.String)
		if !ok || slices.Contains(names, name.Value) {
			return m.computed(x)
		}
		if inherited[name.Value] {
			return m.unsupported(p.Key, "a property that is called %s, as one that all objects inherit: give it another name", name.Value)
		}
		names, values = append(names, name.Value), append(values, m.part(p.Value))
	}
	if len(names) == 0 {
		return code{text: "js.NewObject().Value()", prec: precOperand, typ: Object, costly: true, called: true}
	}
	values[0].text = m.names.Shape(names)
	c := call(repValue, Object, "js.Make", values...)
	c.costly = true
	return c
}

// computed returns an object literal with computed names, or with a name twice.
func (m emitter) computed(x *tree.Object) code {
	c := code{text: "js.NewObject()", prec: precOperand, typ: Object, costly: true, called: true, fails: true}
	for _, p := range x.Props {
		both := inOrder([]code{m.value(p.Key).asValue(), m.part(p.Value)})
		c.text += ".WithKey(" + both[0].rounded().text + ", " + both[1].text + ")"
		c = c.with(both[0]).with(both[1])
	}
	c.text += ".Value()"
	return c
}

// part returns a value that becomes a part of an object or an array.
func (m emitter) part(x tree.Expr) code {
	return m.keep(x, m.value(x)).asValue().rounded()
}

// keep reports a value that is kept as data and can be a function.
func (m emitter) keep(x tree.Node, c code) code {
	if c.typ&Function != 0 {
		m.unsupported(x, "a function that is kept as data: compiled charts have functions in local variables and arguments only; declare it in a <script> of the chart, and call it by its name")
		c.typ &^= Function
	}
	return c
}

// temp returns a code that has been evaluated as a variable of the Go function.
func temp(c code, name string) code {
	return code{text: name, prec: precOperand, rep: c.rep, typ: c.typ, konst: c.konst}
}

// index returns the property with a computed name.
func (m emitter) index(of, key code, optional bool) code {
	var c code
	switch {
	case optional:
		c = call(repValue, Any, "js.OptionalIndex", of.asValue(), key.asValue())
	case key.rep == repNumber:
		c = call(repValue, Any, "js.At", of.asValue(), key)
	case key.rep == repString:
		c = call(repValue, Any, "js.Get", of.asValue(), key)
	default:
		c = call(repValue, Any, "js.Index", of.asValue(), key.asValue())
	}
	c.fails = true
	return c
}

func (m emitter) deletion(x *tree.Unary) code {
	var c code
	switch x := x.X.(type) {
	case *tree.Member:
		c = call(repBool, Bool, "js.Delete", m.value(x.Of).asValue(), textConst(x.Name))
	case *tree.Index:
		c = call(repBool, Bool, "js.DeleteIndex", m.value(x.Of).asValue(), m.value(x.Key).asValue())
	default:
		return m.unsupported(x, "the operator delete without a property: assign undefined")
	}
	c.fails, c.effects = true, true
	return c
}

// relation is the operator in or instanceof.
func (m emitter) relation(x *tree.Binary) code {
	l := m.value(x.X).asValue()
	if x.Op == "in" {
		c := call(repBool, Bool, "js.Has", l, m.value(x.Y).asValue())
		c.fails = true
		return c
	}
	for _, name := range []string{"Array", "Object", "Error", "Function"} {
		if m.isName(x.Y, name) {
			return call(repBool, Bool, "js.Is"+name, l)
		}
	}
	return m.unsupported(x, "instanceof with something else than Array, Object, Error and Function: test a property")
}

// richChain returns the value of a chain: what follows a ?. is left out where its value is undefined or null.
func (m emitter) richChain(x *tree.Chain) code {
	var optional []tree.Expr // what comes before each ?., from the left to the right
	for at := x.X; at != nil; {
		switch n := at.(type) {
		case *tree.Member:
			if at = n.Of; n.Optional {
				optional = append(optional, n.Of)
			}
		case *tree.Index:
			if at = n.Of; n.Optional {
				optional = append(optional, n.Of)
			}
		case *tree.Call:
			if at = n.Func; n.Optional {
				return m.unsupported(x, "a call with ?.: write f && f(x)")
			}
		default:
			at = nil
		}
	}
	slices.Reverse(optional)
	var b strings.Builder
	m.bound = cloneBound(m.bound)
	sum := code{}
	for i, of := range optional {
		c, name := m.value(of).asValue(), fmt.Sprintf("o%d", i)
		fmt.Fprintf(&b, "%s := %s\nif %s.IsNullish() {\nreturn js.Value{}\n}\n", name, c.text, name)
		sum = sum.with(c)
		m.bound[of] = code{text: name, prec: precOperand, typ: c.typ &^ nullish}
	}
	c := m.value(x.X).asValue()
	out := c.convert(repValue, c.typ|Undefined, "func() js.Value {\n"+b.String()+"return "+c.text+"\n}()").with(sum)
	out.called = true
	return out
}

func cloneBound(m map[tree.Expr]code) map[tree.Expr]code {
	out := map[tree.Expr]code{}
	for x, c := range m {
		out[x] = c
	}
	return out
}

// assign is an assignment as an expression.
func (m emitter) assign(x *tree.Assign) code {
	switch to := x.To.(type) {
	case *tree.Name:
		return m.assignName(x, to)
	case *tree.Member, *tree.Index:
		return m.assignPart(x, to)
	}
	return m.unsupported(x.To, "an assignment to %s%s", tree.Words(x.To), instead[tree.Words(x.To)])
}

// variableTo returns the variable to which something is assigned, or nil after it has reported why there is none.
func (m emitter) variableTo(x tree.Node, name string) (v *variable, refused code) {
	v = m.find(name)
	switch {
	case v != nil && v.constant:
		return nil, m.throw(repValue, "TypeError: Assignment to constant variable.")
	case v != nil:
		return v, code{}
	case isSystem(name):
		return nil, m.throw(repValue, readOnly(name))
	}
	if m.vars[name] != nil {
		return nil, m.undeclared(x, name)
	}
	return nil, m.unsupported(x, "an assignment to %s, which is not declared: declare it with <data>", name)
}

func (m emitter) assignName(x *tree.Assign, to *tree.Name) code {
	v, refused := m.variableTo(x, to.Name)
	if v == nil {
		return after(refused, m.value(x.Value))
	}
	var c code
	m.grow(v, func() Type {
		switch x.Op {
		case "":
			c = m.value(x.Value)
		case "&&", "||", "??":
			c = m.choice(&tree.Binary{At: x.At, Op: x.Op, X: to, Y: x.Value})
		default:
			c = operate(x.Op, m.value(to), m.value(x.Value))
		}
		if v.text == "" {
			c = m.keep(x.Value, c)
		}
		return c.typ
	})
	out := call(v.typ.rep(), c.typ, "js.Assign", code{text: "&" + m.place(v).text}, m.set(v, c.rounded(), x).to(v.typ))
	out.fails, out.effects = true, true
	return out.narrow()
}

// assignPart is an assignment to a property. What it is one of is evaluated before the value.
func (m emitter) assignPart(x *tree.Assign, to tree.Expr) code {
	if c, ok := m.refusedPart(to); ok {
		return after(c, m.value(x.Value))
	}
	of, key := m.reference(to)
	if x.Op == "" {
		return m.setPart(of, key, m.part(x.Value))
	}
	b, ofVar, keyVar := m.spill(of, key)
	now := m.get(to, ofVar, keyVar)
	switch x.Op {
	case "&&", "||", "??":
		cond := map[string]string{"&&": "!v.Truth()", "||": "v.Truth()", "??": "!v.IsNullish()"}[x.Op]
		b += "js.NotNullish(o)\n"
		b += fmt.Sprintf("if v := %s; %s {\nreturn v\n}\nreturn %s", now.asValue().text, cond, m.setPart(ofVar, keyVar, m.part(x.Value)).text)
	default:
		b += "return " + m.setPart(ofVar, keyVar, operate(x.Op, now, m.value(x.Value)).asValue()).text
	}
	return code{text: "func() js.Value {\n" + b + "\n}()", prec: precOperand, typ: Any, fails: true, effects: true, called: true}
}

// refusedPart returns code that fails, for a property that cannot be assigned to.
func (m emitter) refusedPart(to tree.Expr) (c code, refused bool) {
	if f, ok := to.(*tree.Member); ok {
		for _, name := range []string{"_event", "_x", "_ioprocessors"} {
			if m.isName(f.Of, name) && !m.isData(f) {
				return m.throw(repValue, fmt.Sprintf("TypeError: %s cannot be changed: %q", name, f.Name)), true
			}
		}
	}
	return code{}, false
}

// reference returns what a property is one of, and its name.
func (m emitter) reference(to tree.Expr) (of, key code) {
	if f, ok := to.(*tree.Member); ok {
		if m.isData(f) {
			m.unsupported(to, "an assignment to _event.data: copy it to a data item first")
		}
		return m.value(f.Of).asValue(), textConst(f.Name)
	}
	i := to.(*tree.Index)
	of, key = m.value(i.Of).asValue(), m.value(i.Key)
	if key.rep == repBool {
		key = key.asValue()
	}
	return of, key
}

// spill puts what a property is one of, and its name, into variables.
func (m emitter) spill(of, key code) (text string, ofVar, keyVar code) {
	text = "o := " + of.text + "\n"
	keyVar = key
	if key.konst == nil {
		text += "k := " + key.rounded().text + "\n"
		keyVar = temp(key, "k")
	}
	return text, temp(of, "o"), keyVar
}

// get and setPart read and write a property. The value of setPart is what was assigned.
func (m emitter) get(x tree.Node, of, key code) code {
	if key.konst != nil && key.rep == repString {
		return m.property(x, of, key.konst.Text(), false)
	}
	return m.index(of, key, false)
}

func (m emitter) setPart(of, key, value code) code {
	var out code
	switch key.rep {
	case repString:
		out = call(repValue, value.typ, "js.SetTo", of, key, value.asValue())
	case repNumber:
		out = call(repValue, value.typ, "js.SetAtTo", of, key, value.asValue())
	default:
		out = call(repValue, value.typ, "js.SetIndexTo", of, key.asValue(), value.asValue())
	}
	out.fails, out.effects = true, true
	return out
}

// update is ++ or --.
func (m emitter) update(x *tree.Update) code {
	by := "1"
	if x.Op == "--" {
		by = "-1"
	}
	function := "js.Post"
	if x.Prefix {
		function = "js.Pre"
	}
	out := code{}
	switch to := x.To.(type) {
	case *tree.Name:
		v, refused := m.variableTo(x, to.Name)
		if v == nil {
			return refused
		}
		m.grow(v, func() Type { m.field(v); return Number })
		if !m.counts(v, x) {
			return numberConst(0)
		}
		if v.typ == Number {
			out = call(repNumber, Number, function+"Add", code{text: "&" + m.place(v).text}, code{text: by})
		} else {
			out = call(repNumber, Number, function+"AddValue", code{text: "&" + m.place(v).text}, code{text: by})
		}
	case *tree.Member, *tree.Index:
		if c, ok := m.refusedPart(to); ok {
			return c
		}
		of, key := m.reference(to)
		out = call(repNumber, Number, function+"Part", of, key.asValue(), code{text: by})
	default:
		return m.unsupported(x.To, "%s of %s", x.Op, tree.Words(x.To))
	}
	out.fails, out.effects = true, true
	return out
}

// construct is the operator new.
func (m emitter) construct(x *tree.New) code {
	args := make([]code, len(x.Args))
	for i, a := range x.Args {
		args[i] = m.part(a)
	}
	name, _ := x.Func.(*tree.Name)
	out := code{}
	switch {
	case name == nil || !m.isName(name, name.Name):
	case name.Name == "Array":
		out = call(repValue, Array, "js.NewArray", args...)
	case name.Name == "Object" && len(args) == 0:
		out = code{text: "js.NewObject().Value()", prec: precOperand, typ: Object, called: true}
	case m.isError(name):
		return m.makeError(name.Name, args)
	}
	if out.text == "" {
		hint := ": write an object literal, or call a function that returns one"
		if name != nil {
			hint = cmp.Or(withoutClass[name.Name], hint)
		}
		return m.unsupported(x, "the operator new with something else than Array, Object and errors%s", hint)
	}
	out.costly, out.fails = true, true
	return out
}

// isError reports whether x is the name of an error of the library.
func (m emitter) isError(x *tree.Name) bool {
	return strings.HasSuffix(x.Name, "Error") && isLibrary(x.Name) && m.isName(x, x.Name)
}

func (m emitter) makeError(name string, args []code) code {
	return m.invoke("js.MakeError", Object, append([]code{textConst(name)}, args...))
}

// eventValue returns _event as a value.
func (m emitter) eventValue() code {
	c := code{text: "js.NewObject()", prec: precOperand, typ: Object, costly: true, called: true}
	for _, name := range append(eventFields[:len(eventFields):len(eventFields)], "data") {
		c.text += ".With(" + strconv.Quote(name) + ", " + m.eventField(&tree.Member{Of: &tree.Name{Name: "_event"}, Name: name}).asValue().text + ")"
	}
	c.text += ".Value()"
	if m.e.event {
		return c
	}
	c.text, c.typ = "func() js.Value {\nif !"+m.names.Present()+" {\nreturn js.Value{}\n}\nreturn "+c.text+"\n}()", Object|Undefined
	return c
}

// hasEvent reports whether there is an event.
func (m emitter) hasEvent() code {
	if m.e.event {
		return boolConst(true)
	}
	return code{text: m.names.Present(), prec: precOperand, typ: Bool, rep: repBool}
}
