package lint

import (
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"github.com/scxmlrun/scxmlrun/datamodel"
	"github.com/scxmlrun/scxmlrun/scxml/internal/doc"
)

// contents checks everything that is executed or evaluated.
func (l *linter) contents() {
	l.globalScript = true
	for _, s := range l.doc.Scripts {
		l.exec(s)
	}
	l.globalScript = false
	for _, s := range l.doc.States {
		if l.interrupted() {
			return
		}
		for _, d := range s.Data {
			l.variableName(d.Pos, "id", "data", d.ID)
			// REC 5.3.3 and Appendix D: with early binding, data gets its values before the scripts of <scxml> run.
			if !l.doc.Late || s == l.doc.Root {
				l.usage = early
			}
			l.expr(datamodel.ValueExpr, d.Expr)
			l.usage = read
			l.expr(datamodel.Content, d.Content)
			if d.Src == "" {
				l.unevaluated(d.Content)
			}
			l.portableData(d)
		}
		for _, b := range s.OnEntry {
			l.body(b.Body)
		}
		for _, b := range s.OnExit {
			l.body(b.Body)
		}
		if s.Initial != nil {
			l.body(s.Initial.Body)
		}
		for _, t := range s.Transitions {
			l.expr(datamodel.Condition, t.Cond)
			l.body(t.Body)
		}
		if s.Donedata != nil {
			l.params(s.Donedata.Params)
			l.content(s.Donedata.Content)
		}
		for _, inv := range s.Invokes {
			l.invoke(inv)
		}
	}
}

func (l *linter) body(body []doc.Exec) {
	for _, e := range body {
		l.exec(e)
	}
}

func (l *linter) exec(e doc.Exec) {
	switch e := e.(type) {
	case *doc.Raise:
		l.raised(e.Pos, "<raise>", e.Event, false)
		l.raises = append(l.raises, e.Event)
	case *doc.Foreign:
		l.computed, l.foreign = true, true
	case *doc.If:
		for _, b := range e.Branches {
			l.expr(datamodel.Condition, b.Cond)
			l.body(b.Body)
		}
	case *doc.Foreach:
		l.usage = iterated
		l.expr(datamodel.ValueExpr, e.Array)
		l.usage = read
		l.names.declared[e.Item] = true
		l.names.declared[e.Index] = true
		l.variableName(e.ItemPos, "item", "foreach", e.Item)
		l.variableName(e.IndexPos, "index", "foreach", e.Index)
		l.body(e.Body)
	case *doc.Log:
		l.expr(datamodel.ValueExpr, e.Expr)
	case *doc.Assign:
		l.location(e.Location)
		l.expr(datamodel.ValueExpr, e.Expr)
		l.expr(datamodel.Content, e.Content)
		l.unevaluated(e.Content)
		l.assignsItself(e)
		l.portableLocation(e.Location)
	case *doc.Script:
		if e.Src != "" && e.Code.Text == "" { // perhaps because it cannot be loaded
			l.names.open = true
		}
		l.expr(datamodel.Script, &e.Code)
	case *doc.Send:
		l.send(e)
	case *doc.Cancel:
		l.expr(datamodel.ValueExpr, e.Expr)
		if e.SendID != "" {
			l.cancels = append(l.cancels, e)
		}
	}
}

func (l *linter) send(e *doc.Send) {
	for _, src := range []*datamodel.Source{e.EventExpr, e.TargetExpr, e.TypeExpr, e.DelayExpr} {
		l.expr(datamodel.ValueExpr, src)
	}
	l.sendIDs[e.ID] = true
	l.location(e.IDLocation)
	l.namelist(e.Namelist)
	l.params(e.Params)
	l.content(e.Content)
	switch {
	case e.Target == "#_internal":
		l.raised(e.Pos, `<send> to "#_internal"`, e.Event, false)
	case e.Target == "" && e.TargetExpr == nil && toSCXML(e) && (e.Delay != "" || e.DelayExpr != nil):
		l.raised(e.Pos, "<send>", e.Event, true) // a host hears it, but a delay is mostly for the chart itself
	}
	l.delay(e)
	l.raises = append(l.raises, e.Event)
	l.computed = l.computed || e.EventExpr != nil
	if l.opts.Trust && e.EventExpr != nil && e.Target == "" {
		l.warnf(e.Pos, "computed-event", "the name of this event is computed: users can send it too, unless the host refuses the name")
	}
	l.target(e)
	l.portableSend(e)
}

