package es

import (
	"github.com/scxmlrun/scxmlrun/datamodel/ecmascript"
	"github.com/scxmlrun/scxmlrun/datamodel/ecmascript/tree"
)

// This file finds the variables and functions that scripts declare for the whole chart.

// declare finds the variables and functions that a script declares.
func (c *Chart) declare(e *Expr, global bool) {
	straight := true // what came before cannot fail
	for _, s := range e.code.Script {
		switch s := s.(type) {
		case *tree.Var:
			safe := straight && s.Init != nil && c.safe(e, s.Init)
			c.declareVar(e, s, s.Kind, s.Name, global, safe)
			straight = straight && (safe || s.Init == nil)
			continue
		case *tree.FuncDecl:
			c.declareFunc(e, s, global)
			continue
		case *tree.Empty:
			continue
		}
		straight = false
		tree.EachStmt([]tree.Stmt{s}, func(s tree.Stmt) {
			switch s := s.(type) {
			case *tree.Var:
				if s.Kind == "var" {
					c.declareVar(e, s, s.Kind, s.Name, global, false)
				}
			case *tree.ForIn:
				if s.Kind == "var" {
					c.declareVar(e, s, s.Kind, s.Name, global, false)
				}
			}
		})
	}
}

// declareFunc makes a method of a function declaration.
func (c *Chart) declareFunc(e *Expr, s *tree.FuncDecl, global bool) {
	name, at := s.Func.Name, e.code.Position(s)
	switch {
	case !global:
		c.problem(at, "a function that a script in executable content declares: declare it in a script of the chart")
	case ecmascript.CheckVariable(name) != nil:
		c.problem(at, "%s", ecmascript.CheckVariable(name))
	case c.vars[name] != nil || c.funcs[name] != nil:
		c.problem(at, "%s is declared twice: rename one, or assign to it", name)
	default:
		f := &function{node: s.Func, name: name, e: e, from: e.phase, phase: lastPhase, calls: map[*function]bool{}}
		c.funcs[name] = f
		c.methods = append(c.methods, f)
	}
}

// declareVar makes the variable of a declaration. Unless safe, it may be undefined.
func (c *Chart) declareVar(e *Expr, s tree.Stmt, kind, name string, global, safe bool) {
	at := e.code.Position(s)
	v := c.vars[name]
	switch {
	case kind != "var" && !global:
		c.problem(at, "%s %s in executable content: write var, or declare it with <data>", kind, name)
		return
	case ecmascript.CheckVariable(name) != nil:
		c.problem(at, "%s", ecmascript.CheckVariable(name))
		return
	case kind != "var" && v != nil, v != nil && v.constant, c.funcs[name] != nil:
		c.problem(at, "%s is declared twice: rename one, or assign to it", name)
		return
	}
	if v == nil {
		v = c.variable(&variable{name: name, from: lastPhase + 1, constant: kind == "const", kind: kind})
	}
	if v.item {
		return
	}
	if global {
		v.from = min(v.from, e.phase)
	} else {
		if v.local == nil {
			v.local = map[*Expr]bool{}
		}
		v.local[e] = true
	}
	if !safe || !global {
		c.growAt(v, Undefined, at)
	}
}

// safe reports whether an expression does not fail, as far as its text shows.
func (c *Chart) safe(e *Expr, x tree.Expr) bool {
	switch x := x.(type) {
	case *tree.Number, *tree.String, *tree.Bool, *tree.Null:
		return true
	case *tree.Name:
		v := c.lookup(e, e.phase, x.Name)
		return v != nil
	case *tree.Unary:
		return c.safe(e, x.X)
	case *tree.Binary:
		return c.safe(e, x.X) && c.safe(e, x.Y)
	case *tree.Func:
		return true
	case *tree.Conditional, *tree.Array, *tree.Object:
		for _, inside := range tree.Children(x) {
			if !c.safe(e, inside) {
				return false
			}
		}
		return true
	}
	return false
}
