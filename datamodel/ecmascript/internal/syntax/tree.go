package syntax

import (
	"fmt"
	"strings"

	"github.com/dop251/goja"
	"github.com/dop251/goja/ast"
	"github.com/dop251/goja/file"
	"github.com/dop251/goja/parser"
	"github.com/dop251/goja/token"

	"github.com/scxmlrun/scxmlrun/datamodel"
)

// A Tree is a parsed script or expression. It does not change.
type Tree struct {
	Source  *datamodel.Source
	Name    string // what the code is called in stack frames: its place
	Facts   Facts
	Evals   bool           // it uses eval
	Changes bool           // watched code changes properties
	X       ast.Expression // of an expression: all of it; nil of a script

	program *ast.Program
	text    string // what was parsed
	prefix  int    // bytes of text before those of the source
	watched bool   // see Limits
}

// Script parses src as statements. It calls names for each name in it.
func (l Limits) Script(src *datamodel.Source, names Names) (*Tree, *datamodel.EvalError) {
	t, err := l.parse(src, "", "")
	if err != nil {
		return nil, err
	}
	return t, t.explore(names)
}

// Expression parses src as exactly one expression.
//
// Putting text between parentheses is not enough: "1);(2" would be two statements, and "1) + (2" an
// expression that is not in the text. Parentheses make {a:1} an object and function(){} a function.
// If the text has one that might close ours, it is parsed as the first argument of a call instead,
// which only the rest of that call may follow.
func (l Limits) Expression(src *datamodel.Source, names Names) (*Tree, *datamodel.EvalError) {
	text := trimSemicolon(src.Text)
	if strings.TrimLeft(text, space) == "" {
		return nil, syntaxError(src, 0, "the expression is empty")
	}
	var t *Tree
	if strings.Contains(text, ")") {
		t = l.asArgument(src)
	}
	if t == nil {
		var err *datamodel.EvalError
		if t, err = l.parse(src, "(", "\n)"); err != nil {
			return nil, err
		}
		if t.X = onlyExpression(t.program); t.X == nil || strings.Contains(text, ")") {
			return nil, syntaxError(src, 0, "not one expression: the parentheses do not match")
		}
	}
	return t, t.explore(names)
}

// asArgument parses src as arguments of a call, and returns nil if it is not exactly that. The
// added argument refuses a comma at the end.
func (l Limits) asArgument(src *datamodel.Source) *Tree {
	t, err := l.parse(src, "f(", "\n,0)")
	if err != nil {
		return nil
	}
	call, ok := onlyExpression(t.program).(*ast.CallExpression)
	if !ok {
		return nil
	}
	if id, ok := call.Callee.(*ast.Identifier); !ok || id.Idx != 1 {
		return nil
	}
	args := call.ArgumentList[:len(call.ArgumentList)-1]
	for _, arg := range args {
		if _, ok := arg.(*ast.SpreadElement); ok {
			return nil
		}
	}
	if t.X = args[0]; len(args) > 1 {
		t.X = &ast.SequenceExpression{Sequence: args}
	}
	t.program.Body = []ast.Statement{&ast.ExpressionStatement{Expression: t.X}}
	return t
}

// onlyExpression returns the expression that a program consists of, or nil.
func onlyExpression(p *ast.Program) ast.Expression {
	if len(p.Body) == 1 {
		if s, ok := p.Body[0].(*ast.ExpressionStatement); ok {
			return s.Expression
		}
	}
	return nil
}

// Statements parses src as statements or, within parentheses, as an expression. It returns them with
// the text that was parsed. They are to be read only: what code does in them is not bounded.
func (l Limits) Statements(src *datamodel.Source, isScript bool) ([]ast.Statement, string, *datamodel.EvalError) {
	before, after := "(", "\n)"
	if isScript {
		before, after = "", ""
	}
	t, err := l.parse(src, before, after)
	if err != nil {
		return nil, "", err
	}
	return t.program.Body, t.text, t.walk(&walker{visit: nothing})
}

// parse parses src with text before and after it, if it obeys the limits. Nothing else in this module
// parses text of a chart. The tree may still be too deep, see [Tree.walk].
func (l Limits) parse(src *datamodel.Source, before, after string) (*Tree, *datamodel.EvalError) {
	if err := l.check(src); err != nil {
		return nil, err
	}
	t := &Tree{Source: src, Name: src.Pos.String(), text: src.Text, prefix: len(before), watched: l.Watched}
	if before != "" {
		t.text = before + trimSemicolon(src.Text) + after
	}
	// Without the option the parser would open the file that a comment "//# sourceMappingURL="
	// names.
	var err error
	if t.program, err = parser.ParseFile(nil, t.Name, t.text, 0, parser.WithDisableSourceMaps); err != nil {
		return nil, t.parseError(err)
	}
	return t, nil
}

