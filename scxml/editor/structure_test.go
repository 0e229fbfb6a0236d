package editor

import (
	"slices"
	"testing"
)

// What the structure says of a chart can be given back to the operations.
func TestStructure(t *testing.T) {
	for _, writing := range writings {
		text, _, err := Decode(writing.write(plainDocument))
		if err != nil {
			t.Fatal(err)
		}
		d := Analyse("lamp.scxml", text, Options{})
		states, moves := d.Structure()
		if len(states) != 16 || len(moves) != 10 {
			t.Errorf("%s: %d states and %d transitions", writing.name, len(states), len(moves))
		}
		for _, s := range states[1:] {
			for op, actions := range map[string]string{"set-onentry": s.OnEntry, "set-onexit": s.OnExit} {
				if _, edits, err := d.Operate(Operation{op, map[string]string{"state": s.Name, "actions": actions}}); err != nil || len(edits) > 0 {
					t.Errorf("%s: %s of %s: %v, %v", writing.name, op, s.Name, edits, err)
				}
			}
		}
		for _, m := range moves {
			if _, edits, err := d.Operate(Operation{"set-target", map[string]string{"transition": m.Name, "to": m.Target}}); err != nil || len(edits) > 0 {
				t.Errorf("%s: the target of %s: %v, %v", writing.name, m.Name, edits, err)
			}
			if _, edits, err := d.Operate(Operation{"set-actions", map[string]string{"transition": m.Name, "actions": m.Actions}}); err != nil || len(edits) > 0 {
				t.Errorf("%s: the actions of %s: %v, %v", writing.name, m.Name, edits, err)
			}
		}
	}
}

// An argument is completed as it would be in the document.
func TestCompleteArgument(t *testing.T) {
	d := Analyse("lamp.scxml", plainDocument, Options{})
	for _, test := range []struct{ transition, argument, value, want string }{
		{"off/1", "event", "wa", "warm"}, {"off/1", "event", "press wa", "press warm"}, {"off/3", "to", "di", "dimmed"}, {"off/3", "to", "", "broken"},
		{"off/2", "cond", "n < 3 && te", "n < 3 && text"}, {"off/2", "actions", "<rai", `<raise event=""/>`}, {"off/3", "actions", "<lo", `<log expr=""/>`},
	} {
		got := d.CompleteArgument(Operation{"x", map[string]string{"transition": test.transition, test.argument: test.value}}, test.argument)
		if !slices.Contains(got, test.want) {
			t.Errorf("%+v: got %q", test, got)
		}
	}
}
