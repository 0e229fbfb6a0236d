package forms_test

import (
	"context"
	"fmt"
	"log"

	"github.com/scxmlrun/scxmlrun/scxml"
	"github.com/scxmlrun/scxmlrun/scxml/forms"
)

func Example() {
	chart, err := scxml.Parse("machine.scxml", []byte(`
<scxml xmlns="http://www.w3.org/2005/07/scxml" version="1.0">
  <datamodel><data id="prices" expr="({tea: 3, milk: 2})"/></datamodel>
  <state id="ready">
    <transition event="order" cond="_event.data.item in prices" target="busy"/>
    <transition event="off" target="end"/>
  </state>
  <state id="busy"/>
  <final id="end"/>
</scxml>`))
	if err != nil {
		log.Fatal(err)
	}
	ctx := context.Background()
	session, err := scxml.New(chart)
	if err != nil {
		log.Fatal(err)
	}
	if err := session.Start(ctx); err != nil {
		log.Fatal(err)
	}
	for _, ev := range forms.New(chart, nil).Now(ctx, session) {
		fmt.Println(ev.Name)
		for _, field := range ev.Fields {
			fmt.Println("  ", field.Name(), field.Kind, field.Values)
		}
	}
	// Output:
	// order
	//    item choice [tea milk]
	// off
}
