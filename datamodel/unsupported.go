package datamodel

import "context"

// Unsupported is a [Store] that can do nothing: each method that is to
// evaluate or keep something returns an [*EvalError]. A language that has only
// some of what SCXML offers embeds it in its store and defines the rest.
type Unsupported struct{}

func unsupported(what string) error {
	return &EvalError{Msg: "the data model has no " + what}
}

// Begin does nothing.
func (Unsupported) Begin(context.Context) {}

// End does nothing.
func (Unsupported) End() {}

// Declare returns an error.
func (Unsupported) Declare(string) error { return unsupported("data") }

// Init returns an error.
func (Unsupported) Init(string, Expr) error { return unsupported("values") }

// Set returns an error.
func (Unsupported) Set(string, Value) error { return unsupported("values") }

// Condition returns an error.
func (Unsupported) Condition(Expr) (bool, error) { return false, unsupported("conditions") }

// Value returns an error.
func (Unsupported) Value(Expr) (Value, error) { return nil, unsupported("value expressions") }

// Assign returns an error.
func (Unsupported) Assign(Expr, Expr) error { return unsupported("locations") }

// AssignValue returns an error.
func (Unsupported) AssignValue(Expr, Value) error { return unsupported("locations") }

// Run returns an error.
func (Unsupported) Run(Expr) error { return unsupported("scripts") }

// Foreach returns an error.
func (Unsupported) Foreach(Expr, string, string, func() bool) error {
	return unsupported("collections")
}

// SetEvent does nothing.
func (Unsupported) SetEvent(*Event) {}

var _ Store = Unsupported{}
