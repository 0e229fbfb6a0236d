package compile

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/scxmlrun/scxmlrun/datamodel"
	"github.com/scxmlrun/scxmlrun/datamodel/ecmascript"
	"github.com/scxmlrun/scxmlrun/scxml"
	"github.com/scxmlrun/scxmlrun/scxml/compile/internal/es"
	"github.com/scxmlrun/scxmlrun/scxml/internal/doc"
)

// typedModel makes Go of ECMAScript, see package es.
type typedModel struct {
	*generator
	es      *es.Chart
	exprs   map[*datamodel.Source]*es.Expr
	items   []*doc.Data                         // in the order in which they are initialised
	owners  []*doc.State                        // of items
	fieldOf map[string]string                   // Go names of data items, by id
	vars    map[string]string                   // of the variables of scripts
	reads   map[*doc.Transition]map[string]bool // the members that a transition reads
	whole   map[*doc.Transition]bool            // transitions that read the data of events as a whole
	looks   bool                                // an expression reads the data of an event, or a member
	used    bool                                // an expression reads _event
	shapes  map[string]string                   // Go variables, by names of properties
	event   map[string]bool                     // the fields of m.ev that are used, besides data
	member  map[string]string                   // Go names of members of _event.data
	taken   taken                               // names of members
}

func (g *generator) newTyped() *typedModel {
	g.use(jsPath)
	m := g.typedWith(nil)
	problems := m.es.Solve()
	if mixed := m.es.Mixed(); len(mixed) > 0 {
		m = g.typedWith(mixed)
		problems = m.es.Solve()
	}
	for _, p := range problems {
		g.problem(p.Pos, "%s", p.Msg)
	}
	return m
}

// typedWith returns a model whose types are not found out yet, with functions that are made more than once.
func (g *generator) typedWith(divided map[string]bool) *typedModel {
	m := &typedModel{
		generator: g, exprs: map[*datamodel.Source]*es.Expr{}, fieldOf: map[string]string{}, vars: map[string]string{},
		shapes: map[string]string{}, event: map[string]bool{}, member: map[string]string{}, taken: taken{}, reads: map[*doc.Transition]map[string]bool{},
		whole: map[*doc.Transition]bool{},
	}
	var items []es.Item
	names := taken{}
	for _, s := range g.doc.States {
		for _, d := range s.Data {
			if d.Go != nil {
				m.fieldOf[d.ID] = g.chosen(names, "", d.Go)
			}
		}
	}
	for _, s := range g.doc.States {
		for _, d := range s.Data {
			it := es.Item{ID: d.ID, Pos: d.Pos, Late: g.doc.Late && s.Index > 0, Fails: d.LoadErr != nil, Type: g.declaredType(d)}
			switch {
			case d.Expr != nil:
				it.Init, it.Kind = d.Expr, datamodel.ValueExpr
			case d.Content != nil:
				it.Init, it.Kind = d.Content, datamodel.Content
			}
			if s.Index == 0 && g.given[d.ID] {
				it.Given = es.Any
			}
			items = append(items, it)
			m.items, m.owners = append(m.items, d), append(m.owners, s)
			if m.fieldOf[d.ID] == "" {
				m.fieldOf[d.ID] = names.choose("", "Item", d.ID)
			}
		}
	}
	read := func(field string) string { m.used = true; return "m.ev." + field }
	m.es = es.New(items, es.Names{
		Err:       "m.err",
		Depth:     "m.depth",
		Shape:     m.shape,
		Func:      func(id string, n int) string { m.failed = true; return "m." + m.method(id, n) },
		Now:       "js.Millis(machine.Now(m))",
		Random:    "js.Random()",
		Field:     m.field,
		In:        m.inOperand,
		Named:     func(id string) string { return fmt.Sprintf("%s.ActiveID(m.regs[:], %s)", g.chartVar(), id) },
		Of:        m.ioLocation,
		Host:      func(processor string) string { return fmt.Sprintf("machine.Processor(m, %q)", processor) },
		Name:      strconv.Quote(g.doc.Name),
		SessionID: "machine.SessionID(m)",
		Present:   func() string { return read("present") },
		Event:     func(field string) string { m.event[field] = true; return read(eventField(field)) },
		Line:      g.lineOf,
		Data: func() string {
			m.looks = true
			if m.es.Whole() {
				m.used = true
				if m.current != nil {
					m.whole[m.current] = true
				}
				return "m.data()"
			}
			return read("data")
		},
		Member: func(name string) string { return read(m.memberField(name)) },
	})
	m.es.Divide(divided)
	m.collect()
	return m
}

