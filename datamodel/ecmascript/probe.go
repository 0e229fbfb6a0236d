package ecmascript

import (
	"errors"
	"slices"
	"sync"

	"github.com/dop251/goja"

	"github.com/scxmlrun/scxmlrun/datamodel"
	"github.com/scxmlrun/scxmlrun/datamodel/ecmascript/internal/fast"
	"github.com/scxmlrun/scxmlrun/datamodel/ecmascript/internal/pure"
	"github.com/scxmlrun/scxmlrun/datamodel/ecmascript/internal/syntax"
)

// Probe implements [datamodel.Prober].
func (st *store) Probe(cond datamodel.Expr, ev *datamodel.Event) (holds bool, err error) {
	e, err := own(cond)
	if err != nil {
		return false, err
	}
	restore := st.keep()
	defer func() { restore() }()
	st.env.Event, st.env.Data = ev, nil
	functions := st.env.Functions
	st.env.Functions = nil // a closure must not call one
	if b, ok := st.quickTruth(e); ok {
		return b, nil
	}
	if st.pending || st.parked != nil { // this runtime is to stay
		restore()
		if err := st.open(); err != nil {
			return false, err
		}
		restore = st.keep()
		st.env.Event, st.env.Data = ev, nil
	}
	st.env.Functions = functions.Clone() // a new runtime binds them
	err = st.within(e, func() error {
		if st.watcher == nil {
			st.watcher = pure.New(&watched{st}, st.vm)
		}
		st.current = e.value
		st.guards.Raise(e.value.reach.guards)
		v, err := st.watcher.Run(e.value.watchedCode())
		switch {
		case errors.Is(err, datamodel.ErrNotPure):
			return err
		case err != nil:
			return st.failure(e, err)
		}
		holds = v.ToBoolean()
		return nil
	})
	return holds, err
}

// keep returns a function that takes back what evaluating a condition does to the store. A runtime
// that there was not before is discarded, since it has nothing to keep.
func (st *store) keep() (restore func()) {
	env, realm, vm := st.env, st.realm, st.watch.vm
	if realm == nil {
		return func() { st.env, st.realm, st.watch.vm = env, nil, vm }
	}
	event, saved := realm.eventObject, realm.saved
	realm.eventObject = nil
	return func() { st.env, realm.eventObject, realm.saved = env, event, saved }
}

// A probed is what a program is for [store.Probe].
type probed struct {
	once      sync.Once
	code      *pure.Code
	functions map[string]*pure.Code // of the program, by their text; nil for one that needs what is around it
}

func (p *program) watchedCode() *pure.Code {
	p.probe()
	return p.probed.code
}

func (p *program) probe() {
	p.probed.once.Do(func() {
		p.probed.code = pure.Expression(p.tree)
		if p.tree.Facts&(syntax.Keeps|syntax.Changes) == 0 && p.tree.X != nil {
			return
		}
		p.probed.functions = map[string]*pure.Code{}
		for _, f := range p.tree.Declarations().Functions {
			code, twice := p.probed.functions[f.Text]
			if p.probed.functions[f.Text] = nil; f.Closed() && !f.Class && (!twice || code != nil) {
				p.probed.functions[f.Text] = pure.Function(f)
			}
		}
	})
}

// watched is the session of a [pure.Watch].
type watched struct{ *store }

func (st *watched) Plain() bool { return !st.env.Wild() }

// SystemValue computes what Try takes back afterwards, as the id of the session, anew.
func (st *watched) SystemValue(name string) goja.Value {
	switch defined := st.system&systemWord(name) != 0; {
	case name == syntax.SysEvent && st.env.Event == nil:
		return goja.Undefined()
	case name == syntax.SysEvent:
		return st.presentEvent()
	case name == syntax.SysSessionID && !defined:
		return st.vm.ToValue(st.env.Host.SessionID())
	case name == syntax.SysIO && !defined:
		return st.ioProcessors()
	}
	st.define(systemWord(name))
	return st.vm.GlobalObject().Get(name)
}

func (st *watched) IsHost(o *goja.Object) bool {
	return slices.ContainsFunc(st.env.Functions.All(), func(f fast.Function) bool { return f.Object == o })
}

func (st *watched) Original(o *goja.Object) *goja.Object {
	if of := st.guards.Original(o); of != nil {
		return of
	}
	if fixedOf(o) != nil {
		return o.Export().(goja.Proxy).Target()
	}
	return nil
}

func (st *watched) Code(text string) (code *pure.Code) {
	for _, p := range st.programs {
		p.probe()
		c, ok := p.probed.functions[text]
		switch {
		case p.tree.Evals: // it may have made a function of the same text anywhere
			return nil
		case !ok:
		case c == nil, code != nil && code.Strict() != c.Strict():
			return nil
		default:
			code = c
		}
	}
	return code
}

func (st *watched) Locate(f *goja.StackFrame) (datamodel.Position, bool) { return st.locate(f) }
