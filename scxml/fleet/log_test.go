package fleet_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/scxmlrun/scxmlrun/scxml/fleet"
)

// However much happens in one change, an entry of the log stays small, and says what it leaves out.
func TestLogEntriesAreBounded(t *testing.T) {
	store := fleet.NewMemory()
	f := newFleet(t, store, fleet.Config{}, parse(t, "loud", `<datamodel><data id="long" expr="'x'.repeat(50)"/></datamodel><state id="s">
		<transition event="go"><foreach array="new Array(500)" item="i"><send eventexpr="'e.' + long"/></foreach></transition></state>`))
	if err := f.Create(t.Context(), "k", fleet.CreateOptions{}); err != nil {
		t.Fatal(err)
	}
	for range 200 {
		if _, err := f.Send(t.Context(), "k", ev("idle."+strings.Repeat("y", 2000), nil)); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := f.Do(t.Context(), "k", ev("go", nil)); err != nil {
		t.Fatal(err)
	}
	bodies, err := store.Log(t.Context(), "k", 0, 0)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range bodies {
		if len(e.Body) > 100<<10 {
			t.Errorf("an entry has %d bytes", len(e.Body))
		}
	}
	log, err := f.Log(t.Context(), "k", 0, 0)
	if err != nil || len(log) != 2 {
		t.Fatalf("%d entries, %v", len(log), err)
	}
	steps := log[1].Steps
	last := steps[len(steps)-1]
	if want := fmt.Sprintf("the log leaves out %d steps, or parts of them", 202-len(steps)); last.Position != 201 || last.Note != want || !last.Handled {
		t.Errorf("the last of %d steps is %+v, want the note %q", len(steps), last, want)
	}
	if _, err := f.Do(t.Context(), "k", ev("go", nil)); err != nil {
		t.Fatal(err)
	}
	log, err = f.Log(t.Context(), "k", log[1].Revision, 0)
	if err != nil || len(log) != 1 {
		t.Fatalf("%d entries, %v", len(log), err)
	}
	if sent := log[0].Steps[0].Sent; len(sent) == 0 || !strings.HasPrefix(sent[len(sent)-1], "… and 4") {
		t.Errorf("names %.200q", sent)
	}
}
