package rest

import (
	"context"
	"errors"
	"log/slog"
	"net"
	"net/http"
	"time"

	"github.com/scxmlrun/scxmlrun/scxml/internal/httpguard"
)

// ServeBefore serves HTTP before there is a fleet, until ctx is done: /livez says that the process works, and all
// else is answered with status 503. It leaves l open, for [Server.Serve].
func ServeBefore(ctx context.Context, l interface {
	net.Listener
	SetDeadline(time.Time) error
}, log *slog.Logger) error {
	s := &Server{log: log}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /livez", func(w http.ResponseWriter, _ *http.Request) { say(w) })
	mux.HandleFunc("/", func(w http.ResponseWriter, _ *http.Request) {
		s.fail(w, &problem{http.StatusServiceUnavailable, "unavailable", errors.New("the store is not open yet: see the log of the server")})
	})
	server := &http.Server{Handler: mux, ErrorLog: slog.NewLogLogger(log.Handler(), slog.LevelWarn)}
	httpguard.Limit(server, 64, 10*time.Second)
	server.SetKeepAlivesEnabled(false)
	err := httpguard.Serve(ctx, server, &lent{l, l.SetDeadline}, func() {}, time.Second)
	return errors.Join(err, l.SetDeadline(time.Time{}))
}

// A lent listener stays open when it is closed: only its Accept fails.
type lent struct {
	net.Listener
	deadline func(time.Time) error
}

func (l *lent) Close() error { return l.deadline(time.Unix(1, 0)) }
