package compile

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/scxmlrun/scxmlrun/datamodel"
	"github.com/scxmlrun/scxmlrun/datamodel/null"
	"github.com/scxmlrun/scxmlrun/scxml/internal/doc"
)

// code is a Go expression.
type code struct {
	text  string
	fails bool   // it may leave an error in the machine, which m.ok reports
	typed string // the same with its Go type, see model.goType; "" if it has none
}

// A model writes what depends on the data model.
type model interface {
	fields()       // of the machine
	init()         // the methods Init and Event, and what binds late data
	declarations() // at the end of the file
	saved()        // the methods by which data are saved, see machine.Snapshot

	readsEvent() bool // the chart reads _event
	// inputWithData writes the method for an event if it is known what its transitions read of its data.
	inputWithData(event int, method string) bool
	goType(src *datamodel.Source) string // of a value or a location

	item() string                                // the body of the method Item
	cond(src *datamodel.Source) code             // a bool
	value(src *datamodel.Source) code            // an any
	location(src *datamodel.Source) code         // likewise, of what is assigned to
	inline(src *datamodel.Source) code           // likewise, of inline content
	text(src *datamodel.Source) code             // a string: an attribute such as eventexpr
	delay(src *datamodel.Source) code            // a time.Duration
	object(fields string) string                 // an any, of machine.Fields
	repeated(fields string) (object, raw string) // of those that have a name several times: an any, and them as a form

	assign(e *doc.Assign)
	assignFails(e *doc.Assign) bool
	// assignValue returns statements that assign a string or, if isText is not set, an any; they may fail.
	assignValue(location *datamodel.Source, value string, isText bool) []string
	script(src *datamodel.Source, pos datamodel.Position)
	foreach(e *doc.Foreach)
}

func (g *generator) newModel() model {
	switch {
	case g.doc.Datamodel == "null":
		return &nullModel{g}
	case g.Dynamic:
		return &dynamicModel{generator: g}
	}
	return g.newTyped()
}

// failures writes the methods that turn an error of an expression into error.execution, if one can fail.
func (g *generator) failures(failed string) {
	if !g.failed {
		return
	}
	write := func(format string) { g.p(format, g.nodeType(), failed) }
	write(`
// ok reports whether the expressions that were just evaluated have not failed, and raises error.execution
// otherwise.
func (m *%[1]s) ok(element, at string) bool { return m.%[2]s == "" || m.fails(element, at) }

// fails is a function of its own so that Go can inline its callers.
//
//go:noinline
func (m *%[1]s) fails(element, at string) bool {
	machine.Fail(m, element, at, m.%[2]s)
	m.%[2]s = ""
	return false
}`)
	if g.failsSend {
		write(`
// okSend is ok for a <send>.
func (m *%[1]s) okSend(at, sendID string) bool {
	if m.%[2]s == "" {
		return true
	}
	machine.FailSend(m, at, sendID, m.%[2]s)
	m.%[2]s = ""
	return false
}`)
	}
	if g.failsCond {
		write(`
// holds is the value of a condition, or false if it has failed.
func (m *%[1]s) holds(value bool, element, at string) bool {
	if m.%[2]s == "" {
		return value
	}
	return m.fails(element, at)
}`)
	}
}

// nullModel is REC B.1: conditions In(id), and nothing else.
type nullModel struct{ *generator }

func (m *nullModel) fields() {
	if m.failed {
		m.p("err string // of an expression that has failed")
	}
}

func (m *nullModel) init() {
	m.p("\nfunc (m *%s) Init() {", m.nodeType())
	for _, s := range m.doc.States {
		for _, d := range s.Data {
			m.p("machine.Fail(m, \"data\", %q, %s)", at(d.Pos), strconv.Quote("the null data model has no data: cannot declare "+d.ID))
		}
	}
	for _, s := range m.doc.Scripts {
		m.failNow(datamodel.Script, &s.Code, "script", s.Pos)
	}
	m.p("}\n\nfunc (m *%s) Event(*machine.Event) {}", m.nodeType())
	if m.doc.Late {
		for _, s := range m.doc.States {
			if len(s.Data) > 0 && s.Index > 0 {
				m.p("\nfunc (m *%s) bind%d() {}", m.nodeType(), s.Index)
			}
		}
	}
}

