// Package loopback serves pages on this machine and to nobody else.
package loopback

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"strings"
	"time"

	"github.com/scxmlrun/scxmlrun/cmd/internal/cli"
)

// Listen listens at the address of --listen. Instead says what to do for other machines.
func Listen(address, instead string) (net.Listener, error) {
	host, _, err := net.SplitHostPort(address)
	if err != nil {
		return nil, cli.Usagef("--listen %s: want an address and a port, such as 127.0.0.1:8080", address)
	}
	if !isThisMachine(host) {
		return nil, cli.Usagef("--listen %s is not an address of this machine only, such as 127.0.0.1:8080; %s", address, instead)
	}
	l, err := net.Listen("tcp", address)
	if err != nil {
		return nil, cli.Usagef("--listen %s: %v; choose another port, or 0 for any", address, cli.Plain(err))
	}
	return l, nil
}

// Serve serves until ctx is done, and closes l. It refuses requests whose Host is not an address of this
// machine: another site's name that was made to lead here would have what this site has. It also refuses
// those that pages of other origins send. The error is never nil.
func Serve(ctx context.Context, l net.Listener, handler http.Handler) error {
	server := &http.Server{Handler: guard(handler), ReadHeaderTimeout: 10 * time.Second, IdleTimeout: time.Minute}
	defer context.AfterFunc(ctx, func() { server.Close() })()
	if err := server.Serve(l); !errors.Is(err, http.ErrServerClosed) {
		return &cli.Error{Status: cli.Failed, Err: err}
	}
	return &cli.Error{Status: cli.Interrupted}
}

func guard(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		host := r.Host
		if name, _, err := net.SplitHostPort(host); err == nil {
			host = name
		}
		if !isThisMachine(strings.Trim(host, "[]")) {
			http.Error(w, fmt.Sprintf("host %q is not an address of this machine: want localhost or 127.0.0.1", r.Host), http.StatusForbidden)
			return
		}
		if origin := r.Header.Get("Origin"); origin != "" && origin != "http://"+r.Host {
			http.Error(w, fmt.Sprintf("a page of %q cannot use this one", origin), http.StatusForbidden)
			return
		}
		next.ServeHTTP(w, r)
	})
}

// isThisMachine reports whether a host, without its port, means this machine alone.
func isThisMachine(host string) bool {
	ip := net.ParseIP(host)
	return strings.EqualFold(host, "localhost") || ip != nil && ip.IsLoopback()
}
