package raster_test

import (
	"bytes"
	"context"
	"fmt"
	"image/png"
	"log"

	"github.com/scxmlrun/scxmlrun/scxml"
	"github.com/scxmlrun/scxmlrun/scxml/diagram"
	"github.com/scxmlrun/scxmlrun/scxml/diagram/raster"
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
	var file bytes.Buffer
	if err := raster.WritePNG(&file, layout, raster.Options{Theme: diagram.Light, Scale: 1}); err != nil {
		log.Fatal(err)
	}
	picture, err := png.DecodeConfig(&file)
	fmt.Println(picture.Width, picture.Height, err)
	// Output:
	// 200 233 <nil>
}
