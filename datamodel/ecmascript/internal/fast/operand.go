package fast

import (
	"strconv"
	"unicode/utf8"

	"github.com/dop251/goja"

	"github.com/scxmlrun/scxmlrun/datamodel"
	"github.com/scxmlrun/scxmlrun/datamodel/ecmascript/internal/native"
)

// An Operand is a value as closures have it. It needs no allocation and, if it is primitive, no
// runtime.
type Operand struct {
	kind   kind
	shared bool    // of an item of kindData: other items, and the present event, may have the same object
	fresh  bool    // of kindData: nothing else has the object
	number float64 // of kindNumber, and 0 or 1 of kindBool
	text   string  // of kindText and kindString
	ref    any     // of kindObject: the *goja.Object; of kindData: a *datamodel.Object or []datamodel.Value; of others: what Neutral returns, if it is not nil
}

type kind uint8

const (
	kindUndefined kind = iota
	kindNull
	kindBool
	kindNumber
	kindText   // a short string in ASCII
	kindString // any other string
	kindData   // an object or array in the data of the present event that is not in the runtime
	kindObject // an object of the runtime
	kindEvent  // _event itself
)

// maxText is the maximum length of a string that is checked for ASCII.
const maxText = 1000

func numberOperand(n float64) Operand { return Operand{kind: kindNumber, number: n} }
func textOperand(s string) Operand    { return Operand{kind: kindText, text: s} }

func boolOperand(b bool) Operand {
	if b {
		return Operand{kind: kindBool, number: 1}
	}
	return Operand{kind: kindBool}
}

// IsPrimitive reports whether v needs no runtime.
func (v *Operand) IsPrimitive() bool { return v.kind <= kindString }

// IsFresh reports whether v is an object or array that nothing else has.
func (v *Operand) IsFresh() bool { return v.fresh }

// FromValue returns x as the runtime would have it, see the import of package ecmascript.
func FromValue(x datamodel.Value) (Operand, bool) {
	switch v := x.(type) {
	case nil, datamodel.Function:
		return Operand{}, true
	case datamodel.NullType:
		return Operand{kind: kindNull}, true
	case bool:
		return boolOperand(v), true
	case int64:
		op := numberOperand(float64(v))
		if v > -1<<53 && v < 1<<53 {
			op.ref = x
		}
		return op, true
	case float64:
		return numberOperand(v), true
	case string:
		if len(v) <= maxText && isASCII(v) {
			return Operand{kind: kindText, text: v, ref: x}, true
		}
		return Operand{kind: kindString, text: v, ref: x}, utf8.ValidString(v)
	case *datamodel.Object, []datamodel.Value:
		return Operand{kind: kindData, ref: v}, true
	}
	return Operand{}, false
}

// fromScript returns a value of the runtime. A nil v is an undeclared variable.
func fromScript(v goja.Value) (Operand, bool) {
	if v == nil {
		return Operand{}, false
	}
	if o, ok := v.(*goja.Object); ok {
		return Operand{kind: kindObject, ref: o}, true
	}
	switch v.ExportType() {
	case native.TypeInt, native.TypeFloat:
		return numberOperand(v.ToFloat()), true
	case native.TypeBool:
		return boolOperand(v.ToBoolean()), true
	}
	if s, ok := v.(goja.String); ok && s.Length() <= maxText {
		text := s.String()
		return textOperand(text), isASCII(text)
	}
	switch {
	case goja.IsUndefined(v):
		return Operand{}, true
	case goja.IsNull(v):
		return Operand{kind: kindNull}, true
	}
	return Operand{}, false
}

// scriptNumber returns a value of the runtime that is a number.
func scriptNumber(v goja.Value) (float64, bool) {
	if v == nil {
		return 0, false
	}
	if t := v.ExportType(); t == native.TypeInt || t == native.TypeFloat {
		return v.ToFloat(), true
	}
	return 0, false
}

func isASCII(s string) bool {
	for i := 0; i < len(s); i++ {
		if s[i] >= 0x80 {
			return false
		}
	}
	return true
}

// noRuntime makes values of primitives, which do not depend on a runtime.
var noRuntime goja.Runtime

// Script returns a primitive as a value of a runtime.
func (v *Operand) Script() goja.Value {
	switch v.kind {
	case kindUndefined:
		return goja.Undefined()
	case kindNull:
		return goja.Null()
	}
	return noRuntime.ToValue(v.Neutral())
}

// Neutral returns a primitive as a Value.
func (v *Operand) Neutral() datamodel.Value {
	if v.kind < kindData && v.ref != nil {
		return v.ref
	}
	switch v.kind {
	case kindNull:
		return datamodel.Null
	case kindBool:
		return v.number != 0
	case kindNumber:
		return datamodel.Number(v.number)
	case kindText, kindString:
		return v.text
	}
	return nil
}

// Export returns a copy of v, if it needs no runtime.
func (v *Operand) Export() (datamodel.Value, bool) {
	if v.kind == kindData && !v.fresh {
		return Copy(v.ref)
	}
	if v.kind == kindData {
		return v.ref, true
	}
	return v.Neutral(), v.IsPrimitive()
}

// keep is Export of the value of an item, which keeps what takes an allocation.
func (v *Operand) keep() (datamodel.Value, bool) {
	if v.kind < kindData && v.ref == nil {
		v.ref = v.Neutral()
	}
	return v.Export()
}

// Object returns the object of the runtime that v is, or nil.
func (v *Operand) Object() *goja.Object {
	o, _ := v.ref.(*goja.Object)
	return o
}

// truth is the operation ToBoolean.
func (v *Operand) truth() bool {
	switch v.kind {
	case kindUndefined, kindNull:
		return false
	case kindBool, kindNumber:
		return v.number != 0 && v.number == v.number // NaN is false
	case kindText, kindString:
		return v.text != ""
	}
	return true
}

// typeof is the operator of that name.
func (v *Operand) typeof() (string, bool) {
	switch v.kind {
	case kindUndefined:
		return "undefined", true
	case kindBool:
		return "boolean", true
	case kindNumber:
		return "number", true
	case kindText, kindString:
		return "string", true
	case kindObject:
		return "object", isPlain(v.ref.(*goja.Object))
	}
	return "object", true
}

// string is the operation ToString for some primitives.
func (v *Operand) string() (string, bool) {
	switch v.kind {
	case kindUndefined:
		return "undefined", true
	case kindNull:
		return "null", true
	case kindBool:
		return strconv.FormatBool(v.number != 0), true
	case kindNumber:
		if i, ok := datamodel.Number(v.number).(int64); ok {
			return strconv.FormatInt(i, 10), true
		}
	case kindText:
		return v.text, true
	}
	return "", false
}

// equalOperands are the operators === and ==.
func equalOperands(l, r *Operand, strict bool) (equal, ok bool) {
	if l.kind == r.kind {
		switch l.kind {
		case kindUndefined, kindNull:
			return true, true
		case kindBool, kindNumber:
			return l.number == r.number, true
		case kindText, kindString:
			return l.text == r.text, true
		}
		return false, false // two objects may be the same in different forms
	}
	switch {
	case !strict && (l.kind <= kindNull || r.kind <= kindNull):
		return l.kind <= kindNull && r.kind <= kindNull, true
	case strict && (l.IsPrimitive() || r.IsPrimitive()):
		return false, true
	}
	return false, false
}
