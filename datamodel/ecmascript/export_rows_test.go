package ecmascript_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/scxmlrun/scxmlrun/datamodel"
)

// TestExportAgain changes a board at random and takes it out again and again.
// What one expression has for it must be what a new expression has, which
// nothing was kept for; and what is out must not change any more.
func TestExportAgain(t *testing.T) {
	items := []string{
		"0", "-0", "-(-0)", "1", "2", "255", "256", "2 ** 40", "2 ** 60", "0.5", "NaN", "true", "false", "null", "undefined", "''", "'x'", "'é'", "'é'.slice(1)",
		"'xé'.slice(0, 1)", "'x'.repeat(100)", "'é'.repeat(40)", "'🂡'", "1n", "Symbol()", "[]", "[1]", "{}", "new Date(0)", "[0, 0, 0]", "() => 1",
	}
	changes := []string{
		"b[R][C] = V", "b[R][C] = V", "b[R][C] = V", "b[R][C] = V", "b[R] = [V, V, V]", "b[R] = b[R].slice()", "b[R] = V", "b.push([V, V])",
		"b[R].push(V)", "b[R].length = C", "delete b[R][C]", "b.reverse()", "b[R].reverse()", "b = {b: b}.b", "b = [b[0], b]", "b = [[V, V, V], [V, V, V]]",
		"b[R] = Array(40).fill(V)", "b[R][C] = b[R][C]", "b[R][C] = -b[R][C]", "b[R][C]++", "b[R][C]--", "b.length = 2", "b = Array(40).fill([V, V])",
	}
	for seed := range uint64(200) {
		rng := rand.New(rand.NewPCG(seed, 1))
		st := newStore(t)
		st.set("b", "[[0, 0, 0], [0, 0, 0], [0, 0, 0]]")
		again := expr(datamodel.ValueExpr, "b")
		var log []string
		var before datamodel.Value
		for range 30 {
			change := changes[rng.IntN(len(changes))]
			for strings.Contains(change, "V") {
				change = strings.Replace(change, "V", items[rng.IntN(len(items))], 1)
			}
			change = strings.NewReplacer("R", fmt.Sprint(rng.IntN(3)), "C", fmt.Sprint(rng.IntN(3))).Replace(change)
			log = append(log, change)
			// What does not fit what there is, throws, which is nothing here.
			st.run("try { " + change + " } catch (e) {}; if (JSON.stringify(b, (k, v) => typeof v == 'bigint' ? 0 : v).length > 2000) b = [[1, 1]]")

			was := fmt.Sprintf("%#v", before)
			v, err := st.Value(again)
			got, want := "! "+fmt.Sprint(err), st.get("b")
			if err == nil {
				got = string(datamodel.AppendJSON(nil, v))
			}
			if got != want {
				t.Fatalf("seed %d, after %s:\n got %s\nwant %s", seed, strings.Join(log, "; "), got, want)
			}
			if now := fmt.Sprintf("%#v", before); now != was {
				t.Fatalf("seed %d, after %s, what was out became\n%s from\n%s", seed, strings.Join(log, "; "), now, was)
			}
			before = v
		}
	}
}

// TestExportRows looks for the rows that nothing happened to.
func TestExportRows(t *testing.T) {
	st := newStore(t)
	st.set("b", "[[1, 2], ['x', null], [0, 4]]")
	st.run("{}") // in the runtime
	e := expr(datamodel.ValueExpr, "b")
	value := func() []datamodel.Value {
		t.Helper()
		v, err := st.Value(e)
		if err != nil {
			t.Fatal(err)
		}
		return v.([]datamodel.Value)
	}
	same := func(a, b datamodel.Value) bool { return &a.([]datamodel.Value)[0] == &b.([]datamodel.Value)[0] }

	one := value()
	st.run("b[2][0] = -0")
	two := value()
	if !same(one[0], two[0]) || !same(one[1], two[1]) {
		t.Error("rows that are as they were have been copied")
	}
	if got := string(datamodel.AppendJSON(nil, two)); got != `[[1,2],["x",null],[{"$number":"-0"},4]]` {
		t.Errorf("-0 came out in %s", got)
	}
	st.run("b.shift()")
	if three := value(); len(three) != 2 || string(datamodel.AppendJSON(nil, three)) != `[["x",null],[{"$number":"-0"},4]]` {
		t.Errorf("after shift: %v", three)
	}

	// What is kept is bounded.
	for script, kept := range map[string]bool{
		"b = [Array(32).fill(1)]": true, "b = [Array(33).fill(1)]": false, "b = [['x'.repeat(64)]]": true, "b = [['x'.repeat(65)]]": false,
	} {
		st.run(script)
		if same(value()[0], value()[0]) != kept {
			t.Errorf("%s is kept: %t", script, !kept)
		}
	}
	st.run("b = Array(40).fill([1])") // the first array is b
	if one, two := value(), value(); !same(one[30], two[30]) || same(one[31], two[31]) {
		t.Error("not 32 arrays are kept")
	}

	st.run("b = [['x', null], [-0, 4]]")
	allocs := testing.AllocsPerRun(100, func() { _ = value() })
	if allocs > 12 {
		t.Errorf("%v allocations for a board that is as it was", allocs)
	}
}
