package bench

import (
	"fmt"
	"runtime"
	"strings"

	"github.com/scxmlrun/scxmlrun/cmd/internal/cli"
)

// A Result is what was measured. Times are in nanoseconds.
type Result struct {
	Chart     string `json:"chart"`
	Datamodel string `json:"datamodel"`
	States    int    `json:"states"`
	Bytes     int    `json:"bytes"` // of the document

	Load struct {
		NS    float64 `json:"ns"` // median
		Count int     `json:"count"`
	} `json:"load"`

	Session struct {
		NS        float64 `json:"ns"` // to create and start one
		Allocs    float64 `json:"allocs"`
		Bytes     float64 `json:"bytes"`
		Count     int     `json:"count"`
		Alive     int     `json:"alive"`      // see --sessions
		LiveBytes float64 `json:"live_bytes"` // of each of these, once it has processed each event
	} `json:"session"`

	Events *Events `json:"events,omitempty"` // nil without --event

	Go   string `json:"go"`
	OS   string `json:"os"`
	Arch string `json:"arch"`

	Notes []string `json:"-"` // what the user should know about it
}

// Events has what was measured about events.
type Events struct {
	Count     int     `json:"count"`
	Seconds   float64 `json:"seconds"`
	PerSecond float64 `json:"per_second"`
	NS        float64 `json:"ns"`
	FastNS    float64 `json:"fast_ns"` // the fastest tenth took at most this
	SlowNS    float64 `json:"slow_ns"` // the slowest tenth took at least this
	Allocs    float64 `json:"allocs"`
	Bytes     float64 `json:"bytes"`
	Ended     int     `json:"ended"` // sessions that ended and were replaced
}

// Text returns the result for people.
func (r *Result) Text() string {
	var b strings.Builder
	states := "states"
	if r.States == 1 {
		states = "state"
	}
	item := func(label, format string, args ...any) {
		fmt.Fprintf(&b, "%-9s%s\n", label, fmt.Sprintf(format, args...))
	}
	item("chart", "%s: %d %s, %s, data model %s", cli.Visible(r.Chart, cli.EscapeNewlines), r.States, states, bytesText(float64(r.Bytes)), cli.Visible(r.Datamodel, cli.EscapeNewlines))
	item("load", "%s (median of %d)", nsText(r.Load.NS), r.Load.Count)
	item("session", "%s to create and start one, %.0f bytes in %.0f allocations", nsText(r.Session.NS), r.Session.Bytes, r.Session.Allocs)
	if r.Session.Alive > 1 {
		item("", "%d alive take %s, %.0f bytes each", r.Session.Alive, bytesText(r.Session.LiveBytes*float64(r.Session.Alive)), r.Session.LiveBytes)
	}
	if e := r.Events; e != nil {
		item("events", "%.0f a second", e.PerSecond)
		item("", "%s each, %.1f allocations, %.0f bytes", nsText(e.NS), e.Allocs, e.Bytes)
		item("", "%d in %.1f s; the fastest tenth took %s, the slowest %s", e.Count, e.Seconds, nsText(e.FastNS), nsText(e.SlowNS))
		if e.Ended > 0 {
			item("", "%d sessions ended and were replaced; the times include that", e.Ended)
		}
	}
	return b.String()
}

// nsText writes a time with a fitting unit.
func nsText(ns float64) string {
	units := []string{"ns", "µs", "ms", "s"}
	for len(units) > 1 && ns >= 999.5 { // which is 1000 with three digits
		ns, units = ns/1000, units[1:]
	}
	return fmt.Sprintf("%.3g %s", ns, units[0])
}

// bytesText writes a number of bytes with a fitting unit.
func bytesText(n float64) string {
	units := []string{"bytes", "KB", "MB", "GB"}
	for len(units) > 1 && n >= 10_000 {
		n, units = n/1000, units[1:]
	}
	return fmt.Sprintf("%.0f %s", n, units[0])
}

// environment fills in the machine and the versions.
func (r *Result) environment() {
	r.Go, r.OS, r.Arch = runtime.Version(), runtime.GOOS, runtime.GOARCH
}
