package editor

import (
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