// declaredType returns the type that the attribute type of a data item says, or 0.
func (g *generator) declaredType(d *doc.Data) es.Type {
	if d.Type == nil {
		return 0
	}
	typ := map[string]es.Type{"boolean": es.Bool, "number": es.Number, "string": es.String}[d.Type.Text]
	if typ == 0 {
		g.problem(d.Type.Pos, "type=%q: want boolean, number or string", d.Type.Text)
	}
	return typ
}

// ioLocation returns the location of an Event I/O Processor.
func (m *typedModel) ioLocation(processor string) string {
	if processor == scxml.SCXMLEventProcessor {
		return "machine.Address(m)"
	}
	return ""
}

func (m *typedModel) field(id string) string {
	if name := m.fieldOf[id]; name != "" {
		return "m.d." + name
	}
	if m.vars[id] == "" {
		m.vars[id] = "v" + strconv.Itoa(len(m.vars)) + "_" + spelled(id)[1:]
	}
	return "m.v." + m.vars[id]
}

// shape returns the variable for the names of an object literal.
func (m *typedModel) shape(names []string) string {
	quoted := make([]string, len(names))
	for i, name := range names {
		quoted[i] = strconv.Quote(name)
	}
	key := strings.Join(quoted, ", ")
	if m.shapes[key] == "" {
		m.shapes[key] = fmt.Sprintf("%sShape%d", lower(m.names.typ), len(m.shapes))
	}
	return m.shapes[key]
}

// method returns the name of the method for a function of a script, or of another one of its variants.
func (m *typedModel) method(id string, n int) string {
	if n > 0 {
		return fmt.Sprintf("f%d_%s", n+1, spelled(id)[1:])
	}
	return "f_" + spelled(id)[1:]
}

func (m *typedModel) inOperand(id string) string {
	s := m.doc.ByID[id]
	if s == nil || s.Kind == doc.History {
		return ""
	}
	if in := m.in(id); strings.HasPrefix(in, "(") {
		return in
	}
	return "(" + m.in(id) + ")"
}

