package es

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/scxmlrun/scxmlrun/datamodel"
	"github.com/scxmlrun/scxmlrun/datamodel/ecmascript/tree"
	"github.com/scxmlrun/scxmlrun/scxml/machine/js"
)

// This file writes statements, and functions.

// A writer writes the statements of a Go function.
type writer struct {
	emitter
	b       *strings.Builder
	in      *function // the function whose statements these are; nil in a script
	targets []*target // of jumps, in the Go function
	labels  map[string]int
	try     *try // the try that they are in, as functions of their own
	fails   bool
}

func (w *writer) p(format string, args ...any) { fmt.Fprintf(w.b, format+"\n", args...) }

// note notes that code which is being written can fail.
func (w *writer) note(c code) code {
	w.fails = w.fails || c.fails
	return c
}

// Script returns the statements of a script, which are the body of a function without results.
func (c *Chart) Script(e *Expr) Code {
	if e.code == nil {
		return Code{Text: c.names.Err + " = " + strconv.Quote(e.err), Fails: true}
	}
	var b strings.Builder
	w := &writer{emitter: emitter{Chart: c, e: e, out: &emission{rich: true}}, b: &b}
	w.stmts(e.code.Script)
	text := c.declareAll(e) + c.settled(strings.TrimSuffix(b.String(), "\n"))
	if w.fails {
		text = "defer js.Catch(&" + c.names.Err + ")\n" + text
	}
	return Code{Text: text, Fails: w.fails}
}

// A Func is a function of a script, as a method.
type Func struct {
	Name      string
	Number    int // of the methods of the function, see Chart.Divide
	Pos       datamodel.Position
	Signature string // "(x float64) bool"
	Body      string
}

// Funcs returns the functions of scripts, in the order of their declarations. Their methods are those of Names.Func.
func (c *Chart) Funcs() []Func {
	var list []Func
	for _, f := range c.methods {
		signature, body := c.body(f)
		list = append(list, Func{f.name, f.number, c.position(f), signature, body})
	}
	return list
}

func (c *Chart) position(f *function) datamodel.Position { return f.e.code.Position(f.node) }

// body returns the parts of a method.
func (c *Chart) body(f *function) (signature, body string) {
	var b strings.Builder
	w := &writer{emitter: emitter{Chart: c, e: f.e, out: &emission{rich: true}, root: f, fn: f}, b: &b, in: f}
	var params []string
	for _, p := range f.params {
		params = append(params, p.text+" "+p.typ.Go())
	}
	w.function()
	return "(" + strings.Join(params, ", ") + ") " + f.result.typ.Go(), c.settled(b.String())
}

// funcLiteral returns a function of package js.
func (m emitter) funcLiteral(f *function) string {
	var b strings.Builder
	m.fn = f
	w := &writer{emitter: m, b: &b, in: f}
	for i, p := range f.params {
		w.p("%s := js.Arg(args, %d)\n%s", p.text, i, mayBeUnused(p))
	}
	w.function()
	return "func(args []js.Value) js.Value {\n" + b.String() + "}"
}

// function writes the body of a function.
func (w *writer) function() {
	f := w.in
	w.scope = f.scope
	method := f == w.root
	if method && f.deep || !method && (w.root == nil || w.root.deep) {
		w.deep = true
		w.p("defer js.Leave(js.Enter(&%s))", w.names.Depth)
	}
	for i, p := range f.params {
		if d := f.node.Params[i].Default; d != nil {
			w.grow(p, func() Type { return Undefined })
			var c code
			w.grow(p, func() Type { c = w.keepLocal(w.value(d)); return c.typ })
			w.p("if %s.IsUndefined() {\n%s = %s\n}", p.text, p.text, c.rounded().to(p.typ).text)
		}
	}
	for _, v := range f.vars {
		w.declareLocal(v)
	}
	w.stmts(f.node.Body)
	if !terminates(f.node.Body) {
		w.returnValue(code{})
	}
}

// keepLocal returns a value for a local variable, which can be a function.
func (w *writer) keepLocal(c code) code { return w.note(c) }

// declareLocal declares a local variable without a value.
func (w *writer) declareLocal(v *variable) {
	w.p("var %s %s\n%s", v.text, v.typ.Go(), mayBeUnused(v))
	if v.early && v.lexical {
		w.p("%s = js.Uninitialized()", v.text)
	}
}

