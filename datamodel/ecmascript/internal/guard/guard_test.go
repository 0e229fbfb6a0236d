package guard

import (
	"strings"
	"testing"

	"github.com/dop251/goja"

	"github.com/scxmlrun/scxmlrun/datamodel"
	"github.com/scxmlrun/scxmlrun/datamodel/ecmascript/internal/native"
	"github.com/scxmlrun/scxmlrun/datamodel/ecmascript/internal/syntax"
)

type session struct{}

func (session) Interrupted() bool { return false }

// The names in a text, and what it does, put up the guard that its code meets.
func TestNeeds(t *testing.T) {
	for _, text := range []string{
		"'x'.repeat(1e9)", "'x'.padEnd(1e9)", "JSON.parse('['.repeat(1e5) + ']'.repeat(1e5))", "Array(1e9).fill(1)", "Array(1e9).map(x => x)",
		"var a = [], b = a; for (var i = 0; i < 2e3; i++) b = [b]; String(b)", "[...Array(1e9)]", "[...Array(1e9).keys()]", "Math.max(...Array(1e9))", "new Set(Array(1e9))",
		"Array.from({length: 1e9})", "2n ** 1000000000n", "var a = 1n; a <<= 1n << 40n", "BigInt.asUintN(1e12, -1n)", "Array(1e4).join('x'.repeat(1e5))",
		"var s = 'x'.repeat(2e8); JSON.stringify({[s]: s})", "function* g() { yield* g() } g().next()", "RangeError = 5; 'x'.repeat(1e9)",
		"[...{[Symbol.iterator]: () => ({next: () => ({})})}]", "var it = [].values(); it.next = Object; new Set(it)",
	} {
		vm := goja.New()
		var g Guards
		g.Make(session{}, vm, &native.Library{VM: vm}, syntax.DefaultLimits, 1e5, MaxString)
		var n Needs
		tree, err := syntax.DefaultLimits.Script(&datamodel.Source{Text: text}, n.Name)
		if err != nil {
			t.Fatal(err)
		}
		n.Add(tree.Facts)
		g.Raise(n)
		if g.Lacks(n) {
			t.Errorf("%s: a guard is not up", text)
		}
		code, err := tree.Compile()
		if err != nil {
			t.Fatal(err)
		}
		if _, err := vm.RunProgram(code); err == nil || !strings.Contains(err.Error(), "RangeError: the ") && !strings.Contains(err.Error(), "RangeError: functions") {
			t.Errorf("%s: got %v", text, err)
		}
	}
}
