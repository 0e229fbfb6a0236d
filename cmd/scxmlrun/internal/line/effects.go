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

// This file shows the effects of events other than states.

// lineWidth is how wide lines with data are unless the terminal says.
const lineWidth = 80

// room returns how wide the text of an item may be.
func (f *Front) room() int {
	if width := f.Columns(); width > 0 {
		return max(small, width-text.Margin)
	}
	return lineWidth - text.Margin
}

// A dataItem is a data item with its value, or the reason why it has none.
type dataItem struct {
	session, who, id string
	value            datamodel.Value
	err              error
}

// maxFollowed is how many data items are compared after each event.
const maxFollowed = 1000

// dataItems returns the data items of all sessions, up to most of them.
func (f *Front) dataItems(views []drive.View, most int) (all []dataItem) {
	for _, v := range views {
		for _, id := range v.Data {
			if len(all) == most {
				return all
			}
			item := dataItem{session: v.Session, who: who(v), id: id}
			f.read(&item)
			all = append(all, item)
		}
	}
	return all
}

// read reads the value of the item.
func (f *Front) read(item *dataItem) {
	item.value, item.err = f.Session.Do(wire.Command{Verb: wire.Get, Session: item.session, Text: item.id})
}

// line writes the item in about width characters.
func (i dataItem) line(width int) string {
	name := i.who + i.id + " = "
	if i.err != nil {
		return name + "(no value: " + i.err.Error() + ")"
	}
	return name + text.Brief(i.value, width-len(name))
}

// showData shows what has changed in the data since it was last shown, or all of it. The
// data of a new session counts as unchanged.
func (f *Front) showData(views []drive.View, all bool) {
	now := map[string][]dataItem{}
	items := f.dataItems(views, maxFollowed)
	for i, item := range items {
		n, was := len(now[item.session]), f.data[item.session]
		now[item.session] = append(now[item.session], item)
		switch {
		case all && i < maxListed:
			f.item(text.Dim, "data", item.line(f.room()))
		case all && i == maxListed:
			f.item(text.Dim, "data", fmt.Sprintf("… and %d more; to see them: data", len(items)-i))
		case !all && n < len(was):
			f.showChange(was[n], item)
		}
	}
	f.data = now
}

// showFinalData shows what has changed in the data of a session that has just ended. An item that
// can no longer be read is not shown.
func (f *Front) showFinalData(session string) {
	for _, was := range f.data[session] {
		item := was
		if f.read(&item); item.err == nil {
			f.showChange(was, item)
		}
	}
	delete(f.data, session)
}

// showChange shows what has changed in a data item, if anything has.
func (f *Front) showChange(was, item dataItem) {
	if was.err != nil || item.err != nil {
		if before, after := was.line(small), item.line(small); before != after {
			f.item(text.Yellow, "data", after)
		}
		return
	}
	for _, line := range text.Differences(item.id, was.value, item.value, f.room()-len(item.who)) {
		f.item(text.Yellow, "data", item.who+line)
	}
}

const (
	maxListed = 8  // data items at the start, and timers
	small     = 40 // characters of a value
)

// showTimers shows the timers and the time left: if asked, after each answer, and when the
// set of timers has changed.
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
		f.item(text.Dim, "timers", text.Fill(strings.Join(left, ", "), f.Columns()-text.Margin, ""))
	case len(names) == 0 && answered && changed:
		f.item(text.Dim, "timers", "none")
	}
}

// round rounds the time left on the real clock; on a virtual clock it is exact.
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

// A watch follows an event that may turn out to be ignored.
type watch struct {
	event string
	typed bool
	conds []string // the conditions that were false, with their positions
}

// watchEvent finds out why nothing takes an event that was typed, or that was delayed; other
// events that a chart sends itself need not be taken. It reports whether r says that nothing
// takes the event.
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
		typed := r.Event.Origin == "" && r.Event.InvokeID == ""
		if typed || r.Event.Name == f.fired {
			f.watched, f.fired = &watch{event: r.Event.Name, typed: typed}, ""
		}
	case f.watched == nil:
	case r.Kind == record.Transition:
		f.watched = nil
	case r.Kind == record.Cond && r.Value == false:
		verdict := "is false"
		if r.Message != "" {
			verdict = "failed"
		}
		why := fmt.Sprintf("in %s, %s %s  (%s)", r.State, text.Shorten(strings.Join(strings.Fields(r.Cond), " "), small), verdict, r.At)
		if !slices.Contains(f.watched.conds, why) {
			f.watched.conds = append(f.watched.conds, why)
		}
	case r.Kind == record.Unhandled && r.Event.Name == f.watched.event:
		f.ignored, f.watched = append(f.ignored, *f.watched), nil
		return true
	}
	return false
}

// showIgnored shows which events nothing has taken, and why.
func (f *Front) showIgnored(takes []string) {
	for _, w := range f.ignored {
		why := strings.Join(w.conds, "\n"+strings.Repeat(" ", len(w.event)+2))
		if why == "" {
			why = "no transition for it in " + text.Shorten(strings.Join(f.rest.Atomic, ", "), 200)
			near := ""
			if w.typed {
				near = cli.Nearest(w.event, append(f.Commands.Words(), takes...))
			}
			if near != "" {
				why += fmt.Sprintf(" (did you mean %q?)", near)
			}
		}
		f.item(text.Yellow, "ignored", w.event+": "+why)
	}
	f.ignored = nil
}

// countFired counts a timer that is due. It is shown before its effects, so that a repeated
// timer without effects takes one line.
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
