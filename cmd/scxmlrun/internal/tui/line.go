package tui

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/scxmlrun/scxmlrun/cmd/scxmlrun/internal/text"
	"github.com/scxmlrun/scxmlrun/datamodel"
	"github.com/scxmlrun/scxmlrun/scxml"
	"github.com/scxmlrun/scxmlrun/scxml/history"
	"github.com/scxmlrun/scxmlrun/scxml/record"
	"github.com/scxmlrun/scxmlrun/scxml/record/wire"
)

// A line is the live session, a recording, or a branch of its past.
type line struct {
	name     string
	h        *history.History
	live     bool
	recorded bool // from a file: nothing is added
	follow   bool // the present is shown
	at       int  // position that is shown otherwise

	steps map[int]*step // what is known of positions
}

// A step is what has happened between a position and the one before.
type step struct {
	label string // the event
	time  time.Duration
	log   []entry
	data  []item          // at the position
	taken map[string]bool // positions of transitions
}

// An entry is a line of the log.
type entry struct {
	word, text string
	tone       tone
}

// An item is a data item of one of the sessions.
type item struct {
	of, id string // InvokeID of the session, and the id
	value  datamodel.Value
	err    error
}

func (i item) name() string {
	if i.of != "" {
		return "[" + i.of + "] " + i.id
	}
	return i.id
}

// present returns the last position.
func (l *line) present() int { return max(l.h.Len()-1, 0) }

// position returns the position that is shown.
func (l *line) position() int {
	if l.follow {
		return l.present()
	}
	return l.clamp(l.at)
}

// seek shows a position. The last one is the present.
func (l *line) seek(n int) {
	l.at = l.clamp(n)
	l.follow = l.at == l.present()
}

// clamp returns the position next to n that exists and is not forgotten.
func (l *line) clamp(n int) int { return min(max(n, l.h.First()), l.present()) }

const (
	maxSteps = 1000 // that are remembered
	maxLog   = 200  // lines of a step
	maxData  = 200  // items that are shown
)

// logged are the kinds of records in the log.
var logged = record.Kinds(record.Event, record.Unhandled, record.Transition, record.Send, record.Raise, record.Log, record.Error,
	record.Outcome, record.Cancel, record.Invoke, record.CancelInvoke, record.Done)

// read makes sure that the steps from first to last are known.
func (l *line) read(ctx context.Context, first, last int) error {
	known := l.h.First()
	first = max(first, known)
	for first <= last && l.steps[first] != nil {
		first++
	}
	if first > last {
		return nil
	}
	if l.steps == nil || len(l.steps) > maxSteps {
		l.steps = map[int]*step{}
	}
	from := first
	if first > known && l.steps[first-1] == nil {
		from-- // whose data is compared
	}
	var before *step
	if first > 0 {
		before = l.steps[first-1]
	}
	return l.h.Walk(ctx, from, last, logged, func(p history.Position) error {
		s := &step{time: p.Session.Now().Sub(l.h.Start()), data: dataOf(ctx, p.Session), taken: map[string]bool{}}
		if p.N >= first {
			for i := range p.Records {
				s.note(&p.Records[i])
			}
			if before != nil {
				s.compare(before)
			}
			l.steps[p.N] = s
		}
		before = s
		return nil
	})
}

// dataOf returns the data items of all sessions of a tree.
func dataOf(ctx context.Context, root *scxml.Session) (all []item) {
	sessions := root.Sessions()
	if len(sessions) == 0 { // it has ended
		sessions = []*scxml.Session{root}
	}
	for _, s := range sessions {
		for _, id := range s.Chart().AllData() {
			if len(all) == maxData {
				return all
			}
			v, err := s.Eval(ctx, id)
			all = append(all, item{s.InvokeID(), id, v, err})
		}
	}
	return all
}

// dataWidth is how wide a change of data may be in the log.
const dataWidth = 60

// compare adds to the log what has changed in the data.
func (s *step) compare(before *step) {
	was := map[string]item{}
	for _, i := range before.data {
		was[i.name()] = i
	}
	for _, now := range s.data {
		if old, ok := was[now.name()]; ok && old.err == nil && now.err == nil {
			for _, line := range text.Differences(now.name(), old.value, now.value, dataWidth) {
				s.log = append(s.log, entry{"data", line, changedTone})
			}
		}
	}
}

