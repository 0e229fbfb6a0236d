package syntax

import (
	"reflect"

	"github.com/dop251/goja"
	"github.com/dop251/goja/ast"
)

// Walk calls visit for each node of n: a node, a list of nodes, or a pointer to a variable that holds
// one. Visit gets the variable of an interface type that holds the node, if there is one, and may
// change it. It reports whether it has walked what is below the node.
func Walk(n any, visit func(n any, at reflect.Value) (done bool)) {
	w := walker{visit: visit}
	w.node(n)
}

// Below is Walk for what is below a node.
func Below(n any, visit func(n any, at reflect.Value) (done bool)) {
	w := walker{visit: visit}
	w.fields(reflect.ValueOf(n).Elem())
}

// Copy returns a copy of an expression that can be changed. Lists of declared variables are shared.
func Copy(e ast.Expression) ast.Expression {
	return copyOf(reflect.ValueOf(e)).Interface().(ast.Expression)
}

func copyOf(v reflect.Value) reflect.Value {
	switch k := v.Kind(); {
	case k == reflect.Interface && !v.IsNil():
		c := reflect.New(v.Type()).Elem()
		c.Set(copyOf(v.Elem()))
		return c
	case k == reflect.Pointer && !v.IsNil():
		c := reflect.New(v.Type().Elem())
		c.Elem().Set(copyOf(v.Elem()))
		return c
	case k == reflect.Struct:
		c := reflect.New(v.Type()).Elem()
		c.Set(v)
		for _, i := range nodeFields(v.Type()) {
			c.Field(i).Set(copyOf(v.Field(i)))
		}
		return c
	case k == reflect.Slice && !v.IsNil():
		c := reflect.MakeSlice(v.Type(), v.Len(), v.Len())
		for i := range v.Len() {
			c.Index(i).Set(copyOf(v.Index(i)))
		}
		return c
	}
	return v
}

// Locals returns the uses of variables that an expression itself declares.
func Locals(e ast.Expression) map[*ast.Identifier]bool {
	found := map[*ast.Identifier]bool{}
	x := &surveyor{scope: &scope{function: true}, resolved: func(id *ast.Identifier, _, local bool) { found[id] = local }}
	x.visit = x.look
	x.node(e)
	return found
}

// Node returns the syntax tree of the function, and whether the code around it is strict.
func (f *Function) Node() (x ast.Expression, strict bool) { return f.node, f.strict }

// Closed reports whether the function uses no variable of a function or a block around it.
func (f *Function) Closed() bool { return f.Captures == "" && len(f.uses) == 0 }

// CompileRewritten returns the code of an expression that was made of parts of the tree.
func (t *Tree) CompileRewritten(x ast.Expression, strict bool) (*goja.Program, error) {
	tree := *t.program
	tree.Body, tree.DeclarationList = []ast.Statement{&ast.ExpressionStatement{Expression: x}}, nil
	return goja.CompileAST(&tree, strict)
}
