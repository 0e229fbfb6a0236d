package conformance

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"time"

	"github.com/scxmlrun/scxmlrun/scxml"
	"github.com/scxmlrun/scxmlrun/scxml/basichttp"
	"github.com/scxmlrun/scxmlrun/scxml/fleet"
)

// onFleet runs the document as a session of a fleet that keeps nothing in memory: the session is
// restored before each event and saved after it. It runs in real time.
func (run *w3cRun) onFleet(ctx context.Context, chart *scxml.Chart, opts []scxml.Option, basic bool) error {
	const key = "test"
	ctx, stop := context.WithCancel(ctx)
	cfg := fleet.Config{Cache: -1}
	var f *fleet.Fleet
	if basic {
		url, err := serve(ctx, func(ev scxml.Event) error {
			_, err := f.Send(ctx, key, ev)
			return err
		})
		if err != nil {
			stop()
			return err
		}
		processor := basichttp.New(basichttp.Config{})
		cfg.Check = func(_ string, m scxml.Message) error { return processor.Check(m) }
		cfg.Location = func(string, string) string { return url }
		cfg.Processors = map[string]fleet.Deliver{
			scxml.BasicHTTPEventProcessor: func(ctx context.Context, d fleet.Delivery) error {
				err := processor.Deliver(ctx, d.Message, d.ID)
				if errors.As(err, new(*basichttp.TargetError)) {
					err = fmt.Errorf("%w: %w", fleet.ErrRefused, err)
				}
				return err
			},
		}
	}
	opts = append(opts, scxml.WithAccept(func(string) bool { return true }))
	f, err := fleet.New(fleet.NewMemory(), cfg, fleet.Define("test", chart, opts...))
	if err != nil {
		stop()
		return err
	}
	finished := make(chan error, 1)
	go func() { finished <- f.Run(ctx) }()
	defer func() {
		stop()
		<-finished
	}()
	began, patience := time.Now(), run.test.patience()
	if err := f.Create(ctx, key, fleet.CreateOptions{}); err != nil {
		return err
	}
	check := time.NewTicker(10 * time.Millisecond)
	defer check.Stop()
	for {
		state, err := f.Get(ctx, key)
		switch {
		case err != nil:
			return err
		case state.Failure != nil:
			return fmt.Errorf("the session is suspended: %s", state.Failure.Message)
		case state.Status != scxml.Running.String():
			run.final, run.took = state.Final, time.Since(began)
			run.keepWatching(ctx, began)
			return nil
		case time.Since(began) > patience:
			return fmt.Errorf("the session did not end within %v", patience)
		}
		select {
		case <-check.C:
		case p := <-run.posts:
			run.carryOut(ctx, p)
		}
	}
}

// serve receives events for a session, and returns their URL.
func serve(ctx context.Context, send func(scxml.Event) error) (url string, err error) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return "", err
	}
	server := &http.Server{ReadHeaderTimeout: time.Second, Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, 1<<20))
		var ev scxml.Event
		if err == nil {
			ev, err = basichttp.Event(r, body)
		}
		if err == nil {
			err = send(ev)
		}
		if err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		w.WriteHeader(http.StatusNoContent)
	})}
	go server.Serve(listener)
	context.AfterFunc(ctx, func() { server.Close() })
	return "http://" + listener.Addr().String(), nil
}
