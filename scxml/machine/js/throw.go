package js

import (
	"runtime"
	"strings"
)

// thrown is what a panic has that is an exception of a script.
type thrown struct {
	value Value
	text  string // without value: what is reported of a failure that is not an exception in the interpreter
	final bool   // no try of a script catches it, or runs its finally
}

// ThrowValue is the statement throw.
func ThrowValue(v Value) { panic(thrown{value: v}) }

// throwText throws an error with the text "NAME: message".
func throwText(text string) {
	name, msg, _ := strings.Cut(text, ": ")
	ThrowValue(NewError(name, msg))
}

// NewError returns an object such as new TypeError(msg) makes.
func NewError(name, msg string) Value {
	o := &Object{class: errorObject}
	return o.With("name", String(name)).With("message", String(msg)).Value()
}

// MakeError is what an error makes of its arguments, as a function and with new.
func MakeError(name string, args ...Value) Value {
	msg := ""
	if m := Arg(args, 0); !m.IsUndefined() {
		msg = m.ToText()
	}
	return NewError(name, msg)
}

// Uninitialized returns what a variable has before its declaration with let or const, if a function can read it then.
func Uninitialized() Value { return Hole() }

// Initialized returns the value of such a variable.
func Initialized(v Value) Value {
	if v.isHole() {
		throwText("ReferenceError: Cannot access a variable before initialization")
	}
	return v
}

// Declared returns the value of a variable, or throws if it does not exist, see [Undeclared].
func Declared(v Value, name string) Value {
	if !v.IsDeclared() {
		throwText("ReferenceError: " + name + " is not defined")
	}
	return v
}

// NotNullish returns what a property is assigned to.
func NotNullish(v Value) Value {
	if v.IsNullish() {
		throwText("TypeError: Cannot convert undefined or null to object")
	}
	return v
}

func (o *Object) errorText() string {
	name, msg := o.get("name").ToText(), o.get("message").ToText()
	switch "" {
	case name:
		return msg
	case msg:
		return name
	}
	return name + ": " + msg
}

// Catch, deferred, ends what an exception has interrupted, and sets err to what the interpreter reports of it.
func Catch(err *string) {
	if r := recover(); r != nil {
		if *err = exception(r).report(); *err == "" {
			*err = "the expression has failed"
		}
	}
}

func (t thrown) report() (text string) {
	if t.text != "" {
		return t.text
	}
	defer func() {
		if recover() != nil { // its message does not have a text
			text = "Error"
		}
	}()
	if o := t.value.object(); o != nil && o.class == errorObject {
		return cleanMessage(o.errorText())
	}
	if t.value.typ() == TypeString {
		return "uncaught exception: " + t.value.Text()
	}
	var p printer
	if p.write(t.value); p.failed {
		return "uncaught exception"
	}
	return "uncaught exception: " + string(p.out)
}

// cleanMessage returns the message of an error as the interpreter reports it.
func cleanMessage(msg string) string {
	if strings.HasPrefix(msg, "SyntaxError: ") && (strings.HasSuffix(msg, " (EOF)") || strings.HasSuffix(msg, ": unexpected EOF")) { // of JSON.parse
		return "SyntaxError: unexpected end of JSON input"
	}
	return msg
}

// exception returns the exception of a panic. Other panics continue.
func exception(r any) thrown {
	switch r := r.(type) {
	case thrown:
		return r
	case runtime.Error:
	}
	panic(r)
}

// Try runs body, and handle with what it throws. handle may be nil; then what is thrown is returned.
func Try(body func()) (caught Value, failed bool) {
	defer func() {
		if r := recover(); r != nil {
			t := exception(r)
			if t.final {
				panic(t)
			}
			if t.text != "" {
				t.value = NewError("Error", t.text)
			}
			caught, failed = t.value, true
		}
	}()
	body()
	return Value{}, false
}

// maxCalls bounds calls of functions inside of each other.
const maxCalls = 2000

// Enter and Leave bracket the body of a function, with the number of the calls that it is in.
func Enter(depth *int) *int {
	if *depth >= maxCalls {
		panic(thrown{text: "RangeError: script calls are nested deeper than 2000 levels", final: true})
	}
	*depth++
	return depth
}

// Leave is deferred with the result of Enter.
func Leave(depth *int) { *depth-- }

// Call calls a function.
func Call(f Value, args ...Value) Value {
	o := f.object()
	switch {
	case o == nil:
		throwText("TypeError: Value is not an object: " + f.ToText())
	case o.class != function:
		throwText("TypeError: Not a function: " + f.ToText())
	}
	return o.more.call(args)
}

// Arg returns the i-th argument, or undefined.
func Arg(args []Value, i int) Value {
	if i < len(args) {
		return args[i]
	}
	return Value{}
}
