package servertest

import (
	"context"
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/scxmlrun/scxmlrun/scxml"
	"github.com/scxmlrun/scxmlrun/scxml/temporal"
)

// BenchmarkSteps compares sessions in a process with those of workflows: 50 sessions get events at the same time,
// each sender waits for its answer. Those of the stores of fleets do the same.
func BenchmarkSteps(b *testing.B) {
	chart := parse(b, `<datamodel><data id="n" expr="0"/></datamodel><state id="s"><transition event="add"><assign location="n" expr="n + 1"/></transition></state>`)
	const sessions = 50
	run := func(b *testing.B, do func(session, n int) error) {
		var senders sync.WaitGroup
		b.ResetTimer()
		for i := range sessions {
			senders.Go(func() {
				for n := i; n < b.N; n += sessions {
					if err := do(i, n); err != nil {
						b.Error(err)
						return
					}
				}
			})
		}
		senders.Wait()
		b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "steps/s")
	}
	b.Run("process", func(b *testing.B) {
		all := make([]*scxml.Session, sessions)
		for i := range all {
			var err error
			if all[i], err = scxml.New(chart); err == nil {
				err = all[i].Start(b.Context())
			}
			if err != nil {
				b.Fatal(err)
			}
		}
		run(b, func(i, _ int) error {
			_, err := all[i].Do(context.Background(), time.Now(), scxml.Event{Name: "add"})
			return err
		})
	})
	b.Run("temporal", func(b *testing.B) {
		c := server(b)
		queue, _ := serveCharts(b, c, temporal.Options{}, map[string]*scxml.Chart{"speed": chart})
		id := func(i int) string { return fmt.Sprintf("speed-%d-%d", b.N, i) }
		for i := range sessions {
			start(b, c, queue, id(i), "speed", nil)
		}
		for i := range sessions {
			if _, err := temporal.Get(b.Context(), c, id(i)); err != nil {
				b.Fatal(err)
			}
		}
		run(b, func(i, n int) error {
			_, err := temporal.Do(context.Background(), c, id(i), temporal.Event{Name: "add"})
			return err
		})
		for i := range sessions {
			_ = c.TerminateWorkflow(b.Context(), id(i), "", "")
		}
	})
}
