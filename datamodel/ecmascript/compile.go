package ecmascript

import (
	"fmt"
	"strings"
	"sync/atomic"

	"github.com/dop251/goja"
	"github.com/dop251/goja/ast"
	"github.com/dop251/goja/parser"

	"github.com/scxmlrun/scxmlrun/datamodel"
)

// An expr is a compiled piece of a chart. It does not change any more; all
// stores of a chart share its programs.
type expr struct {
	kind datamodel.Kind
	src  datamodel.Source
	err  *datamodel.EvalError // raised by every evaluation

	fast   fast     // yields the value, where that is simple; nil otherwise
	value  *program // yields the value; of a Script: runs it
	assign *program // of a Location: yields a function that assigns its argument

	content datamodel.Value // of Content: the value
	item    string          // of a Location that may be the name of a data item: the name
	system  string          // of a Location that is the name of a system variable: the name
	closes  bool            // may create functions, which live longer than the evaluation
	nests   bool            // of a Location: a property, so that assigning to it may nest arrays

	chart atomic.Pointer[chart] // of the first Expr of a chart whose sessions are saved
}

func (e *expr) Source() datamodel.Source { return e.src }

// A program is code that a runtime can run, with what leads from a place in
// it back to the document.
type program struct {
	code   *goja.Program
	name   string // its name in stack frames of the runtime
	text   string // what was compiled
	prefix int    // bytes of text before those of the source
	src    *datamodel.Source
	reach  reach
}

func compile(kind datamodel.Kind, src datamodel.Source, l *language) (e *expr) {
	e = &expr{kind: kind, src: src}
	if kind == datamodel.Content {
		e.content = parseContent(src)
		if v, ok := neutralOperand(e.content); ok {
			e.fast = always(v)
		}
		return e
	}
	defer func() {
		if x := recover(); x != nil { // a bug of the parser; the chart goes on without this expression
			e.err = &datamodel.EvalError{Pos: src.Position(0), Msg: fmt.Sprintf("SyntaxError: internal error of the compiler: %v", x)}
		}
	}()
	if e.err = checkLength(&e.src, l.maxScript); e.err != nil {
		return e
	}
	if e.err = checkNesting(&e.src, l.maxDepth); e.err != nil {
		return e
	}
	e.closes = kind == datamodel.Script || strings.Contains(src.Text, "=>") || strings.Contains(src.Text, "{")
	switch kind {
	case datamodel.Script:
		e.value, e.err = compileProgram(&e.src, src.Text, 0, false)
	case datamodel.Location:
		e.compileLocation()
	default:
		var x ast.Expression
		if x, e.value, e.err = compileExpression(&e.src); e.err == nil {
			e.fast = compileFast(x)
		}
	}
	return e
}

// compileExpression compiles the text of src as exactly one expression.
//
// Text must not be pasted between parentheses in good faith: "1);(2" would be
// two statements, and "1) + (2" one that nobody wrote. So the text is parsed in
// parentheses, which also makes {a:1} an object and function(){} a function,
// and if it has a parenthesis of its own that might close ours, it is parsed
// once more as the arguments of a call, which nothing but that call may follow.
func compileExpression(src *datamodel.Source) (ast.Expression, *program, *datamodel.EvalError) {
	text := trimSemicolon(src.Text)
	if strings.TrimLeft(text, space) == "" {
		return nil, nil, &datamodel.EvalError{Pos: src.Position(0), Msg: "SyntaxError: the expression is empty"}
	}
	wrapped := "(" + text + "\n)"
	tree, err := parse(src, wrapped, 1)
	if err != nil {
		return nil, nil, err
	}
	x := onlyExpression(tree)
	if x == nil {
		return nil, nil, unbalanced(src)
	}
	if strings.Contains(text, ")") {
		const callee = "f"
		call, err := parse(src, callee+"("+text+"\n)", len(callee)+1)
		if err != nil {
			return nil, nil, unbalanced(src)
		}
		c, ok := onlyExpression(call).(*ast.CallExpression)
		if !ok {
			return nil, nil, unbalanced(src)
		}
		if id, ok := c.Callee.(*ast.Identifier); !ok || id.Name != callee {
			return nil, nil, unbalanced(src)
		}
	}
	p, err := compileTree(src, tree, wrapped, 1, false)
	return x, p, err
}

