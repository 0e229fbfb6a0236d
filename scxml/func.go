package scxml

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"runtime/debug"
	"sync"

	"github.com/scxmlrun/scxmlrun/datamodel"
)

// WithFunc makes the Go function fn callable as name in the scripts and expressions of the chart
// and of the sessions that it invokes. The owner of the session calls it, inside the step.
// Arguments are decoded with [datamodel.Decode]: missing ones are zero, and surplus ones are
// ignored unless fn is variadic. The result is encoded with [datamodel.From]. If the first parameter
// of fn is a [context.Context], it gets the one that the session is driven with. If the next one has the
// type of the value given by [WithHost], it gets that.
//
// fn returns nothing, one value, an error, or a value and an error. An error is thrown to the
// script as an Error with the text of the Go error. If fn panics, the script gets an error that
// says so, without the value of the panic. If no script catches it, the host's error unwraps to the
// Go error, or to a [*PanicError].
//
// [New] fails if fn is not such a function, if data cannot be put into one of its parameters or made
// of its result, or if the data model of the chart does not support functions. Start fails if the data
// model does not allow the name. The last of several functions with the same name wins.
//
// Options may be used for any number of sessions, at the same time too. What is known of fn is worked
// out once for each call of WithFunc, so make the options of many sessions once.
func WithFunc(name string, fn any) Option {
	f := newHostFunc(name, fn)
	return option(func(c *config) {
		if c.funcs == nil {
			c.funcs = make([]*hostFunc, 0, 4)
		}
		c.funcs = append(c.funcs, f)
	})
}

// WithHost gives a session a value of the host, such as a pointer to what it stands for. Functions of
// [WithFunc] whose first parameter, after a context, has exactly its type get it, which a method
// expression such as (*Order).Paid does; it is the Host of each [Invocation]. Services run on goroutines
// of their own, so what they share with functions needs a lock. Charts do not see the value. It is kept as
// long as the session, and not saved: give it to [Restore] again.
func WithHost(v any) Option { return option(func(c *config) { c.host = v }) }

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

// A hostFunc is a function of the host, and what its type says. It does not change.
type hostFunc struct {
	name string
	fn   reflect.Value
	err  error // why it cannot be called, whatever the host is

	params   []reflect.Type // without the context; of a variadic one the last is that of its items
	noData   error          // why the first of them cannot hold data
	variadic bool
	context  bool // the first parameter is a context
	results  int  // without the error
	fails    bool // the last result is an error

	direct datamodel.Func // it without reflection, or nil
	space  sync.Pool      // of *callSpace
}

// A callSpace has the variables for the arguments of a call.
type callSpace struct {
	args []reflect.Value // for params, settable and zero
	in   []reflect.Value
}

// newHostFunc looks at what scripts are to call.
func newHostFunc(name string, fn any) *hostFunc {
	f := &hostFunc{name: name, fn: reflect.ValueOf(fn)}
	f.err = f.check(fn)
	return f
}

func (f *hostFunc) check(fn any) error {
	if f.fn.Kind() != reflect.Func {
		return fmt.Errorf("%T is not a function", fn)
	}
	if f.fn.IsNil() {
		return errors.New("the function is nil")
	}
	t := f.fn.Type()
	f.variadic, f.results = t.IsVariadic(), t.NumOut()
	if f.results > 0 && t.Out(f.results-1) == errorType {
		f.results--
		f.fails = true
	}
	if f.results > 1 {
		return fmt.Errorf("%v has too many results: want at most one value and an error", t)
	}
	if f.results == 1 {
		if err := datamodel.Encodable(t.Out(0)); err != nil {
			return fmt.Errorf("%v: its result cannot be data: %w", t, err)
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
			if err = fmt.Errorf("%v: parameter %d cannot hold data: %w", t, i+1, err); len(f.params) > 0 || f.variadic && i == t.NumIn()-1 {
				return err
			}
			f.noData = err
		}
		f.params = append(f.params, p)
	}
	f.direct = direct(fn)
	return nil
}

