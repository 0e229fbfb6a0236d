package fast

import (
	"bytes"
	"fmt"
	"maps"
	"math"
	"slices"
	"testing"

	"github.com/scxmlrun/scxmlrun/datamodel"
	"github.com/scxmlrun/scxmlrun/datamodel/ecmascript/internal/syntax"
)

// What a closure does not know it gives up, and what it knows is the same with
// the data in Go and in the runtime. TestFast of package ecmascript looks closer.
func TestCompile(t *testing.T) {
	for _, tt := range []struct {
		text string
		want datamodel.Value // Function for nothing
	}{
		{"count + 1", int64(4)},
		{"count < 5 && _event.data.n === 2", true},
		{"'a' + count", "a3"},
		{"_event.data?.list[1] ?? 'none'", "x"},
		{"typeof nothing", "undefined"},
		{"-count / 2", -1.5},
		{"_event.name", "e"},
		{"missing", datamodel.Function("")},
		{"count ** 2 & ~(1 << 3)", int64(1)},
		{"count ** -2", datamodel.Function("")},
		{"count ** 99", datamodel.Function("")},
		{"1.5 | count", datamodel.Function("")},
		{"count.toFixed()", datamodel.Function("")},
		{"'é' + count", datamodel.Function("")},
	} {
		e := &Env{Event: &datamodel.Event{Name: "e", Data: datamodel.NewObject("n", int64(2), "list", []datamodel.Value{int64(1), "x"})}}
		for _, id := range []string{"count", "nothing"} {
			v := Operand{}
			if id == "count" {
				v, _ = FromValue(int64(3))
			}
			if !e.Set(id, v) {
				t.Fatalf("%s cannot be set", id)
			}
		}
		tree, err := syntax.DefaultLimits.Expression(&datamodel.Source{Text: tt.text}, nil)
		if err != nil {
			t.Fatal(err)
		}
		x := Compile(tree.X)
		v, ok := Operand{}, false
		if x.Value != nil {
			v, ok = x.Value(e)
		}
		if _, unknown := tt.want.(datamodel.Function); unknown == ok {
			t.Errorf("%s: got %v, %v", tt.text, v, ok)
		} else if ok && !datamodel.Equal(v.Neutral(), tt.want) {
			t.Errorf("%s: got %v, want %v", tt.text, v.Neutral(), tt.want)
		}
	}
}

// Items have the same values in another Env, whatever that held. A state that is cut off is refused.
func TestItemsState(t *testing.T) {
	values := map[string]Operand{
		"undefined": {}, "null": {kind: kindNull}, "true": boolOperand(true), "false": boolOperand(false), "text": textOperand("é\x00"), "empty": textOperand(""),
	}
	for _, n := range []float64{0, math.Copysign(0, -1), 1, -1, 63, 64, -64, -65, 0.5, 1e300, math.Inf(-1), math.NaN()} {
		values[fmt.Sprint(n)] = numberOperand(n)
	}
	var from Items
	for _, name := range slices.Sorted(maps.Keys(values)) {
		from.Append(name, values[name])
	}
	state := from.AppendState(nil)
	shuffled, fewer := Items{}, Items{}
	for name := range values { // in any order
		shuffled.Append(name, textOperand(name))
	}
	fewer.Append("-0", Operand{})
	for _, to := range []*Items{{}, &shuffled, &fewer} {
		if !to.LoadState(state) || !bytes.Equal(to.AppendState(nil), state) || !slices.Equal(to.Names, from.Names) {
			t.Errorf("got %v, want %v", to, from)
		}
		for i, name := range from.Names {
			if to.find(name) != i || math.Float64bits(to.Value(i).number) != math.Float64bits(values[name].number) || to.Value(i).text != values[name].text || to.Value(i).kind != values[name].kind {
				t.Errorf("%s is %v, want %v", name, *to.Value(i), values[name])
			}
		}
	}
	for n := range state {
		if new(Items).LoadState(state[:n]) {
			t.Errorf("%d of %d bytes were loaded", n, len(state))
		}
	}
	if !shuffled.LoadState(new(Items).AppendState(nil)) || len(shuffled.Names) > 0 || shuffled.Has("true") {
		t.Errorf("%v is left", shuffled.Names)
	}
}
