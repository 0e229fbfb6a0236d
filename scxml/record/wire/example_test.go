package wire_test

import (
	"bytes"
	"fmt"
	"log"
	"time"

	"github.com/scxmlrun/scxmlrun/scxml"
	"github.com/scxmlrun/scxmlrun/scxml/record"
	"github.com/scxmlrun/scxmlrun/scxml/record/wire"
)

// What both ends of a connection do.
func Example() {
	// The client writes commands, one per line.
	var input bytes.Buffer
	for _, cmd := range []wire.Command{
		{Verb: wire.Event, Event: scxml.Event{Name: "push"}},
		{Verb: wire.Advance, Advance: 5 * time.Second},
	} {
		input.Write(append(cmd.AppendJSON(nil), '\n'))
	}
	fmt.Print(input.String())
	input.WriteString(`{"evnt":"pull"}` + "\n")

	// The program that has the session reads them, and writes records.
	var output bytes.Buffer
	w := wire.NewWriter(&output)
	for line := range wire.Lines(&input) {
		if cmd := line.Command(); cmd.Err != nil {
			fmt.Println(cmd.Line, cmd.Err)
		}
	}
	if err := w.Write(&record.Record{Kind: record.Enter, State: "open"}); err != nil {
		log.Fatal(err)
	}

	// The client reads them.
	r := wire.NewReader(&output)
	rec, err := r.Read()
	fmt.Println(rec.Kind, rec.State, err)
	// Output:
	// {"event":"push"}
	// {"advance":"5s"}
	// 3 unknown field "evnt" (did you mean "event"?)
	// enter open <nil>
}
