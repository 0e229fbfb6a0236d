package ecmascript

import (
	"cmp"
	"fmt"
	"strings"
	"sync/atomic"

	"github.com/dop251/goja"
	"github.com/dop251/goja/ast"

	"github.com/scxmlrun/scxmlrun/datamodel"
	"github.com/scxmlrun/scxmlrun/datamodel/ecmascript/internal/fast"
	"github.com/scxmlrun/scxmlrun/datamodel/ecmascript/internal/syntax"
)

// An expr is a compiled piece of a chart. It does not change, and all stores of a chart share its
// programs.
type expr struct {
	kind datamodel.Kind
	src  datamodel.Source
	err  *datamodel.EvalError // raised by every evaluation

	fast   fast.Expr // yields the value, where that is simple
	value  *program  // yields the value; of a Script: runs it
	assign *program  // of a Location: yields a function that assigns its argument

	content datamodel.Value // of Content: the value
	item    string          // of a Location that may be the name of a data item: the name
	system  string          // of a Location that is the name of a system variable: the name
	literal bool            // Content, or an expression that is an object or array of literals
	closes  bool            // may create functions or change the library, which live longer than the evaluation
	nests   bool            // of a Location: a property, so that assigning to it may nest arrays

	chart   atomic.Pointer[chart] // of the first Expr of a chart whose sessions are saved
	watched atomic.Pointer[expr]  // see twin
}

// twin returns the Expr for stores that watch what is changed: e itself if it changes no properties.
func (e *expr) twin(limits syntax.Limits) *expr {
	if t := e.watched.Load(); t != nil || e.value == nil {
		return cmp.Or(t, e)
	}
	limits.Watched = true
	t := compile(e.kind, e.src, limits)
	if t.err == nil && !t.value.tree.Changes && !e.nests {
		t = e
	}
	e.watched.CompareAndSwap(nil, t)
	return e.watched.Load()
}

func (e *expr) Source() datamodel.Source { return e.src }

// A program is code that a runtime can run, with the way from a place in it to the document.
type program struct {
	code  *goja.Program
	tree  *syntax.Tree
	reach reach
}

// Tree implements [graph.Code].
func (p *program) Tree() *syntax.Tree { return p.tree }

func compile(kind datamodel.Kind, src datamodel.Source, limits syntax.Limits) (e *expr) {
	e = &expr{kind: kind, src: src}
	if kind == datamodel.Content {
		e.content = parseContent(src)
		e.fast = fast.Constant(e.content)
		e.literal = true
		return e
	}
	defer func() {
		if x := recover(); x != nil { // a bug of the parser; the chart does without this expression
			e.err = &datamodel.EvalError{Pos: src.Position(0), Msg: fmt.Sprintf("SyntaxError: internal error of the compiler: %v", x)}
		}
	}()
	e.err = e.compile(limits)
	return e
}

func (e *expr) compile(limits syntax.Limits) (err *datamodel.EvalError) {
	p := &program{}
	if e.kind == datamodel.Script {
		p.tree, err = limits.Script(&e.src, p.reach.name)
	} else {
		p.tree, err = limits.Expression(&e.src, p.reach.name)
	}
	if err != nil {
		return err
	}
	p.reach.add(p.tree.Facts)
	if p.code, err = p.tree.Compile(); err != nil {
		return err
	}
	e.value = p
	e.closes = e.kind == datamodel.Script || p.tree.Facts&syntax.Keeps != 0
	if e.kind == datamodel.Script {
		e.fast = fast.Sequence(p.tree.Expressions())
		return nil
	}
	e.fast = fast.Compile(p.tree.X)
	switch p.tree.X.(type) {
	case *ast.ObjectLiteral, *ast.ArrayLiteral:
		e.literal = true
	}
	if e.kind == datamodel.Location {
		return e.compileLocation()
	}
	return nil
}

// compileLocation compiles a location expression.
//
// REC B.2: "the SCXML Processor must accept any ECMAScript left-hand-side expression as a location
// expression." Of these, names and properties can be assigned to.
func (e *expr) compileLocation() (err *datamodel.EvalError) {
	switch x := e.value.tree.X.(type) {
	case *ast.Identifier:
		name := x.Name.String()
		if syntax.IsSystem(name) {
			e.system = name
		} else {
			e.item = name
		}
	case *ast.DotExpression, *ast.BracketExpression:
		e.nests = true
	default:
		return &datamodel.EvalError{Pos: syntax.Begin(&e.src), Msg: "SyntaxError: not a location: it cannot be assigned to"}
	}
	assign := *e.value
	assign.code, err = assign.tree.CompileAssignment()
	e.assign = &assign
	return err
}

// parseContent returns the value of inline content, or of the text of a file.
//
// REC B.2.1: the content is JSON and "the corresponding ECMAScript structure" is its value; or it
// is an XML document, and its value is "the corresponding DOM structure"; or else "the Processor
// MUST treat the content as a space-normalized string literal".
func parseContent(src datamodel.Source) datamodel.Value {
	switch root, elements := singleRoot(src.Nodes); {
	case root != nil:
		return root
	case elements:
		// Mixed content, or several elements, is text as it was written.
		var b strings.Builder
		for _, n := range src.Nodes {
			b.WriteString(n.XML())
		}
		return normalizeSpace(b.String())
	}
	text := strings.Trim(src.Text, xmlSpace+"\ufeff")
	if v, err := datamodel.ParsePlainJSON(text); err == nil {
		return v
	}
	if strings.HasPrefix(text, "<") {
		if root, err := datamodel.ParseXML(text); err == nil {
			return root
		}
	}
	return normalizeSpace(text)
}

// singleRoot returns the one element in nodes, if they are otherwise blanks and comments, and
// whether there are elements.
func singleRoot(nodes []*datamodel.Node) (root *datamodel.Node, elements bool) {
	mixed := false
	for _, n := range nodes {
		if n.Type == datamodel.ElementNode {
			mixed = mixed || elements
			root, elements = n, true
		}
		mixed = mixed || n.Type == datamodel.TextNode && strings.Trim(n.Text, xmlSpace) != ""
	}
	if mixed {
		root = nil
	}
	return root, elements
}

// xmlSpace is white space in XML.
const xmlSpace = " \t\r\n"

// normalizeSpace does what the function normalize-space of XPath does.
func normalizeSpace(s string) string {
	return strings.Join(strings.FieldsFunc(s, func(r rune) bool { return strings.ContainsRune(xmlSpace, r) }), " ")
}
