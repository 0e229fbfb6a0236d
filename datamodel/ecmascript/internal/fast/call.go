package fast

import (
	"time"

	"github.com/dop251/goja"
	"github.com/dop251/goja/ast"

	"github.com/scxmlrun/scxmlrun/datamodel"
	"github.com/scxmlrun/scxmlrun/datamodel/ecmascript/internal/syntax"
)

// Functions are the functions of the host; nil are none. A simple expression calls them without the runtime, where
// each call costs as much as ten comparisons.
//
// An expression that turns out not to be simple after such a call is evaluated again, by other
// closures or by the runtime. So that the function is not called again, the results are kept until
// the evaluation ends. The runtime makes the same calls in the same order.
type Functions struct {
	// Late is asked after calls that together took some time. It returns why the evaluation, which
	// has taken so long, is interrupted, or nil.
	Late func(elapsed, called time.Duration) error

	list    []Function
	results []result          // of the present evaluation
	taken   int               // how many of them the runtime has taken
	args    []datamodel.Value // space for those of a call

	clock   clock
	began   int64         // when the present evaluation called its first function
	unasked time.Duration // how long calls took since Late was asked
	failed  *Failure      // of the present evaluation
}

// A Failure is why closures have given up: a function of the host returned an error, or has taken too
// long.
type Failure struct {
	Site *ast.CallExpression
	Err  error
	Late bool // Err is the reason of an interrupt
}

// askAfter is how long calls may take before Late is asked.
const askAfter = 5 * time.Millisecond

// A Function is a function of the host.
type Function struct {
	Name   string
	Call   datamodel.Func
	Object *goja.Object // it in the runtime, nil as long as there is none
}

type result struct {
	site  *ast.CallExpression
	value datamodel.Value
	err   error
}

// Find returns the function of a name, or nil. Hosts have few.
func (f *Functions) Find(name string) *Function {
	all := f.All()
	for i := range all {
		if all[i].Name == name {
			return &all[i]
		}
	}
	return nil
}

// All returns the functions.
func (f *Functions) All() []Function {
	if f == nil {
		return nil
	}
	return f.list
}

// Add adds a function, in place of an earlier one of its name.
func (f *Functions) Add(name string, call datamodel.Func) {
	if old := f.Find(name); old != nil {
		old.Call = call
		return
	}
	if f.list == nil {
		f.list = make([]Function, 0, 4)
	}
	f.list = append(f.list, Function{Name: name, Call: call})
}

// Bind says which object of the runtime a function is.
func (f *Functions) Bind(name string, o *goja.Object) { f.Find(name).Object = o }

// Forget ends an evaluation.
func (f *Functions) Forget() {
	if f != nil {
		f.results, f.taken, f.failed = f.results[:0], 0, nil
	}
}

// Failure returns why the closures of the present evaluation have given up, if it is that.
func (f *Functions) Failure() *Failure {
	if f == nil {
		return nil
	}
	return f.failed
}

// Call calls f for a script: it returns the result that the closures have got already.
func (f *Functions) Call(call datamodel.Func, args []datamodel.Value) (datamodel.Value, error) {
	if f.taken < len(f.results) {
		r := &f.results[f.taken]
		f.taken++
		return r.value, r.err
	}
	return f.call(call, args)
}

// call calls a function, which may evaluate something else meanwhile.
func (f *Functions) call(call datamodel.Func, args []datamodel.Value) (datamodel.Value, error) {
	results, taken, began := f.results, f.taken, f.began
	f.results, f.taken = nil, 0
	v, err := call(args)
	f.results, f.taken, f.began = results, taken, began
	return v, err
}

// from calls a function for the closures.
func (f *Functions) from(site *ast.CallExpression, call datamodel.Func, args []datamodel.Value) (datamodel.Value, bool) {
	before := f.clock.begin()
	if len(f.results) == 0 {
		f.began = before
	}
	value, err := f.call(call, args)
	f.results = append(f.results, result{site, value, err})
	if took := f.clock.took(before); took > 0 {
		if f.unasked += took; f.unasked > askAfter {
			late := f.Late(f.clock.took(f.began), f.unasked)
			if f.unasked = 0; late != nil {
				f.failed = &Failure{site, late, true}
				return nil, false
			}
		}
	}
	if err != nil {
		f.failed = &Failure{site, err, false}
	}
	return value, err == nil
}

// fresh returns a result of a function of the host.
func fresh(value datamodel.Value) (Operand, bool) {
	v, ok := FromValue(value)
	if ok && v.kind == kindData {
		v.ref, ok = Copy(value)
		v.fresh = true
	}
	return v, ok
}

// compileCall compiles a call of the predicate In or of a function of the host.
func compileCall(x *ast.CallExpression) Expr {
	id, ok := x.Callee.(*ast.Identifier)
	if !ok {
		return Expr{}
	}
	args := make([]valueFunc, len(x.ArgumentList))
	exports := make([]exportFunc, len(args))
	for i, arg := range x.ArgumentList {
		if args[i] = Compile(arg).Value; args[i] == nil {
			return Expr{}
		}
		exports[i] = export(arg, args[i])
	}
	name := id.Name.String()
	if name == syntax.PredicateIn { // it cannot be replaced
		return compileIn(args)
	}
	call := func(e *Env) (datamodel.Value, bool) {
		if e.Functions == nil {
			return nil, false
		}
		for i := range e.Functions.results {
			if r := &e.Functions.results[i]; r.site == x {
				return r.value, r.err == nil
			}
		}
		f := e.function(name)
		if f == nil {
			return nil, false
		}
		values := e.Functions.args[:0]
		e.Functions.args = nil // an argument may be a call
		for _, export := range exports {
			v, ok := export(e)
			if !ok {
				return nil, false
			}
			values = append(values, v)
		}
		e.Looks |= datamodel.LookHost
		v, ok := e.Functions.from(x, f.Call, values)
		e.Functions.args = values
		return v, ok
	}
	return Expr{
		Value: func(e *Env) (Operand, bool) {
			value, ok := call(e)
			if !ok {
				return Operand{}, false
			}
			return fresh(value)
		},
		Truth: func(e *Env) (bool, bool) {
			value, ok := call(e)
			if b, is := value.(bool); is || !ok || value == nil {
				return b, ok
			}
			v, ok := fresh(value)
			return v.truth(), ok
		},
	}
}

type exportFunc func(*Env) (datamodel.Value, bool)

// export returns the closure of an argument.
func export(x ast.Expression, value valueFunc) exportFunc {
	exported := func(e *Env) (datamodel.Value, bool) {
		v, ok := value(e)
		if !ok {
			return nil, false
		}
		return v.Export()
	}
	id, ok := x.(*ast.Identifier)
	if !ok {
		return exported
	}
	name := id.Name.String() // that of an item, or one that no item has
	return func(e *Env) (datamodel.Value, bool) {
		if e.VM == nil {
			if i := e.Items.find(name); i >= 0 {
				return e.Items.values[i].keep()
			}
		}
		return exported(e)
	}
}

func compileIn(args []valueFunc) Expr {
	if len(args) != 1 {
		return Expr{}
	}
	return ofTruth(func(e *Env) (bool, bool) {
		v, ok := args[0](e)
		if !ok || v.kind != kindText {
			return false, false
		}
		return e.Host.In(v.text), true
	})
}

// function returns the function of the host that a name means, or nil if it may mean something else.
func (e *Env) function(name string) *Function {
	f := e.Functions.Find(name)
	if f == nil || e.VM == nil {
		return f
	}
	if e.Facts&wild != 0 || e.VM.Get(name) != goja.Value(f.Object) {
		return nil
	}
	return f
}
