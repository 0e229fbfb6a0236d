package scxml

import (
	"fmt"
	"strings"
	"time"

	"github.com/scxmlrun/scxmlrun/scxml/internal/doc"
)

// Extensions is the XML namespace of attributes in charts that are not the REC's. There are three: go, at states and
// <data>, the name in Go code that package compile writes; type, at <data>, the type there; and retry, a [Retry] as text, at
// <send> and <invoke>:
//
//	<scxml xmlns="http://www.w3.org/2005/07/scxml" xmlns:x="https://github.com/scxmlrun/scxmlrun/scxml" version="1.0">
//	  …
//	  <invoke type="payment" x:retry="attempts=5 first=2s longest=1m final=declined"/>
const Extensions = doc.Extensions

// A Retry says how often and when a host that carries out a [Task] tries again after an error. A session
// passes it on only: it learns the outcome of the last attempt. What is zero is for the host to decide; package fleet says
// how it does.
type Retry struct {
	Attempts int           // at most, the first included; negative for no bound
	First    time.Duration // between the first attempt and the second
	Longest  time.Duration // between two attempts
	Factor   float64       // by which each wait is longer than the one before, at least 1
	Jitter   float64       // the share, from 0 to 1, by which a wait is longer or shorter at random
	Final    []string      // names of errors after which nothing is tried again
}

// ParseRetry reads items with spaces between them, each at most once:
//
//	attempts=5 first=2s longest=1m factor=2 jitter=0.1 final=declined,expired
//
// Times are as for [time.ParseDuration]; attempts=-1 means without a bound.
func ParseRetry(text string) (Retry, error) {
	r, err := doc.ParseRetry(text)
	if err != nil {
		err = failed("retry", err)
	}
	return Retry(r), err
}

// String returns what ParseRetry reads.
func (r Retry) String() string {
	var items []string
	add := func(set bool, name string, value any) {
		if set {
			items = append(items, fmt.Sprint(name, "=", value))
		}
	}
	add(r.Attempts != 0, "attempts", r.Attempts)
	add(r.First != 0, "first", r.First)
	add(r.Longest != 0, "longest", r.Longest)
	add(r.Factor != 0, "factor", r.Factor)
	add(r.Jitter != 0, "jitter", r.Jitter)
	add(len(r.Final) > 0, "final", strings.Join(r.Final, ","))
	return strings.Join(items, " ")
}

// MarshalText returns String, for snapshots.
func (r Retry) MarshalText() ([]byte, error) { return []byte(r.String()), nil }

// UnmarshalText is ParseRetry.
func (r *Retry) UnmarshalText(text []byte) error {
	read, err := doc.ParseRetry(string(text))
	*r = Retry(read)
	return err
}
