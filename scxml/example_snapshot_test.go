package scxml_test

import (
	"bytes"
	"context"
	"fmt"
	"log"
	"time"

	"github.com/scxmlrun/scxmlrun/scxml"
)

const order = `
	<scxml xmlns="http://www.w3.org/2005/07/scxml" version="1.0" datamodel="ecmascript">
	  <datamodel><data id="items" expr="[]"/></datamodel>
	  <state id="open">
	    <onentry><send event="forgotten" delay="30m"/></onentry>
	    <transition event="add"><script>items.push(_event.data)</script></transition>
	    <transition event="forgotten" target="cancelled"/>
	  </state>
	  <final id="cancelled"/>
	</scxml>`

// A session is saved in one process and continues in another.
func ExampleRestore() {
	chart, err := scxml.Parse("order.scxml", []byte(order))
	if err != nil {
		log.Fatal(err)
	}
	ctx, monday := context.Background(), time.Date(2026, 1, 5, 9, 0, 0, 0, time.UTC)
	s, err := scxml.New(chart, scxml.WithClock(func() time.Time { return monday }))
	if err == nil {
		err = s.Start(ctx)
	}
	if err == nil {
		err = s.Send(scxml.Event{Name: "add", Data: "tea"})
	}
	if err == nil {
		err = s.Advance(ctx, monday.Add(time.Minute))
	}
	if err != nil {
		log.Fatal(err)
	}
	saved, err := s.Snapshot()
	if err != nil {
		log.Fatal(err)
	}

	s, err = scxml.Restore(chart, saved)
	if err != nil {
		log.Fatal(err)
	}
	items, _ := s.Eval(ctx, "items")
	due, _ := s.NextDue()
	fmt.Println(s.Configuration(), items, due.Format(time.TimeOnly))
	err = s.Advance(ctx, due)
	fmt.Println(s.Status(), s.FinalState(), err)
	// Output:
	// [open] [tea] 09:30:00
	// final cancelled <nil>
}

// Snapshots are stored where others can write.
func ExampleWithSnapshotKey() {
	key := []byte("32 bytes, which should be random") // from the host's store of secrets
	chart, err := scxml.Parse("order.scxml", []byte(order))
	if err != nil {
		log.Fatal(err)
	}
	s, err := scxml.New(chart, scxml.WithSnapshotKey(key))
	if err == nil {
		err = s.Start(context.Background())
	}
	if err != nil {
		log.Fatal(err)
	}
	saved, err := s.Snapshot()
	if err != nil {
		log.Fatal(err)
	}

	s, err = scxml.Restore(chart, saved, scxml.WithSnapshotKey(key))
	fmt.Println(s.Configuration(), err)
	forged := bytes.ReplaceAll(saved, []byte(`["open"]`), []byte(`["cancelled"]`))
	_, err = scxml.Restore(chart, forged, scxml.WithSnapshotKey(key))
	fmt.Println(err)
	// Output:
	// [open] <nil>
	// scxml: Restore: cannot verify the signature of the snapshot: the snapshot was changed, or signed with another key
}

// A state has got another id since the snapshot was taken.
func ExampleWithMigration() {
	before, err := scxml.Parse("order.scxml", []byte(order))
	if err != nil {
		log.Fatal(err)
	}
	after, err := scxml.Parse("order.scxml", bytes.ReplaceAll([]byte(order), []byte(`"open"`), []byte(`"shopping"`)))
	if err != nil {
		log.Fatal(err)
	}
	s, err := scxml.New(before)
	if err == nil {
		err = s.Start(context.Background())
	}
	if err != nil {
		log.Fatal(err)
	}
	saved, err := s.Snapshot()
	if err != nil {
		log.Fatal(err)
	}

	_, err = scxml.Restore(after, saved)
	fmt.Println(err)
	s, err = scxml.Restore(after, saved, scxml.WithMigration(func(snapshot []byte, to *scxml.Chart) ([]byte, error) {
		return bytes.ReplaceAll(snapshot, []byte(`["open"]`), []byte(`["shopping"]`)), nil
	}))
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(s.Configuration())
	// Output:
	// scxml: Restore: the chart has changed since the snapshot was taken: order.scxml
	// [shopping]
}
