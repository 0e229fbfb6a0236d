package ecmascript

import (
	"reflect"
	"slices"

	"github.com/dop251/goja"

	"github.com/scxmlrun/scxmlrun/datamodel"
	"github.com/scxmlrun/scxmlrun/datamodel/ecmascript/internal/fast"
	"github.com/scxmlrun/scxmlrun/datamodel/ecmascript/internal/native"
	"github.com/scxmlrun/scxmlrun/datamodel/ecmascript/internal/syntax"
)

// A systemSet says which system variables are meant, and In: the bit i is for systemNames[i].
type systemSet uint8

var systemNames = [...]string{syntax.SysEvent, syntax.SysSessionID, syntax.SysName, syntax.SysIO, syntax.SysPlatform, syntax.PredicateIn}

const systemAll systemSet = 1<<len(systemNames) - 1

// systemSteady are those that do not keep anything that two sessions of a chart have differently.
var systemSteady = systemAll &^ (systemWord(syntax.SysSessionID) | systemWord(syntax.SysIO))

// systemWord returns the set of the system variable called word, which is empty for other words.
func systemWord(word string) systemSet {
	if i := slices.Index(systemNames[:], word); i >= 0 {
		return 1 << i
	}
	return 0
}

// define creates those system variables that are not there yet. It is called before code runs for
// the first time that names them or that sees the global object, see [reach].
func (st *store) define(set systemSet) {
	missing := set &^ st.system
	st.system |= set
	for i, name := range systemNames {
		switch {
		case missing&(1<<i) == 0:
		case name == syntax.PredicateIn:
			st.defineIn()
		default:
			st.defineSystem(name)
		}
	}
}

// defineSystem creates a system variable.
//
// Writing to a frozen or read-only global is silent in sloppy code. REC 5.10 wants "any attempt to
// change the value of a system variable to fail", so they are accessors whose setters throw.
func (st *store) defineSystem(name string) {
	var v goja.Value
	getter := native.New(st.vm, "get "+name, func(goja.FunctionCall) goja.Value {
		switch name {
		case syntax.SysEvent:
			st.env.Looks |= datamodel.LookEvent
			return st.presentEvent()
		case syntax.SysSessionID, syntax.SysIO:
			st.env.Looks |= datamodel.LookSession
		}
		if v == nil {
			v = st.systemValue(name)
		}
		return v
	})
	setter := native.New(st.vm, "set "+name, func(goja.FunctionCall) goja.Value {
		panic(st.vm.NewTypeError("the system variable %s cannot be changed", name))
	})
	st.guards.Own(getter)
	st.guards.Own(setter)
	native.Must(st.vm.GlobalObject().DefineAccessorProperty(name, getter, setter, goja.FLAG_FALSE, goja.FLAG_TRUE))
}

// systemValue returns the value of a system variable that does not change.
func (st *store) systemValue(name string) goja.Value {
	switch name {
	case syntax.SysSessionID:
		return st.vm.ToValue(st.env.Host.SessionID())
	case syntax.SysName:
		return st.vm.ToValue(st.env.Host.Name())
	case syntax.SysIO:
		return st.ioProcessors()
	}
	return st.systemObject(&fixedObject{fixed: &fixed{name: name}})
}

// systemObject returns the object of a system variable: a proxy for a dynamic object, because goja
// lets scripts change the prototype of a dynamic object without asking it.
func (st *store) systemObject(d *fixedObject) *goja.Object {
	d.st = st
	if st.systemTraps == nil {
		st.systemTraps = &goja.ProxyTrapConfig{SetPrototypeOf: func(_, _ *goja.Object) bool {
			panic(st.vm.NewTypeError("the prototype of a system variable cannot be changed"))
		}}
	}
	return st.vm.ToValue(st.vm.NewProxy(st.vm.NewDynamicObject(d), st.systemTraps)).(*goja.Object)
}

var typeFixed = reflect.TypeFor[*fixedObject]()

// fixedOf returns the fixedObject of a systemObject, or nil for other objects. If a script makes a
// proxy for a system variable, its target is our proxy.
func fixedOf(o *goja.Object) *fixedObject {
	if o.ExportType() != native.TypeProxy { // Export would read all that is in o
		return nil
	}
	p, ok := o.Export().(goja.Proxy)
	if !ok || p.Target() == nil || p.Target().ExportType() != typeFixed {
		return nil
	}
	return p.Target().Export().(*fixedObject)
}

