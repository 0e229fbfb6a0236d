package ecmascript_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/scxmlrun/scxmlrun/datamodel"
)

// exactNumbers are those that a reader or writer of numbers may get wrong: of 15
// to 18 digits, around the limits of integers, the smallest and the largest.
func exactNumbers() []float64 {
	list := []float64{
		0, math.Copysign(0, -1), 5e-324, -5e-324, 2.2250738585072014e-308, 2.225073858507201e-308, math.MaxFloat64, 0.1 + 0.2, 0.3, 1.0 / 3,
		1<<53 - 1, 1 << 53, 1<<53 + 2, -(1<<53 - 1), -(1 << 53), -(1<<53 + 2), 1 << 63, -(1 << 63), 1<<63 + 2048, 1 << 64, 1<<31 - 1, 1 << 31, -(1 << 31), 1 << 32,
		1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22, 1e23, 123456789012345680000, 1e-5, 1e-6, 1e-7, 1.5e-7,
		999999999999999, 9999999999999998, 1234567890123456, 9007199254740993, 12345678901234568, 99999999999999984, 999999999999999744,
		1234567890.123456, 123456789.12345679, 0.1234567890123456, 0.12345678901234568, 1e16 + 2, math.NaN(), math.Inf(1), math.Inf(-1),
	}
	r := rand.New(rand.NewPCG(13, 16))
	for range 2000 {
		if f := math.Float64frombits(r.Uint64()); f == f {
			list = append(list, f)
		}
		list = append(list, math.Trunc(r.Float64()*1e19/math.Pow10(r.IntN(6))))
	}
	return list
}

func sameNumber(t *testing.T, road string, got datamodel.Value, want float64) {
	t.Helper()
	if !datamodel.Equal(got, datamodel.Number(want)) {
		t.Errorf("%s: %v becomes %v", road, want, got)
	}
}

func TestNumbersSurviveExactly(t *testing.T) {
	list := exactNumbers()
	values := make([]datamodel.Value, len(list))
	plain := newSaved(t) // in the list of data items, without a runtime
	graph := newSaved(t, `x = []; function f(v) { return v }`)
	for i, f := range list {
		values[i] = datamodel.Number(f)
		if err := plain.Set(fmt.Sprint("n", i), values[i]); err != nil {
			t.Fatal(err)
		}
		text := datamodel.AppendJSON(nil, values[i])
		back, err := datamodel.ParseJSON(text)
		if err != nil {
			t.Errorf("%s: %v", text, err)
		}
		sameNumber(t, "JSON", back, f)
		var number float64
		if json.Unmarshal(text, &number) == nil && number != f { // NaN and the like are objects
			t.Errorf("encoding/json reads %s as %v, not as %v", text, number, f)
		}
	}
	if err := graph.Set("x", values); err != nil {
		t.Fatal(err)
	}
	graph.SetEvent(&datamodel.Event{Name: "e", Data: values})
	graph.run(`kept = _event; m = new Map(); for (const v of x) m.set(m.size, v)`)
	graph.SetEvent(&datamodel.Event{Name: "next"})

	p, g := plain.restored(), newSaved(t)
	g.exprs = graph.exprs
	g.SetEvent(&datamodel.Event{Name: "next"})
	if err := g.Store.(datamodel.Saver).Load(graph.save(), g.exprs); err != nil {
		t.Fatal(err)
	}
	read := func(s *saved, text string) datamodel.Value {
		v, err := s.Value(expr(datamodel.ValueExpr, text))
		if err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		return v
	}
	array, event, values2 := read(g, "x").([]datamodel.Value), read(g, "kept.data").([]datamodel.Value), read(g, "[...m.values()]").([]datamodel.Value)
	for i, f := range list {
		sameNumber(t, "data item", read(p, fmt.Sprint("n", i)), f)
		sameNumber(t, "array", array[i], f)
		sameNumber(t, "event", event[i], f)
		sameNumber(t, "map", values2[i], f)
	}
}

// Numbers in saved data may have been written by someone else, with more digits
// than a number needs.
func TestNumbersWithManyDigitsAreRead(t *testing.T) {
	for _, text := range []string{
		"1234567890123456", "12345678901234567", "-12345678901234567", "123456789012345678", "1234567890123456789", "12345678901234567890",
		"9007199254740993", "-9007199254740993", "99999999999999999999999", "0.1000000000000000055511151231257827", "1234567890123456.7", "1e5", "-0.0",
		"1" + strings.Repeat("0", 300), "18446744073709551616", "9223372036854775807", "9223372036854775808",
	} {
		want, _ := new(big.Float).SetString(text)
		f, _ := want.Float64()
		for _, data := range []string{`{"format":1,"data":{"x":%s}}`, `{"format":1,"data":{"x":[%s],"f":[]}}`} {
			st := newStore(t)
			if err := st.Store.(datamodel.Saver).Load(fmt.Appendf(nil, data, text), nil); err != nil {
				t.Errorf("%s: %v", text, err)
				continue
			}
			v, err := st.Value(expr(datamodel.ValueExpr, "x"))
			if list, ok := v.([]datamodel.Value); ok {
				v = list[0]
			}
			if err != nil {
				t.Fatal(err)
			}
			sameNumber(t, text, v, f)
		}
	}
}

// What can be saved can be loaded: a BigInt of more bits than are read is saved
// no more than it is read, and does not leave the store.
func TestBigIntIsBounded(t *testing.T) {
	s := newSaved(t, fmt.Sprintf(`x = {a: [2n ** %dn - 1n]}; y = Object(x.a[0])`, datamodel.MaxBigInt))
	s.restored().want(fmt.Sprintf(`x.a[0] === 2n ** %dn - 1n && y.valueOf() === x.a[0]`, datamodel.MaxBigInt), "true")
	if v := s.get("[x, y]"); strings.HasPrefix(v, "!") {
		t.Error(v)
	}
	const says = "a BigInt has more than 262144 bits"
	for _, tt := range []struct{ script, path string }{
		{"x.a[0]++", "x.a[0]"}, {"x = -x.a[0]", "x"}, {"x = new Map([[1, x.a[0]]])", "x.<value 0 of the map>"}, {"x = Object(x.a[0])", "x"},
	} {
		s := newSaved(t, fmt.Sprintf(`x = {a: [2n ** %dn]}`, datamodel.MaxBigInt), tt.script)
		_, err := s.Store.(datamodel.Saver).Save(s.exprs)
		var refused *datamodel.NotSerializableError
		if !errors.As(err, &refused) || refused.What != "a BigInt that has more than 262144 bits" || refused.Path != tt.path {
			t.Errorf("%s: got %v", tt.script, err)
		}
		for _, text := range []string{"x", "[0, x]", "({a: x})"} {
			if got := s.get(text); !strings.HasPrefix(got, "! ") || !strings.HasSuffix(got, says) {
				t.Errorf("%s: %s leaves the store: %.80s", tt.script, text, got)
			}
		}
	}
	s.run("big = 1n << 300000n")
	if got := s.get("({a: [1, big]})"); got != "! at a[1]: "+says {
		t.Errorf("got %.80s", got)
	}
	for _, data := range []string{`{"format":1,"data":{"x":{"$bigint":"%s"}}}`, `{"format":1,"data":{"x":[{"$bigint":"-%s"}]}}`} {
		err := newStore(t).Store.(datamodel.Saver).Load(fmt.Appendf(nil, data, strings.Repeat("7", 50_000_000)), nil)
		if err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%s: got %v", data, err)
		}
	}
}
