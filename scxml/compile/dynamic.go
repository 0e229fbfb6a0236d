package compile

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/scxmlrun/scxmlrun/datamodel"
	"github.com/scxmlrun/scxmlrun/scxml/internal/doc"
)

const dynamicPath = machinePath + "/dynamic"

// dynamicModel leaves all expressions to a data model at run time, see package dynamic.
type dynamicModel struct {
	*generator
	exprs []string // the literals of dynamic.Expr
}

// expr returns the number of an expression, with a comment.
func (m *dynamicModel) expr(kind string, src *datamodel.Source) string {
	m.use("github.com/scxmlrun/scxmlrun/datamodel")
	literal := fmt.Sprintf("{Kind: datamodel.%s, Line: %d, Col: %d, Text: %s", kind, src.Pos.Line, src.Pos.Col, strconv.Quote(src.Text))
	if len(src.Nodes) > 0 {
		literal += ", Nodes: " + nodes(src.Nodes)
	}
	literal += "}"
	m.exprs = append(m.exprs, literal)
	text := printable(src.Text)
	if len(text) > 40 {
		text = text[:40] + "…"
	}
	return fmt.Sprintf("%d /* %s */", len(m.exprs)-1, text)
}

// nodes returns inline XML as a literal on one line. It is not written as XML again, because prefixes can be declared
// outside it.
func nodes(list []*datamodel.Node) string {
	var b strings.Builder
	field := func(name, value string) {
		if value != "" {
			fmt.Fprintf(&b, "%s: %s, ", name, strconv.Quote(value))
		}
	}
	b.WriteString("[]*datamodel.Node{")
	for _, n := range list {
		types := [...]string{datamodel.ElementNode: "ElementNode", datamodel.TextNode: "TextNode", datamodel.CommentNode: "CommentNode"}
		fmt.Fprintf(&b, "{Type: datamodel.%s, ", types[n.Type])
		field("Prefix", n.Prefix)
		field("Local", n.Local)
		field("Space", n.Space)
		field("Text", n.Text)
		if len(n.Attrs) > 0 {
			b.WriteString("Attrs: []datamodel.Attr{")
			for _, a := range n.Attrs {
				fmt.Fprintf(&b, "{Prefix: %q, Local: %q, Space: %q, Value: %q}, ", a.Prefix, a.Local, a.Space, a.Value)
			}
			b.WriteString("}, ")
		}
		if len(n.Children) > 0 {
			b.WriteString("Children: " + nodes(n.Children))
		}
		b.WriteString("}, ")
	}
	b.WriteString("}")
	return b.String()
}

func (m *dynamicModel) call(method, kind string, src *datamodel.Source) code {
	return code{text: fmt.Sprintf("m.js.%s(%s)", method, m.expr(kind, src)), fails: true}
}

func (m *dynamicModel) fields() { m.p("\tjs dynamic.Store") }

func (m *dynamicModel) cond(src *datamodel.Source) code     { return m.call("Condition", "Condition", src) }
func (m *dynamicModel) value(src *datamodel.Source) code    { return m.call("Value", "ValueExpr", src) }
func (m *dynamicModel) location(src *datamodel.Source) code { return m.call("Value", "Location", src) }
func (m *dynamicModel) inline(src *datamodel.Source) code   { return m.call("Value", "Content", src) }
func (m *dynamicModel) text(src *datamodel.Source) code     { return m.call("Text", "ValueExpr", src) }
func (m *dynamicModel) delay(src *datamodel.Source) code    { return m.call("Delay", "ValueExpr", src) }
func (m *dynamicModel) object(fields string) string         { return "dynamic.Object(" + fields + ")" }
func (m *dynamicModel) repeated(fields string) (object, raw string) {
	return m.object(fields), "dynamic.Raw(" + fields + ")"
}

func (m *dynamicModel) readsEvent() bool                { return true }
func (m *dynamicModel) item() string                    { return "return m.js.Data(id)" }
func (m *dynamicModel) inputWithData(int, string) bool  { return false }
func (m *dynamicModel) goType(*datamodel.Source) string { return "any" }

// then writes a call, and what ends the block after an error.
func (m *dynamicModel) then(element string, pos datamodel.Position, format string, args ...any) {
	m.p("m.js."+format, args...)
	m.check(code{fails: true}, element, pos)
}

func (m *dynamicModel) assignFails(*doc.Assign) bool { return true }

func (m *dynamicModel) assign(e *doc.Assign) {
	location := m.expr("Location", e.Location)
	switch {
	case e.Content != nil:
		m.then("assign", e.Pos, "Assign(%s, %s)", location, m.expr("Content", e.Content))
	case e.Expr != nil:
		m.then("assign", e.Pos, "Assign(%s, %s)", location, m.expr("ValueExpr", e.Expr))
	default:
		m.then("assign", e.Pos, "AssignValue(%s, nil)", location)
	}
}

