package document

import (
	"context"
	"errors"
	"io/fs"
	"slices"
	"strings"

	"github.com/scxmlrun/scxmlrun/datamodel"
	"github.com/scxmlrun/scxmlrun/scxml/forms"
)

// events collects the events that the chart takes, and those that it sends.
func (w *writer) events(folder fs.FS) {
	raised := w.messages()
	first := make(map[string]int) // of those that descriptors with a prefix match
	for i, ev := range raised {
		for name := ev.Name; name != ""; name = name[:max(strings.LastIndexByte(name, '.'), 0)] {
			if _, known := first[name]; !known {
				first[name] = i
			}
		}
	}
	answers := forms.New(w.chart, folder).Answers()
	answers.Ask(context.Background(), literal)
	groups := []Group{{From: "From outside"}, {From: "From the chart itself"}, {From: "From what it invokes, and from the platform"}}
	for _, edge := range w.diagram.Edges {
		for _, descriptor := range strings.Fields(edge.Event) {
			name := prefix(descriptor)
			own, isOwn := first[name]
			group := 0
			switch {
			case isOwn:
				group = 1
			case name != "" && !w.chart.IsUserEvent(name):
				group = 2
			}
			ev := w.add(&groups[group].Events, descriptor)
			if len(ev.States) == 0 {
				for _, f := range answers.Fields(name) {
					if field := (Field{f.Name(), describe(f)}); field != (Field{}) {
						ev.Data = append(ev.Data, field)
					}
				}
				if isOwn && len(ev.Data) == 0 {
					ev.Data = raised[own].Data
				}
			}
			if edge.Source.Parent != nil {
				ev.at(ref(edge.Source))
			}
			if note := inline(w.comment(edge.Transition.Element())); note != "" && !slices.Contains(ev.Notes, note) {
				ev.Notes = append(ev.Notes, note)
			}
			if isOwn {
				ev.Delays = raised[own].Delays
			}
		}
	}
	for _, g := range groups {
		if len(g.Events) > 0 {
			w.page.Received = append(w.page.Received, g)
		}
	}
}

// messages collects the events that the chart sends to others, and returns those that it raises or
// sends to itself.
func (w *writer) messages() (own []Event) {
	for _, e := range w.elements {
		if e.Name != "raise" && e.Name != "send" {
			continue
		}
		name, to := first(e.Attr("event"), e.Attr("eventexpr")), first(e.Attr("target"), e.Attr("targetexpr"))
		list := &w.page.Sent
		if e.Name == "raise" || to == "#_internal" || to == "" && w.takesItself(name) {
			list = &own
		}
		ev := w.add(list, name)
		if owner := w.owner(e); owner != nil {
			ev.at(*owner)
		}
		if to != "" && !slices.Contains(ev.To, to) {
			ev.To = append(ev.To, to)
		}
		if delay := first(e.Attr("delay"), e.Attr("delayexpr")); delay != "" && !slices.Contains(ev.Delays, delay) {
			ev.Delays = append(ev.Delays, delay)
		}
		for _, f := range w.params(e) {
			i := slices.IndexFunc(ev.Data, func(have Field) bool { return have.Name == f.Name })
			if i < 0 {
				ev.Data = append(ev.Data, f)
			} else if have := &ev.Data[i].What; !slices.Contains(strings.Split(*have, ", "), f.What) {
				*have += ", " + f.What
			}
		}
		if note := inline(w.comment(e)); note != "" && !slices.Contains(ev.Notes, note) {
			ev.Notes = append(ev.Notes, note)
		}
	}
	return own
}

// takesItself reports whether a transition names the event that the chart sends. One for all events does not.
func (w *writer) takesItself(name string) bool {
	for name != "" {
		if w.takes[name] {
			return true
		}
		name = name[:max(strings.LastIndexByte(name, '.'), 0)]
	}
	return false
}

// prefix returns what an event descriptor says about the beginning of a name: "a" for a, a. and a.*, and ""
// for all events.
func prefix(descriptor string) string {
	return strings.TrimSuffix(strings.TrimSuffix(descriptor, "*"), ".")
}

// An eventIn is the name of an event in a list.
type eventIn struct {
	list *[]Event
	name string
}

// add returns the event of this name in a list, and adds it if it is not there.
func (w *writer) add(list *[]Event, name string) *Event {
	i, known := w.numbers[eventIn{list, name}]
	if !known {
		i = len(*list)
		w.numbers[eventIn{list, name}] = i
		*list = append(*list, Event{Name: name, known: make(map[Ref]bool)})
	}
	return &(*list)[i]
}

// at notes that a state takes or sends the event.
func (ev *Event) at(state Ref) {
	if !ev.known[state] {
		ev.States = append(ev.States, state)
		ev.known[state] = true
	}
}

// anyText is what package forms proposes for a text of which nothing else is known.
const anyText = "text"

// describe says what values a part of the data of an event has.
func describe(f forms.Field) string {
	what := ""
	if f.Kind != forms.Any {
		what = f.Kind.String()
	}
	if f.Kind == forms.Choice || f.Kind == forms.Text {
		var values []string
		for _, v := range f.Values {
			if text := f.Format(v); text != "" && text != anyText {
				values = append(values, text)
			}
		}
		what = strings.TrimSuffix(what+": "+strings.Join(values, ", "), ": ")
	}
	return what
}

var errNotLiteral = errors.New("not a literal")

// literal evaluates constants, so that a page is written without running the chart.
func literal(_ context.Context, code string) (datamodel.Value, error) {
	if inner, found := strings.CutPrefix(code, "'"); found && !strings.ContainsAny(inner, `"\`) {
		code = `"` + strings.TrimSuffix(inner, "'") + `"`
	}
	if v, err := datamodel.ParsePlainJSON(code); err == nil {
		return v, nil
	}
	return nil, errNotLiteral
}
