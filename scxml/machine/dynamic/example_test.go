package dynamic_test

import (
	"fmt"
	"log"
	"time"

	"github.com/scxmlrun/scxmlrun/scxml/machine"
)

// Dynamic is what "scxmlrun gen go --dynamic" makes of testdata/action.scxml, in dynamic_gen_test.go.
func Example() {
	m := NewDynamic(DynamicHooks{})
	m.SetUp(machine.Options{Action: func(call *machine.ActionCall) error {
		fmt.Println("note")
		return nil
	}})
	if err := m.Start(time.Time{}); err != nil {
		log.Fatal(err)
	}
	sum, ok := m.Item("sum") // a data item, copied out of the script engine
	fmt.Println(m.Configuration(), sum, ok)
	// Output:
	// note
	// [a] 0 true
}
