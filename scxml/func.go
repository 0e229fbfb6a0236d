package scxml

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"runtime/debug"

	"github.com/scxmlrun/scxmlrun/datamodel"
)

// WithFunc makes the Go function fn callable as name in the scripts and expressions of the chart
// and of the sessions that it invokes. The owner of the session calls it, inside the step.
// Arguments are decoded with [datamodel.Decode]: missing ones are zero, and surplus ones are
// ignored unless fn is variadic. The result is encoded with [datamodel.From]. If the first parameter
// of fn is a [context.Context], it gets the one that the session is driven with.
//
// fn returns nothing, one value, an error, or a value and an error. An error is thrown to the
// script as an Error with the text of the Go error. If fn panics, the script gets an error that
// says so, without the value of the panic. If no script catches it, the host's error unwraps to the
// Go error, or to a [*PanicError].
//
// [New] fails if fn is not such a function, if data cannot be put into one of its parameters or made
// of its result, or if the data model of the chart does not support functions. Start fails if the data model does not allow the name. The last of several functions
// with the same name wins.
func WithFunc(name string, fn any) Option {
	return option(func(c *config) { c.funcs = append(c.funcs, namedFunc{name, fn}) })
}

type namedFunc struct {
	name string
	fn   any
}

// A PanicError reports that a part of the host panicked: a function given by [WithFunc], a service,
// an [IOProcessor] in Send, or a loader.
type PanicError struct {
	Value any    // value of the panic
	Stack []byte // of the goroutine, as [debug.Stack] returns it
	What  string // what has panicked, such as "function"
}

// Error returns a text for scripts, without the value.
func (e *PanicError) Error() string { return "the " + e.What + " panicked" }

// Unwrap returns the value of the panic if it is an error, and nil otherwise.
func (e *PanicError) Unwrap() error {
	err, _ := e.Value.(error)
	return err
}

var (
	errorType   = reflect.TypeFor[error]()
	contextType = reflect.TypeFor[context.Context]()
)

// A hostFunc is a function of the host, and what its type says.
type hostFunc struct {
	reflect.Value
	params   []reflect.Type // without the context; of a variadic one the last is that of its items
	variadic bool
	context  bool // the first parameter is a context
	results  int  // without the error
	fails    bool // the last result is an error

	direct datamodel.Func  // it without reflection, or nil
	in     []reflect.Value // space for the arguments of a call
}

// newHostFunc checks that scripts can call fn.
func newHostFunc(fn any) (*hostFunc, error) {
	f := &hostFunc{Value: reflect.ValueOf(fn)}
	if f.Kind() != reflect.Func {
		return nil, fmt.Errorf("%T is not a function", fn)
	}
	if f.IsNil() {
		return nil, errors.New("the function is nil")
	}
	t := f.Type()
	f.variadic, f.results = t.IsVariadic(), t.NumOut()
	if f.results > 0 && t.Out(f.results-1) == errorType {
		f.results--
		f.fails = true
	}
	if f.results > 1 {
		return nil, fmt.Errorf("%v has too many results: want at most one value and an error", t)
	}
	if f.results == 1 {
		if err := datamodel.Encodable(t.Out(0)); err != nil {
			return nil, fmt.Errorf("%v: its result cannot be data: %w", t, err)
		}
	}
	for i := range t.NumIn() {
		p := t.In(i)
		switch {
		case i == 0 && p == contextType:
			f.context = true
			continue
		case f.variadic && i == t.NumIn()-1:
			p = p.Elem()
		}
		if err := datamodel.Decodable(p); err != nil {
			return nil, fmt.Errorf("%v: parameter %d cannot hold data: %w", t, i+1, err)
		}
		f.params = append(f.params, p)
	}
	f.direct = direct(fn)
	return f, nil
}

// direct returns a function of a frequent type without reflection, which is half of the cost of a
// call. It returns nil for any other.
func direct(fn any) datamodel.Func {
	switch fn := fn.(type) {
	case func(float64) float64:
		return unary(fn)
	case func(float64) bool:
		return unary(fn)
	case func(float64) string:
		return unary(fn)
	case func(int) int:
		return unary(fn)
	case func(int) bool:
		return unary(fn)
	case func(int) string:
		return unary(fn)
	case func(string) string:
		return unary(fn)
	case func(string) bool:
		return unary(fn)
	case func(string) float64:
		return unary(fn)
	case func(string) int:
		return unary(fn)
	}
	return nil
}

func unary[A, R any](f func(A) R) datamodel.Func {
	return func(args []datamodel.Value) (datamodel.Value, error) {
		var a A
		if len(args) > 0 {
			var ok bool
			if a, ok = args[0].(A); !ok {
				if err := datamodel.Decode(args[0], &a); err != nil {
					return nil, fmt.Errorf("argument 1: %w", err)
				}
			}
		}
		return datamodel.From(f(a))
	}
}

// call calls f with what a script passes.
func (f *hostFunc) call(ctx context.Context, args []datamodel.Value) (result datamodel.Value, err error) {
	// A data model may take a panic that passes through it for its own bug.
	defer func() {
		if p := recover(); p != nil {
			result, err = nil, &PanicError{p, debug.Stack(), "function"}
		}
	}()
	if f.direct != nil {
		return f.direct(args)
	}
	in := f.in
	f.in = nil // fn may get here again
	defer func() { f.in = in[:0] }()
	if f.context {
		in = append(in, reflect.ValueOf(ctx))
	}
	last := len(f.params) - 1
	for i := range max(len(f.params), len(args)) {
		if f.variadic && i == last && i >= len(args) || !f.variadic && i > last {
			break
		}
		arg := reflect.New(f.params[min(i, last)])
		if i < len(args) {
			if err := datamodel.Decode(args[i], arg.Interface()); err != nil {
				return nil, fmt.Errorf("argument %d: %w", i+1, err)
			}
		}
		in = append(in, arg.Elem())
	}
	out := f.Call(in)
	if f.fails {
		if err, _ := out[len(out)-1].Interface().(error); err != nil {
			return nil, err
		}
	}
	if f.results == 0 {
		return nil, nil
	}
	return datamodel.From(out[0].Interface())
}

// defineFuncs passes the functions of the host to the store.
func (s *Session) defineFuncs() error {
	if len(s.tree.funcs) == 0 {
		return nil
	}
	definer, ok := s.store.(datamodel.FuncDefiner)
	if !ok {
		return nil // New has checked the host's chart; an invoked chart may have another data model
	}
	for _, f := range s.tree.funcs {
		fn, err := newHostFunc(f.fn)
		if err == nil {
			err = definer.DefineFunc(f.name, func(args []datamodel.Value) (datamodel.Value, error) { return fn.call(s.ctx, args) })
		}
		if err != nil {
			return funcError(f.name, err)
		}
	}
	return nil
}

func funcError(name string, err error) error { return fmt.Errorf("WithFunc: %q: %w", name, err) }

// checkFuncs checks the functions given to a session.
func checkFuncs(chart *Chart, funcs []namedFunc) error {
	for _, f := range funcs {
		if _, err := newHostFunc(f.fn); err != nil {
			return funcError(f.name, err)
		}
	}
	if len(funcs) == 0 {
		return nil
	}
	// An unused store asks nothing of its session.
	store, err := chart.language.NewStore((*storeHost)(nil))
	if err != nil {
		return fmt.Errorf("WithFunc: data model %q: %w", chart.Datamodel(), err)
	}
	if _, ok := store.(datamodel.FuncDefiner); !ok {
		return fmt.Errorf("WithFunc: data model %q of %s does not support functions", chart.Datamodel(), chart.file)
	}
	return nil
}