func (m *dynamicModel) assignValue(location *datamodel.Source, value string, _ bool) []string {
	return []string{fmt.Sprintf("m.js.AssignValue(%s, %s)", m.expr("Location", location), value)}
}

func (m *dynamicModel) script(src *datamodel.Source, pos datamodel.Position) {
	m.then("script", pos, "Run(%s)", m.expr("Script", src))
}

func (m *dynamicModel) foreach(e *doc.Foreach) {
	// An error of the body ends the block, and has been reported.
	ok := m.variable()
	m.p("%s := true\nm.js.Foreach(%s, %s, %s, func() bool {\n%s = false", ok, m.expr("ValueExpr", e.Array), strconv.Quote(e.Item), strconv.Quote(e.Index), ok)
	m.p("func() {")
	m.body(e.Body)
	m.p("%s = true\n}()\nreturn %s\n})", ok, ok)
	m.check(code{fails: true}, "foreach", e.Pos)
	m.p("if !%s {\nreturn\n}", ok)
}

func (m *dynamicModel) init() {
	m.use(dynamicPath)
	d := m.doc
	m.p("\nfunc (m *%s) Init() {\nm.js.Open(m, %sProgram)", m.nodeType(), lower(m.names.typ))
	m.variables = 0
	for _, s := range d.States {
		for _, item := range s.Data {
			m.p("m.js.Declare(%s)", strconv.Quote(item.ID))
			m.checkOnly("data", item.Pos)
		}
	}
	m.p("m.bind0()")
	if !d.Late {
		for _, s := range d.States {
			if len(s.Data) > 0 && s.Index > 0 {
				m.p("m.bind%d()", s.Index)
			}
		}
	}
	for i := range d.Scripts {
		m.p("m.script%d()", i)
	}
	m.p("}\n\nfunc (m *%s) Event(ev *machine.Event) { m.js.SetEvent(ev) }", m.nodeType())
	for i, s := range d.Scripts {
		m.block(fmt.Sprintf("script%d", i), "script of the chart", []doc.Exec{s})
	}
	for _, s := range d.States {
		if s.Index > 0 && len(s.Data) == 0 {
			continue
		}
		m.p("\nfunc (m *%s) bind%d() {", m.nodeType(), s.Index)
		for _, item := range s.Data {
			m.initItem(s, item)
		}
		m.own()
		m.p("}")
	}
}

// checkOnly raises an error of what was just done, and continues.
func (m *dynamicModel) checkOnly(element string, pos datamodel.Position) {
	m.failed = true
	m.p("m.ok(%q, %q)", element, at(pos))
}

func (m *dynamicModel) initItem(s *doc.State, item *doc.Data) {
	m.line(item.Pos)
	id := strconv.Quote(item.ID)
	init := ""
	switch {
	case item.Expr != nil:
		init = fmt.Sprintf("m.js.Init(%s, %s)", id, m.expr("ValueExpr", item.Expr))
	case item.Content != nil:
		init = fmt.Sprintf("m.js.Init(%s, %s)", id, m.expr("Content", item.Content))
	case item.LoadErr != nil:
		init = fmt.Sprintf("m.js.FailInit(%s, %s)", id, strconv.Quote(item.LoadErr.Error()))
	}
	if s.Index == 0 {
		m.p("if v, ok := machine.Preset(m, %s); ok {\nm.js.Set(%s, v)", id, id)
		if init != "" {
			m.p("} else {\n%s", init)
		}
		m.p("}")
		m.checkOnly("data", item.Pos)
	} else if init != "" {
		m.p("%s", init)
		m.checkOnly("data", item.Pos)
	}
}

func (m *dynamicModel) saved() {
	m.p(`
func (m *%[1]s) SaveData() ([]byte, error) { return m.js.Save() }
func (m *%[1]s) LoadData(data []byte, ev *machine.Event) error { return m.js.Load(m, %[2]sProgram, data, ev) }
func (m *%[1]s) AppendValue(dst []byte, v any) []byte { return dynamic.AppendValue(dst, v) }
func (m *%[1]s) ParseValue(text []byte) (any, error) { return dynamic.ParseValue(text) }`, m.nodeType(), lower(m.names.typ))
}

func (m *dynamicModel) declarations() {
	m.failures("js.Err")
	m.p("\nfunc (m *%s) Accept(data any) (any, error) { return dynamic.Accept(data) }", m.nodeType())
	if m.elements > 0 {
		m.p("\nfunc (m *%s) Evaluate(text string) (any, error) { return m.js.Evaluate(text) }", m.nodeType())
		m.p("\nfunc (m *%s) AssignTo(location string, value any) error { return m.js.AssignTo(location, value) }", m.nodeType())
	}
	m.p("\nvar %sProgram = dynamic.Compile(%s, []dynamic.Expr{\n%s,\n})", lower(m.names.typ), strconv.Quote(m.doc.Datamodel), strings.Join(append(m.exprs, "{}"), ",\n"))
}
