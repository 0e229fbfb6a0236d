package syntax

import (
	"reflect"
	"sync"

	"github.com/dop251/goja/ast"
)

// A walker walks a syntax tree. goja does not have a walker, and few of its seventy kinds of nodes
// matter here, so the others are walked by their fields.
type walker struct {
	// visit is called for each node, with the variable of an interface type that holds it, if there
	// is one. It reports whether it has walked what is below the node.
	visit func(n any, at reflect.Value) (done bool)

	most, depth int  // allowed and present number of levels
	tooDeep     bool // there were more, which were skipped
}

// Walk calls visit for each node of n: a node, or a list of nodes. Visit gets the variable of an
// interface type that holds the node, if there is one. It reports whether it has walked what is below
// the node.
func Walk(n any, visit func(n any, at reflect.Value) (done bool)) {
	w := walker{visit: visit}
	w.node(n)
}

// node walks a node or a list of nodes, which may be nil, or what a pointer to a variable points to.
func (w *walker) node(n any) {
	if n != nil {
		w.walk(reflect.ValueOf(n), reflect.Value{})
	}
}

func (w *walker) walk(v, at reflect.Value) {
	switch v.Kind() {
	case reflect.Interface:
		if !v.IsNil() {
			w.walk(v.Elem(), v)
		}
	case reflect.Pointer:
		if v.IsNil() {
			return
		}
		if k := v.Elem().Kind(); k != reflect.Struct {
			if k == reflect.Interface {
				w.walk(v.Elem(), at)
			}
			return
		}
		if w.depth == w.most && w.most > 0 {
			w.tooDeep = true
			return
		}
		w.depth++
		if !w.visit(v.Interface(), at) {
			w.fields(v.Elem())
		}
		w.depth--
	case reflect.Struct:
		w.fields(v)
	case reflect.Slice:
		for i := range v.Len() {
			w.walk(v.Index(i), reflect.Value{})
		}
	}
}

// fields walks the fields of a node.
func (w *walker) fields(v reflect.Value) {
	for _, i := range nodeFields(v.Type()) {
		w.walk(v.Field(i), reflect.Value{})
	}
}

var fieldsOf sync.Map // reflect.Type: []int

// nodeFields returns the indexes of the fields of a node that can have nodes. A DeclarationList
// repeats the body, and a label is not a variable.
func nodeFields(t reflect.Type) []int {
	if list, ok := fieldsOf.Load(t); ok {
		return list.([]int)
	}
	var list []int
	for i := range t.NumField() {
		f := t.Field(i)
		kind := f.Type.Kind()
		if kind == reflect.Slice {
			kind = f.Type.Elem().Kind()
		}
		if f.IsExported() && f.Name != "DeclarationList" && f.Name != "Label" && (kind == reflect.Interface || kind == reflect.Pointer || kind == reflect.Struct) {
			list = append(list, i)
		}
	}
	fieldsOf.Store(t, list)
	return list
}

var expressionType = reflect.TypeFor[ast.Expression]()
