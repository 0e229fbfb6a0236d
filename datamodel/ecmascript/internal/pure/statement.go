package pure

import (
	"reflect"
	"slices"

	"github.com/dop251/goja/ast"
	"github.com/dop251/goja/token"
)

// visit rewrites a node.
func (r *rewriter) visit(n any, at reflect.Value) (done bool) {
	if at.IsValid() && at.Type() == expressionType {
		at.Set(reflect.ValueOf(r.expression(n.(ast.Expression))))
		return true
	}
	switch n := n.(type) {
	case *ast.CatchStatement:
		if _, ok := n.Parameter.(*ast.Identifier); n.Parameter != nil && !ok {
			n.Body.List = []ast.Statement{refusal(n.Parameter, "takes an error apart by a pattern")}
			n.Parameter = r.temp(n.Parameter)
		}
		r.walk(n.Body)
	case *ast.ForInStatement:
		r.loop(opKeys, &n.Source, &n.Into, &n.Body)
	case *ast.ForOfStatement:
		r.loop(opIterate, &n.Source, &n.Into, &n.Body)
	case *ast.Binding:
		r.walk(&n.Initializer)
		if n.Initializer != nil {
			n.Initializer = r.look(n.Target, n.Initializer)
		}
	case *ast.FunctionDeclaration:
		if f := n.Function; f.Async || f.Generator { // it is hoisted, and refuses when it is called
			f.Async, f.Generator, f.ParameterList, f.DeclarationList = false, false, &ast.ParameterList{}, nil
			f.Body.List = []ast.Statement{refusal(n, "is asynchronous or a generator")}
		}
		r.function(n.Function)
	case *ast.WithStatement:
		at.Set(reflect.ValueOf(refusal(n, "uses with")))
	case *ast.ClassDeclaration: // its name remains declared
		class := &ast.Binding{Target: n.Class.Name, Initializer: refuse(n, "makes a class")}
		at.Set(reflect.ValueOf(&ast.LexicalDeclaration{Idx: n.Idx0(), Token: token.LET, List: []*ast.Binding{class}}))
	default:
		return false
	}
	return true
}

func refusal(at ast.Node, what string) ast.Statement {
	return &ast.ExpressionStatement{Expression: refuse(at, "%s", what)}
}

func (r *rewriter) function(n *ast.FunctionLiteral) ast.Expression {
	if n.Async || n.Generator {
		return refuse(n, "makes an asynchronous function or a generator")
	}
	n.Source = watched
	r.depth++
	args, looks := r.params(n, n.ParameterList)
	r.walk(n.Body)
	r.depth--
	if looks != nil {
		inner := *n
		inner.Name, n.DeclarationList = nil, nil
		n.ParameterList, n.Body = opened(&inner, &ast.ThisExpression{Idx: n.Idx0()}, args, looks)
	}
	return n
}

func (r *rewriter) arrow(n *ast.ArrowFunctionLiteral) ast.Expression {
	if n.Async {
		return refuse(n, "makes an asynchronous function")
	}
	n.Source = watched
	args, looks := r.params(n, n.ParameterList)
	r.walk(n.Body)
	if looks != nil {
		inner := *n
		n.DeclarationList = nil
		n.ParameterList, n.Body = opened(&inner, identifier("undefined", n), args, looks)
	}
	return n
}

// params rewrites the parameters of a function. If some are patterns it returns statements that look
// at what these read of the arguments, which args has.
func (r *rewriter) params(at ast.Node, p *ast.ParameterList) (args *ast.Identifier, looks []ast.Statement) {
	args = r.temp(at)
	for i, b := range p.List {
		r.walk(&b.Initializer)
		if _, ok := b.Target.(*ast.Identifier); ok {
			continue
		}
		value := &ast.BracketExpression{Left: args, Member: &ast.NumberLiteral{Idx: args.Idx, Value: int64(i)}, LeftBracket: args.Idx, RightBracket: args.Idx}
		looks = append(looks, &ast.ExpressionStatement{Expression: r.look(b.Target, value)})
		if b.Initializer != nil {
			b.Initializer = look(b.Target, b.Initializer)
		}
	}
	if _, ok := p.Rest.(*ast.Identifier); p.Rest != nil && !ok {
		looks = append(looks, refusal(at, "has a pattern for the rest of its parameters"))
	}
	return args, looks
}

