package es_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/scxmlrun/scxmlrun/datamodel"
	"github.com/scxmlrun/scxmlrun/scxml/compile/internal/es"
)

// A function that is called with several types is made for each, and one that is called from it, too.
func TestVariants(t *testing.T) {
	const max, twice = "function max(a, b) { return a > b ? a : b } ", "function twice(x) { var y = max(x, x); return x + y } "
	for _, test := range []struct{ script, n, s, want string }{
		{max, "max(n, 3)", "max(s, 'x')", "max(a float64, b float64) float64; max(a string, b string) string"},
		{max, "max(n, 3)", "s + max(n, 4)", "max(a float64, b float64) float64"},
		{max, "max(max(n, 1), 3)", "max(s, max('x', s))", "max(a float64, b float64) float64; max(a string, b string) string"},
		{max + twice, "twice(n)", "twice(s)",
			"max(a float64, b float64) float64; max(a string, b string) string; twice(x float64) float64; twice(x string) string"},
		{"function count(x, n) { return n === 0 ? x : count(x + x, n - 1) }", "count(n, 2)", "count(s, 2)",
			"count(x float64, n float64) float64; count(x string, n float64) string"},
		{"function more(x, n) { return n < 1 ? x : more(half(x) + x, n - 1) } function half(x) { return x + x }", "more(n, 2)", "more(s, 2)",
			"more(x float64, n float64) float64; more(x string, n float64) string; half(x float64) float64; half(x string) string"},
		{"function text(x) { return '<' + x + '>' }", "n + 1", "text(s) + text(1) + text(true)",
			"text(x string) string; text(x float64) string; text(x bool) string"},
		// What can be anything is made once, such as what is handed on.
		{"function id(x) { return x }", "n + 1", "'' + id(n) + id([])", "id(x js.Value) js.Value"},
		{"function id(x) { return x }", "[1].map(id).length", "'' + id('a') + id(1)", "id(x js.Value) js.Value"},
		// The fifth tuple of types and all others share a method.
		{"function five(a, b) { return '' + a + b }", "n + 1",
			"five(1, 1) + five(1, 'a') + five('a', 1) + five('a', 'a') + five(true, 1)", "five(a bool, b float64) string; five(a float64, b float64) string; five(a float64, b string) string; five(a string, b float64) string; five(a string, b string) string"},
		{"function even(x, n) { return n < 1 ? x : odd(x, n - 1) } function odd(x, n) { return n < 1 ? x : even(x, n - 1) }", "even(n, 4)", "even(s, 3)",
			"even(x float64, n float64) float64; even(x string, n float64) string; odd(x float64, n float64) float64; odd(x string, n float64) string"},
	} {
		script, n, s, nth, sth := source(test.script), source("n"), source("s"), source(test.n), source(test.s)
		solve := func(divided map[string]bool) *es.Chart {
			x := es.New([]es.Item{{ID: "n", Init: source("0")}, {ID: "s", Init: source("''")}}, names)
			x.Divide(divided)
			x.AddScript(script, true, false)
			x.AddAssign(x.Add(datamodel.Location, n, false), x.Add(datamodel.ValueExpr, nth, false))
			x.AddAssign(x.Add(datamodel.Location, s, false), x.Add(datamodel.ValueExpr, sth, false))
			if problems := x.Solve(); problems != nil {
				t.Errorf("%s: %v", test.script, problems)
			}
			return x
		}
		x := solve(nil)
		if mixed := x.Mixed(); len(mixed) > 0 {
			x = solve(mixed)
		}
		var got []string
		for _, f := range x.Funcs() {
			got = append(got, fmt.Sprintf("%s%s", f.Name, f.Signature))
		}
		if all := strings.Join(got, "; "); all != test.want {
			t.Errorf("%s, n = %s, s = %s:\n%s\nwant\n%s", test.script, test.n, test.s, all, test.want)
		}
	}
}