// returnValue writes a return. Without a value, that is undefined.
func (w *writer) returnValue(c code) {
	if c.text == "" {
		c = constant(js.Value{})
	}
	result := c.rounded().asValue().text
	if w.in == w.root {
		result = c.rounded().to(w.in.result.typ).text
	}
	if w.try != nil {
		w.try.returns = true
		w.p("result%[1]d, returned%[1]d = %[2]s, true\nreturn", w.try.depth, result)
		return
	}
	w.p("return %s", result)
}

// hoist declares what Go needs from the beginning of a block.
func (w *writer) hoist(list []tree.Stmt) {
	for _, s := range list {
		switch s := s.(type) {
		case *tree.FuncDecl:
			if v := w.local(s.Func.Name); v != nil {
				w.p("var %s js.Value\n%s", v.text, mayBeUnused(v))
			}
		case *tree.Var:
			if v := w.local(s.Name); v != nil && v.lexical && v.hoisted && !v.outside {
				w.declareLocal(v)
			}
		}
	}
}

// stmts writes the statements of a block.
func (w *writer) stmts(list []tree.Stmt) {
	w.hoist(list)
	for _, s := range list {
		if s, ok := s.(*tree.FuncDecl); ok {
			if v := w.local(s.Func.Name); v != nil {
				w.growTo(v, Function)
				w.p("%s = %s", v.text, w.literal(s.Func).text)
			}
		}
	}
	for _, s := range list {
		w.stmt(s)
		if terminating(s) { // Go's linters report what cannot be reached
			return
		}
	}
}

// local returns a local variable of the function, or nil for one of the chart.
func (w *writer) local(name string) *variable {
	if v := w.find(name); v != nil && v.text != "" {
		return v
	}
	return nil
}

// inner writes statements in a scope of their own.
func (w *writer) inner(n tree.Node, f func()) {
	outer := w.scope
	if s := w.scopes[n]; s != nil {
		w.scope = s
	}
	f()
	w.scope = outer
}

func (w *writer) block(s tree.Stmt) {
	if b, ok := s.(*tree.Block); ok {
		w.inner(b, func() { w.stmts(b.List) })
		return
	}
	w.stmts([]tree.Stmt{s})
}

func (w *writer) stmt(s tree.Stmt) {
	if w.names.Line != nil && !w.solving {
		switch s.(type) {
		case *tree.Empty, *tree.FuncDecl, *tree.Block, *tree.Labelled:
		default:
			if text := w.names.Line(w.e.code.Position(s)); text != "" {
				w.p("%s", text)
			}
		}
	}
	w.at = spot{w.e, s}
	switch s := s.(type) {
	case *tree.ExprStmt:
		w.exprStmt(s.X)
	case *tree.Var:
		w.varStmt(s)
	case *tree.If:
		test := w.note(w.truth(s.Test))
		w.p("if %s {", test.text)
		w.block(s.Then)
		if s.Else != nil {
			w.p("} else {")
			w.block(s.Else)
		}
		w.p("}")
	case *tree.Block:
		w.p("{")
		w.block(s)
		w.p("}")
	case *tree.Empty, *tree.FuncDecl:
	case *tree.For:
		w.forStmt(s, "")
	case *tree.ForIn:
		w.forIn(s, "")
	case *tree.While:
		w.while(s, "")
	case *tree.Switch:
		w.switchStmt(s, "")
	case *tree.Labelled:
		w.labelled(s)
	case *tree.Return:
		w.returnStmt(s)
	case *tree.Jump:
		w.jump(s)
	case *tree.Throw:
		w.fails = true
		w.p("panic(js.Thrown(%s))", w.part(s.X).text)
	case *tree.Try:
		w.tryStmt(s)
	default:
		w.unsupported(s, "%s", notOf(s))
	}
}

func (w *writer) returnStmt(s *tree.Return) {
	if w.in == nil {
		w.unsupported(s, "a return outside of a function: write if")
		return
	}
	if s.X == nil {
		w.growTo(w.in.result, Undefined)
		w.returnValue(code{})
		return
	}
	var c code
	w.grow(w.in.result, func() Type { c = w.note(w.value(s.X)); return c.typ })
	w.returnValue(c)
}

func (w *writer) labelled(s *tree.Labelled) {
	switch x := s.Stmt.(type) {
	case *tree.For:
		w.forStmt(x, s.Label)
	case *tree.ForIn:
		w.forIn(x, s.Label)
	case *tree.While:
		w.while(x, s.Label)
	default:
		w.unsupported(s, "a label of something else than a loop: write if, or a function with return")
	}
}

