// Ticker drives a chart in real time with Run, while another goroutine sends it
// events and queries it.
package main

import (
	"context"
	"embed"
	"fmt"
	"io"
	"log"
	"log/slog"
	"os"
	"os/signal"
	"time"

	"github.com/scxmlrun/scxmlrun/scxml"
)

//go:embed ticker.scxml
var files embed.FS

var chart = scxml.MustLoad(files, "ticker.scxml")

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, os.Stdout, scxml.WithData("left", 5), scxml.WithData("every", "1s")); err != nil {
		log.Fatal(err)
	}
}

func run(ctx context.Context, out io.Writer, opts ...scxml.Option) error {
	s, err := scxml.New(chart, append(opts, scxml.WithLogger(slog.Default()))...)
	if err != nil {
		return err
	}
	s.OnState("held", func(active bool) { fmt.Fprintln(out, "held:", active) })

	go func() {
		// Send and Call are safe to use from another goroutine.
		s.Send(scxml.Event{Name: "hold"})
		time.Sleep(50 * time.Millisecond)
		s.Call(ctx, func(s *scxml.Session) { fmt.Fprintln(out, "reacts to:", s.Enabled()) })
		s.Send(scxml.Event{Name: "go"})
	}()

	err = s.Run(ctx) // nil after a final state
	fmt.Fprintln(out, s.Status(), s.DoneData())
	return err
}
