package compiled_test

import (
	"fmt"
	"log"

	_ "github.com/scxmlrun/scxmlrun/datamodel/ecmascript"
	"github.com/scxmlrun/scxmlrun/scxml"
	"github.com/scxmlrun/scxmlrun/scxml/explore"
	"github.com/scxmlrun/scxmlrun/scxml/explore/compiled"
)

// What a program is made of, and why none can be made.
func Example() {
	for _, cond := range []string{"n &lt; 3", "Date.now() == 0"} {
		chart, err := scxml.Parse("count.scxml", []byte(`<scxml xmlns="http://www.w3.org/2005/07/scxml" version="1.0">
			<datamodel><data id="n" expr="0"/></datamodel>
			<state id="a"><transition event="up" cond="`+cond+`"><assign location="n" expr="n + 1"/></transition></state>
		</scxml>`))
		if err != nil {
			log.Fatal(err)
		}
		s, err := compiled.New(chart, explore.Options{Properties: []explore.Property{explore.Never("n > 3")}})
		if err != nil {
			fmt.Println(err)
			continue
		}
		fmt.Println(len(s.Files()), s.Task.Inputs[0].Event)
	}
	// Output:
	// 2 up
	// the chart looks at the clock
}
