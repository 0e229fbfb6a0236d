package pure

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"sync"

	"github.com/dop251/goja"
	"github.com/dop251/goja/ast"
	"github.com/dop251/goja/token"
	"github.com/dop251/goja/unistring"

	"github.com/scxmlrun/scxmlrun/datamodel/ecmascript/internal/syntax"
)

// A Code is an expression or a function of a chart in its rewritten form. It does not change.
type Code struct {
	Tree *syntax.Tree

	source func() (x ast.Expression, strict bool)
	name   string // that the function has
	self   string // what the function expression calls itself
	once   sync.Once
	code   *goja.Program
	err    error
	free   []string // the global variables that it names
}

// Expression returns the code of an expression.
func Expression(t *syntax.Tree) *Code {
	return &Code{Tree: t, source: func() (ast.Expression, bool) { return t.X, false }}
}

// Function returns the code of a function that captures no variable.
func Function(f *syntax.Function) *Code {
	c := &Code{Tree: f.Tree, name: f.Name, source: f.Node}
	if x, _ := f.Node(); x != nil {
		if x, ok := x.(*ast.FunctionLiteral); ok && x.Name != nil {
			c.self = x.Name.Name.String()
		}
	}
	return c
}

// Strict reports whether the code around a function is strict.
func (c *Code) Strict() bool {
	_, strict := c.source()
	return strict
}

// program returns a program that yields a function. It takes the operations, and the original of
// the function, and returns an object whose only property is the value of the code.
func (c *Code) program() (*goja.Program, error) {
	c.once.Do(func() {
		original, strict := c.source()
		x := syntax.Copy(original)
		r := &rewriter{locals: syntax.Locals(x)}
		if c.self != "" { // the original, which may have properties
			x.(*ast.FunctionLiteral).Name = nil
		}
		params := &ast.ParameterList{}
		for _, name := range append(operationNames[:], c.self) {
			if name != "" {
				params.List = append(params.List, &ast.Binding{Target: identifier(name, x)})
			}
		}
		value := r.expression(x)
		c.free = r.free
		c.code, c.err = c.Tree.CompileRewritten(&ast.ArrowFunctionLiteral{
			Start:         x.Idx0(),
			ParameterList: params,
			Body: &ast.ExpressionBody{Expression: &ast.ObjectLiteral{Value: []ast.Property{
				&ast.PropertyKeyed{Key: text(c.name, x), Kind: ast.PropertyKindValue, Value: value},
			}}},
		}, strict)
	})
	return c.code, c.err
}

// watched is the text of the functions that rewritten code makes. No function has such a text.
const watched = "pure function"

// A rewriter rewrites the code of one function or expression.
type rewriter struct {
	locals map[*ast.Identifier]bool // uses of local variables
	depth  int                      // how many functions with a this are around
	temps  int
	free   []string
}

func (r *rewriter) local(e ast.Expression) bool {
	id, ok := e.(*ast.Identifier)
	return ok && r.locals[id]
}

// temp returns a new local variable.
func (r *rewriter) temp(at ast.Node) *ast.Identifier {
	r.temps++
	id := identifier(fmt.Sprint("pure ", r.temps), at)
	r.locals[id] = true
	return id
}

func identifier(name string, at ast.Node) *ast.Identifier {
	return &ast.Identifier{Name: unistring.NewFromString(name), Idx: at.Idx0()}
}

func text(s string, at ast.Node) *ast.StringLiteral {
	return &ast.StringLiteral{Idx: at.Idx0(), Value: unistring.NewFromString(s)}
}

// do returns a call of an operation.
func do(op string, at ast.Node, args ...ast.Expression) ast.Expression {
	return &ast.CallExpression{Callee: identifier(op, at), LeftParenthesis: at.Idx0(), ArgumentList: args, RightParenthesis: at.Idx0()}
}

