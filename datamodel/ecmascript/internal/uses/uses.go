// Package uses finds out how ECMAScript code uses values: what a value is compared with, where it is
// looked up, and into which variables it flows, see [datamodel.Analyzer].
package uses

import (
	"fmt"
	"reflect"
	"slices"

	"github.com/dop251/goja/ast"
	"github.com/dop251/goja/token"

	"github.com/scxmlrun/scxmlrun/datamodel"
	"github.com/scxmlrun/scxmlrun/datamodel/ecmascript/internal/syntax"
)

// Of implements Uses of [datamodel.Analyzer]. What the limits refuse, or cannot be parsed, has none.
func Of(limits syntax.Limits, kind datamodel.Kind, code string) []datamodel.Use {
	body, text, err := limits.Statements(&datamodel.Source{Text: code}, kind == datamodel.Script)
	if err != nil {
		return nil
	}
	m := miner{text: text}
	syntax.Walk(body, m.visit)
	return m.uses
}

// A miner collects the uses in a syntax tree.
type miner struct {
	text   string
	scopes []minedScope
	uses   []datamodel.Use
	count  int // of functions without a name
}

// A minedScope is a function with its local names.
type minedScope struct {
	name   string
	locals []string
}

func (m *miner) function() string {
	if len(m.scopes) == 0 {
		return ""
	}
	return m.scopes[len(m.scopes)-1].name
}

func (m *miner) use(kind datamodel.UseKind, value, with datamodel.Operand) {
	m.uses = append(m.uses, datamodel.Use{Kind: kind, Value: value, With: with, Function: m.function()})
}

// operand returns what is known of an expression.
func (m *miner) operand(e ast.Expression) datamodel.Operand {
	from, to := int(e.Idx0())-1, int(e.Idx1())-1
	o := datamodel.Operand{Path: m.path(e)}
	if from >= 0 && from <= to && to <= len(m.text) {
		o.Text = m.text[from:to]
	}
	return o
}

// path returns the path of an expression, or nil.
func (m *miner) path(e ast.Expression) []string {
	switch e := e.(type) {
	case *ast.Identifier:
		name := e.Name.String()
		for i := len(m.scopes) - 1; i >= 0; i-- {
			if slices.Contains(m.scopes[i].locals, name) {
				return []string{m.scopes[i].name + "/" + name}
			}
		}
		return []string{name}
	case *ast.DotExpression:
		return m.extend(e.Left, e.Identifier.Name.String())
	case *ast.BracketExpression:
		if key, ok := e.Member.(*ast.StringLiteral); ok {
			return m.extend(e.Left, key.Value.String())
		}
		return m.extend(e.Left, "[]")
	case *ast.OptionalChain:
		return m.path(e.Expression)
	case *ast.Optional:
		return m.path(e.Expression)
	}
	return nil
}

func (m *miner) extend(left ast.Expression, name string) []string {
	if path := m.path(left); path != nil {
		return append(slices.Clip(path), name)
	}
	return nil
}

// visit notes what a node does.
func (m *miner) visit(n any, _ reflect.Value) (done bool) {
	switch n := n.(type) {
	case *ast.BinaryExpression:
		return m.binary(n)
	case *ast.AssignExpression:
		if n.Operator == token.ASSIGN {
			m.flow(m.operand(n.Right), n.Left)
		}
	case *ast.Binding:
		if n.Initializer != nil {
			m.flow(m.operand(n.Initializer), n.Target)
		}
	case *ast.SwitchStatement:
		for _, c := range n.Body {
			if c.Test != nil {
				m.compare(datamodel.UseComparison, n.Discriminant, m.operand(c.Test))
			}
		}
	case *ast.BracketExpression:
		if path := m.path(n.Member); path != nil {
			m.use(datamodel.UseLookup, m.operand(n.Member), m.operand(n.Left))
		}
	case *ast.CallExpression:
		m.call(n)
		method, ok := n.Callee.(*ast.DotExpression)
		if !ok {
			return false
		}
		syntax.Walk(method.Left, m.visit) // and not the name of the method
		syntax.Walk(n.ArgumentList, m.visit)
		return true
	case *ast.ConditionalExpression:
		m.truth(n.Test)
	case *ast.IfStatement:
		m.truth(n.Test)
	case *ast.UnaryExpression:
		if n.Operator == token.NOT {
			m.truth(n.Operand)
		}
	case *ast.FunctionLiteral:
		name := ""
		if n.Name != nil {
			name = n.Name.Name.String()
		}
		m.body(name, n.ParameterList, n.Body)
		return true
	case *ast.ArrowFunctionLiteral:
		m.body("", n.ParameterList, n.Body)
		return true
	case *ast.DotExpression:
		if path := m.path(n); path != nil {
			m.use(datamodel.UseMention, datamodel.Operand{Path: path}, datamodel.Operand{})
			return !slices.Contains(path, "[]") // in whose brackets may be more
		}
	}
	return false
}

func (m *miner) binary(n *ast.BinaryExpression) (done bool) {
	kind := datamodel.UseComparison
	switch n.Operator {
	case token.EQUAL, token.NOT_EQUAL, token.STRICT_EQUAL, token.STRICT_NOT_EQUAL:
	case token.LESS, token.LESS_OR_EQUAL, token.GREATER, token.GREATER_OR_EQUAL:
		kind = datamodel.UseOrder
	case token.LOGICAL_AND, token.LOGICAL_OR:
		for _, side := range []ast.Expression{n.Left, n.Right} {
			m.truth(side)
			syntax.Walk(side, m.visit)
		}
		return true
	case token.IN:
		if m.path(n.Left) != nil {
			m.use(datamodel.UseLookup, m.operand(n.Left), m.operand(n.Right))
		}
		return false
	default:
		return false
	}
	m.compare(kind, n.Left, m.operand(n.Right))
	m.compare(kind, n.Right, m.operand(n.Left))
	return false
}

