// Package httpguard has what the HTTP servers of this module share: which requests they refuse
// because another web site may have caused them, which token a request has, and how many connections
// they keep.
package httpguard

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"
)

// A Source says which requests come from the server's own pages, or from no page at all.
type Source struct {
	Base    *url.URL // of the server, if it is known
	Hosts   []string // additional host names, without ports
	Origins []string // web sites, such as "https://example.com", whose pages may send requests
}

// Check returns an error for a request that a page of another web site may have caused in a
// browser: it uses a host name that is not ours, or its header names the other site. Links of other sites may
// lead to a page, which has no secrets, but they may not show it in a frame.
func (s *Source) Check(r *http.Request, page bool) error {
	if !s.isOurs(r) {
		return fmt.Errorf("host %q is not a host of this server: want the host of its URL, or one that the server was told to allow (AllowHosts, or --host of scxmlrun; behind a load balancer --public-url of scxmlrun serve)", r.Host)
	}
	origin := strings.Join(r.Header.Values("Origin"), ", ") // several values never match
	switch site := strings.ToLower(r.Header.Get("Sec-Fetch-Site")); {
	case origin == "" && (site == "cross-site" || site == "same-site") && !(page && isLink(r)):
		// an image or a link: browsers send nothing else for these
		return fmt.Errorf("the request comes from a page of another web site")
	case origin == "", origin == "http://"+r.Host, origin == "https://"+r.Host, slices.Contains(s.Origins, origin):
		return nil
	case s.Base != nil && origin == s.Base.Scheme+"://"+s.Base.Host:
		return nil
	}
	return fmt.Errorf("origin %q is another web site: its pages may send requests if the server was told so (AllowOrigins, or --origin of scxmlrun serve)", origin)
}

// isLink reports whether the answer will be what a whole window or tab of a browser shows.
func isLink(r *http.Request) bool {
	return r.Method == http.MethodGet && r.Header.Get("Sec-Fetch-Mode") == "navigate" && r.Header.Get("Sec-Fetch-Dest") == "document"
}

// isOurs reports whether a request uses the host of Base, the address of its connection or a name
// that always means it, or a name in Hosts. The port does not count: it changes when it is
// forwarded, and a rebound name comes with the right one.
func (s *Source) isOurs(r *http.Request) bool {
	host := r.Host
	if name, _, err := net.SplitHostPort(host); err == nil {
		host = name
	}
	host = strings.Trim(host, "[]")
	same := func(name string) bool { return strings.EqualFold(name, host) }
	if host == "" {
		return false
	}
	if s.Base != nil && same(s.Base.Hostname()) || slices.ContainsFunc(s.Hosts, same) {
		return true
	}
	local, ok := r.Context().Value(http.LocalAddrContextKey).(*net.TCPAddr)
	if !ok {
		return false
	}
	ip := net.ParseIP(host)
	return local.IP.Equal(ip) || same("localhost") && local.IP.IsLoopback()
}

// Token returns the token of the header "Authorization: Bearer TOKEN".
func Token(r *http.Request) (token string, ok bool) {
	scheme, token, _ := strings.Cut(r.Header.Get("Authorization"), " ")
	return strings.TrimLeft(token, " "), strings.EqualFold(scheme, "Bearer")
}

// IsLoopback reports whether a host, without its port, is this machine.
func IsLoopback(host string) bool {
	ip := net.ParseIP(host)
	return host == "localhost" || ip != nil && ip.IsLoopback()
}

// Serve serves until ctx is done. Then it calls drain, waits for the requests in progress for at most the
// time patience, and returns nil. It closes l.
func Serve(ctx context.Context, server *http.Server, l net.Listener, drain func(), patience time.Duration) error {
	closed := make(chan struct{})
	stop := context.AfterFunc(ctx, func() {
		defer close(closed)
		drain()
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), patience)
		defer cancel()
		if server.Shutdown(ctx) != nil {
			server.Close()
		}
	})
	err := server.Serve(l)
	if stop() { // the listener has failed
		return err
	}
	<-closed
	return nil
}

// Acquire takes one of the places of a channel and reports whether one was free. Receive from the
// channel to give it back.
func Acquire(places chan struct{}) bool {
	select {
	case places <- struct{}{}:
		return true
	default:
		return false
	}
}
