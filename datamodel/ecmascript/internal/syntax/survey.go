package syntax

import (
	"reflect"
	"slices"
	"strings"

	"github.com/dop251/goja/ast"
	"github.com/dop251/goja/token"
)

// Declarations returns the functions of the tree, and what it declares.
func (t *Tree) Declarations() *Declarations {
	x := &surveyor{loose: strings.Contains(t.text, "eval")}
	x.visit = x.look
	x.survey(t)
	for _, f := range x.found.Functions {
		if x.loose && f.nested && f.Captures == "" {
			f.Captures = "is made where eval, or a function declared inside a statement, may declare variables"
		}
	}
	for _, f := range x.found.Functions {
		f.Captures = f.captured(nil)
	}
	return &x.found
}

// survey walks through a tree.
func (x *surveyor) survey(t *Tree) {
	x.tree, x.strict = t, isStrict(t.program.Body)
	x.scope = &scope{function: true}
	x.found.Vars = map[string]bool{}
	lexical := func(name string, constant bool) {
		x.found.Lexical = append(x.found.Lexical, &Lexical{Name: name, Constant: constant, strict: x.strict})
	}
	EachName(t.program.DeclarationList, func(name string) { x.found.Vars[name] = false })
	for _, s := range t.program.Body {
		switch s := s.(type) {
		case *ast.LexicalDeclaration:
			EachName(s, func(name string) { lexical(name, s.Token == token.CONST) })
		case *ast.ClassDeclaration:
			EachName(s, func(name string) { lexical(name, false) })
		case *ast.FunctionDeclaration:
			EachName(s, func(name string) { x.found.Vars[name] = true })
		}
	}
	x.node(t.program.Body)
}

// A surveyor walks a syntax tree and resolves its names.
type surveyor struct {
	walker
	tree  *Tree
	found Declarations

	scope  *scope
	open   []inside // the functions around the present place
	strict bool
	loose  bool   // there may be declarations that the text does not show
	hint   string // name of an anonymous function that is met next

	// resolved, if set, is told of each use of a variable.
	resolved func(id *ast.Identifier, called, local bool)
}

// inside is a function with the level of its outermost scope.
type inside struct {
	*Function
	level int
}

func (x *surveyor) push(s *scope) *scope {
	s.outer, s.level = x.scope, x.scope.level+1
	if s.names == nil {
		s.names = map[string]*binding{}
	}
	x.scope = s
	return s
}

func (x *surveyor) pop() { x.scope = x.scope.outer }

// capture notes what the functions around the present place capture that begin below level.
func (x *surveyor) capture(level int, what string) {
	if level == 0 {
		return
	}
	for i := len(x.open) - 1; i >= 0 && x.open[i].level > level; i-- {
		if x.open[i].Captures == "" {
			x.open[i].Captures = what
		}
	}
}

// use resolves a name, whose value may be called at once.
func (x *surveyor) use(id *ast.Identifier, called bool) {
	name := id.Name.String()
	inner := false // within a function that is within the scope
	with := false
	for s := x.scope; s.outer != nil; s = s.outer {
		if s.with {
			with = true
			x.capture(s.level, `captures the variable "`+name+`"`)
		}
		if b := s.names[name]; b != nil {
			b.shown = b.shown || inner && !called
			for i := len(x.open) - 1; i >= 0 && x.open[i].level > s.level; i-- {
				if l := x.open[i].Function; !slices.Contains(l.uses, b) {
					l.uses = append(l.uses, b)
				}
			}
			if x.resolved != nil {
				x.resolved(id, called, true)
			}
			return
		}
		inner = inner || s.callable
	}
	if x.resolved != nil && !with {
		x.resolved(id, called, false)
	}
}

// propertyOf notes that a property of e is looked up. A captured function must not have any.
func (x *surveyor) propertyOf(e ast.Expression) {
	if id, ok := e.(*ast.Identifier); ok {
		if b := x.scope.lookup(id.Name.String()); b != nil {
			b.shown = true
		}
	}
	x.node(e)
}

// own notes a use of this, arguments, super or new.target.
func (x *surveyor) own(what string) {
	s := x.scope
	for !s.function {
		s = s.outer
	}
	x.capture(s.level, `captures "`+what+`"`)
}

// begin opens a function, to which the scopes belong that are opened next.
func (x *surveyor) begin(l *Function) {
	l.Tree, l.strict = x.tree, x.strict
	if l.Name == "" && l.Captures == "" {
		l.Name = x.hint
	}
	x.hint = ""
	l.nested = x.scope.level > 0
	x.found.Functions = append(x.found.Functions, l)
	x.open = append(x.open, inside{l, x.scope.level + 1})
}

func (x *surveyor) end() { x.open = x.open[:len(x.open)-1] }

// named walks n, in which an anonymous function gets a name.
func (x *surveyor) named(name string, n ast.Expression) {
	switch n.(type) {
	case *ast.FunctionLiteral, *ast.ArrowFunctionLiteral, *ast.ClassLiteral:
		x.hint = name
	}
	x.node(n)
	x.hint = ""
}

// initialize walks the first value of a variable.
func (x *surveyor) initialize(name string, value ast.Expression) {
	if value == nil {
		return
	}
	from := len(x.found.Functions)
	x.named(name, value)
	switch value.(type) {
	case *ast.FunctionLiteral, *ast.ArrowFunctionLiteral, *ast.ClassLiteral:
		if b := x.scope.lookup(name); b != nil {
			b.literal = x.found.Functions[from]
		}
	}
}

