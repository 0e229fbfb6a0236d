package null_test

import (
	"context"
	"fmt"
	"log"

	"github.com/scxmlrun/scxmlrun/scxml"
)

// The chart names the data model, which package scxml has without an option.
func Example() {
	chart, err := scxml.Parse("gate.scxml", []byte(`<scxml xmlns="http://www.w3.org/2005/07/scxml" version="1.0" datamodel="null">
  <parallel id="gate">
    <state id="lock" initial="locked">
      <state id="locked"><transition event="coin" target="free"/></state>
      <state id="free"/>
    </state>
    <state id="arm" initial="still">
      <state id="still"><transition event="push" cond="In('free')" target="turned"/></state>
      <state id="turned"/>
    </state>
  </parallel>
</scxml>`))
	if err != nil {
		log.Fatal(err)
	}
	session, err := scxml.New(chart)
	if err != nil {
		log.Fatal(err)
	}
	ctx := context.Background()
	if err := session.Start(ctx); err != nil {
		log.Fatal(err)
	}
	for _, name := range []string{"push", "coin", "push"} {
		effect, err := session.Do(ctx, session.Now(), scxml.Event{Name: name})
		fmt.Println(name, effect.Handled, session.Configuration(), err)
	}
	// Output:
	// push false [gate lock locked arm still] <nil>
	// coin true [gate lock free arm still] <nil>
	// push true [gate lock free arm turned] <nil>
}
