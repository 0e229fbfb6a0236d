package widget

import (
	"slices"
	"testing"
)

// A table is as large as it needs, scrolls to the selected cell, and stops at its edges.
func TestTable(t *testing.T) {
	table := &Table{Cells: [][]string{{"a", "b", "c"}, {"d", "e", "f"}, {"g", "h", "i"}}}
	var chosen []string
	table.Changed = func() { chosen = append(chosen, table.Cells[table.Row][table.Col]) }
	b := newBench(t, 40, 12)
	b.Open(&Dialog{Title: "Cell", Controls: []Control{table, &Button{Text: "Send", Do: b.does("send")}}})
	b.shows("a ◂b  c", "g  h  i")
	b.keys("right", "down", "left", "left", "end", "down", "down", "home", "up")
	if want := []string{"b", "e", "d", "f", "i", "g", "d"}; !slices.Equal(chosen, want) {
		t.Errorf("selected were %q, want %q", chosen, want)
	}
	b.shows("d ◂e  f")
	b.click("h")
	b.shows("h ◂i")
	b.keys("enter")
	b.did("send")
}

// The first character that is written replaces a text, unless a key has moved in it before.
func TestFieldReplaces(t *testing.T) {
	for _, test := range []struct {
		keys []string
		want string
	}{
		{[]string{"4", "2"}, "42"},
		{[]string{"end", "4"}, "14"},
		{[]string{"left", "4"}, "41"},
		{[]string{"backspace", "4"}, "4"},
		{[]string{"pgdn"}, "2"},
		{[]string{"pgdn", "pgdn", "pgdn"}, "1"},
		{[]string{"pgup"}, "3"},
		{[]string{"9", "pgdn"}, "1"},
		{[]string{"9", "pgup"}, "3"},
		{[]string{"pgdn", "9"}, "29"},
	} {
		f := &Field{Text: "1", Options: []string{"1", "2", "3"}, Replace: true}
		b := newBench(t, 40, 12)
		b.Open(&Dialog{Controls: []Control{f}})
		b.keys(test.keys...)
		if f.Text != test.want {
			t.Errorf("%q: the text is %q, want %q", test.keys, f.Text, test.want)
		}
	}
}