// look looks at one node.
func (x *surveyor) look(n any, _ reflect.Value) (done bool) {
	switch n := n.(type) {
	case *ast.Identifier:
		x.use(n, false)
	case *ast.CallExpression:
		if id, ok := n.Callee.(*ast.Identifier); ok {
			x.use(id, true)
		} else {
			x.node(n.Callee)
		}
		x.node(n.ArgumentList)
	case *ast.DotExpression:
		x.propertyOf(n.Left)
	case *ast.BracketExpression:
		x.propertyOf(n.Left)
		x.node(n.Member)
	case *ast.PrivateDotExpression:
		x.node(n.Left)
	case *ast.PrivateIdentifier:
	case *ast.MetaProperty:
		x.own("new.target")
	case *ast.ThisExpression:
		x.own("this")
	case *ast.SuperExpression:
		x.own("super")
		for i := range x.open {
			if x.open[i].method && x.open[i].Captures == "" {
				x.open[i].Captures = `uses "super"`
			}
		}
	case *ast.Binding:
		if id, ok := n.Target.(*ast.Identifier); ok {
			if b := x.scope.lookup(id.Name.String()); b != nil && n.Initializer != nil && b.init != n.Initializer {
				b.changed = true
			}
			x.node(id)
			x.initialize(id.Name.String(), n.Initializer)
			return true
		}
		EachName(n.Target, x.assignLocal)
		return false
	case *ast.ForIntoVar:
		EachName(n.Binding, x.assignLocal)
		return false
	case *ast.AssignExpression:
		EachName(n.Left, x.assign)
		if id, ok := n.Left.(*ast.Identifier); ok {
			x.node(id)
			x.named(id.Name.String(), n.Right)
			return true
		}
		x.member(n.Left)
		return false
	case *ast.UnaryExpression:
		if changes(n) {
			EachName(n.Operand, x.assign)
			x.member(n.Operand)
		}
		return false
	case *ast.ForIntoExpression:
		EachName(n.Expression, x.assign)
		x.member(n.Expression)
		return false
	case *ast.PropertyShort:
		x.use(&n.Name, false)
		x.node(n.Initializer)
	case *ast.PropertyKeyed:
		x.keyed(n)
	case *ast.FunctionDeclaration:
		if x.scope.level > 0 && x.scope.names[n.Function.Name.Name.String()] == nil {
			x.loose = true // if (a) function f() {}
		}
		x.function(n.Function, true, false)
	case *ast.FunctionLiteral:
		x.function(n, false, false)
	case *ast.ArrowFunctionLiteral:
		x.arrow(n)
	case *ast.ClassDeclaration:
		x.classLiteral(n.Class)
	case *ast.ClassLiteral:
		x.classLiteral(n)
	case *ast.BlockStatement:
		s := x.push(&scope{})
		s.declareAll(n.List)
		s.settle(n.List)
		x.node(n.List)
		x.pop()
	case *ast.SwitchStatement:
		x.node(n.Discriminant)
		s := x.push(&scope{})
		for _, c := range n.Body {
			s.declareAll(c.Consequent)
		}
		x.node(n.Body)
		x.pop()
	case *ast.CatchStatement:
		s := x.push(&scope{})
		if n.Parameter != nil {
			EachName(n.Parameter, s.declare)
			x.node(n.Parameter)
		}
		x.node(n.Body)
		x.pop()
	case *ast.ForStatement:
		x.loop(n, n.Initializer)
	case *ast.ForInStatement:
		x.loop(n, n.Into)
	case *ast.ForOfStatement:
		x.loop(n, n.Into)
	case *ast.WithStatement:
		x.node(n.Object)
		x.push(&scope{with: true})
		x.node(n.Body)
		x.pop()
	default:
		return false
	}
	return true
}

// assignLocal notes that a variable gets a value where it is declared.
func (x *surveyor) assignLocal(name string) {
	if b := x.scope.lookup(name); b != nil {
		b.changed = true
	}
}

// assign notes that something is assigned to a name.
func (x *surveyor) assign(name string) {
	if b := x.scope.lookup(name); b != nil {
		b.changed = true
		return
	}
	x.found.Assigned = append(x.found.Assigned, name)
}

// member notes the first name of a property that something is assigned to, which may be of the
// library.
func (x *surveyor) member(e ast.Expression) {
	for {
		switch n := e.(type) {
		case *ast.DotExpression:
			e = n.Left
		case *ast.BracketExpression:
			e = n.Left
		case *ast.Identifier:
			x.assign(n.Name.String() + ".")
			return
		default:
			return
		}
	}
}

func (x *surveyor) keyed(n *ast.PropertyKeyed) {
	if n.Computed {
		x.node(n.Key)
	}
	f, isFunction := n.Value.(*ast.FunctionLiteral)
	key, isText := n.Key.(*ast.StringLiteral)
	switch {
	case isFunction && n.Kind != ast.PropertyKindValue:
		if isText && n.Kind == ast.PropertyKindMethod {
			x.hint = key.Value.String()
		}
		x.function(f, false, true)
	case isText && !n.Computed:
		x.named(key.Value.String(), n.Value)
	default:
		x.node(n.Value)
	}
}

// loop walks a loop that may declare variables.
func (x *surveyor) loop(n, variables any) {
	EachName(variables, x.push(&scope{}).declare)
	x.fields(reflect.ValueOf(n).Elem())
	x.pop()
}
