package es

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/scxmlrun/scxmlrun/datamodel/ecmascript/tree"
	"github.com/scxmlrun/scxmlrun/scxml/machine/js"
)

// An emitter writes the Go code of one Expr, or of a function.
type emitter struct {
	*Chart
	e     *Expr
	out   *emission
	scope *scope
	root  *function          // the method that is written, or nil
	fn    *function          // the function, which may be inside of that
	bound map[tree.Expr]code // what has been evaluated: the code of a variable
}

// An emission is either code without effects but that it may set Names.Err, of which the caller makes a condition,
// for example; or, if it is rich, code that panics when it fails, which is in a function that recovers.
type emission struct {
	rich  bool
	needs bool // this is not rich, and would have to be
}

// emit returns the code that f makes of an Expr: rich only if that is necessary.
func (c *Chart) emit(e *Expr, f func(m emitter) code) code {
	m := emitter{Chart: c, e: e, out: &emission{}, scope: e.scope}
	if !e.rich {
		v := f(m)
		if !m.out.needs {
			return v
		}
		e.rich = true
	}
	m.out = &emission{rich: true}
	v := f(m)
	v.text = c.settled(v.text)
	if !v.fails {
		return v
	}
	v = v.rounded()
	if r := v.typ.rep(); v.rep == repValue && r != repValue {
		v = v.as(r)
	}
	out := v.convert(v.rep, v.typ, fmt.Sprintf("func() (v %s) {\ndefer js.Catch(&%s)\nreturn %s\n}()", v.rep, c.names.Err, v.text))
	out.costly = true
	return out
}

// err is the argument of functions that may fail.
func (m emitter) err() code {
	if m.out.rich {
		return code{text: "nil"}
	}
	return code{text: "&" + m.names.Err}
}

// needsRich reports whether code has to be rich and is not.
func (m emitter) needsRich() bool {
	m.out.needs = !m.out.rich
	return m.out.needs
}

// unsupported reports a node that cannot be compiled.
func (m emitter) unsupported(n tree.Node, format string, args ...any) code {
	if !m.needsRich() {
		m.problem(m.e.code.Position(n), "%s", fmt.Sprintf(format, args...))
	}
	return constant(js.Value{})
}

// notOf says that a node is not compiled, and what to write instead.
func notOf(x tree.Node) string {
	what := tree.Words(x)
	return what + " is not compiled" + instead[what]
}

// instead is what to write for what is not compiled.
var instead = map[string]string{
	"a BigInt":                ": write a number",
	"a class":                 ": write a function that returns an object",
	"a destructuring pattern": ": assign one after the other, as in x = o.x",
	"a function with a destructuring pattern":    ": give it the object, and read its properties",
	"a function with a rest parameter":           ": give it an array",
	"a generator":                                ": return an array",
	"a loop over something else than a variable": ": declare a variable in its head",
	"a regular expression":                       ": use methods of strings, such as includes() and startsWith()",
	"a statement debugger":                       ": leave it out",
	"a statement with":                           ": write the object before the names of its properties",
	"a template with a tag":                      ": call the function",
	"an async function":                          ": write an ordinary one; what takes time is for <send> and <invoke>",
	"an object with a getter or setter":          ": declare a function in a <script> of the chart",
	"an object with the spread syntax ...":       ": write Object.assign({}, o)",
	"the spread syntax ...":                      ": write concat() for an array, and each argument of a call",
	"this":                                       ": give the function a parameter",
	"XML":                                        ": write the data as JSON",
}

// throw returns code that fails.
func (m emitter) throw(r rep, msg string) code {
	return code{
		text: fmt.Sprintf("js.Throw[%s](%s, %s)", r, m.err().text, strconv.Quote(msg)),
		prec: precOperand, rep: r, fails: true, called: true,
	}
}

// value returns the value of an expression.
func (m emitter) value(x tree.Expr) code {
	if c, ok := m.bound[x]; ok {
		return c
	}
	switch x := x.(type) {
	case *tree.Number:
		return numberConst(x.Value)
	case *tree.String:
		return textConst(x.Value)
	case *tree.Bool:
		return boolConst(x.Value)
	case *tree.Null:
		return constant(js.NullValue())
	case *tree.Name:
		return m.name(x)
	case *tree.Member:
		return m.member(x)
	case *tree.Call:
		return m.call(x)
	case *tree.Unary:
		return m.unary(x)
	case *tree.Binary:
		return m.binary(x)
	case *tree.Conditional:
		return m.conditional(x)
	case *tree.Sequence:
		return m.sequence(x)
	case *tree.Template:
		return m.template(x)
	case *tree.Chain:
		return m.chain(x)
	}
	if m.needsRich() {
		return constant(js.Value{})
	}
	return m.richValue(x)
}

