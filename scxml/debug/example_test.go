package debug_test

import (
	"context"
	"fmt"
	"log"

	"github.com/scxmlrun/scxmlrun/scxml"
	"github.com/scxmlrun/scxmlrun/scxml/debug"
)

const door = `<scxml xmlns="http://www.w3.org/2005/07/scxml" version="1.0">
  <datamodel><data id="failures" expr="0"/></datamodel>
  <state id="locked">
    <transition event="enter" cond="_event.data === 4711" target="open"/>
    <transition event="enter">
      <assign location="failures" expr="failures + 1"/>
    </transition>
  </state>
  <state id="open"/>
</scxml>`

// A breakpoint stops the session, also on the way back.
func Example() {
	chart, err := scxml.Parse("door.scxml", []byte(door))
	if err != nil {
		log.Fatal(err)
	}
	d, err := debug.New(debug.Config{Chart: chart})
	if err != nil {
		log.Fatal(err)
	}
	defer d.Close()
	d.SetBreakpoints("", []debug.Breakpoint{{Kind: debug.AtLine, Line: 6}})
	for _, code := range []int{1234, 4711} {
		if err := d.Send("", scxml.Event{Name: "enter", Data: code}); err != nil {
			log.Fatal(err)
		}
	}
	ctx := context.Background()
	for _, move := range []func(context.Context) (debug.Stop, error){d.Continue, d.StepIn, d.Continue, d.ReverseContinue} {
		stop, err := move(ctx)
		if err != nil {
			log.Fatal(err)
		}
		failures, err := d.Eval(ctx, stop.Session, "failures")
		fmt.Println(stop.Reason, stop.Place, stop.Text, stop.Past, failures, err)
	}
	frames, err := d.Stack("")
	for _, f := range frames {
		fmt.Println(f.Name, f.At, err)
	}
	// Output:
	// breakpoint 1.4 assign failures false 0 <nil>
	// step 2.0 in locked false 1 <nil>
	// idle 3.0 in open false 1 <nil>
	// breakpoint 1.4 assign failures true 0 <nil>
	// assign failures door.scxml:6:7 <nil>
	// locked enter door.scxml:5:5 <nil>
	// locked door.scxml:3:3 <nil>
}
