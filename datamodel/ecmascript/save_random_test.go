package ecmascript_test

import (
	"fmt"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/scxmlrun/scxmlrun/datamodel"
	"github.com/scxmlrun/scxmlrun/datamodel/ecmascript"
)

// describe is a script that tells all that another one can see of the graph in
// the variable g: each object once, by number, with its kind, what it holds, its
// prototype, its properties with their attributes, and whether it can be extended.
const describe = `
function describe(g) {
	const ids = new Map, open = [];
	function show(v) {
		switch (typeof v) {
		case 'number': return Object.is(v, -0) ? '-0' : String(v);
		case 'bigint': return v + 'n';
		case 'string': return '"' + Array.from({length: v.length}, (_, i) => v.charCodeAt(i).toString(16)) + '"';
		case 'symbol': return v.toString();
		case 'function':
		case 'object':
			if (v === null) return 'null';
			if (!ids.has(v)) { ids.set(v, ids.size); open.push(v); }
			return '#' + ids.get(v);
		}
		return String(v);
	}
	const protos = [Object.prototype, Array.prototype, Map.prototype, Set.prototype, Date.prototype, RegExp.prototype, Function.prototype,
		Error.prototype, TypeError.prototype, ArrayBuffer.prototype, DataView.prototype, Uint8Array.prototype, Float64Array.prototype,
		Number.prototype, String.prototype, Boolean.prototype, BigInt.prototype, null];
	function inside(v) {
		if (v instanceof Map) return [...v].map(e => show(e[0]) + '=>' + show(e[1])).join();
		if (v instanceof Set) return [...v].map(show).join();
		if (v instanceof Date) return show(v.getTime());
		if (v instanceof RegExp) return v.source + '/' + v.flags;
		if (v instanceof ArrayBuffer) return [...new Uint8Array(v)].join();
		if (v instanceof DataView) return show(v.buffer) + v.byteOffset + '+' + v.byteLength;
		if (v instanceof Uint8Array || v instanceof Float64Array) return show(v.buffer) + v.byteOffset + '+' + v.length;
		if (v instanceof Number || v instanceof String || v instanceof Boolean || v instanceof BigInt) return show(v.valueOf());
		if (typeof v === 'function') return v.toString();
		return '';
	}
	const out = [show(g)];
	for (let i = 0; i < open.length; i++) {
		const v = open[i], typed = v instanceof Uint8Array || v instanceof Float64Array;
		const props = typeof v === 'function' ? Object.keys(v) : Object.getOwnPropertyNames(v);
		out.push(i + ':' + protos.indexOf(Object.getPrototypeOf(v)) + (Object.isExtensible(v) ? '' : '!') + '(' + inside(v) + '){' + (typed ? [] : props).map(k => {
			const d = Object.getOwnPropertyDescriptor(v, k);
			return show(k) + (d.writable ? 'w' : '') + (d.enumerable ? 'e' : '') + (d.configurable ? 'c' : '') + ':' + show(d.value);
		}).join() + '}');
	}
	return out.join('\n');
}`

