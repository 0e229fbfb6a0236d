package scxml

import (
	"errors"
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
// accept does not apply to sessions of the tree, services, and Event I/O Processors,
// which use [ServerView.Deliver].
func WithAccept(accept func(name string) bool) Option {
	return option(func(c *config) { c.accept = accept })
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
