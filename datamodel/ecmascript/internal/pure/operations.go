package pure

import (
	"github.com/dop251/goja"

	"github.com/scxmlrun/scxmlrun/datamodel/ecmascript/internal/native"
)

// The operations of a [Watch], by names that no script can spell.
const (
	opGet      = "pure get"      // of an object and a key: the property
	opCall     = "pure call"     // of what is called in the text, a function and arguments
	opMethod   = "pure method"   // of the same, an object, a key and arguments
	opNew      = "pure new"      // of a constructor and arguments
	opPlain    = "pure plain"    // of a value that the language may convert to a primitive one: the value
	opFresh    = "pure fresh"    // of an object that was just made: the object
	opSet      = "pure set"      // of an object, a key and a value: the value
	opIterate  = "pure iterate"  // of what is iterated: the same
	opSpread   = "pure spread"   // of an object whose properties are copied: the object
	opKeys     = "pure keys"     // of an object whose keys are looked at: the object
	opOpen     = "pure open"     // of an object and keys that a pattern reads: the object
	opApply    = "pure apply"    // of a function that was just made, a this and an array of arguments
	opInstance = "pure instance" // of an object and a class: instanceof
	opSystem   = "pure system"   // of the name of a system variable: its value
	opRefuse   = "pure refuse"   // of what is refused
)

// operationNames are in the order of the operations of a Watch.
var operationNames = [...]string{opGet, opCall, opMethod, opNew, opPlain, opFresh, opSet, opIterate, opSpread, opKeys, opOpen, opApply, opInstance, opSystem, opRefuse}

func (w *Watch) operations() [len(operationNames)]func([]goja.Value) goja.Value {
	return [...]func([]goja.Value) goja.Value{
		w.opGet, w.opCall, w.opMethod, w.opNew, w.opPlain, w.opFresh, w.opSet, w.opIterate, w.opSpread, w.opKeys, w.opOpen, w.opApply, w.opInstance, w.opSystem, w.opRefuse,
	}
}

func (w *Watch) opApply(args []goja.Value) goja.Value {
	return args[0].(*goja.Object).Export().(native.Func)(goja.FunctionCall{This: args[1], Arguments: w.items(args[2])})
}

// read returns a property of any value.
func (w *Watch) read(of, key goja.Value) goja.Value {
	if _, ok := key.(*goja.Object); ok {
		w.convert(key, nil)
		key = key.ToString()
	}
	o, ok := of.(*goja.Object)
	if !ok {
		if goja.IsUndefined(of) || goja.IsNull(of) {
			panic(w.vm.NewTypeError("Cannot read property '%s' of undefined", key))
		}
		o = of.ToObject(w.vm)
	}
	return w.property(o, key)
}

func (w *Watch) opGet(args []goja.Value) goja.Value { return w.read(args[0], args[1]) }

func (w *Watch) opCall(args []goja.Value) goja.Value {
	w.called = args[0]
	return w.apply(args[1], goja.Undefined(), args[2:])
}

func (w *Watch) opMethod(args []goja.Value) goja.Value {
	w.convert(args[2], nil)
	if of := args[1]; goja.IsUndefined(of) || goja.IsNull(of) {
		panic(w.vm.NewTypeError("Cannot read property '%s' of undefined or null", args[2]))
	}
	f := w.read(args[1], args[2])
	if goja.IsUndefined(f) {
		panic(w.vm.NewTypeError("Object has no member '%s'", args[2]))
	}
	w.called = args[0]
	return w.apply(f, args[1], args[3:])
}

func (w *Watch) opPlain(args []goja.Value) goja.Value {
	w.convert(args[0], nil)
	return args[0]
}

func (w *Watch) opFresh(args []goja.Value) goja.Value { return w.made(args[0], true) }

func (w *Watch) opIterate(args []goja.Value) goja.Value {
	w.iterate(args[0])
	return args[0]
}

func (w *Watch) opSpread(args []goja.Value) goja.Value { return w.check('e', args[0], 0) }

