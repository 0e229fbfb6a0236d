package es

import (
	"github.com/scxmlrun/scxmlrun/datamodel"
	"github.com/scxmlrun/scxmlrun/datamodel/ecmascript/tree"
)

// A Use is an operator that takes a member of the data of an event for one of some types.
type Use struct {
	Member   string
	Type     Type
	Converts bool // it makes that type of any other: Number(x)
	Pos      datamodel.Position
	Expr     *Expr // that it is in
}

// Uses returns the uses of members of the data of events.
func (c *Chart) Uses() []Use {
	if !c.noted {
		c.noted = true
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
	return c.uses
}

// MemberType returns the type that senders of an event give a member of its data, as the uses of the member show:
// Number, String or Bool, or 0 if they disagree, or do not show any: then used is false. Any event may have another type
// all the same.
func (c *Chart) MemberType(name string) (typ Type, used bool) {
	for _, u := range c.Uses() {
		if u.Member == name {
			typ |= u.Type
		}
	}
	return typ.Scalar(), typ != 0
}

// Scalar returns the type if values of it have a Go type of their own, and otherwise 0.
func (t Type) Scalar() Type {
	if t.rep() == repValue {
		return 0
	}
	return t
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
	note := func(x tree.Expr, typ Type, converts bool) {
		if f, ok := x.(*tree.Member); ok && m.isData(f.Of) {
			m.uses = append(m.uses, Use{f.Name, typ, converts, m.e.code.Position(f), m.e})
		}
	}
	wants := func(x tree.Expr, typ Type) { note(x, typ, false) }
	converts := func(x tree.Expr, typ Type) { note(x, typ, true) }
	if test {
		converts(x, Undefined) // whether it is there may be asked
	}
	isTest := func(int) bool { return false }
	switch x := x.(type) {
	case *tree.Unary:
		if x.Op != "void" && x.Op != "typeof" && x.Op != "!" {
			converts(x.X, Number)
		}
		isTest = func(int) bool { return x.Op == "!" || x.Op == "typeof" }
	case *tree.Binary:
		switch x.Op {
		case "&&", "||", "??":
			isTest = func(i int) bool { return test || i == 0 }
		case "+": // a text can have anything in it
			converts(x.X, m.typeOfOther(x.Y)&^String)
			converts(x.Y, m.typeOfOther(x.X)&^String)
		case "==", "!=", "===", "!==", "<", "<=", ">", ">=":
			wants(x.X, m.typeOfOther(x.Y))
			wants(x.Y, m.typeOfOther(x.X))
		case "in", "instanceof":
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
				converts(a, Number)
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
