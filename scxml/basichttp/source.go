package basichttp

import (
	"fmt"
	"net"
	"net/http"
	"slices"
	"strings"
)

// checkSource returns an error for a request that a page of another web site may have caused in a
// browser: it uses a host name that is not ours, or its header names the other site.
func (p *Processor) checkSource(r *http.Request) error {
	if !p.isOurs(r) {
		return fmt.Errorf("host %q is not a host of this server: want the host of its URL, or add it to AllowHosts", r.Host)
	}
	origin := strings.Join(r.Header.Values("Origin"), ", ") // several values never match
	switch site := strings.ToLower(r.Header.Get("Sec-Fetch-Site")); {
	case origin == "" && (site == "cross-site" || site == "same-site"):
		// an image or a link: browsers send nothing else for these
		return fmt.Errorf("the request comes from a page of another web site")
	case origin == "", origin == "http://"+r.Host, origin == "https://"+r.Host, slices.Contains(p.cfg.AllowOrigins, origin):
		return nil
	case p.base != nil && origin == p.base.Scheme+"://"+p.base.Host:
		return nil
	}
	return fmt.Errorf("origin %q is another web site: add it to AllowOrigins if its pages may send requests", origin)
}

// isOurs reports whether a request uses the host of BaseURL, the address of its connection or a
// name that always means it, or a name in AllowHosts. The port does not count: it changes when it
// is forwarded, and a rebound name comes with the right one.
func (p *Processor) isOurs(r *http.Request) bool {
	host := r.Host
	if name, _, err := net.SplitHostPort(host); err == nil {
		host = name
	}
	host = strings.Trim(host, "[]")
	same := func(name string) bool { return strings.EqualFold(name, host) }
	if host == "" {
		return false
	}
	if p.base != nil && same(p.base.Hostname()) || slices.ContainsFunc(p.cfg.AllowHosts, same) {
		return true
	}
	local, ok := r.Context().Value(http.LocalAddrContextKey).(*net.TCPAddr)
	if !ok {
		return false
	}
	ip := net.ParseIP(host)
	return local.IP.Equal(ip) || same("localhost") && local.IP.IsLoopback()
}
