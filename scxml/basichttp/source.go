package basichttp

import (
	"fmt"
	"net"
	"net/http"
	"slices"
	"strings"
)

// checkSource returns an error for a request that a page of another web site may have
// caused in somebody's browser: it calls this machine by a name that is none of
// ours, or says itself where it comes from.
func (p *Processor) checkSource(r *http.Request) error {
	if !p.isOurs(r) {
		return fmt.Errorf("host %q is not one of this server: want the host of its URL, or one that AllowHosts names", r.Host)
	}
	origin := strings.Join(r.Header.Values("Origin"), ", ") // more than one is not one of ours
	switch site := strings.ToLower(r.Header.Get("Sec-Fetch-Site")); {
	case origin == "" && (site == "cross-site" || site == "same-site"):
		// An image or a link: browsers say nothing more about these.
		return fmt.Errorf("the request comes from a page of another web site")
	case origin == "", origin == "http://"+r.Host, origin == "https://"+r.Host, slices.Contains(p.cfg.AllowOrigins, origin):
		return nil
	case p.base != nil && origin == p.base.Scheme+"://"+p.base.Host:
		return nil
	}
	return fmt.Errorf("origin %q is another web site: want one that AllowOrigins names", origin)
}

// isOurs reports whether a request calls us by the host of BaseURL, by the
// address of its connection or a name that always means it, or by a name
// that AllowHosts has. The port is not looked at: it differs where it is
// forwarded, and a name that was rebound comes with the right one.
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