// loop writes a loop with what f writes inside.
func (w *writer) loop(head, label string, f func()) {
	label, body := w.round(label, f)
	w.p("%s%s {\n%s}", label, head, body)
}

// round returns what f writes inside of a loop, and the line with its label if that is used.
func (w *writer) round(label string, f func()) (line, body string) {
	outer := w.b
	w.b = &strings.Builder{}
	t := w.to(label, true, f)
	body = w.b.String()
	w.b = outer
	if t.used {
		line = t.goLabel + ":\n"
	}
	return line, body
}

func (w *writer) forStmt(s *tree.For, label string) {
	w.inner(s, func() {
		if len(s.Init) > 0 {
			w.p("{") // a scope, and the place of a label is before the loop itself
			w.hoist(s.Init)
			for _, init := range s.Init {
				w.stmt(init)
			}
		}
		test, update := "", ""
		if s.Test != nil {
			test = w.note(w.truth(s.Test)).text
			if test == "true" {
				test = ""
			}
		}
		if s.Update != nil {
			outer := w.b
			w.b = &strings.Builder{}
			w.exprStmt(s.Update)
			update = strings.TrimSuffix(w.b.String(), "\n")
			w.b = outer
			if strings.Contains(update, "\n") || !simpleStatement(update) {
				update = "func() {\n" + update + "\n}()"
			}
		}
		head := "for " + test
		if update != "" {
			head = "for ; " + test + "; " + update
		}
		line, body := w.round(label, func() { w.block(s.Body) })
		if own := w.ownOfEachRound(s.Init, head+body); len(own) > 0 {
			list := strings.Join(own, ", ")
			head = fmt.Sprintf("for %s := %s; %s; %s", list, list, test, update)
		}
		w.p("%s%s {\n%s}", line, head, body)
		if len(s.Init) > 0 {
			w.p("}")
		}
	})
}

// ownOfEachRound returns the variables of a loop of which functions in it see another one in each round, as in Go.
func (w *writer) ownOfEachRound(init []tree.Stmt, text string) (own []string) {
	if !strings.Contains(text, "func(args []js.Value)") {
		return nil
	}
	for _, s := range init {
		if d, ok := s.(*tree.Var); ok && d.Kind != "var" {
			if v := w.local(d.Name); v != nil && uses(text, v.text) {
				own = append(own, v.text)
			}
		}
	}
	return own
}

// simpleStatement reports whether Go allows a statement in the head of a loop.
func simpleStatement(text string) bool {
	return !strings.HasPrefix(text, "if ") && !strings.HasPrefix(text, "{")
}

func (w *writer) forIn(s *tree.ForIn, label string) {
	x := w.note(w.value(s.X)).asValue()
	w.fails = true
	w.inner(s, func() {
		v := w.find(s.Name)
		if v == nil || v.constant && s.Kind == "" {
			w.unsupported(s, "a loop with the variable %s, which is not declared or cannot change: declare it in the head of the loop, with var", s.Name)
			return
		}
		item := code{text: "item", prec: precOperand, typ: Any}
		head, check := "for at, all := 0, "+x.inHead()+"; ; at++", "item, more := js.Items(all, at)\nif !more {\nbreak\n}"
		if !s.Each {
			item = code{text: "name", prec: precOperand, typ: String, rep: repString}
			head, check = "for all, at := js.Names("+x.text+"), 0; all.More(at); at++", "name, there := all.Name(at)\nif !there {\ncontinue\n}"
		}
		w.grow(v, func() Type { return item.typ })
		w.loop(head, label, func() {
			w.p("%s", check)
			value := w.note(w.set(v, item, s)).to(v.typ).text
			switch {
			case v.text != "" && v.lexical:
				w.p("%s := %s\n%s", v.text, value, mayBeUnused(v))
			default:
				w.p("%s = %s", w.place(v).text, value)
			}
			w.block(s.Body)
		})
	})
}

func (w *writer) while(s *tree.While, label string) {
	test := w.note(w.truth(s.Test)).text
	head := "for " + test
	if test == "true" {
		head = "for"
	}
	if s.Do { // the test comes after the body, and after each continue
		head = "for again := true; again; again = " + test
	}
	w.loop(head, label, func() { w.block(s.Body) })
}