// opened returns parameters and body of a function that looks at its arguments before it calls f.
func opened(f, this ast.Expression, args *ast.Identifier, looks []ast.Statement) (*ast.ParameterList, *ast.BlockStatement) {
	at := args.Idx
	call := &ast.ReturnStatement{Return: at, Argument: do(opApply, f, f, this, args)}
	return &ast.ParameterList{Opening: at, Rest: args, Closing: at}, &ast.BlockStatement{LeftBrace: at, List: append(looks, call), RightBrace: at}
}

// look rewrites the defaults in a pattern, and returns its value after a look at what it reads of it.
func (r *rewriter) look(p ast.BindingTarget, value ast.Expression) ast.Expression {
	def := func(e ast.Expression) {
		if a, ok := e.(*ast.AssignExpression); ok {
			r.walk(&a.Right)
		}
	}
	switch p := p.(type) {
	case *ast.ArrayPattern:
		for _, e := range p.Elements {
			def(e)
		}
	case *ast.ObjectPattern:
		for _, e := range p.Properties {
			switch e := e.(type) {
			case *ast.PropertyShort:
				r.walk(&e.Initializer)
			case *ast.PropertyKeyed:
				def(e.Value)
			}
		}
	}
	return look(p, value)
}

func look(p ast.BindingTarget, value ast.Expression) ast.Expression {
	nested := refuse(p, "takes data apart by a pattern within a pattern")
	isName := func(e ast.Expression) bool { // maybe with a default
		if a, ok := e.(*ast.AssignExpression); ok {
			e = a.Left
		}
		_, ok := e.(*ast.Identifier)
		return ok || e == nil
	}
	switch p := p.(type) {
	case *ast.ArrayPattern:
		if !isName(p.Rest) || slices.ContainsFunc(p.Elements, func(e ast.Expression) bool { return !isName(e) }) {
			return nested
		}
		return do(opIterate, p, value)
	case *ast.ObjectPattern:
		open := []ast.Expression{value}
		for _, e := range p.Properties {
			switch e := e.(type) {
			case *ast.PropertyShort:
				open = append(open, &ast.StringLiteral{Idx: e.Name.Idx, Value: e.Name.Name})
			case *ast.PropertyKeyed:
				key, constant := e.Key.(*ast.StringLiteral)
				if !constant || !isName(e.Value) {
					return nested
				}
				open = append(open, key)
			}
		}
		value = do(opOpen, p, open...)
		if p.Rest != nil {
			value = do(opSpread, p, value)
		}
	}
	return value
}

// loop rewrites a loop over keys or items. A pattern that it sets becomes a declaration in the body.
func (r *rewriter) loop(op string, source *ast.Expression, into *ast.ForInto, body *ast.Statement) {
	r.walk(source)
	*source = do(op, *source, *source)
	var target ast.BindingTarget
	switch x := (*into).(type) {
	case *ast.ForIntoExpression:
		if !r.local(x.Expression) {
			*body = refusal(*into, "assigns to "+described(x.Expression))
			*into = &ast.ForDeclaration{Idx: (*into).Idx0(), Target: r.temp(*into)}
		}
	case *ast.ForDeclaration:
		target = x.Target
	case *ast.ForIntoVar:
		target = x.Binding.Target
	}
	r.walk(body)
	if _, ok := target.(*ast.Identifier); ok || target == nil {
		return
	}
	at, t := (*into).Idx0(), r.temp(*into)
	list := []*ast.Binding{{Target: target, Initializer: r.look(target, t)}}
	var open ast.Statement = &ast.LexicalDeclaration{Idx: at, Token: token.LET, List: list}
	if _, ok := (*into).(*ast.ForIntoVar); ok {
		open = &ast.VariableStatement{Var: at, List: list}
	}
	*into = &ast.ForDeclaration{Idx: at, Target: t}
	*body = &ast.BlockStatement{LeftBrace: at, List: []ast.Statement{open, *body}, RightBrace: at}
}
