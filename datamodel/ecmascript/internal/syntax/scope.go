package syntax

import "github.com/dop251/goja/ast"

// A scope is what binds names. The outermost one is the global scope.
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
		switch st := st.(type) {
		case *ast.LexicalDeclaration:
			for _, b := range st.List {
				eachName(b, s.declare)
			}
		case *ast.ClassDeclaration:
			s.declare(st.Class.Name.Name.String())
		case *ast.FunctionDeclaration:
			s.declare(st.Function.Name.Name.String())
		}
	}
}

// eachName calls f for the names that a binding binds.
func eachName(e any, f func(string)) {
	switch e := e.(type) {
	case *ast.Binding:
		eachName(e.Target, f)
	case *ast.Identifier:
		if e != nil {
			f(e.Name.String())
		}
	case *ast.AssignExpression:
		eachName(e.Left, f)
	case *ast.ArrayPattern:
		for _, item := range e.Elements {
			eachName(item, f)
		}
		eachName(e.Rest, f)
	case *ast.ObjectPattern:
		for _, p := range e.Properties {
			switch p := p.(type) {
			case *ast.PropertyShort:
				f(p.Name.Name.String())
			case *ast.PropertyKeyed:
				eachName(p.Value, f)
			}
		}
		eachName(e.Rest, f)
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
