package compile

import (
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/scxmlrun/scxmlrun/datamodel"
	"github.com/scxmlrun/scxmlrun/scxml/internal/doc"
)

// invokes writes Node.Invoke and Node.Finalize.
func (g *generator) invokes() {
	var invoke, finalize []string
	for i, s := range g.doc.States {
		var known []string
		for j, inv := range s.Invokes {
			name := fmt.Sprintf("invoke%d_%d", i, j)
			known = append(known, "{"+g.invoke(name, s, inv)+"},")
			at := fmt.Sprintf("case state == %d && i == %d: // %s\n", i, j, g.names.states[i])
			invoke = append(invoke, fmt.Sprintf("%sreturn m.%s(inv)", at, name))
			if inv.Finalize != nil {
				name := fmt.Sprintf("finalize%d_%d", i, j)
				g.finalize(name, s, inv)
				finalize = append(finalize, at+"m."+name+"()")
			}
		}
		if known != nil {
			g.invoked = append(g.invoked, fmt.Sprintf("%d: {\n%s\n},", i, strings.Join(known, "\n")))
		}
	}
	if len(invoke) == 0 {
		g.p("\nfunc (m *%s) Invoke(uint16, int, *machine.Invocation) bool { return false }", g.nodeType())
	} else {
		g.p("\nfunc (m *%s) Invoke(state uint16, i int, inv *machine.Invocation) bool {\nswitch {\n%s\n}\nreturn false\n}", g.nodeType(), strings.Join(invoke, "\n"))
	}
	if len(finalize) == 0 {
		g.p("\nfunc (m *%s) Finalize(uint16, int) {}", g.nodeType())
	} else {
		g.p("\nfunc (m *%s) Finalize(state uint16, i int) {\nswitch {\n%s\n}\n}", g.nodeType(), strings.Join(finalize, "\n"))
	}
}

// invoke writes a method that evaluates an <invoke>. It returns the fields of the invocation that are known.
func (g *generator) invoke(name string, s *doc.State, inv *doc.Invoke) (known string) {
	g.p("\n// %s evaluates the <invoke> of %s at %s.\nfunc (m *%s) %s(inv *machine.Invocation) bool {", name, g.names.states[s.Index], at(inv.Pos), g.nodeType(), name)
	g.variables = 0
	g.line(inv.Pos)
	fail := func(c code, _ datamodel.Position) {
		if c.fails {
			g.failed = true
			g.p("if !m.ok(\"invoke\", %q) {\nreturn false\n}", at(inv.Pos))
		}
	}
	text := func(literal string, src *datamodel.Source) string {
		if src == nil {
			return strconv.Quote(literal)
		}
		v, c := g.variable(), g.data.text(src)
		g.p("%s := %s", v, c.text)
		fail(c, inv.Pos)
		return v
	}
	typ := text(inv.Type, inv.TypeExpr)
	child, problem := g.invokedType(s, inv)
	if inv.TypeExpr != nil || !doc.IsSCXMLType(inv.Type) {
		child, problem = "", ""
		g.p("if !machine.CheckInvoker(m, %s, %q) {\nreturn false\n}", typ, at(inv.Pos))
	}
	id := strconv.Quote(inv.ID)
	if inv.ID == "" {
		id = g.variable()
		g.p("%s := machine.NewID(m, %s)", id, strconv.Quote(stateName(s, s.Index)))
	}
	if inv.IDLocation != nil {
		for _, line := range g.data.assignValue(inv.IDLocation, id, true) {
			g.p("%s", line)
		}
		fail(code{fails: true}, inv.Pos)
	}
	g.p("inv.ID, inv.Type = %s, %s", id, typ)
	known = fmt.Sprintf("At: %q", at(inv.Pos))
	if inv.Autoforward {
		known += ", Autoforward: true"
	}
	if inv.Retry != nil {
		known += ", Retry: " + retry(inv.Retry)
	}
	switch {
	case problem != "":
		g.p("machine.Fail(m, \"invoke\", %q, %s)\nreturn false", at(inv.Pos), strconv.Quote(problem))
		g.own()
		g.p("}")
		return known
	case child != "":
		known += fmt.Sprintf(", New: func() machine.Node { return (*%sNode)(new(%s)) }, Declares: %sDeclares", lower(child), child, lower(child))
		if inv.Src != "" {
			known += ", Src: " + strconv.Quote(inv.Src)
		}
	default:
		g.p("inv.Src = %s", text(inv.Src, inv.SrcExpr))
		if inv.Content != nil {
			c := g.content(inv.Content)
			g.p("inv.Content = %s", c.text)
			fail(c, inv.Pos)
		}
	}
	if len(inv.Namelist)+len(inv.Params) > 0 {
		g.p("inv.Params = %s", fieldsOf(g.evaluate(inv.Namelist, inv.Params, fail)))
	}
	g.p("return true")
	g.own()
	g.p("}")
	return known
}

