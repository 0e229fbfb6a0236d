package fleet_test

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"github.com/scxmlrun/scxmlrun/scxml"
	"github.com/scxmlrun/scxmlrun/scxml/fleet"
)

// A boaster is a definition whose sessions have a task more every other time that they are asked.
type boaster struct{ fleet.Definition }

func (l boaster) New(ctx context.Context, env fleet.Env, id string, opts fleet.CreateOptions) (fleet.Live, error) {
	live, err := l.Definition.New(ctx, env, id, opts)
	return &boasterLive{Live: live}, err
}

type boasterLive struct {
	fleet.Live
	asked int
}

func (l *boasterLive) Outbox() []scxml.Task {
	tasks := l.Live.Outbox()
	if l.asked++; l.asked%2 == 0 {
		tasks = append(tasks, scxml.Task{ID: 99})
	}
	return tasks
}

// A session in another process that tells of tasks which were not stored does not end this process.
func TestTasksThatWereNotStored(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		delivered := 0
		f := newFleet(t, fleet.NewMemory(), fleet.Config{Processors: map[string]fleet.Deliver{
			"slow": func(context.Context, fleet.Delivery) error { delivered++; return nil },
		}}, boaster{parse(t, "m", `<state id="s"><onentry><send type="slow" target="there" event="e"/></onentry></state>`)})
		if err := f.Create(t.Context(), "k", fleet.CreateOptions{}); err != nil {
			t.Fatal(err)
		}
		stop := run(t, f)
		time.Sleep(time.Minute)
		stop()
		if delivered != 1 {
			t.Errorf("the message was delivered %d times", delivered)
		}
	})
}
