package native

import (
	"errors"
	"strings"
	"testing"

	"github.com/dop251/goja"
)

// What Go took of the library stays, whatever a script does to it.
func TestLibrary(t *testing.T) {
	vm := goja.New()
	l := &Library{VM: vm}
	l.Keep()
	v, err := vm.RunString("Function.prototype.apply = null; Object.prototype.hasOwnProperty = null; Date = 1; [1, , null, undefined]")
	if err != nil {
		t.Fatal(err)
	}
	items, err := l.Elements(v.(*goja.Object))
	if err != nil || len(items) != 4 || !goja.IsNull(items[2]) || items[1] != nil && !goja.IsUndefined(items[1]) {
		t.Errorf("got %v, %v", items, err)
	}
	if !l.HasOwn(v.(*goja.Object), "0") || l.HasOwn(v.(*goja.Object), "1") {
		t.Error("HasOwn does not tell a hole from an item")
	}
	if v, err := vm.RunString("({length: 4e9})"); err != nil {
		t.Fatal(err)
	} else if _, err := l.Elements(v.(*goja.Object)); err == nil {
		t.Error("an array of 4e9 items has elements")
	}
	if f := New(vm, "f", func(goja.FunctionCall) goja.Value { return nil }); f.Get("name").String() != "f" {
		t.Error("a function has another name")
	}
}

// Only what goja throws, or where it fails, is taken for its panic.
func TestThrown(t *testing.T) {
	vm := goja.New()
	thrown := func(f func()) (thrown bool) {
		defer func() { thrown = Thrown(recover()) }()
		f()
		t.Fatal("no panic")
		return false
	}
	script := func(code string) goja.Value { return Must1(vm.RunString(code)) }
	interrupted := goja.New()
	interrupted.Interrupt("now")
	for name, f := range map[string]func(){
		"an exception":        func() { script("throw 1") },
		"a let without value": func() { vm.RunString("let early = early"); vm.Get("early") },
		"a TypeError": func() {
			script("Object.getOwnPropertyDescriptor(Map.prototype, 'size').get").Export().(Func)(goja.FunctionCall{This: vm.ToValue(1)})
		},
		"a getter":        func() { script("({get x() { throw 1 }})").(*goja.Object).Get("x") },
		"an interrupt":    func() { Must1(interrupted.RunString("1")) },
		"a thrown value":  func() { panic(vm.NewTypeError("x")) },
		"a fault of goja": func() { (*goja.Object)(nil).Get("x") },
	} {
		if !thrown(f) {
			t.Errorf("%s: not of goja", name)
		}
	}
	var none []int
	fault := func(goja.FunctionCall) goja.Value { return vm.ToValue(none[len(none)]) }
	vm.Set("fault", fault)
	for name, f := range map[string]func(){
		"a fault":                         func() { fault(goja.FunctionCall{}) },
		"an error":                        func() { panic(errors.New("x")) },
		"a text":                          func() { panic("x") },
		"a fault below a script":          func() { script("fault()") },
		"a fault below a try":             func() { script("try { fault() } finally { 1 }") },
		"a fault in the standard library": func() { _ = strings.Repeat("x", -1) },
	} {
		if thrown(f) {
			t.Errorf("%s: taken for a panic of goja", name)
		}
	}
}
