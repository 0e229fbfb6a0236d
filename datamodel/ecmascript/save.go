package ecmascript

import (
	"bytes"

	"github.com/dop251/goja"

	"github.com/scxmlrun/scxmlrun/datamodel"
	"github.com/scxmlrun/scxmlrun/datamodel/ecmascript/internal/fast"
	"github.com/scxmlrun/scxmlrun/datamodel/ecmascript/internal/graph"
	"github.com/scxmlrun/scxmlrun/datamodel/ecmascript/internal/syntax"
)

// Save implements [datamodel.Saver], see SNAPSHOT.md.
func (st *store) Save(exprs []datamodel.Expr) ([]byte, error) {
	if st.env.Items.Composite() {
		st.newRealm()
	}
	switch {
	case st.pending():
		return bytes.Clone(st.reset.data), nil
	case st.realm == nil:
		return graph.SaveItems(&st.env.Items)
	}
	t, err := st.text(exprs)
	if err != nil {
		return nil, err
	}
	return bytes.Clone(t.data), nil
}

// Load implements [datamodel.Saver].
func (st *store) Load(data []byte, exprs []datamodel.Expr) error {
	if st.realm == nil {
		if graph.LoadItems(data, func(name string, v datamodel.Value) bool {
			op, ok := fast.FromValue(v)
			return ok && checkVariable(name) == nil && st.quickSet(name, op)
		}) {
			return nil
		}
		st.env.Items = fast.Items{}
		st.newRealm()
	}
	st.saved, st.names = false, nil
	return graph.Load(st.world(), data, st.chartOf(exprs))
}

func (st *store) world() *graph.World {
	return &graph.World{
		Session: st, VM: st.vm, Lib: &st.lib, Items: &st.env.Items, Natives: st.env.Functions, Data: st.env.Taken(), Names: &st.names,
	}
}

// A chart is a graph.Chart with the expressions that it was made of. It is made when the first
// session of the chart is saved or restored, and kept in the first Expr of the chart.
type chart struct {
	*graph.Chart
	exprs   int
	last    datamodel.Expr
	watched bool // its expressions are twins
}

func (st *store) chartOf(exprs []datamodel.Expr) *graph.Chart {
	if len(exprs) == 0 {
		return graph.NewChart(nil)
	}
	first, ok := exprs[0].(*expr)
	last := exprs[len(exprs)-1]
	if ok {
		if c := first.chart.Load(); c != nil && c.exprs == len(exprs) && c.last == last && c.watched == st.watching {
			return c.Chart
		}
	}
	var all []graph.Code
	for _, x := range exprs {
		if e, err := st.own(x); err == nil && e.value != nil {
			all = append(all, e.value)
		}
	}
	c := graph.NewChart(all)
	if ok {
		first.chart.Store(&chart{c, len(exprs), last, st.watching})
	}
	return c
}

// HasRun implements [graph.Session].
func (st *store) HasRun(c graph.Code) bool { return st.programs[c.Tree().Name] == c }

// Admit implements [graph.Session].
func (st *store) Admit(c graph.Code) {
	p := c.(*program)
	st.programs[p.tree.Name] = p
	st.admit(&p.reach)
}

// AdmitNames implements [graph.Session].
func (st *store) AdmitNames(names []string) {
	var r reach
	for _, name := range names {
		r.name(name)
		r.add(syntax.FactsOf(name))
	}
	st.admit(&r)
}

// System implements [graph.Session].
func (st *store) System(o *goja.Object) *graph.System {
	d := fixedOf(o)
	if d == nil {
		return nil
	}
	switch {
	case d.fixed == fixedEvent:
		return &graph.System{Event: &d.event, Present: o == st.eventObject, Data: func() goja.Value {
			if d.data == nil {
				defer func() { d.data = nil }() // no script has looked at it, and saving is not looking
			}
			return d.eventData()
		}}
	case d.processor != "":
		return &graph.System{Processor: d.processor}
	}
	return &graph.System{Variable: d.name}
}

// SystemVariable implements [graph.Session].
func (st *store) SystemVariable(name string) goja.Value {
	st.admit(&reach{system: systemWord(name)})
	return st.vm.GlobalObject().Get(name)
}

// PresentEvent implements [graph.Session].
func (st *store) PresentEvent() (*goja.Object, *goja.Value) {
	if st.env.Event == nil {
		return nil, nil
	}
	st.presentEvent()
	return st.eventObject, st.env.Data
}

// NewEvent implements [graph.Session].
func (st *store) NewEvent(ev *datamodel.Event) (*goja.Object, *goja.Value) {
	return st.newEvent(ev)
}
