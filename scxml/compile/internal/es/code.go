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

	// Data is set if the value can be _event.data, and is an object only if that is one. A caller that can do with
	// all kinds of data uses that instead.
	Data bool
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
	return Code{Text: c.text, Type: c.typ, Fails: c.fails, Constant: c.konst, Data: c.data}
}

// expr returns the value of an Expr.
func (c *Chart) expr(e *Expr) code {
	m := c.emitter(e)
	if e.code == nil {
		return m.throw(repValue, e.err)
	}
	return m.value(e.code.Expr)
}

// sink returns the value of an Expr that is kept.
func (c *Chart) sink(e *Expr) code { return c.emitter(e).kept(c.expr(e)) }

// Cond returns a condition: a bool.
func (c *Chart) Cond(e *Expr) Code {
	m := c.emitter(e)
	if e.code == nil {
		return m.throw(repBool, e.err).boolean().code()
	}
	return m.truth(e.code.Expr).code()
}

// Value returns the value of an expression, or of a location.
func (c *Chart) Value(e *Expr) Code {
	v := c.expr(e)
	if !v.data {
		v = c.emitter(e).kept(v)
	}
	out := v.code()
	if v.rep == repValue && v.typ.rep() != repValue { // as Type.Go says
		out = v.to(v.typ).code()
	}
	if out.Type == 0 {
		out.Type = Undefined
	}
	return out
}

// Text returns the value of an attribute such as eventexpr as a string.
func (c *Chart) Text(e *Expr) Code {
	m := c.emitter(e)
	v := c.sink(e)
	if v.typ&nullish == 0 && v.typ != 0 {
		return v.asText().code()
	}
	out := call(repString, String, "js.AttributeText", code{text: "&" + c.names.Err}, v.asValue(), textConst(m.e.src.Text))
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
	if to := c.target(location); to != nil && !to.constant {
		return c.assign(to, v, value)
	}
	text := c.names.Err + " = " + strconv.Quote(c.refusal(location))
	if v.fails {
		text = fmt.Sprintf("if _ = %s; %s == \"\" {\n%s\n}", v.rounded().text, c.names.Err, text)
	}
	return Code{Text: text, Fails: true}
}

// assign returns statements that assign v, the value of an Expr, to a variable.
func (c *Chart) assign(to *variable, v code, value *Expr) Code {
	v = c.emitter(value).kept(v)
	field := c.names.Field(to.name)
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

// refusal says why nothing can be assigned to a location.
func (c *Chart) refusal(location *Expr) string {
	if location.code == nil {
		return location.err
	}
	m := c.emitter(location)
	switch x := location.code.Expr.(type) {
	case *tree.Name:
		switch {
		case isSystem(x.Name):
			return readOnly(x.Name)
		case c.target(location) != nil:
			return "TypeError: Assignment to constant variable."
		}
		return "ReferenceError: " + x.Name + " is not defined"
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
	m := c.emitter(e)
	n, isName := e.code.Expr.(*tree.Name)
	switch {
	case c.refusal(e) == "":
		m.unsupported(e.code.Expr, "a location that is a property: compiled expressions have scalars only")
	case isName && c.target(e) == nil && !isSystem(n.Name) && (isLibrary(n.Name) || m.known(n.Name)):
		m.unsupported(n, "an assignment to %s of ECMAScript's library", n.Name)
	case isName && c.target(e) == nil && c.vars[n.Name] != nil:
		m.name(n)
	}
}

// Script returns the statements of a script, which are the body of a function without results.
func (c *Chart) Script(e *Expr) Code {
	var b strings.Builder
	if e.code == nil {
		return Code{Text: c.names.Err + " = " + strconv.Quote(e.err), Fails: true}
	}
	for _, s := range e.code.Script {
		c.emitter(e).statement(&b, s)
	}
	text := strings.TrimSuffix(b.String(), "\n")
	return Code{Text: text, Fails: strings.Contains(text, c.names.Err)}
}

// AssignValue does the same with the value of a Go expression of the type js.Value, which has no effect.
func (c *Chart) AssignValue(location *Expr, value string) Code {
	return c.assignTo(location, code{text: value, prec: precUnary, typ: Scalar, rep: repValue}, location)
}
