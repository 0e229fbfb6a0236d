package why_test

import (
	"context"
	"fmt"
	"log"

	"github.com/scxmlrun/scxmlrun/datamodel"
	"github.com/scxmlrun/scxmlrun/scxml"
	"github.com/scxmlrun/scxmlrun/scxml/why"
)

func Example() {
	chart, err := scxml.Parse("shop.scxml", []byte(`<scxml xmlns="http://www.w3.org/2005/07/scxml" version="1.0">
  <datamodel><data id="total" expr="12"/></datamodel>
  <state id="open"><transition event="pay" cond="_event.data >= total" target="paid"/></state>
  <state id="paid"/>
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
	answer, err := why.Event(ctx, session, scxml.Event{Name: "pay", Data: 10})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("handled:", answer.Handled)
	for _, v := range answer.Verdicts {
		fmt.Println(v)
		for _, read := range v.Reads {
			fmt.Println("  ", read.Name, "is", datamodel.Text(read.Value))
		}
	}
	// Output:
	// handled: false
	// shop.scxml:3:20: open: pay: cond false (_event.data >= total)
	//    _event.data is 10
	//    total is 12
}
