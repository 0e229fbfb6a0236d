package es

import (
	"go/token"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/scxmlrun/scxmlrun/datamodel/ecmascript/tree"
)

// This file finds the local variables of functions and blocks, and which of them can be read before they have a value.

// A scope has the variables of a function or a block.
type scope struct {
	parent *scope
	vars   map[string]*variable
}

// A function is one of a script: a function declaration at its top, which becomes a method, or another one, which
// becomes a function literal.
type function struct {
	node *tree.Func
	name string // of a function that becomes a method

	number int         // of the methods of a function, see Divide
	others []*function // of the first one: the methods from 1 on
	types  string      // of the arguments that one of these is for

	e      *Expr // that it is a part of
	scope  *scope
	params []*variable
	result *variable
	vars   []*variable // declared with var, or functions, without parameters

	from  int // the phase from which a method exists
	phase int // in which it is called at the earliest
	unit  *unit
	value bool // it is used as a value, not only called
	deep  bool // it can call itself

	calls   map[*function]bool // methods that it calls, in its function literals too
	unknown bool               // it calls functions that are not known
	closes  bool               // it has function literals
}

// A resolver walks through the code of an Expr in the order of evaluation.
type resolver struct {
	*Chart
	e        *Expr
	root     *function // the method; nil in a script and in an expression
	scope    *scope
	has      map[*variable]bool // local variables that have a value
	names    map[string]bool    // of variables of the Go function, which are taken
	within   map[*tree.Func]bool
	literals int // functions inside of each other, that it is in
}

// resolve finds the scopes of an expression or a script, and of all functions in it.
func (c *Chart) resolve(e *Expr) {
	r := &resolver{Chart: c, e: e, has: map[*variable]bool{}, names: map[string]bool{}, within: map[*tree.Func]bool{}}
	if e.code.Expr != nil {
		r.expr(e.code.Expr)
		return
	}
	for _, f := range c.methods {
		if f.e == e {
			c.resolveMethod(f)
		}
	}
	r.stmts(e.code.Script)
}

func (c *Chart) resolveMethod(f *function) {
	r := &resolver{Chart: c, e: f.e, root: f, has: map[*variable]bool{}, names: map[string]bool{}, within: map[*tree.Func]bool{}}
	r.function(f)
}

// variable makes a local variable. Kind is that of a declaration.
func (r *resolver) variable(name, kind string) *variable {
	v := &variable{name: name, constant: kind == "const", lexical: kind == "let" || kind == "const", text: r.goName(name)}
	r.scope.vars[name] = v
	r.Chart.all = append(r.Chart.all, v)
	return v
}

// reserved are the names that generated functions use besides those of variables.
var reserved = set("m", "js", "machine", "args", "v", "err", "time", "strconv", "init", "main", "math", "_",
	"again", "all", "arg", "at", "failed", "item", "jump", "k", "more", "name", "o", "on", "result", "returned", "there", "thrown", "value")

