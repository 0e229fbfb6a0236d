package es

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/scxmlrun/scxmlrun/datamodel"
	"github.com/scxmlrun/scxmlrun/datamodel/ecmascript"
	"github.com/scxmlrun/scxmlrun/datamodel/ecmascript/tree"
)

// declare finds the variables that a script declares.
func (c *Chart) declare(e *Expr, list []tree.Stmt, global, top bool) {
	straight := true // what came before cannot fail
	for _, s := range list {
		switch s := s.(type) {
		case *tree.Var:
			safe := straight && top && s.Init != nil && c.safe(e, s.Init)
			c.declareVar(e, s, global, top, safe)
			straight = straight && (safe || s.Init == nil)
			continue
		case *tree.Block:
			c.declare(e, s.List, global, false)
		case *tree.If:
			for _, s := range []tree.Stmt{s.Then, s.Else} {
				if s != nil {
					c.declare(e, []tree.Stmt{s}, global, false)
				}
			}
		case *tree.Empty:
			continue
		}
		straight = false
	}
}

// declareVar makes the variable of a declaration. Unless safe, it may be undefined.
func (c *Chart) declareVar(e *Expr, s *tree.Var, global, top, safe bool) {
	at := e.code.Position(s)
	v := c.vars[s.Name]
	switch {
	case s.Kind != "var" && (!top || !global):
		c.problem(at, "%s %s in a block or in executable content: write var, or declare it with <data>", s.Kind, s.Name)
		return
	case ecmascript.CheckVariable(s.Name) != nil:
		c.problem(at, "%s", ecmascript.CheckVariable(s.Name))
		return
	case s.Kind != "var" && v != nil, v != nil && v.constant:
		c.problem(at, "%s is declared twice", s.Name)
		return
	}
	if v == nil {
		v = &variable{name: s.Name, from: lastPhase + 1, constant: s.Kind == "const", kind: s.Kind}
		c.vars[s.Name] = v
	}
	if v.item {
		return
	}
	if global {
		v.from = min(v.from, e.phase)
	} else {
		if v.local == nil {
			v.local = map[*Expr]bool{}
		}
		v.local[e] = true
	}
	if !safe || !global {
		v.typ |= Undefined
	}
}

// safe reports whether an expression does not fail, as far as its text shows.
func (c *Chart) safe(e *Expr, x tree.Expr) bool {
	switch x := x.(type) {
	case *tree.Number, *tree.String, *tree.Bool, *tree.Null:
		return true
	case *tree.Name:
		v := c.lookup(e, x.Name)
		return v != nil
	case *tree.Unary:
		return c.safe(e, x.X)
	case *tree.Binary:
		return c.safe(e, x.X) && c.safe(e, x.Y)
	case *tree.Conditional:
		return c.safe(e, x.Test) && c.safe(e, x.Then) && c.safe(e, x.Else)
	}
	return false
}

// scriptFlows finds the assignments in scripts.
func (c *Chart) scriptFlows() {
	for _, e := range c.exprs {
		if e.kind == datamodel.Script && e.code != nil {
			m := c.emitter(e)
			tree.EachStmt(e.code.Script, func(s tree.Stmt) {
				switch s := s.(type) {
				case *tree.ExprStmt:
					m.exprFlows(s.X)
				case *tree.Var:
					if s.Init != nil {
						m.flow(s.Name, s.Init, func() code { return m.value(s.Init) })
					}
				}
			})
		}
	}
}

func (m emitter) exprFlows(x tree.Expr) {
	switch x := x.(type) {
	case *tree.Assign, *tree.Update:
		if to, value, ok := m.assignment(x); ok {
			m.flow(to.Name, x, value)
		}
	case *tree.Sequence:
		for _, x := range x.List {
			m.exprFlows(x)
		}
	}
}

func (m emitter) flow(name string, x tree.Expr, value func() code) {
	if v := m.lookup(m.e, name); v != nil {
		m.flows = append(m.flows, &flow{to: v, expr: m.e, x: x, value: value})
	}
}

// assignment takes an assignment to a name apart.
func (m emitter) assignment(x tree.Expr) (to *tree.Name, value func() code, ok bool) {
	switch x := x.(type) {
	case *tree.Assign:
		to, ok = x.To.(*tree.Name)
		switch x.Op {
		case "":
			return to, func() code { return m.value(x.Value) }, ok
		case "&&", "||", "??":
			return to, func() code { return m.choice(&tree.Binary{At: x.At, Op: x.Op, X: to, Y: x.Value}) }, ok
		}
		return to, func() code { return operate(x.Op, m.value(to), m.value(x.Value)) }, ok
	case *tree.Update:
		to, ok = x.To.(*tree.Name)
		return to, func() code { return operate(x.Op[:1], m.value(to).asNumber(), numberConst(1)) }, ok
	}
	return nil, nil, false
}

// statement writes a statement of a script. A failure returns.
func (m emitter) statement(b *strings.Builder, s tree.Stmt) {
	switch s := s.(type) {
	case *tree.ExprStmt:
		m.exprStatement(b, s.X)
	case *tree.Var:
		v := m.lookup(m.e, s.Name)
		if v == nil || s.Init == nil {
			return
		}
		m.store(b, v, m.value(s.Init))
	case *tree.If:
		m.ifStatement(b, s)
	case *tree.Block:
		for _, s := range s.List {
			m.statement(b, s)
		}
	case *tree.Empty:
	default:
		m.unsupported(s, "%s: compiled scripts have assignments to scalars, if and else", tree.Words(s))
	}
}