// randomGraph draws a script that puts a graph of objects into g.
func randomGraph(t *rapid.T) string {
	var b strings.Builder
	n := rapid.IntRange(1, 12).Draw(t, "objects")
	kinds := []string{"{}", "[]", "[,]", "new Map", "new Set", "Object.create(null)", "new Date(%d)", "new Date(NaN)", "/a(%d)/gi", "new Error('m%d')",
		"new TypeError('m')", "Object(%d)", "Object('s%d')", "Object(true)", "Object(%dn)", "new ArrayBuffer(%d)", "f", "function() { return %d }", "Math.max", "Array.prototype"}
	keys := rapid.SampledFrom([]string{"a", "b", "$", "$ref", "0", "1", "7", "-1", "", "x y", "length ", "é", "constructor", "__proto"})
	primitive := rapid.Custom(func(t *rapid.T) string {
		switch rapid.IntRange(0, 8).Draw(t, "primitive") {
		case 0:
			return rapid.SampledFrom([]string{"undefined", "null", "true", "false", "NaN", "Infinity", "-Infinity", "-0", "Symbol.iterator"}).Draw(t, "constant")
		case 1:
			return strconv.FormatInt(rapid.Int64().Draw(t, "bigint"), 10) + "n"
		case 2, 3:
			return strconv.FormatFloat(rapid.Float64().Draw(t, "float"), 'g', -1, 64)
		case 4, 5:
			var s strings.Builder
			for _, unit := range rapid.SliceOfN(rapid.Uint16(), 0, 5).Draw(t, "string") {
				fmt.Fprintf(&s, `\u%04x`, unit)
			}
			return `"` + s.String() + `"`
		}
		return strconv.Itoa(rapid.IntRange(-100, 1e9).Draw(t, "int"))
	})
	b.WriteString("function f() { return g }\nvar g = [];\n")
	chosen := make([]string, n)
	for i := range n {
		k := rapid.SampledFrom(kinds).Draw(t, "kind")
		chosen[i] = k
		if strings.Contains(k, "%d") {
			k = fmt.Sprintf(k, rapid.IntRange(0, 20).Draw(t, "parameter"))
		}
		fmt.Fprintf(&b, "g[%d] = %s;\n", i, k)
	}
	value := func() string {
		if rapid.Bool().Draw(t, "reference") {
			return fmt.Sprintf("g[%d]", rapid.IntRange(0, n-1).Draw(t, "to"))
		}
		return primitive.Draw(t, "value")
	}
	for range rapid.IntRange(0, 30).Draw(t, "links") {
		i := rapid.IntRange(0, n-1).Draw(t, "from")
		o := fmt.Sprintf("g[%d]", i)
		switch k := chosen[i]; {
		case k == "Math.max" || k == "Array.prototype":
		case k == "new Map":
			fmt.Fprintf(&b, "%s.set(%s, %s);\n", o, value(), value())
		case k == "new Set":
			fmt.Fprintf(&b, "%s.add(%s);\n", o, value())
		case strings.HasPrefix(k, "new ArrayBuffer"):
			switch rapid.IntRange(0, 2).Draw(t, "view") {
			case 0:
				fmt.Fprintf(&b, "g.push(new Uint8Array(%s));\n", o)
			case 1:
				fmt.Fprintf(&b, "g.push(new DataView(%s));\n", o)
			case 2:
				fmt.Fprintf(&b, "if (%s.byteLength >= 16) g.push(new Float64Array(%s, 8, 1));\n", o, o)
			}
		default:
			if k == "[]" && rapid.Bool().Draw(t, "push") {
				fmt.Fprintf(&b, "%s.push(%s);\n", o, value())
				continue
			}
			fmt.Fprintf(&b, "%s[%q] = %s;\n", o, keys.Draw(t, "key"), value())
		}
	}
	if rapid.IntRange(0, 2).Draw(t, "attributes") == 0 {
		for range rapid.IntRange(1, 4).Draw(t, "changes") {
			i := rapid.IntRange(0, n-1).Draw(t, "of")
			if k := chosen[i]; k == "f" || k == "Math.max" || k == "Array.prototype" || strings.HasPrefix(k, "function") || strings.HasPrefix(k, "new ArrayBuffer") {
				continue
			}
			switch rapid.IntRange(0, 3).Draw(t, "change") {
			case 0:
				fmt.Fprintf(&b, "Object.freeze(g[%d]);\n", i)
			case 1:
				fmt.Fprintf(&b, "Object.seal(g[%d]);\n", i)
			case 2:
				fmt.Fprintf(&b, "Object.preventExtensions(g[%d]);\n", i)
			case 3:
				fmt.Fprintf(&b, "try { Object.defineProperty(g[%d], %q, {value: %s, writable: %v, enumerable: %v, configurable: %v}) } catch (e) {}\n",
					i, keys.Draw(t, "key"), value(), rapid.Bool().Draw(t, "w"), rapid.Bool().Draw(t, "e"), rapid.Bool().Draw(t, "c"))
			}
		}
	}
	return b.String()
}

// What is saved and restored is what was there, as far as a script can tell,
// and saves the same bytes.
func TestSaveRandomGraphs(t *testing.T) {
	lang := ecmascript.New()
	compile := func(t *rapid.T, text string) datamodel.Expr {
		e, err := lang.Compile(datamodel.Script, datamodel.Source{Text: text, Pos: datamodel.Position{File: "chart.scxml", Line: len(text), Col: 1}})
		if err != nil {
			t.Fatalf("%v\n%s", err, text)
		}
		return e
	}
	tell := expr(datamodel.ValueExpr, "describe(g)")
	rapid.Check(t, func(t *rapid.T) {
		script := randomGraph(t)
		// The describing script has words that make every object be looked at.
		// So it is not among those of the chart, and runs after the saving.
		exprs := []datamodel.Expr{compile(t, script)}
		helper := compile(t, describe)
		store := func() datamodel.Store {
			st, err := lang.NewStore(patientHost())
			if err != nil {
				t.Fatal(err)
			}
			return st
		}
		run := func(st datamodel.Store, e datamodel.Expr) {
			if err := st.Run(e); err != nil {
				t.Fatalf("%v\n%s", err, script)
			}
		}
		told := func(st datamodel.Store) string {
			run(st, helper)
			v, err := st.Value(tell)
			if err != nil {
				t.Fatal(err)
			}
			return v.(string)
		}
		st := store()
		run(st, exprs[0])
		data, err := st.(datamodel.Saver).Save(exprs)
		if err != nil {
			t.Fatalf("%v\n%s", err, script)
		}
		next := store()
		if err := next.(datamodel.Saver).Load(data, exprs); err != nil {
			t.Fatalf("%v\n%s\n%s", err, script, data)
		}
		again, err := next.(datamodel.Saver).Save(exprs)
		if err != nil || string(again) != string(data) {
			t.Fatalf("saved again: %v\n got %s\nwant %s\n%s", err, again, data, script)
		}
		if got, want := told(next), told(st); got != want {
			t.Fatalf("got\n%s\nwant\n%s\nof %s\nmade by\n%s", got, want, data, script)
		}
	})
}
