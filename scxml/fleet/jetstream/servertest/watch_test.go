package servertest

import (
	"context"
	"errors"
	"testing"

	"github.com/scxmlrun/scxmlrun/scxml/fleet"
)

// A process hears of what another one has stored, and not of what it has stored itself, and its lists show
// it.
func TestWatch(t *testing.T) {
	c := Start(t, Options{})
	url := c.URL("watch", "shards=1")
	a, b := mustOpen(t, url), mustOpen(t, url)
	defer a.Close()
	defer b.Close()
	ctx, cancel := context.WithCancel(t.Context())
	told, ended := make(chan string, 100), make(chan error)
	go func() { ended <- a.Watch(ctx, func(key string) { told <- key }) }()
	commit := func(s fleet.Store, change fleet.Change) {
		t.Helper()
		if err := s.Commit(t.Context(), []fleet.Change{change})[0]; err != nil {
			t.Fatal(err)
		}
	}
	// Watch may begin after the first changes.
	first := fleet.Record{Key: "first", Pending: true}
	for heard := false; !heard; {
		commit(b, fleet.Change{Key: "first", Old: first.Revision, New: &first})
		select {
		case key := <-told:
			heard = key == "first"
		default:
		}
	}
	commit(a, fleet.Change{Key: "own", New: &fleet.Record{Key: "own", Pending: true}})
	commit(b, fleet.Change{Key: "quiet", New: &fleet.Record{Key: "quiet"}})
	commit(b, fleet.Change{Key: "last", New: &fleet.Record{Key: "last", Pending: true}})
	for key := range told {
		if key == "last" {
			break
		}
		if key != "first" {
			t.Errorf("Watch tells of %q", key)
		}
	}
	if keys, err := a.Pending(t.Context(), "", 0); err != nil || len(keys) != 3 {
		t.Errorf("Pending returns %q, %v; want first, last and own", keys, err)
	}
	cancel()
	if err := <-ended; !errors.Is(err, context.Canceled) {
		t.Errorf("Watch returns %v", err)
	}
}
