// Trafficlight runs a chart on a virtual clock: a minute of a pedestrian
// crossing takes no real time, and every run is the same. The program is the
// event loop: it gives the session the time and the events.
package main

import (
	"context"
	"embed"
	"fmt"
	"io"
	"log"
	"os"
	"time"

	"github.com/scxmlrun/scxmlrun/scxml"
)

// The constants for the names in the chart are generated: a program that uses a name which the chart
// does not have is not compiled.
//
//go:generate go run github.com/scxmlrun/scxmlrun/cmd/scxmlrun gen go --names trafficlight.scxml -o trafficlight_gen.go

//go:embed trafficlight.scxml
var files embed.FS

var chart = scxml.MustLoad(files, "trafficlight.scxml")

func main() {
	if err := run(context.Background(), os.Stdout); err != nil {
		log.Fatal(err)
	}
}

func run(ctx context.Context, out io.Writer) error {
	began := time.Date(2000, 1, 1, 12, 0, 0, 0, time.UTC)
	now := began
	s, err := scxml.New(chart, scxml.WithClock(func() time.Time { return now }))
	if err != nil {
		return err
	}
	s.OnSend(SendShow, func(ev scxml.Event) {
		lamp, err := scxml.EventData[struct{ Lamp string }](ev)
		if err != nil {
			log.Print(err)
		}
		fmt.Fprintf(out, "%2.0f s  %s\n", s.Now().Sub(began).Seconds(), lamp.Lamp)
	})
	if err := s.Start(ctx); err != nil {
		return err
	}

	pressed := map[int]bool{4: true, 25: true, 26: true} // seconds at which the button is pressed
	for second := range 60 {
		now = began.Add(time.Duration(second) * time.Second)
		var ev scxml.Event // without a name there is only time
		if pressed[second] {
			ev.Name = EventButton
		}
		// Do does first what is due by now, and then gives the session the event.
		if _, err := s.Do(ctx, now, ev); err != nil {
			return err
		}
	}
	return nil
}
