package compile

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/scxmlrun/scxmlrun/datamodel"
	"github.com/scxmlrun/scxmlrun/scxml"
	"github.com/scxmlrun/scxmlrun/scxml/internal/delay"
	"github.com/scxmlrun/scxmlrun/scxml/internal/doc"
)

// node writes the methods of machine.Node.
func (g *generator) node() {
	node := g.nodeType()
	g.p("\n// A %s is a %s as package machine sees it.\ntype %s %s", node, g.names.typ, node, g.names.typ)
	g.p("\nfunc (m *%s) Machine() (*machine.Core, *machine.Chart, []uint16) { return &m.core, &%s, m.regs[:] }", node, g.chartVar())
	g.data.init()
	g.conditions()
	var cases []string
	for _, t := range g.all {
		if len(t.Body) > 0 {
			name := fmt.Sprintf("content%d", g.number(t))
			cases = append(cases, fmt.Sprintf("case %d:\nm.%s()", g.number(t), name))
			g.current = t
			g.block(name, g.title(t), t.Body)
			g.current = nil
		}
	}
	g.dispatch("Content", "transition", cases)
	cases = nil
	for i, s := range g.doc.States {
		if hasContent(s.OnEntry) {
			cases = append(cases, "case "+strconv.Itoa(i)+":"+g.blocks("entry", s, s.OnEntry))
		}
	}
	g.dispatch("OnEntry", "state", cases)
	cases = nil
	for i, s := range g.doc.States {
		if g.lateBound(s) {
			cases = append(cases, fmt.Sprintf("case %d:\nm.bind%d()", i, i))
		}
	}
	g.dispatch("Bind", "state", cases)
	cases = nil
	for i, s := range g.doc.States {
		if hasContent(s.OnExit) {
			cases = append(cases, "case "+strconv.Itoa(i)+":"+g.blocks("exit", s, s.OnExit))
		}
	}
	g.dispatch("OnExit", "state", cases)
	g.doneData()
	g.invokes()
}

// dispatch writes a method that calls one of several functions.
func (g *generator) dispatch(name, param string, cases []string) {
	if len(cases) == 0 {
		g.p("\nfunc (m *%s) %s(uint16) {}", g.nodeType(), name)
		return
	}
	g.p("\nfunc (m *%s) %s(%s uint16) {\nswitch %s {\n%s\n}\n}", g.nodeType(), name, param, param, strings.Join(cases, "\n"))
}

// title describes a transition.
func (g *generator) title(t *doc.Transition) string {
	var targets []string
	for _, target := range t.Targets {
		targets = append(targets, g.names.states[target.Index])
	}
	title := g.names.states[t.Source.Index]
	if len(t.Events) > 0 {
		title += ": " + printable(strings.Join(t.Events, " "))
	}
	if len(targets) > 0 {
		title += " → " + strings.Join(targets, ", ")
	}
	return title
}

// blocks writes the handlers of a state, and returns the calls of them.
func (g *generator) blocks(kind string, s *doc.State, blocks []*doc.Block) (calls string) {
	names := blockNames(kind, s, blocks)
	for _, b := range blocks {
		if len(b.Body) > 0 {
			g.block(names[0], "on"+kind+" of "+g.names.states[s.Index], b.Body)
			calls += "\nm." + names[0] + "()"
			names = names[1:]
		}
	}
	return calls
}

// blockNames returns the names of the methods for the handlers of a state.
func blockNames(kind string, s *doc.State, blocks []*doc.Block) (names []string) {
	for _, b := range blocks {
		if len(b.Body) > 0 {
			name := fmt.Sprintf("%s%d", kind, s.Index)
			if len(names) > 0 {
				name += "_" + strconv.Itoa(len(names)+1)
			}
			names = append(names, name)
		}
	}
	return names
}

// block writes a block of executable content as a method. An error ends it (REC 4.9).
func (g *generator) block(name, title string, body []doc.Exec) {
	g.p("\n// %s: %s.\nfunc (m *%s) %s() {", name, title, g.nodeType(), name)
	g.variables = 0
	g.body(body)
	g.own()
	g.p("}")
}

func (g *generator) body(body []doc.Exec) {
	for _, e := range body {
		g.line(e.Position())
		g.exec(e)
	}
}

// check writes what ends a block after an error of an expression that was evaluated.
func (g *generator) check(c code, element string, pos datamodel.Position) {
	if c.fails {
		g.failed = true
		g.p("if !m.ok(%q, %q) {\nreturn\n}", element, at(pos))
	}
}

