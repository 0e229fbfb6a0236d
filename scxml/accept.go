package scxml

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/scxmlrun/scxmlrun/scxml/internal/doc"
	"github.com/scxmlrun/scxmlrun/scxml/internal/table"
)

// ErrNotAccepted is what Send and Do return for an event that the function of
// [WithAccept] refuses.
var ErrNotAccepted = errors.New("the session does not accept this event from outside")

// WithAccept says which events the session accepts from its host: Send and Do ask
// accept for the name of each event, and fail with [ErrNotAccepted] for those that
// it refuses. It may be asked on any goroutine. Without it a host can send every
// event, including done.invoke.ID, which a chart may mistake for the result of a
// service. [Chart.IsUserEvent] is a rule for events whose names come from users:
//
//	scxml.New(chart, scxml.WithAccept(chart.IsUserEvent))
//
// [Chart.Takes] is the strict rule: it refuses names that no transition can match, and
// the error names the near miss.
//
// accept does not apply to sessions of the tree, services, and Event I/O Processors,
// which use [ServerView.Deliver].
func WithAccept(accept func(name string) bool) Option {
	return option(func(c *config) { c.accept = accept })
}

// A refusal is the error about an event that the function of [WithAccept] refuses.
type refusal struct {
	chart  *Chart
	name   string
	accept func(string) bool
}

// Error looks for the near miss only now, since anyone who may send can be refused often.
func (e *refusal) Error() string {
	text := fmt.Sprintf("event %q: %v", e.name, ErrNotAccepted)
	if e.chart.Takes(e.name) {
		return text
	}
	meant := doc.Near(e.name, func(yield func(string) bool) {
		for i := range e.chart.transitions {
			for _, d := range e.chart.transitions[i].events {
				if d = table.Normalize(d); d != "" && e.accept(d) && !yield(d) {
					return
				}
			}
		}
	})
	return fmt.Sprintf("%s: no transition of %s takes it%s", text, e.chart.file, didYouMean(meant))
}

func (e *refusal) Unwrap() error { return ErrNotAccepted }

func didYouMean(name string) string {
	if name == "" {
		return ""
	}
	return fmt.Sprintf(" (did you mean %q?)", name)
}

// Takes reports whether an event of this name can match a transition of the chart. It is
// true for every name if the chart has an <invoke> with autoforward: only what that
// invokes can tell.
//
// A transition without event that asks for _event does not count.
func (c *Chart) Takes(name string) bool {
	var few [8]table.Descriptor
	return name != "" && (c.autoforwards || len(c.events.Match(few[:0], name)) > 0)
}

// IsUserEvent reports whether an event of this name can only come from outside:
// it does not begin with "done." or "error.", which the platform sends, and it is
// not one that the chart raises or sends to itself, or that a document that
// it invokes sends to its parent.
//
// Names and documents that are computed (eventexpr, srcexpr, expr of <content>) are
// unknown to this rule.
func (c *Chart) IsUserEvent(name string) bool {
	return name != "" && !isPlatformEvent(name) && !c.own[name] && !c.fromChildren()[name]
}

// IsHostEvent reports whether the chart sends an event of this name to itself without a delay, but has no
// transition for it: only its host can be meant, which hears it with [Session.OnSend].
func (c *Chart) IsHostEvent(name string) bool {
	return slices.ContainsFunc(c.sends, func(s SendInfo) bool { return s.Event == name && s.Target == "" && s.Delay == 0 }) &&
		!slices.ContainsFunc(c.Transitions(), func(t Transition) bool {
			return slices.ContainsFunc(t.Events(), func(d string) bool { return table.Matches(d, name) })
		})
}

// OwnEvents returns, sorted, the names of the events that [Chart.IsUserEvent] refuses for this chart:
// those that it raises or sends to itself, and those that a document that it invokes sends to its
// parent.
func (c *Chart) OwnEvents() []string {
	own := maps.Clone(c.own)
	maps.Copy(own, c.fromChildren())
	return slices.Sorted(maps.Keys(own))
}

func isPlatformEvent(name string) bool {
	first, _, _ := strings.Cut(name, ".")
	return first == "done" || first == "error"
}

func (c *Chart) eventsFromChildren() map[string]bool {
	events := make(map[string]bool)
	for i := range c.states {
		for _, inv := range c.states[i].invokes {
			if inv.inline == nil && inv.src.literal == "" || !doc.IsSCXMLType(inv.typ.literal) {
				continue
			}
			child, err := c.invoked(inv, chartSource{src: inv.src.literal})
			if err != nil {
				continue // it will be an error event
			}
			for _, send := range child.sends {
				if send.Target == "#_parent" {
					events[send.Event] = true
				}
			}
		}
	}
	return events
}
