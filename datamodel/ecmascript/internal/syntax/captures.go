package syntax

import (
	"slices"

	"github.com/dop251/goja/ast"
	"github.com/dop251/goja/file"
	"github.com/dop251/goja/token"
	"github.com/dop251/goja/unistring"
)

// A binding is a variable of a function or a block. A function that captures it can be made again
// if it is a constant, or a function that cannot be told from another of the same text.
type binding struct {
	name     string
	scope    *scope
	init     ast.Expression // its first value
	literal  *Function      // the function that is its value
	declared *ast.FunctionLiteral
	changed  bool // it has several values or declarations
	shown    bool // a function that captures it does more than call it
}

// settle finds the values that the variables of a block get once and unconditionally.
func (s *scope) settle(list []ast.Statement) {
	straight := true
	values := func(list []*ast.Binding) {
		for _, b := range list {
			id, ok := b.Target.(*ast.Identifier)
			if !ok || b.Initializer == nil {
				continue
			}
			if v := s.names[id.Name.String()]; v != nil {
				v.changed = v.changed || v.init != nil || v.declared != nil || !straight
				v.init = b.Initializer
			}
		}
	}
	for _, st := range list {
		switch st := st.(type) {
		case *ast.VariableStatement:
			values(st.List)
		case *ast.LexicalDeclaration:
			values(st.List)
		case *ast.FunctionDeclaration:
			v := s.names[st.Function.Name.Name.String()]
			v.changed = v.changed || v.init != nil || v.declared != nil
			v.declared = st.Function
		case *ast.EmptyStatement:
		case *ast.ExpressionStatement:
			// A script may fail here, and leave a function that uses a variable which never got its
			// value.
			_, directive := st.Expression.(*ast.StringLiteral)
			straight = straight && directive
		default:
			straight = false
		}
	}
}

// lookup returns the binding that a name has here, or nil for a global one.
func (s *scope) lookup(name string) *binding {
	for ; s.outer != nil; s = s.outer {
		if b := s.names[name]; b != nil {
			return b
		}
	}
	return nil
}

// captured says why l cannot be made again because of what it captures.
func (l *Function) captured(open []*Function) string {
	if l.Captures != "" {
		return l.Captures
	}
	for _, b := range l.uses {
		what := `captures the variable "` + b.name + `"`
		switch {
		case b.changed:
			return what
		case b.literal != nil:
			if b.shown || b.literal.Class || b.literal.strict != l.strict {
				return what
			}
			if slices.Contains(open, b.literal) {
				continue
			}
			if b.literal.captured(append(open, l)) != "" {
				return what
			}
		case b.init == nil || !b.scope.constant(b.init):
			return what
		}
	}
	return ""
}

// constant reports whether an expression has the same primitive value in every evaluation in s.
func (s *scope) constant(e ast.Expression) bool {
	switch e := e.(type) {
	case *ast.NumberLiteral, *ast.StringLiteral, *ast.BooleanLiteral, *ast.NullLiteral:
		return true
	case *ast.UnaryExpression:
		switch e.Operator {
		case token.PLUS, token.MINUS, token.NOT, token.BITWISE_NOT:
			return s.constant(e.Operand)
		}
	case *ast.BinaryExpression:
		return e.Operator != token.IN && e.Operator != token.INSTANCEOF && s.constant(e.Left) && s.constant(e.Right)
	case *ast.CallExpression: // see bound.go
		id, ok := e.Callee.(*ast.Identifier)
		return ok && IsBound(id.Name.String()) && !slices.ContainsFunc(e.ArgumentList, func(arg ast.Expression) bool { return !s.constant(arg) })
	case *ast.Identifier:
		// It must come before, in the same scope.
		b := s.lookup(e.Name.String())
		return b != nil && b.scope == s && !b.changed && b.literal == nil && b.init != nil && b.init.Idx0() < e.Idx && s.constant(b.init)
	}
	return false
}

// needs returns the bindings that l needs, directly or not, those of outer scopes first.
func (l *Function) needs() []*binding {
	var all []*binding
	var add func(b *binding)
	add = func(b *binding) {
		if slices.Contains(all, b) {
			return
		}
		all = append(all, b)
		if b.literal != nil {
			for _, other := range b.literal.uses {
				add(other)
			}
			return
		}
		b.scope.eachConstant(b.init, add)
	}
	for _, b := range l.uses {
		add(b)
	}
	slices.SortFunc(all, func(a, b *binding) int {
		if a.scope.level != b.scope.level {
			return a.scope.level - b.scope.level
		}
		return int(a.place() - b.place())
	})
	return all
}

