package js

import "strconv"

// Add is the operator +.
func Add(a, b Value) Value {
	if a.isNumber() && b.isNumber() {
		return Number(a.number + b.number)
	}
	return add(a, b)
}

func add(a, b Value) Value {
	a, b = a.primitive(), b.primitive()
	if a.typ() == TypeString || b.typ() == TypeString {
		return String(a.ToText() + b.ToText())
	}
	return Number(a.ToNumber() + b.ToNumber())
}

// Less is the operator <.
func Less(a, b Value) bool {
	if a.isNumber() && b.isNumber() {
		return a.number < b.number
	}
	return less(a, b)
}

func less(a, b Value) bool {
	a, b = a.primitive(), b.primitive()
	if a.typ() == TypeString && b.typ() == TypeString {
		return CompareText(a.Text(), b.Text()) < 0
	}
	return a.ToNumber() < b.ToNumber()
}

// LessOrEqual is the operator <=.
func LessOrEqual(a, b Value) bool {
	if a.isNumber() && b.isNumber() {
		return a.number <= b.number
	}
	return lessOrEqual(a, b)
}

func lessOrEqual(a, b Value) bool {
	a, b = a.primitive(), b.primitive()
	if a.typ() == TypeString && b.typ() == TypeString {
		return CompareText(a.Text(), b.Text()) <= 0
	}
	return a.ToNumber() <= b.ToNumber()
}

// Greater is the operator >.
func Greater(a, b Value) bool { return Less(b, a) }

// GreaterOrEqual is the operator >=.
func GreaterOrEqual(a, b Value) bool { return LessOrEqual(b, a) }

// StrictEqual is the operator ===.
func StrictEqual(a, b Value) bool {
	switch {
	case a.isNumber() || b.isNumber():
		return a.ref == b.ref && a.number == b.number
	case a.typ() != b.typ():
		return false
	case a.typ() == TypeString:
		return a.Text() == b.Text()
	}
	return a.number == b.number && a.ref == b.ref
}

// IsNumber is the operator === with a number.
func (v Value) IsNumber(n float64) bool { return v.isNumber() && v.number == n }

// IsString is the operator === with a string.
func (v Value) IsString(s string) bool { return v.typ() == TypeString && v.Text() == s }

// IsBool is the operator === with a boolean.
func (v Value) IsBool(b bool) bool { return v.typ() == TypeBool && v.Bool() == b }

// Equal is the operator ==.
func Equal(a, b Value) bool {
	switch {
	case a.typ() == b.typ():
		return StrictEqual(a, b)
	case a.typ() <= TypeNull || b.typ() <= TypeNull:
		return a.typ() <= TypeNull && b.typ() <= TypeNull
	case a.typ() == TypeObject || b.typ() == TypeObject:
		return Equal(a.primitive(), b.primitive())
	}
	return a.ToNumber() == b.ToNumber()
}

// If is the operator ?:, where evaluating the value that is not chosen does no harm.
func If[T any](test bool, then, otherwise T) T {
	if test {
		return then
	}
	return otherwise
}

// And is the operator &&, where evaluating b does no harm.
func And(a, b Value) Value {
	if a.Truth() {
		return b
	}
	return a
}

// Or is the operator ||, where evaluating b does no harm.
func Or(a, b Value) Value {
	if a.Truth() {
		return a
	}
	return b
}

// Coalesce is the operator ??, where evaluating b does no harm.
func Coalesce(a, b Value) Value {
	if a.IsNullish() {
		return b
	}
	return a
}

// Throw notes in err why an expression has failed, unless it has failed before, and returns a value that
// nobody uses. Without err it throws, see [Catch]: msg begins with the name of an error.
func Throw[T any](err *string, msg string) (none T) {
	if err == nil {
		throwText(msg)
	}
	if *err == "" {
		*err = msg
	}
	return none
}

