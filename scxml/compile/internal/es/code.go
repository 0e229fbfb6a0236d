package es

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/scxmlrun/scxmlrun/datamodel/ecmascript/tree"
	"github.com/scxmlrun/scxmlrun/scxml/machine/js"
)

// A Code is Go code for an expression: an expression without effects, or the statements of an assignment
// or a script.
type Code struct {
	Text  string
	Type  Type // of an expression: which values it can have; its Go type is Type.Go(), or bool for Cond
	Fails bool // it can leave a message in Names.Err, and then has a value that must not be used

	// Constant is the value of an expression that always has the same. Text may be an untyped constant.
	Constant *js.Value
}

// Any returns the expression as an any, in the form of [machine.Event].
func (c Code) Any() string {
	switch {
	case c.Constant != nil && c.Type == Undefined:
		return "any(nil)"
	case c.Constant != nil && c.Type == Null:
		return "any(machine.Null)"
	case c.Type == Number && c.Constant != nil:
		return "any(float64(" + c.Text + "))"
	case c.Type.rep() != repValue:
		return "any(" + c.Text + ")"
	}
	return "(" + c.Text + ").Any()"
}

func (c code) code() Code {
	c = c.rounded()
	return Code{Text: c.text, Type: c.typ, Fails: c.fails, Constant: c.konst}
}

// expr returns the value of an Expr.
func (c *Chart) expr(e *Expr) code {
	return c.emit(e, func(m emitter) code {
		if e.code == nil {
			return m.throw(repValue, e.err)
		}
		return m.keep(e.code.Expr, m.value(e.code.Expr))
	})
}

// Cond returns a condition: a bool.
func (c *Chart) Cond(e *Expr) Code {
	return c.emit(e, func(m emitter) code {
		if e.code == nil {
			return m.throw(repBool, e.err).boolean()
		}
		return m.truth(e.code.Expr)
	}).code()
}

// Value returns the value of an expression, or of a location.
func (c *Chart) Value(e *Expr) Code {
	v := c.expr(e)
	out := v.code()
	if v.rep == repValue && v.typ.rep() != repValue { // as Type.Go says
		out = v.to(v.typ).code()
	}
	if out.Type == 0 {
		out.Type = Undefined
	}
	return out
}

// AsValue returns the value of an expression as a js.Value, with a failure in Names.Err.
func (c *Chart) AsValue(e *Expr) string { return c.expr(e).rounded().asValue().text }

// Text returns the value of an attribute such as eventexpr as a string.
func (c *Chart) Text(e *Expr) Code {
	v := c.expr(e)
	if v.typ&(nullish|objects) == 0 && v.typ != 0 {
		return v.asText().code()
	}
	out := call(repString, String, "js.AttributeText", code{text: "&" + c.names.Err}, v.asValue(), textConst(e.src.Text))
	out.fails = true
	return out.code()
}

// Init returns a statement that initialises the i-th data item, which keeps its value if that fails. It is
// empty if there is nothing to do but to leave it undefined.
func (c *Chart) Init(i int) Code {
	e := c.inits[i]
	if e == nil {
		return Code{}
	}
	return c.assign(c.vars[c.items[i].ID], c.expr(e), e)
}

// SetItem returns a statement that makes the value of a Go expression, of the type js.Value, that of
// a data item. It is known to have one of the types Given.
func (c *Chart) SetItem(id, value string) string {
	v := c.vars[id]
	return c.names.Field(id) + " = " + code{text: value, prec: precOperand, typ: v.typ}.to(v.typ).text
}

// Assign returns statements that assign a value to a location, or fail. There are none for x = x.
func (c *Chart) Assign(location, value *Expr) Code {
	return c.assignTo(location, c.expr(value), value)
}

// AssignString does the same with the value of a Go expression of the type string, which has no effect.
func (c *Chart) AssignString(location *Expr, value string) Code {
	return c.assignTo(location, code{text: value, prec: precUnary, typ: String, rep: repString}, location)
}

// AssignUndefined does the same with undefined.
func (c *Chart) AssignUndefined(location *Expr) Code {
	return c.assignTo(location, constant(js.Value{}), location)
}

