package syntax

import (
	"reflect"
	"sync"

	"github.com/dop251/goja/ast"
)

// A walker goes through a syntax tree. goja's trees have no walker of their own,
// and some seventy kinds of nodes of which few matter: so all others are walked
// through by their fields.
type walker struct {
	// visit is called for each node, with the type of the variable that holds it.
	// It reports whether it has seen to what is below the node itself.
	visit func(n any, in reflect.Type) (done bool)

	most, depth int  // how many levels there may be, and are
	tooDeep     bool // there were more, at which the walk has turned back
}

// node walks through a node or a list of nodes, which may be nil.
func (w *walker) node(n any) {
	if n != nil {
		w.walk(reflect.ValueOf(n), nil)
	}
}

func (w *walker) walk(v reflect.Value, in reflect.Type) {
	switch v.Kind() {
	case reflect.Interface:
		if !v.IsNil() {
			w.walk(v.Elem(), v.Type())
		}
	case reflect.Pointer:
		if v.IsNil() || v.Elem().Kind() != reflect.Struct {
			return
		}
		if w.depth == w.most && w.most > 0 {
			w.tooDeep = true
			return
		}
		w.depth++
		if !w.visit(v.Interface(), in) {
			w.fields(v.Elem())
		}
		w.depth--
	case reflect.Struct:
		w.fields(v)
	case reflect.Slice:
		t := v.Type().Elem()
		for i := range v.Len() {
			w.walk(v.Index(i), t)
		}
	}
}

// fields walks through what a node has.
func (w *walker) fields(v reflect.Value) {
	for _, i := range nodeFields(v.Type()) {
		f := v.Field(i)
		w.walk(f, f.Type())
	}
}

var fieldsOf sync.Map // reflect.Type: []int

// nodeFields returns the indexes of the fields of a node in which nodes can be. A
// DeclarationList repeats what is in the body, and a label is not a variable.
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
