package syntax

import (
	"sync"

	"github.com/dop251/goja"
	"github.com/dop251/goja/ast"
	"github.com/dop251/goja/file"
	"github.com/dop251/goja/token"
	"github.com/dop251/goja/unistring"
)

// A Function is a function or a class as it stands in the text of a chart. If
// it captures no variable of a function or a block around it, what it yields
// depends on nothing but its text, and can be made anew at any time.
type Function struct {
	Tree     *Tree
	Text     string // what toString says
	Name     string // that the function has unless it is changed
	Captures string // what prevents making it anew, "" for nothing
	Pauses   bool   // it is asynchronous or a generator, and so has a prototype of that kind
	Class    bool
	Members  map[string]bool // of a class: keys of the prototype, but for constructor
	Static   map[string]bool // of a class: keys of its static methods

	node   ast.Expression
	uses   []*binding // variables around it
	method bool       // {m() {}}
	strict bool       // the code around it is strict
	nested bool       // it stands in a function or a block

	once sync.Once
	code *goja.Program
	err  error
}

// RestoredSuper stands for the name of a class's superclass in [Function.Code]. No
// script can spell it.
const RestoredSuper = "super restored"

// Property returns the name of the property that [Function.Code] makes.
func (f *Function) Property() string {
	if f.Name == "__proto__" {
		return "f"
	}
	return f.Name
}

// Same reports whether it does not matter which of two functions of the same text
// is made anew.
func (f *Function) Same(g *Function) bool {
	return f.strict == g.strict && f.method == g.method && f.uses == nil && g.uses == nil
}

// Code returns the code that makes the function anew: it yields an object whose
// only property is the function.
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

// RestoredValue is the global variable whose value [Lexical.Code] gives to the one
// that it declares. No script can spell it.
const RestoredValue = "value restored"

// Code returns the code that declares the variable anew.
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
