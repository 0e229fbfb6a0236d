package ecmascript_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/scxmlrun/scxmlrun/datamodel"
	"github.com/scxmlrun/scxmlrun/datamodel/ecmascript"
)

func TestOccurrences(t *testing.T) {
	language := ecmascript.New().(datamodel.Analyzer)
	for _, test := range []struct {
		kind       datamodel.Kind
		code, want string
	}{
		{datamodel.ValueExpr, "x + f(y.x, y['x'], `${x}`)", "x0 f4 y6 y11 x22"},
		{datamodel.ValueExpr, "({x, y: x, [x]: 1})", "{x}2 x8 x12"},
		{datamodel.Condition, "typeof x == 'x' && (y => x + y)(1)", "x7 x25"},
		{datamodel.Location, "x[i].x", "x0 i2"},
		{datamodel.Script, "var x = 1; let y; function f(x, {z}) { return x + y + w } class C {}; f(C)", "x4 y15 f27 y50 w54 C64 f70 C72"},
		{datamodel.Script, "x: for (;;) break x; try { x } catch (x) { x }", "x27"},
	} {
		names, err := language.Occurrences(test.kind, test.code)
		if err != nil {
			t.Errorf("%s: %v", test.code, err)
		}
		var got []string
		for _, n := range names {
			if !strings.HasPrefix(test.code[n.Offset:], n.Name) {
				t.Errorf("%s: %q is not at %d", test.code, n.Name, n.Offset)
			}
			if n.Short {
				n.Name = "{" + n.Name + "}"
			}
			got = append(got, fmt.Sprint(n.Name, n.Offset))
		}
		if got := strings.Join(got, " "); got != test.want {
			t.Errorf("%s names %s, want %s", test.code, got, test.want)
		}
	}
	if _, err := language.Occurrences(datamodel.ValueExpr, "x +"); err == nil {
		t.Error("code that cannot be parsed has names")
	}
}