func refuse(at ast.Node, format string, args ...any) ast.Expression {
	return do(opRefuse, at, text(fmt.Sprintf(format, args...), at))
}

var expressionType = reflect.TypeFor[ast.Expression]()

// walk rewrites what it is given, in place.
func (r *rewriter) walk(n any)  { syntax.Walk(n, r.visit) }
func (r *rewriter) below(n any) { syntax.Below(n, r.visit) }

// expression rewrites an expression in place, and returns what takes its place.
func (r *rewriter) expression(e ast.Expression) ast.Expression {
	switch e := e.(type) {
	case *ast.NumberLiteral, *ast.StringLiteral, *ast.BooleanLiteral, *ast.NullLiteral:
	case *ast.SequenceExpression, *ast.ConditionalExpression:
		r.below(e)
	case *ast.Identifier:
		return r.name(e)
	case *ast.ThisExpression:
		if r.depth == 0 {
			return refuse(e, "uses this")
		}
	case *ast.RegExpLiteral:
		return do(opFresh, e, e)
	case *ast.TemplateLiteral:
		if e.Tag != nil {
			return refuse(e, "calls a tag of a template")
		}
		for i := range e.Expressions {
			r.walk(&e.Expressions[i])
			e.Expressions[i] = do(opPlain, e, e.Expressions[i])
		}
	case *ast.UnaryExpression:
		return r.unary(e)
	case *ast.BinaryExpression:
		return r.binary(e)
	case *ast.AssignExpression:
		return r.assign(e)
	case *ast.DotExpression, *ast.BracketExpression:
		of, key := r.member(e)
		return do(opGet, e, of, key)
	case *ast.OptionalChain:
		return r.chain(e.Expression)
	case *ast.CallExpression:
		return r.call(e)
	case *ast.NewExpression:
		r.below(e)
		return do(opNew, e, append([]ast.Expression{e.Callee}, e.ArgumentList...)...)
	case *ast.SpreadElement:
		r.below(e)
		e.Expression = do(opIterate, e.Expression, e.Expression)
	case *ast.ArrayLiteral:
		r.below(e)
		return do(opFresh, e, e)
	case *ast.ObjectLiteral:
		return r.object(e)
	case *ast.FunctionLiteral:
		return r.function(e)
	case *ast.ArrowFunctionLiteral:
		return r.arrow(e)
	case *ast.ClassLiteral:
		return refuse(e, "makes a class")
	default:
		return refuse(e, "uses super, new.target, yield or await")
	}
	return e
}

func (r *rewriter) call(e *ast.CallExpression) ast.Expression {
	if id, ok := e.Callee.(*ast.Identifier); ok {
		switch name := id.Name.String(); {
		case slices.Contains(operationNames[:], name): // made by the rewriter itself
			return e
		case name == syntax.BoundItems: // they are bounded here anyway
			return r.expression(e.ArgumentList[0])
		case syntax.IsBound(name):
			r.plain(&e.ArgumentList[0])
			r.plain(&e.ArgumentList[1])
			return e
		}
	}
	args := []ast.Expression{text(described(e.Callee), e)}
	r.walk(e.ArgumentList)
	switch callee := e.Callee.(type) {
	case *ast.DotExpression, *ast.BracketExpression:
		of, key := r.member(callee)
		return do(opMethod, callee, append(append(args, of, key), e.ArgumentList...)...)
	case *ast.SuperExpression:
		return refuse(e, "uses super")
	}
	return do(opCall, e, append(append(args, r.expression(e.Callee)), e.ArgumentList...)...)
}

