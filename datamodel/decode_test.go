package datamodel_test

import (
	"encoding/json"
	"math/big"
	"reflect"
	"testing"
	"time"

	"github.com/scxmlrun/scxmlrun/datamodel"
)

func parse(t testing.TB, text string) datamodel.Value {
	t.Helper()
	v, err := datamodel.ParseJSON([]byte(text))
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	return v
}

type cell struct {
	X int `json:"x"`
	Y *uint8
	Z []cell `json:"z"`
}

func TestDecode(t *testing.T) {
	five := uint8(5)
	date := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	for _, tt := range []struct {
		json string
		want any // what a new variable of its type becomes
	}{
		{"3", 3}, {"3", int8(3)}, {"3", uint64(3)}, {"3", 3.0}, {"3.5", float32(3.5)}, {"1e15", int64(1e15)},
		{`"x"`, "x"}, {"true", true}, {"null", 0}, {"null", (*int)(nil)}, {"null", []int(nil)},
		{`{"$undefined":true}`, map[string]int(nil)},
		{"[1,2]", []int{1, 2}}, {"[1,2]", [2]int{1, 2}}, {"[]", []int{}},
		{`{"a":1}`, map[string]int{"a": 1}}, {`{"1":[true]}`, map[int][]bool{1: {true}}},
		{`{"x":1,"y":5,"z":[{"X":2},{}],"other":[]}`, cell{X: 1, Y: &five, Z: []cell{{X: 2}, {}}}},
		{`"aGk="`, []byte("hi")}, {"[1,2]", []byte{1, 2}},
		{`{"$date":"2026-01-02T03:04:05Z"}`, date}, {`"2026-01-02T03:04:05Z"`, date},
		{`{"$bigint":"7"}`, *big.NewInt(7)}, {"7", *big.NewInt(7)}, {`{"$bigint":"7"}`, 7}, {`{"$bigint":"7"}`, 7.0},
		{"1.5", json.Number("1.5")},
		{`{"$function":"f"}`, datamodel.Function("f")},
		{`{"a":[1,null,{"$undefined":true},"s",{"b":true}]}`, map[string]any{"a": []any{1.0, nil, nil, "s", map[string]any{"b": true}}}},
		{`{"a":1,"c":"x","name":"n"}`, outer{inner: inner{A: 1}, Embedded: &Embedded{C: "x"}, Name: "n"}},
	} {
		got := reflect.New(reflect.TypeOf(tt.want))
		if err := datamodel.Decode(parse(t, tt.json), got.Interface()); err != nil {
			t.Errorf("%s into %T: %v", tt.json, tt.want, err)
			continue
		}
		if !reflect.DeepEqual(got.Elem().Interface(), tt.want) {
			t.Errorf("%s into %T\n got %#v\nwant %#v", tt.json, tt.want, got.Elem().Interface(), tt.want)
		}
	}
	var a any = 1
	if err := datamodel.Decode(nil, &a); err != nil || a != nil {
		t.Errorf("undefined into an any: %v, %v", a, err)
	}
	o := parse(t, `{"a":1}`)
	var same *datamodel.Object
	if err := datamodel.Decode(o, &same); err != nil || same != o {
		t.Errorf("an object into *Object: %v, %v", same, err)
	}
}

// What is Go data and no Value is called so, or else the message would be a riddle.
func TestDecodeNoValue(t *testing.T) {
	var into struct{ X int }
	err := datamodel.Decode(map[string]int{"X": 1}, &into)
	if want := "cannot put a Go map[string]int, which is not a Value: convert it with From into struct { X int }"; err == nil || err.Error() != want {
		t.Errorf("got %v\nwant %s", err, want)
	}
}

func TestDecodeErrors(t *testing.T) {
	for _, tt := range []struct {
		json string
		into any
		want string
	}{
		{`[{},{},{},{"x":1.5}]`, new([]cell), "at [3].x: cannot put 1.5 into int"},
		{`{"x":1,"y":300}`, new(cell), "at y: cannot put 300 into uint8: out of range"},
		{"-1", new(uint), "cannot put -1 into uint: out of range"},
		{"200", new(int8), "cannot put 200 into int8: out of range"},
		{"1e300", new(int64), "cannot put 1e+300 into int64: out of range"},
		{`{"$number":"NaN"}`, new(int), "cannot put NaN into int"},
		{"1e300", new(float32), "cannot put 1e+300 into float32: out of range"},
		{`"5"`, new(int), `cannot put "5" into int`},
		{"5", new(string), "cannot put 5 into string"},
		{"{}", new([]int), "cannot put an object into []int"},
		{"[1]", new([2]int), "cannot put an array of 1 into [2]int"},
		{"[[1,2],[3]]", new([2][2]int), "at [1]: cannot put an array of 1 into [2]int"},
		{"[]", new(cell), "cannot put an array of 0 into datamodel_test.cell"},
		{`{"a":1}`, new(map[int]int), `cannot use "a" as a key of map[int]int: invalid syntax`},
		{`{"a":1}`, new(map[bool]int), `cannot use "a" as a key of map[bool]int: neither a string nor an integer kind`},
		{`"x"`, new(time.Time), `cannot put "x" into time.Time: not a date of RFC 3339`},
		{`"?"`, new([]byte), `cannot put "?" into []uint8: not base64`},
		{"true", new(error), "cannot put true into error"},
		{`{"$function":"f"}`, new(int), "cannot put a function into int"},
		{"1", nil, "datamodel.Decode: the target must be a non-nil pointer, not <nil>"},
		{"1", 5, "datamodel.Decode: the target must be a non-nil pointer, not int"},
	} {
		err := datamodel.Decode(parse(t, tt.json), tt.into)
		if err == nil || err.Error() != tt.want {
			t.Errorf("%s into %T\n got %v\nwant %s", tt.json, tt.into, err, tt.want)
		}
	}
}

// What From made of plain JSON data, Decode gives back.
func FuzzFromDecode(f *testing.F) {
	for _, s := range []string{`{"a":[1,2.5,"x",null,true]}`, `[[],{}]`, `-0`, `1e400`, `"\ud800"`} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		var in any
		if json.Unmarshal([]byte(text), &in) != nil {
			return
		}
		v, err := datamodel.From(in)
		if err != nil {
			return // too deep
		}
		var out any
		if err := datamodel.Decode(v, &out); err != nil || !reflect.DeepEqual(in, out) {
			t.Errorf("%q: got %#v, %v, want %#v", text, out, err, in)
		}
	})
}

func BenchmarkDecodeGrid(b *testing.B) {
	var grid [9][9]int
	v, err := datamodel.From(grid)
	if err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	for b.Loop() {
		if err := datamodel.Decode(v, &grid); err != nil {
			b.Fatal(err)
		}
	}
}
