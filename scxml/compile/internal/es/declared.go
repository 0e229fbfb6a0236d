package es

import (
	"github.com/scxmlrun/scxmlrun/datamodel"
	"github.com/scxmlrun/scxmlrun/datamodel/ecmascript/tree"
)

// This file is for data items whose type the chart declares: what is assigned to one is checked where it can be something else.

// into returns x for a variable, with a check if its type is declared. Err is as for [js.Throw].
func (c *Chart) into(v *variable, x code, pos datamodel.Position, err string) code {
	if v.declared == 0 || x.typ&^v.declared == 0 {
		return x
	}
	if x.typ&v.declared == 0 {
		c.contradicts(v, x.typ, pos)
	}
	out := call(v.declared.rep(), v.declared, "js.OfType["+v.declared.Go()+"]", code{text: err}, x.asValue(), textConst(v.name))
	out.fails = true
	return out
}

// set is into for what code that can panic assigns.
func (m emitter) set(v *variable, x code, n tree.Node) code {
	if v.declared == 0 { // a position takes time
		return x
	}
	return m.into(v, x, m.e.code.Position(n), "nil")
}

// contradicts reports that a variable gets a value of types that it is not declared to have.
func (c *Chart) contradicts(v *variable, typ Type, pos datamodel.Position) {
	c.problem(pos, "%s is declared as %s, and gets %s: change one of them", v.name, v.declared.Words(), typ.Words())
}

// counts reports whether ++ and -- can be used with a variable.
func (m emitter) counts(v *variable, x *tree.Update) bool {
	if v.declared&^Number == 0 {
		return true
	}
	m.contradicts(v, Number, m.e.code.Position(x))
	return false
}

// checkDeclared reports items that do not have a value of their type from the start, or cannot keep it.
func (c *Chart) checkDeclared() {
	for i, it := range c.items {
		v := c.vars[it.ID]
		if v.declared == 0 {
			continue
		}
		if it.Late {
			c.problem(it.Pos, "%s is declared as %s, and has no value before its state is entered: declare it in the <datamodel> of <scxml>", it.ID, v.declared.Words())
			continue
		}
		if e := c.inits[i]; e != nil {
			if x := c.expr(e); !x.fails && x.typ&^v.declared == 0 {
				continue
			}
		}
		c.problem(it.Pos, "%s is declared as %s: give it a value that certainly is one", it.ID, v.declared.Words())
	}
	for _, a := range c.assigned {
		to, _ := c.target(a.location)
		if to == nil || to.declared == 0 {
			continue
		}
		pos := a.location.src.Pos
		if a.value != nil {
			a.typ, pos = c.expr(a.value).typ, a.value.src.Pos
		}
		if a.typ != 0 && a.typ&to.declared == 0 {
			c.contradicts(to, a.typ, pos)
		}
	}
	for _, f := range c.foreachs {
		if f.v.declared != 0 && f.typ&^f.v.declared != 0 {
			c.problem(f.array.src.Pos, "%s is declared as %s, and is a variable of a <foreach>: use another variable", f.v.name, f.v.declared.Words())
		}
	}
}

// checkEarly reports the reading of an item that does not have its value yet.
func (m emitter) checkEarly(v *variable) {
	if v.declared != 0 {
		m.problem(m.e.src.Pos, "%s is declared as %s, and read before it has a value: declare it further up", v.name, v.declared.Words())
	}
}
