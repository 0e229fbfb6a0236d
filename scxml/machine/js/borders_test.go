package js_test

import (
	"context"
	"encoding/json"
	"errors"
	"math"
	"math/big"
	"math/rand/v2"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/scxmlrun/scxmlrun/datamodel"
	"github.com/scxmlrun/scxmlrun/datamodel/ecmascript"
	"github.com/scxmlrun/scxmlrun/scxml/machine/js"
)

// neutral returns data that have left a machine as the interpreter has them.
func neutral(x any) datamodel.Value {
	switch x := x.(type) {
	case js.NullType:
		return datamodel.Null
	case float64:
		return datamodel.Number(x)
	case []any:
		list := make([]datamodel.Value, len(x))
		for i := range x {
			list[i] = neutral(x[i])
		}
		return list
	case js.Fields:
		o := datamodel.NewObject()
		for _, f := range x {
			o.Set(f.Name, neutral(f.Value))
		}
		return o
	}
	return x
}

func written(v datamodel.Value) string { return string(datamodel.AppendJSON(nil, v)) }

type Embedded struct {
	C string `json:"c,omitempty"`
	B string // hides inner.B? no: equal depth, they cancel
}

type inner struct {
	A int `json:"a"`
	B int
}

type outer struct {
	inner
	*Embedded
	Name string `json:"name"`
	Skip int    `json:"-"`
	//lint:ignore SA5008 encoding/json takes "-," as the name "-"
	Dash    int            `json:"-,"`
	Empty   []int          `json:"empty,omitempty"`
	Zero    int            `json:"zero,omitzero"`
	Pointer *int           `json:"ptr"`
	Nothing any            `json:"nil"`
	Raw     []byte         `json:"raw"`
	Map     map[int]string `json:"map"`
	Any     any            `json:"any"`
	//lint:ignore U1000 it is there to be left out
	private int
}

type node struct {
	Next *node
	Kids []*node
}

type level int8

type named string

type marshaler struct{ X int }

func (marshaler) MarshalJSON() ([]byte, error) { panic("called") }

type texter struct{ a, b int }

func (t texter) MarshalText() ([]byte, error) {
	return []byte{byte('0' + t.a), 'x', byte('0' + t.b)}, nil
}

// What enters a machine is what enters the interpreter.
func TestFromIsTheInterpreters(t *testing.T) {
	seven := 7
	for _, x := range []any{
		nil, true, "x", "a\xffb", named("k"), 7, int8(-7), level(3), uint16(7), uintptr(7), int64(1 << 53), float32(0.5), 2.0, 1e300, math.Copysign(0, -1), math.NaN(), math.Inf(-1),
		json.Number("12"), json.Number("1.5e3"), json.Number("-0"), json.Number("1e999"), json.Number(""), json.RawMessage(`{"b":[1,null],"a":{}}`), json.RawMessage(nil),
		&seven, (*int)(nil), []int(nil), map[string]int(nil), []any(nil), []any{nil, 1, []any{}}, [2]bool{true}, []byte("hi"), [2]byte{1, 2}, [][]int{{1}, nil, {}},
		map[string]any{"b": 1, "a": nil, "c": map[string]any{}}, map[int]string{10: "x", 9: "y"}, map[int]string{-1: "z", -10: "a"}, map[uint8]int{2: 1}, map[named]int{"b": 1, "a": 2}, map[texter]int{{1, 2}: 1},
		datamodel.Null, datamodel.NewObject("u", nil, "l", []datamodel.Value{nil, map[string]any{"n": nil}}, "g", int64(3)), (*datamodel.Object)(nil), []any{datamodel.NewObject("a", nil), nil},
		marshaler{1}, []marshaler{{1}}, texter{3, 4}, &texter{5, 6}, time.Second, struct{}{},
		outer{inner: inner{A: 1}, Name: "n", Dash: 2, Any: []int{1}, Raw: []byte{}},
		outer{Embedded: &Embedded{C: "c"}, Empty: []int{1}, Map: map[int]string{1: "a"}, Zero: 5},
		&node{Kids: []*node{{}, nil}}, []map[string]int{{"a": 1, "b": 2}, {"a": 3, "b": 4}, {"a": 5}, {"a": 6, "b": 7, "c": 8}, {"c": 9}},
	} {
		want, err := datamodel.From(x)
		if err != nil {
			t.Fatal(err)
		}
		got, err := js.From(x)
		if err != nil || written(neutral(got.Data())) != written(want) {
			t.Errorf("%#v\n got %v, %v\nwant %s", x, got, err, written(want))
		}
	}
	for _, c := range []struct {
		x    any
		want string
	}{
		{js.Fields{{Name: "b", Value: nil}, {Name: "a", Value: []any{nil, js.Null}}, {Name: "b", Value: 2}}, "{b:2,a:[undefined,null]}"},
		{js.Array(js.Hole(), js.Number(1)), "[undefined,1]"},
		{[]any{js.NewObject().With("x", js.Value{})}, "[{x:undefined}]"},
		{map[string]any{"v": js.Value{}, "n": nil}, "{n:null,v:undefined}"},
	} {
		v, err := js.From(c.x)
		if got := strings.ReplaceAll(v.String(), `"`, ""); err != nil || got != c.want {
			t.Errorf("%#v: got %s, %v, want %s", c.x, got, err, c.want)
		}
	}
}

