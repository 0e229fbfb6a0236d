// Package tree has the syntax trees of expressions, locations, scripts and content of charts, for
// programs that translate them. Function Tree of package ecmascript makes them:
//
//	code, err := ecmascript.Tree(datamodel.Condition, datamodel.Source{Text: "count < limit"})
//	…
//	for _, child := range tree.Children(code.Expr) {
//		fmt.Println(tree.Words(child), "at", child.Offset())
//	}
//
// A tree has all of the text. What no translator needs is an [Other], which says in words what it is, so
// that all of it can be reported at once.
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
	// A Unary is one of + - ! ~ typeof void delete.
	Unary struct {
		At
		Op string
		X  Expr
	}
	// A Binary is one of + - * / % ** & | ^ << >> >>> == != === !== < > <= >= in instanceof, or of && || ??, which
	// may leave out Y.
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
	// An Array is an array literal; a hole in it is nil.
	Array struct {
		At
		Items []Expr
	}
	// An Object is an object literal, without accessors and spread syntax.
	Object struct {
		At
		Props []Prop
	}
	// A Func is a function, other than an async one and a generator. The body of an arrow function that has an expression
	// only is a Return.
	Func struct {
		At
		Name   string // "" without one
		Params []Param
		Body   []Stmt
		Arrow  bool
	}
	// A New is the operator new.
	New struct {
		At
		Func Expr
		Args []Expr
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
func (*Array) expr()       {}
func (*Object) expr()      {}
func (*Func) expr()        {}
func (*New) expr()         {}
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
	// A FuncDecl declares a function.
	FuncDecl struct {
		At
		Func *Func
	}
	// A For is a loop with three parts, each of which may be missing. Init has declarations of variables, or an
	// expression.
	For struct {
		At
		Init         []Stmt
		Test, Update Expr
		Body         Stmt
	}
	// A ForIn is a loop over the names or, with Each, over the items of X.
	ForIn struct {
		At
		Each bool   // for … of
		Kind string // var, let or const; "" if Name is a variable that is there
		Name string
		X    Expr
		Body Stmt
	}
	// A While is a loop while or, with Do, do … while.
	While struct {
		At
		Do   bool
		Test Expr
		Body Stmt
	}
	// A Switch is a statement switch.
	Switch struct {
		At
		X     Expr
		Cases []Case
	}
	// A Return is a statement return.
	Return struct {
		At
		X Expr // may be nil
	}
	// A Jump is break or continue.
	Jump struct {
		At
		Continue bool
		Label    string // "" without one
	}
	// A Labelled is a statement with a label.
	Labelled struct {
		At
		Label string
		Stmt  Stmt
	}
	// A Throw is a statement throw.
	Throw struct {
		At
		X Expr
	}
	// A Try is a statement try.
	Try struct {
		At
		Body    []Stmt
		Param   string // of Catch; "" without one
		Catch   *Block // may be nil
		Finally *Block // may be nil
	}
)

// A Prop is a member of an object literal.
type Prop struct {
	Key   Expr // a String, or what computes the name
	Value Expr
}

// A Param is a parameter of a function.
type Param struct {
	At
	Name    string
	Default Expr // may be nil
}

// A Case is a case of a Switch.
type Case struct {
	Test Expr // nil for default
	Body []Stmt
}

func (*ExprStmt) stmt() {}
func (*Var) stmt()      {}
func (*If) stmt()       {}
func (*Block) stmt()    {}
func (*Empty) stmt()    {}
func (*FuncDecl) stmt() {}
func (*For) stmt()      {}
func (*ForIn) stmt()    {}
func (*While) stmt()    {}
func (*Switch) stmt()   {}
func (*Return) stmt()   {}
func (*Jump) stmt()     {}
func (*Labelled) stmt() {}
func (*Throw) stmt()    {}
func (*Try) stmt()      {}
