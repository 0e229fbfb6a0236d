package tree

// Children returns the expressions that x has inside, in the order of the text. The body of a function is not among
// them.
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
	case *New:
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
	case *Array:
		return present(x.Items...)
	case *Object:
		var all []Expr
		for _, p := range x.Props {
			all = append(all, p.Key, p.Value)
		}
		return all
	}
	return nil
}

func present(list ...Expr) []Expr {
	var all []Expr
	for _, x := range list {
		if x != nil {
			all = append(all, x)
		}
	}
	return all
}

// Exprs returns the expressions of a statement, without those of the statements inside of it.
func Exprs(s Stmt) []Expr {
	switch s := s.(type) {
	case *ExprStmt:
		return []Expr{s.X}
	case *Var:
		return present(s.Init)
	case *If:
		return []Expr{s.Test}
	case *For:
		return present(s.Test, s.Update)
	case *ForIn:
		return []Expr{s.X}
	case *While:
		return []Expr{s.Test}
	case *Switch:
		all := []Expr{s.X}
		for _, c := range s.Cases {
			all = append(all, present(c.Test)...)
		}
		return all
	case *Return:
		return present(s.X)
	case *Throw:
		return []Expr{s.X}
	}
	return nil
}

// Stmts returns the statements that s has inside. The body of a function is not among them.
func Stmts(s Stmt) []Stmt {
	block := func(b *Block) []Stmt {
		if b == nil {
			return nil
		}
		return b.List
	}
	switch s := s.(type) {
	case *If:
		if s.Else == nil {
			return []Stmt{s.Then}
		}
		return []Stmt{s.Then, s.Else}
	case *Block:
		return s.List
	case *For:
		return append(s.Init[:len(s.Init):len(s.Init)], s.Body)
	case *ForIn:
		return []Stmt{s.Body}
	case *While:
		return []Stmt{s.Body}
	case *Switch:
		var all []Stmt
		for _, c := range s.Cases {
			all = append(all, c.Body...)
		}
		return all
	case *Labelled:
		return []Stmt{s.Stmt}
	case *Try:
		return append(append(s.Body[:len(s.Body):len(s.Body)], block(s.Catch)...), block(s.Finally)...)
	}
	return nil
}

// EachStmt calls f for statements, and for all that are inside of them.
func EachStmt(list []Stmt, f func(Stmt)) {
	for _, s := range list {
		f(s)
		EachStmt(Stmts(s), f)
	}
}

// Words says what a node is, in words of the author of the code.
func Words(n Node) string {
	switch n := n.(type) {
	case *Array:
		return "an array"
	case *Object:
		return "an object"
	case *Func:
		if n.Arrow {
			return "an arrow function"
		}
		return "a function"
	case *FuncDecl:
		return "a function"
	case *New:
		return "the operator new"
	case *For, *While:
		return "a loop"
	case *ForIn:
		if n.Each {
			return "a loop for … of"
		}
		return "a loop for … in"
	case *Switch:
		return "a statement switch"
	case *Return:
		return "a statement return"
	case *Jump:
		if n.Continue {
			return "a statement continue"
		}
		return "a statement break"
	case *Labelled:
		return "a label"
	case *Throw:
		return "a statement throw"
	case *Try:
		return "a statement try"
	case *Other:
		return n.What
	case *Unary:
		return "the operator " + n.Op
	case *Binary:
		return "the operator " + n.Op
	case *Update:
		return "the operator " + n.Op
	case *Assign:
		return "an assignment"
	case *Sequence:
		return "a sequence of expressions"
	case *Conditional:
		return "the operator ?:"
	case *Number:
		return "a number"
	case *String:
		return "a string"
	case *Template:
		return "a template"
	case *Bool:
		return "true or false"
	case *Null:
		return "null"
	case *Name:
		return "a variable"
	case *Member, *Index, *Chain:
		return "a property"
	case *Call:
		return "a call"
	case Stmt:
		return "a statement"
	}
	return "an expression"
}
