package pure

import (
	"github.com/dop251/goja/ast"
	"github.com/dop251/goja/token"

	"github.com/scxmlrun/scxmlrun/datamodel/ecmascript/internal/syntax"
)

func (r *rewriter) function(n *ast.FunctionLiteral) ast.Expression {
	if n.Async || n.Generator {
		return refuse(n, "makes an asynchronous function or a generator")
	}
	c := *n
	c.Source = watched
	r.push()
	r.declare("arguments")
	if n.Name != nil {
		r.declare(n.Name.Name.String())
	}
	c.ParameterList, c.Body = r.body(n.ParameterList, n.DeclarationList, n.Body)
	r.pop()
	return &c
}

func (r *rewriter) arrow(n *ast.ArrowFunctionLiteral) ast.Expression {
	if n.Async {
		return refuse(n, "makes an asynchronous function")
	}
	c := *n
	c.Source = watched
	r.push()
	r.depth-- // it has no this of its own
	switch body := n.Body.(type) {
	case *ast.BlockStatement:
		c.ParameterList, c.Body = r.body(n.ParameterList, n.DeclarationList, body)
	case *ast.ExpressionBody:
		list := []ast.Statement{&ast.ReturnStatement{Return: body.Idx0(), Argument: body.Expression}}
		c.ParameterList, c.Body = r.body(n.ParameterList, nil, &ast.BlockStatement{LeftBrace: body.Idx0(), List: list, RightBrace: body.Idx1()})
	}
	r.depth++
	r.pop()
	return &c
}

// body returns parameters and body of a function. Patterns among the parameters become variables.
func (r *rewriter) body(params *ast.ParameterList, vars []*ast.VariableDeclaration, body *ast.BlockStatement) (*ast.ParameterList, *ast.BlockStatement) {
	p, b := *params, *body
	r.depth++
	defer func() { r.depth-- }()
	for _, param := range params.List {
		syntax.EachName(param, r.declare)
	}
	if _, ok := params.Rest.(*ast.Identifier); params.Rest != nil && !ok || patternsClash(params.List, vars) {
		b.List = []ast.Statement{r.refusal(body, "has patterns among its parameters that are not simple")}
		return &ast.ParameterList{}, &b
	}
	syntax.EachName(params.Rest, r.declare)
	for _, d := range vars {
		for _, v := range d.List {
			syntax.EachName(v, r.declare)
		}
	}
	r.declareAll(body.List)
	var opened []ast.Statement
	p.List = make([]*ast.Binding, len(params.List))
	for i, param := range params.List {
		p.List[i] = &ast.Binding{Target: param.Target, Initializer: r.expr(param.Initializer)}
		if _, ok := param.Target.(*ast.Identifier); !ok {
			t := r.temp(param)
			p.List[i].Target = t
			target, value := r.pattern(param.Target, t)
			opened = append(opened, &ast.LexicalDeclaration{Idx: param.Idx0(), Token: token.LET, List: []*ast.Binding{{Target: target, Initializer: value}}})
		}
	}
	b.List = r.statements(body.List)
	if len(opened) > 0 {
		b.List = append(opened, &ast.BlockStatement{LeftBrace: b.LeftBrace, List: b.List, RightBrace: b.RightBrace})
	}
	return &p, &b
}

// patternsClash reports whether patterns among parameters cannot become variables of the body: a
// default may name them, or var declares them anew.
func patternsClash(params []*ast.Binding, vars []*ast.VariableDeclaration) bool {
	names := map[string]bool{}
	for _, p := range params {
		if _, ok := p.Target.(*ast.Identifier); !ok {
			syntax.EachName(p.Target, func(name string) { names[name] = true })
		}
	}
	clash := false
	for _, p := range params {
		switch x := p.Initializer.(type) {
		case nil, *ast.NumberLiteral, *ast.StringLiteral, *ast.BooleanLiteral, *ast.NullLiteral:
		case *ast.ObjectLiteral:
			clash = clash || len(x.Value) > 0
		case *ast.ArrayLiteral:
			clash = clash || len(x.Value) > 0
		default:
			clash = true
		}
	}
	if len(names) == 0 {
		return false
	}
	for _, d := range vars {
		for _, v := range d.List {
			syntax.EachName(v, func(name string) { clash = clash || names[name] })
		}
	}
	return clash
}

func (r *rewriter) declareAll(list []ast.Statement) {
	for _, s := range list {
		switch s := s.(type) {
		case *ast.LexicalDeclaration:
			for _, b := range s.List {
				syntax.EachName(b, r.declare)
			}
		case *ast.FunctionDeclaration:
			r.declare(s.Function.Name.Name.String())
		}
	}
}

func (r *rewriter) refusal(at ast.Node, what string) ast.Statement {
	return &ast.ExpressionStatement{Expression: refuse(at, "%s", what)}
}

