package pure

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/dop251/goja"

	"github.com/scxmlrun/scxmlrun/datamodel"
	"github.com/scxmlrun/scxmlrun/datamodel/ecmascript/internal/native"
	"github.com/scxmlrun/scxmlrun/datamodel/ecmascript/internal/syntax"
)

// A Session is what a [Watch] needs of the one that it belongs to.
type Session interface {
	// Plain reports that no accessor and no proxy can have been made.
	Plain() bool
	// SystemValue returns the value of a system variable, or of In.
	SystemValue(name string) goja.Value
	// IsHost reports whether a function is one of the host.
	IsHost(o *goja.Object) bool
	// Original returns what a guard of the library, or the proxy of a system variable, stands
	// before, or nil.
	Original(o *goja.Object) *goja.Object
	// Code returns the functions of the chart that have a text.
	Code(text string) *Code
	// Interrupted reports whether the evaluation must be interrupted.
	Interrupted() bool
	// Locate returns where a frame of the call stack is.
	Locate(f *goja.StackFrame) (datamodel.Position, bool)
}

// A Watch runs code in a runtime, and stops it before it has an effect.
type Watch struct {
	Session
	vm  *goja.Runtime
	lib *library
	ops []goja.Value

	known map[*goja.Object]*callee // functions that were called

	// Of the present evaluation.
	pristine *native.Pristine
	plain    bool
	running  bool // the runtime runs code
	fresh    map[*goja.Object]bool
	checked  map[*Code]bool // whose global variables are not accessors
	refused  error
	called   goja.Value // what a call is about to call, as the text has it
}

// A callee is a function that may be called.
type callee struct {
	run    native.Func
	listed *function // nil for one of the chart
	object *goja.Object
	via    byte  // 'c' for Function.prototype.call, 'a' for apply
	code   *Code // of one of the chart
}

// New returns the watch of a runtime.
func New(session Session, vm *goja.Runtime) *Watch {
	w := &Watch{Session: session, vm: vm, lib: theLibrary(), known: map[*goja.Object]*callee{}, fresh: map[*goja.Object]bool{}, checked: map[*Code]bool{}}
	for _, op := range w.operations() {
		w.ops = append(w.ops, vm.ToValue(func(call goja.FunctionCall) goja.Value { return op(call.Arguments) }))
	}
	return w
}

// Run evaluates an expression. The error wraps [datamodel.ErrNotPure] if it was stopped, or is what
// the runtime says.
func (w *Watch) Run(c *Code) (v goja.Value, err error) {
	w.pristine, w.plain, w.refused = pristines.Get().(*native.Pristine), w.Plain(), nil
	defer func() {
		pristines.Put(w.pristine)
		w.pristine, w.running, w.called = nil, false, nil
		clear(w.fresh)
		clear(w.checked)
		if len(w.known) > 1000 {
			clear(w.known)
		}
		x := recover()
		if w.refused != nil {
			w.vm.ClearInterrupt()
			v, err = nil, w.refused
		} else if x != nil {
			panic(x)
		}
	}()
	p, err := c.program()
	if err != nil {
		return nil, fmt.Errorf("%w: cannot rewrite it: %w", datamodel.ErrNotPure, err)
	}
	made, err := w.vm.RunProgram(p)
	if err != nil {
		return nil, err
	}
	w.checkFree(c)
	f, _ := goja.AssertFunction(made)
	w.running = true
	v, err = f(goja.Undefined(), w.ops...)
	w.running = false
	if err != nil {
		w.checkError(err)
		return nil, err
	}
	return v.(*goja.Object).Get(c.name), nil
}

// checkError stops if to put an error into words may run code of the chart.
func (w *Watch) checkError(err error) {
	var exception *goja.Exception
	var deep *goja.StackOverflowError
	switch {
	case errors.As(err, &deep): // it takes more of the stack than the original
		w.refused = fmt.Errorf("%w: nests calls too deep", datamodel.ErrNotPure)
	case !errors.As(err, &exception):
	default:
		if o, ok := exception.Value().(*goja.Object); ok && o.ClassName() == "Error" {
			w.convert(o, nil)
			return
		}
		w.deep(exception.Value(), map[*goja.Object]bool{})
	}
}

