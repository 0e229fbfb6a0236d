package scxml_test

import (
	"context"
	"fmt"
	"log"
	"time"

	"github.com/scxmlrun/scxmlrun/scxml"
)

const doorChart = `
<scxml xmlns="http://www.w3.org/2005/07/scxml" version="1.0">
  <datamodel><data id="code"/><data id="failures" expr="0"/></datamodel>
  <state id="locked">
    <transition event="enter" cond="_event.data === code" target="open"/>
    <transition event="enter">
      <assign location="failures" expr="failures + 1"/>
      <send event="alarm"><param name="failures" expr="failures"/></send>
    </transition>
  </state>
  <state id="open">
    <onentry><send event="shut" delay="5s"/></onentry>
    <transition event="shut" target="locked"/>
  </state>
</scxml>`

func Example() {
	chart, err := scxml.Parse("door.scxml", []byte(doorChart))
	if err != nil {
		log.Fatal(err) // every problem of the document, one per line
	}
	session, err := scxml.New(chart, scxml.WithData("code", 4711), scxml.WithAccept(chart.IsUserEvent))
	if err != nil {
		log.Fatal(err)
	}
	ctx := context.Background()
	if err := session.Start(ctx); err != nil {
		log.Fatal(err)
	}
	for _, code := range []int{1234, 4711} {
		effect, err := session.Do(ctx, time.Now(), scxml.Event{Name: "enter", Data: code})
		if err != nil {
			log.Fatal(err)
		}
		for _, m := range effect.Sent {
			data, err := scxml.EventData[struct{ Failures int }](m.Event)
			fmt.Println(m.Event.Name, data.Failures, err)
		}
		fmt.Println(effect.Handled, session.Configuration())
	}
	// Output:
	// alarm 1 <nil>
	// true [locked]
	// true [open]
}
