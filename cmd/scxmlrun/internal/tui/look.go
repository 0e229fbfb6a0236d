package tui

import (
	"context"
	"maps"
	"slices"
	"strings"
	"sync"

	"github.com/scxmlrun/scxmlrun/cmd/scxmlrun/internal/text"
	"github.com/scxmlrun/scxmlrun/datamodel"
	"github.com/scxmlrun/scxmlrun/scxml"
	"github.com/scxmlrun/scxmlrun/scxml/diagram"
	"github.com/scxmlrun/scxmlrun/scxml/forms"
)

// A look is what there is to see at a position.
type look struct {
	line    *line
	n, last int            // the position, and the present
	since   int            // position that it is compared with
	session *scxml.Session // a copy; nothing drives it
	step    *step
	err     error // why there is nothing to see

	active  map[*diagram.Node]bool
	taken   map[string]bool // positions of transitions
	data    []change
	events  []event
	pending []string // queues and invoked sessions
	queued  bool     // an event is in a queue
	ended   string   // how the session has ended, or ""

	effects map[string]*effect // those that are known
}

// A change is a data item, and what it was.
type change struct {
	item
	was     datamodel.Value
	changed bool
}

// An event is one that can be sent.
type event struct {
	forms.Event
	sample func() ([]datamodel.Value, scxml.Trial) // once: there may be many events, and few are shown
}

// values returns data to begin with, for the fields.
func (e *event) values() []datamodel.Value {
	values, _ := e.sample()
	return values
}

// trial says what the event does with these values.
func (e *event) trial() scxml.Trial {
	_, trial := e.sample()
	return trial
}

// name returns the name as it is shown.
func (e *event) name() string {
	switch {
	case e.Open && e.Name == "":
		return "*"
	case e.Open:
		return e.Name + ".*"
	}
	return e.Name
}

// see looks at a position of a line, with its log and that of some positions before.
func (f *Front) see(l *line, n, before int) *look {
	k := &look{line: l, n: n, last: l.present(), step: &step{}, active: map[*diagram.Node]bool{}, taken: map[string]bool{}, effects: map[string]*effect{}}
	if l.h.Len() == 0 {
		return k
	}
	if k.err = l.read(f.Context, n-before, n); k.err != nil {
		return k
	}
	k.step, k.since = l.steps[n], n-1
	if was := f.look; was != nil && was.line == l && l.follow && was.n < n && l.steps[was.n] != nil {
		k.since = was.n // one input can lead to several positions
	}
	for i := max(k.since+1, 0); i <= n; i++ {
		if s := l.steps[i]; s != nil {
			maps.Copy(k.taken, s.taken)
		}
	}
	if k.session, k.err = l.h.Seek(f.Context, n); k.err != nil {
		return k
	}
	k.active = f.active(k.session)
	k.compare()
	k.readPending()
	switch k.session.Status() {
	case scxml.Running:
		k.events = f.eventsOf(l, n, k.session)
	case scxml.Final:
		k.ended = "ended in " + k.session.FinalState()
		if l.live && l.follow && f.ended != "" {
			k.ended = f.ended
		}
		if st, ok := f.chart.State(k.session.FinalState()); ok {
			k.active[f.diagram.Node(st)] = true
		}
	default:
		if k.ended = "stopped"; l.live && l.follow && f.ended != "" {
			k.ended = f.ended
		}
	}
	return k
}

// active returns the active states of a session.
func (f *Front) active(s *scxml.Session) map[*diagram.Node]bool {
	all := map[*diagram.Node]bool{}
	for _, name := range s.Configuration() {
		if st, ok := f.chart.State(name); ok {
			all[f.diagram.Node(st)] = true
		}
	}
	return all
}

// compare finds out which data has changed since another position.
func (k *look) compare() {
	was := map[string]item{}
	if before := k.line.steps[k.since]; before != nil {
		for _, i := range before.data {
			was[i.name()] = i
		}
	}
	for _, i := range k.step.data {
		old, ok := was[i.name()]
		changed := ok && (i.err == nil) == (old.err == nil) && i.err == nil && !datamodel.Equal(i.value, old.value)
		k.data = append(k.data, change{i, old.value, changed})
	}
}

// eventsOf returns the events that the session at a position takes.
func (f *Front) eventsOf(l *line, n int, s *scxml.Session) (all []event) {
	asked, err := l.h.Seek(f.Context, n) // expressions may change its data
	if err != nil {
		return nil
	}
	for _, ev := range f.forms.Now(f.Context, asked) {
		e := event{ev, sync.OnceValues(func() ([]datamodel.Value, scxml.Trial) { return sample(f.Context, s, ev) })}
		giveKey(f.keys, e.name(), spareKeys) // it may be that of an invoked session
		all = append(all, e)
	}
	slices.SortStableFunc(all, func(a, b event) int {
		switch {
		case a.Own == b.Own:
			return 0
		case a.Own:
			return 1
		}
		return -1
	})
	return all
}

// maxTried is how many combinations of values are tried.
const maxTried = 64

// sample returns values for the fields of an event that make the session react, or the first ones.
func sample(ctx context.Context, s *scxml.Session, ev forms.Event) (values []datamodel.Value, trial scxml.Trial) {
	try := func(values []datamodel.Value) scxml.Trial {
		trial, _ := s.Try(ctx, scxml.Event{Name: ev.Name, Data: ev.Data(values)}) // no name or no session: nothing is known
		return trial
	}
	at := make([]int, len(ev.Fields))
	for range maxTried {
		now := make([]datamodel.Value, len(ev.Fields))
		for i, field := range ev.Fields {
			now[i] = field.Default
			if at[i] > 0 {
				now[i] = field.Values[at[i]-1]
			}
		}
		t := try(now)
		if values == nil || t.Handled {
			values, trial = now, t
		}
		if t.Handled || ev.Name == "" {
			break
		}
		i := 0
		for ; i < len(at); i++ { // the next combination
			if at[i]++; at[i] <= len(ev.Fields[i].Values) {
				break
			}
			at[i] = 0
		}
		if i == len(at) {
			break
		}
	}
	return values, trial
}

// readPending notes what waits in queues, and what runs besides the session.
func (k *look) readPending() {
	for _, other := range k.session.Sessions() {
		if id := other.InvokeID(); id != "" {
			where := "starts"
			if names := scxml.ForTools(other).Atomic(); names != nil {
				where = "in " + strings.Join(names, ", ")
			}
			k.pending = append(k.pending, "["+id+"] "+where)
		}
	}
	for _, s := range k.session.Sessions() {
		internal, external := scxml.ForTools(s).Queues()
		for _, ev := range append(internal, external...) {
			k.pending = append(k.pending, "queued "+text.Message(ev.Name, ev.Data, dataWidth))
			k.queued = true
		}
	}
}

// event returns the event of the look with a name, or nil.
func (k *look) event(name string) *event {
	for i := range k.events {
		if k.events[i].name() == name {
			return &k.events[i]
		}
	}
	return nil
}
