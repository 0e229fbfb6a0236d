package ecmascript

import (
	"sync"

	"github.com/dop251/goja"

	"github.com/scxmlrun/scxmlrun/datamodel"
)

// quick evaluates e without running the runtime, if that is possible.
func (st *store) quick(e *expr) (v operand, ok bool) {
	switch {
	case e.fast.value == nil || !st.watch.allows():
		return v, false
	case st.realm == nil:
		return e.fast.value(st)
	}
	defer unknown(&ok)
	return e.fast.value(st)
}

// quickTruth does the same where only truth matters.
func (st *store) quickTruth(e *expr) (b, ok bool) {
	switch {
	case e.fast.truth == nil || !st.watch.allows():
		return false, false
	case st.realm == nil:
		return e.fast.truth(st)
	}
	defer unknown(&ok)
	return e.fast.truth(st)
}

// unknown catches what the runtime throws out of season while variables and
// properties are read: at a let that is not declared yet, or in a getter of the
// library on an object that it was not made for.
func unknown(ok *bool) {
	if recover() != nil {
		*ok = false
	}
}

// quickAssign makes v the value of the data item that loc names, if both are
// simple enough.
func (st *store) quickAssign(loc *expr, v *operand) bool {
	switch {
	case loc.item == "" || !v.isPrimitive():
		return false
	case st.realm != nil:
		return st.quickAssignScript(loc, v.script())
	}
	i := st.items.find(loc.item)
	if i >= 0 {
		st.items.values[i] = *v
	}
	return i >= 0
}

// quickAssignScript does the same with any value of the runtime.
func (st *store) quickAssignScript(loc *expr, v goja.Value) bool {
	return loc.item != "" && st.up&wildItems == 0 && st.items.find(loc.item) >= 0 &&
		st.vm.Set(loc.item, v) == nil // a script may have made it a constant
}

// To read or write can be more than that where there are getters and setters,
// proxies, or a global object that was tampered with. The closures keep away
// from what code of the session might have made so.
const (
	// wildItems stands for code that can do it to a data item: it deletes
	// variables, or it may have got hold of the global object. Text that becomes
	// code is taken for such code when that happens, see checkCode; and proxies
	// can come by the global object as the receiver.
	wildItems = seesGlobal | guardProxy | deletes

	// wild stands for code that can do it to any object: it knows how to make
	// accessors, or computes names, which could be those of what makes them.
	wild = wildItems | accessors | computes
)

// variable returns the value of a name that is no system variable.
func (st *store) variable(name string) (operand, bool) {
	if st.realm != nil {
		return scriptOperand(st.scriptVariable(name))
	}
	if i := st.items.find(name); i >= 0 {
		return st.items.values[i], true
	}
	return operand{}, false
}

// scriptVariable returns the value of a name in the runtime, also one that let
// or const have declared. It returns nil if it does not know.
func (st *store) scriptVariable(name string) goja.Value {
	if st.up&wild != 0 && (st.up&wildItems != 0 || st.items.find(name) < 0) {
		return nil // it might be inherited
	}
	return st.vm.Get(name)
}

// numberVariable returns the value of such a name, if it is a number.
func (st *store) numberVariable(name string) (float64, bool) {
	if st.realm != nil {
		return scriptNumber(st.scriptVariable(name))
	}
	if i := st.items.find(name); i >= 0 {
		v := &st.items.values[i]
		return v.number, v.kind == kindNumber
	}
	return 0, false
}

// property returns the value of a property of v.
func (st *store) property(v *operand, key fastKey) (operand, bool) {
	switch v.kind {
	case kindEvent:
		return st.eventField(key.name)
	case kindData:
		return st.dataProperty(v.ref, key)
	case kindText:
		if key.name == "length" {
			return numberOperand(float64(len(v.text))), true
		}
	case kindObject:
		o := v.ref.(*goja.Object)
		length := key.name == "length" && o.ClassName() == "Array"
		if (length || st.up&wild == 0) && isPlain(o) {
			return inherit(o, key.name)
		}
	}
	return operand{}, false
}

// isPlain reports whether o is an object or array without any magic.
func isPlain(o *goja.Object) bool {
	switch o.ClassName() {
	case "Object":
		return o.ExportType() == typePlain
	case "Array":
		return o.ExportType() == typeSet
	}
	return false
}

// inherit returns the value of a property of o or of its prototypes.
func inherit(o *goja.Object, key string) (operand, bool) {
	v := o.Get(key)
	if v == nil {
		return operand{}, true
	}
	return scriptOperand(v)
}

// takenData returns _event.data as a value of the runtime, if a script has looked
// at it: it may have changed it.
func (st *store) takenData() goja.Value {
	if st.realm == nil || st.eventObject == nil {
		return nil
	}
	return st.eventData.data
}

// eventNumber returns a part of _event.data, if it is a number.
func (st *store) eventNumber(keys []fastKey) (float64, bool) {
	if st.event == nil || st.takenData() != nil {
		return 0, false
	}
	v := st.event.Data
	for i := range keys {
		switch data := v.(type) {
		case *datamodel.Object:
			item, ok := data.Get(keys[i].name)
			if !ok {
				return 0, false
			}
			v = item
		case []datamodel.Value:
			index := keys[i].index
			if index < 0 || index >= len(data) {
				return 0, false
			}
			v = data[index]
		default:
			return 0, false
		}
	}
	switch v := v.(type) {
	case int64:
		return float64(v), true
	case float64:
		return v, true
	}
	return 0, false
}

// eventField returns a field of _event.
func (st *store) eventField(key string) (operand, bool) {
	s := ""
	switch ev := st.event; key {
	case "data":
		if data := st.takenData(); data != nil {
			return scriptOperand(data)
		}
		return neutralOperand(ev.Data)
	case "name":
		return neutralOperand(ev.Name)
	case "type":
		return textOperand(ev.Type.String()), true
	case "sendid":
		s = ev.SendID
	case "origin":
		s = ev.Origin
	case "origintype":
		s = ev.OriginType
	case "invokeid":
		s = ev.InvokeID
	default:
		return operand{}, false
	}
	if s == "" {
		return operand{}, true
	}
	return neutralOperand(s)
}

// dataProperty returns a property of the data of an event, or of a part of it,
// that no script has looked at.
func (st *store) dataProperty(of datamodel.Value, key fastKey) (operand, bool) {
	switch data := of.(type) {
	case *datamodel.Object:
		if item, ok := data.Get(key.name); ok {
			return neutralOperand(item)
		}
		switch {
		case inheritedNames()[key.name]: // not a value for all: __proto__
			return operand{}, false
		case st.realm == nil:
			return operand{}, true
		case st.up&wild == 0:
			return inherit(st.prototype("Object"), key.name)
		}
	case []datamodel.Value:
		if key.name == "length" {
			return numberOperand(float64(len(data))), true
		}
		if key.index >= 0 && key.index < len(data) {
			return neutralOperand(data[key.index])
		}
	}
	return operand{}, false
}

// inheritedNames are the names of what every object has.
var inheritedNames = sync.OnceValue(func() map[string]bool {
	m := map[string]bool{}
	for _, name := range goja.New().NewObject().Prototype().GetOwnPropertyNames() {
		m[name] = true
	}
	return m
})
