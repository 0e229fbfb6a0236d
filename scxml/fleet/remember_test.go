package fleet_test

import (
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"github.com/scxmlrun/scxmlrun/datamodel"
	"github.com/scxmlrun/scxmlrun/scxml/fleet"
)

// An id belongs to one event: the same id with other data or another name is an error, while the event
// waits and after it was processed.
func TestAnIDBelongsToOneEvent(t *testing.T) {
	f := newFleet(t, fleet.NewMemory(), fleet.Config{}, parse(t, "counter", counter))
	ctx := t.Context()
	if err := f.Create(ctx, "a", fleet.CreateOptions{}); err != nil {
		t.Fatal(err)
	}
	data := func(kv ...any) any { return datamodel.NewObject(kv...) }
	first := ev("other", data("x", int64(1), "y", data("a", "b", "c", "d")))
	if _, err := f.Send(ctx, "a", first, fleet.ID("id")); err != nil {
		t.Fatal(err)
	}
	for _, waits := range []bool{true, false} {
		if !waits {
			if _, err := f.Do(ctx, "a", ev("nothing", nil)); err != nil {
				t.Fatal(err)
			}
		}
		for _, c := range []struct {
			name string
			data any
			want error
		}{
			{"other", data("y", data("c", "d", "a", "b"), "x", 1.0), nil},
			{"nothing", first.Data, fleet.ErrReused},
			{"other", nil, fleet.ErrReused},
			{"other", data("x", int64(2), "y", data("a", "b", "c", "d")), fleet.ErrReused},
			{"other", data("x", "1", "y", data("a", "b", "c", "d")), fleet.ErrReused},
			{"other", data("x", int64(1), "y", data("a", "b", "c", "e")), fleet.ErrReused},
		} {
			r, err := f.Send(ctx, "a", ev(c.name, c.data), fleet.ID("id"))
			if !errors.Is(err, c.want) || err == nil && (!r.Duplicate || r.Position != 1) {
				t.Errorf("waits %v: %s %s: %+v, %v, want %v", waits, c.name, datamodel.Text(c.data), r, err, c.want)
			}
			if _, err := f.Do(ctx, "a", ev(c.name, c.data), fleet.ID("id")); !waits && !errors.Is(err, c.want) {
				t.Errorf("Do: %s %s: %v, want %v", c.name, datamodel.Text(c.data), err, c.want)
			}
		}
	}
	if s, err := f.Get(ctx, "a"); err != nil || s.Accepted != 2 {
		t.Errorf("%+v, %v", s, err)
	}
}

// With Config.IDsFor an id is remembered that long, also if the session has to refuse others meanwhile.
func TestIDsAreRememberedForATime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		store := fleet.NewMemory()
		cfg := fleet.Config{IDs: 3, IDsFor: time.Hour}
		f := newFleet(t, store, cfg, parse(t, "counter", counter))
		ctx := t.Context()
		if err := f.Create(ctx, "a", fleet.CreateOptions{}); err != nil {
			t.Fatal(err)
		}
		send := func(id string, duplicate bool, want error) {
			t.Helper()
			if r, err := f.Send(ctx, "a", ev("add", 1), fleet.ID(id)); !errors.Is(err, want) || r.Duplicate != duplicate {
				t.Errorf("id %s after %v: %+v, %v, want %v", id, time.Since(time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC)), r, err, want)
			}
		}
		do := func(id string, duplicate bool, want error) {
			t.Helper()
			if r, err := f.Do(ctx, "a", ev("add", 1), fleet.ID(id)); !errors.Is(err, want) || r.Duplicate != duplicate {
				t.Errorf("id %s: %+v, %v, want %v", id, r, err, want)
			}
		}
		send("1", false, nil)
		time.Sleep(30 * time.Minute)
		do("2", false, nil)
		send("3", false, nil)
		send("4", false, fleet.ErrManyIDs)
		do("4", false, fleet.ErrManyIDs)
		if _, err := f.Do(ctx, "a", ev("add", 1)); err != nil {
			t.Errorf("without an id: %v", err)
		}
		time.Sleep(30*time.Minute - 1)
		do("1", true, nil)
		do("4", false, fleet.ErrManyIDs)
		time.Sleep(time.Nanosecond)
		do("4", false, nil) // and 1 is forgotten
		do("1", false, fleet.ErrManyIDs)
		f = newFleet(t, store, cfg, parse(t, "counter", counter)) // another process
		do("2", true, nil)
		time.Sleep(30 * time.Minute)
		do("5", false, nil) // and with 2, 3 is forgotten, for which there would be room
		do("3", false, nil)
		do("4", true, nil)
		if got := data(t, f, "a"); got != `{"n":7}` {
			t.Errorf("data %s", got)
		}
	})
}
