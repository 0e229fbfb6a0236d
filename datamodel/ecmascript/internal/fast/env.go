package fast

import (
	"slices"
	"strings"
	"sync"

	"github.com/dop251/goja"

	"github.com/scxmlrun/scxmlrun/datamodel"
	"github.com/scxmlrun/scxmlrun/datamodel/ecmascript/internal/native"
	"github.com/scxmlrun/scxmlrun/datamodel/ecmascript/internal/syntax"
)

// An Env is what expressions are evaluated in. It belongs to one session.
type Env struct {
	VM        *goja.Runtime    // nil until it is needed
	Event     *datamodel.Event // nil until there is one
	Data      *goja.Value      // _event.data in the runtime; nil or a pointer to nil until a script, which may change it, has looked at it
	Items     Items
	Host      datamodel.Host
	Looks     datamodel.Look // see [datamodel.Looker]
	Functions *Functions     // of the host; nil for none
	Facts     syntax.Facts   // of the code that has run
}

// Unknown catches what the runtime throws while variables and properties are read: for a let
// without a value, or in a getter of the library on the wrong kind of object. Defer it.
func Unknown(ok *bool) {
	if x := recover(); x != nil {
		if !native.Thrown(x) {
			panic(x)
		}
		*ok = false
	}
}

// Assign makes v the value of the data item that an expression names, if both are simple enough.
func (e *Env) Assign(item string, v *Operand) bool {
	switch {
	case item == "" || !v.IsPrimitive() && !v.fresh && !e.isEventData(v):
		return false
	case e.VM != nil:
		return v.IsPrimitive() && e.AssignScript(item, v.Script())
	}
	i := e.Items.find(item)
	if i >= 0 {
		e.Items.values[i] = *v
		e.Items.values[i].shared = v.kind == kindData && !v.fresh
		e.Items.values[i].fresh = false
	}
	return i >= 0
}

// isEventData reports whether v is all of the data of the present event. An item can hold that as it
// is; what scripts see of both is the same object, see Take.
func (e *Env) isEventData(v *Operand) bool {
	o, ok := v.ref.(*datamodel.Object)
	return ok && e.Event != nil && e.Event.Data == datamodel.Value(o)
}

// AssignScript does the same with any value of the runtime.
func (e *Env) AssignScript(item string, v goja.Value) bool {
	return item != "" && e.Facts&wildItems == 0 && e.Items.Has(item) &&
		e.VM.Set(item, v) == nil // a script may have made it a constant
}

// Wild reports whether reading or writing a property can have side effects, see wild.
func (e *Env) Wild() bool { return e.Facts&wild != 0 }

// Reads and writes can have side effects if there are getters and setters, proxies, or a modified
// global object. The closures avoid anything that code of the session might have changed so.
const (
	// wildItems is set by code that can do so to a data item: it deletes variables, or may have got
	// the global object. Text that becomes code counts as such code when that happens, and proxies
	// can get the global object as the receiver.
	wildItems = syntax.SeesGlobal | syntax.Proxies | syntax.Deletes

	// wild is set by code that can do so to any object: it knows how to make accessors, or computes
	// names, which could be those of functions that make them.
	wild = wildItems | syntax.Accessors | syntax.Computes
)

// variable returns the value of a name that is not a system variable.
func (e *Env) variable(name string) (Operand, bool) {
	if e.VM != nil {
		return fromScript(e.scriptVariable(name))
	}
	if i := e.Items.find(name); i >= 0 {
		return e.Items.values[i], true
	}
	return Operand{}, false
}

// scriptVariable returns the value of a name in the runtime, also one of let or const, or nil if it
// does not know.
func (e *Env) scriptVariable(name string) goja.Value {
	if e.Facts&wild != 0 && (e.Facts&wildItems != 0 || !e.Items.Has(name)) {
		return nil // it might be inherited
	}
	return e.VM.Get(name)
}

