package guard

import (
	"strings"
	"testing"

	"github.com/dop251/goja"

	"github.com/scxmlrun/scxmlrun/datamodel"
	"github.com/scxmlrun/scxmlrun/datamodel/ecmascript/internal/native"
	"github.com/scxmlrun/scxmlrun/datamodel/ecmascript/internal/syntax"
)

type session struct{ admitted bool }

func (*session) Interrupted() bool { return false }
func (s *session) AdmitAll()       { s.admitted = true }

// The names in a text, and what it does, put up the guard that its code meets.
func TestNeeds(t *testing.T) {
	for _, text := range []string{
		"'x'.repeat(1e9)", "'x'.padEnd(1e9)", "JSON.parse('['.repeat(1e5) + ']'.repeat(1e5))", "new Uint8Array(1e9)", "new RegExp('('.repeat(1e4) + ')'.repeat(1e4))",
		"Array(1e9).fill(1)", "Array(1e9).map(x => x)", "Array(1e9).some(x => x)", "Math.max.apply(null, {length: 1e9})", "var a = [], b = a; for (var i = 0; i < 2e3; i++) b = [b]; String(b)",
		"var f = 'repeat'; [' '][0][f](1e9)", "var k = 'constructor'; (() => 1)[k]('('.repeat(1e4))", "(0, eval)('('.repeat(1e4))",
	} {
		vm, s := goja.New(), &session{}
		var g Guards
		g.Make(s, vm, &native.Library{VM: vm}, syntax.DefaultLimits)
		var n Needs
		tree, err := syntax.DefaultLimits.Script(&datamodel.Source{Text: text}, n.Name)
		if err != nil {
			t.Fatal(err)
		}
		n.Add(tree.Facts)
		if tree.Facts&syntax.Computes != 0 {
			g.Raise(&All) // as a store does for what also sees the global object
		}
		g.Raise(&n)
		if g.Lacks(&n) && n.taken == nil {
			t.Errorf("%s: a guard is not up", text)
		}
		code, err := tree.Compile()
		if err != nil {
			t.Fatal(err)
		}
		if _, err := vm.RunProgram(code); err == nil || !strings.Contains(err.Error(), "RangeError") {
			t.Errorf("%s: got %v", text, err)
		}
		if code := strings.Contains(text, "eval") || strings.Contains(text, "constructor"); s.admitted != code {
			t.Errorf("%s: code that nobody has looked at was announced: %v", text, s.admitted)
		}
	}
}
