package native

import (
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
