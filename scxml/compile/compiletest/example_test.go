package compiletest_test

import (
	"context"
	"fmt"
	"log"
	"os"
	"time"

	"github.com/scxmlrun/scxmlrun/scxml"
	"github.com/scxmlrun/scxmlrun/scxml/compile/compiletest"
)

// The program that Compare builds needs the go command, and a module that requires this one.
func Example() {
	chart, err := scxml.Parse("door.scxml", []byte(`<scxml xmlns="http://www.w3.org/2005/07/scxml" version="1.0" datamodel="null">
  <state id="closed"><transition event="push" target="open"/></state>
  <state id="open">
    <onentry><send event="close" delay="5s"/></onentry>
    <transition event="close" target="closed"/>
  </state>
</scxml>`))
	if err != nil {
		log.Fatal(err)
	}
	start := time.Date(2026, 1, 1, 12, 0, 0, 0, time.UTC)
	var recording compiletest.Recording
	session, err := scxml.New(chart, scxml.WithTrace(recording.Trace()), scxml.WithClock(func() time.Time { return start }))
	if err != nil {
		log.Fatal(err)
	}
	ctx := context.Background()
	if err := session.Start(ctx); err != nil {
		log.Fatal(err)
	}
	if _, err := session.Do(ctx, start.Add(time.Second), scxml.Event{Name: "push"}); err != nil {
		log.Fatal(err)
	}
	if err := session.Advance(ctx, start.Add(time.Minute)); err != nil {
		log.Fatal(err)
	}
	started, err := recording.Compile(false)
	if !started || err != nil {
		log.Fatal(err) // it cannot be compiled
	}
	dir, err := os.MkdirTemp("", "compare")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	if err := compiletest.Compare(ctx, ".", dir, []*compiletest.Recording{&recording}); err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%q\n", recording.Difference())
	// Output: ""
}
