package pool_test

import (
	"context"
	"fmt"
	"log"

	"github.com/scxmlrun/scxmlrun/scxml"
	"github.com/scxmlrun/scxmlrun/scxml/pool"
)

func Example() {
	chart, err := scxml.Parse("lamp.scxml", []byte(`<scxml xmlns="http://www.w3.org/2005/07/scxml" version="1.0" datamodel="null">
  <state id="on"><transition event="off" target="end"/></state>
  <final id="end"/>
</scxml>`))
	if err != nil {
		log.Fatal(err)
	}
	ended := make(chan string, 1000)
	p := pool.New(pool.Config{Ended: func(s *scxml.Session, err error) { ended <- fmt.Sprintf("%s, error %v", s.FinalState(), err) }})
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error)
	go func() { done <- p.Run(ctx) }()

	for range 1000 {
		lamp, err := p.Add(ctx, chart)
		if err != nil {
			log.Fatal(err)
		}
		if err := lamp.Send(scxml.Event{Name: "off"}); err != nil {
			log.Fatal(err)
		}
	}
	ends := map[string]int{}
	for range 1000 {
		ends[<-ended]++
	}
	cancel()
	<-done
	fmt.Println(ends)
	// Output:
	// map[end, error <nil>:1000]
}