// collect adds all expressions.
func (m *typedModel) collect() {
	add := func(kind datamodel.Kind, src *datamodel.Source, event bool) *es.Expr {
		if src == nil {
			return nil
		}
		e := m.es.Add(kind, src, event)
		m.exprs[src] = e
		return e
	}
	value := func(src *datamodel.Source, event bool) *es.Expr { return add(datamodel.ValueExpr, src, event) }
	params := func(namelist []*datamodel.Source, params []*doc.Param, event bool) {
		for _, src := range namelist {
			add(datamodel.Location, src, event)
		}
		for _, p := range params {
			value(p.Expr, event)
			add(datamodel.Location, p.Location, event)
		}
	}
	content := func(c *doc.Content, event bool) {
		if c != nil {
			value(c.Expr, event)
			add(datamodel.Content, c.Inline, event)
		}
	}
	var body func(all []doc.Exec, event bool)
	body = func(all []doc.Exec, event bool) {
		for _, e := range all {
			switch e := e.(type) {
			case *doc.Log:
				value(e.Expr, event)
			case *doc.If:
				for _, b := range e.Branches {
					add(datamodel.Condition, b.Cond, event)
					body(b.Body, event)
				}
			case *doc.Foreach:
				m.es.AddForeach(value(e.Array, event), e.Item, e.Index, func() { body(e.Body, event) })
			case *doc.Assign:
				location := add(datamodel.Location, e.Location, event)
				switch {
				case e.Expr != nil:
					m.es.AddAssign(location, value(e.Expr, event))
				case e.Content != nil:
					m.es.AddAssign(location, add(datamodel.Content, e.Content, event))
				default:
					m.es.AddValue(location, es.Undefined)
				}
			case *doc.Script:
				m.exprs[&e.Code] = m.es.AddScript(&e.Code, false, event)
			case *doc.Send:
				for _, src := range []*datamodel.Source{e.EventExpr, e.TargetExpr, e.TypeExpr, e.DelayExpr} {
					value(src, event)
				}
				if e.IDLocation != nil {
					m.es.AddValue(add(datamodel.Location, e.IDLocation, event), es.String)
				}
				params(e.Namelist, e.Params, event)
				content(e.Content, event)
			case *doc.Cancel:
				value(e.Expr, event)
			}
		}
	}
	for _, s := range m.doc.Scripts {
		m.exprs[&s.Code] = m.es.AddScript(&s.Code, true, false)
	}
	for _, src := range m.asked {
		add(datamodel.Condition, src, false)
	}
	for _, s := range m.doc.States {
		for _, b := range slices.Concat(s.OnEntry, s.OnExit) {
			body(b.Body, false)
		}
		if s.Initial != nil {
			body(s.Initial.Body, false)
		}
		for _, t := range s.Transitions {
			event := len(t.Events) > 0
			add(datamodel.Condition, t.Cond, event)
			body(t.Body, event)
		}
		for _, inv := range s.Invokes {
			value(inv.TypeExpr, false)
			value(inv.SrcExpr, false)
			if inv.IDLocation != nil {
				m.es.AddValue(add(datamodel.Location, inv.IDLocation, false), es.String)
			}
			params(inv.Namelist, inv.Params, false)
			if inv.Content == nil || !inv.Content.Scxml() || inv.TypeExpr != nil || !doc.IsSCXMLType(inv.Type) {
				content(inv.Content, false)
			}
			if inv.Finalize == nil {
				continue
			}
			body(inv.Finalize.Body, true)
			if len(inv.Finalize.Body) == 0 {
				for _, src := range inv.Namelist {
					m.es.AddValue(m.exprs[src], es.Any)
				}
				for _, p := range inv.Params {
					if p.Location != nil {
						m.es.AddValue(m.exprs[p.Location], es.Any)
					}
				}
			}
		}
		if s.Donedata != nil {
			params(nil, s.Donedata.Params, false)
			content(s.Donedata.Content, false)
		}
	}
}

// asAny returns a value as an any: of objects and arrays, a copy.
func (m *typedModel) asAny(c es.Code) code {
	if c.Type&(es.Object|es.Array) != 0 {
		return code{text: "js.Out(&m.err, " + c.Text + ")", fails: true}
	}
	return code{text: c.Any(), fails: c.Fails, typed: c.Text}
}

func (m *typedModel) cond(src *datamodel.Source) code {
	c := m.es.Cond(m.exprs[src])
	return code{text: c.Text, fails: c.Fails}
}
func (m *typedModel) value(src *datamodel.Source) code    { return m.asAny(m.es.Value(m.exprs[src])) }
func (m *typedModel) location(src *datamodel.Source) code { return m.asAny(m.es.Value(m.exprs[src])) }
func (m *typedModel) inline(src *datamodel.Source) code   { return m.asAny(m.es.Value(m.exprs[src])) }
func (m *typedModel) text(src *datamodel.Source) code {
	c := m.es.Text(m.exprs[src])
	return code{text: c.Text, fails: c.Fails}
}
func (m *typedModel) delay(src *datamodel.Source) code {
	return code{text: "machine.Delay(&m.err, " + m.text(src).text + ")", fails: true}
}
func (m *typedModel) object(fields string) string { return fields }
func (m *typedModel) repeated(fields string) (object, raw string) {
	return fields + ".Last()", fields + ".Form()"
}
func (m *typedModel) readsEvent() bool { return m.used }

