package fleet_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/scxmlrun/scxmlrun/datamodel"
	"github.com/scxmlrun/scxmlrun/scxml"
	"github.com/scxmlrun/scxmlrun/scxml/fleet"
)

// A mortal is a definition whose sessions can end all at once, as those in another process do.
type mortal struct {
	fleet.Definition
	ends int // how often they have ended
}

func (m *mortal) New(ctx context.Context, env fleet.Env, id string, opts fleet.CreateOptions) (fleet.Live, error) {
	l, err := m.Definition.New(ctx, env, id, opts)
	return &mortalLive{l, m, m.ends}, err
}

func (m *mortal) Restore(ctx context.Context, env fleet.Env, snapshot []byte) (fleet.Live, error) {
	l, err := m.Definition.Restore(ctx, env, snapshot)
	return &mortalLive{l, m, m.ends}, err
}

type mortalLive struct {
	fleet.Live
	of   *mortal
	born int
}

func (l *mortalLive) err() error {
	if l.born < l.of.ends {
		return fmt.Errorf("%w: the process has ended", fleet.ErrAgain)
	}
	return nil
}

func (l *mortalLive) Do(ctx context.Context, now time.Time, ev scxml.Event) (fleet.Effect, error) {
	if err := l.err(); err != nil {
		return fleet.Effect{}, err
	}
	return l.Live.Do(ctx, now, ev)
}

func (l *mortalLive) Data(ctx context.Context) (*datamodel.Object, error) {
	if err := l.err(); err != nil {
		return nil, err
	}
	return l.Live.Data(ctx)
}

// A session whose process has ended between two calls is restored, and its caller does not notice.
func TestSessionIsRestoredWhenItsProcessHasEnded(t *testing.T) {
	chart, err := scxml.Parse("chart.scxml", []byte(`<scxml xmlns="http://www.w3.org/2005/07/scxml" version="1.0">
<datamodel><data id="n" expr="0"/></datamodel><state id="s"><transition event="e"><assign location="n" expr="n + 1"/></transition></state></scxml>`))
	if err != nil {
		t.Fatal(err)
	}
	m := &mortal{Definition: fleet.Define("chart", chart)}
	f, err := fleet.New(fleet.NewMemory(), fleet.Config{}, m)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	ctx := t.Context()
	if err := f.Create(ctx, "k", fleet.CreateOptions{}); err != nil {
		t.Fatal(err)
	}
	for i := range 3 {
		m.ends++
		if _, err := f.Do(ctx, "k", scxml.Event{Name: "e"}); err != nil {
			t.Fatalf("event %d: %v", i, err)
		}
		m.ends++
		st, err := f.Get(ctx, "k")
		if err != nil {
			t.Fatalf("look %d: %v", i, err)
		}
		if n, _ := st.Data.Get("n"); fmt.Sprint(n) != fmt.Sprint(i+1) {
			t.Errorf("n is %v after %d events", n, i+1)
		}
	}
}

// A spoiled session fails to tell its data, and from then on fails to do anything.
type spoiled struct{ fleet.Definition }

func (d spoiled) New(ctx context.Context, env fleet.Env, id string, opts fleet.CreateOptions) (fleet.Live, error) {
	l, err := d.Definition.New(ctx, env, id, opts)
	return &spoiledLive{Live: l}, err
}

type spoiledLive struct {
	fleet.Live
	err error
}

func (l *spoiledLive) Data(context.Context) (*datamodel.Object, error) {
	l.err = errors.New("it has burst")
	return nil, l.err
}

func (l *spoiledLive) Do(ctx context.Context, now time.Time, ev scxml.Event) (fleet.Effect, error) {
	if l.err != nil {
		return fleet.Effect{}, l.err
	}
	return l.Live.Do(ctx, now, ev)
}

// A session that has failed while it was looked at is not used again.
func TestSessionIsRestoredAfterALookHasFailed(t *testing.T) {
	f := newFleet(t, fleet.NewMemory(), fleet.Config{}, spoiled{parse(t, "counter", counter)})
	if err := f.Create(t.Context(), "k", fleet.CreateOptions{}); err != nil {
		t.Fatal(err)
	}
	if _, err := f.Get(t.Context(), "k"); err == nil {
		t.Error("Get does not fail")
	}
	if _, err := f.Do(t.Context(), "k", ev("add", 1)); err != nil {
		t.Error(err)
	}
}

// A broken definition cannot restore its sessions any more.
type broken struct {
	fleet.Definition
	now, well atomic.Bool
}

func (b *broken) Restore(ctx context.Context, env fleet.Env, snapshot []byte) (fleet.Live, error) {
	if b.now.Load() {
		return nil, errors.New("broken")
	}
	return b.Definition.Restore(ctx, env, snapshot)
}

func TestSessionThatCannotBeRestoredIsSuspended(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		def := &broken{Definition: parse(t, "out", `<state id="s"><transition event="go"><send type="x-test" target="there" event="hello"/></transition></state>`)}
		f := newFleet(t, fleet.NewMemory(), fleet.Config{Cache: -1, Processors: map[string]fleet.Deliver{"x-test": func(context.Context, fleet.Delivery) error {
			def.now.Store(!def.well.Load())
			time.Sleep(time.Second) // until nobody has the session in memory
			return nil
		}}}, def)
		if err := f.Create(t.Context(), "k", fleet.CreateOptions{}); err != nil {
			t.Fatal(err)
		}
		stop := run(t, f)
		if _, err := f.Do(t.Context(), "k", ev("go", nil)); err != nil {
			t.Fatal(err)
		}
		time.Sleep(time.Minute)
		synctest.Wait()
		if list, err := f.List(t.Context(), "", 0); err != nil || list[0].Status != "suspended" {
			t.Errorf("%+v, %v", list, err)
		}
		// It is shown all the same.
		state, err := f.Get(t.Context(), "k")
		if err != nil || state.Broken == nil || !strings.HasSuffix(state.Broken.Error(), "broken") || state.Failure == nil || len(state.Tasks) != 1 || state.Processed != 1 {
			t.Errorf("%+v, %v", state, err)
		}
		// After two failures, it works again: nothing is shown as failed any more.
		if err := f.Retry(t.Context(), "k"); err != nil {
			t.Error(err)
		}
		synctest.Wait()
		if state, err := f.Get(t.Context(), "k"); err != nil || state.Failure == nil || state.Failure.What != "restore" {
			t.Errorf("after a retry: %+v, %v", state, err)
		}
		def.well.Store(true)
		def.now.Store(false)
		time.Sleep(time.Minute)
		synctest.Wait()
		if state, err := f.Get(t.Context(), "k"); err != nil || state.Failure != nil || state.Broken != nil || len(state.Tasks) > 0 {
			t.Errorf("after it works again: %+v, %v", state, err)
		}
		stop()
	})
}
