package ecmascript

import (
	"fmt"
	"math/big"
	"reflect"
	"slices"
	"time"

	"github.com/dop251/goja"

	"github.com/scxmlrun/scxmlrun/datamodel"
	"github.com/scxmlrun/scxmlrun/datamodel/ecmascript/internal/dom"
	"github.com/scxmlrun/scxmlrun/datamodel/ecmascript/internal/native"
	"github.com/scxmlrun/scxmlrun/datamodel/ecmascript/internal/syntax"
	"github.com/scxmlrun/scxmlrun/datamodel/internal/jsontext"
	"github.com/scxmlrun/scxmlrun/datamodel/internal/path"
)

// maxItems bounds how many items and properties an exported value may have. Values with shared
// parts may have more parts than memory holds.
const maxItems = native.MaxItems

// export returns v as a neutral value, within an evaluation. Getters of the chart may run; what
// they throw is a panic.
func (st *store) export(v goja.Value) (datamodel.Value, error) { return st.exportOf(nil, v) }

// exportOf exports a value of e, whose next value may be much the same; e may be nil.
func (st *store) exportOf(e *expr, v goja.Value) (datamodel.Value, error) {
	x := exporter{st: st}
	if _, ok := v.(*goja.Object); ok && e != nil {
		x.rows = st.rowsOf(e)
	}
	out, err := x.value(v)
	if err != nil {
		return nil, err // not a typed nil
	}
	return out, nil
}

type exporter struct {
	st    *store
	open  []*goja.Object // on the way down
	count int            // items and properties so far

	arrays int   // so far
	rows   *rows // nil for none
}

func primitive(v goja.Value) (datamodel.Value, *path.Error) {
	if v == nil || goja.IsUndefined(v) {
		return nil, nil
	}
	if _, ok := v.(*goja.Symbol); ok {
		return nil, nil
	}
	exported := v.Export()
	switch p := exported.(type) {
	case int64:
		if p < -(1<<53) || p > 1<<53 {
			return float64(p), nil
		}
		return exported, nil
	case float64:
		return datamodel.Number(p), nil
	case bool, string:
		return exported, nil
	case *big.Int:
		return bigInt(p)
	case nil:
		return datamodel.Null, nil
	}
	return nil, nil
}

func bigInt(b *big.Int) (datamodel.Value, *path.Error) {
	if b.BitLen() > datamodel.MaxBigInt {
		return nil, path.New("a BigInt " + jsontext.ErrBigInt.Error())
	}
	return new(big.Int).Set(b), nil
}

func (x *exporter) value(v goja.Value) (datamodel.Value, *path.Error) {
	if o, ok := v.(*goja.Object); ok {
		return x.object(o)
	}
	return primitive(v)
}

// object exports an object.
//
// An array or typed array becomes an array, and so does a Set; a Map becomes an array of pairs. A
// wrapped primitive becomes the primitive, a RegExp its source, an invalid Date null, an Error its
// name and message. Any other object becomes its own enumerable properties, in order, except those
// whose keys are symbols.
func (x *exporter) object(o *goja.Object) (datamodel.Value, *path.Error) {
	switch o.ClassName() {
	case "Array":
		return x.array(o)
	case "Function", "AsyncFunction", "GeneratorFunction":
		return datamodel.Function(stringProperty(o, "name")), nil
	case "Date":
		if t, ok := o.Export().(time.Time); ok {
			return t.UTC(), nil
		}
		return datamodel.Null, nil
	case "String":
		return o.String(), nil
	case "Number", "Boolean":
		v, _ := datamodel.From(o.Export())
		return v, nil
	case "RegExp":
		return o.String(), nil
	case "Error":
		return datamodel.NewObject("name", stringProperty(o, "name"), "message", syntax.CleanMessage(stringProperty(o, "message"))), nil
	}
	switch t := o.ExportType(); {
	case t == dom.Type:
		return dom.Of(o).Export(), nil
	case t == native.TypeBigInt:
		return bigInt(o.Export().(*big.Int))
	case t == native.TypeBuffer:
		return nil, path.New("cannot use an ArrayBuffer as data")
	case t == native.TypeMap, t == native.TypeList:
		return x.iterated(o)
	case t == native.TypeProxy && native.IsArray(o), t.Kind() == reflect.Slice:
		return x.array(o)
	}
	return x.properties(o)
}

