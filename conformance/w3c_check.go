package conformance

import (
	"errors"
	"fmt"
	"path"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/scxmlrun/scxmlrun/datamodel"
)

// A Check is a condition that a manual test has to meet. Each Kind uses some of
// the other fields.
type Check struct {
	Kind        string   `json:"check"`
	State       string   `json:"state"`
	Within      float64  `json:"within_s"`
	Label       string   `json:"label"`
	Labels      []string `json:"labels"`
	Count       int      `json:"count"`
	Pattern     string   `json:"re2"`
	Value       string   `json:"value"`
	Values      []string `json:"values"`
	Session     string   `json:"session"`
	Sessions    []string `json:"sessions"`
	Observe     float64  `json:"observe_s"`
	Event       string   `json:"event"`
	Of          []Check  `json:"of"`
	URLLabel    string   `json:"url_from_log_label"`
	ContentType string   `json:"content_type"`
	Body        string   `json:"body"`
	Status      string   `json:"status"` // for example "2xx"
}

// An observation is what a run did.
type observation struct {
	rejected  error         // why the document was rejected
	final     string        // the top-level final state
	took      time.Duration // chart time
	logs      []logLine
	processed []string       // names of the events taken from a queue
	answers   map[string]int // the status of the answer to each POST, by body
}

// A logLine is the output of a <log>.
type logLine struct {
	session string // "parent" for the root session, "child" for an invoked one
	label   string
	value   datamodel.Value
}

// verify returns nil if the check holds.
func (c Check) verify(o *observation) error {
	switch c.Kind {
	case "any-of":
		var errs []error
		for _, alternative := range c.Of {
			err := alternative.verify(o)
			if err == nil {
				return nil
			}
			errs = append(errs, err)
		}
		return fmt.Errorf("none of %d alternatives holds: %w", len(c.Of), errors.Join(errs...))
	case "rejected-at-load":
		if o.rejected == nil {
			return errors.New("the document was not rejected")
		}
		return nil
	}
	if o.rejected != nil {
		return fmt.Errorf("the document was rejected: %w", o.rejected)
	}
	switch c.Kind {
	case "final":
		if o.final != c.State {
			return fmt.Errorf("the session ended in %q, want %q", o.final, c.State)
		}
		if c.Within > 0 && o.took > seconds(c.Within) {
			return fmt.Errorf("the session ended after %v, want at most %v", o.took, seconds(c.Within))
		}
		return nil
	case "event-not-processed":
		if slices.Contains(o.processed, c.Event) {
			return fmt.Errorf("the event %q was taken from its queue", c.Event)
		}
		return nil
	case "http-post":
		return c.verifyAnswer(o)
	}
	return c.verifyLog(o)
}

func (c Check) verifyAnswer(o *observation) error {
	status, posted := o.answers[c.Body]
	if !posted {
		return fmt.Errorf("nothing could be posted: no URL was logged as %q", c.URLLabel)
	}
	pattern := strings.ReplaceAll(strings.ToLower(c.Status), "x", "?")
	if ok, err := path.Match(pattern, fmt.Sprint(status)); !ok || err != nil {
		return fmt.Errorf("the POST was answered with status %d, want %s", status, c.Status)
	}
	return nil
}

func (c Check) verifyLog(o *observation) error {
	switch c.Kind {
	case "log-match":
		pattern, err := regexp.Compile(c.Pattern)
		if err != nil {
			return err
		}
		logged := o.logged("", c.Label)
		if c.Count > 0 && len(logged) != c.Count {
			return fmt.Errorf("%q was logged %d times, want %d", c.Label, len(logged), c.Count)
		}
		for _, v := range logged {
			if pattern.MatchString(datamodel.Text(v)) {
				return nil
			}
		}
		return fmt.Errorf("no value logged as %q matches %q: %s", c.Label, c.Pattern, texts(logged))
	case "log-value":
		logged := o.logged("", c.Label)
		for _, v := range logged {
			if datamodel.Text(v) != c.Value {
				return fmt.Errorf("%q was logged with %s, want %q", c.Label, texts(logged), c.Value)
			}
		}
		if len(logged) == 0 {
			return fmt.Errorf("%q was not logged", c.Label)
		}
	case "log-labels-in-order":
		var labels []string
		for _, l := range o.logs {
			labels = append(labels, l.label)
		}
		if !slices.Equal(labels, c.Labels) {
			return fmt.Errorf("the labels logged are %q, want %q", labels, c.Labels)
		}
	case "log-order":
		var values []string
		for _, l := range o.logs {
			if c.Session == "" || l.session == c.Session {
				values = append(values, datamodel.Text(l.value))
			}
		}
		if !slices.Equal(values, c.Values) {
			return fmt.Errorf("the values logged by the %s are %q, want %q", c.Session, values, c.Values)
		}
	case "log-absent":
		for _, l := range o.logs {
			if datamodel.Text(l.value) == c.Value {
				return fmt.Errorf("%q was logged", c.Value)
			}
		}
	case "log-pairs-equal":
		return c.verifyPairs(o)
	case "log-values-equal":
		for _, label := range c.Labels {
			logged := o.logged("", label)
			if len(logged) != 1 || datamodel.Text(logged[0]) != c.Value {
				return fmt.Errorf("%q was logged with %s, want one %q", label, texts(logged), c.Value)
			}
		}
	default:
		return fmt.Errorf("%q is not a kind of check", c.Kind)
	}
	return nil
}

// verifyPairs checks that each session logs each label once, with equal values.
func (c Check) verifyPairs(o *observation) error {
	for _, label := range c.Labels {
		var first datamodel.Value
		for i, session := range c.Sessions {
			logged := o.logged(session, label)
			if len(logged) != 1 {
				return fmt.Errorf("the %s logged %q %d times, want once", session, label, len(logged))
			}
			if i == 0 {
				first = logged[0]
			} else if !datamodel.Equal(first, logged[0]) {
				return fmt.Errorf("%q was logged with %q by the %s and with %q by the %s",
					label, datamodel.Text(first), c.Sessions[0], datamodel.Text(logged[0]), session)
			}
		}
	}
	return nil
}

// logged returns the values that a session logged with a label. If session is
// "", it returns those of all sessions.
func (o *observation) logged(session, label string) []datamodel.Value {
	var values []datamodel.Value
	for _, l := range o.logs {
		if l.label == label && (session == "" || l.session == session) {
			values = append(values, l.value)
		}
	}
	return values
}

func texts(values []datamodel.Value) string {
	if len(values) == 0 {
		return "nothing"
	}
	var all []string
	for _, v := range values {
		all = append(all, fmt.Sprintf("%q", datamodel.Text(v)))
	}
	return strings.Join(all, ", ")
}

func seconds(s float64) time.Duration { return time.Duration(s * float64(time.Second)) }