// invokedType returns the type of the machines of the chart that an <invoke> names, which is compiled too, or why it
// cannot be invoked. Both are "" if it is known at run time only.
func (g *generator) invokedType(s *doc.State, inv *doc.Invoke) (typ, problem string) {
	switch {
	case inv.Content != nil && inv.Content.Scxml():
		dir, err := fs.Sub(g.fsys, g.dir)
		if err != nil {
			return "", err.Error()
		}
		document, problems := inv.Content.Parse(docOptions(dir))
		if msg := firstError(problems); msg != "" {
			return "", msg
		}
		typ = g.childType(inv, s)
		g.add(document, g.dir, typ).gives(inv)
		return typ, ""
	case inv.Content != nil || inv.SrcExpr != nil:
		return "", ""
	case inv.Src == "":
		return "", "nothing to invoke: add the attribute src or a <content>"
	}
	name, err := doc.FileName(inv.Src)
	if err != nil {
		return "", err.Error()
	}
	file := path.Join(g.dir, name)
	if child := g.types[file]; child != nil {
		child.gives(inv)
		return child.typ, ""
	}
	source, err := fs.ReadFile(g.fsys, file)
	if err != nil {
		return "", fmt.Sprintf("cannot read %q: %v", inv.Src, err)
	}
	document, problems, err := g.load(file, source)
	if err != nil {
		return "", err.Error()
	}
	if msg := firstError(problems); msg != "" {
		return "", msg
	}
	typ = g.childType(inv, s)
	g.types[file] = g.add(document, path.Dir(file), typ)
	g.types[file].gives(inv)
	return typ, ""
}

// gives notes which data items an <invoke> of the chart gives values to.
func (g *generator) gives(inv *doc.Invoke) {
	for _, src := range inv.Namelist {
		g.given[src.Text] = true
	}
	for _, p := range inv.Params {
		g.given[p.Name] = true
	}
}

// childType chooses a name for the type of an invoked chart's machines.
func (g *generator) childType(inv *doc.Invoke, s *doc.State) string {
	id := inv.ID
	if id == "" {
		id = stateName(s, s.Index)
	}
	return g.taken.choose(g.names.prefix, "Invoked", id)
}

func firstError(problems []doc.Diagnostic) string {
	i := slices.IndexFunc(problems, func(p doc.Diagnostic) bool { return p.Severity == doc.Error })
	if i < 0 {
		return ""
	}
	return problems[i].Pos.String() + ": " + problems[i].Message
}

// finalize writes a <finalize> as a method. REC 6.5.2: an empty one updates the locations of the namelist and of
// params from the data of the same name.
func (g *generator) finalize(name string, s *doc.State, inv *doc.Invoke) {
	title := "finalize of " + g.names.states[s.Index]
	if len(inv.Finalize.Body) > 0 {
		g.block(name, title, inv.Finalize.Body)
		return
	}
	g.p("\n// %s: %s.\nfunc (m *%s) %s() {", name, title, g.nodeType(), name)
	update := func(name string, location *datamodel.Source, pos datamodel.Position) {
		g.p("if v, ok := machine.MemberOf(m, %s); ok {", strconv.Quote(name))
		for _, line := range g.data.assignValue(location, "v", false) {
			g.p("%s", line)
		}
		g.check(code{fails: true}, "finalize", pos)
		g.p("}")
	}
	for _, src := range inv.Namelist {
		update(src.Text, src, src.Pos)
	}
	for _, p := range inv.Params {
		if p.Location != nil {
			update(p.Name, p.Location, p.Pos)
		}
	}
	g.p("}")
}
