package fast

import (
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
		{"count ** 2", datamodel.Function("")},
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