func (g *generator) exec(e doc.Exec) {
	switch e := e.(type) {
	case *doc.Raise:
		g.p("m.core.Raise(m, uint16(%s))", g.names.events[g.events.number[e.Event]])
	case *doc.Log:
		value := "nil"
		if e.Expr != nil {
			c := g.data.value(e.Expr)
			value = g.keep(c, "log", e.Pos)
		}
		g.p("machine.Log(m, %s, %s)", strconv.Quote(e.Label), value)
	case *doc.If:
		g.ifElse(e)
	case *doc.Assign:
		g.data.assign(e)
	case *doc.Script:
		g.data.script(&e.Code, e.Pos)
	case *doc.Foreach:
		g.data.foreach(e)
	case *doc.Send:
		g.send(e)
	case *doc.Cancel:
		if e.Expr == nil {
			g.p("machine.Cancel(m, %s)", strconv.Quote(e.SendID))
			return
		}
		id := g.keep(g.data.text(e.Expr), "cancel", e.Pos)
		g.p("machine.Cancel(m, %s)", id)
	case *doc.Foreign:
		name := fmt.Sprintf("%sElement%d", lower(g.names.typ), g.elements)
		g.elements++
		g.later = append(g.later, fmt.Sprintf("\n// %s is the element at %s.\nvar %s = machine.Element%s", name, at(e.Pos), name, element(e.Node)))
		g.p("if !machine.Act(m, &%s, %q) {\nreturn\n}", name, at(e.Pos))
	default:
		panic(fmt.Sprintf("compile: executable content %T", e))
	}
}

// element returns the fields of a machine.Element.
func element(n *datamodel.Node) string {
	var b, children strings.Builder
	fmt.Fprintf(&b, "{Space: %s, Local: %s", strconv.Quote(n.Space), strconv.Quote(n.Local))
	if len(n.Attrs) > 0 {
		b.WriteString(", Attrs: []machine.Attr{")
		for _, a := range n.Attrs {
			fmt.Fprintf(&b, "{Space: %s, Local: %s, Value: %s}, ", strconv.Quote(a.Space), strconv.Quote(a.Local), strconv.Quote(a.Value))
		}
		b.WriteString("}")
	}
	text := ""
	for _, c := range n.Children {
		switch c.Type {
		case datamodel.ElementNode:
			children.WriteString(element(c) + ", ")
		case datamodel.TextNode:
			text += c.Text
		}
	}
	if strings.TrimSpace(text) != "" {
		b.WriteString(", Text: " + strconv.Quote(text))
	}
	if children.Len() > 0 {
		b.WriteString(", Children: []machine.Element{" + children.String() + "}")
	}
	return b.String() + "}"
}

// keep makes the value of an expression available as a Go expression that cannot fail, as an any.
func (g *generator) keep(c code, element string, pos datamodel.Position) string {
	if !c.fails {
		return c.text
	}
	v := g.variable()
	g.p("%s := %s", v, c.text)
	g.check(c, element, pos)
	return v
}

// ifElse writes an <if>. REC 5.9.1: a condition that cannot be evaluated is false, so the block continues.
func (g *generator) ifElse(e *doc.If) {
	opened := 0
	for i, b := range e.Branches {
		if i > 0 {
			if b.Cond == nil {
				g.p("} else {")
			} else {
				g.p("} else {")
				opened++
			}
		}
		if b.Cond != nil {
			g.line(b.Pos)
			g.p("if %s {", g.cond(b.Cond, "if", b.Pos))
		}
		g.body(b.Body)
	}
	g.p("}%s", strings.Repeat("}", opened))
}

// cond returns a condition that raises error.execution by itself.
func (g *generator) cond(src *datamodel.Source, element string, pos datamodel.Position) string {
	c := g.data.cond(src)
	if !c.fails {
		return c.text
	}
	g.failed, g.failsCond = true, true
	return fmt.Sprintf("m.holds(%s, %q, %q)", c.text, element, at(pos))
}

