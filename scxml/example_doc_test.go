package scxml_test

import (
	"context"
	"fmt"
	"log"

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
  <state id="open"><transition event="push" target="passed"/></state>
  <final id="passed"/>
</scxml>`

func Example() {
	chart, err := scxml.Parse("door.scxml", []byte(doorChart))
	if err != nil {
		log.Fatal(err) // every problem of the document, one per line
	}
	session, err := scxml.New(chart, scxml.WithData("code", 4711))
	if err != nil {
		log.Fatal(err)
	}
	session.OnState("open", func(active bool) { fmt.Println("open:", active) })
	session.OnSend("alarm", func(ev scxml.Event) {
		data, _ := scxml.EventData[struct{ Failures int }](ev)
		fmt.Println("failures:", data.Failures)
	})
	session.Send(scxml.Event{Name: "enter", Data: 1234}) // from any goroutine
	session.Send(scxml.Event{Name: "enter", Data: 4711})
	session.Send(scxml.Event{Name: "push"})
	if err := session.Run(context.Background()); err != nil { // until it ends
		log.Fatal(err)
	}
	// Output:
	// failures: 1
	// open: true
	// open: false
}
