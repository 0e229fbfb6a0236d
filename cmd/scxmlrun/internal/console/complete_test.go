package console

import (
	"slices"
	"strings"
	"testing"
)

func testCommands() (all Commands) {
	all.Add("help, ?", "", Nothing, nil)
	all.Add("send EVENT [JSON]", "", Events, nil)
	all.Add("data [ID]", "", Data, nil)
	all.Add("eval, e EXPR", "", Expression, nil)
	all.Add("in STATE", "", States, nil)
	all.Add("advance TIME", "", Nothing, nil)
	all.Add("trace on|off", "", Choices, nil)
	all.Add("quit", "", Nothing, nil)
	return all
}

func TestComplete(t *testing.T) {
	v := Vocabulary{
		Events: Completable([]string{"tap", "tick", "undo", "error.*", "*", "data", "\u202eevil"}),
		States: []string{"open", "opened", "closed"},
		Data:   []string{"currentState", "count"},
	}
	for _, test := range []struct {
		line, want string // | is the cursor
		choices    string
	}{
		{"|", "|", "help send data eval in advance trace quit tap tick undo error."},
		{"u|", "undo |", ""},
		{"un| 5", "undo| 5", ""},
		{"t|", "t|", "trace tap tick"},
		{"ti|", "tick |", ""},
		{"da|", "data |", ""}, // once, although it is an event too
		{"err|", "error.|", ""},
		{"nothing|", "nothing|", ""},
		{"send |", "send |", "tap tick undo error. data"},
		{"send un|", "send undo |", ""},
		{"send undo u|", "send undo u|", ""},
		{"in op|", "in open|", ""},
		{"in open|", "in open|", "open opened"},
		{"in opene|", "in opened |", ""},
		{"data c|", "data c|", "currentState count"},
		{"eval 2*(cu|)", "eval 2*(currentState|)", ""},
		{"e cu|", "e currentState|", ""},
		{"trace o|", "trace o|", "on off"},
		{"tap {|", "tap {|", ""},
		{"advance |", "advance |", ""},
	} {
		before, after, _ := strings.Cut(test.line, "|")
		line, pos, choices := v.complete(testCommands(), before+after, len(before))
		if got := line[:pos] + "|" + line[pos:]; got != test.want || strings.Join(choices, " ") != test.choices {
			t.Errorf("%s: got %s and %q, want %s and %q", test.line, got, choices, test.want, test.choices)
		}
	}
}

func TestColumns(t *testing.T) {
	if got, want := columns([]string{"tap", "tick", "été"}, 14), "tap   tick\nété\n"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if got, want := columns([]string{"tap", "tick"}, 1), "tap\ntick\n"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestHistory(t *testing.T) {
	var h history
	for _, line := range []string{"a", "", "b", "b", "a"} {
		h.Add(line)
	}
	if want := []string{"a", "b", "a"}; !slices.Equal(h.entries, want) || h.At(0) != "a" || h.At(1) != "b" {
		t.Errorf("got %q, want %q", h.entries, want)
	}
	for range 2 * maxHistory {
		h.Add("x")
		h.Add("y")
	}
	if h.Len() != maxHistory || h.At(0) != "y" {
		t.Errorf("%d entries", h.Len())
	}
}
