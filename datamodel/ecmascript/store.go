package ecmascript

import (
	"context"
	"fmt"
	"slices"

	"github.com/dop251/goja"

	"github.com/scxmlrun/scxmlrun/datamodel"
	"github.com/scxmlrun/scxmlrun/datamodel/ecmascript/internal/dom"
	"github.com/scxmlrun/scxmlrun/datamodel/ecmascript/internal/fast"
	"github.com/scxmlrun/scxmlrun/datamodel/ecmascript/internal/guard"
	"github.com/scxmlrun/scxmlrun/datamodel/ecmascript/internal/native"
	"github.com/scxmlrun/scxmlrun/datamodel/ecmascript/internal/syntax"
)

// A store holds the data of one session: a runtime of goja, with the data items as global
// variables. Nothing of it is shared.
type store struct {
	env    fast.Env // what takes no runtime
	*realm          // nil until it is needed

	language *language
	watch    watchdog
	watching bool // see Watch

	// See Reset.
	parked *realm
	reset  *reset // nil before the first one
}

// A realm is what a store has once its runtime is there.
type realm struct {
	vm        *goja.Runtime
	assigners map[*expr]goja.Callable
	rows      map[*expr]*rows     // see rowsOf
	programs  map[string]*program // those that may have created functions, by name
	current   *program            // what runs

	lib     native.Library
	dom     *dom.Window // of XML, nil until it is needed
	scratch []any       // see importList

	thrown *goja.Object // the last error of a function of the host
	cause  error        // what it was in Go

	systemTraps *goja.ProxyTrapConfig // see systemObject
	eventObject *goja.Object          // _event, nil until a script looks at it

	system systemSet // those that are there
	guards guard.Guards
	cut    bool // the present evaluation was interrupted

	probed  bool  // this is an evaluation of Probe
	refused error // which was stopped

	text  text // of the data
	saved bool // nothing has changed since

	names []string // see graph.World; nil after an evaluation in the runtime

	// These are those of the store while the realm is parked.
	facts syntax.Facts
	items fast.Items
}

// Watch implements [datamodel.Looker].
func (st *store) Watch() { st.watching = true }

// Looks implements [datamodel.Looker].
func (st *store) Looks() datamodel.Look {
	if st.realm != nil {
		st.guards.CheckGlobal()
	}
	looks := st.env.Looks
	st.env.Looks = 0
	return looks
}

func (st *store) Begin(ctx context.Context) { st.watch.begin(ctx) }
func (st *store) End()                      { st.watch.end() }

func (st *store) SetEvent(ev *datamodel.Event) {
	st.env.Event = ev
	if st.realm != nil {
		st.eventObject, st.env.Data = nil, nil
		if st.saved = st.saved && st.realm.text.event >= 0; st.saved {
			st.realm.text.forget()
		}
	}
	if st.pending() {
		st.reset.forget()
	}
}

// within does f, an evaluation of e, which may be nil.
func (st *store) within(e *expr, f func() error) (err error) {
	if st.realm == nil {
		if err := st.open(); err != nil {
			return st.failure(e, err)
		}
	}
	st.saved, st.names = false, nil
	defer st.env.Functions.Forget()
	if err := st.watch.enter(st.env.Host); err != nil {
		return cancelledError(e, err)
	}
	defer func() {
		if x := recover(); x != nil {
			err = st.panicked(e, x)
			st.scratch = nil
		}
		st.current = nil
		st.watch.leave()
		if st.cut {
			st.cut = false
			st.guards.CloseEval()
			st.allowForLeftovers()
		}
	}()
	return f()
}

// panicked turns a panic into an EvalError: an exception that was thrown outside of the loop of the
// runtime, an interrupt, or a bug of the runtime, with which a chart must not be able to end the
// process.
func (st *store) panicked(e *expr, x any) (err error) {
	defer func() {
		if y := recover(); y != nil { // in a method toString of what was thrown
			err = st.failure(e, fmt.Errorf("uncaught exception"))
		}
	}()
	switch x := x.(type) {
	case error:
		if isScript(x) {
			return st.failure(e, x)
		}
		return st.failure(e, &datamodel.EvalError{Msg: "internal error of the script engine", Err: x})
	case goja.Value:
		return st.failure(e, fmt.Errorf("%s", st.exceptionText(x)))
	}
	// The text of a panic is for the host only.
	return st.failure(e, &datamodel.EvalError{Msg: "internal error of the script engine", Err: fmt.Errorf("%v", x)})
}