func (w *Watch) opKeys(args []goja.Value) goja.Value {
	if o, ok := args[0].(*goja.Object); ok {
		w.chain(o)
	}
	return args[0]
}

func (w *Watch) opOpen(args []goja.Value) goja.Value {
	if of := args[0]; !goja.IsUndefined(of) && !goja.IsNull(of) {
		for _, key := range args[1:] {
			w.read(of, key)
		}
	}
	return args[0]
}

func (w *Watch) opSystem(args []goja.Value) goja.Value { return w.SystemValue(args[0].String()) }

func (w *Watch) opRefuse(args []goja.Value) goja.Value {
	w.stop("%s", args[0])
	return nil
}

// opSet changes an object that was made during the evaluation.
func (w *Watch) opSet(args []goja.Value) goja.Value {
	o, ok := args[0].(*goja.Object)
	key, v := args[1], args[2]
	if !ok || !w.fresh[o] {
		w.stop("assigns to %s", args[3])
	}
	w.convert(key, nil)
	if _, symbol := key.(*goja.Symbol); symbol {
		w.stop("assigns to %s", args[3])
	}
	name := key.String()
	if name == "length" { // of an array
		w.convert(v, nil)
	}
	if !w.plain || name == "__proto__" {
		if d, _ := w.find(o, w.vm.ToValue(name)); d != nil && d.Get("value") == nil {
			w.stop("assigns to %s, which has a setter", args[3])
		}
	}
	native.Must(o.Set(name, v))
	return v
}

// opInstance is the operator instanceof.
func (w *Watch) opInstance(args []goja.Value) goja.Value {
	class, ok := args[1].(*goja.Object)
	if !ok {
		panic(w.vm.NewTypeError("Expecting a function in instanceof check, but got %s", args[1]))
	}
	if o, ok := args[0].(*goja.Object); ok {
		w.chain(o)
	}
	class = w.target(class)
	d, at := w.find(class, w.vm.ToValue("prototype"))
	if d == nil || at != class || d.Get("value") == nil || !w.is(w.property(class, goja.SymHasInstance), hasInstance) {
		w.stop("asks for instances of something that is not a simple class")
	}
	return w.vm.ToValue(w.vm.InstanceOf(args[0], class))
}

// opNew makes an object of a class of the library.
func (w *Watch) opNew(args []goja.Value) goja.Value {
	class, ok := args[0].(*goja.Object)
	if !ok {
		panic(w.vm.NewTypeError("Not a constructor"))
	}
	kind := byte('p') // of the arguments
	args = args[1:]
	switch {
	case w.is(class, arrayClass) && w.isArrayClass(class):
		kind = 'v'
	case w.is(class, dateClass, stringClass, numberClass, booleanClass):
		kind = 'c'
	case w.is(class, errorClass, regExpClass), w.is(class, objectClass) && len(args) == 0:
	case w.is(class, mapClass):
		kind = 'l'
		w.checkCollection(class)
	default:
		w.stop("constructs %s, a class that is not known to have no effect", w.name(class))
	}
	for _, arg := range args {
		if _, object := arg.(*goja.Object); object && kind == 'p' {
			w.stop("constructs %s of an object", w.name(class))
		}
		w.check(kind, arg, 0)
		w.iterate(arg) // AggregateError does
	}
	return w.made(native.Must1(w.vm.New(class, args...)), true)
}

// checkCollection stops if a class, which may be one of many of the library, is not Map or Set.
func (w *Watch) checkCollection(class *goja.Object) {
	empty, err := w.vm.New(class)
	if err == nil && empty.ExportType() == native.TypeMap && w.is(w.named(empty, "set"), mapSet) {
		return
	}
	if err == nil && empty.ExportType() == native.TypeList && empty.ClassName() != "Array" && w.is(w.named(empty, "add"), setAdd) {
		return
	}
	w.stop("constructs %s, a class that is not known to have no effect", w.name(class))
}
