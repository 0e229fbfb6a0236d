package line

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/scxmlrun/scxmlrun/cmd/internal/cli"
	"github.com/scxmlrun/scxmlrun/cmd/scxmlrun/internal/text"
	"github.com/scxmlrun/scxmlrun/datamodel"
	"github.com/scxmlrun/scxmlrun/scxml/drive"
	"github.com/scxmlrun/scxmlrun/scxml/record"
	"github.com/scxmlrun/scxmlrun/scxml/record/wire"
)

// What an event has caused besides the states.

// lineWidth is how wide lines with data are where nothing bounds them.
const lineWidth = 80

// room is how wide the text of an item may be.
func (f *Front) room() int {
	if width := f.width(); width > 0 {
		return max(small, width-text.Margin)
	}
	return lineWidth - text.Margin
}

// A dataItem is a data item and its value, or why it has none.
type dataItem struct {
	session, who, id string
	value            datamodel.Value
	err              error
}

// maxFollowed is how many data items are looked at after each event.
const maxFollowed = 200

// dataItems returns the data items of all sessions, at most so many.
func (f *Front) dataItems(views []drive.View, most int) (all []dataItem) {
	for _, v := range views {
		for _, id := range v.Data {
			if len(all) == most {
				return all
			}
			value, err := f.Session.Do(wire.Command{Verb: wire.Get, Session: v.Session, Text: id})
			all = append(all, dataItem{v.Session, who(v), id, value, err})
		}
	}
	return all
}

// line writes the item, in about so many characters.
func (i dataItem) line(width int) string {
	name := i.who + i.id + " = "
	if i.err != nil {
		return name + "(no value: " + i.err.Error() + ")"
	}
	return name + text.Brief(i.value, width-len(name))
}

// showData shows what has changed in the data since it was shown, or all of it.
// Of a session that has just begun nothing has.
func (f *Front) showData(views []drive.View, all bool) {
	now := map[[2]string]dataItem{}
	items := f.dataItems(views, maxFollowed)
	for i, item := range items {
		key := [2]string{item.session, item.id}
		now[key] = item
		was, known := f.data[key]
		switch {
		case all && i < maxListed:
			f.item(text.Dim, "data", item.line(f.room()))
		case all && i == maxListed:
			f.item(text.Dim, "data", fmt.Sprintf("… and %d more; to see them: data", len(items)-i))
		case all || !known:
		case was.err != nil || item.err != nil:
			if before, after := was.line(small), item.line(small); before != after {
				f.item(text.Yellow, "data", after)
			}
		default:
			for _, line := range text.Differences(item.id, was.value, item.value, f.room()-len(item.who)) {
				f.item(text.Yellow, "data", item.who+line)
			}
		}
	}
	f.data = now
}

const (
	maxListed = 8  // data items at the start, and timers
	small     = 40 // characters of a value
)

// showTimers shows which timers run and how long: if asked, when an event was
// answered, and when there are others than before.
func (f *Front) showTimers(views []drive.View, asked, answered bool) {
	var left, names []string
	for _, v := range views {
		for _, timer := range v.Timers {
			name := who(v) + timer.Name
			names = append(names, name)
			if len(left) < maxListed || asked {
				left = append(left, fmt.Sprintf("%s in %v", name, f.round(timer.Due-f.rest.Time)))
			}
		}
	}
	if n := len(names) - len(left); n > 0 {
		left = append(left, fmt.Sprintf("… and %d more", n))
	}
	slices.Sort(names)
	changed := !slices.Equal(names, f.timers)
	f.timers = names
	switch {
	case len(names) > 0 && (asked || answered || changed):
		f.item(text.Dim, "timers", text.Fill(strings.Join(left, ", "), f.width()-text.Margin, ""))
	case len(names) == 0 && answered && changed:
		f.item(text.Dim, "timers", "none")
	}
}

// round leaves out of a time what nobody reads; on a virtual clock all of it counts.
func (f *Front) round(d time.Duration) time.Duration {
	switch {
	case f.Virtual:
	case d >= time.Second:
		return d.Round(100 * time.Millisecond)
	default:
		return d.Round(10 * time.Millisecond)
	}
	return d
}

// A watch follows what becomes of an event that nothing may take.
type watch struct {
	event string
	conds []string // those that were false, and where
}

// watchEvent looks for the reason why nothing takes an event: one that was typed, or
// that has been delayed. What else a chart sends itself need not be taken. It
// reports whether the record says that nothing does.
func (f *Front) watchEvent(r *record.Record) (ignored bool) {
	switch {
	case r.Kind == record.Timer:
		f.fired = r.Event.Name
	case r.InvokeID != "":
		if r.Kind == record.Transition { // it was forwarded
			f.ignored = nil
		}
	case r.Kind == record.Event:
		f.watched = nil
		if r.Event.Origin == "" && r.Event.InvokeID == "" || r.Event.Name == f.fired {
			f.watched, f.fired = &watch{event: r.Event.Name}, ""
		}
	case f.watched == nil:
	case r.Kind == record.Transition:
		f.watched = nil
	case r.Kind == record.Cond && r.Value == false:
		verdict := "is false"
		if r.Message != "" {
			verdict = "failed"
		}
		why := fmt.Sprintf("in %s, %q %s  (%s)", r.State, text.Shorten(strings.Join(strings.Fields(r.Cond), " "), small), verdict, r.At)
		if !slices.Contains(f.watched.conds, why) {
			f.watched.conds = append(f.watched.conds, why)
		}
	case r.Kind == record.Unhandled && r.Event.Name == f.watched.event:
		f.ignored, f.watched = append(f.ignored, *f.watched), nil
		return true
	}
	return false
}

// showIgnored says which events nothing has taken, and why.
func (f *Front) showIgnored(takes []string) {
	for _, w := range f.ignored {
		why := strings.Join(w.conds, "\n"+strings.Repeat(" ", len(w.event)+2))
		if why == "" {
			why = "no transition for it in " + text.Shorten(strings.Join(f.rest.Atomic, ", "), 200)
			if near := cli.Nearest(w.event, append(commandWords(), takes...)); near != "" {
				why += fmt.Sprintf(" (did you mean %q?)", near)
			}
		}
		f.item(text.Yellow, "ignored", w.event+": "+why)
	}
	f.ignored = nil
}

// countFired counts a timer that has become due. It is shown before what comes of
// it, so that one that comes again and again takes one line.
func (f *Front) countFired(r *record.Record) {
	name := text.Who(r) + r.Event.Name
	if f.due != name {
		f.showFired()
	}
	f.due = name
	f.times++
}

func (f *Front) showFired() {
	if n := f.times; n > 0 {
		f.times = 0
		what := f.due
		if n > 1 {
			what += fmt.Sprintf(" (%d times)", n)
		}
		f.item(text.Dim, "fired", what)
	}
}