// compare notes with what each part of a sum or product is compared if all of it is compared with an
// operand.
func (m *miner) compare(kind datamodel.UseKind, e ast.Expression, with datamodel.Operand) {
	if m.path(e) != nil {
		m.use(kind, m.operand(e), with)
		return
	}
	if of, ok := e.(*ast.UnaryExpression); ok && of.Operator == token.TYPEOF && m.path(of.Operand) != nil {
		m.use(datamodel.UseType, m.operand(of.Operand), with)
	}
	sum, ok := e.(*ast.BinaryExpression)
	if !ok {
		return
	}
	left, right := m.operand(sum.Left).Text, m.operand(sum.Right).Text
	part := func(e ast.Expression, format, a, b string) {
		m.compare(kind, e, datamodel.Operand{Text: fmt.Sprintf(format, a, b)})
	}
	switch sum.Operator {
	case token.PLUS:
		part(sum.Left, "(%s) - (%s)", with.Text, right)
		part(sum.Right, "(%s) - (%s)", with.Text, left)
	case token.MINUS:
		part(sum.Left, "(%s) + (%s)", with.Text, right)
		part(sum.Right, "(%s) - (%s)", left, with.Text)
	case token.MULTIPLY:
		part(sum.Left, "(%s) / (%s)", with.Text, right)
		part(sum.Right, "(%s) / (%s)", with.Text, left)
	}
}

func (m *miner) truth(e ast.Expression) {
	if m.path(e) != nil {
		m.use(datamodel.UseTruth, m.operand(e), datamodel.Operand{})
	}
}

// flow notes that a value becomes that of a variable, or of those of a pattern.
func (m *miner) flow(value datamodel.Operand, target ast.Expression) {
	if value.Path == nil {
		return
	}
	pattern, ok := target.(*ast.ObjectPattern)
	if !ok {
		if path := m.path(target); path != nil {
			m.use(datamodel.UseFlow, value, datamodel.Operand{Path: path})
		}
		return
	}
	for _, p := range pattern.Properties {
		switch p := p.(type) {
		case *ast.PropertyShort:
			m.flow(datamodel.Operand{Path: append(slices.Clip(value.Path), p.Name.Name.String())}, &p.Name)
		case *ast.PropertyKeyed:
			if key, ok := p.Key.(*ast.StringLiteral); ok && !p.Computed {
				m.flow(datamodel.Operand{Path: append(slices.Clip(value.Path), key.Value.String())}, p.Value)
			}
		}
	}
}

// call notes where the arguments of a call go.
func (m *miner) call(n *ast.CallExpression) {
	if path := m.path(n.Callee); len(path) == 1 {
		m.use(datamodel.UseCall, datamodel.Operand{Path: path}, datamodel.Operand{})
		for i, arg := range n.ArgumentList {
			m.flowTo(arg, []string{fmt.Sprintf("%s/%d", path[0], i)})
		}
		return
	}
	method, ok := n.Callee.(*ast.DotExpression)
	if !ok || len(n.ArgumentList) == 0 {
		return
	}
	list, arg := m.operand(method.Left), n.ArgumentList[0]
	switch method.Identifier.Name.String() {
	case "includes", "indexOf":
		if m.path(arg) != nil {
			m.use(datamodel.UseMembership, m.operand(arg), list)
		}
	case "hasOwnProperty":
		if m.path(arg) != nil {
			m.use(datamodel.UseLookup, m.operand(arg), list)
		}
	case "push", "unshift":
		if list.Path != nil {
			m.flowTo(arg, append(slices.Clip(list.Path), "[]"))
		}
	case "some", "every", "find", "findIndex", "filter", "map", "forEach":
		// The parameter of the function, which gets the next number.
		if _, ok := arg.(*ast.ArrowFunctionLiteral); ok && list.Path != nil {
			element := datamodel.Operand{Path: append(slices.Clip(list.Path), "[]")}
			m.use(datamodel.UseFlow, element, datamodel.Operand{Path: []string{fmt.Sprintf("function%d/0", m.count+1)}})
		}
	}
}

func (m *miner) flowTo(arg ast.Expression, path []string) {
	if value := m.operand(arg); value.Path != nil {
		m.use(datamodel.UseFlow, value, datamodel.Operand{Path: path})
	}
}

// body notes what a function does.
func (m *miner) body(name string, params *ast.ParameterList, body any) {
	if name == "" {
		m.count++
		name = fmt.Sprintf("function%d", m.count)
	}
	s := minedScope{name: name}
	var list []*ast.Binding
	if params != nil {
		list = params.List
	}
	declare := func(n any, _ reflect.Value) bool {
		if b, ok := n.(*ast.Binding); ok {
			syntax.EachName(b.Target, func(name string) { s.locals = append(s.locals, name) })
		}
		_, isFunction := n.(*ast.FunctionLiteral)
		_, isArrow := n.(*ast.ArrowFunctionLiteral)
		return isFunction || isArrow
	}
	syntax.Walk(list, declare)
	syntax.Walk(body, declare)
	m.scopes = append(m.scopes, s)
	for i, p := range list {
		m.flow(datamodel.Operand{Path: []string{fmt.Sprintf("%s/%d", name, i)}}, p.Target)
	}
	syntax.Walk(list, m.visit)
	syntax.Walk(body, m.visit)
	m.scopes = m.scopes[:len(m.scopes)-1]
}