// chain rewrites an optional chain as calls of functions: a?.b.c is (t => t == null ? undefined :
// t.b.c)(a).
func (r *rewriter) chain(e ast.Expression) ast.Expression {
	var first *ast.Expression // what is before the first ?.
	called := false           // what follows it are arguments
	for at, call := &e, false; at != nil; {
		switch x := (*at).(type) {
		case *ast.Optional:
			first, called, at = at, call, &x.Expression
		case *ast.DotExpression:
			at, call = &x.Left, false
		case *ast.BracketExpression:
			at, call = &x.Left, false
		case *ast.CallExpression:
			at, call = &x.Callee, true
		default:
			at = nil
		}
	}
	if first == nil {
		return r.expression(e)
	}
	of := (*first).(*ast.Optional).Expression
	switch of.(type) {
	case *ast.DotExpression, *ast.BracketExpression:
		if called {
			return refuse(e, "calls a method with ?.()") // it would lose its this
		}
	}
	of = r.expression(of)
	t := r.temp(e)
	*first = t
	null := &ast.BinaryExpression{Operator: token.EQUAL, Left: t, Right: &ast.NullLiteral{Idx: t.Idx, Literal: "null"}, Comparison: true}
	return &ast.CallExpression{
		Callee: &ast.ArrowFunctionLiteral{
			Start:         t.Idx,
			ParameterList: &ast.ParameterList{List: []*ast.Binding{{Target: t}}},
			Body:          &ast.ExpressionBody{Expression: &ast.ConditionalExpression{Test: null, Consequent: identifier("undefined", e), Alternate: r.chain(e)}},
		},
		LeftParenthesis: t.Idx, ArgumentList: []ast.Expression{of}, RightParenthesis: t.Idx,
	}
}

func (r *rewriter) name(e *ast.Identifier) ast.Expression {
	name := e.Name.String()
	switch {
	case r.local(e), name == "undefined", name == "NaN", name == "Infinity":
		return e
	case name == "eval":
		return refuse(e, "uses eval")
	case name == "globalThis":
		return refuse(e, "uses globalThis")
	case name == syntax.PredicateIn, syntax.IsSystem(name):
		return do(opSystem, e, text(name, e))
	case !slices.Contains(r.free, name):
		r.free = append(r.free, name)
	}
	return e
}

// member returns the object and the key of an access to a property.
func (r *rewriter) member(e ast.Expression) (of, key ast.Expression) {
	switch e := e.(type) {
	case *ast.DotExpression:
		of, key = e.Left, &ast.StringLiteral{Idx: e.Identifier.Idx, Value: e.Identifier.Name}
	case *ast.BracketExpression:
		of, key = e.Left, r.expression(e.Member)
	}
	return r.expression(of), key
}

// plain rewrites an operand that is converted to a primitive value.
func (r *rewriter) plain(e *ast.Expression) {
	primitive := false
	switch x := (*e).(type) {
	case *ast.NumberLiteral, *ast.StringLiteral, *ast.BooleanLiteral, *ast.NullLiteral, *ast.TemplateLiteral, *ast.UnaryExpression:
		primitive = true
	case *ast.BinaryExpression:
		primitive = x.Operator != token.LOGICAL_AND && x.Operator != token.LOGICAL_OR && x.Operator != token.COALESCE
	}
	if r.walk(e); !primitive {
		*e = do(opPlain, *e, *e)
	}
}

func (r *rewriter) unary(e *ast.UnaryExpression) ast.Expression {
	switch e.Operator {
	case token.DELETE:
		return refuse(e, "deletes a property or a variable")
	case token.INCREMENT, token.DECREMENT:
		if !r.local(e.Operand) {
			return refuse(e, "changes %s", described(e.Operand))
		}
		return &ast.SequenceExpression{Sequence: []ast.Expression{do(opPlain, e, e.Operand), e}}
	case token.PLUS, token.MINUS, token.BITWISE_NOT:
		r.plain(&e.Operand)
	default:
		r.below(e)
	}
	return e
}

