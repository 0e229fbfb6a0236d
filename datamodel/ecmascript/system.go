package ecmascript

import (
	"reflect"
	"slices"

	"github.com/dop251/goja"

	"github.com/scxmlrun/scxmlrun/datamodel"
	"github.com/scxmlrun/scxmlrun/datamodel/ecmascript/internal/native"
	"github.com/scxmlrun/scxmlrun/datamodel/ecmascript/internal/syntax"
)

// A systemSet says which system variables are meant, and In.
type systemSet uint8

const (
	systemEvent systemSet = 1 << iota
	systemID
	systemName
	systemIO
	systemPlatform
	systemIn

	systemAll systemSet = 1<<iota - 1
)

var systemWords = map[string]systemSet{
	syntax.SysEvent: systemEvent, syntax.SysSessionID: systemID, syntax.SysName: systemName, syntax.SysIO: systemIO, syntax.SysPlatform: systemPlatform, syntax.PredicateIn: systemIn,
}

// define creates those system variables that are not there yet: before code is run
// for the first time that names them or that sees the global object, see [reach].
func (st *store) define(set systemSet) {
	missing := set &^ st.system
	st.system |= set
	for i, define := range [...]func(*store){
		(*store).defineEvent, (*store).defineID, (*store).defineName, (*store).defineIO, (*store).definePlatform, (*store).defineIn,
	} {
		if missing&(1<<i) != 0 {
			define(st)
		}
	}
}

// defineSystem creates a system variable.
//
// Writing to a frozen or read-only global is silent in sloppy code. REC 5.10
// wants "any attempt to change the value of a system variable to fail", so they
// are accessors whose setters throw.
func (st *store) defineSystem(name string, get func() goja.Value) {
	getter := native.New(st.vm, "get "+name, func(goja.FunctionCall) goja.Value { return get() })
	setter := native.New(st.vm, "set "+name, func(goja.FunctionCall) goja.Value {
		panic(st.vm.NewTypeError("the system variable %s cannot be changed", name))
	})
	native.Must(st.vm.GlobalObject().DefineAccessorProperty(name, getter, setter, goja.FLAG_FALSE, goja.FLAG_TRUE))
}

func (st *store) defineEvent() {
	st.defineSystem(syntax.SysEvent, func() goja.Value {
		// REC 5.10: "MUST NOT bind _event at initialization time until the
		// first event is processed."
		if st.env.Event == nil {
			return goja.Undefined()
		}
		return st.presentEvent()
	})
}

// systemObject returns the object that a system variable has. A proxy stands
// before it for the one thing that a dynamic object is not asked about: goja lets
// everyone change its prototype.
func (st *store) systemObject(d goja.DynamicObject) *goja.Object {
	if st.systemTraps == nil {
		st.systemTraps = &goja.ProxyTrapConfig{SetPrototypeOf: func(_, _ *goja.Object) bool {
			panic(st.vm.NewTypeError("the prototype of a system variable cannot be changed"))
		}}
	}
	return st.vm.ToValue(st.vm.NewProxy(st.vm.NewDynamicObject(d), st.systemTraps)).(*goja.Object)
}

var (
	typeEvent = reflect.TypeFor[*eventObject]()
	typeFixed = reflect.TypeFor[*fixedObject]()
)

// systemTarget returns the dynamic object of a systemObject, and o itself if it is another.
func systemTarget(o *goja.Object) *goja.Object {
	if o.ExportType() != native.TypeProxy {
		return o
	}
	// A script that makes a proxy for a system variable gets hold of its proxy alone.
	target := o.Export().(goja.Proxy).Target()
	if target == nil || target.ExportType() != typeEvent && target.ExportType() != typeFixed {
		return o
	}
	return target
}

// presentEvent returns _event, once there is an event.
func (st *store) presentEvent() *goja.Object {
	if st.eventObject == nil {
		ev := &eventObject{st: st, ev: *st.env.Event}
		st.eventObject, st.env.Data = st.systemObject(ev), &ev.data
	}
	return st.eventObject
}

func (st *store) defineID() {
	id := st.vm.ToValue(st.host.SessionID())
	st.defineSystem(syntax.SysSessionID, func() goja.Value { return id })
}

func (st *store) defineName() {
	name := st.vm.ToValue(st.host.Name())
	st.defineSystem(syntax.SysName, func() goja.Value { return name })
}

func (st *store) defineIO() {
	var io goja.Value
	st.defineSystem(syntax.SysIO, func() goja.Value {
		if io == nil {
			io = st.systemObject(newIOProcessors(st))
		}
		return io
	})
}

