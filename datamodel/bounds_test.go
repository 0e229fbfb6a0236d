package datamodel_test

import (
	"math"
	"math/big"
	"testing"

	"github.com/scxmlrun/scxmlrun/datamodel"
)

// A number has one form: an int64 up to 2⁵³ in magnitude, else a float64.
func TestNumbersHaveOneForm(t *testing.T) {
	for _, tt := range []struct {
		in   any
		want datamodel.Value
	}{
		{float64(1 << 53), int64(1 << 53)}, {float64(-1 << 53), int64(-1 << 53)}, {float64(1<<53 + 2), float64(1<<53 + 2)},
		{int64(1 << 53), int64(1 << 53)}, {int64(-1 << 53), int64(-1 << 53)},
		{uint64(1 << 53), int64(1 << 53)}, {0.0, int64(0)}, {5e-324, 5e-324},
	} {
		if got, err := datamodel.From(tt.in); err != nil || got != tt.want {
			t.Errorf("%T %v becomes %T %v, %v; want %T %v", tt.in, tt.in, got, got, err, tt.want, tt.want)
		}
	}
}

func TestDecodeAtTheEndsOfIntegers(t *testing.T) {
	var i int64
	if err := datamodel.Decode(float64(math.MinInt64), &i); err != nil || i != math.MinInt64 {
		t.Errorf("got %d, %v", i, err)
	}
	var u uint64
	for _, f := range []float64{1 << 64, -1} {
		if err := datamodel.Decode(f, &u); err == nil {
			t.Errorf("%v becomes %d", f, u)
		}
	}
	if err := datamodel.Decode(float64(1<<64-2048), &u); err != nil || u != 1<<64-2048 {
		t.Errorf("got %d, %v", u, err)
	}
	if err := datamodel.Decode(float64(1<<63), &i); err == nil {
		t.Errorf("2⁶³ becomes %d", i)
	}
}

func TestSizeOfEachKind(t *testing.T) {
	for _, tt := range []struct {
		v           datamodel.Value
		size, depth int
	}{
		{new(big.Int).Lsh(big.NewInt(1), 8000), 8 + 1000, 0},
		{[]datamodel.Value{}, 8, 0},
		{[]datamodel.Value{int64(1), 0.5}, 24, 1},
		{[]datamodel.Value{[]datamodel.Value{true}}, 24, 2},
	} {
		if size, depth := datamodel.Size(tt.v, 1<<20, 100); size != tt.size || depth != tt.depth {
			t.Errorf("%.40s: %d bytes, %d deep; want %d, %d", datamodel.Text(tt.v), size, depth, tt.size, tt.depth)
		}
	}
}

func TestEqualOfNaN(t *testing.T) {
	other := math.Float64frombits(math.Float64bits(math.NaN()) ^ 1)
	if !datamodel.Equal(math.NaN(), other) || datamodel.Equal(math.NaN(), 0.5) || datamodel.Equal(math.Copysign(0, -1), 0.0) {
		t.Error("NaN is not NaN, or -0 is 0")
	}
}