// numberVariable returns the value of such a name, if it is a number.
func (e *Env) numberVariable(name string) (float64, bool) {
	if e.VM != nil {
		return scriptNumber(e.scriptVariable(name))
	}
	if i := e.Items.find(name); i >= 0 {
		v := &e.Items.values[i]
		return v.number, v.kind == kindNumber
	}
	return 0, false
}

// property returns the value of a property of v.
func (e *Env) property(v *Operand, key propertyKey) (Operand, bool) {
	switch v.kind {
	case kindEvent:
		return e.eventField(key.name)
	case kindData:
		return e.dataProperty(v.ref, key)
	case kindText:
		if key.name == "length" {
			return numberOperand(float64(len(v.text))), true
		}
	case kindObject:
		o := v.ref.(*goja.Object)
		length := key.name == "length" && o.ClassName() == "Array"
		if (length || e.Facts&wild == 0) && isPlain(o) {
			return inherit(o, key.name)
		}
	}
	return Operand{}, false
}

// isPlain reports whether o is an ordinary object or array.
func isPlain(o *goja.Object) bool {
	switch o.ClassName() {
	case "Object":
		return o.ExportType() == native.TypePlain
	case "Array":
		return o.ExportType() == native.TypeList
	}
	return false
}

// inherit returns the value of a property of o or of its prototypes.
func inherit(o *goja.Object, key string) (Operand, bool) {
	v := o.Get(key)
	if v == nil {
		return Operand{}, true
	}
	return fromScript(v)
}

// Taken returns _event.data as a value of the runtime, if a script has looked at it.
func (e *Env) Taken() goja.Value {
	if e.Data == nil {
		return nil
	}
	return *e.Data
}

