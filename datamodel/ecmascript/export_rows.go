package ecmascript

import (
	"reflect"

	"github.com/dop251/goja"

	"github.com/scxmlrun/scxmlrun/datamodel"
	"github.com/scxmlrun/scxmlrun/datamodel/ecmascript/internal/native"
)

// Charts that send their data after every change send most of it unchanged. So the arrays of
// primitives in the last value of an expression, such as the rows of a board, are kept. One with
// the same items leaves the store as the same Value, which must not be changed. That saves most of
// the cost of sending a board.

// rows are the arrays in the last value of an expression, in order.
type rows []row

// A row is one of primitives only, or empty.
type row struct {
	items []goja.Value // none if it is empty
	list  datamodel.Value
}

// These bound the memory for rows.
const (
	maxRowsOf  = 64 // expressions
	maxRows    = 32 // of an expression
	maxRow     = 32 // items of a row
	maxRowText = 64 // bytes of an item
)

// rowsOf returns those of e.
func (st *store) rowsOf(e *expr) *rows {
	r := st.rows[e]
	if r == nil {
		if st.rows == nil || len(st.rows) >= maxRowsOf {
			st.rows = make(map[*expr]*rows)
		}
		r = new(rows)
		st.rows[e] = r
	}
	return r
}

// row returns the i-th, or nil if there are too many.
func (r *rows) row(i int) *row {
	if r == nil || i >= maxRows {
		return nil
	}
	for len(*r) <= i {
		*r = append(*r, row{})
	}
	return &(*r)[i]
}

// holds reports whether the row has these items.
func (r *row) holds(items []goja.Value) bool {
	if r == nil || len(r.items) == 0 || len(r.items) != len(items) {
		return false
	}
	for i, v := range r.items {
		if v != items[i] {
			return false
		}
	}
	return true
}

// keep makes the row hold items, which were exported as values, the list, if they can be compared
// quickly.
func (r *row) keep(items []goja.Value, values []datamodel.Value, list datamodel.Value) {
	if r == nil {
		return
	}
	r.items, r.list = r.items[:0], nil
	if len(items) > maxRow {
		return
	}
	for i, v := range values {
		if !isSteady(items[i], v) {
			return
		}
	}
	r.items, r.list = append(r.items, items...), list
}

// isSteady reports whether a value that equals v in Go is the same in the language (unlike the
// floats 0 and -0), and can be compared without a panic.
func isSteady(v goja.Value, exported datamodel.Value) bool {
	switch x := exported.(type) {
	case nil, datamodel.NullType, bool:
		return true
	case int64:
		return x != 0 || v.ExportType() == native.TypeInt // -(-0) is a float
	case float64:
		return x != 0
	case string:
		return len(x) <= maxRowText && reflect.TypeOf(v).Comparable()
	}
	return false
}