func (l *linter) invoke(e *doc.Invoke) {
	l.expr(datamodel.ValueExpr, e.TypeExpr)
	l.expr(datamodel.ValueExpr, e.SrcExpr)
	l.location(e.IDLocation)
	l.namelist(e.Namelist)
	l.params(e.Params)
	if e.Finalize != nil {
		l.body(e.Finalize.Body)
	}
	l.portableInvoke(e)
	l.invokedFile(e)
	if e.Content == nil || !e.Content.Scxml() {
		l.content(e.Content)
		if e.Content != nil && e.Content.Inline != nil && e.Src == "" && e.SrcExpr == nil && doc.IsSCXMLType(e.Type) && e.TypeExpr == nil {
			l.notADocument(e.Content)
		}
		return
	}
	child, problems := e.Content.Parse(l.opts.Doc)
	l.refused(problems)
	if child != nil && !l.full() {
		for _, d := range Document(child, l.opts) {
			l.report(d)
		}
	}
}

// refused reports the problems of an invoked document.
func (l *linter) refused(problems []doc.Diagnostic) {
	for _, d := range problems {
		if d.Severity == doc.Error {
			d.Severity = doc.Warning
			d.Message = "the invoked document is refused: " + d.Message
		}
		l.report(d)
	}
}

// notADocument reports the content of an <invoke> that is not one <scxml>: the invocation will fail.
func (l *linter) notADocument(c *doc.Content) {
	code := "invoke-content"
	var parts []*datamodel.Node
	for _, n := range c.Inline.Nodes {
		if n.Type == datamodel.ElementNode || n.Type == datamodel.TextNode && strings.TrimSpace(n.Text) != "" {
			parts = append(parts, n)
		}
	}
	isScxml := func(n *datamodel.Node) bool { return n.Type == datamodel.ElementNode && n.Local == "scxml" }
	first := slices.IndexFunc(parts, isScxml)
	switch {
	case len(parts) == 0 && strings.HasPrefix(strings.TrimSpace(c.Inline.Text), "<"): // the text of a document
	case len(parts) == 1:
		_, problems := doc.ParseNode(c.Pos.File, parts[0], l.opts.Doc)
		l.refused(problems)
	case first < 0:
		l.warnf(c.Pos, code, "the <content> of <invoke> is not a document: put one <scxml> in it, or name a file in the attribute src of <invoke>")
	default:
		stray := parts[(first+1)%len(parts)]
		what, pos := "text", stray.Pos
		if stray.Type == datamodel.ElementNode {
			what = "<" + stray.Local + ">"
		} else if !pos.IsValid() {
			pos = c.Pos
		}
		l.warnf(pos, code, "%s beside <scxml> in the <content> of <invoke>: only one <scxml> can be invoked, leave out the rest", what)
	}
}

// invokedFile checks that the document of an <invoke> can be read. If not, the invocation will fail.
func (l *linter) invokedFile(e *doc.Invoke) {
	if e.Src == "" || e.TypeExpr != nil || !doc.IsSCXMLType(e.Type) || l.opts.Doc.Loader == nil {
		return
	}
	name, err := doc.FileName(e.Src)
	if err == nil {
		var f fs.File
		if f, err = doc.OpenFile(l.opts.Doc.Loader, name); err == nil {
			f.Close()
			return
		}
		if pe := (*fs.PathError)(nil); errors.As(err, &pe) {
			err = pe.Err
		}
		err = fmt.Errorf("%q: %w", abridge(e.Src), err)
	}
	l.warnf(e.Pos, "cannot-load", "<invoke> cannot be loaded: %v", err)
}

