package compiled_test

import (
	"math/rand/v2"
	"testing"
	"time"

	"github.com/scxmlrun/scxmlrun/examples/sudoku/compiled"
	"github.com/scxmlrun/scxmlrun/scxml/machine"
)

// An event that is sent with a struct does what it does by its name.
func TestTyped(t *testing.T) {
	r := rand.New(rand.NewPCG(47, 1))
	typed, named := compiled.New(compiled.Hooks{}), compiled.New(compiled.Hooks{})
	now := time.Unix(1e9, 0)
	for _, m := range []*compiled.Machine{typed, named} {
		m.SetUp(machine.Options{SessionID: "s"})
		if err := m.Start(now); err != nil {
			t.Fatal(err)
		}
		m.SendStart()
	}
	send := func(event string, handled bool, data ...machine.Field) {
		t.Helper()
		got, err := named.Send(event, machine.Fields(data))
		if err != nil {
			t.Fatal(err)
		}
		if got != handled {
			t.Errorf("%s %v: %v with a struct, by name %v", event, data, handled, got)
		}
	}
	taken := 0
	for range 600 {
		x, y, n := float64(r.IntN(11)-1), float64(r.IntN(10)), float64(r.IntN(4))
		handled := false
		switch r.IntN(6) {
		case 0:
			handled = typed.Forget(compiled.Forget{Index: n})
			send("forget", handled, machine.Field{Name: "index", Value: n})
		case 1:
			handled = typed.SendRestore(compiled.Restore{Index: n})
			send("restore", handled, machine.Field{Name: "index", Value: n})
		case 2:
			for _, m := range []*compiled.Machine{typed, named} {
				if _, err := m.Send("savepoint", machine.Fields{{Name: "name", Value: "p"}}); err != nil {
					t.Fatal(err)
				}
			}
		default:
			handled = typed.Tap(compiled.Tap{X: x, Y: y})
			send("tap", handled, machine.Field{Name: "x", Value: x}, machine.Field{Name: "y", Value: y})
		}
		if handled {
			taken++
		}
		a, err := typed.Snapshot()
		if err != nil {
			t.Fatal(err)
		}
		b, err := named.Snapshot()
		if err != nil {
			t.Fatal(err)
		}
		if string(a) != string(b) {
			t.Fatalf("with structs\n%s\nby name\n%s", a, b)
		}
	}
	if taken < 150 {
		t.Errorf("%d events were taken", taken)
	}
}

// What one macrostep may take is not used up by many.
func TestManyMacrosteps(t *testing.T) {
	m := compiled.New(compiled.Hooks{})
	m.SetUp(machine.Options{Limits: machine.Limits{Microsteps: 2 * machine.ShortcutSteps}})
	if err := m.Start(time.Time{}); err != nil {
		t.Fatal(err)
	}
	m.SendStart()
	if _, err := m.Send("savepoint", machine.Fields{{Name: "name", Value: "p"}}); err != nil { // from now on two regions take update
		t.Fatal(err)
	}
	for range 10 * machine.ShortcutSteps {
		if !m.Tap(compiled.Tap{}) {
			t.Fatal("a tap was not taken")
		}
	}
	if handled, err := m.Send("undo", nil); !handled || err != nil || m.Err() != nil {
		t.Errorf("got %v, %v, %v", handled, err, m.Err())
	}
}