func TestFromFails(t *testing.T) {
	loop := &node{}
	loop.Next = &node{Kids: []*node{nil, loop}}
	list := []any{1, nil}
	list[1] = list
	m := map[string]any{}
	m["a b"] = m
	object := js.NewObject()
	object.With("self", js.Array(object.Value()))
	deep, deepest := any(1), any(1)
	for i := range 600 {
		if i < 500 {
			deep = []any{deep}
		}
		deepest = []any{deepest}
	}
	if _, err := js.From(deep); err != nil {
		t.Errorf("500 levels: %v", err)
	}
	for _, c := range []struct {
		x    any
		want string
	}{
		{func() {}, "the data are a func(), which a compiled chart cannot hold"},
		{map[string]any{"items": []any{0, 1, map[string]any{"f": func() {}}}}, "items[2].f is a func(), which a compiled chart cannot hold"},
		{[]any{struct{ C chan int }{}}, "[0].C is a chan int, which a compiled chart cannot hold"},
		{js.Fields{{Name: "é", Value: 1}, {Name: "a b", Value: time.Time{}}}, `["a b"] is a time.Time, which a compiled chart cannot hold`},
		{&[]*time.Time{{}}, "[0] is a time.Time, which a compiled chart cannot hold"},
		{[]any{big.NewInt(5)}, "[0] is a big.Int, which a compiled chart cannot hold"},
		{[]error{errors.New("x")}, "[0] is the error errors.errorString, which a compiled chart cannot hold"},
		{map[string]any{"n": int64(1<<53 + 1)}, "n is the integer 9007199254740993 beyond 2^53, which a compiled chart cannot hold"},
		{uint64(1<<53 + 1), "the data are the integer 9007199254740993 beyond 2^53, which a compiled chart cannot hold"},
		{json.RawMessage(`[9007199254740993]`), "the data are the integer 9007199254740993 beyond 2^53, which a compiled chart cannot hold"},
		{json.RawMessage(`[1`), "cannot read the json.RawMessage: Unexpected end of JSON input (EOF)"},
		{[]any{json.Number("x")}, `at [0]: invalid number "x"`},
		{map[float64]int{1: 1}, "the data are a map[float64]int with keys that are neither strings nor integers, which a compiled chart cannot hold"},
		{struct{ a int }{}, "the data are a struct { a int } without exported fields, which a compiled chart cannot hold"},
		{[]any{map[string]any{"toString": 1}}, "[0].toString is a property with a name that all objects inherit, which a compiled chart cannot hold"},
		{js.Fields{{Name: "__proto__"}}, "__proto__ is a property with a name that all objects inherit, which a compiled chart cannot hold"},
		{loop, "at Next.Kids[1]: data contains itself"}, {list, "at [1]: data contains itself"}, {m, `at ["a b"]: data contains itself`},
		{[]any{object}, "at [0].self[0]: data contains itself"},
		{deepest, "at " + strings.Repeat("[0]", 24) + "…: data is nested deeper than 500 levels"},
	} {
		if v, err := js.From(c.x); err == nil || err.Error() != c.want {
			t.Errorf("got %v, %v\nwant %s", v, err, c.want)
		}
	}
}