func (l *linter) namelist(srcs []*datamodel.Source) {
	for _, src := range srcs {
		l.expr(datamodel.Location, src)
	}
}

func (l *linter) params(ps []*doc.Param) {
	for _, p := range ps {
		l.expr(datamodel.ValueExpr, p.Expr)
		l.expr(datamodel.Location, p.Location)
	}
}

func (l *linter) content(c *doc.Content) {
	if c != nil {
		l.expr(datamodel.ValueExpr, c.Expr)
		l.expr(datamodel.Content, c.Inline)
	}
}

// location checks the location of an assignment.
func (l *linter) location(src *datamodel.Source) {
	l.usage = assigned
	l.expr(datamodel.Location, src)
	l.usage = read
}

// unevaluated reports content that is text, but looks like an expression with the chart's data.
func (l *linter) unevaluated(src *datamodel.Source) {
	if src == nil || src.Nodes != nil || l.checker == nil || l.full() || !strings.ContainsAny(src.Text, "+-*/(.[?") {
		return
	}
	found := l.checker.Check(datamodel.ValueExpr, *src)
	refers := func(f datamodel.Finding) bool { return f.Kind == datamodel.Reference }
	foreign := func(f datamodel.Finding) bool { return refers(f) && !l.names.declared[f.Text] }
	if i := slices.IndexFunc(found, refers); i >= 0 && !slices.ContainsFunc(found, foreign) {
		l.warnf(found[i].Pos, "not-evaluated", "this content is text and is not evaluated: write the expression in the attribute expr")
	}
}

// findings returns what the language finds in an expression.
func (l *linter) findings(compiled datamodel.Expr, kind datamodel.Kind, src *datamodel.Source) []datamodel.Finding {
	if e, ok := compiled.(datamodel.Checked); ok {
		return e.Findings()
	}
	return l.checker.Check(kind, *src)
}

// expr checks an expression.
func (l *linter) expr(kind datamodel.Kind, src *datamodel.Source) {
	if src == nil || l.full() {
		return
	}
	l.portableExpr(kind, src)
	if l.language == nil {
		return
	}
	compiled, err := l.language.Compile(kind, *src)
	if err != nil {
		d := doc.SyntaxWarning(kind, *src, err)
		// The null data model has neither values nor scripts, but there are documents with them, such as the W3C's test 436.
		if l.doc.Datamodel != "null" || kind == datamodel.Condition {
			d.Severity = l.opts.Syntax
		}
		l.report(d)
		l.names.open = l.names.open || kind == datamodel.Script
		return
	}
	if l.checker == nil || src.Nodes != nil {
		return
	}
	l.slips(kind, src)
	for _, f := range l.findings(compiled, kind, src) {
		switch {
		case f.Kind == datamodel.Reference || f.Kind == datamodel.Declaration || f.Kind == datamodel.OpenDeclaration:
			l.variable(kind, src, f)
		case f.Kind == datamodel.PlainText:
			l.warnf(f.Pos, "not-json", "this is not JSON, so all of the content is taken as text: %s; write JSON, or an expression in the attribute expr", f.Text)
		case f.Kind == datamodel.StatePredicate:
			if l.doc.ByID[f.Text] == nil && !l.doc.Refused[f.Text] {
				l.warnf(f.Pos, "unknown-in", "In(): no state has the id %q, so this is always false%s", abridge(f.Text), l.hint(f.Text, len(l.doc.States), l.ids))
			}
		case kind == datamodel.Condition:
			hint := ""
			if i := strings.IndexByte(f.Text, '='); i > 0 && !strings.ContainsRune("+-*/%&|^<>?", rune(f.Text[i-1])) {
				hint = `: to compare, write "=="`
			}
			l.warnf(f.Pos, "cond-assigns", "the condition changes data with %q%s", abridge(f.Text), hint)
		}
	}
}