// stop ends the evaluation, saying what it would do.
func (w *Watch) stop(format string, args ...any) {
	what, place := fmt.Sprintf(format, args...), ""
	for _, f := range w.vm.CaptureCallStack(50, nil) {
		pos, ok := w.Locate(&f)
		if !ok {
			continue
		}
		if place == "" {
			place = pos.String() + ": "
		}
		if name := f.FuncName(); name != "" && name != "<anonymous>" {
			what = "calls " + name + "(), which " + what
		}
	}
	w.refused = fmt.Errorf("%w: %s%s", datamodel.ErrNotPure, place, what)
	if w.running { // nothing that the chart has may catch it
		w.vm.Interrupt(w.refused)
		native.NoticeInterrupt(w.vm)
	}
	panic(w.refused)
}

// alive ends the evaluation if it has taken too long: neither Go nor the library looks.
func (w *Watch) alive() {
	if w.running && w.Interrupted() {
		native.NoticeInterrupt(w.vm)
	}
}

// checkFree stops if a global variable that code names is an accessor.
func (w *Watch) checkFree(c *Code) {
	if w.plain || c == nil || w.checked[c] {
		return
	}
	w.checked[c] = true
	for _, name := range c.free {
		if d, _ := w.find(w.vm.GlobalObject(), w.vm.ToValue(name)); d != nil && d.Get("value") == nil {
			w.stop("reads %s, which has a getter", name)
		}
	}
}

// describe returns the descriptor of an own property, or nil.
func (w *Watch) describe(o *goja.Object, key goja.Value) *goja.Object {
	d, _ := w.pristine.Func("Object.getOwnPropertyDescriptor")(goja.FunctionCall{Arguments: []goja.Value{o, key}}).(*goja.Object)
	return d
}

// text returns the text of a function.
func (w *Watch) text(f *goja.Object) string {
	return w.pristine.Func("Function.prototype.toString")(goja.FunctionCall{This: f}).String()
}

// target returns what a proxy of the store's stands before, and stops at others.
func (w *Watch) target(o *goja.Object) *goja.Object {
	if of := w.Original(o); of != nil {
		return of
	}
	if o.ExportType() == native.TypeProxy {
		w.stop("uses a proxy")
	}
	return o
}

// find returns the descriptor of a property of o or of its prototypes, and where it is, or nil.
func (w *Watch) find(o *goja.Object, key goja.Value) (descriptor, at *goja.Object) {
	for ; o != nil; o = o.Prototype() {
		o = w.target(o)
		if d := w.describe(o, key); d != nil {
			return d, o
		}
	}
	return nil, nil
}

// property returns a property of o, whose key is a string or a symbol.
func (w *Watch) property(o *goja.Object, key goja.Value) goja.Value {
	if o.ClassName() == "Error" && key.String() == "stack" {
		w.convert(o, nil) // the runtime does when it makes the text of the stack
	}
	switch {
	case o == w.vm.GlobalObject():
		w.stop("uses the global object")
	case w.plain:
		if s, ok := key.(*goja.Symbol); ok {
			return defined(o.GetSymbol(s))
		}
		return defined(o.Get(key.String()))
	}
	d, _ := w.find(o, key)
	if d == nil {
		return goja.Undefined()
	}
	if v := d.Get("value"); v != nil {
		return v
	}
	get := defined(d.Get("get"))
	if goja.IsUndefined(get) {
		return get
	}
	if !w.is(get, getters...) {
		w.stop("reads %s, which has a getter", key)
	}
	return get.(*goja.Object).Export().(native.Func)(goja.FunctionCall{This: o})
}

func defined(v goja.Value) goja.Value {
	if v == nil {
		return goja.Undefined()
	}
	return v
}

// named is property for a key that is known.
func (w *Watch) named(o *goja.Object, key string) goja.Value {
	return w.property(o, w.vm.ToValue(key))
}

// is reports whether v is one of some functions of the library.
func (w *Watch) is(v goja.Value, paths ...string) bool {
	o, ok := v.(*goja.Object)
	if !ok {
		return false
	}
	if of := w.Original(o); of != nil {
		o = of
	}
	code := codeOf(o)
	return code != 0 && slices.ContainsFunc(paths, func(p string) bool { return w.lib.code[p] == code })
}

