package cover_test

import (
	"context"
	"fmt"
	"log"
	"os"

	"github.com/scxmlrun/scxmlrun/scxml"
	"github.com/scxmlrun/scxmlrun/scxml/cover"
)

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
	var profile cover.Profile
	session, err := scxml.New(chart, scxml.WithTrace(profile.Trace()))
	if err != nil {
		log.Fatal(err)
	}
	ctx := context.Background()
	if err := session.Start(ctx); err != nil {
		log.Fatal(err)
	}
	if _, err := session.Do(ctx, session.Now(), scxml.Event{Name: "push"}); err != nil {
		log.Fatal(err)
	}
	if err := profile.WriteText(os.Stdout); err != nil {
		log.Fatal(err)
	}
	fmt.Println(profile.AtLeast(90))
	// Output:
	// coverage      states  transitions  conditions   total
	// door.scxml       2/2          1/2         0/0   75.0%
	// door.scxml:5:5: transition "close" of "open" was never taken
	// the tests cover 75.0% of their charts: want at least 90%
}