// place returns where a binding gets its value.
func (b *binding) place() file.Idx {
	if b.declared != nil {
		return b.declared.Function
	}
	return b.init.Idx0()
}

// eachConstant calls f for the bindings that a constant expression names.
func (s *scope) eachConstant(e ast.Expression, f func(*binding)) {
	switch e := e.(type) {
	case *ast.UnaryExpression:
		s.eachConstant(e.Operand, f)
	case *ast.BinaryExpression:
		s.eachConstant(e.Left, f)
		s.eachConstant(e.Right, f)
	case *ast.CallExpression:
		for _, arg := range e.ArgumentList {
			s.eachConstant(arg, f)
		}
	case *ast.Identifier:
		f(s.lookup(e.Name.String()))
	}
}

// enclose returns an expression with the value of x, within functions that declare the bindings,
// nested like their scopes.
func enclose(x ast.Expression, needs []*binding) ast.Expression {
	for end := len(needs); end > 0; {
		begin := end - 1
		for begin > 0 && needs[begin-1].scope == needs[begin].scope {
			begin--
		}
		var body []ast.Statement
		for _, b := range needs[begin:end] {
			if b.declared != nil {
				body = append(body, &ast.FunctionDeclaration{Function: b.declared})
				continue
			}
			at := b.init.Idx0()
			body = append(body, &ast.LexicalDeclaration{Idx: at, Token: token.CONST, List: []*ast.Binding{{
				Target:      &ast.Identifier{Name: unistring.NewFromString(b.name), Idx: at},
				Initializer: b.init,
			}}})
		}
		body = append(body, &ast.ReturnStatement{Return: x.Idx0(), Argument: x})
		x = &ast.CallExpression{Callee: &ast.ArrowFunctionLiteral{
			Start:         x.Idx0(),
			ParameterList: &ast.ParameterList{},
			Body:          &ast.BlockStatement{List: body},
		}}
		end = begin
	}
	return x
}

// A scope binds names. The outermost one is the global scope.
type scope struct {
	outer    *scope
	level    int
	names    map[string]*binding
	function bool // has a this and arguments of its own
	callable bool // is that of a function, arrow functions included
	with     bool // may have any name
}

func (s *scope) declare(name string) {
	if s.names[name] == nil {
		s.names[name] = &binding{name: name, scope: s}
	}
}

// declareAll declares what the statements of a block declare in it.
func (s *scope) declareAll(list []ast.Statement) {
	for _, st := range list {
		switch st.(type) {
		case *ast.LexicalDeclaration, *ast.ClassDeclaration, *ast.FunctionDeclaration:
			EachName(st, s.declare)
		}
	}
}

// EachName calls f for the names that a declaration, a parameter list or a pattern binds.
func EachName(e any, f func(string)) {
	switch e := e.(type) {
	case *ast.Identifier:
		if e != nil {
			f(e.Name.String())
		}
	case *ast.Binding:
		EachName(e.Target, f)
	case *ast.AssignExpression:
		EachName(e.Left, f)
	case *ast.ArrayPattern:
		for _, item := range e.Elements {
			EachName(item, f)
		}
		EachName(e.Rest, f)
	case *ast.ObjectPattern:
		for _, p := range e.Properties {
			switch p := p.(type) {
			case *ast.PropertyShort:
				f(p.Name.Name.String())
			case *ast.PropertyKeyed:
				EachName(p.Value, f)
			}
		}
		EachName(e.Rest, f)
	case *ast.ParameterList:
		if e != nil {
			EachName(e.List, f)
			EachName(e.Rest, f)
		}
	case []*ast.VariableDeclaration:
		for _, d := range e {
			EachName(d.List, f)
		}
	case []*ast.Binding:
		for _, b := range e {
			EachName(b, f)
		}
	case *ast.LexicalDeclaration:
		EachName(e.List, f)
	case *ast.ForLoopInitializerLexicalDecl:
		EachName(e.LexicalDeclaration.List, f)
	case *ast.ForDeclaration:
		EachName(e.Target, f)
	case *ast.ClassDeclaration:
		EachName(e.Class.Name, f)
	case *ast.FunctionDeclaration:
		EachName(e.Function.Name, f)
	}
}

func isStrict(body []ast.Statement) bool {
	for _, s := range body {
		x, ok := s.(*ast.ExpressionStatement)
		if !ok {
			return false
		}
		lit, ok := x.Expression.(*ast.StringLiteral)
		if !ok {
			return false
		}
		if len(lit.Literal) == len(`"use strict"`) && lit.Literal[1:len(lit.Literal)-1] == "use strict" {
			return true
		}
	}
	return false
}