// walk walks all of a tree, or reports that it is too deep.
func (t *Tree) walk(w *walker) *datamodel.EvalError {
	w.most = maxTree
	for _, s := range t.program.Body {
		if w.node(s); w.tooDeep {
			return syntaxError(t.Source, max(int(s.Idx0())-1, 0), fmt.Sprintf("the syntax tree is deeper than %d levels", maxTree))
		}
	}
	return nil
}

// Compile returns the code of the tree.
func (t *Tree) Compile() (*goja.Program, *datamodel.EvalError) {
	return t.compile(t.program.Body, false)
}

// parameter is the name of the parameter in [Tree.CompileAssignment]. No script can spell it.
const parameter = "value assigned"

// CompileAssignment returns the code of a function that assigns its argument to the expression. An
// arrow function does not have a this and arguments of its own. Strict code does not make a global
// variable of an undeclared name.
func (t *Tree) CompileAssignment() (*goja.Program, *datamodel.EvalError) {
	at := t.X.Idx0()
	end := file.Idx(t.prefix + len(trimSemicolon(t.Source.Text)) + 1) // the place of errors of the assignment itself
	target := t.X
	if t.watched {
		switch n := target.(type) {
		case *ast.DotExpression:
			watched := *n
			watched.Left = bound(BoundChange, n.Left)
			target = &watched
		case *ast.BracketExpression:
			watched := *n
			watched.Left = bound(BoundChange, n.Left)
			target = &watched
		}
	}
	name := func() *ast.Identifier { return &ast.Identifier{Name: parameter, Idx: end} }
	f := &ast.ArrowFunctionLiteral{
		Start:         at,
		ParameterList: &ast.ParameterList{List: []*ast.Binding{{Target: name()}}},
		Body: &ast.BlockStatement{List: []ast.Statement{
			&ast.ExpressionStatement{Expression: &ast.AssignExpression{Operator: token.ASSIGN, Left: target, Right: name()}},
		}},
	}
	return t.compile([]ast.Statement{&ast.ExpressionStatement{Expression: f}}, true)
}

func (t *Tree) compile(body []ast.Statement, strict bool) (*goja.Program, *datamodel.EvalError) {
	tree := *t.program
	tree.Body = body
	code, err := goja.CompileAST(&tree, strict)
	if err != nil {
		return nil, t.compileError(err)
	}
	return code, nil
}

// Position returns the place in the document of a line and a column, in bytes, of a stack frame.
func (t *Tree) Position(line, column int) datamodel.Position {
	return t.Source.Position(max(offsetOf(t.text, line, column)-t.prefix, 0))
}

// At returns the place in the document of a part of the tree.
func (t *Tree) At(i file.Idx) datamodel.Position { return t.Source.Position(t.Offset(i)) }

// Offset returns the place of a part of the tree, in bytes of the text of the source.
func (t *Tree) Offset(i file.Idx) int { return max(int(i)-1-t.prefix, 0) }

// Body returns the statements of a script. They are to be read only.
func (t *Tree) Body() []ast.Statement { return t.program.Body }

// Expressions returns the expressions that a script consists of, if it does not have other statements.
func (t *Tree) Expressions() []ast.Expression {
	if len(t.program.DeclarationList) > 0 {
		return nil
	}
	var list []ast.Expression
	for _, s := range t.program.Body {
		x, ok := s.(*ast.ExpressionStatement)
		if !ok {
			return nil
		}
		list = append(list, x.Expression)
	}
	return list
}

// Begin returns where the text begins, after white space.
func Begin(src *datamodel.Source) datamodel.Position {
	return src.Position(len(src.Text) - len(strings.TrimLeft(src.Text, space)))
}

// space is the white space of ECMAScript, as far as trimming needs it.
const space = " \t\v\f\r\n\u00a0\u2028\u2029\ufeff"

// trimSemicolon removes one semicolon at the end. Charts for processors that run expressions as
// statements have it (W3C test 452, as first published).
func trimSemicolon(text string) string {
	return strings.TrimSuffix(strings.TrimRight(text, space), ";")
}
