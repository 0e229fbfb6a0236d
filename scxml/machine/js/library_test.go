package js_test

import (
	"encoding/json"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/scxmlrun/scxmlrun/scxml/machine/js"
)

// Known knows what the interpreter has, and what is compiled can be called.
func TestKnown(t *testing.T) {
	interpret := newInterpreter(t, "")
	for kind, of := range map[string]struct {
		text string
		v    js.Value
	}{
		"array": {"Array.prototype", js.Array()}, "string": {"String.prototype", js.String("a")}, "number": {"Number.prototype", js.Number(1)}, "boolean": {"Boolean.prototype", js.Bool(true)},
		"object": {"Object.prototype", js.NewObject().Value()}, "function": {"(function () {})", js.Value{}},
		"Array": {"Array", js.Value{}}, "JSON": {"JSON", js.Value{}}, "Math": {"Math", js.Value{}}, "Number": {"Number", js.Value{}}, "Object": {"Object", js.Value{}}, "String": {"String", js.Value{}},
	} {
		var names []string
		if err := json.Unmarshal([]byte(interpret("JSON.stringify(Object.getOwnPropertyNames("+of.text+"))")), &names); err != nil || len(names) < 3 {
			t.Fatal(kind, names, err)
		}
		compiled := 0
		for _, name := range names {
			exists, is := js.Known(kind, name)
			if !exists && name != "length" && name != "name" {
				t.Errorf("%s: %s is not known", kind, name)
			}
			if is {
				compiled++
			}
			if kind != strings.ToLower(kind) || of.v.IsUndefined() || name == "length" {
				continue
			}
			thrown, failed := js.Try(func() { js.Method(of.v, name) })
			if text := thrown.ToText(); is && failed && (strings.Contains(text, "no member") || strings.Contains(text, "not compiled")) {
				t.Errorf("%s: %s is compiled, but %s", kind, name, text)
			} else if !is && text != "TypeError: the method "+name+" is not compiled" {
				t.Errorf("%s: %s is not compiled, but %v", kind, name, thrown)
			}
		}
		if compiled == 0 && kind != "function" {
			t.Errorf("%s: nothing is compiled", kind)
		}
		if exists, _ := js.Known(kind, "none"); exists {
			t.Errorf("%s: none exists", kind)
		}
		for _, name := range []string{"toString", "hasOwnProperty", "__proto__"} {
			if exists, _ := js.Known(kind, name); !exists {
				t.Errorf("%s: %s does not exist", kind, name)
			}
		}
	}
}

// Methods with a function in place do what they do with one that is a value.
func TestFunctionsInPlace(t *testing.T) {
	g := generator{rand.New(rand.NewPCG(2, 47))}
	for range *cases / 4 {
		kinds := []js.Value{g.array(2), g.value(2)}
		v := pick(g, kinds)
		odd := g.IntN(2) == 0
		test := func(x js.Value, i float64) bool { return (js.Mod(i, 2) == 1) == odd || x.Type() == js.TypeString }
		change := func(x js.Value, i float64) js.Value {
			if js.IsArray(v) && js.Mod(i, 3) == 0 {
				js.Method(v, "shift")
			}
			return js.Array(x, js.Number(i))
		}
		compare := func(a, b js.Value) float64 { return js.Length(a.ToText()) - js.Length(b.ToText()) }
		testValue := js.Function(func(a []js.Value) js.Value { return js.Bool(test(a[0], a[1].Number())) })
		changeValue := js.Function(func(a []js.Value) js.Value { return change(a[0], a[1].Number()) })
		start := g.value(1)
		for name, c := range map[string]struct {
			inPlace func() js.Value
			args    []js.Value
		}{
			"every":     {func() js.Value { return js.Bool(js.Every(v, test)) }, []js.Value{testValue}},
			"some":      {func() js.Value { return js.Bool(js.Some(v, test)) }, []js.Value{testValue}},
			"filter":    {func() js.Value { return js.Filter(v, test) }, []js.Value{testValue}},
			"find":      {func() js.Value { return js.Find(v, test) }, []js.Value{testValue}},
			"findIndex": {func() js.Value { return js.Number(js.FindIndex(v, test)) }, []js.Value{testValue}},
			"forEach": {func() js.Value { js.ForEach(v, func(x js.Value, i float64) { change(x, i) }); return js.Value{} },
				[]js.Value{changeValue}},
			"map":  {func() js.Value { return js.Map(v, change) }, []js.Value{changeValue}},
			"sort": {func() js.Value { return js.Sort(v, compare) }, []js.Value{js.Function(func(a []js.Value) js.Value { return js.Number(compare(a[0], a[1])) })}},
			"push": {func() js.Value { return js.Number(js.Push(v, start)) }, []js.Value{start}},
		} {
			original := v
			v = original.Copy()
			want := tried(v, func(js.Value) js.Value { return js.Method(v, name, c.args...) })
			v = original.Copy()
			if got := tried(v, func(js.Value) js.Value { return c.inPlace() }); got != want {
				t.Errorf("%s of %s\n got %s\nwant %s", name, show(original), got, want)
			}
			v = original
		}
	}
}

// Letters become capital and small as they do in the interpreter, in blocks of all characters and in words with sigmas.
func TestLetters(t *testing.T) {
	interpret := newInterpreter(t, "")
	var texts []string
	for first := rune(0); first < 0x20000; first += 0x800 {
		var b strings.Builder
		for r := first; r < first+0x800; r++ {
			if r < 0xd800 || r > 0xdfff {
				b.WriteString(string(r) + " ")
			}
		}
		texts = append(texts, b.String())
	}
	g := generator{rand.New(rand.NewPCG(4, 47))}
	for range 500 {
		text := ""
		for range g.IntN(6) {
			text += pick(g, []string{"Σ", "Σ", "α", "A", " ", ".", "'", "1", "\u0301", "\u00ad", "ß", "ﬁ", "\U0001d400", "-"})
		}
		texts = append(texts, text)
	}
	for _, s := range texts {
		for _, name := range []string{"toUpperCase", "toLowerCase"} {
			want := interpret(quoted(s) + "." + name + "()")
			if got := js.Method(js.String(s), name).Text(); got != want {
				for i, r := range []rune(got) {
					if w := []rune(want); i >= len(w) || w[i] != r {
						t.Errorf("%s of %.20q\n got %+.20q\nwant %+.20q", name, s, string([]rune(got)[i:]), want)
						break
					}
				}
			}
		}
	}
}