func (m *typedModel) goType(src *datamodel.Source) string {
	c := m.es.Value(m.exprs[src])
	if c.Type&(es.Object|es.Array) != 0 {
		return "any"
	}
	return c.Type.Go()
}

func (m *typedModel) item() string {
	var b strings.Builder
	seen := map[string]bool{}
	for _, d := range m.items {
		if !seen[d.ID] {
			seen[d.ID] = true
			value := "m.d." + m.fieldOf[d.ID]
			if m.es.Type(d.ID).Go() == "js.Value" {
				value += ".Any()"
			}
			fmt.Fprintf(&b, "case %s:\nreturn %s, true\n", strconv.Quote(d.ID), value)
		}
	}
	if b.Len() == 0 {
		return "return nil, false"
	}
	return "switch id {\n" + b.String() + "}\nreturn nil, false"
}

func (m *typedModel) assign(e *doc.Assign) {
	c := m.assignment(e)
	m.p("%s", c.Text)
	m.check(code{fails: c.Fails}, "assign", e.Pos)
}

func (m *typedModel) assignFails(e *doc.Assign) bool { return m.assignment(e).Fails }

func (m *typedModel) assignment(e *doc.Assign) es.Code {
	location := m.exprs[e.Location]
	switch {
	case e.Content != nil:
		return m.es.Assign(location, m.exprs[e.Content])
	case e.Expr != nil:
		return m.es.Assign(location, m.exprs[e.Expr])
	}
	return m.es.AssignUndefined(location)
}

func (m *typedModel) assignValue(location *datamodel.Source, value string, isText bool) []string {
	var c es.Code
	if isText {
		c = m.es.AssignString(m.exprs[location], value)
	} else {
		c = m.es.AssignValue(m.exprs[location], "js.In(&m.err, "+value+")")
	}
	if !strings.Contains(c.Text, value) { // nothing can be assigned there
		return []string{"_ = " + value, c.Text}
	}
	return []string{c.Text}
}

func (m *typedModel) script(src *datamodel.Source, pos datamodel.Position) {
	c := m.es.Script(m.exprs[src])
	if c.Fails {
		m.p("func() {\n%s\n}()", c.Text)
	} else if c.Text != "" {
		m.p("{\n%s\n}", c.Text)
	}
	m.check(code{fails: c.Fails}, "script", pos)
}

// foreach writes a <foreach>: REC 4.6 has it go through a copy of the array.
func (m *typedModel) foreach(e *doc.Foreach) {
	m.failed = true
	for _, name := range []string{e.Item, e.Index} {
		if err := ecmascript.CheckVariable(name); err != nil && (name == e.Item || name != "") {
			m.p("m.err = %s", strconv.Quote(err.Error()))
			m.check(code{fails: true}, "foreach", e.Pos)
			return
		}
	}
	items, index := m.variable(), "_"
	m.p("%s := js.ForeachItems(&m.err, %s)", items, m.es.AsValue(m.exprs[e.Array]))
	m.check(code{fails: true}, "foreach", e.Pos)
	m.p("%s", m.es.Declare(e.Item))
	if e.Index != "" {
		m.p("%s", m.es.Declare(e.Index))
		index = m.variable()
	}
	item := m.variable()
	m.p("for %s, %s := range %s {", index, item, items)
	m.p("%s", m.es.SetItem(e.Item, item))
	if e.Index != "" {
		m.p("%s", m.es.SetItem(e.Index, "js.Number(float64("+index+"))"))
	}
	m.body(e.Body)
	m.p("}")
}

// functions writes the functions of scripts as methods.
func (m *typedModel) functions() {
	for _, f := range m.es.Funcs() {
		name := m.method(f.Name, f.Number)
		m.p("\n// %s is the function %s of the chart.\nfunc (m *%s) %s%s {\n%s", name, printable(f.Name), m.nodeType(), name, f.Signature, f.Body)
		m.own()
		m.p("}")
	}
}

