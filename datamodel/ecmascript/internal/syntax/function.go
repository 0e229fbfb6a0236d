package ecmascript

import (
	"sync"

	"github.com/dop251/goja"
	"github.com/dop251/goja/ast"
	"github.com/dop251/goja/file"
	"github.com/dop251/goja/unistring"
)

// A literal is a function or a class as it stands in the text of a chart. If
// it captures no variable of a function or a block around it, what it yields
// depends on nothing but its text, and can be made anew at any time.
type literal struct {
	owner    *expr
	key      string // tells it from all others of the chart
	text     string // what toString says
	name     string // that the function has unless it is changed
	captures string // what prevents making it anew, "" for nothing
	kind     bool   // it is asynchronous or a generator, and so has a prototype of that kind
	class    bool
	members  map[string]bool // of a class: keys of the prototype, but for constructor
	static   map[string]bool // of a class: keys of its static methods

	node   ast.Expression
	file   *file.File
	uses   []*binding // variables around it
	method bool       // {m() {}}
	strict bool       // the code around it is strict
	nested bool       // it stands in a function or a block

	once sync.Once
	code *goja.Program // yields an object whose only property is the function
	err  error
}

// What stands for the name of a class's superclass, which no script can spell.
const nameSuper = "super restored"

// property returns the name of the property that program makes.
func (l *literal) property() string {
	if l.name == "__proto__" {
		return "f"
	}
	return l.name
}

// program returns the code that makes the function.
func (l *literal) program() (*goja.Program, error) {
	l.once.Do(func() {
		kind := ast.PropertyKindValue
		if l.method {
			kind = ast.PropertyKindMethod
		}
		// As the value of a property an anonymous function gets the key as its name.
		object := &ast.ObjectLiteral{Value: []ast.Property{&ast.PropertyKeyed{
			Key:   &ast.StringLiteral{Value: unistringOf(l.property())},
			Kind:  kind,
			Value: l.node,
		}}}
		tree := &ast.Program{File: l.file, Body: []ast.Statement{&ast.ExpressionStatement{Expression: enclose(object, l.needs())}}}
		l.code, l.err = goja.CompileAST(tree, l.strict)
	})
	return l.code, l.err
}

func unistringOf(s string) unistring.String { return unistring.NewFromString(s) }

// Declarations are what a script declares at its top level.
type declarations struct {
	lexical []*lexical      // by let, const and class
	vars    map[string]bool // by var and, if it is true, by function
}

type lexical struct {
	name     string
	constant bool

	once sync.Once
	code *goja.Program // declares it
	err  error
}
