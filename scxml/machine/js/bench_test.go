package js_test

import (
	"strings"
	"testing"

	"github.com/scxmlrun/scxmlrun/scxml/machine/js"
)

// What charts do most often, one a row.
func BenchmarkObjects(b *testing.B) {
	cell := js.NewShape("x", "y", "of", "from", "to")
	one, two := js.Number(1), js.Number(2)
	o := js.Make(cell, one, two, one, two, one)
	many := js.NewObject()
	for i := range 100 {
		many.With("key"+js.NumberText(float64(i)), one)
	}
	large := many.Value()
	row := js.Array(one, two, one, two, one, two, one, two, one)
	grid := js.Array()
	for range 9 {
		js.Push(grid, js.Array(one, two, one, two, one, two, one, two, one))
	}
	numbers := js.Array()
	for i := range 100 {
		js.Push(numbers, js.Number(float64(i)))
	}
	add := js.Function(func(a []js.Value) js.Value { return js.Add(a[0], a[1]) })
	even := js.Function(func(a []js.Value) js.Value { return js.Bool(js.Mod(a[0].Number(), 2) == 0) })
	text := js.String("the quick brown fox")
	list := js.Array()
	for range 20 {
		js.Push(list, js.Make(cell, one, two, js.String("digit"), two, one))
	}
	json := js.Stringify(list, js.Value{}, js.Value{})
	data := list.Data()
	for _, c := range []struct {
		name string
		f    func()
	}{
		{"Make 2", func() { sink.value = js.Make(cell2, one, two) }},
		{"Make 5", func() { sink.value = js.Make(cell, one, two, one, two, one) }},
		{"NewObject With 2", func() { sink.value = js.NewObject().With("x", one).With("y", two).Value() }},
		{"Array 3", func() { sink.value = js.Array(one, two, one) }},
		{"Get first of 5", func() { sink.value = js.Get(o, "x") }},
		{"Get last of 5", func() { sink.value = js.Get(o, "to") }},
		{"Get missing of 5", func() { sink.value = js.Get(o, "value") }},
		{"Get of 100", func() { sink.value = js.Get(large, "key77") }},
		{"Get length", func() { sink.value = js.Get(row, "length") }},
		{"Set last of 5", func() { js.Set(o, "to", two) }},
		{"At", func() { sink.value = js.At(row, 4) }},
		{"At At", func() { sink.value = js.At(js.At(grid, 4), 7) }},
		{"Index", func() { sink.value = js.Index(row, two) }},
		{"SetAt", func() { js.SetAt(row, 4, one) }},
		{"Push and pop", func() { js.Push(row, one); js.Method(row, "pop") }},
		{"Method slice", func() { sink.value = js.Method(row, "slice", one) }},
		{"Method indexOf", func() { sink.value = js.Method(row, "indexOf", two) }},
		{"Method join", func() { sink.value = js.Method(row, "join", text) }},
		{"Every", func() {
			sink.truth = js.Every(row, func(x js.Value, _ float64) bool { return x.Type() == js.TypeNumber })
		}},
		{"Method filter 100", func() { sink.value = js.Method(numbers, "filter", even) }},
		{"Filter 100", func() {
			sink.value = js.Filter(numbers, func(x js.Value, _ float64) bool { return js.Mod(x.Number(), 2) == 0 })
		}},
		{"Method reduce 100", func() { sink.value = js.Method(numbers, "reduce", add, one) }},
		{"Map 100", func() { sink.value = js.Map(numbers, func(x js.Value, _ float64) js.Value { return js.Add(x, one) }) }},
		{"Copy 9x9", func() { sink.value = grid.Copy() }},
		{"Copy 20 objects", func() { sink.value = list.Copy() }},
		{"Out 9x9", func() { sink.any = js.Out(nil, grid) }},
		{"Out 9x9 changed", func() { js.SetAt(js.At(grid, 4), 4, one); one, two = two, one; sink.any = js.Out(nil, grid) }},
		{"Data 20 objects", func() { sink.any = list.Data() }},
		{"From 20 objects", func() { sink.value, _ = js.From(data) }},
		{"ParseJSON 20 objects", func() { sink.value = js.ParseJSON(json, js.Value{}) }},
		{"Stringify 20 objects", func() { sink.value = js.Stringify(list, js.Value{}, js.Value{}) }},
		{"Keys of 5", func() { sink.n = float64(len(js.Keys(o))) }},
		{"charAt", func() { sink.value = js.Method(text, "charAt", js.Number(7)) }},
		{"CharAt", func() { sink.truth = js.CharAt("the quick brown fox", 7) == "" }},
		{"split", func() { sink.value = js.Method(text, "split", js.String(" ")) }},
		{"toFixed", func() { sink.value = js.Method(js.Number(123.456), "toFixed", two) }},
		{"sort 100", func() { js.Sort(numbers, func(a, b js.Value) float64 { return a.Number() - b.Number() }) }},
	} {
		b.Run(strings.ReplaceAll(c.name, " ", "_"), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				c.f()
			}
		})
	}
}

var cell2 = js.NewShape("x", "y")
