//go:build unix

package history_test

import (
	"io"
	"os"
	"syscall"
	"testing"
	"time"

	"github.com/scxmlrun/scxmlrun/datamodel"
	"github.com/scxmlrun/scxmlrun/scxml"
	"github.com/scxmlrun/scxmlrun/scxml/history"
)

// BenchmarkRecording is the cost of a recording for a tap on the Sudoku: about a tenth of its processor
// time, and no allocation.
func BenchmarkRecording(b *testing.B) {
	chart, err := scxml.Load(os.DirFS("../testdata/speed"), "sudoku.scxml")
	if err != nil {
		b.Fatal(err)
	}
	for name, cfg := range map[string]*history.Config{"without": nil, "with": {Chart: chart, Recording: io.Discard, Bytes: -1}, "history": {Chart: chart}} {
		b.Run(name, func(b *testing.B) {
			now := epoch
			opts := []scxml.Option{scxml.WithSeed(1), scxml.WithData("initState", [9][9]int{{1, 2, 3, 4, 5, 6, 7, 8, 9}}), scxml.WithClock(func() time.Time { return now })}
			if cfg != nil {
				h, err := history.New(*cfg)
				if err != nil {
					b.Fatal(err)
				}
				opts = append(opts, h.Option())
			}
			s, err := scxml.New(chart, opts...)
			if err != nil {
				b.Fatal(err)
			}
			if err := s.Start(b.Context()); err != nil {
				b.Fatal(err)
			}
			do := func(ev scxml.Event) {
				now = now.Add(time.Millisecond)
				if _, err := s.Do(b.Context(), now, ev); err != nil {
					b.Fatal(err)
				}
			}
			taps := 0
			b.ReportAllocs()
			began := cpu()
			for b.Loop() {
				if taps%1000 == 0 {
					do(scxml.Event{Name: "stop"})
					do(scxml.Event{Name: "start"})
				}
				cell := int64(taps % 72)
				taps++
				do(scxml.Event{Name: "tap", Data: datamodel.NewObject("x", 1+cell/9, "y", cell%9)})
			}
			b.ReportMetric(float64(cpu()-began)/float64(b.N), "cpu-ns/op")
		})
	}
}

func cpu() time.Duration {
	var u syscall.Rusage
	_ = syscall.Getrusage(syscall.RUSAGE_SELF, &u)
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
