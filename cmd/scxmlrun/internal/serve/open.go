package serve

import (
	"context"
	"errors"
	"log/slog"
	"sync/atomic"
	"time"

	"github.com/scxmlrun/scxmlrun/cmd/internal/cli"
	"github.com/scxmlrun/scxmlrun/cmd/scxmlrun/internal/store"
	"github.com/scxmlrun/scxmlrun/scxml/fleet"
	"github.com/scxmlrun/scxmlrun/scxml/fleet/rest"
)

const (
	firstPause = 100 * time.Millisecond // after an attempt to open the store
	lastPause  = 2 * time.Second
	saying     = 5 * time.Second // between two lines of the log
)

// open opens the store. It waits for one that is not available until it is, however long that takes: systems that
// start programs again do the same, but with a line less that says why. Meanwhile l answers probes. A signal
// ends it at once, with a [cli.Error] of the status [cli.Interrupted].
func open(parent context.Context, place store.Place, l *listener, log *slog.Logger) (opened fleet.Store, err error) {
	began := time.Now()
	var reason atomic.Value
	reason.Store("it has not answered yet")
	say := func() {
		log.Warn("waiting for the store", "address", l.Addr().String(), "store", place.String(), "waited", time.Since(began).Round(time.Second/10), "reason", reason.Load())
	}
	serving, stop := context.WithCancel(parent)
	served := make(chan error, 1)
	go func() { served <- rest.ServeBefore(serving, l, log) }()
	tick := time.NewTicker(saying)
	defer tick.Stop()
	go func() {
		for {
			select {
			case <-tick.C:
				say()
			case <-serving.Done():
				return
			}
		}
	}()
	err = cli.Stoppable(parent, func(ctx context.Context) error {
		for pause := firstPause; ; pause = min(2*pause, lastPause) {
			s, err := place.Open(ctx, store.Serve)
			if !errors.Is(err, fleet.ErrUnavailable) {
				opened = s
				return err
			}
			reason.Store(err.Error())
			if pause == firstPause {
				say()
			}
			select {
			case <-time.After(pause):
			case <-ctx.Done():
				return context.Cause(ctx)
			}
		}
	})
	stop()
	serr := <-served
	switch {
	case err != nil:
		return nil, err
	case serr != nil:
		return nil, errors.Join(serr, opened.Close())
	}
	return opened, nil
}