func (w *writer) switchStmt(s *tree.Switch, label string) {
	x := w.note(w.value(s.X))
	w.inner(s, func() {
		w.p("{")
		name := "on"
		w.p("%s := %s", name, x.asValue().rounded().text)
		for _, c := range s.Cases {
			for _, stmt := range c.Body {
				if d, ok := stmt.(*tree.Var); ok && d.Kind != "var" {
					if v := w.local(d.Name); v != nil {
						v.outside = true
						w.declareLocal(v)
					}
				}
			}
		}
		w.p("_ = %s\nswitch {", name)
		for i, c := range s.Cases {
			if c.Test == nil {
				w.p("default:")
			} else {
				on := temp(x.asValue(), name)
				on.konst = nil
				w.p("case %s:", w.note(equal(on, w.value(c.Test), true, false)).text)
			}
			body := c.Body
			end := len(body) > 0 && terminating(body[len(body)-1])
			if end {
				if j, ok := body[len(body)-1].(*tree.Jump); ok && !j.Continue && j.Label == "" {
					body = body[:len(body)-1]
				}
			}
			w.to("", false, func() { w.stmts(body) })
			if !end && !terminates(body) && i < len(s.Cases)-1 {
				w.p("fallthrough")
			}
		}
		w.p("}\n}")
	})
}

// varStmt writes a declaration.
func (w *writer) varStmt(s *tree.Var) {
	v := w.find(s.Name)
	if v == nil {
		return
	}
	declares := v.text != "" && v.lexical && !v.hoisted && !v.outside
	if s.Init == nil {
		switch {
		case declares:
			w.declareLocal(v)
		case v.lexical && v.text != "":
			w.p("%s = %s", v.text, constant(js.Value{}).to(v.typ).text)
		}
		return
	}
	var c code
	w.grow(v, func() Type {
		c = w.note(w.value(s.Init))
		if v.text == "" {
			c = w.keep(s.Init, c)
		}
		return c.typ
	})
	text := w.note(w.set(v, c.rounded(), s)).to(v.typ).text
	if declares {
		w.p("var %s %s = %s\n%s", v.text, v.typ.Go(), text, mayBeUnused(v))
		return
	}
	if place := w.place(v).text; place != text {
		w.p("%s = %s", place, text)
	}
}

// exprStmt writes an expression as a statement.
func (w *writer) exprStmt(x tree.Expr) {
	switch x := x.(type) {
	case *tree.Sequence:
		for _, x := range x.List {
			w.exprStmt(x)
		}
		return
	case *tree.Assign, *tree.Update:
		if w.assignStmt(x) {
			return
		}
	}
	c := w.note(w.value(x))
	switch {
	case !c.fails && !c.effects:
	case c.called && c.prec == precOperand:
		w.p("%s", c.text)
	default:
		w.p("_ = %s", c.text)
	}
}

// assignStmt writes an assignment in the form that Go has for it, if there is one.
func (w *writer) assignStmt(x tree.Expr) bool {
	var v *variable
	switch x := x.(type) {
	case *tree.Update:
		if to, ok := x.To.(*tree.Name); ok {
			v = w.find(to.Name)
		}
		if v == nil || v.constant {
			return false
		}
		w.grow(v, func() Type { w.reads(v); return Number })
		if !w.counts(v, x) {
			return true
		}
		place := w.place(v).text
		if v.typ == Number {
			w.p("%s%s", place, x.Op)
		} else {
			w.p("%s = %s", place, operate(x.Op[:1], w.place(v).asNumber(), numberConst(1)).to(v.typ).text)
		}
		return true
	case *tree.Assign:
		if to, ok := x.To.(*tree.Name); ok {
			v = w.find(to.Name)
		}
		if v == nil || v.constant {
			return false
		}
		var c, value code
		w.grow(v, func() Type {
			value = code{}
			switch x.Op {
			case "":
				c = w.value(x.Value)
			case "&&", "||", "??":
				c = w.choice(&tree.Binary{At: x.At, Op: x.Op, X: x.To, Y: x.Value})
			default:
				value = w.value(x.Value)
				w.reads(v)
				c = operate(x.Op, w.place(v), value)
			}
			if v.text == "" {
				c = w.keep(x.Value, c)
			}
			return c.typ
		})
		w.note(c)
		place := w.place(v).text
		switch {
		case v.typ == Number && (x.Op == "+" || x.Op == "-") && value.rep == repNumber && !value.effects, v.typ == String && x.Op == "+" && !value.effects:
			if v.typ == String {
				value = value.asText()
			}
			w.p("%s %s= %s", place, x.Op, value.rounded().text)
		default:
			if text := w.note(w.set(v, c.rounded(), x)).to(v.typ).text; text != place {
				w.p("%s = %s", place, text)
			}
		}
		return true
	}
	return false
}
