// Package tree has the syntax trees of expressions, locations, scripts and content of charts, for
// programs that translate them. Function Tree of package ecmascript makes them.
//
// A tree has all of the text. What translators of scalar expressions do not need is an [Other], which
// says in words what it is, so that all of it can be reported at once.
package tree

import "github.com/scxmlrun/scxmlrun/datamodel"

// A Code is the tree of one piece of source. It does not change.
type Code struct {
	Source datamodel.Source
	Expr   Expr   // of an expression, a location and content; nil for a script
	Script []Stmt // of a script
}

// Position returns the place in the document of a node.
func (c *Code) Position(n Node) datamodel.Position { return c.Source.Position(n.Offset()) }

// A Node is an [Expr] or a [Stmt].
type Node interface {
	// Offset returns where the node begins, in bytes of the text of the source.
	Offset() int
}

// An At is the offset of a node.
type At int

// Offset implements [Node].
func (a At) Offset() int { return int(a) }

// An Expr is an expression: a pointer to one of the types of this package. Parentheses do not have a
// node.
type Expr interface {
	Node
	expr()
}

// A Stmt is a statement.
type Stmt interface {
	Node
	stmt()
}

type (
	// A Number is a literal number.
	Number struct {
		At
		Value float64
	}
	// A String is a literal string without half a surrogate pair, which Go's strings cannot have.
	String struct {
		At
		Value string
	}
	// A Bool is true or false.
	Bool struct {
		At
		Value bool
	}
	// A Null is null.
	Null struct{ At }
	// A Name is a variable, undefined, NaN and Infinity included.
	Name struct {
		At
		Name string
	}
	// A Member is a property with a name that the text shows: a.b, a["b"].
	Member struct {
		At
		Of       Expr
		Name     string
		Optional bool // a?.b
	}
	// An Index is a property with a computed name: a[b].
	Index struct {
		At
		Of, Key  Expr
		Optional bool // a?.[b]
	}
	// A Chain is all of what an Optional inside of it may leave out, with the value undefined: a?.b.c.
	Chain struct {
		At
		X Expr
	}
	// A Call is a call of a function or method.
	Call struct {
		At
		Func     Expr
		Args     []Expr
		Optional bool // f?.(x)
	}
	// A Unary is one of + - ! ~ typeof void.
	Unary struct {
		At
		Op string
		X  Expr
	}
	// A Binary is one of + - * / % ** & | ^ << >> >>> == != === !== < > <= >=, or of && || ??, which may
	// leave out Y.
	Binary struct {
		At
		Op   string
		X, Y Expr
	}
	// A Conditional is Test ? Then : Else.
	Conditional struct {
		At
		Test, Then, Else Expr
	}
	// A Sequence has the value of the last of its expressions: a, b.
	Sequence struct {
		At
		List []Expr
	}
	// A Template is a template literal, without half a surrogate pair: Texts[0], Values[0], Texts[1] and so
	// on, with one text more than values.
	Template struct {
		At
		Texts  []string
		Values []Expr
	}
	// An Assign is an assignment: =, or the same after an operator of a Binary.
	Assign struct {
		At
		Op        string // that of the Binary, or ""
		To, Value Expr
	}
	// An Update is ++ or --.
	Update struct {
		At
		Op     string
		To     Expr
		Prefix bool
	}
	// An Other is anything else.
	Other struct {
		At
		What string // "an arrow function"
	}
)

func (*Number) expr()      {}
func (*String) expr()      {}
func (*Bool) expr()        {}
func (*Null) expr()        {}
func (*Name) expr()        {}
func (*Member) expr()      {}
func (*Index) expr()       {}
func (*Chain) expr()       {}
func (*Call) expr()        {}
func (*Unary) expr()       {}
func (*Binary) expr()      {}
func (*Conditional) expr() {}
func (*Sequence) expr()    {}
func (*Template) expr()    {}
func (*Assign) expr()      {}
func (*Update) expr()      {}
func (*Other) expr()       {}
func (*Other) stmt()       {}

type (
	// An ExprStmt is an expression as a statement.
	ExprStmt struct {
		At
		X Expr
	}
	// A Var declares a variable.
	Var struct {
		At
		Kind string // var, let or const
		Name string
		Init Expr // may be nil
	}
	// An If is a statement if. Its offset is that of Test.
	If struct {
		At
		Test Expr
		Then Stmt
		Else Stmt // may be nil
	}
	// A Block has statements in braces.
	Block struct {
		At
		List []Stmt
	}
	// An Empty is an empty statement.
	Empty struct{ At }
)

func (*ExprStmt) stmt() {}
func (*Var) stmt()      {}
func (*If) stmt()       {}
func (*Block) stmt()    {}
func (*Empty) stmt()    {}

// Children returns the expressions that x has inside, in the order of the text.
func Children(x Expr) []Expr {
	switch x := x.(type) {
	case *Member:
		return []Expr{x.Of}
	case *Index:
		return []Expr{x.Of, x.Key}
	case *Chain:
		return []Expr{x.X}
	case *Call:
		return append([]Expr{x.Func}, x.Args...)
	case *Unary:
		return []Expr{x.X}
	case *Binary:
		return []Expr{x.X, x.Y}
	case *Conditional:
		return []Expr{x.Test, x.Then, x.Else}
	case *Sequence:
		return x.List
	case *Template:
		return x.Values
	case *Assign:
		return []Expr{x.To, x.Value}
	case *Update:
		return []Expr{x.To}
	}
	return nil
}

// EachStmt calls f for statements, and for all that are inside of them.
func EachStmt(list []Stmt, f func(Stmt)) {
	for _, s := range list {
		f(s)
		switch s := s.(type) {
		case *If:
			EachStmt([]Stmt{s.Then}, f)
			if s.Else != nil {
				EachStmt([]Stmt{s.Else}, f)
			}
		case *Block:
			EachStmt(s.List, f)
		}
	}
}
