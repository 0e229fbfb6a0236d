package ecmascript

import (
	"time"

	"github.com/dop251/goja"
	"github.com/dop251/goja/parser"

	"github.com/scxmlrun/scxmlrun/datamodel"
	"github.com/scxmlrun/scxmlrun/datamodel/ecmascript/internal/fast"
	"github.com/scxmlrun/scxmlrun/datamodel/ecmascript/internal/guard"
	"github.com/scxmlrun/scxmlrun/datamodel/ecmascript/internal/native"
	"github.com/scxmlrun/scxmlrun/datamodel/ecmascript/internal/syntax"
)

// newRealm creates the runtime of the session.
func (st *store) newRealm() {
	vm := goja.New()
	r := &realm{
		vm:        vm,
		assigners: map[*expr]goja.Callable{},
		programs:  map[string]*program{},
	}
	st.realm = r
	r.lib.VM = vm
	r.guards.Make(st, vm, &r.lib, st.language.limits, st.language.maxItems, st.language.maxString)
	st.watch.vm = vm

	vm.SetParserOptions(parser.WithDisableSourceMaps) // for eval and new Function
	vm.SetTimeSource(func() time.Time {
		st.env.Looks |= datamodel.LookClock
		return st.env.Host.Now()
	})
	vm.SetRandSource(func() float64 {
		st.env.Looks |= datamodel.LookChance
		return st.env.Host.Random()
	})
	if n := st.env.Host.CallDepth(); n > 0 {
		vm.SetMaxCallStackSize(n)
	}
	if st.watching {
		r.guards.Watch(func() { st.env.Looks |= datamodel.LookLibrary })
	}
	eventData := native.Must1(st.env.Take(vm, st.import_))
	for _, f := range st.env.Functions.All() {
		native.Must(st.defineFunc(f.Name, f.Call))
	}
	if eventData != nil {
		st.presentEvent()
		*st.env.Data = eventData
	}
}

// A reach is what code can access. Before a store runs the code it defines the system variables and
// installs the guards that it needs, so the code of most charts pays for none.
type reach struct {
	facts  syntax.Facts
	system systemSet
	guards guard.Needs
}

// name notes that a name occurs.
func (r *reach) name(word string) {
	r.system |= systemWord(word)
	r.guards.Name(word)
}

// add notes what else code can do.
func (r *reach) add(facts syntax.Facts) {
	r.facts |= facts
	r.guards.Add(facts)
}

// admit prepares what code can access that is about to run.
func (st *store) admit(r *reach) {
	if st.env.Facts |= r.facts; st.env.Facts&syntax.SeesGlobal != 0 {
		if st.env.Facts&syntax.Computes != 0 { // together it can access everything
			st.admitAll()
			return
		}
		st.define(systemAll)
	}
	st.define(r.system)
	st.guards.Raise(r.guards)
}

// admitAll prepares for code that has not been looked at.
func (st *store) admitAll() {
	st.env.Facts = syntax.AllFacts
	st.define(systemAll)
	st.guards.Raise(guard.All)
}

// DefineFunc implements [datamodel.FuncDefiner]: f becomes a property of the global object, which a
// script may replace.
//
// A script sees an error of f as an Error with its text alone. NewGoError of the runtime would pass
// on the value, with all its fields and methods.
func (st *store) DefineFunc(name string, f datamodel.Func) error {
	if err := checkVariable(name); err != nil {
		return err
	}
	if st.env.Functions == nil {
		st.env.Functions = &fast.Functions{Late: st.late}
	}
	st.env.Functions.Add(name, f)
	if st.realm == nil {
		return nil
	}
	return st.defineFunc(name, f)
}

// defineFunc makes f a property of the global object.
func (st *store) defineFunc(name string, f datamodel.Func) error {
	class := native.Class(st.vm, "Error") // before a script can change it
	throw := func(err error) {
		st.thrown = native.Must1(st.vm.New(class, st.vm.ToValue(err.Error())))
		st.cause = err
		panic(st.thrown)
	}
	function := native.New(st.vm, name, func(call goja.FunctionCall) goja.Value {
		if st.probed {
			st.refuse(name)
		}
		args := make([]datamodel.Value, len(call.Arguments))
		for i, arg := range call.Arguments {
			v, err := st.export(arg)
			if err != nil {
				throw(err)
			}
			args[i] = v
		}
		st.env.Looks |= datamodel.LookHost
		result, err := st.env.Functions.Call(f, args)
		if err != nil {
			throw(err)
		}
		return st.import_(result)
	})
	st.guards.Own(function)
	st.env.Functions.Bind(name, function)
	return st.vm.GlobalObject().Set(name, function)
}