// takes reports whether the first parameter is for a value of the host of type t.
func (f *hostFunc) takes(t reflect.Type) bool {
	return t != nil && len(f.params) > 0 && f.params[0] == t && (len(f.params) > 1 || !f.variadic)
}

// checkFor returns why f cannot be called in a session with a value of the host of type t.
func (f *hostFunc) checkFor(t reflect.Type) error {
	if f.err == nil && f.noData != nil && !f.takes(t) {
		return fmt.Errorf("%w; if it is for a value of the host, give that with WithHost", f.noData)
	}
	return f.err
}

// bind returns f for the session of a store.
func (f *hostFunc) bind(s *Session) datamodel.Func {
	t := s.tree
	if f.takes(t.hostType()) {
		return func(args []datamodel.Value) (datamodel.Value, error) { return f.call(s.ctx, t.host, args) }
	}
	return func(args []datamodel.Value) (datamodel.Value, error) { return f.call(s.ctx, nil, args) }
}

// call calls f with what a script passes, and with the value of the host unless that is nil.
func (f *hostFunc) call(ctx context.Context, host any, args []datamodel.Value) (result datamodel.Value, err error) {
	// A data model may take a panic that passes through it for its own bug.
	defer func() {
		if p := recover(); p != nil {
			result, err = nil, &PanicError{p, debug.Stack(), "function"}
		}
	}()
	if f.direct != nil && host == nil {
		return f.direct(args)
	}
	space, _ := f.space.Get().(*callSpace)
	if space == nil {
		space = new(callSpace)
		for _, p := range f.params {
			space.args = append(space.args, reflect.New(p).Elem())
		}
	}
	in, params := space.in[:0], space.args
	if f.context {
		in = append(in, reflect.ValueOf(ctx))
	}
	if host != nil {
		in, params = append(in, reflect.ValueOf(host)), params[1:]
	}
	for i, v := range params {
		if f.variadic && i == len(params)-1 {
			break
		}
		if i < len(args) {
			if err := datamodel.Decode(args[i], v.Addr().Interface()); err != nil {
				return nil, fmt.Errorf("argument %d: %w", i+1, err)
			}
		}
		in = append(in, v)
	}
	if n := len(params) - 1; f.variadic {
		for i := n; i < len(args); i++ {
			v := reflect.New(f.params[len(f.params)-1])
			if err := datamodel.Decode(args[i], v.Interface()); err != nil {
				return nil, fmt.Errorf("argument %d: %w", i+1, err)
			}
			in = append(in, v.Elem())
		}
	}
	out := f.fn.Call(in)
	clear(in)
	for _, v := range params { // do not keep them, and missing ones are zero
		v.SetZero()
	}
	space.in = in
	f.space.Put(space)
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

// hostType returns the type of the value of [WithHost], nil without one.
func (c *config) hostType() reflect.Type {
	if c.host == nil {
		return nil
	}
	return reflect.TypeOf(c.host)
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
		if err := definer.DefineFunc(f.name, f.bind(s)); err != nil {
			return funcError(f.name, err)
		}
	}
	return nil
}

func funcError(name string, err error) error { return fmt.Errorf("WithFunc: %q: %w", name, err) }

// checkFuncs checks the functions given to a session.
func (c *config) checkFuncs(chart *Chart) error {
	if len(c.funcs) == 0 {
		return nil
	}
	host := c.hostType()
	for _, f := range c.funcs {
		if err := f.checkFor(host); err != nil {
			return funcError(f.name, err)
		}
	}
	return chart.takesFuncs()
}

// checkTakesFuncs reports that the data model of the chart does not support functions.
func (c *Chart) checkTakesFuncs() error {
	// An unused store asks nothing of its session.
	store, err := c.language.NewStore((*storeHost)(nil))
	if err != nil {
		return fmt.Errorf("WithFunc: data model %q: %w", c.Datamodel(), err)
	}
	if _, ok := store.(datamodel.FuncDefiner); !ok {
		return fmt.Errorf("WithFunc: data model %q of %s does not support functions", c.Datamodel(), c.file)
	}
	return nil
}