// truth returns an expression as a condition.
func (m emitter) truth(x tree.Expr) code {
	switch x := x.(type) {
	case *tree.Name:
		if m.isName(x, "_event") {
			return m.hasEvent()
		}
	case *tree.Unary:
		if x.Op == "!" {
			return not(m.truth(x.X))
		}
	case *tree.Binary:
		if x.Op == "&&" || x.Op == "||" {
			return logical(x.Op, m.truth(x.X), m.truth(x.Y))
		}
	case *tree.Conditional:
		test, yes, no := m.truth(x.Test), m.truth(x.Then), m.truth(x.Else)
		return choose(test, yes, no)
	}
	return m.value(x).asTruth()
}

// not is the operator ! on a condition.
func not(c code) code {
	switch {
	case c.konst != nil:
		return boolConst(!c.konst.Bool())
	case c.negates != nil:
		return *c.negates
	}
	out := c
	out.text, out.prec, out.negates, out.called = "!"+c.operand(precOperand), precUnary, &c, false
	return out
}

// logical is the operator && or || on conditions.
func logical(op string, l, r code) code {
	prec := precAnd
	if op == "||" {
		prec = precOr
	}
	decides := func(c code) bool { return c.konst.Bool() == (op == "||") }
	switch {
	case l.konst != nil && decides(l):
		return l
	case l.konst != nil:
		return r
	case r.konst != nil && !decides(r), r.text == l.text && !l.effects:
		return l
	case r.konst != nil && !l.fails:
		return r
	}
	return infix(repBool, Bool, l, op, prec, r)
}

// infix returns a Go operation.
func infix(r rep, typ Type, x code, op string, prec int, y code) code {
	if y.effects && prec > precAnd { // && and || have their order
		both := inOrder([]code{x, y})
		x, y = both[0], both[1]
	}
	return code{text: x.operand(prec) + " " + op + " " + y.operand(prec+1), prec: prec, rep: r, typ: typ}.with(x).with(y)
}

func (m emitter) unary(x *tree.Unary) code {
	switch x.Op {
	case "!":
		return m.truth(x)
	case "typeof":
		return m.typeOf(x)
	case "delete":
		if m.needsRich() {
			return constant(js.Value{})
		}
		return m.deletion(x)
	}
	c := m.value(x.X)
	switch x.Op {
	case "void":
		return after(constant(js.Value{}), c)
	case "+":
		return c.asNumber()
	}
	c = c.asNumber()
	if c.konst != nil {
		if x.Op == "-" {
			return numberConst(-c.konst.Number())
		}
		return numberConst(float64(^js.Int32(c.konst.Number())))
	}
	if x.Op == "-" {
		c.text, c.prec = "-"+c.operand(precOperand), precUnary
		return c
	}
	return c.convert(repNumber, Number, "float64(^js.Int32("+c.text+"))")
}

func (m emitter) typeOf(x *tree.Unary) code {
	if n, ok := x.X.(*tree.Name); ok && !m.known(n.Name) && !m.mayExist(n.Name) && !isLibrary(n.Name) {
		return textConst("undefined")
	}
	if m.isName(x.X, "_event") {
		return choose(m.hasEvent(), textConst("object"), textConst("undefined"))
	}
	var c code
	if n, ok := x.X.(*tree.Name); ok && m.mayExist(n.Name) {
		c = m.field(m.vars[n.Name]) // which is undefined as long as it does not exist
	} else {
		c = m.value(x.X)
	}
	switch {
	case c.typ == Function && !c.fails:
		return textConst("function")
	case c.konst != nil:
		return textConst(c.konst.TypeOf())
	case !c.fails && c.rep == repBool:
		return textConst("boolean")
	case !c.fails && c.rep == repNumber:
		return textConst("number")
	case !c.fails && c.rep == repString:
		return textConst("string")
	}
	return c.asValue().method(repString, String, "TypeOf")
}

// conditional is the operator ?:.
func (m emitter) conditional(x *tree.Conditional) code {
	return choose(m.truth(x.Test), m.value(x.Then), m.value(x.Else))
}

