package tui

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"time"

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
	session *scxml.Session // a copy; nothing drives it
	step    *step
	err     error // why there is nothing to see

	active  map[*diagram.Node]bool
	data    []change
	events  []event
	pending []string // queues and invoked sessions
	queued  bool     // an event is in a queue
	ended   string   // how the session has ended, or ""
}

// A change is a data item, and what it was one position before.
type change struct {
	item
	was     datamodel.Value
	changed bool
}

// An event is one that can be sent, with data to begin with.
type event struct {
	forms.Event
	values []datamodel.Value // for the fields
	trial  scxml.Trial       // with these values
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
	k := &look{line: l, n: n, last: l.present(), step: &step{}, active: map[*diagram.Node]bool{}}
	if l.h.Len() == 0 {
		return k
	}
	if k.err = l.read(f.ctx, n-before, n); k.err != nil {
		return k
	}
	k.step = l.steps[n]
	if k.session, k.err = l.h.Seek(f.ctx, n); k.err != nil {
		return k
	}
	for _, name := range k.session.Configuration() {
		if st, ok := f.chart.State(name); ok {
			k.active[f.diagram.Node(st)] = true
		}
	}
	k.compare()
	k.readPending()
	switch k.session.Status() {
	case scxml.Running:
		k.events = f.eventsOf(l, n, k.session)
	case scxml.Final:
		k.ended = "ended in " + k.session.FinalState()
		if st, ok := f.chart.State(k.session.FinalState()); ok {
			k.active[f.diagram.Node(st)] = true
		}
	default:
		if k.ended = "stopped"; l.live && f.ended != "" {
			k.ended = f.ended
		}
	}
	return k
}

// compare finds out which data has changed.
func (k *look) compare() {
	was := map[string]item{}
	if before := k.line.steps[k.n-1]; before != nil {
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
	asked, err := l.h.Seek(f.ctx, n) // expressions may change its data
	if err != nil {
		return nil
	}
	for _, ev := range f.forms.Now(f.ctx, asked) {
		e := event{Event: ev}
		e.values, e.trial = sample(f.ctx, s, ev)
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
			if names := leaves(other); names != nil {
				where = "in " + strings.Join(names, ", ")
			}
			k.pending = append(k.pending, "["+id+"] "+where)
		}
	}
	// Only a snapshot tells what is queued. Between two positions at rest there is nothing, so a
	// session that cannot be saved is not worth more.
	type queued struct {
		Name string          `json:"name"`
		Data json.RawMessage `json:"data"`
	}
	var saved struct {
		Sessions []struct {
			InvokeID           string `json:"invokeid"`
			Internal, External []queued
		} `json:"sessions"`
	}
	snapshot, err := k.session.Snapshot()
	if err != nil || json.Unmarshal(snapshot, &saved) != nil {
		return
	}
	for _, of := range saved.Sessions {
		for _, q := range append(of.Internal, of.External...) {
			k.pending = append(k.pending, "queued "+q.Name+" "+text.Shorten(string(q.Data), dataWidth))
			k.queued = true
		}
	}
}