func stringProperty(o *goja.Object, key string) string {
	if v := o.Get(key); v != nil && !goja.IsUndefined(v) {
		return v.String()
	}
	return ""
}

// enter checks the way down into o.
func (x *exporter) enter(o *goja.Object) *path.Error {
	if len(x.open) >= datamodel.MaxDepth {
		return path.New(fmt.Sprintf("data is nested deeper than %d levels", datamodel.MaxDepth))
	}
	if slices.Contains(x.open, o) {
		return path.New("data contains itself")
	}
	x.open = append(x.open, o)
	return nil
}

func (x *exporter) leave() { x.open = x.open[:len(x.open)-1] }

// add counts n more items. Occasionally it checks whether the evaluation is being interrupted,
// which nothing else notices while no script runs.
func (x *exporter) add(n int) *path.Error {
	before := x.count
	if x.count += n; n > maxItems || x.count > maxItems {
		return path.New(fmt.Sprintf("data has more than %d items", maxItems))
	}
	if before>>12 != x.count>>12 {
		if cause := x.st.watch.brokenBy(); cause != nil {
			return &path.Error{Msg: x.st.broken(cause), Err: cause}
		}
	}
	return nil
}

func (x *exporter) array(o *goja.Object) (datamodel.Value, *path.Error) {
	if err := x.enter(o); err != nil {
		return nil, err
	}
	defer x.leave()
	items, failed := x.st.lib.Elements(o)
	if failed != nil {
		return nil, &path.Error{Msg: failed.Error(), Err: failed}
	}
	if err := x.add(len(items)); err != nil {
		return nil, err
	}
	r := x.rows.row(x.arrays)
	x.arrays++
	if r.holds(items) {
		return r.list, nil
	}
	// Objects come last: items may be the memory of the array, which a getter can change.
	out := make([]datamodel.Value, len(items))
	objects := false
	for i, v := range items {
		if o, ok := v.(*goja.Object); ok {
			out[i], objects = o, true
			continue
		}
		item, err := primitive(v)
		if err != nil {
			return nil, err.Index(i)
		}
		out[i] = item
	}
	if !objects {
		list := datamodel.Value(out)
		r.keep(items, out, list)
		return list, nil
	}
	for i, v := range out {
		if o, ok := v.(*goja.Object); ok {
			item, err := x.object(o)
			if err != nil {
				return nil, err.Index(i)
			}
			out[i] = item
		}
	}
	return out, nil
}

// iterated exports a Map or a Set.
func (x *exporter) iterated(o *goja.Object) (datamodel.Value, *path.Error) {
	if err := x.enter(o); err != nil {
		return nil, err
	}
	defer x.leave()
	out := []datamodel.Value{}
	var failed *path.Error
	x.st.vm.ForOf(o, func(v goja.Value) bool {
		var item datamodel.Value
		if failed = x.add(1); failed == nil {
			item, failed = x.value(v)
		}
		if failed != nil {
			failed = failed.Index(len(out))
			return false
		}
		out = append(out, item)
		return true
	})
	if failed != nil {
		return nil, failed
	}
	return out, nil
}

func (x *exporter) properties(o *goja.Object) (datamodel.Value, *path.Error) {
	if err := x.enter(o); err != nil {
		return nil, err
	}
	defer x.leave()
	keys := o.Keys()
	if err := x.add(len(keys)); err != nil {
		return nil, err
	}
	out := datamodel.NewObject()
	for _, key := range keys {
		item, err := x.value(o.Get(key))
		if err != nil {
			return nil, err.Key(key)
		}
		out.Set(key, item)
	}
	return out, nil
}