func (st *store) definePlatform() {
	platform := st.systemObject(&fixedObject{st: st, name: syntax.SysPlatform})
	st.defineSystem(syntax.SysPlatform, func() goja.Value { return platform })
}

func (st *store) defineIn() {
	in := native.New(st.vm, syntax.PredicateIn, func(call goja.FunctionCall) goja.Value {
		state, ok := call.Argument(0).(goja.String)
		if !ok {
			panic(st.vm.NewTypeError("In() wants the id of a state, a string"))
		}
		return st.vm.ToValue(st.host.In(state.String()))
	})
	native.Must(st.vm.GlobalObject().DefineDataProperty(syntax.PredicateIn, in, goja.FLAG_FALSE, goja.FLAG_FALSE, goja.FLAG_FALSE))
}

// An eventObject is _event as a script sees it: an object that takes its
// fields from the event when they are looked at.
type eventObject struct {
	st   *store
	ev   datamodel.Event
	data goja.Value // nil until it is looked at
}

// eventFields are the fields of REC 5.10.1, in its order. Some events have a
// field raw besides.
var eventFields = []string{"name", "type", "sendid", "origin", "origintype", "invokeid", "data"}

func (o *eventObject) Get(key string) goja.Value {
	var s string
	switch key {
	case "name":
		return o.st.vm.ToValue(o.ev.Name)
	case "type":
		return o.st.vm.ToValue(o.ev.Type.String())
	case "sendid":
		s = o.ev.SendID
	case "origin":
		s = o.ev.Origin
	case "origintype":
		s = o.ev.OriginType
	case "invokeid":
		s = o.ev.InvokeID
	case "data":
		if o.data == nil {
			o.data = o.st.import_(o.ev.Data)
		}
		return o.data
	case "raw":
		if o.ev.Raw == "" {
			return nil
		}
		s = o.ev.Raw
	default:
		return nil
	}
	if s == "" {
		return goja.Undefined()
	}
	return o.st.vm.ToValue(s)
}

func (o *eventObject) Has(key string) bool {
	return slices.Contains(eventFields, key) || key == "raw" && o.ev.Raw != ""
}
func (o *eventObject) Keys() []string { return eventFields }

func (o *eventObject) Set(key string, _ goja.Value) bool {
	panic(o.st.vm.NewTypeError("_event.%s cannot be changed", key))
}

func (o *eventObject) Delete(key string) bool {
	panic(o.st.vm.NewTypeError("_event.%s cannot be deleted", key))
}

// A fixedObject is an object that a script cannot change, and is told so when
// it tries.
type fixedObject struct {
	st      *store
	name    string // what it is called in messages
	keys    []string
	vals    map[string]goja.Value
	aliases map[string]string // keys that are there but not listed
}

func (o *fixedObject) Get(key string) goja.Value {
	if v, ok := o.vals[key]; ok {
		return v
	}
	if full, ok := o.aliases[key]; ok {
		return o.vals[full]
	}
	return nil
}

func (o *fixedObject) Has(key string) bool { return o.Get(key) != nil }
func (o *fixedObject) Keys() []string      { return o.keys }

func (o *fixedObject) Set(key string, _ goja.Value) bool {
	panic(o.st.vm.NewTypeError("%s cannot be changed: %q", o.name, key))
}

func (o *fixedObject) Delete(key string) bool {
	panic(o.st.vm.NewTypeError("%s cannot be changed: %q", o.name, key))
}

// ioAliases are names that earlier drafts of the REC gave to its two
// processors, and documents of that time still use.
var ioAliases = map[string]string{
	"scxml":     "http://www.w3.org/TR/scxml/#SCXMLEventProcessor",
	"basichttp": "http://www.w3.org/TR/scxml/#BasicHTTPEventProcessor",
}

// newIOProcessors returns _ioprocessors. REC B.2: "an array with an object for
// each Event I/O processor that it supports, where the name of the object is
// the same as that of the I/O processor", and in it "a location property".
func newIOProcessors(st *store) *fixedObject {
	o := &fixedObject{st: st, name: syntax.SysIO, vals: map[string]goja.Value{}, aliases: ioAliases}
	for _, p := range st.host.IOProcessors() {
		entry := &fixedObject{st: st, name: syntax.SysIO, keys: []string{"location"}}
		entry.vals = map[string]goja.Value{"location": st.vm.ToValue(p.Location)}
		if _, twice := o.vals[p.Type]; !twice {
			o.keys = append(o.keys, p.Type)
		}
		o.vals[p.Type] = st.systemObject(entry)
	}
	return o
}
