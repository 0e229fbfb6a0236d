package scxml

import (
	"errors"
	"fmt"
	"reflect"
	"runtime/debug"

	"github.com/scxmlrun/scxmlrun/datamodel"
)

// WithFunc makes a Go function callable from the scripts and expressions of
// the chart, and of the sessions that it invokes. Its arguments are decoded
// from what the script passes (see [datamodel.Decode]; missing ones are zero,
// surplus ones are ignored, unless the function is variadic), and its result is
// encoded ([datamodel.From]). The function is called by the owner of the session,
// inside the step.
//
// A last result of type error is thrown to the script, as an Error of the language
// that has the text of the Go error and nothing else of it. If the function
// panics, scripts get an error that says so, without what the panic said. In either
// case the Go value is for the host: an error that no script catches unwraps to it,
// and to a [*PanicError].
//
// [New] fails if fn is no function, if its results are of another form, or if
// the data model of the chart knows no functions; Start fails if name is not one
// that the data model allows for a function. Of several functions of one name
// the last one counts.
func WithFunc(name string, fn any) Option {
	return option(func(c *config) { c.funcs = append(c.funcs, namedFunc{name, fn}) })
}

type namedFunc struct {
	name string
	fn   any
}

// A PanicError says that a function of [WithFunc] panicked.
type PanicError struct {
	Value any    // of the panic
	Stack []byte // of the goroutine, as [debug.Stack] returns it
}

// Error returns what scripts may know, which is not the value.
func (e *PanicError) Error() string { return "the function panicked" }

// Unwrap returns the value of the panic if it is an error, or nil.
func (e *PanicError) Unwrap() error {
	err, _ := e.Value.(error)
	return err
}

var errorType = reflect.TypeFor[error]()

// neutralFunc makes a function on neutral values of any Go function.
func neutralFunc(fn any) (datamodel.Func, error) {
	f := reflect.ValueOf(fn)
	if f.Kind() != reflect.Func {
		return nil, fmt.Errorf("%T is no function", fn)
	}
	if f.IsNil() {
		return nil, errors.New("the function is nil")
	}
	t := f.Type()
	results := t.NumOut()
	fails := results > 0 && t.Out(results-1) == errorType
	if fails {
		results--
	}
	if results > 1 {
		return nil, fmt.Errorf("%v returns more than one value and an error", t)
	}
	return func(args []datamodel.Value) (result datamodel.Value, err error) {
		// A data model may take what comes up through it for a bug of its own.
		defer func() {
			if p := recover(); p != nil {
				result, err = nil, &PanicError{p, debug.Stack()}
			}
		}()
		in := make([]reflect.Value, 0, max(t.NumIn(), len(args)))
		for i := range max(t.NumIn(), len(args)) {
			var want reflect.Type
			switch {
			case t.IsVariadic() && i >= t.NumIn()-1:
				if i >= len(args) {
					continue
				}
				want = t.In(t.NumIn() - 1).Elem()
			case i < t.NumIn():
				want = t.In(i)
			default:
				continue
			}
			arg := reflect.New(want)
			if i < len(args) {
				if err := datamodel.Decode(args[i], arg.Interface()); err != nil {
					return nil, fmt.Errorf("argument %d: %w", i+1, err)
				}
			}
			in = append(in, arg.Elem())
		}
		out := f.Call(in)
		if fails {
			if err, _ := out[len(out)-1].Interface().(error); err != nil {
				return nil, err
			}
		}
		if results == 0 {
			return nil, nil
		}
		return datamodel.From(out[0].Interface())
	}, nil
}

// defineFuncs gives the functions of the host to the store.
func (s *Session) defineFuncs() error {
	if len(s.tree.funcs) == 0 {
		return nil
	}
	definer, ok := s.store.(datamodel.FuncDefiner)
	if !ok {
		return nil // New has checked the host's chart; an invoked one may have another data model
	}
	for _, f := range s.tree.funcs {
		fn, err := neutralFunc(f.fn)
		if err == nil {
			err = definer.DefineFunc(f.name, fn)
		}
		if err != nil {
			return fmt.Errorf("WithFunc: %q: %w", f.name, err)
		}
	}
	return nil
}

// checkFuncs checks the functions that a session is given.
func checkFuncs(chart *Chart, funcs []namedFunc) error {
	for _, f := range funcs {
		if _, err := neutralFunc(f.fn); err != nil {
			return fmt.Errorf("WithFunc: %q: %w", f.name, err)
		}
	}
	if len(funcs) == 0 {
		return nil
	}
	// A store that nobody uses asks nothing of its session.
	store, err := chart.language.NewStore((*storeHost)(nil))
	if err != nil {
		return fmt.Errorf("WithFunc: data model %q: %w", chart.Datamodel(), err)
	}
	if _, ok := store.(datamodel.FuncDefiner); !ok {
		return fmt.Errorf("WithFunc: data model %q of %s has no functions", chart.Datamodel(), chart.file)
	}
	return nil
}
