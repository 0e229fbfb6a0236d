package ecmascript

import (
	"encoding/binary"
	"errors"
	"slices"

	"github.com/scxmlrun/scxmlrun/datamodel"
	"github.com/scxmlrun/scxmlrun/datamodel/ecmascript/internal/fast"
	"github.com/scxmlrun/scxmlrun/datamodel/ecmascript/internal/graph"
	"github.com/scxmlrun/scxmlrun/datamodel/ecmascript/internal/native"
	"github.com/scxmlrun/scxmlrun/datamodel/ecmascript/internal/syntax"
)

// The forms of a state. Data items that take no runtime are in binary, whether there is a runtime or
// not, so that it does not matter for a key. All else is what Save returns; in a state, the place of
// the present event in it comes before it.
const (
	formItems = 'i'
	formGraph = 'g'
)

// A text is data as Save returns them, with the place of the present event, see [graph.Append].
type text struct {
	data  []byte
	event int
}

// forget removes the present event. The data must have a place for it.
func (t *text) forget() { t.data = append(t.data[:t.event], '}') }

// A reset is what Reset has given a store.
type reset struct {
	pending bool // text has the data, and neither the store's env nor its realm
	text
	chart *graph.Chart
}

func (st *store) pending() bool { return st.reset != nil && st.reset.pending }

// text returns what Save returns. It is valid until something changes.
func (st *store) text(exprs []datamodel.Expr) (*text, error) {
	if st.pending() {
		return &st.reset.text, nil
	}
	t := &st.realm.text
	if !st.realm.saved {
		var err error
		if t.data, t.event, err = graph.Append(t.data[:0], st.world(), st.chartOf(exprs)); err != nil {
			return nil, err
		}
		st.realm.saved = true
	}
	return t, nil
}

// AppendState implements [datamodel.Resetter].
func (st *store) AppendState(dst []byte, exprs []datamodel.Expr) ([]byte, error) {
	if dst, ok := st.appendItems(dst); ok {
		return dst, nil
	}
	t, err := st.text(exprs)
	if err != nil {
		return dst, err
	}
	if dst, ok := appendItems(dst, t.data); ok {
		return dst, nil
	}
	return append(binary.AppendVarint(append(dst, formGraph), int64(t.event)), t.data...), nil
}

// AppendKey implements [datamodel.Resetter].
func (st *store) AppendKey(dst []byte, exprs []datamodel.Expr) ([]byte, error) {
	if dst, ok := st.appendItems(dst); ok {
		return dst, nil
	}
	start := len(dst)
	t, err := st.text(exprs)
	if err == nil && t.event >= 0 {
		dst = append(append(append(dst, formGraph), t.data[:t.event]...), '}')
	} else if dst, err = graph.AppendKey(append(dst, formGraph), st.world(), st.chartOf(exprs)); err != nil {
		return dst[:start], err
	}
	if items, ok := appendItems(dst[:start], dst[start+1:]); ok {
		return items, nil
	}
	return dst, nil
}

// appendItems appends a state without a runtime.
func (st *store) appendItems(dst []byte) ([]byte, bool) {
	if st.env.Items.Composite() {
		st.newRealm()
	}
	if st.realm != nil || st.pending() {
		return dst, false
	}
	return st.env.Items.AppendState(append(dst, formItems)), true
}

// appendItems does so for saved data, if they take no runtime. What replaces a built-in takes one.
func appendItems(dst, data []byte) ([]byte, bool) {
	var items fast.Items
	if !graph.LoadItems(data, func(name string, v datamodel.Value) bool {
		op, ok := fast.FromValue(v)
		if ok = ok && op.IsPrimitive() && !native.Builtins()[name]; ok {
			items.Append(name, op)
		}
		return ok
	}) {
		return dst, false
	}
	return items.AppendState(append(dst, formItems)), true
}

// Reset implements [datamodel.Resetter]. Data that take a runtime are kept as they are until code needs
// them, see open.
func (st *store) Reset(state []byte, exprs []datamodel.Expr) error {
	if st.reset == nil {
		st.reset = new(reset)
	}
	st.park(exprs)
	st.reset.pending = false
	st.env.Forget()
	if len(state) > 0 && state[0] == formItems && st.env.Items.LoadState(state[1:]) {
		return nil
	}
	st.env.Items = fast.Items{}
	if len(state) > 0 && state[0] == formGraph {
		event, n := binary.Varint(state[1:])
		data := state[1+max(n, 0):]
		if int64(len(data)) > event && event > 0 {
			*st.reset = reset{true, text{append(st.reset.data[:0], data...), int(event)}, st.chartOf(exprs)}
			return nil
		}
		st.newRealm()
		return graph.Load(st.world(), data, st.chartOf(exprs))
	}
	return errors.New("not a state of ECMAScript data")
}

// park puts the runtime aside if the data can be replaced in it, so that nothing remains.
func (st *store) park(exprs []datamodel.Expr) {
	r := st.realm
	if r == nil {
		return
	}
	st.parked = nil
	const wild = syntax.SeesGlobal | syntax.Accessors | syntax.Deletes | syntax.Proxies
	if st.env.Facts&wild == 0 && r.system&^systemSteady == 0 && len(st.env.Functions.All()) == 0 && st.chartOf(exprs).Tame() &&
		!slices.ContainsFunc(st.env.Items.Names, func(name string) bool { return native.Builtins()[name] }) {
		if t, err := st.text(exprs); err == nil && t.event >= 0 {
			t.forget()
			r.facts, r.items = st.env.Facts, st.env.Items
			st.parked = r
		}
	}
	st.realm, st.env.Items = nil, fast.Items{}
}

// open gives the store a runtime: if possible the one that it had before Reset, with what differs
// replaced.
func (st *store) open() error {
	r, pending := st.parked, st.pending()
	st.parked = nil
	if pending {
		st.reset.pending = false
	}
	if r != nil && st.resume(r, pending) {
		return nil
	}
	st.newRealm()
	if !pending {
		return nil
	}
	return graph.Load(st.world(), st.reset.data, st.reset.chart)
}

// resume makes r, which was parked, the runtime. It returns false if r cannot be used.
func (st *store) resume(r *realm, pending bool) bool {
	items := st.env.Items
	if !pending {
		if items.Composite() {
			return false
		}
		data, err := graph.SaveItems(&items)
		if err != nil {
			return false
		}
		st.reset.text = text{data, len(data) - 1}
	}
	if st.reset.event < len(st.reset.data)-1 { // the event, too, would have to be replaced
		return false
	}
	st.realm, st.watch.vm = r, r.vm
	st.env.VM, st.env.Facts, st.env.Items = r.vm, r.facts, r.items
	r.eventObject = nil
	if graph.Patch(st.world(), string(r.text.data), string(st.reset.data), st.reset.chart) {
		r.text, st.reset.text = st.reset.text, r.text
		return true
	}
	st.realm = nil
	st.env.Forget()
	st.env.Items = items
	return false
}

var _ datamodel.Resetter = (*store)(nil)
