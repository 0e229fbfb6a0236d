package datamodel

import "testing"

func TestSize(t *testing.T) {
	deep := Value("x")
	for range 10 {
		deep = []Value{deep}
	}
	for _, test := range []struct {
		name        string
		v           Value
		size, depth int
	}{
		{"undefined", nil, 8, 0},
		{"text", "abc", 11, 0},
		{"array", []Value{int64(1), "ab"}, 8 + 8 + 10, 1},
		{"object", NewObject("key", int64(1)), 8 + 3 + 8, 1},
		{"XML", &Node{Local: "a", Attrs: []Attr{{Local: "b", Value: "c"}}, Children: []*Node{{Type: TextNode, Text: "text"}}}, 8 + 1 + 10 + 8 + 4, 1},
		{"deep", deep, 10*8 + 9, 10},
	} {
		if size, depth := Size(test.v, 1000, 100); size != test.size || depth != test.depth {
			t.Errorf("%s: size %d, depth %d; want %d, %d", test.name, size, depth, test.size, test.depth)
		}
	}
	if _, depth := Size(deep, 1000, 4); depth != 5 {
		t.Errorf("it counts on beyond the depth, to %d", depth)
	}
	many := make([]Value, 1_000_000)
	if size, _ := Size(many, 1000, 4); size > 2000 {
		t.Errorf("it counts on beyond the size, to %d", size)
	}
}
