package uses_test

import (
	"strings"
	"testing"

	"github.com/scxmlrun/scxmlrun/datamodel"
	"github.com/scxmlrun/scxmlrun/datamodel/ecmascript/internal/syntax"
	"github.com/scxmlrun/scxmlrun/datamodel/ecmascript/internal/uses"
)

func TestReads(t *testing.T) {
	for code, want := range map[string]string{
		"n":                               "n",
		"total + _event.data.price * n":   "total, _event.data.price, n",
		"cart.items[i].price > cart['x']": "cart.items, i, cart.x",
		"a.b.c() + f(g, h.i)":             "a.b, g, h.i",
		"list.filter(x => x > m).length":  "list",
		"a[b[c]].d":                       "a, b, c",
		"n + n":                           "n",
		"this.x + 'y' + 1":                "",
		"a +":                             "",
		"o?.p":                            "o.p",
		"Math.max(n, JSON.parse(s).k)":    "n, s",
		"n === undefined || isNaN(n)":     "n",
	} {
		if got := joined(uses.Reads(syntax.DefaultLimits, datamodel.ValueExpr, code, nil)); got != want {
			t.Errorf("%s reads %q, want %q", code, got, want)
		}
	}
	if got, want := joined(uses.Reads(syntax.DefaultLimits, datamodel.ValueExpr, "Date > Math.max(n)", []string{"Date", "n"})), "Date, n"; got != want {
		t.Errorf("with data it reads %q, want %q", got, want)
	}
	if got, want := joined(uses.Reads(syntax.DefaultLimits, datamodel.Script, "n = m; n += 1; o.p = q; items.push(r); var v = w;", nil)), "m, n, o.p, q, items, r, w"; got != want {
		t.Errorf("a script reads %q, want %q", got, want)
	}
}

func joined(paths [][]string) string {
	var all []string
	for _, p := range paths {
		all = append(all, strings.Join(p, "."))
	}
	return strings.Join(all, ", ")
}