// pattern returns a pattern, and its value after a look at what the pattern reads of it.
func (r *rewriter) pattern(p ast.BindingTarget, value ast.Expression) (ast.BindingTarget, ast.Expression) {
	nested := refuse(p, "takes data apart by a pattern within a pattern")
	item := func(e ast.Expression) (ast.Expression, bool) { // a name, maybe with a default
		if a, ok := e.(*ast.AssignExpression); ok {
			_, ok = a.Left.(*ast.Identifier)
			return &ast.AssignExpression{Operator: a.Operator, Left: a.Left, Right: r.expr(a.Right)}, ok
		}
		_, ok := e.(*ast.Identifier)
		return e, ok || e == nil
	}
	switch p := p.(type) {
	case *ast.ArrayPattern:
		c := *p
		c.Elements = make([]ast.Expression, len(p.Elements))
		for i, e := range p.Elements {
			var ok bool
			if c.Elements[i], ok = item(e); !ok {
				return p, nested
			}
		}
		if _, ok := item(p.Rest); !ok {
			return p, nested
		}
		return &c, do(opIterate, p, value)
	case *ast.ObjectPattern:
		c := *p
		c.Properties = make([]ast.Property, len(p.Properties))
		open := []ast.Expression{value}
		for i, e := range p.Properties {
			switch e := e.(type) {
			case *ast.PropertyShort:
				c.Properties[i] = &ast.PropertyShort{Name: e.Name, Initializer: r.expr(e.Initializer)}
				open = append(open, &ast.StringLiteral{Idx: e.Name.Idx, Value: e.Name.Name})
			case *ast.PropertyKeyed:
				to, ok := item(e.Value)
				key, constant := e.Key.(*ast.StringLiteral)
				if !ok || !constant {
					return p, nested
				}
				k := *e
				k.Value = to
				c.Properties[i] = &k
				open = append(open, key)
			}
		}
		value = do(opOpen, p, open...)
		if p.Rest != nil {
			value = do(opSpread, p, value)
		}
		return &c, value
	}
	return p, value
}

func (r *rewriter) bindings(list []*ast.Binding) []*ast.Binding {
	out := make([]*ast.Binding, len(list))
	for i, b := range list {
		out[i] = &ast.Binding{Target: b.Target, Initializer: r.expr(b.Initializer)}
		if b.Initializer != nil {
			out[i].Target, out[i].Initializer = r.pattern(b.Target, out[i].Initializer)
		}
	}
	return out
}

func (r *rewriter) statements(list []ast.Statement) []ast.Statement {
	out := make([]ast.Statement, len(list))
	for i, s := range list {
		out[i] = r.statement(s)
	}
	return out
}

func (r *rewriter) block(b *ast.BlockStatement) *ast.BlockStatement {
	if b == nil {
		return nil
	}
	r.push()
	defer r.pop()
	r.declareAll(b.List)
	return &ast.BlockStatement{LeftBrace: b.LeftBrace, List: r.statements(b.List), RightBrace: b.RightBrace}
}

