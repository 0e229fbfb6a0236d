package graph

import (
	"slices"
	"testing"

	"github.com/scxmlrun/scxmlrun/datamodel"
	"github.com/scxmlrun/scxmlrun/datamodel/ecmascript/internal/fast"
	"github.com/scxmlrun/scxmlrun/datamodel/ecmascript/internal/syntax"
)

// Data items that need no runtime are saved and loaded without one, and with the
// same bytes.
func TestItems(t *testing.T) {
	var e fast.Env
	for _, id := range []string{"n", "s", "nothing", "z"} {
		v, _ := fast.FromValue(map[string]datamodel.Value{"n": int64(-5), "s": "a\"b", "z": 0.5}[id])
		e.Set(id, v)
	}
	const want = `{"format":1,"data":{"n":-5,"s":"a\"b","nothing":{"$undefined":true},"z":0.5}}`
	data, err := SaveItems(&e.Items)
	if err != nil || string(data) != want {
		t.Errorf("got %s, %v\nwant %s", data, err, want)
	}
	var names []string
	ok := LoadItems(data, func(name string, v datamodel.Value) bool {
		names = append(names, name+" "+datamodel.Text(v))
		return true
	})
	if !ok || !slices.Equal(names, []string{"n -5", "s a\"b", "nothing undefined", "z 0.5"}) {
		t.Errorf("got %v, %q", ok, names)
	}
	for _, other := range []string{`{"format":1,"data":{"x":[]}}`, `{"format":2}`, `{"format":1,"let":{"x":1}}`, `{"format":1`, ``} {
		if LoadItems([]byte(other), func(string, datamodel.Value) bool { return true }) {
			t.Errorf("%s has been loaded", other)
		}
	}
}

type code struct{ tree *syntax.Tree }

func (c code) Tree() *syntax.Tree { return c.tree }

// A function has a key of its own, also if another has its name, and none if it
// cannot be made anew.
func TestChart(t *testing.T) {
	tree, err := syntax.DefaultLimits.Script(&datamodel.Source{Text: `
		function solve() { return 1 }
		var other = {solve() { return 2 }}, twice = [x => x, x => x];
		var next = (function () { var n = 0; return function count() { return n++ } })();
		Map = 5`}, nil)
	if err != nil {
		t.Fatal(err)
	}
	c := NewChart([]Code{code{tree}})
	var keys []string
	for key, f := range c.byKey {
		if f.key != key || f.Captures != "" {
			t.Errorf("%s has the key %s and captures %s", key, f.key, f.Captures)
		}
		keys = append(keys, f.Name)
	}
	slices.Sort(keys)
	if want := []string{"", "", "solve", "solve"}; !slices.Equal(keys, want) || len(c.byText) != 5 {
		t.Errorf("got %q of %d functions, want %q", keys, len(c.byText), want)
	}
	if c.odd || c.symbols || c.library || !slices.Equal(c.shadows, []string{"Map"}) {
		t.Errorf("got %v %v %v %v", c.odd, c.symbols, c.library, c.shadows)
	}
}