func (r *rewriter) binary(e *ast.BinaryExpression) ast.Expression {
	switch e.Operator {
	case token.INSTANCEOF:
		r.below(e)
		return do(opInstance, e, e.Left, e.Right)
	case token.IN:
		r.plain(&e.Left)
		r.walk(&e.Right)
		e.Right = do(opKeys, e.Right, e.Right)
		return e
	case token.LOGICAL_AND, token.LOGICAL_OR, token.COALESCE, token.STRICT_EQUAL, token.STRICT_NOT_EQUAL:
		r.below(e)
		return e
	case token.EQUAL, token.NOT_EQUAL:
		if isNull(e.Left) || isNull(e.Right) {
			r.below(e)
			return e
		}
	}
	r.plain(&e.Left)
	r.plain(&e.Right)
	return e
}

func isNull(e ast.Expression) bool {
	id, ok := e.(*ast.Identifier)
	_, null := e.(*ast.NullLiteral)
	return null || ok && id.Name == "undefined"
}

func (r *rewriter) assign(e *ast.AssignExpression) ast.Expression {
	name := described(e.Left)
	computes := true // the new value of the old one
	switch e.Operator {
	case token.ASSIGN, token.LOGICAL_AND, token.LOGICAL_OR, token.COALESCE:
		computes = false
	}
	compute := func(old ast.Expression) {
		if computes {
			r.plain(&e.Right)
			e.Right = &ast.BinaryExpression{Operator: e.Operator, Left: do(opPlain, e, old), Right: e.Right}
			e.Operator = token.ASSIGN
		} else {
			r.walk(&e.Right)
		}
	}
	switch left := e.Left.(type) {
	case *ast.Identifier:
		if r.local(left) {
			compute(left)
			return e
		}
	case *ast.DotExpression, *ast.BracketExpression:
		if e.Operator == token.ASSIGN || computes && simple(left) {
			of, key := r.member(left)
			compute(do(opGet, e, of, key))
			return do(opSet, e, of, key, e.Right, text(name, e))
		}
	}
	return refuse(e, "assigns to %s", name)
}

// simple reports whether to evaluate an expression twice is the same as to do it once.
func simple(e ast.Expression) bool {
	switch e := e.(type) {
	case *ast.Identifier, *ast.ThisExpression, *ast.NumberLiteral, *ast.StringLiteral:
		return true
	case *ast.DotExpression:
		return simple(e.Left)
	case *ast.BracketExpression:
		return simple(e.Left) && simple(e.Member)
	}
	return false
}

// described returns what something that can be assigned to is called.
func described(e ast.Expression) string {
	switch e := e.(type) {
	case *ast.Identifier:
		if name := e.Name.String(); !strings.HasPrefix(name, "pure ") {
			return name
		}
		return "…?" // see chain
	case *ast.ThisExpression:
		return "this"
	case *ast.DotExpression:
		return described(e.Left) + "." + e.Identifier.Name.String()
	case *ast.BracketExpression:
		return described(e.Left) + "[…]"
	case *ast.CallExpression:
		return described(e.Callee) + "()"
	}
	return "something"
}

func (r *rewriter) object(e *ast.ObjectLiteral) ast.Expression {
	for i, p := range e.Value {
		switch p := p.(type) {
		case *ast.PropertyShort:
			e.Value[i] = &ast.PropertyKeyed{Key: &ast.StringLiteral{Idx: p.Name.Idx, Value: p.Name.Name}, Kind: ast.PropertyKindValue, Value: r.name(&p.Name)}
		case *ast.SpreadElement:
			r.below(p)
			p.Expression = do(opSpread, p.Expression, p.Expression)
		case *ast.PropertyKeyed:
			key, constant := p.Key.(*ast.StringLiteral)
			switch {
			case p.Kind == ast.PropertyKindGet || p.Kind == ast.PropertyKindSet:
				return refuse(e, "makes a getter or setter")
			case p.Computed:
				r.plain(&p.Key)
			case constant && key.Value == "__proto__":
				return refuse(e, "makes an object with another prototype")
			}
			r.walk(&p.Value)
		}
	}
	return do(opFresh, e, e)
}