// eventNumber returns a part of _event.data, if it is a number.
func (e *Env) eventNumber(keys []propertyKey) (float64, bool) {
	if e.Event == nil || e.Data != nil && *e.Data != nil {
		return 0, false
	}
	e.Looks |= datamodel.LookEvent | LookOf(e.Event, "data")
	v := e.Event.Data
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
func (e *Env) eventField(key string) (Operand, bool) {
	e.Looks |= LookOf(e.Event, key)
	if key == "data" {
		if data := e.Taken(); data != nil {
			return fromScript(data)
		}
		return FromValue(e.Event.Data)
	}
	text, ok := EventField(e.Event, key)
	if text == "" {
		return Operand{}, ok
	}
	return textOperand(text), len(text) <= maxText && isASCII(text)
}

// EventField returns a field of _event other than data. An empty text is undefined.
func EventField(ev *datamodel.Event, key string) (text string, ok bool) {
	switch key {
	case "name":
		return ev.Name, true
	case "type":
		return ev.Type.String(), true
	case "sendid":
		return ev.SendID, true
	case "origin":
		return ev.Origin, true
	case "origintype":
		return ev.OriginType, true
	case "invokeid":
		return ev.InvokeID, true
	case "raw":
		return ev.Raw, true
	}
	return "", false
}

// LookOf returns what code looks at that reads a field of an event.
func LookOf(ev *datamodel.Event, key string) (l datamodel.Look) {
	switch key {
	case "name":
		if ev.IsOutside() {
			l = datamodel.LookName
		}
		if ev.InvokeID != "" && strings.HasSuffix(ev.Name, ev.InvokeID) { // done.invoke.ID
			l |= datamodel.LookID
		}
	case "data", "raw":
		if ev.IsOutside() {
			l = datamodel.LookData
		}
	case "sendid":
		if ev.SendID != "" {
			l = datamodel.LookID
		}
	case "invokeid":
		if ev.InvokeID != "" {
			l = datamodel.LookID
		}
	case "origin":
		if ev.Origin != "" {
			l = datamodel.LookSession
		}
	}
	return l
}

// dataProperty returns a property of the data of an event, or of a part of it, that no script has
// looked at.
func (e *Env) dataProperty(of datamodel.Value, key propertyKey) (Operand, bool) {
	switch data := of.(type) {
	case *datamodel.Object:
		if item, ok := data.Get(key.name); ok {
			return FromValue(item)
		}
		switch {
		case inheritedNames()[key.name]: // __proto__ does not have a value that all share
			return Operand{}, false
		case e.VM == nil:
			return Operand{}, true
		case e.Facts&wild == 0:
			return inherit(e.VM.NewObject().Prototype(), key.name)
		}
	case []datamodel.Value:
		if key.name == "length" {
			return numberOperand(float64(len(data))), true
		}
		if key.index >= 0 && key.index < len(data) {
			return FromValue(data[key.index])
		}
	}
	return Operand{}, false
}

// inheritedNames are the names of properties that every object inherits.
var inheritedNames = sync.OnceValue(func() map[string]bool {
	m := map[string]bool{}
	for _, name := range goja.New().NewObject().Prototype().GetOwnPropertyNames() {
		m[name] = true
	}
	return m
})

// Items are the data items of a session. As long as all are primitive values and all expressions
// are simple, they are here. That saves the runtime, which is most of the cost of a session with a
// small chart, and makes reading one a search in a short list. A runtime takes over the values;
// only the names stay.
type Items struct {
	Names  []string
	values []Operand
	index  map[string]int // of Names, nil while there are few
}

// indexFrom is the number of items from which there is an index.
const indexFrom = 10

// find returns the index of a name, or -1.
func (l *Items) find(name string) int {
	if l.index != nil {
		if i, ok := l.index[name]; ok {
			return i
		}
		return -1
	}
	for i, n := range l.Names {
		if n == name {
			return i
		}
	}
	return -1
}

// Has reports whether there is an item of that name.
func (l *Items) Has(name string) bool { return l.find(name) >= 0 }

// Add adds a name, unless it exists, and returns its index.
func (l *Items) Add(name string) int {
	i := l.find(name)
	if i >= 0 {
		return i
	}
	i = len(l.Names)
	l.Names = append(l.Names, name)
	switch {
	case l.index != nil:
		l.index[name] = i
	case i+1 >= indexFrom:
		l.index = make(map[string]int, 2*indexFrom)
		for i, n := range l.Names {
			l.index[n] = i
		}
	}
	return i
}

// Value returns the value of the i-th item.
func (l *Items) Value(i int) *Operand { return &l.values[i] }

// Set makes v the value of the item id, which it declares if necessary, unless that takes a
// runtime. An object or array must be one that only this item has.
func (e *Env) Set(id string, v Operand) bool {
	if e.VM != nil || v.kind > kindData || e.Functions.Find(id) != nil {
		return false
	}
	i := e.Items.Add(id)
	if i == len(e.Items.values) {
		e.Items.values = append(e.Items.values, Operand{})
	}
	e.Items.values[i] = v
	e.Items.values[i].fresh = false
	return true
}

// Forget makes e one without a runtime. The items stay.
func (e *Env) Forget() { e.VM, e.Data, e.Facts = nil, nil, 0 }

// Take makes vm the runtime, and moves the values of the items there. It imports objects and arrays
// with the given function. Items that were assigned the data of one event become one object; that of
// the present event is returned.
func (e *Env) Take(vm *goja.Runtime, object func(datamodel.Value) goja.Value) (eventData goja.Value, err error) {
	e.VM = vm
	var objects map[*datamodel.Object]goja.Value
	for i, id := range e.Items.Names {
		v := &e.Items.values[i]
		script := v.Script()
		switch {
		case v.shared:
			o := v.ref.(*datamodel.Object)
			if script = objects[o]; script == nil {
				if objects == nil {
					objects = make(map[*datamodel.Object]goja.Value)
				}
				script = object(o)
				objects[o] = script
			}
			if e.isEventData(v) {
				eventData = script
			}
		case v.kind == kindData:
			script = object(v.ref)
		}
		if err := vm.GlobalObject().DefineDataProperty(id, script, goja.FLAG_TRUE, goja.FLAG_TRUE, goja.FLAG_TRUE); err != nil {
			return nil, err
		}
	}
	e.Items.values = nil
	return eventData, nil
}

// Composite reports whether an item is an object or array that is not in the runtime.
func (l *Items) Composite() bool {
	return slices.ContainsFunc(l.values, func(v Operand) bool { return v.kind == kindData })
}
