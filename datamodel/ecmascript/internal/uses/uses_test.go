package uses

import (
	"fmt"
	"strings"
	"testing"

	"github.com/scxmlrun/scxmlrun/datamodel"
	"github.com/scxmlrun/scxmlrun/datamodel/ecmascript/internal/syntax"
)

func name(k datamodel.UseKind) string {
	return [...]string{"comparison", "order", "membership", "lookup", "flow", "truth", "mention", "call"}[k]
}

func show(o datamodel.Operand) string {
	if o.Text == "" {
		return strings.Join(o.Path, ".")
	}
	return o.Text
}

func TestUses(t *testing.T) {
	for _, test := range []struct {
		kind datamodel.Kind
		code string
		want string
	}{
		{datamodel.Condition, "_event.data.x > limit", "order _event.data.x limit; order limit _event.data.x"},
		{datamodel.Condition, "a.b === 'on' && !c.d", "comparison a.b 'on'; truth c.d"},
		{datamodel.Condition, "coins + _event.data.by <= 3 * most", "order coins (3 * most) - (_event.data.by); order _event.data.by (3 * most) - (coins); order most (coins + _event.data.by) / (3)"},
		{datamodel.Condition, "most - n == 2", "comparison most (2) + (n); comparison n (most) - (2)"},
		{datamodel.ValueExpr, "x.a ? prices[x.b] : {}", "truth x.a; lookup x.b prices"},
		{datamodel.ValueExpr, "list.includes(x.id) || 'k' in o", "membership x.id list"},
		{datamodel.Script, "var p = _event.data.q; total = p;", "flow _event.data.q p; flow p total"},
		{datamodel.Script, "var {a, b: c} = e.data", "flow e.data.a a; flow e.data.b c"},
		{datamodel.Script, "function f(n, m) { var k = n; return k < 3 && m.z == 1 } f(x.y, 2)", "flow f/0 f/n; flow f/1 f/m; flow f/n f/k; order k 3; comparison m.z 1; call f; flow x.y f/0"},
		{datamodel.Script, "cart.some(i => i.id == x.id)", "flow cart.[] function1/0; flow function1/0 function1/i; comparison i.id x.id; comparison x.id i.id"},
		{datamodel.Script, "switch (x.y) { case 1: case 'two': }", "comparison x.y 1; comparison x.y 'two'"},
		{datamodel.Script, "cart.push(x.item)", "flow x.item cart.[]"},
		{datamodel.Condition, "1 +", ""},
		{datamodel.Condition, "a); (b", ""},
	} {
		var got []string
		for _, u := range Of(syntax.DefaultLimits, test.kind, test.code) {
			if u.Kind != datamodel.UseMention {
				value := show(u.Value)
				if u.Kind == datamodel.UseFlow {
					value = strings.Join(u.Value.Path, ".")
				}
				got = append(got, strings.TrimSpace(fmt.Sprintf("%s %s %s", name(u.Kind), value, show(u.With))))
			}
		}
		if text := strings.Join(got, "; "); text != test.want {
			t.Errorf("%s\n got %q\nwant %q", test.code, text, test.want)
		}
	}
}
