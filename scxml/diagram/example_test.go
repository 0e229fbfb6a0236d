package diagram_test

import (
	"context"
	"fmt"
	"log"
	"strings"

	"github.com/scxmlrun/scxmlrun/scxml"
	"github.com/scxmlrun/scxmlrun/scxml/diagram"
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
	layout, err := diagram.New(chart).Layout(context.Background())
	if err != nil {
		log.Fatal(err)
	}
	var picture strings.Builder
	err = layout.WriteSVG(&picture, diagram.SVGOptions{Marks: map[string]diagram.Mark{"open": diagram.Active}})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(layout.Width, layout.Height, strings.HasPrefix(picture.String(), "<svg"))
	// Output:
	// 200 233 true
}
