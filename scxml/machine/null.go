package machine

// This file has what the values of events are made of, until event.go of the same package has it: it is
// to be removed then.

// NullType is the type of [Null].
type NullType struct{}

// Null is the null of ECMAScript, where nil is undefined.
var Null NullType

// Fields are the members of an object, in order.
type Fields []Field

// A Field is one member.
type Field struct {
	Name  string
	Value any
}