// goName returns a Go name for a local variable.
func (r *resolver) goName(name string) string {
	plain := token.IsIdentifier(name) && !reserved[name] && !predeclared[name] && !ownName(name)
	for i := range len(name) {
		c := name[i]
		plain = plain && (c == '_' || '0' <= c && c <= '9' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z')
	}
	if !plain {
		if name = "x_" + name; !token.IsIdentifier(name) || !isASCII(name) {
			name = "x"
		}
	}
	out := name
	for n := 2; r.names[out]; n++ {
		out = name + "_" + strconv.Itoa(n)
	}
	r.names[out] = true
	return out
}

// ownName reports whether a name is like those that generated functions number: o0, result2.
func ownName(name string) bool {
	stem := strings.TrimRight(name, "0123456789")
	return stem != name && reserved[stem]
}

func isASCII(s string) bool {
	return !slices.ContainsFunc([]byte(s), func(b byte) bool { return b >= 0x80 })
}

// inner enters a scope until what it returns is called.
func (r *resolver) inner(n tree.Node) (leave func()) {
	outer := r.scope
	r.scope = &scope{parent: outer, vars: map[string]*variable{}}
	r.scopes[n] = r.scope
	return func() { r.scope = outer }
}

func (r *resolver) find(name string) *variable {
	for s := r.scope; s != nil; s = s.parent {
		if v := s.vars[name]; v != nil {
			return v
		}
	}
	return nil
}

// function resolves a function.
func (r *resolver) function(f *function) {
	outer, has := r.scope, r.has
	r.scope, r.has = &scope{parent: outer, vars: map[string]*variable{}}, maps.Clone(has)
	f.scope = r.scope
	f.result = &variable{name: "the result of " + f.name, result: true}
	r.Chart.all = append(r.Chart.all, f.result)
	for i, p := range f.node.Params {
		if r.scope.vars[p.Name] != nil {
			r.problem(f.e.code.Position(f.node.Params[i]), "two parameters of the name %s: rename one", p.Name)
		}
		v := r.variable(p.Name, "var")
		f.params = append(f.params, v)
		r.has[v] = true
	}
	for i, p := range f.node.Params {
		if p.Default != nil {
			r.expr(f.node.Params[i].Default)
		}
	}
	tree.EachStmt(f.node.Body, func(s tree.Stmt) {
		declare := func(name string) {
			if r.scope.vars[name] == nil {
				f.vars = append(f.vars, r.variable(name, "var"))
			}
		}
		switch s := s.(type) {
		case *tree.Var:
			if s.Kind == "var" {
				declare(s.Name)
			}
		case *tree.ForIn:
			if s.Kind == "var" {
				declare(s.Name)
			}
		}
	})
	r.stmts(f.node.Body)
	if !terminates(f.node.Body) {
		f.result.typ |= Undefined
	}
	r.scope, r.has = outer, has
}

// literal resolves a function that is a value.
func (r *resolver) literal(x *tree.Func, named bool) {
	f := r.closures[x]
	if f == nil {
		f = &function{node: x, name: x.Name, e: r.e, calls: map[*function]bool{}}
		r.closures[x] = f
	}
	if r.within[x] {
		return
	}
	r.within[x] = true
	if named { // it sees its own name
		defer r.inner(x)()
		v := r.variable(x.Name, "const")
		v.typ, r.has[v] = Function, true
	}
	r.literals++
	r.function(f)
	r.literals--
}

// declared resolves a function declaration inside of a function or a block, which has its value from the start.
func (r *resolver) declared(s *tree.FuncDecl) {
	r.literal(s.Func, false)
}

// lexical declares what let, const and function declare in a block.
func (r *resolver) lexical(list []tree.Stmt) {
	for _, s := range list {
		switch s := s.(type) {
		case *tree.Var:
			if s.Kind == "var" || r.scope == nil {
				continue
			}
			if r.scope.vars[s.Name] != nil {
				r.problem(r.e.code.Position(s), "%s is declared twice: rename one, or assign to it", s.Name)
			}
			r.variable(s.Name, s.Kind)
		case *tree.FuncDecl:
			if r.scope == nil { // a method
				continue
			}
			v := r.scope.vars[s.Func.Name]
			if v == nil {
				v = r.variable(s.Func.Name, "var")
			}
			v.typ |= Function
			r.has[v] = true
		}
	}
}

// stmts resolves the statements of a function, or of a block that has a scope.
func (r *resolver) stmts(list []tree.Stmt) {
	r.lexical(list)
	for _, s := range list {
		if f, ok := s.(*tree.FuncDecl); ok && r.scope != nil {
			r.declared(f)
		}
	}
	for _, s := range list {
		r.stmt(s)
	}
}

// branch resolves code that may not run, and returns the variables that have a value after it.
func (r *resolver) branch(f func()) map[*variable]bool {
	has := r.has
	r.has = maps.Clone(has)
	f()
	after := r.has
	r.has = has
	return after
}

func (r *resolver) stmt(s tree.Stmt) {
	switch s := s.(type) {
	case *tree.ExprStmt:
		r.expr(s.X)
	case *tree.Var:
		if f, ok := s.Init.(*tree.Func); ok && mentions(f, s.Name) { // it runs when the variable has it
			if v := r.find(s.Name); v != nil {
				r.has[v], v.hoisted = true, v.lexical
			}
		}
		if s.Init != nil {
			r.expr(s.Init)
		}
		if v := r.find(s.Name); v != nil && (s.Init != nil || s.Kind != "var") {
			if s.Init == nil {
				v.typ |= Undefined
			}
			r.has[v] = true
		}
	case *tree.If:
		r.expr(s.Test)
		then := r.branch(func() { r.stmt(s.Then) })
		otherwise := r.branch(func() {
			if s.Else != nil {
				r.stmt(s.Else)
			}
		})
		switch {
		case terminates([]tree.Stmt{s.Then}):
			r.has = otherwise
		case s.Else != nil && terminates([]tree.Stmt{s.Else}):
			r.has = then
		default:
			for v := range then {
				if otherwise[v] {
					r.has[v] = true
				}
			}
		}
	case *tree.Block:
		defer r.inner(s)()
		r.stmts(s.List)
	case *tree.For:
		defer r.inner(s)()
		r.stmts(s.Init)
		if s.Test != nil {
			r.expr(s.Test)
		}
		r.branch(func() {
			r.stmt(s.Body)
			if s.Update != nil {
				r.expr(s.Update)
			}
		})
	case *tree.ForIn:
		r.expr(s.X)
		defer r.inner(s)()
		if s.Kind == "let" || s.Kind == "const" {
			if mentions(s.X, s.Name) {
				r.problem(r.e.code.Position(s.X), "%s may be read before its declaration: declare it further up", s.Name)
			}
			r.variable(s.Name, s.Kind)
		}
		r.branch(func() {
			if v := r.find(s.Name); v != nil {
				r.has[v] = true
			}
			r.stmt(s.Body)
		})
	case *tree.While:
		if !s.Do {
			r.expr(s.Test)
		}
		r.branch(func() {
			r.stmt(s.Body)
			if s.Do {
				r.expr(s.Test)
			}
		})
	case *tree.Switch:
		r.expr(s.X)
		defer r.inner(s)()
		for _, c := range s.Cases {
			r.lexical(c.Body)
		}
		for _, c := range s.Cases {
			if c.Test != nil {
				r.branch(func() { r.expr(c.Test) })
			}
			r.branch(func() {
				for _, s := range c.Body {
					if f, ok := s.(*tree.FuncDecl); ok {
						r.problem(r.e.code.Position(f), "a function declaration in a switch: put it before the switch, or in a block")
						r.declared(f)
					}
					r.stmt(s)
				}
			})
		}
	case *tree.Labelled:
		r.stmt(s.Stmt)
	case *tree.Return:
		if s.X != nil {
			r.expr(s.X)
		}
	case *tree.Throw:
		r.expr(s.X)
	case *tree.Try:
		r.branch(func() { defer r.inner(s)(); r.stmts(s.Body) })
		if s.Catch != nil {
			r.branch(func() {
				defer r.inner(s.Catch)()
				if s.Param != "" {
					v := r.variable(s.Param, "var")
					v.typ, r.has[v] = Any, true
				}
				r.stmts(s.Catch.List)
			})
		}
		if s.Finally != nil {
			r.branch(func() { defer r.inner(s.Finally)(); r.stmts(s.Finally.List) })
		}
	}
}

// mentions reports whether an expression, or a function in it, has the name of a variable.
func mentions(x tree.Expr, name string) (found bool) {
	switch x := x.(type) {
	case *tree.Name:
		return x.Name == name
	case *tree.Func:
		if slices.ContainsFunc(x.Params, func(p tree.Param) bool { return p.Name == name }) {
			return false
		}
		tree.EachStmt(x.Body, func(s tree.Stmt) {
			found = found || slices.ContainsFunc(tree.Exprs(s), func(x tree.Expr) bool { return mentions(x, name) })
		})
		return found
	}
	return slices.ContainsFunc(tree.Children(x), func(x tree.Expr) bool { return mentions(x, name) })
}

func (r *resolver) expr(x tree.Expr) {
	switch x := x.(type) {
	case *tree.Name:
		if v := r.find(x.Name); v != nil && !r.has[v] {
			r.early(x, v)
		}
	case *tree.Func:
		r.literal(x, x.Name != "" && !x.Arrow)
	case *tree.Assign:
		to, isName := x.To.(*tree.Name)
		if !isName || x.Op != "" {
			r.expr(x.To)
		}
		switch x.Op {
		case "&&", "||", "??":
			r.branch(func() { r.expr(x.Value) })
			return
		}
		r.expr(x.Value)
		if isName {
			if v := r.find(to.Name); v != nil {
				switch {
				case !v.lexical || r.has[v]:
				case r.literals == 0:
					r.early(to, v)
				default:
					v.hoisted = true
				}
				r.has[v] = true
			}
		}
	case *tree.Binary:
		r.expr(x.X)
		switch x.Op {
		case "&&", "||", "??":
			r.branch(func() { r.expr(x.Y) })
		default:
			r.expr(x.Y)
		}
	case *tree.Conditional:
		r.expr(x.Test)
		r.branch(func() { r.expr(x.Then) })
		r.branch(func() { r.expr(x.Else) })
	case *tree.Chain:
		r.expr(first(x.X))
		r.branch(func() { r.expr(x.X) })
	default:
		for _, inside := range tree.Children(x) {
			r.expr(inside)
		}
	}
}

// first returns what a chain begins with.
func first(x tree.Expr) tree.Expr {
	for {
		switch n := x.(type) {
		case *tree.Member:
			x = n.Of
		case *tree.Index:
			x = n.Of
		case *tree.Call:
			x = n.Func
		default:
			return x
		}
	}
}

// early notes that a local variable may be read before it has a value.
func (r *resolver) early(x *tree.Name, v *variable) {
	if v.lexical && r.literals == 0 {
		r.problem(r.e.code.Position(x), "%s may be read before its declaration: declare it further up", x.Name)
	}
	v.typ |= Undefined
	v.hoisted, v.early = r.literals > 0, r.literals > 0
}

// terminates reports whether the end of a list of statements cannot be reached, by rules that Go has too.
func terminates(list []tree.Stmt) bool {
	if len(list) == 0 {
		return false
	}
	for _, s := range list {
		if terminating(s) {
			return true
		}
	}
	return false
}

func terminating(s tree.Stmt) bool {
	switch s := s.(type) {
	case *tree.Return, *tree.Throw, *tree.Jump:
		return true
	case *tree.Block:
		return terminates(s.List)
	case *tree.If:
		return s.Else != nil && terminating(s.Then) && terminating(s.Else)
	case *tree.For:
		return s.Test == nil && !breaks(s.Body)
	}
	return false
}

// breaks reports whether a statement has a break, of whatever.
func breaks(s tree.Stmt) (found bool) {
	tree.EachStmt([]tree.Stmt{s}, func(s tree.Stmt) {
		if j, ok := s.(*tree.Jump); ok {
			found = found || !j.Continue || j.Label != ""
		}
	})
	return found
}

var predeclared = func() map[string]bool {
	m := map[string]bool{}
	for _, name := range []string{"any", "bool", "byte", "comparable", "complex128", "complex64", "error", "float32", "float64", "int", "int16", "int32", "int64",
		"int8", "rune", "string", "uint", "uint16", "uint32", "uint64", "uint8", "uintptr", "true", "false", "iota", "nil", "append", "cap", "clear", "close",
		"complex", "copy", "delete", "imag", "len", "make", "max", "min", "new", "panic", "print", "println", "real", "recover"} {
		m[name] = true
	}
	return m
}()
