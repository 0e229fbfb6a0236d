package record_test

import (
	"context"
	"fmt"
	"log"
	"time"

	"github.com/scxmlrun/scxmlrun/scxml"
	"github.com/scxmlrun/scxmlrun/scxml/record"
)

const door = `<scxml xmlns="http://www.w3.org/2005/07/scxml" version="1.0" datamodel="null">
  <state id="closed"><transition event="push" target="open"/></state>
  <state id="open">
    <onentry><send event="close" delay="5s"/></onentry>
    <transition event="close" target="closed"/>
  </state>
</scxml>`

func Example() {
	chart, err := scxml.Parse("door.scxml", []byte(door))
	if err != nil {
		log.Fatal(err)
	}
	start := time.Date(2026, 1, 1, 12, 0, 0, 0, time.UTC)
	kinds := record.Kinds(record.Clock, record.Arrive, record.Enter, record.Send, record.Timer)
	rec := record.NewRecorder(start, kinds, func(r *record.Record) {
		mark := " "
		if r.Input() {
			mark = ">"
		}
		fmt.Println(mark, r)
	})
	rec.Anonymous = true
	s, err := scxml.New(chart, scxml.WithTrace(rec.Trace()), scxml.WithClock(func() time.Time { return start }))
	if err != nil {
		log.Fatal(err)
	}
	ctx := context.Background()
	if err := s.Start(ctx); err != nil {
		log.Fatal(err)
	}
	if err := s.Send(scxml.Event{Name: "push"}); err != nil {
		log.Fatal(err)
	}
	if err := s.Advance(ctx, start.Add(time.Minute)); err != nil {
		log.Fatal(err)
	}
	// Output:
	// > #1 clock now="2026-01-01T12:00:00Z"
	//   #2 enter closed
	// > #3 arrive push
	//   #4 enter open
	//   #5 send close in 5s eventtype="http://www.w3.org/TR/scxml/#SCXMLEventProcessor"
	// > #6 +5s clock now="2026-01-01T12:00:05Z"
	//   #7 +5s due close
	//   #8 +5s enter closed
	// > #9 +1m0s clock now="2026-01-01T12:01:00Z"
}

func ExampleParseText() {
	r, err := record.ParseText(`[child] send tap {"x":0} to #_parent in 1.5s`)
	fmt.Println(r.Kind, r.InvokeID, r.Event.Name, r.Target, r.Delay, err)
	fmt.Println(string(r.AppendJSON(nil)))
	// Output:
	// send child tap #_parent 1.5s <nil>
	// {"type":"send","seq":0,"time_ms":0,"session":null,"invokeid":"child","name":"tap","data":{"x":0},"target":"#_parent","eventtype":null,"sendid":null,"delay_ms":1500}
}