// conditions writes Node.Condition.
func (g *generator) conditions() {
	var cases []string
	for _, t := range g.all {
		if t.Cond != nil {
			name := fmt.Sprintf("cond%d", g.number(t))
			cases = append(cases, fmt.Sprintf("case %d:\nreturn m.%s()", g.number(t), name))
			g.p("\n// %s: %s.\nfunc (m *%s) %s() bool {", name, g.title(t), g.nodeType(), name)
			g.line(t.Cond.Pos)
			g.current = t
			g.p("return %s", g.cond(t.Cond, "transition", t.Pos))
			g.current = nil
			g.own()
			g.p("}")
		}
	}
	if len(cases) == 0 {
		g.p("\nfunc (m *%s) Condition(uint16) bool { return true }", g.nodeType())
		return
	}
	g.p("\nfunc (m *%s) Condition(transition uint16) bool {\nswitch transition {\n%s\n}\nreturn true\n}", g.nodeType(), strings.Join(cases, "\n"))
}

// spans returns the numbers of the events of a transition, as machine.Transition has them.
func (g *generator) spans(t *doc.Transition) string {
	var spans []string
	for _, d := range t.Events {
		first, end := g.events.matched(d)
		spans = append(spans, fmt.Sprintf("%d, %d", first, end))
	}
	return strings.Join(spans, ", ")
}

func (g *generator) send(e *doc.Send) {
	hook := g.quickHook(e)
	if hook != "" {
		g.p("if m.core.Flags&machine.Observed == 0 {\n%s\n} else {", hook)
	}
	g.sendMessage(e)
	if hook != "" {
		g.p("}")
	}
}

// sendMessage writes a <send>.
func (g *generator) sendMessage(e *doc.Send) {
	id := strconv.Quote(e.ID)
	if e.IDLocation != nil {
		id = g.variable()
		g.p("%s := machine.NewID(m, \"send\")", id)
		for _, line := range g.data.assignValue(e.IDLocation, id, true) {
			g.p("%s", line)
		}
		g.check(code{fails: true}, "send", e.Pos)
	}
	fail := func(c code) {
		if c.fails {
			g.failed, g.failsSend = true, true
			g.p("if !m.okSend(%q, %s) {\nreturn\n}", at(e.Pos), id)
		}
	}
	text := func(literal string, src *datamodel.Source) string {
		if src == nil {
			return strconv.Quote(literal)
		}
		c := g.data.text(src)
		if !c.fails {
			return c.text
		}
		v := g.variable()
		g.p("%s := %s", v, c.text)
		fail(c)
		return v
	}
	name := text(e.Event, e.EventExpr)
	if e.EventExpr != nil {
		g.p("if !machine.CheckEvent(m, %s, %q, %s) {\nreturn\n}", name, at(e.Pos), id)
	}
	target := text(e.Target, e.TargetExpr)
	typ := text(e.Type, e.TypeExpr)
	processor := e.TypeExpr != nil || !slices.Contains([]string{"", "scxml", scxml.SCXMLEventProcessor}, e.Type) // another one, maybe
	if processor {
		g.p("if !machine.CheckProcessor(m, %s, %q, %s) {\nreturn\n}", typ, at(e.Pos), id)
	}
	wait := ""
	switch {
	case e.DelayExpr != nil:
		c := g.data.delay(e.DelayExpr)
		wait = g.variable()
		g.p("%s := %s", wait, c.text)
		fail(c)
	case e.Delay != "":
		if d, _ := delay.Parse(e.Delay); d != 0 {
			wait = strconv.FormatInt(int64(d), 10) + " /* " + printable(d.String()) + " */"
		}
	}
	data, raw, params, hook := "", "", "", ""
	if c := g.content(e.Content); e.Content != nil {
		data = c.text
		if c.fails {
			data = g.variable()
			g.p("%s := %s", data, c.text)
			fail(c)
		}
	} else if len(e.Namelist)+len(e.Params) > 0 {
		all := g.evaluate(e.Namelist, e.Params, func(c code, _ datamodel.Position) { fail(c) })
		if hook = g.evaluatedHook(e, all); hook != "" {
			data = fieldsOf(all)
		} else {
			v := g.variable()
			g.p("%s := %s", v, fieldsOf(all))
			if data = g.data.object(v); g.repeats(e.Namelist, e.Params) {
				data, raw = g.data.repeated(v)
			}
			if processor {
				params = v
			}
		}
	}
	fields := func(values ...string) string { // names and values, of which zero ones are left out
		var set []string
		for i := 0; i < len(values); i += 2 {
			if v := values[i+1]; v != "" && v != `""` {
				set = append(set, values[i]+": "+v)
			}
		}
		return strings.Join(set, ", ")
	}
	if hook != "" {
		hook = "if m.core.Flags&machine.Observed == 0 {\n" + hook + "\n} else "
	}
	g.p("%sif !machine.Dispatch(m, machine.Message{Event: machine.Event{%s}, %s}) {\nreturn\n}", hook, fields("Name", name, "SendID", id, "Data", data, "Raw", raw),
		fields("Target", target, "Type", typ, "Delay", wait, "At", strconv.Quote(at(e.Pos)), "Params", params, "Retry", retry(e.Retry)))
}