func unbalanced(src *datamodel.Source) *datamodel.EvalError {
	return &datamodel.EvalError{Pos: src.Position(0), Msg: "SyntaxError: not one expression: the parentheses do not match"}
}

// onlyExpression returns the expression that is all of tree, or nil.
func onlyExpression(tree *ast.Program) ast.Expression {
	if len(tree.Body) != 1 {
		return nil
	}
	s, ok := tree.Body[0].(*ast.ExpressionStatement)
	if !ok {
		return nil
	}
	return s.Expression
}

// compileLocation compiles a location expression.
//
// REC B.2: "the SCXML Processor must accept any ECMAScript left-hand-side
// expression as a location expression." Of these, what can be assigned to is a
// name, or a property of something.
func (e *expr) compileLocation() {
	x, p, err := compileExpression(&e.src)
	if err != nil {
		e.err = err
		return
	}
	switch x := x.(type) {
	case *ast.Identifier:
		name := x.Name.String()
		if isSystem(name) {
			e.system = name
		} else {
			e.item = name
		}
	case *ast.DotExpression, *ast.BracketExpression:
		e.nests = true
	default:
		e.err = &datamodel.EvalError{Pos: e.src.Position(leading(e.src.Text)), Msg: "SyntaxError: not a location: it cannot be assigned to"}
		return
	}
	e.value = p
	e.fast = compileFast(x)
	// The text is one expression, as we know by now, so it can be pasted. The
	// parameter needs a name that the text cannot mean. An arrow function has
	// no this and no arguments of its own. Strict code refuses to make a global
	// variable of a name that is not declared.
	param := "v"
	for strings.Contains(e.src.Text, param) || strings.Contains(e.src.Text, `\`) && len(param) < 24 {
		param += "_"
	}
	prefix := param + "=>{("
	e.assign, e.err = compileProgram(&e.src, prefix+trimSemicolon(e.src.Text)+"\n)="+param+"}", len(prefix), true)
	if e.err == nil {
		e.assign.reach = p.reach // and what is assigned can take nothing out
		e.assign.reach.reads = false
	}
}

// compileProgram parses and compiles text, which has the source at prefix.
func compileProgram(src *datamodel.Source, text string, prefix int, strict bool) (*program, *datamodel.EvalError) {
	tree, err := parse(src, text, prefix)
	if err != nil {
		return nil, err
	}
	return compileTree(src, tree, text, prefix, strict)
}

func compileTree(src *datamodel.Source, tree *ast.Program, text string, prefix int, strict bool) (*program, *datamodel.EvalError) {
	if err := checkTree(src, tree); err != nil {
		return nil, err
	}
	reach, failed := explore(src, tree)
	if failed != nil {
		return nil, failed
	}
	p := &program{name: programName(src, prefix), text: text, prefix: prefix, src: src, reach: reach}
	var err error
	if p.code, err = goja.CompileAST(tree, strict); err != nil {
		return nil, compileError(src, err, prefix)
	}
	return p, nil
}

// programName returns the name that a program has in the runtime. A store
// finds the program again by it, so within a chart different programs must
// have different names; those of the same place do not differ but in prefix.
func programName(src *datamodel.Source, prefix int) string {
	name := src.Pos.String()
	if prefix > 1 {
		name += "="
	}
	return name
}

func parse(src *datamodel.Source, text string, prefix int) (*ast.Program, *datamodel.EvalError) {
	// Without the option the parser would open the file that a comment
	// "//# sourceMappingURL=" names.
	tree, err := parser.ParseFile(nil, programName(src, prefix), text, 0, parser.WithDisableSourceMaps)
	if err != nil {
		return nil, parseError(src, err, text, prefix)
	}
	return tree, nil
}

// space is what ECMAScript takes for white space, as far as trimming needs it.
const space = " \t\v\f\r\n\u00a0\u2028\u2029\ufeff"

// trimSemicolon takes off one semicolon at the end, which charts have that
// were written for processors that run expressions as statements (W3C test 452,
// as it was first published).
func trimSemicolon(text string) string {
	return strings.TrimSuffix(strings.TrimRight(text, space), ";")
}

// leading returns how much white space text begins with.
func leading(text string) int { return len(text) - len(strings.TrimLeft(text, space)) }