// What leaves a machine, and what enters another, is what leaves and enters the interpreter.
func TestDataAreTheInterpreters(t *testing.T) {
	g := generator{rand.New(rand.NewPCG(1, 47))}
	st, err := ecmascript.New().NewStore(host{})
	if err != nil {
		t.Fatal(err)
	}
	st.Begin(context.Background())
	t.Cleanup(st.End)
	if err := errors.Join(st.Run(compiled(datamodel.Script, declarations)), st.Declare("x")); err != nil {
		t.Fatal(err)
	}
	shown := compiled(datamodel.ValueExpr, "show(x)")
	for range *cases / 4 {
		v := g.value(4)
		want, err := st.Value(compiled(datamodel.ValueExpr, "("+literal(v)+")"))
		if err != nil {
			t.Fatal(err)
		}
		if got := written(neutral(v.Data())); got != written(want) {
			t.Errorf("%s\n leaves as %s\nwant %s", literal(v), got, written(want))
		}
		if err := st.Set("x", want); err != nil {
			t.Fatal(err)
		}
		copied := v.Copy()
		if got, err := st.Value(shown); err != nil || got != show(copied) {
			t.Errorf("the copy of %s is\n     %s\nwant %s, %v", literal(v), show(copied), got, err)
		}
		again, err := js.From(js.Fields{{Name: "v", Value: v.Data()}})
		if err != nil || show(js.Get(again, "v")) != show(copied) {
			t.Errorf("%s leaves and enters as %s, %v", literal(v), show(again), err)
		}
		if before := show(v); copied.Type() == js.TypeObject {
			change(copied)
			if show(v) != before {
				t.Fatalf("a change of the copy changes %s to %s", before, show(v))
			}
		}
	}
}

// change changes all that is in v.
func change(v js.Value) {
	if v.Type() != js.TypeObject {
		return
	}
	for _, name := range js.Keys(v) {
		change(js.Get(v, name))
		js.Set(v, name, js.String("changed"))
		js.Delete(v, name)
	}
	js.Set(v, "new", js.Number(1))
}

// What is sent is a copy of what is there, also when most of it was sent before, and does not change afterwards.
func TestOut(t *testing.T) {
	g := generator{rand.New(rand.NewPCG(*seed, 48))}
	refused := 0
	for range *cases / 20 {
		many := js.NewObject()
		for _, name := range someNames {
			many.With(name, g.value(0))
		}
		rows := []js.Value{js.Array(js.Number(1), js.Number(2)), js.Array(js.Number(3), js.Number(4)), js.Make(js.NewShape("x", "1"), js.Number(5), js.Number(6))}
		grid := js.Array(rows...)
		root := js.Array(many.Value(), g.object(3), g.array(3), grid, g.array(1))
		var sent []any
		var were []string
		for range 20 {
			var got, want, why, whyNot string
			data := js.Out(&whyNot, root)
			if whyNot == "" {
				sent = append(sent, data)
				got = show(data.(*js.Object).Value())
			}
			func() {
				defer js.Catch(&why)
				want = show(root.Copy())
			}()
			if got != want || why != whyNot {
				t.Fatalf("sent %s %s\nwant %s %s", got, whyNot, want, why)
			}
			if why == "" {
				were = append(were, want)
			} else {
				refused++
			}
			part := root
			for range g.IntN(4) {
				if names := js.Keys(part); len(names) > 0 {
					if inner := js.Get(part, pick(g, names)); inner.TypeOf() == "object" && !inner.IsNull() {
						part = inner
					}
				}
			}
			switch g.IntN(10) {
			case 5: // a part alone
				row := pick(g, rows)
				js.SetAt(row, 1, g.number())
				js.Out(&why, row)
			case 4: // another name with the same value
				if names := js.Keys(part); len(names) > 0 && !js.IsArray(part) {
					old, name := pick(g, names), pick(g, someNames)
					tried(part, func(v js.Value) js.Value {
						value := js.Get(v, old)
						js.Delete(v, old)
						js.Set(v, name, value)
						return value
					})
				}
			case 0: // what is there twice, or in itself
				name := pick(g, someNames)
				tried(part, func(v js.Value) js.Value {
					js.Set(v, name, pick(g, []js.Value{js.At(root, 0), js.At(root, 1), js.At(root, 2), root}))
					return js.Value{}
				})
			case 1:
				tried(part, func(v js.Value) js.Value {
					if js.IsArray(v) && g.IntN(2) == 0 {
						v.Object().Append(g.value(1))
						return v
					}
					return js.Number(js.Push(v, g.value(1)))
				})
			case 2:
				tried(part, g.changes().run)
			case 3:
				js.SetTo(root, "length", js.Number(2)) // which ends circles
				js.Set(root, "1", g.array(3))
				js.Push(root, g.object(2))
				js.Push(root, grid)
			default:
				tried(part, g.method().run)
			}
		}
		for i := range sent {
			if got := show(sent[i].(*js.Object).Value()); got != were[i] {
				t.Fatalf("a message has changed\n got %s\nwant %s", got, were[i])
			}
		}
	}
	t.Logf("%d refused", refused)
	if refused == 0 {
		t.Error("no data contain themselves")
	}
}