// retry returns the attribute retry as a literal.
func retry(r *doc.Retry) string {
	if r == nil {
		return ""
	}
	return strconv.Quote(scxml.Retry(*r).String())
}

// content returns the value of a <content>, or of none.
func (g *generator) content(c *doc.Content) code {
	switch {
	case c == nil, c.Expr == nil && c.Inline == nil:
		return code{text: "nil"}
	case c.Expr != nil:
		return g.data.value(c.Expr)
	}
	return g.data.inline(c.Inline)
}

// repeats reports whether a message has a name several times, which an object does not.
func (g *generator) repeats(namelist []*datamodel.Source, params []*doc.Param) bool {
	names := map[string]bool{}
	for _, src := range namelist {
		names[src.Text] = true
	}
	for _, p := range params {
		names[p.Name] = true
	}
	return len(names) < len(namelist)+len(params)
}

// An evaluated is a value of a message: a variable or nil.
type evaluated struct{ name, value string }

// evaluate writes the evaluation of a namelist and of <param>s.
func (g *generator) evaluate(namelist []*datamodel.Source, params []*doc.Param, fail func(code, datamodel.Position)) (all []evaluated) {
	add := func(name string, c code, pos datamodel.Position) {
		value := c.text
		if value != "nil" { // each in its turn: one can change what another reads
			value = g.variable()
			g.p("%s := %s", value, c.text)
		}
		if c.fails {
			fail(c, pos)
		}
		all = append(all, evaluated{name, value})
	}
	for _, src := range namelist {
		add(src.Text, g.data.location(src), src.Pos)
	}
	for _, p := range params {
		c := code{text: "nil"}
		switch {
		case p.Location != nil:
			c = g.data.location(p.Location)
		case p.Expr != nil:
			c = g.data.value(p.Expr)
		}
		add(p.Name, c, p.Pos)
	}
	return all
}

// fieldsOf returns the machine.Fields of values.
func fieldsOf(all []evaluated) string {
	if all == nil {
		return "machine.Fields(nil)"
	}
	var fields []string
	for _, v := range all {
		fields = append(fields, fmt.Sprintf("{Name: %s, Value: %s}", strconv.Quote(v.name), v.value))
	}
	return "machine.Fields{" + strings.Join(fields, ", ") + "}"
}

// doneData writes Node.DoneData.
func (g *generator) doneData() {
	if !slices.ContainsFunc(g.doc.States, func(s *doc.State) bool { return s.Donedata != nil }) {
		g.p("\nfunc (m *%s) DoneData(uint16) any { return nil }", g.nodeType())
		return
	}
	g.p("\nfunc (m *%s) DoneData(state uint16) any {\nswitch state {", g.nodeType())
	for i, s := range g.doc.States {
		d := s.Donedata
		if d == nil {
			continue
		}
		g.variables = 0
		g.p("case %d: // %s", i, g.names.states[i])
		g.line(d.Pos)
		if d.Content != nil {
			c := g.content(d.Content)
			if !c.fails {
				g.p("return %s", c.text)
				continue
			}
			g.failed = true
			v := g.variable()
			// REC 5.6.2: the empty string replaces a value that fails.
			g.p("%s := %s\nif !m.ok(\"content\", %q) {\nreturn \"\"\n}\nreturn %s", v, c.text, at(d.Content.Pos), v)
			continue
		}
		// REC 5.7: a <param> that fails is left out.
		v := g.variable()
		g.p("var %s machine.Fields", v)
		for _, p := range d.Params {
			c := code{text: "nil"}
			switch {
			case p.Location != nil:
				c = g.data.location(p.Location)
			case p.Expr != nil:
				c = g.data.value(p.Expr)
			}
			if !c.fails {
				g.p("%s.Set(%s, %s)", v, strconv.Quote(p.Name), c.text)
				continue
			}
			g.failed = true
			g.p("if value := %s; m.ok(\"param\", %q) {\n%s.Set(%s, value)\n}", c.text, at(p.Pos), v, strconv.Quote(p.Name))
		}
		g.p("if %s == nil {\nreturn nil\n}\nreturn %s", v, g.data.object(v))
	}
	g.own()
	g.p("}\nreturn nil\n}")
}
