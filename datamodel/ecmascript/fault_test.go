package ecmascript

import (
	"testing"

	"github.com/dop251/goja"

	"github.com/scxmlrun/scxmlrun/datamodel/ecmascript/internal/fast"
)

// A closure that reads what only a script can tell about gives up. A fault of ours is not taken for
// that.
func TestClosuresShowFaults(t *testing.T) {
	vm := goja.New()
	vm.RunString("let dead = dead")
	env := &fast.Env{VM: vm}
	if _, ok := careful(func(e *fast.Env) (bool, bool) { return e.VM.Get("dead") == nil, true }, env); ok {
		t.Error("a let without a value has one")
	}
	defer func() {
		if recover() == nil {
			t.Error("a fault of ours is hidden")
		}
	}()
	careful(func(e *fast.Env) (bool, bool) { return e.Items.Value(1).IsPrimitive(), true }, env)
}
