package history_test

import (
	"context"
	"fmt"
	"log"
	"time"

	"github.com/scxmlrun/scxmlrun/scxml"
	"github.com/scxmlrun/scxmlrun/scxml/history"
	"github.com/scxmlrun/scxmlrun/scxml/record"
)

const lamp = `<scxml xmlns="http://www.w3.org/2005/07/scxml" version="1.0">
  <datamodel><data id="times" expr="0"/></datamodel>
  <state id="off"><transition event="push" target="on"/></state>
  <state id="on">
    <onentry>
      <assign location="times" expr="times + 1"/>
      <send event="timeout" delay="60s" id="t"/>
      <send event="bulb.on" type="urn:house"/>
    </onentry>
    <onexit><cancel sendid="t"/></onexit>
    <transition event="push timeout" target="off"/>
  </state>
</scxml>`

// house is what the lamp is connected to.
type house struct{}

func (house) Open(*scxml.Session) string { return "" }
func (house) Close(*scxml.Session)       {}
func (house) Send(_ *scxml.Session, m scxml.Message, done func(error)) error {
	fmt.Println("the house gets", m.Event.Name)
	done(nil)
	return nil
}

func Example() {
	chart, err := scxml.Parse("lamp.scxml", []byte(lamp))
	if err != nil {
		log.Fatal(err)
	}
	opts := []scxml.Option{scxml.WithIOProcessor("urn:house", house{})}
	h, err := history.New(history.Config{Chart: chart, Options: opts})
	if err != nil {
		log.Fatal(err)
	}
	now := time.Date(2026, 1, 1, 12, 0, 0, 0, time.UTC)
	s, err := scxml.New(chart, append(opts, h.Option(), scxml.WithClock(func() time.Time { return now }))...)
	if err != nil {
		log.Fatal(err)
	}
	ctx := context.Background()
	if err := s.Start(ctx); err != nil {
		log.Fatal(err)
	}
	for range 3 {
		now = now.Add(time.Second)
		if _, err := s.Do(ctx, now, scxml.Event{Name: "push"}); err != nil {
			log.Fatal(err)
		}
	}

	// What was it like after the second push?
	then, err := h.Seek(ctx, 2)
	if err != nil {
		log.Fatal(err)
	}
	times, err := then.Eval(ctx, "times")
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(then.Configuration(), times)

	// And what if nobody had pushed it again after the first one? The house does not notice.
	b, err := h.Branch(ctx, 1)
	if err != nil {
		log.Fatal(err)
	}
	lonely := b.Session()
	if _, err := lonely.Do(ctx, lonely.Now().Add(time.Hour), scxml.Event{Name: "push"}); err != nil {
		log.Fatal(err)
	}
	kinds := record.Kinds(record.Timer, record.Arrive, record.Enter, record.Send)
	err = b.Walk(ctx, 2, b.Len()-1, kinds, func(at history.Position) error {
		for _, r := range at.Records {
			r.Session = ""
			fmt.Println(at.N, &r)
		}
		return nil
	})
	if err != nil {
		log.Fatal(err)
	}
	// Output:
	// the house gets bulb.on
	// the house gets bulb.on
	// [off] 1
	// 2 #1 +1m1s due timeout sendid="t"
	// 2 #2 +1m1s enter off
	// 3 #1 +1h0m1s arrive push
	// 3 #2 +1h0m1s enter on
	// 3 #3 +1h0m1s send timeout in 1m0s as t eventtype="http://www.w3.org/TR/scxml/#SCXMLEventProcessor"
	// 3 #4 +1h0m1s send bulb.on eventtype="urn:house"
}
