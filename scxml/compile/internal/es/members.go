package es

import (
	"github.com/scxmlrun/scxmlrun/datamodel"
	"github.com/scxmlrun/scxmlrun/datamodel/ecmascript/tree"
)

// MemberType returns the type that senders of an event give a member of its data, as the uses of the member show:
// Number, String or Bool, or 0 if they do not, or disagree. Any event may have another type all the same.
func (c *Chart) MemberType(name string) Type {
	if c.uses == nil {
		c.uses = map[string]Type{}
		defer func(whole bool) { c.whole = whole }(c.whole) // looking at an expression does not count
		for _, e := range c.exprs {
			switch {
			case e.code == nil:
			case e.kind == datamodel.Script:
				tree.EachStmt(e.code.Script, func(s tree.Stmt) { c.emitter(e).usesIn(s) })
			default:
				c.emitter(e).use(e.code.Expr, e.kind == datamodel.Condition)
			}
		}
	}
	if typ := c.uses[name]; typ == Number || typ == String || typ == Bool {
		return typ
	}
	return 0
}

func (m emitter) usesIn(s tree.Stmt) {
	switch s := s.(type) {
	case *tree.ExprStmt:
		m.use(s.X, false)
	case *tree.Var:
		if s.Init != nil {
			m.use(s.Init, false)
		}
	case *tree.If:
		m.use(s.Test, true)
	}
}

// use notes what the operators in an expression want of members.
func (m emitter) use(x tree.Expr, test bool) {
	wants := func(x tree.Expr, typ Type) {
		if f, ok := x.(*tree.Member); ok && m.isData(f.Of) {
			m.uses[f.Name] |= typ
		}
	}
	if test {
		wants(x, Undefined) // whether it is there may be asked
	}
	isTest := func(int) bool { return false }
	switch x := x.(type) {
	case *tree.Unary:
		if x.Op != "void" && x.Op != "typeof" && x.Op != "!" {
			wants(x.X, Number)
		}
		isTest = func(int) bool { return x.Op == "!" || x.Op == "typeof" }
	case *tree.Binary:
		switch x.Op {
		case "&&", "||", "??":
			isTest = func(i int) bool { return test || i == 0 }
		case "+": // a text can have anything in it
			wants(x.X, m.typeOfOther(x.Y)&^String)
			wants(x.Y, m.typeOfOther(x.X)&^String)
		case "==", "!=", "===", "!==", "<", "<=", ">", ">=":
			wants(x.X, m.typeOfOther(x.Y))
			wants(x.Y, m.typeOfOther(x.X))
		default:
			wants(x.X, Number)
			wants(x.Y, Number)
		}
	case *tree.Conditional:
		isTest = func(i int) bool { return test || i == 0 }
	case *tree.Call:
		f, ok := x.Func.(*tree.Member)
		if ok && m.isName(f.Of, "Math") || m.isName(x.Func, "Number") {
			for _, a := range x.Args {
				wants(a, Number)
			}
		}
	}
	for i, inside := range tree.Children(x) {
		m.use(inside, isTest(i))
	}
}

// typeOfOther returns the types of the other operand. Those of another member do not show anything.
func (m emitter) typeOfOther(x tree.Expr) Type {
	if f, ok := x.(*tree.Member); ok && m.isData(f.Of) {
		return 0
	}
	return m.value(x).typ
}
