package ecmascript

import "github.com/dop251/goja/ast"

func (x *surveyor) function(n *ast.FunctionLiteral, declared, method bool) {
	l := &literal{text: n.Source, node: n, method: method, kind: n.Async || n.Generator}
	if n.Name != nil {
		l.name = n.Name.Name.String()
		if declared {
			// The name belongs to the scope around the function and not, as
			// that of an expression, to the function.
			anonymous := *n
			anonymous.Name = nil
			l.node = &anonymous
		}
	}
	if b := x.scope.lookup(l.name); b != nil && declared {
		b.literal = l
	}
	x.begin(l)
	s := x.push(&scope{function: true, callable: true})
	s.declare("arguments")
	if n.Name != nil && !declared {
		s.declare(l.name)
	}
	x.body(s, n.ParameterList, n.DeclarationList, n.Body, l.kind)
	x.pop()
	x.end()
}

func (x *surveyor) arrow(n *ast.ArrowFunctionLiteral) {
	l := &literal{text: n.Source, node: n, kind: n.Async}
	x.begin(l)
	s := x.push(&scope{callable: true})
	if block, ok := n.Body.(*ast.BlockStatement); ok {
		x.body(s, n.ParameterList, n.DeclarationList, block, l.kind)
	} else {
		x.body(s, n.ParameterList, n.DeclarationList, nil, l.kind)
		x.any(n.Body)
	}
	x.pop()
	x.end()
}

// body walks through parameters and body of a function with the scope s.
func (x *surveyor) body(s *scope, params *ast.ParameterList, vars []*ast.VariableDeclaration, body *ast.BlockStatement, pauses bool) {
	strict := x.strict
	if params != nil {
		for _, b := range params.List {
			eachName(b, s.declare)
		}
		eachName(params.Rest, s.declare)
	}
	for _, d := range vars {
		for _, b := range d.List {
			eachName(b, s.declare)
		}
	}
	if body != nil {
		s.declareAll(body.List)
		if !pauses {
			s.settle(body.List)
		}
		x.strict = x.strict || isStrict(body.List)
	}
	if params != nil {
		x.any(params.List)
		x.any(params.Rest)
	}
	if body != nil {
		x.any(body.List)
	}
	x.strict = strict
}

// classLiteral walks through a class. Its methods cannot be made without it.
// What it computes when it is made (keys, static blocks and fields) is not run
// again: static fields are properties that are kept as such.
func (x *surveyor) classLiteral(n *ast.ClassLiteral) {
	kept := *n
	kept.Body = nil
	l := &literal{text: n.Source, class: true, node: &kept, members: map[string]bool{}, static: map[string]bool{}}
	if n.Name != nil {
		l.name = n.Name.Name.String()
	}
	if n.SuperClass != nil {
		kept.SuperClass = &ast.Identifier{Name: nameSuper, Idx: n.SuperClass.Idx0()}
	}
	x.begin(l)
	if _, null := n.SuperClass.(*ast.NullLiteral); null {
		l.captures = "extends null"
	}
	strict := x.strict
	x.strict = true
	s := x.push(&scope{})
	if n.Name != nil {
		s.declare(l.name)
	}
	x.any(n.SuperClass)
	refuse := func(what string) {
		if l.captures == "" {
			l.captures = what
		}
	}
	for _, e := range n.Body {
		switch e := e.(type) {
		case *ast.MethodDefinition:
			x.accesses = x.accesses || e.Kind != ast.PropertyKindMethod
			if e.Computed {
				x.any(e.Key)
				refuse("has a computed key")
			}
			if _, private := e.Key.(*ast.PrivateIdentifier); private && e.Static {
				refuse("has static private members")
			}
			x.classMember(e.Body)
			if key, ok := e.Key.(*ast.StringLiteral); ok && e.Static {
				l.static[key.Value.String()] = true
			} else if ok && key.Value != "constructor" {
				l.members[key.Value.String()] = true
			}
			kept.Body = append(kept.Body, e)
		case *ast.FieldDefinition:
			if e.Computed {
				x.any(e.Key)
				refuse("has a computed key")
			}
			x.push(&scope{function: true, callable: true})
			x.any(e.Initializer)
			x.pop()
			switch _, private := e.Key.(*ast.PrivateIdentifier); {
			case !e.Static:
				kept.Body = append(kept.Body, e)
			case private:
				refuse("has static private members")
			}
		case *ast.ClassStaticBlock:
			s := x.push(&scope{function: true, callable: true})
			x.body(s, nil, e.DeclarationList, e.Block, false)
			x.pop()
		}
	}
	x.pop()
	x.strict = strict
	x.end()
}

// classMember walks through a method of a class.
func (x *surveyor) classMember(f *ast.FunctionLiteral) {
	from := len(x.literals)
	x.function(f, false, true)
	if m := x.literals[from]; m.captures == "" {
		m.captures = "belongs to a class"
	}
}
