package machine_test

import (
	"fmt"
	"log"
	"time"

	"github.com/scxmlrun/scxmlrun/scxml/machine"
)

// Machine is what "scxmlrun gen go" makes of testdata/nested.scxml, in nested_gen_test.go.
func Example() {
	m := New(Hooks{Quick: func() { fmt.Println("quick") }})
	m.SetUp(machine.Options{Data: machine.Fields{{Name: "got", Value: 41}}})
	now := time.Date(2026, 1, 5, 8, 0, 0, 0, time.UTC)
	if err := m.Start(now); err != nil {
		log.Fatal(err)
	}
	fmt.Println(m.Hooked(), m.Data().Got) // an event is a method, which reports whether a transition took it

	m.Later() // sends an event after a second
	due, _ := m.NextDue()
	fmt.Println(due.Sub(now))
	m.Advance(due)

	handled, err := m.Send("push", nil)
	fmt.Println(m.In(Idle), m.Configuration(), handled, err)
	// Output:
	// true 42
	// 1s
	// quick
	// true [idle] false <nil>
}
