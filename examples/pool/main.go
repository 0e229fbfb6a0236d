package main

import (
	"context"
	"embed"
	"flag"
	"fmt"
	"log"
	"runtime"
	"sync"
	"time"

	"github.com/scxmlrun/scxmlrun/scxml"
	"github.com/scxmlrun/scxmlrun/scxml/pool"
)

//go:embed pool.scxml
var files embed.FS

var chart = scxml.MustLoad(files, "pool.scxml")

func main() {
	sessions := flag.Int("sessions", 100_000, "number of sensors, a session each")
	reports := flag.Int("reports", 20, "number of reports of each sensor")
	flag.Parse()
	f, err := measure(context.Background(), *sessions, *reports)
	if err != nil {
		log.Fatal(err)
	}
	events := *sessions * *reports
	fmt.Printf("start %d sessions: %v\n", *sessions, f.start.Round(time.Millisecond))
	fmt.Printf("process %d events: %v, %.0f a second\n", events, f.events.Round(time.Millisecond), float64(events)/f.events.Seconds())
	fmt.Printf("memory: %d bytes a session\n", f.memory/int64(*sessions))
	fmt.Printf("alarms: %d, at most %v late\n", f.alarms, f.late.Round(time.Millisecond))
}

// Figures are what measure has measured.
type figures struct {
	start, events time.Duration
	late          time.Duration // of the last alarm
	memory        int64
	alarms        int
}

// patience is how long a sensor may be silent.
const patience = "15s"

// measure lets sensors report, and then be missed.
func measure(ctx context.Context, sessions, reports int) (f figures, err error) {
	ctx, cancel := context.WithCancel(ctx)
	p := pool.New(pool.Config{Ended: func(s *scxml.Session, err error) { log.Printf("%s: %v", s.ID(), err) }})
	var running sync.WaitGroup
	running.Go(func() { p.Run(ctx) })
	defer running.Wait()
	defer cancel()

	var mu sync.Mutex
	var heard sync.WaitGroup
	missed := make(chan struct{})
	trace := &scxml.Trace{ // one for all sessions
		Event: func(_ *scxml.Session, ev *scxml.Event) {
			if ev.Name == "report" {
				heard.Done()
			}
		},
		Send: func(s *scxml.Session, m scxml.Message) {
			if m.Event.Name == "alarm" {
				mu.Lock()
				f.late = max(f.late, time.Since(s.Now()))
				if f.alarms++; f.alarms == sessions {
					close(missed)
				}
				mu.Unlock()
			}
		},
	}

	sensors := make([]*scxml.Session, sessions)
	before := memory()
	began := time.Now()
	for i := range sensors {
		if sensors[i], err = p.Add(ctx, chart, scxml.WithTrace(trace), scxml.WithData("patience", patience)); err != nil {
			return f, err
		}
	}
	f.start = time.Since(began)

	heard.Add(sessions * reports)
	began = time.Now()
	for range reports {
		for _, s := range sensors {
			if err := s.Send(scxml.Event{Name: "report"}); err != nil {
				return f, err
			}
		}
	}
	heard.Wait()
	f.events = time.Since(began)
	f.memory = memory() - before
	<-missed
	return f, nil
}

// memory returns the bytes in use on the heap.
func memory() int64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}