// OfType returns the value of a data item that is declared as a number, a string or a boolean, or fails if v is something
// else, see [Throw].
func OfType[T float64 | string | bool](err *string, v Value, id string) (to T) {
	var ok bool
	want := ""
	switch to := any(&to).(type) {
	case *float64:
		if ok, want = v.isNumber(), "number"; ok {
			*to = v.Number()
		}
	case *string:
		if ok, want = v.typ() == TypeString, "string"; ok {
			*to = v.Text()
		}
	case *bool:
		if ok, want = v.typ() == TypeBool, "boolean"; ok {
			*to = v.Bool()
		}
	}
	if !ok {
		return Throw[T](err, "TypeError: "+id+" is declared as a "+want+": got "+v.TypeOf())
	}
	return to
}

// Member returns the member of an event's data: if the data is an object, member, which it has under the
// name. Reading a member of undefined or null fails, see [Throw].
func Member(err *string, data, member *Value, name string) Value {
	if data.typ() == TypeObject {
		return *member
	}
	return scalarMember(err, data, name)
}

// MemberNumber is Member with the operation ToNumber.
func MemberNumber(err *string, data, member *Value, name string) float64 {
	if data.typ() == TypeObject && member.isNumber() {
		return member.number
	}
	return memberNumber(err, data, member, name)
}

//go:noinline
func memberNumber(err *string, data, member *Value, name string) float64 {
	return Member(err, data, member, name).ToNumber()
}

// MemberIsNumber is Member with the operator === and a number.
func MemberIsNumber(err *string, data, member *Value, name string, n float64) bool {
	if data.typ() == TypeObject && member.isNumber() {
		return member.number == n
	}
	return memberIsNumber(err, data, member, name, n)
}

//go:noinline
func memberIsNumber(err *string, data, member *Value, name string, n float64) bool {
	return Member(err, data, member, name).IsNumber(n)
}

func scalarMember(err *string, data *Value, name string) Value {
	switch {
	case data.IsNullish():
		return Throw[Value](err, "TypeError: Cannot read property '"+name+"' of undefined") // as goja has it, for null too
	case data.typ() == TypeString && name == "length":
		return Number(Length(data.Text()))
	case data.typ() == TypeObject:
		return data.Object().get(name)
	}
	return Value{}
}

// OptionalMember is Member for ?., which does not fail.
func OptionalMember(data, member *Value, name string) Value {
	if data.IsNullish() {
		return Value{}
	}
	return Member(nil, data, member, name)
}

// Property returns a property. One of undefined or null fails, see [Throw].
func Property(err *string, v Value, name string) Value {
	if o := v.object(); o != nil && o.class < array {
		if i := o.shape.find(name); i >= 0 {
			return o.values[i]
		}
	}
	return scalarMember(err, &v, name)
}

// OptionalProperty is Property for ?., which does not fail.
func OptionalProperty(v Value, name string) Value {
	if v.IsNullish() {
		return Value{}
	}
	return scalarMember(nil, &v, name)
}

// OfEvent returns v, a field of _event, or fails if there was no event yet, see [Throw].
func OfEvent[T any](err *string, present bool, v T, name string) T {
	if !present {
		return Throw[T](err, "TypeError: Cannot read property '"+name+"' of undefined")
	}
	return v
}

// TextOrUndefined returns the Value of a field of an event, where "" means that it is missing.
func TextOrUndefined(s string) Value {
	if s == "" {
		return Value{}
	}
	return String(s)
}

// AttributeText returns the text of the value of an attribute such as eventexpr. Undefined and null
// fail, see [Throw]; source is the text of the attribute.
func AttributeText(err *string, v Value, source string) string {
	if v.IsNullish() {
		return Throw[string](err, "the value of "+strconv.Quote(source)+" is "+v.ToText()+": want a string")
	}
	if v.typ() == TypeObject { // as the interpreter has it
		text, why := v.MarshalJSON()
		if why != nil {
			return Throw[string](err, why.Error())
		}
		return string(text)
	}
	return v.ToText()
}

// DataOfEvent returns data, that of the event, or fails if there was no event yet, see [Throw].
func DataOfEvent(err *string, present bool, data *Value) *Value {
	if !present {
		Throw[Value](err, "TypeError: Cannot read property 'data' of undefined")
	}
	return data
}