// Exceptions that nobody catches, and data that cannot leave, are reported as the interpreter reports them.
func TestReports(t *testing.T) {
	st, err := ecmascript.New().NewStore(host{})
	if err != nil {
		t.Fatal(err)
	}
	st.Begin(context.Background())
	t.Cleanup(st.End)
	self := func() js.Value {
		o, list := js.NewObject(), js.Array(js.Number(1))
		o.With("a b", list)
		js.Push(list, o.Value())
		return o.Value()
	}
	nested := func(n int) js.Value {
		v := js.Number(1)
		for range n {
			v = js.Array(v)
		}
		return v
	}
	object := func() js.Value {
		return js.NewObject().With("a", js.Array(js.Value{}, js.Number(js.NegativeZero()), js.Number(js.NaN()), js.NullValue(), js.String("x\"y"))).With("2", js.NewError("Error", "e")).Value()
	}
	throw := func(v js.Value) func() { return func() { js.ThrowValue(v) } }
	for _, c := range []struct {
		text string
		run  func()
	}{
		{"(() => { var o = {'a b': [1]}; o['a b'].push(o); return o })()", func() { self().Data() }},
		{"(() => { var o = {'a b': [1]}; o['a b'].push(o); return o })()", func() { self().Copy() }},
		{"(() => { var v = 1; for (var i = 0; i < 501; i++) v = [v]; return v })()", func() { nested(501).Data() }},
		{"(() => { var v = 1; for (var i = 0; i < 501; i++) v = [v]; return v })()", func() { nested(501).Copy() }},
		{"(() => { throw 'x' })()", throw(js.String("x"))}, {"(() => { throw '' })()", throw(js.String(""))}, {"(() => { throw undefined })()", throw(js.Value{})},
		{"(() => { throw null })()", throw(js.NullValue())}, {"(() => { throw -0 })()", throw(js.Number(js.NegativeZero()))}, {"(() => { throw 1e21 })()", throw(js.Number(1e21))},
		{"(() => { throw {a: [undefined, -0, NaN, null, 'x\"y'], 2: new Error('e')} })()", throw(object())},
		{"(() => { var o = {'a b': [1]}; o['a b'].push(o); throw o })()", throw(self())},
		{"(() => { throw new Error('x') })()", throw(js.NewError("Error", "x"))}, {"(() => { throw new RangeError() })()", throw(js.NewError("RangeError", ""))},
		{"(() => { throw new Error(\"x: unexpected EOF\") })()", throw(js.NewError("Error", "x: unexpected EOF"))},
		{"JSON.parse('[')", func() { js.ParseJSON(js.String("["), js.Value{}) }}, {"JSON.parse('\"')", func() { js.ParseJSON(js.String(`"`), js.Value{}) }},
		{"JSON.parse('{a:1}')", func() { js.ParseJSON(js.String(`{a:1}`), js.Value{}) }},
		{"JSON.parse('['.repeat(1001))", func() { js.ParseJSON(js.String(strings.Repeat("[", 1001)), js.Value{}) }},
		{"JSON.stringify((() => { var o = {'a b': [1]}; o['a b'].push(o); return o })())", func() { js.Stringify(self(), js.Value{}, js.Value{}) }},
		{"JSON.stringify((() => { var v = 1; for (var i = 0; i < 1000; i++) v = [v]; return v })())", func() { js.Stringify(nested(1000), js.Value{}, js.Value{}) }},
		{"String((() => { var v = 1; for (var i = 0; i < 1001; i++) v = [v]; return v })())", func() { nested(1001).ToText() }},
		{"'abc'.repeat(1e8)", func() { js.Method(js.String("abc"), "repeat", js.Number(1e8)) }}, {"''.padEnd(1e9)", func() { js.Method(js.String(""), "padEnd", js.Number(1e9)) }},
		{"'ab'.repeat(-1)", func() { js.Method(js.String("ab"), "repeat", js.Number(-1)) }}, {"[].length = -1", func() { js.Set(js.Array(), "length", js.Number(-1)) }},
		{"null.x = 1", func() { js.Set(js.NullValue(), "x", js.Number(1)) }}, {"undefined[0] = 1", func() { js.SetAt(js.Value{}, 0, js.Number(1)) }},
		{"delete null.x", func() { js.Delete(js.NullValue(), "x") }}, {"null.x()", func() { js.Method(js.NullValue(), "x") }},
		{"(() => { for (var x of null); })()", func() { js.Items(js.NullValue(), 0) }}, {"(() => { for (var x of 1); })()", func() { js.Items(js.Number(1), 0) }},
		{"(f => f())(1)", func() { js.Call(js.Number(1)) }}, {"(f => f())({})", func() { js.Call(js.NewObject().Value()) }}, {"(f => f())()", func() { js.Call(js.Value{}) }},
	} {
		_, failed := st.Value(compiled(datamodel.ValueExpr, c.text))
		var want *datamodel.EvalError
		if !errors.As(failed, &want) {
			t.Fatalf("%s: %v", c.text, failed)
		}
		got := ""
		func() {
			defer js.Catch(&got)
			c.run()
		}()
		if got != want.Msg {
			t.Errorf("%s\n got %q\nwant %q", c.text, got, want.Msg)
		}
	}
}

