package behavioral_test

import (
	"context"
	"fmt"
	"log"

	"github.com/scxmlrun/scxmlrun/examples/behavioral"
	"github.com/scxmlrun/scxmlrun/scxml"
	"github.com/scxmlrun/scxmlrun/scxml/explore"
)

// mustParse returns the chart of a b-thread.
func mustParse(inside string) *scxml.Chart {
	chart, err := scxml.Parse("thread.scxml", []byte(`<scxml xmlns="http://www.w3.org/2005/07/scxml" version="1.0"
xmlns:b="https://github.com/scxmlrun/scxmlrun/behavioral">`+inside+`</scxml>`))
	if err != nil {
		log.Fatal(err)
	}
	return chart
}

// pour adds water three times.
var pour = mustParse(`
	<datamodel><data id="water"/><data id="times" expr="3"/></datamodel>
	<state id="pouring">
	  <onentry><b:request event="add"><param name="water" expr="water"/></b:request></onentry>
	  <transition event="add" cond="times &gt; 1" target="pouring"><assign location="times" expr="times - 1"/></transition>
	  <transition event="add" target="done"/>
	</state>
	<final id="done"/>`)

// mix blocks the water that came last.
var mix = mustParse(`
	<datamodel><data id="last" expr="'cold'"/></datamodel>
	<state id="mixing">
	  <onentry>
	    <b:wait event="add"/>
	    <b:block event="add"><param name="water" expr="last"/></b:block>
	  </onentry>
	  <transition event="add" target="mixing"><assign location="last" expr="_event.data.water"/></transition>
	</state>`)

// Two b-threads pour, and a third takes care that hot and cold water are mixed. The first two know nothing
// of it.
func Example() {
	program, err := behavioral.New([]behavioral.Thread{
		{Name: "hot tap", Chart: pour, Data: map[string]any{"water": "hot"}},
		{Name: "cold tap", Chart: pour, Data: map[string]any{"water": "cold"}},
		{Name: "mix", Chart: mix},
	})
	if err != nil {
		log.Fatal(err)
	}
	ctx := context.Background()
	if err := program.Start(ctx); err != nil {
		log.Fatal(err)
	}
	for _, r := range program.Requests() {
		fmt.Println(text(r.Event), "requested by", r.By, "blocked by", r.Blocked)
	}
	err = program.Run(ctx, func(s behavioral.Selection) { fmt.Println(text(s.Event)) })
	fmt.Println(err, program.Ended())
	// Output:
	// add{"water":"hot"} requested by [hot tap] blocked by []
	// add{"water":"cold"} requested by [cold tap] blocked by [mix]
	// add{"water":"hot"}
	// add{"water":"cold"}
	// add{"water":"hot"}
	// add{"water":"cold"}
	// add{"water":"hot"}
	// add{"water":"cold"}
	// <nil> true
}

// A search tells that without the third b-thread all of the hot water can come first.
func ExampleProgram_System() {
	program, err := behavioral.New([]behavioral.Thread{
		{Name: "hot", Chart: pour, Data: map[string]any{"water": "hot"}},
		{Name: "cold", Chart: pour, Data: map[string]any{"water": "cold"}},
	})
	if err != nil {
		log.Fatal(err)
	}
	report, err := explore.Search(context.Background(), program.System, explore.Options{
		Properties: []explore.Property{explore.Never("In('hot/done') && data('cold', 'times') == 3")},
	})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(report.Verdict, report.States)
	for _, v := range report.Violations {
		fmt.Println(v)
	}
	// Output:
	// violated 16
	// property: never In('hot/done') && data('cold', 'times') == 3 in cold/pouring
	// 1. add {"water":"hot"}
	// 2. add {"water":"hot"}
	// 3. add {"water":"hot"}
}