// leaves returns the names of the active states without child states.
func leaves(s *scxml.Session) (names []string) {
	for _, name := range s.Configuration() {
		if st, ok := s.Chart().State(name); ok && st.IsAtomic() {
			names = append(names, name)
		}
	}
	return names
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

// An effect is what an event would do.
type effect struct {
	of              *look
	name, data      string
	lines           []entry
	entered, exited map[*diagram.Node]bool
	edges           map[string]bool // positions of transitions
}

// previewTime is how long an event may work to show what it would do.
const previewTime = 200 * time.Millisecond

// preview finds out what an event would do at a position, by sending it to a copy.
func (f *Front) preview(k *look, name string, data datamodel.Value) effect {
	e := effect{of: k, name: name, data: string(datamodel.AppendJSON(nil, data)), entered: map[*diagram.Node]bool{}, exited: map[*diagram.Node]bool{}, edges: map[string]bool{}}
	add := func(word, line string, t tone) { e.lines = append(e.lines, entry{word, line, t}) }
	failed := func(err error) {
		if errors.Is(err, context.DeadlineExceeded) {
			add("endless", "or it takes long", errorTone)
		} else {
			add("cannot", err.Error(), errorTone)
		}
	}
	if k.session == nil || k.session.Status() != scxml.Running || name == "" {
		return e
	}
	ctx, cancel := context.WithTimeout(f.ctx, previewTime)
	defer cancel()
	s, err := k.line.h.Seek(ctx, k.n)
	if err != nil {
		failed(err)
		return e
	}
	if k.queued { // which comes first
		if _, err := s.Do(ctx, s.Now(), scxml.Event{}); err != nil {
			failed(err)
			return e
		}
		if s.Status() != scxml.Running {
			add("never", "comes: what is queued ends the session", dimTone)
			return e
		}
	}
	ev := scxml.Event{Name: name, Data: data}
	trial, err := s.Try(ctx, ev)
	if err != nil {
		failed(err)
		return e
	}
	does, err := s.Do(ctx, s.Now(), ev)
	if err != nil {
		failed(err)
	}
	for _, t := range does.Transitions {
		if at := t.Pos().String(); !e.edges[at] {
			e.edges[at] = true
			add("take", transitionText(t), wouldTone)
		}
	}
	if !f.forwarded(trial, add) && !does.Handled {
		f.explain(trial, add)
	}
	for _, st := range f.chart.States() {
		n := f.diagram.Node(st)
		is := s.In(st.Name())
		e.entered[n] = is && !k.active[n]
		e.exited[n] = !is && k.active[n]
	}
	e.tell(k, s, does, add)
	return e
}

// transitionText returns the source, the events and the targets of a transition.
func transitionText(t scxml.Transition) string {
	return strings.Replace(t.String(), "->", "→", 1)
}

// forwarded says what invoked sessions would do with an event, and reports whether they would do anything.
func (f *Front) forwarded(trial scxml.Trial, add func(word, line string, t tone)) (any bool) {
	for _, c := range trial.Candidates {
		if id := c.Session.InvokeID(); id != "" && c.Verdict == scxml.Taken {
			add("take", "["+id+"] "+transitionText(c.Transition), wouldTone)
			any = true
		}
	}
	return any
}

// explain says why an event would do nothing.
func (f *Front) explain(trial scxml.Trial, add func(word, line string, t tone)) {
	said := false
	for _, c := range trial.Candidates {
		switch c.Verdict {
		case scxml.CondFalse, scxml.CondFailed, scxml.NotEvaluated:
			line := c.Transition.Source().Name() + ": " + strings.Join(strings.Fields(c.Transition.Cond()), " ")
			word := map[scxml.Verdict]string{scxml.CondFalse: "false", scxml.CondFailed: "failed", scxml.NotEvaluated: "unsure"}[c.Verdict]
			if c.Err != nil {
				line += ": " + c.Err.Error()
			}
			add(word, line, dimTone)
			said = true
		}
	}
	if !said {
		add("nothing", "no active state has a transition for it", dimTone)
	}
}

// tell adds the other effects.
func (e *effect) tell(k *look, s *scxml.Session, does scxml.Effect, add func(word, line string, t tone)) {
	was := map[string]datamodel.Value{}
	for _, c := range k.data {
		if c.err == nil {
			was[c.name()] = c.value
		}
	}
	for _, now := range dataOf(context.Background(), s) {
		if old, ok := was[now.name()]; ok && now.err == nil {
			for _, line := range text.Differences(now.name(), old, now.value, dataWidth) {
				add("data", line, wouldTone)
			}
		}
	}
	before := map[uint64]bool{}
	for _, d := range k.session.Delayed() {
		before[d.Seq] = true
	}
	for _, m := range does.Sent {
		line := text.Message(m.Event.Name, m.Event.Data, dataWidth)
		if m.Target != "" {
			line += " to " + m.Target
		}
		add("send", line, wouldTone)
	}
	for _, d := range s.Delayed() {
		if !before[d.Seq] {
			add("timer", d.Message.Event.Name+" in "+duration(d.Due.Sub(s.Now())), wouldTone)
		}
	}
	for _, err := range does.Errors {
		add("error", err.Event+": "+err.Msg, errorTone)
	}
	if s.Status() != scxml.Running {
		add("ends", "the session, in "+s.FinalState(), wouldTone)
	}
}
