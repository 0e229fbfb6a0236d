package explore_test

import (
	"context"
	"fmt"
	"log"

	"github.com/scxmlrun/scxmlrun/scxml"
	"github.com/scxmlrun/scxmlrun/scxml/explore"
)

// Two trains share a track. The signals let both in if the second one asks in time.
func Example() {
	chart, err := scxml.Parse("track.scxml", []byte(`
		<scxml xmlns="http://www.w3.org/2005/07/scxml" version="1.0">
		  <datamodel><data id="granted" expr="0"/></datamodel>
		  <parallel id="track">
		    <state id="east">
		      <state id="eastAway"><transition event="east.asks" cond="granted == 0" target="eastWaits"/></state>
		      <state id="eastWaits"><transition event="east.enters" target="eastIn"><assign location="granted" expr="granted + 1"/></transition></state>
		      <state id="eastIn"><transition event="east.leaves" target="eastAway"><assign location="granted" expr="granted - 1"/></transition></state>
		    </state>
		    <state id="west">
		      <state id="westAway"><transition event="west.asks" cond="granted == 0" target="westWaits"/></state>
		      <state id="westWaits"><transition event="west.enters" target="westIn"><assign location="granted" expr="granted + 1"/></transition></state>
		      <state id="westIn"><transition event="west.leaves" target="westAway"><assign location="granted" expr="granted - 1"/></transition></state>
		    </state>
		  </parallel>
		</scxml>`))
	if err != nil {
		log.Fatal(err)
	}
	report, err := explore.Run(context.Background(), chart, explore.Options{
		Properties: []explore.Property{explore.Never("In('eastIn') && In('westIn')")},
	})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%v: %d states, %d transitions\n", report.Verdict, report.States, report.Transitions)
	for _, v := range report.Violations {
		fmt.Println(v)
	}
	// Output:
	// violated: 9 states, 16 transitions
	// property: never In('eastIn') && In('westIn') in track east eastIn west westIn
	// 1. east.asks
	// 2. west.asks
	// 3. east.enters
	// 4. west.enters
}
