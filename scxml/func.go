package scxml

import (
	"errors"
	"fmt"
	"reflect"
	"runtime/debug"

	"github.com/scxmlrun/scxmlrun/datamodel"
)

// WithFunc makes the Go function fn callable as name in the scripts and expressions of the chart
// and of the sessions that it invokes. The owner of the session calls it, inside the step.
// Arguments are decoded with [datamodel.Decode]: missing ones are zero, and surplus ones are
// ignored unless fn is variadic. The result is encoded with [datamodel.From].
//
// fn returns nothing, one value, an error, or a value and an error. An error is thrown to the
// script as an Error with the text of the Go error. If fn panics, the script gets an error that
// says so, without the value of the panic. If no script catches it, the host's error unwraps to the
// Go error, or to a [*PanicError].
//
// [New] fails if fn is not such a function, or if the data model of the chart does not support
// functions. Start fails if the data model does not allow the name. The last of several functions
// with the same name wins.
func WithFunc(name string, fn any) Option {
	return option(func(c *config) { c.funcs = append(c.funcs, namedFunc{name, fn}) })
}

type namedFunc struct {
	name string
	fn   any
}

// A PanicError reports that a function given by [WithFunc] panicked.
type PanicError struct {
	Value any    // value of the panic
	Stack []byte // of the goroutine, as [debug.Stack] returns it
}

// Error returns a text for scripts, without the value.
func (e *PanicError) Error() string { return "the function panicked" }

// Unwrap returns the value of the panic if it is an error, and nil otherwise.
func (e *PanicError) Unwrap() error {
	err, _ := e.Value.(error)
	return err
}

var errorType = reflect.TypeFor[error]()

// neutralFunc wraps a Go function as a function of neutral values.
func neutralFunc(fn any) (datamodel.Func, error) {
	f := reflect.ValueOf(fn)
	if f.Kind() != reflect.Func {
		return nil, fmt.Errorf("%T is not a function", fn)
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
		return nil, fmt.Errorf("%v has too many results: want at most one value and an error", t)
	}
	return func(args []datamodel.Value) (result datamodel.Value, err error) {
		// A data model may take a panic that passes through it for its own bug.
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

// checkFuncs checks the functions given to a session.
func checkFuncs(chart *Chart, funcs []namedFunc) error {
	for _, f := range funcs {
		if _, err := neutralFunc(f.fn); err != nil {
			return fmt.Errorf("WithFunc: %q: %w", f.name, err)
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