func isScript(err error) bool {
	switch err.(type) {
	case *goja.Exception, *goja.InterruptedError, *goja.StackOverflowError, *datamodel.EvalError:
		return true
	}
	return false
}

// run runs a program of e. The caller has entered.
func (st *store) run(e *expr, p *program) (goja.Value, error) {
	st.current = p
	if e.closes {
		st.programs[p.tree.Name] = p
		st.lib.Keep()
	}
	if r := &p.reach; r.facts&^st.env.Facts != 0 || r.system&^st.system != 0 || st.guards.Lacks(r.guards) {
		st.admit(r)
	}
	v, err := st.vm.RunProgram(p.code)
	if err != nil {
		return nil, st.failure(e, err)
	}
	return v, nil
}

// quick evaluates e by closures, if that is possible. An error is that of a function of the host.
func (st *store) quick(e *expr) (v fast.Operand, ok bool, err error) {
	switch {
	case e.fast.Value == nil || !st.watch.allows():
		return v, false, nil
	case st.env.Functions != nil:
		return quickCalls(st, e, e.fast.Value)
	case st.realm == nil:
		v, ok = e.fast.Value(&st.env)
		return v, ok, nil
	}
	v, ok = careful(e.fast.Value, &st.env)
	return v, ok, nil
}

// quickTruth does the same where only truth matters. It is not one generic function with quick,
// which would take a twentieth of a small condition.
func (st *store) quickTruth(e *expr) (b, ok bool, err error) {
	switch {
	case e.fast.Truth == nil || !st.watch.allows():
		return false, false, nil
	case st.env.Functions != nil:
		return quickCalls(st, e, e.fast.Truth)
	case st.realm == nil:
		b, ok = e.fast.Truth(&st.env)
		return b, ok, nil
	}
	b, ok = careful(e.fast.Truth, &st.env)
	return b, ok, nil
}

// quickCalls calls a closure of e that may call functions of the host. An error of one that no script
// can see needs no runtime.
func quickCalls[T any](st *store, e *expr, f func(*fast.Env) (T, bool)) (v T, ok bool, err error) {
	defer func() {
		if x := recover(); x != nil {
			err = st.panicked(e, x)
		}
		if err != nil {
			st.env.Functions.Forget()
		}
	}()
	if st.realm == nil {
		v, ok = f(&st.env)
	} else {
		v, ok = careful(f, &st.env)
	}
	if !ok {
		if failed := st.env.Functions.Failure(); failed != nil {
			err = st.callFailure(e, failed)
		}
	}
	return v, ok, err
}

// careful calls a closure, which may panic while there is a runtime.
func careful[T any](f func(*fast.Env) (T, bool), e *fast.Env) (v T, ok bool) {
	defer fast.Unknown(&ok)
	return f(e)
}

// quickSet makes v the value of the data item id, which it declares if necessary, unless that takes
// a runtime.
func (st *store) quickSet(id string, v fast.Operand) bool {
	return st.realm == nil && !st.pending() && (st.env.Items.Has(id) || !native.Builtins()[id]) && st.env.Set(id, v)
}

// checkItem returns an error unless a data item may be called id. Those that were declared may.
func (st *store) checkItem(id string) *datamodel.EvalError {
	if st.env.Items.Has(id) {
		return nil
	}
	return checkVariable(id)
}

// quickAssign makes v the value of a data item, if both are simple enough.
func (st *store) quickAssign(item string, v *fast.Operand) bool {
	if st.realm != nil {
		st.saved = false
	}
	return st.env.Assign(item, v)
}

// eval returns the value of e in the runtime. The caller has entered.
//
// goja may have an integer as a float (-(-0), and 9007199254740993), with which it computes
// differently: a Map does not find it. Closures have one form of each number, so eval returns that.
func (st *store) eval(e *expr) (goja.Value, error) {
	if e.kind == datamodel.Content {
		return st.import_(e.content), nil
	}
	v, err := st.run(e, e.value)
	if err == nil && v.ExportType() == native.TypeFloat {
		v = st.vm.ToValue(v.ToFloat())
	}
	return v, err
}