func TestMarshalJSON(t *testing.T) {
	v := js.Array(js.Value{}, js.NullValue(), js.Number(js.NaN()), js.Number(1.5), js.String("<\u2028>"), js.NewObject().With("b", js.Bool(true)).With("a", js.Value{}).Value())
	got, err := json.Marshal(map[string]any{"v": v, "u": js.Value{}})
	if want := `{"u":null,"v":[null,null,null,1.5,"\u003c\u2028\u003e",{"b":true}]}`; err != nil || string(got) != want {
		t.Errorf("got %s, %v\nwant %s", got, err, want)
	}
	js.Push(v, v)
	if _, err := json.Marshal(v); err == nil || !strings.Contains(err.Error(), "TypeError: Converting circular structure to JSON") {
		t.Error(err)
	}
}

// No object has a property that all objects inherit, wherever its name comes from.
func TestInheritedNames(t *testing.T) {
	entry := func(name string) js.Value { return js.Array(js.Array(js.String(name), js.Number(1))) }
	for _, name := range []string{"toString", "valueOf", "constructor", "__proto__", "hasOwnProperty"} {
		for where, f := range map[string]func(){
			"Set":         func() { js.Set(js.NewObject().Value(), name, js.Number(1)) },
			"Set, array":  func() { js.Set(js.Array(), name, js.Number(1)) },
			"Set, error":  func() { js.Set(js.NewError("Error", "x"), name, js.Number(1)) },
			"SetIndex":    func() { js.SetIndex(js.NewObject().Value(), js.String(name), js.Number(1)) },
			"With":        func() { js.NewObject().With(name, js.Number(1)) },
			"NewShape":    func() { js.NewShape("a", name) },
			"JSON.parse":  func() { js.ParseJSON(js.String(`[{"a":1},{"a":1,"`+name+`":1}]`), js.Value{}) },
			"fromEntries": func() { js.ObjectFromEntries(entry(name)) },
			"Get":         func() { js.Get(js.NewObject().Value(), name) },
			"Get, text":   func() { js.Get(js.String("a"), name) },
		} {
			thrown, failed := js.Try(f)
			if want := "TypeError: the property " + name + " is not compiled"; !failed || thrown.ToText() != want {
				t.Errorf("%s of %s throws %v, want %s", where, name, thrown, want)
			}
		}
		o := js.NewObject().With("a", js.Number(1)).Value()
		if !js.Delete(o, name) || !js.Has(js.String(name), o) || js.Method(o, "hasOwnProperty", js.String(name)).Truth() {
			t.Errorf("delete of %s does harm", name)
		}
	}
	for _, v := range []js.Value{js.Array(), js.String("")} {
		if _, failed := js.Try(func() { js.Get(v, "slice") }); !failed {
			t.Errorf("the method slice of %v is a value", v)
		}
	}
}