// note adds a record to the log.
func (s *step) note(r *record.Record) {
	add := func(word, line string, t tone) {
		if n := len(s.log); n > maxLog { // the last lines tell how it ends
			copy(s.log[maxLog/2:], s.log[maxLog/2+1:])
			s.log = s.log[:n-1]
			s.log[maxLog/2] = entry{"…", "", dimTone}
		}
		s.log = append(s.log, entry{word, text.Who(r) + line, t})
	}
	if s.label == "" && r.InvokeID == "" {
		switch r.Kind {
		case record.Event:
			s.label = r.Event.Name
		case record.Done:
			s.label = "end"
		}
	}
	switch r.Kind {
	case record.Event:
		add("event", text.Message(r.Event.Name, r.Event.Data, dataWidth), eventTone)
	case record.Raise:
		if strings.HasPrefix(r.Event.Name, "error.") { // which has an entry
			return
		}
		add("raise", text.Message(r.Event.Name, r.Event.Data, dataWidth), plainTone)
	case record.Unhandled:
		if !r.ForHost {
			add("unused", r.Event.Name, dimTone)
		}
	case record.Transition:
		add("take", strings.TrimSpace(r.State+" "+strings.Join(r.Events, " "))+arrowTo(r.Targets), takenTone)
		s.taken[r.At] = true
	case record.Send:
		line := text.Message(r.Event.Name, r.Event.Data, dataWidth)
		if r.Target != "" {
			line += " to " + r.Target
		}
		if r.Delay > 0 {
			line += " in " + r.Delay.String()
		}
		add("send", line, plainTone)
	case record.Log:
		line := text.Brief(r.Value, dataWidth)
		if r.Label != "" {
			line = r.Label + ": " + line
		}
		add("log", line, plainTone)
	case record.Error, record.Outcome:
		line := r.Message
		if r.At != "" {
			line = r.At + ": " + line
		}
		add("error", r.Event.Name+": "+line, errorTone)
	case record.Cancel:
		if r.Count == 0 {
			return
		}
		add("cancel", fmt.Sprintf("%s (%d pending)", r.Event.SendID, r.Count), plainTone)
	case record.Invoke:
		add("invoke", r.Event.InvokeID, plainTone)
	case record.CancelInvoke:
		add("cancel", "invocation "+r.Event.InvokeID, plainTone)
	case record.Done:
		line := r.Reason
		if r.State != "" {
			line += " " + r.State
		}
		add("done", line, takenTone)
	}
}

func arrowTo(targets []string) string {
	if len(targets) == 0 {
		return ""
	}
	return " → " + strings.Join(targets, " ")
}

// send gives an event to the session that is shown: to the live one, or to a branch. In the past it
// begins a branch.
func (f *Front) send(ev scxml.Event) {
	l := f.line
	switch {
	case l.live && l.follow && f.session != nil:
		if _, err := f.session.Do(wire.Command{Verb: wire.Event, Event: ev}); err != nil {
			f.note = "cannot send " + ev.Name + ": " + err.Error()
			return
		}
		f.note, f.sent = "sent "+ev.Name, true
	case l.live && l.follow:
		f.note = "the session has " + f.ended + "; press ← to go back and try something else"
		return
	default:
		l = f.onBranch()
		if l == nil {
			return
		}
		f.drive(l, ev.Name, func(ctx context.Context, s *scxml.Session) error {
			_, err := s.Do(ctx, s.Now(), ev)
			return err
		})
	}
	f.chosen = ev.Name
}

// onBranch returns the branch that is shown at its end. In the past it begins another one.
func (f *Front) onBranch() *line {
	l := f.line
	if !l.live && !l.recorded && l.follow {
		return l
	}
	n := l.position()
	h, err := l.h.Branch(f.Context, n)
	if err != nil {
		f.note = "cannot begin a branch: " + err.Error()
		return nil
	}
	b := &line{name: fmt.Sprintf("branch %d", len(f.lines)), h: h, follow: true}
	f.lines = append(f.lines, b)
	f.line = b
	return b
}

// driveTime is how long a branch may work on one event.
const driveTime = 2 * time.Second

// drive lets the session of a branch do something, and what follows from it at that time.
func (f *Front) drive(l *line, what string, do func(context.Context, *scxml.Session) error) {
	ctx, cancel := context.WithTimeout(f.Context, driveTime)
	defer cancel()
	s := l.h.Session()
	if s.Status() != scxml.Running {
		f.note = l.name + " has ended; press ← to go back and try something else"
		return
	}
	err := do(ctx, s)
	if err == nil && s.Status() == scxml.Running {
		err = s.Advance(ctx, s.Now())
	}
	if f.note = "sent " + what + " on " + l.name + ", where nothing leaves the session"; err != nil {
		f.note = l.name + ": " + err.Error()
	}
}

// jump lets time pass until the next delayed event is due.
func (f *Front) jump() {
	due, ok := f.nextDue()
	switch l := f.line; {
	case !ok:
		f.note = "no timer is running"
	case l.live && l.follow && f.session != nil:
		by := max(due.Sub(f.now()), 0)
		if _, err := f.session.Do(wire.Command{Verb: wire.Advance, Advance: by}); err != nil {
			f.note = "cannot let time pass: " + err.Error()
			return
		}
		f.ahead += by
		f.note, f.sent = "let "+duration(by)+" pass", true
	case l.live && l.follow:
		f.note = "the session has " + f.ended
	default:
		if l = f.onBranch(); l == nil {
			return
		}
		f.drive(l, "", func(ctx context.Context, s *scxml.Session) error {
			_, err := s.Do(ctx, due, scxml.Event{})
			return err
		})
		f.note = "let time pass on " + l.name
	}
}
