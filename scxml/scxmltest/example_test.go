package scxmltest_test

import (
	"fmt"
	"log"
	"testing/fstest"

	"github.com/scxmlrun/scxmlrun/scxml/scxmltest"
)

// A chart, its events, and what it does.
func Example() {
	files := fstest.MapFS{"door.scxml": {Data: []byte(`<scxml xmlns="http://www.w3.org/2005/07/scxml" version="1.0" datamodel="null">
  <state id="closed"><transition event="push" target="open"/></state>
  <state id="open">
    <onentry><send event="close" delay="5s"/></onentry>
    <transition event="close" target="closed"/>
  </state>
</scxml>`)}}
	trace, err := scxmltest.Replay(files, "door.scxml", "push\nadvance 5s\n")
	if err != nil {
		log.Fatal(err)
	}
	fmt.Print(trace)
	// Output:
	// enter closed
	// stable closed
	// event push
	// exit closed
	// transition closed -> open
	// enter open
	// send close in 5s
	// stable open
	// due close
	// event close
	// exit open
	// transition open -> closed
	// enter closed
	// stable closed
}