// A form is escaped as package net/url does.
func TestForm(t *testing.T) {
	var all []byte
	for c := range 256 {
		all = append(all, byte(c))
	}
	f := js.Fields{{Name: string(all[:128]), Value: string(all[:128]) + "ö"}, {Name: "n", Value: 0.5}, {Name: "n"}, {Name: "n", Value: js.Null}, {Name: "ö", Value: []any{1.0, "a"}}}
	want := url.QueryEscape(string(all[:128])) + "=" + url.QueryEscape(string(all[:128])+"ö") + "&n=0.5&n=undefined&n=null&%C3%B6=" + url.QueryEscape(`[1,"a"]`)
	if got := f.Form(); got != want {
		t.Errorf("the form is %q, want %q", got, want)
	}
	if got := f.Last(); len(got) != 3 || got[1].Value != js.Null {
		t.Errorf("without names that are there several times it is %v", got)
	}
}

// TestFromLike: whatever the data before were, data become what they become alone.
func TestFromLike(t *testing.T) {
	random := rand.New(rand.NewPCG(7, 7))
	pick := func(all ...any) any { return all[random.IntN(len(all))] }
	var shape *js.Shape
	same := 0
	for range 20_000 {
		data := map[string]any{}
		for range random.IntN(4) {
			data[pick("x", "y", "value", "1", "toString", "b\xff").(string)] = pick(nil, true, 1, 2.5, "s", "\xff", int64(1<<53+1), []any{1.0}, math.Copysign(0, -1), js.Null)
		}
		fields := js.Fields{}
		for name, value := range data {
			fields = append(fields, js.Field{Name: name, Value: value})
		}
		for _, x := range []any{data, fields} {
			before := shape
			got, gotErr := js.FromLike(x, &shape)
			want, wantErr := js.From([]any{x}) // not the shortcut for few members
			if (gotErr == nil) != (wantErr == nil) {
				t.Fatalf("%#v: %v, want %v", x, gotErr, wantErr)
			}
			if gotErr != nil {
				continue
			}
			if g, w := written(neutral([]any{got.Data()})), written(neutral(want.Data())); g != w {
				t.Fatalf("%#v: %s, want %s", x, g, w)
			}
			if before == shape {
				same++
			}
		}
		random.Shuffle(len(fields), func(i, j int) { fields[i], fields[j] = fields[j], fields[i] })
	}
	if same < 1000 {
		t.Errorf("%d data had the shape of those before", same)
	}
}

// What was sent before is refused where it is too deep now, or where it makes too much of a message.
func TestOutLimits(t *testing.T) {
	failure := func(f func(why *string)) (why string) {
		defer js.Catch(&why)
		f(&why)
		return why
	}
	same := func(what string, v js.Value) (refused bool) {
		t.Helper()
		want := failure(func(*string) { v.Copy() })
		if got := failure(func(why *string) { js.Out(why, v) }); got != want {
			t.Errorf("%s: %q, want %q", what, got, want)
		}
		return want != ""
	}
	refused := 0
	for _, levels := range []int{0, 496, 497, 498, 499, 500, 501} {
		for name, v := range map[string]js.Value{"flat": js.Array(js.Number(1)), "rows": js.Array(js.Array(js.Number(1))), "empty": js.Array()} {
			same(name, v)
			for range levels {
				v = js.Array(v)
			}
			if same(name, v) {
				refused++
			}
		}
	}
	if refused == 0 {
		t.Error("nothing is too deep")
	}
	root, row, empty := js.Array(), js.Array(), js.Array()
	for range 1000 {
		js.Push(row, empty)
	}
	for range 9_990 {
		js.Push(root, row) // 1,001 items
	}
	out := func(why *string) { js.Out(why, root) }
	for range 2 {
		if why := failure(out); why != "" {
			t.Errorf("9,999,990 items: %s", why)
		}
	}
	js.Push(root, row)
	if why := failure(out); why != "at [9990]: data has more than 10000000 items" {
		t.Errorf("more than 10,000,000 items: %q", why)
	}
}
