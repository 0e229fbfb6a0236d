package conformance_test

import (
	"context"
	"fmt"
	"log"
	"os"
	"testing/fstest"

	"github.com/scxmlrun/scxmlrun/conformance"
)

// A suite in the format of SCION, Qt and XState: each test is a chart, and a script of events and configurations.
func Example() {
	files := fstest.MapFS{
		"door.scxml": {Data: []byte(`<scxml xmlns="http://www.w3.org/2005/07/scxml" version="1.0">
  <state id="closed"><transition event="push" target="open"/></state>
  <state id="open"><transition event="pull" target="closed"/></state>
</scxml>`)},
		"door.json": {Data: []byte(`{
  "initialConfiguration": ["closed"],
  "events": [{"event": {"name": "push"}, "nextConfiguration": ["open"]}]
}`)},
	}
	tests, err := conformance.ScionTests(files)
	if err != nil {
		log.Fatal(err)
	}
	report, err := conformance.RunTests(context.Background(), "doors", tests, nil, nil)
	if err != nil {
		log.Fatal(err)
	}
	if err := report.WriteText(os.Stdout); err != nil {
		log.Fatal(err)
	}
	fmt.Println("bad:", report.Bad())
	// Output:
	// 1 of 1 tests pass
	// bad: 0
}