// own returns x as the Expr that Compile of this language made, and its syntax error.
func (st *store) own(x datamodel.Expr) (*expr, error) {
	e, ok := x.(*expr)
	if !ok {
		return nil, &datamodel.EvalError{Pos: x.Source().Position(0), Msg: "an expression of another data model"}
	}
	if st.watching {
		e = e.twin(st.language.limits)
	}
	if e.err != nil {
		return e, e.err
	}
	return e, nil
}

// Condition evaluates cond. REC B.2: "convert ECMAScript expressions used in conditional
// expressions into their effective boolean value using the ToBoolean operator".
func (st *store) Condition(cond datamodel.Expr) (b bool, err error) {
	e, err := st.own(cond)
	if err != nil {
		return false, err
	}
	b, ok, err := st.quickTruth(e)
	if ok || err != nil {
		st.env.Functions.Forget()
		return b, err
	}
	err = st.within(e, func() error {
		v, err := st.eval(e)
		b = err == nil && v.ToBoolean()
		return err
	})
	return b, err
}

func (st *store) Value(x datamodel.Expr) (v datamodel.Value, err error) {
	e, err := st.own(x)
	if err != nil {
		return nil, err
	}
	if e.kind == datamodel.Content {
		return e.content, nil
	}
	simple, ok, err := st.quick(e)
	if err != nil {
		return nil, err
	}
	if ok && (simple.IsPrimitive() || st.realm == nil) {
		if v, ok := simple.Export(); ok {
			st.env.Functions.Forget()
			return v, nil
		}
	}
	err = st.within(e, func() (err error) {
		var value goja.Value
		if o := simple.Object(); ok && o != nil && !st.env.Wild() { // no getter of it will ask where it was called from
			value = o
		} else if value, err = st.eval(e); err != nil {
			return err
		}
		if v, err = st.exportOf(e, value); err != nil {
			return st.failure(e, err)
		}
		return nil
	})
	return v, err
}

func (st *store) Run(script datamodel.Expr) error {
	e, err := st.own(script)
	if err != nil {
		return err
	}
	if _, ok, err := st.quickTruth(e); ok || err != nil {
		st.env.Functions.Forget()
		return err
	}
	return st.within(e, func() error {
		_, err := st.run(e, e.value)
		return err
	})
}

func (st *store) Assign(location, value datamodel.Expr) error {
	loc, err := st.own(location)
	if err != nil {
		return err
	}
	val, err := st.own(value)
	if err != nil {
		return err
	}
	v, ok, err := st.quick(val)
	if err != nil || ok && st.quickAssign(loc.item, &v) {
		st.env.Functions.Forget()
		return err
	}
	return st.within(val, func() error {
		v, err := st.eval(val)
		if err != nil {
			return err
		}
		return st.assign(loc, v)
	})
}

func (st *store) AssignValue(location datamodel.Expr, v datamodel.Value) error {
	loc, err := st.own(location)
	if err != nil {
		return err
	}
	if op, ok := fast.FromValue(v); ok && st.watch.allows() && st.quickAssign(loc.item, &op) {
		return nil
	}
	return st.within(loc, func() error { return st.assign(loc, st.import_(v)) })
}

// assign puts v at the location. The caller has entered.
func (st *store) assign(loc *expr, v goja.Value) error {
	if loc.assign == nil {
		return &datamodel.EvalError{Pos: loc.src.Position(0), Msg: "SyntaxError: not a location: it cannot be assigned to"}
	}
	if loc.system != "" {
		return st.failure(loc, readOnly(loc.system))
	}
	if st.env.AssignScript(loc.item, v) {
		return nil
	}
	if _, ok := v.(*goja.Object); ok && loc.nests {
		st.guards.Raise(guard.Joins)
	}
	st.current = loc.assign
	f := st.assigners[loc]
	if f == nil {
		made, err := st.run(loc, loc.assign)
		if err != nil {
			return err
		}
		f, _ = goja.AssertFunction(made)
		st.assigners[loc] = f
	}
	if _, err := f(goja.Undefined(), v); err != nil {
		return st.failure(loc, err)
	}
	return nil
}

func (st *store) Declare(id string) error {
	if err := checkVariable(id); err != nil {
		return err
	}
	if st.watch.allows() && (st.env.Items.Has(id) || st.quickSet(id, fast.Operand{})) {
		return nil
	}
	return st.within(nil, func() error { return st.declare(id) })
}