// presentEvent returns _event. REC 5.10: "MUST NOT bind _event at initialization time until the
// first event is processed."
func (st *store) presentEvent() goja.Value {
	if st.env.Event == nil {
		return goja.Undefined()
	}
	if st.eventObject == nil {
		st.eventObject, st.env.Data = st.newEvent(st.env.Event)
	}
	return st.eventObject
}

func (st *store) defineIn() {
	in := native.New(st.vm, syntax.PredicateIn, func(call goja.FunctionCall) goja.Value {
		state, ok := call.Argument(0).(goja.String)
		if !ok {
			panic(st.vm.NewTypeError("In() wants the id of a state, a string"))
		}
		return st.vm.ToValue(st.env.Host.In(state.String()))
	})
	st.guards.Own(in)
	native.Must(st.vm.GlobalObject().DefineDataProperty(syntax.PredicateIn, in, goja.FLAG_FALSE, goja.FLAG_FALSE, goja.FLAG_FALSE))
}

// fixedEvent has the fields of REC 5.10.1, in its order. Some events also have a field raw.
var fixedEvent = &fixed{name: syntax.SysEvent, keys: []string{"name", "type", "sendid", "origin", "origintype", "invokeid", "data"}}

// newEvent returns an event as a script sees it, and its data, which is nil until a script looks at
// it.
func (st *store) newEvent(ev *datamodel.Event) (o *goja.Object, data *goja.Value) {
	d := &fixedObject{fixed: fixedEvent, event: *ev}
	return st.systemObject(d), &d.data
}

// A fixedObject is an object that throws when a script tries to change it.
type fixedObject struct {
	*fixed
	st    *store
	event datamodel.Event // of fixedEvent
	data  goja.Value      // of event; nil until a script looks at it
}

// A fixed is the part of a fixedObject that events share.
type fixed struct {
	name      string // what it is called in messages
	processor string // of an entry of _ioprocessors
	keys      []string
	vals      map[string]goja.Value // of keys, but for an event
}

func (o *fixedObject) Get(key string) goja.Value {
	if o.fixed == fixedEvent {
		return o.eventField(key)
	}
	if v, ok := o.vals[key]; ok {
		return v
	}
	return o.vals[ioAliases[key]]
}

func (o *fixedObject) eventField(key string) goja.Value {
	o.st.env.Looks |= fast.LookOf(&o.event, key)
	if o.st.env.Data != &o.data && o.event.IsOutside() {
		o.st.env.Looks |= datamodel.LookPast
	}
	if key == "data" {
		return o.eventData()
	}
	text, ok := fast.EventField(&o.event, key)
	switch {
	case !ok || text == "" && key == "raw":
		return nil
	case text == "":
		return goja.Undefined()
	}
	return o.st.vm.ToValue(text)
}

// eventData returns the field data of an event.
func (o *fixedObject) eventData() goja.Value {
	if o.data == nil {
		o.data = o.st.import_(o.event.Data)
	}
	return o.data
}

func (o *fixedObject) Has(key string) bool {
	return slices.Contains(o.keys, key) || o.Get(key) != nil
}
func (o *fixedObject) Keys() []string { return o.keys }

func (o *fixedObject) Set(key string, _ goja.Value) bool {
	panic(o.st.vm.NewTypeError("%s cannot be changed: %q", o.name, key))
}

func (o *fixedObject) Delete(key string) bool { return o.Set(key, nil) }

// ioAliases are names that earlier drafts of the REC gave to its two processors. Old documents
// still use them.
var ioAliases = map[string]string{
	"scxml":     "http://www.w3.org/TR/scxml/#SCXMLEventProcessor",
	"basichttp": "http://www.w3.org/TR/scxml/#BasicHTTPEventProcessor",
}

// ioProcessors returns _ioprocessors. REC B.2: "an array with an object for each Event I/O
// processor that it supports, where the name of the object is the same as that of the I/O
// processor", and in it "a location property".
func (st *store) ioProcessors() *goja.Object {
	o := &fixed{name: syntax.SysIO, vals: map[string]goja.Value{}}
	for _, p := range st.env.Host.IOProcessors() {
		if o.vals[p.Type] == nil {
			o.keys = append(o.keys, p.Type)
		}
		o.vals[p.Type] = st.systemObject(&fixedObject{fixed: &fixed{
			name: syntax.SysIO, processor: p.Type,
			keys: []string{"location"}, vals: map[string]goja.Value{"location": st.vm.ToValue(p.Location)},
		}})
	}
	return st.systemObject(&fixedObject{fixed: o})
}
