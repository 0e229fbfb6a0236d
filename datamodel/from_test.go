package datamodel_test

import (
	"encoding/json"
	"math"
	"math/big"
	"strings"
	"testing"
	"time"
	"unsafe"

	"github.com/scxmlrun/scxmlrun/datamodel"
)

type inner struct {
	A int `json:"a"`
	B int
}

type Embedded struct {
	C string `json:"c,omitempty"`
	B string // hides inner.B? no: equal depth, they cancel
}

type outer struct {
	inner
	*Embedded
	Name string `json:"name"`
	Skip int    `json:"-"`
	//lint:ignore SA5008 encoding/json takes "-," as the name "-"
	Dash  int               `json:"-,"`
	Empty []int             `json:"empty,omitempty"`
	Zero  time.Time         `json:"zero,omitzero"`
	Ptr   *int              `json:"ptr"`
	Nil   any               `json:"nil"`
	Raw   []byte            `json:"raw"`
	Map   map[int]string    `json:"map"`
	Any   any               `json:"any"`
	Date  time.Time         `json:"date"`
	Obj   *datamodel.Object `json:"obj"`
	//lint:ignore U1000 it is there to be left out
	private int
}

// A marshaler must not be called.
type marshaler struct{ X int }

func (marshaler) MarshalJSON() ([]byte, error) { panic("called") }
func (marshaler) String() string               { panic("called") }
func (marshaler) IsZero() bool                 { panic("called") }

type node struct {
	Next *node
	Kids []*node
}

func TestFrom(t *testing.T) {
	date := time.Date(2026, 1, 2, 3, 4, 5, 6000000, time.UTC)
	type kind string
	type level int8
	seven := 7
	for _, tt := range []struct {
		in   any
		want string
	}{
		{nil, `{"$undefined":true}`},
		{true, "true"},
		{"x", `"x"`},
		{"a\xffb", `"a` + "\uFFFD" + `b"`},
		{kind("k"), `"k"`},
		{7, "7"}, {int8(-7), "-7"}, {level(3), "3"}, {uint16(7), "7"}, {uintptr(7), "7"},
		{int64(1 << 53), "9007199254740992"},
		{float32(0.5), "0.5"}, {2.0, "2"}, {1e300, "1e+300"}, {math.Copysign(0, -1), `{"$number":"-0"}`},
		{math.NaN(), `{"$number":"NaN"}`}, {math.Inf(-1), `{"$number":"-Infinity"}`},
		{json.Number("12"), "12"}, {json.Number("1.5e3"), "1500"},
		{&seven, "7"}, {(*int)(nil), "null"}, {[]int(nil), "null"}, {map[string]int(nil), "null"},
		{[]any{nil, 1, []any{}}, "[null,1,[]]"},
		{[2]bool{true}, "[true,false]"},
		{[]byte("hi"), `"aGk="`}, {[2]byte{1, 2}, "[1,2]"},
		{map[string]any{"b": 1, "a": nil, "c": map[string]any{}}, `{"a":null,"b":1,"c":{}}`},
		{map[int]string{10: "x", 9: "y", -1: "z"}, `{"-1":"z","9":"y","10":"x"}`},
		{map[uint8]int{2: 1}, `{"2":1}`},
		{map[kind]int{"b": 1, "a": 2}, `{"a":2,"b":1}`},
		{date, `{"$date":"2026-01-02T03:04:05.006Z"}`}, {&date, `{"$date":"2026-01-02T03:04:05.006Z"}`},
		{big.NewInt(5), `{"$bigint":"5"}`}, {*big.NewInt(6), `{"$bigint":"6"}`}, {(*big.Int)(nil), "null"},
		{datamodel.Null, "null"}, {datamodel.Function("f"), `{"$function":"f"}`},
		{datamodel.NewObject("u", nil, "l", []datamodel.Value{nil}, "g", 3), `{"u":{"$undefined":true},"l":[{"$undefined":true}],"g":3}`},
		{*datamodel.NewObject("u", nil), `{"u":{"$undefined":true}}`},
		{(*datamodel.Object)(nil), "null"},
		{&datamodel.Node{Local: "a"}, `{"$xml":"<a/>"}`},
		{datamodel.Node{Local: "a"}, `{"$xml":"<a/>"}`},
		{marshaler{1}, `{"X":1}`},
		{[]marshaler{{1}}, `[{"X":1}]`},
		{struct {
			M marshaler `json:",omitzero"`
		}{}, `{}`},
		{outer{inner: inner{A: 1}, Name: "n", Dash: 2, Any: []int{1}, Raw: []byte{}, Date: date, Obj: datamodel.NewObject("k", nil)},
			`{"a":1,"name":"n","-":2,"ptr":null,"nil":null,"raw":"","map":null,"any":[1],"date":{"$date":"2026-01-02T03:04:05.006Z"},"obj":{"k":{"$undefined":true}}}`},
		{outer{Embedded: &Embedded{C: "c"}, Empty: []int{1}, Map: map[int]string{1: "a"}},
			`{"a":0,"c":"c","name":"","-":0,"empty":[1],"ptr":null,"nil":null,"raw":null,"map":{"1":"a"},"any":null,"date":{"$date":"0001-01-01T00:00:00Z"},"obj":null}`},
		{&node{Kids: []*node{{}, nil}}, `{"Next":null,"Kids":[{"Next":null,"Kids":null},null]}`},
	} {
		v, err := datamodel.From(tt.in)
		if err != nil {
			t.Errorf("%#v: %v", tt.in, err)
			continue
		}
		if got := string(datamodel.AppendJSON(nil, v)); got != tt.want {
			t.Errorf("%#v\n got %s\nwant %s", tt.in, got, tt.want)
		}
	}
}