func (c *Chart) assignTo(location *Expr, v code, value *Expr) Code {
	to, perhaps := c.target(location)
	switch {
	case perhaps:
		field := c.names.Field(to.name)
		return Code{
			Text: fmt.Sprintf("if v := %s; %s == \"\" {\nif !%s.IsDeclared() {\n%[2]s = %[4]q\n} else {\n%[3]s = %[5]s\n}\n}",
				v.rounded().inHead(), c.names.Err, field, "ReferenceError: "+to.name+" is not defined", v.named("v").to(to.typ).text),
			Fails: true,
		}
	case to != nil && !to.constant:
		return c.assign(to, v, value)
	}
	if c.refusal(location) == "" {
		return c.assignPart(location, v)
	}
	text := c.names.Err + " = " + strconv.Quote(c.refusal(location))
	if v.fails && location.code != nil { // otherwise the value is not evaluated

		text = fmt.Sprintf("if _ = %s; %s == \"\" {\n%s\n}", v.rounded().text, c.names.Err, text)
	}
	return Code{Text: text, Fails: true}
}

// assignPart returns statements that assign to a property, which happens after the value is evaluated.
func (c *Chart) assignPart(location *Expr, v code) Code {
	set := c.emit(location, func(m emitter) code {
		if m.needsRich() {
			return constant(js.Value{})
		}
		of, key := m.reference(location.code.Expr)
		value := code{text: "value", prec: precOperand, typ: v.typ}
		if of.typ&(Bool|Number|String) != 0 {
			set := call(repValue, value.typ, "js.Assigned", of, key.asValue(), value)
			set.fails, set.effects = true, true
			return set
		}
		return m.setPart(of, key, value)
	})
	return Code{Text: fmt.Sprintf("if value := %s; %s == \"\" {\n_ = %s\n}", v.rounded().asValue().inHead(), c.names.Err, set.text), Fails: true}
}

// inHead returns the text for the head of a Go statement, where Go takes a brace for the beginning of the block.
func (c code) inHead() string {
	if strings.HasSuffix(c.text, "}") {
		return "(" + c.text + ")"
	}
	return c.text
}

// assign returns statements that assign v, the value of an Expr, to a variable.
func (c *Chart) assign(to *variable, v code, value *Expr) Code {
	field := c.names.Field(to.name)
	v = c.into(to, v, value.src.Pos, "&"+c.names.Err)
	if !v.fails {
		if text := v.rounded().to(to.typ).text; text != field {
			return Code{Text: field + " = " + text}
		}
		return Code{}
	}
	return Code{
		Text:  fmt.Sprintf("if v := %s; %s == \"\" {\n%s = %s\n}", v.rounded().text, c.names.Err, field, v.named("v").to(to.typ).text),
		Fails: true,
	}
}

// refusal says why nothing can be assigned to a location, or returns "".
func (c *Chart) refusal(location *Expr) string {
	if location.code == nil {
		return location.err
	}
	m := emitter{Chart: c, e: location, out: &emission{}}
	switch x := location.code.Expr.(type) {
	case *tree.Name:
		to, _ := c.target(location)
		switch {
		case isSystem(x.Name):
			return readOnly(x.Name)
		case to != nil && to.constant:
			return "TypeError: Assignment to constant variable."
		case to == nil:
			return "ReferenceError: " + x.Name + " is not defined"
		}
	case *tree.Member:
		for _, name := range []string{"_event", "_x", "_ioprocessors"} {
			if m.isName(x.Of, name) && !m.isData(x) {
				return fmt.Sprintf("TypeError: %s cannot be changed: %q", name, x.Name)
			}
		}
		if n := root(x); n != nil && !m.known(n.Name) && !m.mayExist(n.Name) && !isLibrary(n.Name) {
			return "ReferenceError: " + n.Name + " is not defined"
		}
	}
	return ""
}

// root returns the name that a chain of members begins with, or nil.
func root(x tree.Expr) *tree.Name {
	for {
		switch at := x.(type) {
		case *tree.Member:
			x = at.Of
		case *tree.Name:
			return at
		default:
			return nil
		}
	}
}

// checkLocation reports a location that cannot be compiled.
func (c *Chart) checkLocation(e *Expr) {
	m := emitter{Chart: c, e: e, out: &emission{rich: true}, scope: e.scope}
	switch x := e.code.Expr.(type) {
	case *tree.Name:
		switch to, _ := c.target(e); {
		case to != nil || isSystem(x.Name):
		case isLibrary(x.Name) || m.known(x.Name):
			m.unsupported(x, "an assignment to %s of ECMAScript's library: use another name", x.Name)
		case c.vars[x.Name] != nil:
			m.name(x)
		}
	case *tree.Member, *tree.Index:
		if c.refusal(e) == "" {
			m.reference(x)
		}
	}
}

// AssignValue does the same with the value of a Go expression of the type js.Value, which has no effect.
func (c *Chart) AssignValue(location *Expr, value string) Code {
	return c.assignTo(location, code{text: value, prec: precUnary, typ: Any, rep: repValue}, location)
}
