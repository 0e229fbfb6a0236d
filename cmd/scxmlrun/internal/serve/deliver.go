package serve

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/scxmlrun/scxmlrun/scxml"
	"github.com/scxmlrun/scxmlrun/scxml/basichttp"
	"github.com/scxmlrun/scxmlrun/scxml/fleet"
)

// config returns the configuration of the fleet: its bounds, and what it does outside of its sessions.
// Base is where it listens.
func (o *Options) config(base string, log *slog.Logger) fleet.Config {
	if o.public != nil {
		base = o.public.String()
	}
	processor := basichttp.New(basichttp.Config{AllowTarget: o.allows, Prepare: passTrace})
	return fleet.Config{
		KeepFinished: o.keep, Sessions: o.Sessions, IDs: o.IDs, IDsFor: o.IDsFor, Cache: o.Cache, CacheSize: o.CacheSize << 20, Workers: o.Workers,
		Logger: log,
		Processors: map[string]fleet.Deliver{
			scxml.BasicHTTPEventProcessor: func(ctx context.Context, d fleet.Delivery) error {
				err := processor.Deliver(ctx, d.Message, d.ID)
				if errors.As(err, new(*basichttp.TargetError)) {
					err = fmt.Errorf("%w: %w", fleet.ErrRefused, err)
				}
				return err
			},
		},
		Check: func(_ string, m scxml.Message) error { return processor.Check(m) },
		Retry: func(scxml.Task) scxml.Retry { return o.Retry },
		Location: func(session, _ string) string {
			if strings.Contains(session, "~") {
				return "" // an invoked session: the server knows keys only
			}
			return base + "/v1/sessions/" + url.PathEscape(session) + "/events"
		},
	}
}

// passTrace gives a request the trace of the event that has set it off, see rest.
func passTrace(r *http.Request) {
	parent, state, _ := strings.Cut(fleet.Trace(r.Context()), " ")
	if parent != "" {
		r.Header.Set("traceparent", parent)
	}
	if state != "" {
		r.Header.Set("tracestate", state)
	}
}

// allows returns an error unless charts may send to a URL.
func (o *Options) allows(u *url.URL) error {
	host := u.Hostname()
	if isLocal(host) || o.public != nil && host == o.public.Hostname() || slices.Contains(o.Targets, host) {
		return nil
	}
	return fmt.Errorf("want a host of this machine, or one of --send-to")
}