// callee returns what may be called for a function.
func (w *Watch) callee(o *goja.Object) *callee {
	called := w.called
	w.called = nil
	if c := w.known[o]; c != nil {
		w.checkFree(c.code)
		return c
	}
	name := w.name(o)
	if called != nil {
		name = called.String()
	}
	c := &callee{object: o}
	original := o
	if of := w.Original(o); of != nil {
		original = of
	}
	code := codeOf(original)
	if original != o || o.ExportType() != native.TypeProxy {
		c.run, _ = o.Export().(native.Func)
	}
	switch {
	case c.run == nil:
		w.stop("calls %s(), a class or a proxy", name)
	case w.lib.functions[code] != nil:
		c.listed = w.lib.functions[code]
	case code == w.lib.code[callMethod]:
		c.via = 'c'
	case code == w.lib.code[applyMethod]:
		c.via = 'a'
	case o == w.SystemValue(syntax.PredicateIn):
		c.listed = &function{this: '_', args: "p"}
	default:
		text := w.text(o)
		switch {
		case text == watched: // made by code that is watched
			return c
		case w.IsHost(o):
			w.stop("calls %s(), a function of the host", name)
		case strings.HasSuffix(text, "{ [native code] }"):
			w.stop("calls %s(), which is not known to have no effect", name)
		}
		if c.code = w.Code(text); c.code == nil {
			w.stop("calls %s(), which captures variables or whose code is not known", name)
		}
		c.object = w.rewritten(o, c.code, name)
		c.run = c.object.Export().(native.Func)
	}
	w.known[o] = c
	return c
}

// rewritten returns a function of the chart in its rewritten form.
func (w *Watch) rewritten(o *goja.Object, code *Code, name string) *goja.Object {
	p, err := code.program()
	if err != nil {
		w.stop("calls %s(), which cannot be rewritten", name)
	}
	w.checkFree(code)
	args := w.ops
	if code.self != "" {
		args = append(slices.Clone(w.ops), o)
	}
	made := native.Must1(w.vm.RunProgram(p)).(*goja.Object).Export().(native.Func)(goja.FunctionCall{Arguments: args})
	f, ok := made.(*goja.Object).Get(code.name).(*goja.Object)
	if !ok {
		w.stop("calls %s(), which cannot be rewritten", name)
	}
	return f
}

func (w *Watch) name(o *goja.Object) string {
	if o.ExportType() == native.TypeProxy {
		return "something"
	}
	if d := w.describe(o, w.vm.ToValue("name")); d != nil {
		if s, ok := d.Get("value").(goja.String); ok {
			return s.String()
		}
	}
	return "something"
}

// apply calls a function.
func (w *Watch) apply(f, this goja.Value, args []goja.Value) goja.Value {
	o, ok := f.(*goja.Object)
	if ok {
		_, ok = goja.AssertFunction(o)
	}
	if !ok {
		if of, isObject := f.(*goja.Object); isObject {
			panic(w.vm.NewTypeError("Not a function: %s", of.ClassName()))
		}
		panic(w.vm.NewTypeError("Value is not an object: %s", f))
	}
	c := w.callee(o)
	call := goja.FunctionCall{This: this, Arguments: args}
	switch {
	case c.via == 'c':
		return w.apply(this, call.Argument(0), args[min(1, len(args)):])
	case c.via == 'a':
		list := call.Argument(1)
		if goja.IsUndefined(list) || goja.IsNull(list) {
			return w.apply(this, call.Argument(0), nil)
		}
		return w.apply(this, call.Argument(0), w.items(list))
	case c.listed == nil:
		return c.run(call)
	}
	call.This = w.check(c.listed.this, this, len(args))
	call.Arguments = make([]goja.Value, len(args))
	for i, arg := range args {
		call.Arguments[i] = w.check(c.listed.args[min(i, len(c.listed.args)-1)], arg, 0)
	}
	return w.made(c.run(call), c.listed.fresh)
}

// made notes that a value is new.
func (w *Watch) made(v goja.Value, fresh bool) goja.Value {
	if o, ok := v.(*goja.Object); ok && fresh {
		w.fresh[o] = true
	}
	return v
}

// items returns the items of an array.
func (w *Watch) items(v goja.Value) []goja.Value {
	w.check('a', v, 0)
	o, ok := v.(*goja.Object)
	if !ok {
		panic(w.vm.NewTypeError("CreateListFromArrayLike called on non-object"))
	}
	items := make([]goja.Value, w.length(o))
	for i := range items {
		items[i] = w.property(o, w.vm.ToValue(i))
	}
	return items
}
