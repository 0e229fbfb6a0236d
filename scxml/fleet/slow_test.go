package fleet_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/scxmlrun/scxmlrun/scxml"
	"github.com/scxmlrun/scxmlrun/scxml/fleet"
)

// A sluggish definition has sessions of which those whose key begins with "slow" take 10 s for an event.
type sluggish struct{ fleet.Definition }

func (d sluggish) New(ctx context.Context, env fleet.Env, id string, opts fleet.CreateOptions) (fleet.Live, error) {
	live, err := d.Definition.New(ctx, env, id, opts)
	return sluggishLive{live}, err
}

func (d sluggish) Restore(ctx context.Context, env fleet.Env, snapshot []byte) (fleet.Live, error) {
	live, err := d.Definition.Restore(ctx, env, snapshot)
	return sluggishLive{live}, err
}

type sluggishLive struct{ fleet.Live }

func (l sluggishLive) Do(ctx context.Context, now time.Time, ev scxml.Event) (fleet.Effect, error) {
	if id, err := l.Eval(ctx, "_sessionid"); ev.Name != "" && (err != nil || strings.HasPrefix(fmt.Sprint(id), "slow")) {
		time.Sleep(10 * time.Second)
	}
	return l.Live.Do(ctx, now, ev)
}

// Sessions that are slow again and again, more than there are workers, do not hold back others.
func TestSlowSessionsDoNotHoldBackOthers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const workers = 4
		f := newFleet(t, fleet.NewMemory(), fleet.Config{Workers: workers, StepTime: time.Hour}, sluggish{parse(t, "counter", counter)})
		stop := run(t, f)
		defer stop()
		send := func(key string) {
			if _, err := f.Send(t.Context(), key, ev("add", 1)); err != nil {
				t.Error(err)
			}
		}
		var keys []string
		for i := range 3 * workers {
			keys = append(keys, fmt.Sprint("slow", i))
		}
		for _, key := range append(keys, "quick") {
			if err := f.Create(t.Context(), key, fleet.CreateOptions{}); err != nil {
				t.Fatal(err)
			}
		}
		for minute := range 10 {
			for _, key := range keys {
				send(key)
				send(key)
			}
			time.Sleep(55 * time.Second)
			if minute == 0 {
				continue // it is not known yet which are slow
			}
			sent := time.Now()
			send("quick")
			for data(t, f, "quick") != fmt.Sprintf(`{"n":%d}`, minute) {
				time.Sleep(time.Second)
			}
			if took := time.Since(sent); took > 2*time.Second {
				t.Errorf("minute %d: the event of another session was processed after %v", minute, took)
			}
		}
		for _, key := range keys {
			for data(t, f, key) != `{"n":20}` {
				time.Sleep(time.Minute)
			}
		}
	})
}

// An event that comes after many that wait, which take longer than a step may take, is processed by Do all
// the same.
func TestDoWorksOffALongInbox(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := newFleet(t, fleet.NewMemory(), fleet.Config{StepTime: 15 * time.Second}, sluggish{parse(t, "counter", counter)})
		if err := f.Create(t.Context(), "slow", fleet.CreateOptions{}); err != nil {
			t.Fatal(err)
		}
		for range 5 { // 10 s each
			if _, err := f.Send(t.Context(), "slow", ev("add", 1)); err != nil {
				t.Fatal(err)
			}
		}
		res, err := f.Do(t.Context(), "slow", ev("add", 10))
		if err != nil || res.Position != 6 || data(t, f, "slow") != `{"n":15}` {
			t.Errorf("%+v, %v", res, err)
		}
	})
}