func choose(test, yes, no code) code {
	if test.konst != nil {
		if test.konst.Bool() {
			return yes
		}
		return no
	}
	yes, no = yes.rounded(), no.rounded()
	if yes.rep != no.rep {
		yes, no = yes.asValue(), no.asValue()
	}
	if yes.fails || no.fails || yes.costly || no.costly {
		c := yes.convert(yes.rep, yes.typ|no.typ, fmt.Sprintf("func() %s {\nif %s {\nreturn %s\n}\nreturn %s\n}()", yes.rep, test.text, yes.text, no.text))
		c = c.with(test).with(no)
		c.costly, c.called = true, true
		return c
	}
	function := "js.If"
	if yes.konst != nil && no.konst != nil && yes.rep == repNumber {
		function = "js.If[float64]" // Go would take integers for ints
	}
	return call(yes.rep, yes.typ|no.typ, function, test, yes, no)
}

// choice is one of && || ??, as a value.
func (m emitter) choice(x *tree.Binary) code {
	l, r := m.value(x.X).rounded(), m.value(x.Y).rounded()
	function, take := "", ""
	var typ Type
	switch x.Op {
	case "&&":
		function, take = "And", "!v.Truth()"
		typ = l.typ&^objects | r.typ
	case "||":
		function, take = "Or", "v.Truth()"
		typ = l.typ&^nullish | r.typ
	default:
		function, take = "Coalesce", "!v.IsNullish()"
		typ = l.typ&^nullish | r.typ
	}
	if l.konst != nil {
		switch {
		case x.Op == "&&" && !l.konst.Truth(), x.Op == "||" && l.konst.Truth(), x.Op == "??" && !l.konst.IsNullish():
			return l
		}
		return r
	}
	switch {
	case x.Op == "??" && l.typ&nullish == 0 && !l.fails:
		return l
	case x.Op != "??" && l.rep == repBool && r.rep == repBool:
		return logical(x.Op, l, r)
	}
	l, r = l.asValue(), r.asValue()
	if r.fails || r.costly {
		c := l.convert(repValue, typ, fmt.Sprintf("func() js.Value {\nif v := %s; %s {\nreturn v\n}\nreturn %s\n}()", l.text, take, r.text))
		c = c.with(r)
		c.costly, c.called = true, true
		return c.narrow()
	}
	return call(repValue, typ, "js."+function, l, r).narrow()
}

// narrow returns a Value of which one type is known as that.
func (c code) narrow() code {
	if r := c.typ.rep(); r != repValue && c.rep == repValue {
		return c.as(r)
	}
	return c
}

// sequence is the operator ",".
func (m emitter) sequence(x *tree.Sequence) code {
	var before []code
	for _, item := range x.List[:len(x.List)-1] {
		before = append(before, m.value(item))
	}
	return after(m.value(x.List[len(x.List)-1]), before...)
}

// after returns c, evaluated after expressions whose values do not matter.
func after(c code, before ...code) code {
	var b strings.Builder
	for _, f := range before {
		if f.fails {
			fmt.Fprintf(&b, "_ = %s\n", f.text)
		}
	}
	if b.Len() == 0 {
		return c
	}
	out := c.convert(c.rep, c.typ, fmt.Sprintf("func() %s {\n%sreturn %s\n}()", c.rep, b.String(), c.rounded().text))
	for _, f := range before {
		out = out.with(f)
	}
	out.costly, out.called = true, true
	return out
}

func (m emitter) template(x *tree.Template) code {
	out := textConst(x.Texts[0])
	for i, v := range x.Values {
		out = concat(out, m.value(v).asText())
		out = concat(out, textConst(x.Texts[i+1]))
	}
	return out
}

// concat joins strings.
func concat(l, r code) code {
	switch {
	case l.konst != nil && r.konst != nil:
		return textConst(l.konst.Text() + r.konst.Text())
	case l.konst != nil && l.konst.Text() == "":
		return r
	case r.konst != nil && r.konst.Text() == "":
		return l
	}
	both := inOrder([]code{l, r})
	l, r = both[0], both[1]
	out := infix(repString, String, l, "+", precAdd, r)
	if r.prec == precAdd { // joining strings is associative
		out.text = l.operand(precAdd) + " + " + r.operand(precAdd)
	}
	out.costly = true
	return out
}

// emitter returns one for code that is looked at, and not written.
func (c *Chart) emitter(e *Expr) emitter {
	return emitter{Chart: c, e: e, out: &emission{rich: true}, scope: e.scope}
}