// declare makes id a variable, as var would, unless it is one.
func (st *store) declare(id string) error {
	if st.env.Items.Has(id) {
		return nil
	}
	if native.Builtins()[id] {
		// The data item replaces something that may be needed.
		st.lib.Keep()
		st.admitAll()
	}
	if !st.declared(id) {
		global := st.vm.GlobalObject()
		if err := global.DefineDataProperty(id, goja.Undefined(), goja.FLAG_TRUE, goja.FLAG_TRUE, goja.FLAG_TRUE); err != nil {
			return st.failure(nil, err)
		}
	}
	st.env.Items.Add(id)
	return nil
}

// declared reports whether id is a variable. A name of the library, such as Map or name, is not: a
// data item replaces it.
func (st *store) declared(id string) bool {
	if native.Builtins()[id] {
		return false
	}
	if st.vm.GlobalObject().Get(id) == nil {
		// let, const and class make variables that are not properties.
		return st.vm.Get(id) != nil
	}
	// Inherited properties do not count.
	st.lib.Keep()
	return st.lib.HasOwn(st.vm.GlobalObject(), id)
}

func (st *store) Init(id string, value datamodel.Expr) error {
	e, err := st.own(value)
	if err != nil {
		return err
	}
	if err := st.checkItem(id); err != nil {
		return st.failure(e, err)
	}
	v, ok, err := st.quick(e)
	if err != nil || ok && (v.IsPrimitive() || e.literal || v.IsFresh()) && st.quickSet(id, v) {
		st.env.Functions.Forget()
		return err
	}
	return st.within(e, func() error {
		v, err := st.eval(e)
		if err != nil {
			return err
		}
		return st.set(e, id, v)
	})
}

func (st *store) Set(id string, v datamodel.Value) error {
	if err := st.checkItem(id); err != nil {
		return err
	}
	if op, ok := fast.FromValue(v); ok && st.watch.allows() && st.quickSet(id, op) {
		return nil
	}
	return st.within(nil, func() error { return st.set(nil, id, st.import_(v)) })
}

// set makes v the value of the data item id, which it declares if necessary.
func (st *store) set(e *expr, id string, v goja.Value) error {
	if err := st.declare(id); err != nil {
		return err
	}
	if err := st.vm.Set(id, v); err != nil {
		return st.failure(e, err)
	}
	return nil
}

// Foreach calls body for the items of an array.
//
// REC B.2: "the legal iterable collections are arrays, namely objects that satisfy
// instanceof(Array) in ECMAScript", and "the iteration order for the foreach element is the order
// of the underlying ECMAScript array, and goes from an index of 0 by increments of one".
func (st *store) Foreach(array datamodel.Expr, item, index string, body func() bool) error {
	e, err := st.own(array)
	if err != nil {
		return err
	}
	items, err := st.foreachItems(e, item, index)
	if err != nil {
		return err
	}
	for i, v := range items {
		if err := st.foreachSet(e, item, index, v, i); err != nil {
			return err
		}
		if !body() {
			return nil
		}
	}
	return nil
}

// foreachItems declares the variables and returns a shallow copy of the array.
func (st *store) foreachItems(e *expr, item, index string) (items []goja.Value, err error) {
	// REC 4.6: "if 'item' does not specify a legal variable name, the SCXML processor MUST
	// terminate execution of the foreach element".
	names := []string{item, index}
	if index == "" {
		names = names[:1]
	}
	for _, name := range names {
		if err := checkVariable(name); err != nil {
			return nil, st.failure(e, err)
		}
	}
	err = st.within(e, func() error {
		v, err := st.eval(e)
		if err != nil {
			return err
		}
		o, ok := v.(*goja.Object)
		if !ok || !native.IsArray(o) {
			return st.failure(e, fmt.Errorf("TypeError: the value is not an array"))
		}
		if items, err = st.lib.Elements(o); err != nil {
			return st.failure(e, err)
		}
		items = slices.Clone(items)
		for _, name := range names {
			if err := st.declare(name); err != nil {
				return err
			}
		}
		return nil
	})
	return items, err
}

func (st *store) foreachSet(e *expr, item, index string, v goja.Value, i int) error {
	return st.within(e, func() error {
		if v == nil {
			v = goja.Undefined()
		}
		if err := st.set(e, item, v); err != nil || index == "" {
			return err
		}
		return st.set(e, index, st.vm.ToValue(i))
	})
}
