package doc

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/scxmlrun/scxmlrun/datamodel"
	"github.com/scxmlrun/scxmlrun/scxml/internal/delay"
	"github.com/scxmlrun/scxmlrun/scxml/internal/xmltree"
)

// Extensions is the XML namespace of the attributes that are this project's.
const Extensions = "https://github.com/scxmlrun/scxmlrun/scxml"

// isExtension reports whether elements with a tag have an attribute of the namespace Extensions.
func isExtension(t tag, name string) bool {
	switch t {
	case tagSend, tagInvoke:
		return name == "retry"
	case tagState, tagParallel, tagFinal, tagHistory:
		return name == "go"
	case tagData:
		return name == "go" || name == "type"
	}
	return false
}

// An Extension is an attribute for compiled charts, which package compile checks: go, the name of a state or <data>, or type,
// that of a <data>.
type Extension struct {
	Pos  datamodel.Position
	Text string
}

func extension(e *xmltree.Element, name string) *Extension {
	if a := e.AttrOf(Extensions, name); a != nil {
		return &Extension{e.Source(a).Pos, a.Value}
	}
	return nil
}

// A Retry is the attribute retry of <send> and <invoke>, see scxml.Retry.
type Retry struct {
	Attempts       int
	First, Longest time.Duration
	Factor, Jitter float64
	Final          []string
}

// ParseRetry is scxml.ParseRetry.
func ParseRetry(text string) (r Retry, err error) {
	number := func(to *float64, low, high float64) func(string) error {
		return func(s string) (err error) {
			if *to, err = strconv.ParseFloat(s, 64); err != nil || !(*to >= low && *to <= high) {
				return fmt.Errorf("want a number from %g to %g", low, high)
			}
			return nil
		}
	}
	wait := func(to *time.Duration) func(string) error {
		return func(s string) (err error) {
			if *to, err = time.ParseDuration(s); err != nil || *to <= 0 || *to > delay.Max {
				return errors.New("want a time such as 500ms, 2s or 5m, at most 366 days")
			}
			return nil
		}
	}
	items := map[string]func(string) error{
		"attempts": func(s string) (err error) {
			if r.Attempts, err = strconv.Atoi(s); err != nil || r.Attempts == 0 {
				return errors.New("want a number of attempts, the first included, or -1 for no bound")
			}
			r.Attempts = max(r.Attempts, -1)
			return nil
		},
		"first":   wait(&r.First),
		"longest": wait(&r.Longest),
		"factor":  number(&r.Factor, 1, 1000),
		"jitter":  number(&r.Jitter, 0, 1),
		"final": func(s string) error {
			r.Final = strings.Split(s, ",")
			if slices.Contains(r.Final, "") {
				return errors.New("want names of errors with commas between them")
			}
			return nil
		},
	}
	names := slices.Sorted(maps.Keys(items))
	given := make(map[string]bool)
	for item := range strings.FieldsSeq(text) {
		name, value, _ := strings.Cut(item, "=")
		set := items[name]
		switch {
		case set == nil:
			return Retry{}, fmt.Errorf("%q: want %s=VALUE", abridge(item), strings.Join(names, "=VALUE, "))
		case given[name]:
			return Retry{}, fmt.Errorf("%q: want it once", abridge(item))
		}
		given[name] = true
		if err := set(value); err != nil {
			return Retry{}, fmt.Errorf("%q: %w", abridge(item), err)
		}
	}
	if len(given) == 0 {
		return Retry{}, errors.New("want for example attempts=5 first=2s longest=1m factor=2 jitter=0.1 final=declined")
	}
	if r.First > 0 && r.Longest > 0 && r.First > r.Longest {
		return Retry{}, fmt.Errorf("first=%v is longer than longest=%v", r.First, r.Longest)
	}
	return r, nil
}

// retry reads the attribute retry.
func (p *parser) retry(e *xmltree.Element) *Retry {
	a := e.AttrOf(Extensions, "retry")
	if a == nil {
		return nil
	}
	r, err := ParseRetry(a.Value)
	if err != nil {
		p.errorf(e.Source(a).Pos, "illegal-value", "retry: %v", err)
	}
	return &r
}