func (m *nullModel) declarations() {
	m.failures("err")
	m.use(jsPath)
	m.p("\nfunc (m *%s) Accept(data any) (any, error) { return js.AcceptAny(data) }", m.nodeType())
	if m.failed {
		m.p(`
func (m *%[1]s) bool(msg string) bool { m.err = msg; return false }
func (m *%[1]s) any(msg string) any { m.err = msg; return nil }
func (m *%[1]s) string(msg string) string { m.err = msg; return "" }`, m.nodeType())
	}
}

func (m *nullModel) saved() {}

// message returns why an expression fails.
func (m *nullModel) message(kind datamodel.Kind, src *datamodel.Source) string {
	_, err := null.New().Compile(kind, *src)
	e, ok := err.(*datamodel.EvalError)
	if !ok {
		return ""
	}
	return e.Msg
}

func (m *nullModel) broken(kind datamodel.Kind, src *datamodel.Source, typ string) code {
	return code{text: fmt.Sprintf("m.%s(%s)", typ, strconv.Quote(m.message(kind, src))), fails: true}
}

func (m *nullModel) cond(src *datamodel.Source) code {
	if m.message(datamodel.Condition, src) != "" {
		return m.broken(datamodel.Condition, src, "bool")
	}
	_, id, _ := strings.Cut(src.Text, "(")
	id, _, _ = strings.Cut(id, ")")
	return code{text: m.in(strings.Trim(id, " \t\r\n'\""))}
}

func (m *nullModel) value(src *datamodel.Source) code {
	return m.broken(datamodel.ValueExpr, src, "any")
}
func (m *nullModel) location(src *datamodel.Source) code {
	return m.broken(datamodel.Location, src, "any")
}
func (m *nullModel) inline(src *datamodel.Source) code {
	return m.broken(datamodel.Content, src, "any")
}
func (m *nullModel) text(src *datamodel.Source) code {
	return m.broken(datamodel.ValueExpr, src, "string")
}
func (m *nullModel) delay(src *datamodel.Source) code {
	c := m.broken(datamodel.ValueExpr, src, "string")
	m.use("time")
	c.text = "time.Duration(len(" + c.text + "))"
	return c
}
func (m *nullModel) object(fields string) string                 { return fields }
func (m *nullModel) repeated(fields string) (object, raw string) { return fields, "" } // it has none

func (m *nullModel) readsEvent() bool                { return false }
func (m *nullModel) item() string                    { return "return nil, false" }
func (m *nullModel) inputWithData(int, string) bool  { return false }
func (m *nullModel) goType(*datamodel.Source) string { return "any" }

func (m *nullModel) failNow(kind datamodel.Kind, src *datamodel.Source, element string, pos datamodel.Position) {
	m.p("machine.Fail(m, %q, %q, %s)\nreturn", element, at(pos), strconv.Quote(m.message(kind, src)))
}

func (m *nullModel) assignFails(*doc.Assign) bool { return true }

func (m *nullModel) assign(e *doc.Assign) {
	m.failNow(datamodel.Location, e.Location, "assign", e.Pos)
}

func (m *nullModel) assignValue(location *datamodel.Source, value string, _ bool) []string {
	return []string{"_ = " + value, "m.err = " + strconv.Quote(m.message(datamodel.Location, location))}
}

func (m *nullModel) script(src *datamodel.Source, pos datamodel.Position) {
	m.failNow(datamodel.Script, src, "script", pos)
}

func (m *nullModel) foreach(e *doc.Foreach) {
	m.failNow(datamodel.ValueExpr, e.Array, "foreach", e.Pos)
}

// in returns a condition that is true while a state is active.
func (g *generator) in(id string) string {
	s := g.doc.ByID[id]
	if s == nil || s.Kind == doc.History {
		return "false"
	}
	register, name := fmt.Sprintf("m.regs[%d]", g.part[s.Index]), g.names.states[s.Index]
	if last := g.last[s.Index]; last > s.Index {
		return fmt.Sprintf("(uint16(%s) <= %s && %s <= uint16(%s))", name, register, register, g.names.states[last])
	}
	return fmt.Sprintf("%s == uint16(%s)", register, name)
}
