package ecmascript

import (
	"errors"

	"github.com/scxmlrun/scxmlrun/datamodel"
	"github.com/scxmlrun/scxmlrun/datamodel/ecmascript/internal/fast"
	"github.com/scxmlrun/scxmlrun/datamodel/ecmascript/internal/graph"
)

// The forms of a state. Data items that take no runtime are in binary, whether there is a runtime or
// not, so that it does not matter for a key. All else is what Save returns.
const (
	formItems = 'i'
	formGraph = 'g'
)

// AppendState implements [datamodel.Resetter].
func (st *store) AppendState(dst []byte, exprs []datamodel.Expr) ([]byte, error) {
	return st.appendState(dst, exprs, graph.Append)
}

// AppendKey implements [datamodel.Resetter].
func (st *store) AppendKey(dst []byte, exprs []datamodel.Expr) ([]byte, error) {
	return st.appendState(dst, exprs, graph.AppendKey)
}

func (st *store) appendState(dst []byte, exprs []datamodel.Expr, save func([]byte, *graph.World, *graph.Chart) ([]byte, error)) ([]byte, error) {
	if st.env.Items.Composite() {
		st.newRealm()
	}
	if st.realm == nil {
		return st.env.Items.AppendState(append(dst, formItems)), nil
	}
	start := len(dst)
	dst, err := save(append(dst, formGraph), st.world(), chartOf(exprs))
	if err != nil {
		return dst[:start], err
	}
	var items fast.Items
	if graph.LoadItems(dst[start+1:], func(name string, v datamodel.Value) bool {
		op, ok := fast.FromValue(v)
		if ok = ok && op.IsPrimitive(); ok {
			items.Append(name, op)
		}
		return ok
	}) {
		return items.AppendState(append(dst[:start], formItems)), nil
	}
	return dst, nil
}

// Reset implements [datamodel.Resetter]. It makes a runtime anew.
func (st *store) Reset(state []byte, exprs []datamodel.Expr) error {
	st.realm = nil
	switch {
	case len(state) == 0:
	case state[0] == formItems:
		st.env.Forget()
		if st.env.Items.LoadState(state[1:]) {
			return nil
		}
	case state[0] == formGraph:
		st.env.Forget()
		st.env.Items = fast.Items{}
		st.newRealm()
		return graph.Load(st.world(), state[1:], chartOf(exprs))
	}
	return errors.New("not a state of ECMAScript data")
}

var _ datamodel.Resetter = (*store)(nil)