func TestFromIsCanonical(t *testing.T) {
	for in, want := range map[any]datamodel.Value{
		2.0: int64(2), 0.0: int64(0), float32(3): int64(3), uint8(4): int64(4),
		int64(1 << 53): int64(1 << 53), 1e15: int64(1e15), 1e16: 1e16,
		json.Number("-0"): math.Copysign(0, -1), json.Number("3.0"): int64(3), json.Number("1e999"): math.Inf(1),
	} {
		if got, err := datamodel.From(in); err != nil || !datamodel.Equal(got, want) {
			t.Errorf("%T %v: got %T %v, want %T %v (%v)", in, in, got, got, want, want, err)
		}
	}
}

func TestFromCopies(t *testing.T) {
	in := map[string]any{"l": []any{1}, "o": datamodel.NewObject("k", []datamodel.Value{int64(1)})}
	v, err := datamodel.From(in)
	if err != nil {
		t.Fatal(err)
	}
	in["l"].([]any)[0] = 2
	in["o"].(*datamodel.Object).Set("k", nil)
	if got, want := datamodel.Text(v), `{"l":[1],"o":{"k":[1]}}`; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

func TestFromErrors(t *testing.T) {
	loop := &node{}
	loop.Next = &node{Kids: []*node{nil, loop}}
	list := []any{1, nil}
	list[1] = list
	m := map[string]any{}
	m["a b"] = m
	var p any
	p = &p
	o := &datamodel.Object{}
	o.Set("o", o)
	deep := any(1)
	for range 600 {
		deep = []any{deep}
	}
	for _, tt := range []struct {
		in   any
		want string
	}{
		{func() {}, "cannot use a func() as data"},
		{map[string]any{"a": map[string]any{"b": []any{0, 1, 2, make(chan int)}}}, "at a.b[3]: cannot use a chan int as data"},
		{[]any{struct{ F func() }{}}, "at [0].F: cannot use a func() as data"},
		{complex(1, 2), "cannot use a complex128 as data"},
		{unsafe.Pointer(nil), "cannot use a unsafe.Pointer as data"},
		{map[float64]int{1: 1}, "cannot use a map[float64]int as data: its keys are neither strings nor integers"},
		{map[string]any{"a b": json.Number("x")}, `at ["a b"]: invalid number "x"`},
		{loop, "data contains itself"},
		{list, "data contains itself"},
		{m, "data contains itself"},
		{p, "data contains itself"},
		{o, "data contains itself"},
		{deep, "data is nested deeper than 500 levels"},
	} {
		_, err := datamodel.From(tt.in)
		if err == nil || !strings.HasSuffix(err.Error(), tt.want) {
			t.Errorf("%T\n got %v\nwant %s", tt.in, err, tt.want)
		}
	}
}

func BenchmarkFrom(b *testing.B) {
	type tap struct{ X, Y int }
	var grid [9][9]int
	for name, v := range map[string]any{"struct": tap{1, 2}, "grid": grid, "map": map[string]any{"x": 1, "y": 2}} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, err := datamodel.From(v); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// What a host nests after an Object is Go data again, where nil is null; only
// inside the Object is nil undefined.
func TestFromAfterObject(t *testing.T) {
	got, err := datamodel.From([]any{datamodel.NewObject("a", nil), nil, []any{nil}})
	want := []datamodel.Value{datamodel.NewObject("a", nil), datamodel.Null, []datamodel.Value{datamodel.Null}}
	if err != nil || !datamodel.Equal(got, want) {
		t.Errorf("got %s, %v, want %s", datamodel.Text(got), err, datamodel.Text(want))
	}
}
