package ecmascript

import (
	"bytes"
	"fmt"

	"github.com/scxmlrun/scxmlrun/datamodel"
	"github.com/scxmlrun/scxmlrun/datamodel/ecmascript/internal/graph"
	"github.com/scxmlrun/scxmlrun/datamodel/ecmascript/internal/native"
)

// Probe implements [datamodel.Prober]. A condition is evaluated as always. If the data are others
// afterwards, it has an effect, which is undone. What Save does not see cannot change: it refuses
// data with such parts.
func (st *store) Probe(cond datamodel.Expr, ev *datamodel.Event, exprs []datamodel.Expr) (holds bool, err error) {
	e, err := st.own(cond)
	if err != nil {
		return false, err
	}
	if b, ok := st.quickProbe(e, ev); ok {
		return b, nil
	}
	before, err := st.Save(exprs)
	if err != nil {
		return false, fmt.Errorf("%w: an effect could not be undone: %w", datamodel.ErrNotPure, err)
	}
	state, err := st.AppendState(nil, exprs)
	if err != nil {
		return false, err
	}
	fresh := st.realm == nil
	if fresh { // before there is another event
		if err := st.open(); err != nil {
			return false, st.failure(e, err)
		}
	}
	env, event, system := st.env, st.eventObject, st.system
	st.env.Event, st.env.Data, st.eventObject = ev, nil, nil
	st.probed, st.refused = true, nil
	what, changed := "_event.data", false
	err = st.within(e, func() error {
		v, err := st.run(e, e.value)
		holds = err == nil && v.ToBoolean()
		if data := st.env.Taken(); data != nil {
			is, failed := st.export(data)
			changed = failed != nil || !datamodel.Equal(is, ev.Data)
		}
		return err
	})
	st.probed = false
	st.env, st.eventObject = env, event
	if st.refused != nil {
		st.vm.ClearInterrupt()
		err = st.refused
	}
	switch after, failed := st.Save(exprs); {
	case failed != nil:
		what, changed = "data that could not be saved then", true
	case !bytes.Equal(before, after):
		what, changed = graph.Difference(before, after), true
	}
	if changed && st.refused == nil {
		err = fmt.Errorf("%w: it changes %s", datamodel.ErrNotPure, what)
	}
	if fresh || changed || st.system&^system&^systemSteady != 0 {
		if err := st.Reset(state, exprs); err != nil {
			return false, st.failure(e, err)
		}
	}
	return holds && err == nil, err
}

// quickProbe evaluates e by closures, which have no effect, if that takes no function of the host.
func (st *store) quickProbe(e *expr, ev *datamodel.Event) (holds, ok bool) {
	env := st.env
	defer func() { st.env = env }()
	st.env.Event, st.env.Data, st.env.Functions = ev, nil, nil
	holds, ok, _ = st.quickTruth(e)
	return holds, ok
}

// refuse stops Probe before a function of the host is called. No code of the chart can catch it.
func (st *store) refuse(function string) {
	st.refused = fmt.Errorf("%w: it calls %s(), a function of the host", datamodel.ErrNotPure, function)
	st.vm.Interrupt(st.refused)
	native.NoticeInterrupt(st.vm)
}
