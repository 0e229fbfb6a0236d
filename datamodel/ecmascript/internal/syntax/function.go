package syntax

import (
	"sync"

	"github.com/dop251/goja"
	"github.com/dop251/goja/ast"
	"github.com/dop251/goja/file"
	"github.com/dop251/goja/token"
	"github.com/dop251/goja/unistring"
)

// A Function is a function or a class in the text of a chart. If it captures no variable of a
// function or a block around it, it depends only on its text and can be made again at any time.
type Function struct {
	Tree     *Tree
	Text     string // as toString returns it
	Name     string // at first
	Captures string // why it cannot be made again, or ""
	Pauses   bool   // it is asynchronous or a generator, with a prototype of that kind
	Class    bool
	Private  bool            // of a class: its instances have private members
	Members  map[string]bool // of a class: keys of the prototype, but for constructor
	Static   map[string]bool // of a class: keys of its static methods

	node   ast.Expression
	uses   []*binding // variables around it
	method bool       // {m() {}}
	strict bool       // the code around it is strict
	nested bool       // it is in a function or a block

	once sync.Once
	code *goja.Program
	err  error
}

// RestoredSuper is the name of the superclass in [Function.Code]. No script can spell it.
const RestoredSuper = "super restored"

// Property returns the name of the property that [Function.Code] makes.
func (f *Function) Property() string {
	if f.Name == "__proto__" {
		return "f"
	}
	return f.Name
}

// Same reports whether two functions of the same text are interchangeable.
func (f *Function) Same(g *Function) bool {
	return f.strict == g.strict && f.method == g.method && f.uses == nil && g.uses == nil
}

// Code returns the code of an object whose only property is the function, made again.
func (f *Function) Code() (*goja.Program, error) {
	f.once.Do(func() {
		kind := ast.PropertyKindValue
		if f.method {
			kind = ast.PropertyKindMethod
		}
		// As the value of a property an anonymous function gets the key as its name.
		object := &ast.ObjectLiteral{Value: []ast.Property{&ast.PropertyKeyed{
			Key:   &ast.StringLiteral{Value: unistring.NewFromString(f.Property())},
			Kind:  kind,
			Value: f.node,
		}}}
		f.code, f.err = goja.CompileAST(&ast.Program{File: f.Tree.program.File, Body: []ast.Statement{&ast.ExpressionStatement{Expression: enclose(object, f.needs())}}}, f.strict)
	})
	return f.code, f.err
}

// Declarations are the functions of a tree, and what a script declares and assigns to.
type Declarations struct {
	Functions []*Function
	Lexical   []*Lexical      // by let, const and class, at the top level
	Vars      map[string]bool // by var and, if it is true, by function, at the top level
	Assigned  []string        // global names that something is assigned to; with a dot, to a property
}

// A Lexical is a variable of let, const or class.
type Lexical struct {
	Name     string
	Constant bool
	strict   bool

	once sync.Once
	code *goja.Program
	err  error
}

// RestoredValue is the global variable whose value [Lexical.Code] assigns. No script can spell it.
const RestoredValue = "value restored"

// Code returns the code that declares the variable again.
func (d *Lexical) Code() (*goja.Program, error) {
	d.once.Do(func() {
		keyword := token.LET
		if d.Constant {
			keyword = token.CONST
		}
		d.code, d.err = goja.CompileAST(&ast.Program{File: file.NewFile("", "", 0), Body: []ast.Statement{&ast.LexicalDeclaration{
			Token: keyword,
			List: []*ast.Binding{{
				Target:      &ast.Identifier{Name: unistring.NewFromString(d.Name)},
				Initializer: &ast.Identifier{Name: RestoredValue},
			}},
		}}}, d.strict)
	})
	return d.code, d.err
}

func (x *surveyor) function(n *ast.FunctionLiteral, declared, method bool) {
	l := &Function{Text: n.Source, node: n, method: method, Pauses: n.Async || n.Generator}
	if n.Name != nil {
		l.Name = n.Name.Name.String()
		if declared {
			// The name belongs to the scope around the function, unlike that of an expression.
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
	block, ok := n.Body.(*ast.BlockStatement)
	x.body(s, n.ParameterList, n.DeclarationList, block, l.Pauses)
	if !ok {
		x.node(n.Body)
	}
	x.pop()
	x.end()
}

// body walks parameters and body of a function with the scope s.
func (x *surveyor) body(s *scope, params *ast.ParameterList, vars []*ast.VariableDeclaration, body *ast.BlockStatement, pauses bool) {
	strict := x.strict
	EachName(params, s.declare)
	EachName(vars, s.declare)
	if body != nil {
		s.declareAll(body.List)
		if !pauses {
			s.settle(body.List)
		}
		x.strict = x.strict || isStrict(body.List)
	}
	x.node(params)
	if body != nil {
		x.node(body.List)
	}
	x.strict = strict
}

// classLiteral walks a class. Its methods cannot be made without it. What it computes when it is
// made (keys, static blocks and fields) is not run again: static fields are kept as properties.
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
			} else if private {
				l.Private = true
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
				l.Private = l.Private || private
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

// classMember walks a method of a class.
func (x *surveyor) classMember(f *ast.FunctionLiteral) {
	from := len(x.found.Functions)
	x.function(f, false, true)
	if m := x.found.Functions[from]; m.Captures == "" {
		m.Captures = "belongs to a class"
	}
}
