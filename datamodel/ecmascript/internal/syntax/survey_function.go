package syntax

import "github.com/dop251/goja/ast"

func (x *surveyor) function(n *ast.FunctionLiteral, declared, method bool) {
	l := &Function{Text: n.Source, node: n, method: method, Pauses: n.Async || n.Generator}
	if n.Name != nil {
		l.Name = n.Name.Name.String()
		if declared {
			// The name belongs to the scope around the function and not, as
			// that of an expression, to the function.
			anonymous := *n
			anonymous.Name = nil
			l.node = &anonymous
		}
	}
	if b := x.scope.lookup(l.Name); b != nil && declared {
		b.literal = l
	}
	x.begin(l)
	s := x.push(&scope{function: true, callable: true})
	s.declare("arguments")
	if n.Name != nil && !declared {
		s.declare(l.Name)
	}
	x.body(s, n.ParameterList, n.DeclarationList, n.Body, l.Pauses)
	x.pop()
	x.end()
}

func (x *surveyor) arrow(n *ast.ArrowFunctionLiteral) {
	l := &Function{Text: n.Source, node: n, Pauses: n.Async}
	x.begin(l)
	s := x.push(&scope{callable: true})
	if block, ok := n.Body.(*ast.BlockStatement); ok {
		x.body(s, n.ParameterList, n.DeclarationList, block, l.Pauses)
	} else {
		x.body(s, n.ParameterList, n.DeclarationList, nil, l.Pauses)
		x.node(n.Body)
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
		x.node(params.List)
		x.node(params.Rest)
	}
	if body != nil {
		x.node(body.List)
	}
	x.strict = strict
}

// classLiteral walks through a class. Its methods cannot be made without it.
// What it computes when it is made (keys, static blocks and fields) is not run
// again: static fields are properties that are kept as such.
func (x *surveyor) classLiteral(n *ast.ClassLiteral) {
	kept := *n
	kept.Body = nil
	l := &Function{Text: n.Source, Class: true, node: &kept, Members: map[string]bool{}, Static: map[string]bool{}}
	if n.Name != nil {
		l.Name = n.Name.Name.String()
	}
	if n.SuperClass != nil {
		kept.SuperClass = &ast.Identifier{Name: RestoredSuper, Idx: n.SuperClass.Idx0()}
	}
	x.begin(l)
	if _, null := n.SuperClass.(*ast.NullLiteral); null {
		l.Captures = "extends null"
	}
	strict := x.strict
	x.strict = true
	s := x.push(&scope{})
	if n.Name != nil {
		s.declare(l.Name)
	}
	x.node(n.SuperClass)
	refuse := func(what string) {
		if l.Captures == "" {
			l.Captures = what
		}
	}
	for _, e := range n.Body {
		switch e := e.(type) {
		case *ast.MethodDefinition:
			if e.Computed {
				x.node(e.Key)
				refuse("has a computed key")
			}
			if _, private := e.Key.(*ast.PrivateIdentifier); private && e.Static {
				refuse("has static private members")
			}
			x.classMember(e.Body)
			if key, ok := e.Key.(*ast.StringLiteral); ok && e.Static {
				l.Static[key.Value.String()] = true
			} else if ok && key.Value != "constructor" {
				l.Members[key.Value.String()] = true
			}
			kept.Body = append(kept.Body, e)
		case *ast.FieldDefinition:
			if e.Computed {
				x.node(e.Key)
				refuse("has a computed key")
			}
			x.push(&scope{function: true, callable: true})
			x.node(e.Initializer)
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
	from := len(x.found.Functions)
	x.function(f, false, true)
	if m := x.found.Functions[from]; m.Captures == "" {
		m.Captures = "belongs to a class"
	}
}