func (m emitter) ifStatement(b *strings.Builder, s *tree.If) {
	test := m.truth(s.Test)
	var then, otherwise strings.Builder
	m.statement(&then, s.Then)
	if s.Else != nil {
		m.statement(&otherwise, s.Else)
	}
	if test.fails {
		fmt.Fprintf(b, "if test := %s; %s != \"\" {\nreturn\n} else if test {\n%s}", test.text, m.names.Err, then.String())
	} else {
		fmt.Fprintf(b, "if %s {\n%s}", test.text, then.String())
	}
	if otherwise.Len() > 0 {
		fmt.Fprintf(b, " else {\n%s}", otherwise.String())
	}
	b.WriteString("\n")
}

func (m emitter) exprStatement(b *strings.Builder, x tree.Expr) {
	switch x := x.(type) {
	case *tree.Sequence:
		for _, x := range x.List {
			m.exprStatement(b, x)
		}
		return
	case *tree.Assign, *tree.Update:
		to, value, ok := m.assignment(x)
		if !ok {
			m.checkTarget(x, target(x))
			return
		}
		v := m.lookup(m.e, to.Name)
		switch {
		case v != nil && !v.constant:
			if short := m.shortened(x, v); short != "" {
				b.WriteString(short + "\n")
				return
			}
			m.store(b, v, value())
		case isSystem(to.Name):
			m.evaluate(b, value())
			m.fail(b, readOnly(to.Name))
		case v != nil:
			m.evaluate(b, value())
			m.fail(b, "TypeError: Assignment to constant variable.")
		default:
			value()
			m.unsupported(x, "an assignment to %s, which is not declared: declare it with <data>", to.Name)
		}
		return
	}
	m.evaluate(b, m.value(x))
}

func target(x tree.Expr) tree.Expr {
	if a, ok := x.(*tree.Assign); ok {
		return a.To
	}
	return x.(*tree.Update).To
}

// checkTarget reports an assignment to what is not a name.
func (m emitter) checkTarget(x, to tree.Expr) {
	if a, ok := x.(*tree.Assign); ok {
		m.value(a.Value)
	}
	m.unsupported(to, "an assignment to a property: compiled expressions have scalars only")
}

// shortened returns an assignment in a short form of Go's, or "".
func (m emitter) shortened(x tree.Expr, v *variable) string {
	if m.solving {
		return ""
	}
	field := m.names.Field(v.name)
	switch x := x.(type) {
	case *tree.Update:
		if v.typ == Number {
			return field + x.Op
		}
	case *tree.Assign:
		c := m.value(x.Value)
		switch {
		case c.fails:
		case v.typ == Number && (x.Op == "+" || x.Op == "-") && c.rep == repNumber, v.typ == String && x.Op == "+":
			if v.typ == String {
				c = c.asText()
			}
			return field + " " + x.Op + "= " + c.rounded().text
		}
	}
	return ""
}

// evaluate writes an expression whose value does not matter.
func (m emitter) evaluate(b *strings.Builder, c code) {
	if c.fails {
		fmt.Fprintf(b, "_ = %s\n", c.text)
		m.check(b)
	}
}

// check writes what ends a script after a failure.
func (m emitter) check(b *strings.Builder) {
	fmt.Fprintf(b, "if %s != \"\" {\nreturn\n}\n", m.names.Err)
}

// fail writes a failure. The check does not make code after it unreachable, which linters report.
func (m emitter) fail(b *strings.Builder, msg string) {
	fmt.Fprintf(b, "%s = %s\n", m.names.Err, strconv.Quote(msg))
	m.check(b)
}

// store writes an assignment to a variable.
func (m emitter) store(b *strings.Builder, v *variable, c code) {
	c = m.kept(c)
	field := m.names.Field(v.name)
	if !c.fails {
		if text := c.rounded().to(v.typ).text; text != field {
			fmt.Fprintf(b, "%s = %s\n", field, text)
		}
		return
	}
	fmt.Fprintf(b, "if v := %s; %s != \"\" {\nreturn\n} else {\n%s = %s\n}\n", c.rounded().text, m.names.Err, field, c.named("v").to(v.typ).text)
}

// named returns a variable with the value of c.
func (c code) named(name string) code {
	return code{text: name, prec: precOperand, typ: c.typ, rep: c.rep}
}

// to returns c for a variable of these types. What always fails has none.
func (c code) to(typ Type) code {
	if c.rep == repValue && c.typ == 0 && typ.rep() != repValue {
		c.typ = typ
	}
	return c.as(typ.rep())
}

// kept says that a value is kept: it must be a scalar.
func (m emitter) kept(c code) code {
	if c.typ&Object == 0 {
		return c
	}
	c = call(repValue, c.typ&^Object, "js.Kept", code{text: "&" + m.names.Err}, c)
	c.fails = true
	return c
}

func readOnly(name string) string {
	return "TypeError: the system variable " + name + " cannot be changed"
}

// eachName calls f for each variable that an expression reads.
func (c *Chart) eachName(e *Expr, x tree.Expr, f func(*variable)) {
	switch x := x.(type) {
	case *tree.Name:
		if v := c.lookup(e, x.Name); v != nil {
			f(v)
		}
		return
	case *tree.Assign:
		if x.Op == "" { // what is assigned to is not read
			c.eachName(e, x.Value, f)
			return
		}
	}
	for _, inside := range tree.Children(x) {
		c.eachName(e, inside, f)
	}
}