func (m *typedModel) init() {
	d := m.doc
	m.p("\nfunc (m *%s) Init() {", m.nodeType())
	for _, id := range m.es.Vars() {
		if _, late := m.es.Declared(id); late {
			m.p("%s = js.Undeclared()", m.field(id))
		}
	}
	for i, item := range m.items {
		if !d.Late || m.owners[i].Index == 0 {
			m.initItem(i, item)
		}
	}
	for i := range d.Scripts {
		m.p("m.script%d()", i)
	}
	m.own()
	m.p("}")
	for i, s := range d.Scripts {
		m.block(fmt.Sprintf("script%d", i), "script of the chart", []doc.Exec{s})
	}
	m.functions()
	if !d.Late {
		return
	}
	for _, s := range d.States {
		if s.Index == 0 || len(s.Data) == 0 {
			continue
		}
		m.p("\nfunc (m *%s) bind%d() {", m.nodeType(), s.Index)
		for i, item := range m.items {
			if m.owners[i] == s {
				m.initItem(i, item)
			}
		}
		m.own()
		m.p("}")
	}
}

func (m *typedModel) initItem(i int, item *doc.Data) {
	m.line(item.Pos)
	c := m.es.Init(i)
	if item.LoadErr != nil {
		c = es.Code{Text: "m.err = " + strconv.Quote(item.LoadErr.Error()), Fails: true}
	}
	init := c.Text
	if c.Fails {
		m.failed = true
		init += fmt.Sprintf("\nm.ok(\"data\", %q)", at(item.Pos))
	}
	if m.owners[i].Index > 0 {
		m.p("%s", init)
		return
	}
	m.failed = true
	m.p("if x, ok := machine.Preset(m, %s); ok {", strconv.Quote(item.ID))
	m.p("if v, ok := js.Given(x, %d); ok {\n%s\n} else {", m.es.Type(item.ID), m.es.SetItem(item.ID, "v"))
	if init != "" && !c.Fails { // otherwise it is undefined
		m.p("%s", init)
	}
	m.p("m.err = %s\nm.ok(\"data\", %q)\n}", strconv.Quote(fmt.Sprintf("the value that is given to %q has another type than those in the chart", item.ID)), at(item.Pos))
	if init != "" {
		m.p("} else {\n%s", init)
	}
	m.p("}")
}

// declarations writes what is known when all expressions are written: types of fields, and the event.
func (m *typedModel) declarations() {
	m.failures("err")
	n := &m.names
	if len(m.items) > 0 {
		m.p("\n// %sData has the data items of a %s.\ntype %sData struct {", n.prefix, n.typ, n.prefix)
		seen := map[string]bool{}
		for _, d := range m.items {
			if !seen[d.ID] {
				seen[d.ID] = true
				m.p("%s %s // %s, %s", m.fieldOf[d.ID], m.es.Type(d.ID).Go(), printable(d.ID), at(d.Pos))
			}
		}
		m.p("}\n\n// Data returns the data items.\nfunc (m *%s) Data() %sData { return m.d }", n.typ, n.prefix)
	}
	if len(m.vars) > 0 {
		m.p("\n// %sVars has the variables of scripts.\ntype %sVars struct {", lower(n.typ), lower(n.typ))
		for _, id := range sortedKeys(m.vars) {
			m.p("%s %s // %s", m.vars[id], m.es.Type(id).Go(), printable(id))
		}
		m.p("}")
	}
	for _, key := range sortedKeys(m.shapes) {
		m.p("\nvar %s = js.NewShape(%s)", m.shapes[key], key)
	}
	m.eventDeclarations()
}

func (m *typedModel) fields() {
	n := &m.names
	if len(m.items) > 0 {
		m.p("d %sData", n.prefix)
	}
	if len(m.vars) > 0 {
		m.p("v %sVars", lower(n.typ))
	}
	if m.readsEvent() {
		m.p("ev %sEvent", lower(n.typ))
	}
	if m.looks && m.es.Whole() {
		m.p("shape *js.Shape // of the data of the last event that were read")
	}
	if m.failed {
		m.p("err string // of an expression that has failed")
	}
	if m.es.Deep() {
		m.p("depth int // of calls")
	}
}
