package ecmascript_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/scxmlrun/scxmlrun/datamodel"
	"github.com/scxmlrun/scxmlrun/datamodel/ecmascript"
)

// A codeWriter draws code: functions within functions and blocks, with
// variables of all kinds, that put functions into the array fs.
type codeWriter struct {
	strings.Builder
	t     *rapid.T
	names [][]string // variables of the functions and blocks around
	funcs [][]string
	next  int
}

func (w *codeWriter) draw(n int, what string) int { return rapid.IntRange(0, n-1).Draw(w.t, what) }

// name returns a new name, which now and then is one that is there already.
func (w *codeWriter) name() string {
	if w.draw(6, "known name") == 0 {
		return "v" + fmt.Sprint(w.draw(3, "name"))
	}
	w.next++
	return "v" + fmt.Sprint(w.next)
}

func (w *codeWriter) visible(of [][]string) string {
	var all []string
	for _, names := range of {
		all = append(all, names...)
	}
	if len(all) == 0 {
		return ""
	}
	return all[w.draw(len(all), "variable")]
}

func (w *codeWriter) value() string {
	v := w.visible(w.names)
	switch n := w.draw(8, "value"); {
	case v != "" && n < 3:
		return v
	case v != "" && n == 3:
		return v + " + 1"
	case n == 4:
		return "Math.abs(-3)"
	case n == 5:
		return "-2 * 3"
	}
	return fmt.Sprint(w.draw(9, "number"))
}

func (w *codeWriter) function() string {
	body := func() string {
		f := w.visible(w.funcs)
		v := w.visible(w.names)
		switch n := w.draw(6, "body"); {
		case n == 0 && v != "":
			return fmt.Sprintf("try { %s = %s + 1 } catch (e) {} return String(%s)", v, v, w.value())
		case n < 3 && f != "":
			return fmt.Sprintf("return depth > 20 ? 'deep' : (depth++, String(%s()) + %s)", f, w.value())
		case n == 3 && f != "":
			return fmt.Sprintf("return [%s].length", f)
		}
		return fmt.Sprintf("return String(%s)", w.value())
	}
	switch w.draw(3, "function") {
	case 0:
		return "() => { " + body() + " }"
	case 1:
		return "function() { " + body() + " }"
	}
	return "function own() { " + body() + " }"
}

func (w *codeWriter) block(depth int) {
	w.names, w.funcs = append(w.names, nil), append(w.funcs, nil)
	for range 1 + w.draw(6, "statements") {
		top := len(w.names) - 1
		switch n := w.draw(12, "statement"); n {
		case 0, 1, 2:
			name := w.name()
			fmt.Fprintf(w, "%s %s = %s;\n", []string{"var", "let", "const"}[w.draw(3, "keyword")], name, w.value())
			w.names[top] = append(w.names[top], name)
		case 3:
			name := w.name()
			fmt.Fprintf(w, "function %s() { ", name)
			w.funcs[top] = append(w.funcs[top], name)
			fmt.Fprintf(w, "return (%s)() }\n", w.function())
		case 4:
			name := w.name()
			fmt.Fprintf(w, "%s %s = %s;\n", []string{"var", "let", "const"}[w.draw(3, "keyword")], name, w.function())
			w.funcs[top] = append(w.funcs[top], name)
		case 5, 6, 7:
			fmt.Fprintf(w, "fs.push(%s);\n", w.function())
		case 8:
			if f := w.visible(w.funcs); f != "" {
				fmt.Fprintf(w, "fs.push(%s);\n", f)
			}
		case 9:
			if v := w.visible(w.names); v != "" {
				fmt.Fprintf(w, "%s = %s;\n", v, w.value())
			}
		case 10:
			if depth > 0 {
				fmt.Fprintf(w, "%s {\n", []string{"", "if (1)", "for (let q = 0; q < 2; q++)", "for (var p of [1, 2])", "try { throw 1 } catch (v1)"}[w.draw(5, "block")])
				w.block(depth - 1)
				w.WriteString("}\n")
			}
		default:
			if depth > 0 {
				fmt.Fprintf(w, "(%s {\n", []string{"function()", "() =>", "function(v1)", "(v2 = 3) =>"}[w.draw(4, "nested")])
				w.block(depth - 1)
				w.WriteString("})();\n")
			}
		}
	}
	w.names, w.funcs = w.names[:len(w.names)-1], w.funcs[:len(w.funcs)-1]
}

// A saved function works like one that was not saved: none comes back
// with a state that it had once.
func TestSaveRandomClosures(t *testing.T) {
	lang := ecmascript.New()
	call := expr(datamodel.ValueExpr, `(() => { var out = []; for (var round = 0; round < 3; round++) for (var f of fs) { depth = 0; try { out.push(f()) } catch (e) { out.push(e.name) } } return out.join() })()`)
	kept, all := 0, 0
	rapid.Check(t, func(t *rapid.T) {
		w := &codeWriter{t: t, names: [][]string{{"global"}}, funcs: [][]string{nil}}
		w.block(3)
		// Each function in fs is saved on its own, for one that is refused
		// would hide all others.
		script, err := lang.Compile(datamodel.Script, source("var fs = [], depth = 0, global = 7;\ntry { (function() {\n"+w.String()+"})() } catch (e) {}"))
		if err != nil {
			t.Skip("declared twice")
		}
		count := 0
		for i := 0; i == 0 || i < count; i++ {
			only := expr(datamodel.Script, fmt.Sprintf("var count = fs.length; fs = fs.slice(%d, %d)", i, i+1))
			exprs := []datamodel.Expr{script, only}
			st, err := lang.NewStore(patientHost())
			if err != nil {
				t.Fatal(err)
			}
			for _, e := range exprs {
				if err := st.Run(e); err != nil {
					t.Skip(err)
				}
			}
			v, _ := st.Value(expr(datamodel.ValueExpr, "count"))
			n, _ := v.(int64)
			count = int(n)
			all++
			data, err := st.(datamodel.Saver).Save(exprs)
			if errors.Is(err, datamodel.ErrNotSerializable) {
				continue
			}
			if err != nil {
				t.Fatal(err)
			}
			kept++
			next, err := lang.NewStore(patientHost())
			if err != nil {
				t.Fatal(err)
			}
			if err := next.(datamodel.Saver).Load(data, exprs); err != nil {
				t.Fatalf("%v\n%s\n%s", err, data, script.Source().Text)
			}
			want, err := st.Value(call)
			if err != nil {
				t.Fatal(err)
			}
			if got, err := next.Value(call); err != nil || got != want {
				t.Fatalf("%v\n got %v\nwant %v\n%s\nfrom %s", err, got, want, data, script.Source().Text)
			}
		}
	})
	if kept == 0 || kept == all && all > 100 { // of a few it can be so by chance
		t.Errorf("of %d functions %d could be saved", all, kept)
	}
	t.Logf("of %d functions %d could be saved", all, kept)
}