// statement returns a statement in its rewritten form.
func (r *rewriter) statement(s ast.Statement) ast.Statement {
	switch s := s.(type) {
	case nil, *ast.EmptyStatement, *ast.BranchStatement, *ast.DebuggerStatement:
		return s
	case *ast.BlockStatement:
		return r.block(s)
	case *ast.ExpressionStatement:
		if _, ok := s.Expression.(*ast.StringLiteral); ok { // "use strict"
			return s
		}
		return &ast.ExpressionStatement{Expression: r.expr(s.Expression)}
	case *ast.VariableStatement:
		return &ast.VariableStatement{Var: s.Var, List: r.bindings(s.List)}
	case *ast.LexicalDeclaration:
		return &ast.LexicalDeclaration{Idx: s.Idx, Token: s.Token, List: r.bindings(s.List)}
	case *ast.FunctionDeclaration:
		if f, ok := r.function(s.Function).(*ast.FunctionLiteral); ok {
			return &ast.FunctionDeclaration{Function: f}
		}
		f := *s.Function // it is hoisted, and refuses when it is called
		f.Async, f.Generator, f.Source = false, false, watched
		f.ParameterList, f.DeclarationList = &ast.ParameterList{}, nil
		f.Body = &ast.BlockStatement{LeftBrace: f.Body.LeftBrace, List: []ast.Statement{r.refusal(s, "is asynchronous or a generator")}}
		return &ast.FunctionDeclaration{Function: &f}
	case *ast.ReturnStatement:
		return &ast.ReturnStatement{Return: s.Return, Argument: r.expr(s.Argument)}
	case *ast.ThrowStatement:
		return &ast.ThrowStatement{Throw: s.Throw, Argument: r.expr(s.Argument)}
	case *ast.IfStatement:
		return &ast.IfStatement{If: s.If, Test: r.expr(s.Test), Consequent: r.statement(s.Consequent), Alternate: r.statement(s.Alternate)}
	case *ast.WhileStatement:
		return &ast.WhileStatement{While: s.While, Test: r.expr(s.Test), Body: r.statement(s.Body)}
	case *ast.DoWhileStatement:
		return &ast.DoWhileStatement{Do: s.Do, Test: r.expr(s.Test), Body: r.statement(s.Body), RightParenthesis: s.RightParenthesis}
	case *ast.LabelledStatement:
		return &ast.LabelledStatement{Label: s.Label, Colon: s.Colon, Statement: r.statement(s.Statement)}
	case *ast.ForStatement, *ast.ForInStatement, *ast.ForOfStatement:
		r.push()
		defer r.pop()
		return r.loop(s)
	case *ast.SwitchStatement:
		c := *s
		c.Discriminant, c.Body = r.expr(s.Discriminant), make([]*ast.CaseStatement, len(s.Body))
		r.push()
		defer r.pop()
		for _, b := range s.Body {
			r.declareAll(b.Consequent)
		}
		for i, b := range s.Body {
			c.Body[i] = &ast.CaseStatement{Case: b.Case, Test: r.expr(b.Test), Consequent: r.statements(b.Consequent)}
		}
		return &c
	case *ast.TryStatement:
		c := *s
		c.Body, c.Finally = r.block(s.Body), r.block(s.Finally)
		if s.Catch != nil {
			r.push()
			defer r.pop()
			syntax.EachName(s.Catch.Parameter, r.declare)
			switch s.Catch.Parameter.(type) {
			case nil, *ast.Identifier:
			default:
				return r.refusal(s, "takes an error apart by a pattern")
			}
			c.Catch = &ast.CatchStatement{Catch: s.Catch.Catch, Parameter: s.Catch.Parameter, Body: r.block(s.Catch.Body)}
		}
		return &c
	case *ast.WithStatement:
		return r.refusal(s, "uses with")
	case *ast.ClassDeclaration:
		return r.refusal(s, "makes a class")
	}
	return r.refusal(s, "uses a statement that is not known")
}

// loop returns a loop, for whose variables there is a scope.
func (r *rewriter) loop(s ast.Statement) ast.Statement {
	switch s := s.(type) {
	case *ast.ForStatement:
		c := *s
		switch init := s.Initializer.(type) {
		case *ast.ForLoopInitializerExpression:
			c.Initializer = &ast.ForLoopInitializerExpression{Expression: r.expr(init.Expression)}
		case *ast.ForLoopInitializerVarDeclList:
			c.Initializer = &ast.ForLoopInitializerVarDeclList{Var: init.Var, List: r.bindings(init.List)}
		case *ast.ForLoopInitializerLexicalDecl:
			r.declareAll([]ast.Statement{&init.LexicalDeclaration})
			d := init.LexicalDeclaration
			d.List = r.bindings(d.List)
			c.Initializer = &ast.ForLoopInitializerLexicalDecl{LexicalDeclaration: d}
		}
		c.Test, c.Update, c.Body = r.expr(s.Test), r.expr(s.Update), r.statement(s.Body)
		return &c
	case *ast.ForInStatement:
		c := *s
		c.Source = do(opKeys, s.Source, r.expr(s.Source))
		c.Into, c.Body = r.into(s.Into, s.Body)
		return &c
	case *ast.ForOfStatement:
		c := *s
		c.Source = do(opIterate, s.Source, r.expr(s.Source))
		c.Into, c.Body = r.into(s.Into, s.Body)
		return &c
	}
	return s
}

// into returns what a loop sets, and its body, which begins with what a pattern sets.
func (r *rewriter) into(into ast.ForInto, body ast.Statement) (ast.ForInto, ast.Statement) {
	var target ast.BindingTarget
	t := r.temp(into)
	switch x := into.(type) {
	case *ast.ForIntoExpression:
		if !r.local(x.Expression) {
			return &ast.ForDeclaration{Idx: into.Idx0(), Target: t}, r.refusal(into, "assigns to "+described(x.Expression))
		}
		return into, r.statement(body)
	case *ast.ForDeclaration:
		syntax.EachName(x.Target, r.declare)
		target = x.Target
	case *ast.ForIntoVar:
		target = x.Binding.Target
	}
	if _, ok := target.(*ast.Identifier); ok {
		return into, r.statement(body)
	}
	pattern, value := r.pattern(target, t)
	list := []*ast.Binding{{Target: pattern, Initializer: value}}
	var open ast.Statement = &ast.LexicalDeclaration{Idx: into.Idx0(), Token: token.LET, List: list}
	if _, ok := into.(*ast.ForIntoVar); ok {
		open = &ast.VariableStatement{Var: into.Idx0(), List: list}
	}
	return &ast.ForDeclaration{Idx: into.Idx0(), Target: t}, &ast.BlockStatement{LeftBrace: body.Idx0(), List: []ast.Statement{open, r.statement(body)}, RightBrace: body.Idx1()}
}
