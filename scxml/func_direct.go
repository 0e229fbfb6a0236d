package scxml

import (
	"fmt"

	"github.com/scxmlrun/scxmlrun/datamodel"
)

// direct returns a function of a frequent type without reflection, which is half of the cost of a
// call. It returns nil for any other.
func direct(fn any) datamodel.Func {
	switch fn := fn.(type) {
	case func():
		return func([]datamodel.Value) (datamodel.Value, error) { fn(); return nil, nil }
	case func() error:
		return func([]datamodel.Value) (datamodel.Value, error) { return nil, fn() }
	case func() bool:
		return nullary(fn)
	case func() float64:
		return nullary(fn)
	case func() int:
		return nullary(fn)
	case func() string:
		return nullary(fn)
	}
	for _, of := range []func(any) datamodel.Func{unaryOf[bool], unaryOf[float64], unaryOf[int], unaryOf[string]} {
		if f := of(fn); f != nil {
			return f
		}
	}
	return nil
}

// unaryOf returns a function of one A without reflection, if that is what fn is.
func unaryOf[A any](fn any) datamodel.Func {
	switch fn := fn.(type) {
	case func(A):
		return unary(func(a A) (datamodel.Value, error) { fn(a); return nil, nil })
	case func(A) error:
		return unary(func(a A) (datamodel.Value, error) { return nil, fn(a) })
	case func(A) bool:
		return unary(func(a A) (datamodel.Value, error) { return fn(a), nil })
	case func(A) float64:
		return unary(func(a A) (datamodel.Value, error) { return encode(fn(a)) })
	case func(A) int:
		return unary(func(a A) (datamodel.Value, error) { return encode(fn(a)) })
	case func(A) string:
		return unary(func(a A) (datamodel.Value, error) { return encode(fn(a)) })
	}
	return nil
}

func nullary[R any](f func() R) datamodel.Func {
	return func([]datamodel.Value) (datamodel.Value, error) { return encode(f()) }
}

func unary[A any](f func(A) (datamodel.Value, error)) datamodel.Func {
	return func(args []datamodel.Value) (datamodel.Value, error) {
		var a A
		if len(args) > 0 {
			var ok bool
			if a, ok = args[0].(A); !ok {
				if err := decodeInto(args[0], &a); err != nil {
					return nil, fmt.Errorf("argument 1: %w", err)
				}
			}
		}
		return f(a)
	}
}

// decodeInto is [datamodel.Decode], without an allocation for a number.
func decodeInto[A any](v datamodel.Value, a *A) error {
	switch a := any(a).(type) {
	case *int:
		if n, ok := v.(int64); ok && int64(int(n)) == n {
			*a = int(n)
			return nil
		}
	case *float64:
		if n, ok := v.(int64); ok {
			*a = float64(n)
			return nil
		}
	}
	into := new(A) // so that a need not be on the heap
	err := datamodel.Decode(v, into)
	*a = *into
	return err
}

// encode is [datamodel.From], with at most one allocation for a number.
func encode[R any](r R) (datamodel.Value, error) {
	switch r := any(r).(type) {
	case bool:
		return r, nil
	case float64:
		return datamodel.Number(r), nil
	}
	return datamodel.From(r)
}
