package pure

import (
	"fmt"
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
		x, strict := c.source()
		r := &rewriter{}
		r.push()
		if c.self != "" { // the original, which may have properties
			anonymous := *x.(*ast.FunctionLiteral)
			anonymous.Name = nil
			x = &anonymous
			r.declare(c.self)
		}
		params := &ast.ParameterList{}
		for _, name := range append(slices.Clone(operations[:]), c.self) {
			if name != "" {
				params.List = append(params.List, &ast.Binding{Target: identifier(name, x)})
			}
		}
		value := r.expr(x)
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

// The operations of a [Watch], by names that no script can spell.
const (
	opGet      = "pure get"      // of an object and a key: the property
	opCall     = "pure call"     // of what is called in the text, a function and arguments
	opMethod   = "pure method"   // of the same, an object, a key and arguments
	opNew      = "pure new"      // of a constructor and arguments
	opPlain    = "pure plain"    // of a value that the language may convert to a primitive one: the value
	opFresh    = "pure fresh"    // of an object that was just made: the object
	opSet      = "pure set"      // of an object, a key and a value: the value
	opIterate  = "pure iterate"  // of what is iterated: the same
	opSpread   = "pure spread"   // of an object whose properties are copied: the object
	opKeys     = "pure keys"     // of an object whose keys are looked at: the object
	opOpen     = "pure open"     // of an object and keys that a pattern reads: the object
	opInstance = "pure instance" // of an object and a class: instanceof
	opSystem   = "pure system"   // of the name of a system variable: its value
	opRefuse   = "pure refuse"   // of what is refused
)

var operations = [...]string{opGet, opCall, opMethod, opNew, opPlain, opFresh, opSet, opIterate, opSpread, opKeys, opOpen, opInstance, opSystem, opRefuse}

// watched is the text of the functions that rewritten code makes. No function has such a text.
const watched = "pure function"

// A rewriter rewrites the code of one function or expression.
type rewriter struct {
	scopes []map[string]bool // local variables, outermost first
	depth  int               // how many functions are around
	temps  int
	free   []string
}

func (r *rewriter) push() { r.scopes = append(r.scopes, map[string]bool{}) }
func (r *rewriter) pop()  { r.scopes = r.scopes[:len(r.scopes)-1] }

func (r *rewriter) declare(name string) { r.scopes[len(r.scopes)-1][name] = true }

func (r *rewriter) local(e ast.Expression) bool {
	id, ok := e.(*ast.Identifier)
	return ok && slices.ContainsFunc(r.scopes, func(s map[string]bool) bool { return s[id.Name.String()] })
}

// temp returns a new local variable.
func (r *rewriter) temp(at ast.Node) *ast.Identifier {
	r.temps++
	name := fmt.Sprint("pure ", r.temps)
	r.declare(name)
	return identifier(name, at)
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

func (r *rewriter) exprs(list []ast.Expression) []ast.Expression {
	out := make([]ast.Expression, len(list))
	for i, e := range list {
		out[i] = r.expr(e)
	}
	return out
}

// expr returns an expression in its rewritten form.
func (r *rewriter) expr(e ast.Expression) ast.Expression {
	switch e := e.(type) {
	case nil, *ast.NumberLiteral, *ast.StringLiteral, *ast.BooleanLiteral, *ast.NullLiteral:
		return e
	case *ast.Identifier:
		return r.name(e)
	case *ast.ThisExpression:
		if r.depth == 0 {
			return refuse(e, "uses this")
		}
		return e
	case *ast.RegExpLiteral:
		return do(opFresh, e, e)
	case *ast.TemplateLiteral:
		if e.Tag != nil {
			return refuse(e, "calls a tag of a template")
		}
		c := *e
		c.Expressions = r.exprs(e.Expressions)
		for i := range c.Expressions {
			c.Expressions[i] = do(opPlain, e, c.Expressions[i])
		}
		return &c
	case *ast.SequenceExpression:
		return &ast.SequenceExpression{Sequence: r.exprs(e.Sequence)}
	case *ast.ConditionalExpression:
		return &ast.ConditionalExpression{Test: r.expr(e.Test), Consequent: r.expr(e.Consequent), Alternate: r.expr(e.Alternate)}
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
		args := r.exprs(e.ArgumentList)
		switch callee := e.Callee.(type) {
		case *ast.DotExpression, *ast.BracketExpression:
			of, key := r.member(callee)
			return do(opMethod, callee, append([]ast.Expression{text(described(callee), callee), of, key}, args...)...)
		case *ast.SuperExpression:
			return refuse(e, "uses super")
		}
		return do(opCall, e, append([]ast.Expression{text(described(e.Callee), e), r.expr(e.Callee)}, args...)...)
	case *ast.NewExpression:
		return do(opNew, e, append([]ast.Expression{r.expr(e.Callee)}, r.exprs(e.ArgumentList)...)...)
	case *ast.SpreadElement:
		return &ast.SpreadElement{Expression: do(opIterate, e.Expression, r.expr(e.Expression))}
	case *ast.ArrayLiteral:
		c := *e
		c.Value = r.exprs(e.Value)
		return do(opFresh, e, &c)
	case *ast.ObjectLiteral:
		return r.object(e)
	case *ast.FunctionLiteral:
		return r.function(e)
	case *ast.ArrowFunctionLiteral:
		return r.arrow(e)
	case *ast.ClassLiteral:
		return refuse(e, "makes a class")
	}
	return refuse(e, "uses super, new.target, yield or await")
}

func (r *rewriter) name(e *ast.Identifier) ast.Expression {
	name := e.Name.String()
	switch {
	case r.local(e), name == "undefined", name == "NaN", name == "Infinity":
		return e
	case name == "eval", name == syntax.GuardedEval, name == syntax.CheckedText:
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
		of, key = e.Left, r.expr(e.Member)
	}
	return r.expr(of), key
}

// plain returns an operand that is converted to a primitive value.
func (r *rewriter) plain(e ast.Expression) ast.Expression {
	switch x := e.(type) {
	case *ast.NumberLiteral, *ast.StringLiteral, *ast.BooleanLiteral, *ast.NullLiteral:
		return e
	case *ast.TemplateLiteral, *ast.UnaryExpression:
		return r.expr(e)
	case *ast.BinaryExpression:
		if x.Operator != token.LOGICAL_AND && x.Operator != token.LOGICAL_OR && x.Operator != token.COALESCE {
			return r.expr(e)
		}
	}
	return do(opPlain, e, r.expr(e))
}

func (r *rewriter) unary(e *ast.UnaryExpression) ast.Expression {
	c := *e
	switch e.Operator {
	case token.DELETE:
		return refuse(e, "deletes a property or a variable")
	case token.INCREMENT, token.DECREMENT:
		if !r.local(e.Operand) {
			return refuse(e, "changes %s", described(e.Operand))
		}
		return &ast.SequenceExpression{Sequence: []ast.Expression{do(opPlain, e, e.Operand), &c}}
	case token.PLUS, token.MINUS, token.BITWISE_NOT:
		c.Operand = r.plain(e.Operand)
	default:
		c.Operand = r.expr(e.Operand)
	}
	return &c
}

func (r *rewriter) binary(e *ast.BinaryExpression) ast.Expression {
	c := *e
	switch e.Operator {
	case token.INSTANCEOF:
		return do(opInstance, e, r.expr(e.Left), r.expr(e.Right))
	case token.IN:
		c.Left, c.Right = r.plain(e.Left), do(opKeys, e.Right, r.expr(e.Right))
	case token.LOGICAL_AND, token.LOGICAL_OR, token.COALESCE, token.STRICT_EQUAL, token.STRICT_NOT_EQUAL:
		c.Left, c.Right = r.expr(e.Left), r.expr(e.Right)
	case token.EQUAL, token.NOT_EQUAL:
		if isNull(e.Left) || isNull(e.Right) {
			c.Left, c.Right = r.expr(e.Left), r.expr(e.Right)
			break
		}
		fallthrough
	default:
		c.Left, c.Right = r.plain(e.Left), r.plain(e.Right)
	}
	return &c
}

func isNull(e ast.Expression) bool {
	id, ok := e.(*ast.Identifier)
	_, null := e.(*ast.NullLiteral)
	return null || ok && id.Name == "undefined"
}

func (r *rewriter) assign(e *ast.AssignExpression) ast.Expression {
	value := r.expr(e.Right)
	switch e.Operator {
	case token.ASSIGN:
	case token.LOGICAL_AND, token.LOGICAL_OR, token.COALESCE:
		if r.local(e.Left) {
			return &ast.AssignExpression{Operator: e.Operator, Left: e.Left, Right: value}
		}
		return refuse(e, "assigns to %s", described(e.Left))
	default:
		if !simple(e.Left) {
			return refuse(e, "assigns to %s", described(e.Left))
		}
		value = &ast.BinaryExpression{Operator: e.Operator, Left: r.plain(e.Left), Right: r.plain(e.Right)}
	}
	switch left := e.Left.(type) {
	case *ast.Identifier:
		if r.local(left) {
			return &ast.AssignExpression{Operator: token.ASSIGN, Left: left, Right: value}
		}
	case *ast.DotExpression, *ast.BracketExpression:
		of, key := r.member(left)
		return do(opSet, e, of, key, value, text(described(left), e))
	}
	return refuse(e, "assigns to %s", described(e.Left))
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

// chain returns an optional chain as calls of functions: a?.b.c is (t => t == null ? undefined :
// t.b.c)(a).
func (r *rewriter) chain(e ast.Expression) ast.Expression {
	var inner *ast.Optional
	method := false // it is a method that is called, and would lose its this
	var replace func(e, by ast.Expression) ast.Expression
	replace = func(e, by ast.Expression) ast.Expression {
		switch e := e.(type) {
		case *ast.Optional:
			if by == nil || e != inner {
				if by == nil {
					inner = e
				}
				return &ast.Optional{Expression: replace(e.Expression, by)}
			}
			return by
		case *ast.DotExpression:
			return &ast.DotExpression{Left: replace(e.Left, by), Identifier: e.Identifier}
		case *ast.BracketExpression:
			c := *e
			c.Left = replace(e.Left, by)
			return &c
		case *ast.CallExpression:
			c := *e
			c.Callee = replace(e.Callee, by)
			if o, ok := e.Callee.(*ast.Optional); ok && by != nil && o == inner {
				_, dot := o.Expression.(*ast.DotExpression)
				_, bracket := o.Expression.(*ast.BracketExpression)
				method = dot || bracket
			}
			return &c
		}
		return e
	}
	if replace(e, nil); inner == nil {
		return r.expr(e)
	}
	r.push()
	defer r.pop()
	t := r.temp(e)
	rest := replace(e, t)
	if method {
		return refuse(e, "calls a method with ?.()")
	}
	null := &ast.BinaryExpression{Operator: token.EQUAL, Left: t, Right: &ast.NullLiteral{Idx: e.Idx0(), Literal: "null"}, Comparison: true}
	of := r.expr(inner.Expression)
	return &ast.CallExpression{
		Callee: &ast.ArrowFunctionLiteral{
			Start:         e.Idx0(),
			ParameterList: &ast.ParameterList{List: []*ast.Binding{{Target: t}}},
			Body: &ast.ExpressionBody{Expression: &ast.ConditionalExpression{
				Test: null, Consequent: identifier("undefined", e), Alternate: r.chain(rest),
			}},
		},
		LeftParenthesis: e.Idx0(), ArgumentList: []ast.Expression{of}, RightParenthesis: e.Idx0(),
	}
}

func (r *rewriter) object(e *ast.ObjectLiteral) ast.Expression {
	c := *e
	c.Value = make([]ast.Property, len(e.Value))
	for i, p := range e.Value {
		switch p := p.(type) {
		case *ast.PropertyShort:
			c.Value[i] = &ast.PropertyKeyed{Key: &ast.StringLiteral{Idx: p.Name.Idx, Value: p.Name.Name}, Kind: ast.PropertyKindValue, Value: r.name(&p.Name)}
		case *ast.SpreadElement:
			c.Value[i] = &ast.SpreadElement{Expression: do(opSpread, p.Expression, r.expr(p.Expression))}
		case *ast.PropertyKeyed:
			k := *p
			key, constant := p.Key.(*ast.StringLiteral)
			switch {
			case p.Kind == ast.PropertyKindGet || p.Kind == ast.PropertyKindSet:
				return refuse(e, "makes a getter or setter")
			case p.Computed:
				k.Key = r.plain(p.Key)
			case constant && key.Value == "__proto__":
				return refuse(e, "makes an object with another prototype")
			}
			k.Value = r.expr(p.Value)
			c.Value[i] = &k
		}
	}
	return do(opFresh, e, &c)
}
