package drive_test

import (
	"context"
	"fmt"
	"log"
	"strings"

	"github.com/scxmlrun/scxmlrun/scxml"
	"github.com/scxmlrun/scxmlrun/scxml/drive"
	"github.com/scxmlrun/scxmlrun/scxml/record"
	"github.com/scxmlrun/scxmlrun/scxml/record/wire"
)

// A printer is a front end that prints records as text.
type printer struct{}

func (printer) Tell(r *record.Record) { fmt.Println(r) }
func (printer) Failed() error         { return nil }

// Lines of the machine protocol drive a session on a virtual clock.
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
	seed := uint64(1)
	d, err := drive.New(drive.Config{
		Chart: chart, Front: printer{}, Kinds: record.Kinds(record.Enter, record.Rejected), Virtual: true, Seed: &seed,
	})
	if err != nil {
		log.Fatal(err)
	}
	inputs := make(chan drive.Input)
	go func() {
		defer close(inputs)
		for line := range wire.Lines(strings.NewReader(`{"event":"push"}
{"advance":"4s"}
{"push":true}`)) {
			inputs <- func(s drive.Session) error {
				_, _ = s.Do(line.Command()) // the answer is a record
				return line.Err
			}
		}
	}()
	end, err := d.Run(context.Background(), inputs)
	fmt.Println(end.Elapsed, end.Configuration, err)
	// Output:
	// #1 (2bugjnzjgl1xf) enter closed
	// #2 (2bugjnzjgl1xf) enter open
	// #3 +4s (2bugjnzjgl1xf) rejected line=3 message="unknown field \"push\": want \"event\", \"advance\", \"cancel\", \"get\", \"why\", \"snapshot\", \"stop\", \"session\", \"id\""
	// #4 +5s (2bugjnzjgl1xf) enter closed
	// 5s [closed] <nil>
}
