package uses

import (
	"reflect"
	"slices"

	"github.com/dop251/goja/ast"
	"github.com/dop251/goja/token"

	"github.com/scxmlrun/scxmlrun/datamodel"
	"github.com/scxmlrun/scxmlrun/datamodel/ecmascript/internal/native"
	"github.com/scxmlrun/scxmlrun/datamodel/ecmascript/internal/syntax"
)

// Reads implements Reads of [datamodel.Analyzer]. See [Of] for limits.
func Reads(limits syntax.Limits, kind datamodel.Kind, code string, data []string) (all [][]string) {
	body, text, err := limits.Statements(&datamodel.Source{Text: code}, kind == datamodel.Script)
	if err != nil {
		return nil
	}
	m := miner{text: text}
	var visit func(n any, _ reflect.Value) (done bool)
	visit = func(n any, _ reflect.Value) (done bool) {
		switch n := n.(type) {
		case *ast.FunctionLiteral, *ast.ArrowFunctionLiteral, *ast.ClassLiteral:
			return true
		case *ast.Binding:
			if n.Initializer != nil {
				syntax.Walk(n.Initializer, visit)
			}
			return true
		case *ast.AssignExpression:
			if _, isName := n.Left.(*ast.Identifier); isName && n.Operator == token.ASSIGN {
				syntax.Walk(n.Right, visit)
				return true
			}
		case *ast.CallExpression:
			switch callee := n.Callee.(type) {
			case *ast.Identifier:
			case *ast.DotExpression:
				syntax.Walk(callee.Left, visit)
			default:
				syntax.Walk(callee, visit)
			}
			syntax.Walk(n.ArgumentList, visit)
			return true
		case *ast.Identifier, *ast.DotExpression, *ast.BracketExpression:
			path := m.path(n.(ast.Expression))
			if path == nil {
				return false
			}
			i := slices.Index(path, "[]")
			if i >= 0 {
				path = path[:i]
			}
			isOwn := !native.Builtins()[path[0]] || slices.Contains(data, path[0])
			if isOwn && !slices.ContainsFunc(all, func(p []string) bool { return slices.Equal(p, path) }) {
				all = append(all, path)
			}
			if i >= 0 {
				members(n, visit)
			}
			return true
		}
		return false
	}
	syntax.Walk(body, visit)
	return all
}

// members visits what is in the brackets of a path.
func members(n any, visit func(any, reflect.Value) bool) {
	switch n := n.(type) {
	case *ast.DotExpression:
		members(n.Left, visit)
	case *ast.BracketExpression:
		members(n.Left, visit)
		syntax.Walk(n.Member, visit)
	}
}
