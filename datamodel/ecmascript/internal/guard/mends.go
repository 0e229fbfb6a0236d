package guard

import (
	"math"
	"time"

	"github.com/dop251/goja"

	"github.com/scxmlrun/scxmlrun/datamodel/ecmascript/internal/native"
)

// These functions make calls right that goja gets wrong. What is not as easily mended is listed in
// conformance/SUPPORTED.md.

// sign is for Math.sign, which returns some arguments as they are.
func (g *Guards) sign(call *goja.FunctionCall) {
	call.Arguments = []goja.Value{call.Argument(0).ToNumber()}
}

// milliseconds is for setMilliseconds and setUTCMilliseconds, which round a time before 1970 up to a
// second.
func (g *Guards) milliseconds(call *goja.FunctionCall) {
	n := call.Argument(0).ToNumber()
	call.Arguments = []goja.Value{n}
	o, ok := call.This.(*goja.Object)
	if !ok || o.ExportType() != native.TypeTime {
		return
	}
	if t, ok := o.Export().(time.Time); ok && t.UnixMilli() < 0 && t.Nanosecond() != 0 {
		call.Arguments = []goja.Value{g.vm.ToValue(math.Trunc(n.ToFloat()) - 1000)}
	}
}

// replaceAll is for the search for an empty string, which does not end in a string that is not ASCII.
// An empty regular expression finds the same.
func (g *Guards) replaceAll(call *goja.FunctionCall) {
	search := call.Argument(0)
	if o, ok := search.(*goja.Object); ok {
		if v := o.GetSymbol(goja.SymReplace); v != nil && !goja.IsUndefined(v) && !goja.IsNull(v) {
			return
		}
	}
	if _, ok := search.(*goja.Symbol); ok || goja.IsUndefined(call.This) || goja.IsNull(call.This) {
		return
	}
	if search = search.ToString(); search.String() == "" {
		class := native.Class(g.vm, "RegExp")
		search = native.Must1(g.vm.New(class, g.vm.ToValue("(?:)"), g.vm.ToValue("g")))
	}
	call.Arguments = []goja.Value{search, call.Argument(1)}
}

// ofNegative is for toPrecision and toExponential, which lose digits of negative numbers that are
// rounded up: -9.96 to two digits.
func ofNegative(method string) func(*Guards) {
	return func(g *Guards) {
		g.replace(native.Prototype(g.vm, "Number"), method, func(f native.Func, call goja.FunctionCall) goja.Value {
			if t := call.This.ExportType(); t != native.TypeInt && t != native.TypeFloat {
				return f(call)
			}
			n := g.vm.ToValue(call.This.Export()).ToFloat() // of a Number object, without its valueOf
			if n >= 0 || math.IsNaN(n) {
				return f(call)
			}
			call.This = g.vm.ToValue(-n)
			return g.vm.ToValue("-" + f(call).String())
		})
	}
}
