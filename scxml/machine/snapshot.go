package machine

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Generated code has methods for [Snapshot] and [Restore] where a chart needs them. The linker leaves them out of programs
// that use neither.
type (
	// A Typed machine has data with Go types.
	Typed interface {
		// Variables returns the data items, and the variables of scripts.
		Variables() []Variable
	}
	// A Storing machine has its data, and those of events, in a data model.
	Storing interface {
		SaveData() ([]byte, error)
		// LoadData makes saved data those of a machine, whose _event is ev if that is not nil. Without data nothing
		// was ever evaluated.
		LoadData(data []byte, ev *Event) error
		// AppendValue and ParseValue have the form of package datamodel's AppendJSON.
		AppendValue(dst []byte, v any) []byte
		ParseValue(text []byte) (any, error)
	}
	// A Remembering machine has expressions that read _event later than in the step of an event, which a shortcut may
	// have taken.
	Remembering interface{ SavedEvent() *Event }
)

// Snapshot returns the state of a machine, and of all that it has invoked, in the format of package scxml's
// Session.Snapshot, which SNAPSHOT.md there describes. A session of the same document continues from it by
// scxml.Restore, and a machine by [Restore]. It changes nothing.
//
// A machine is saved when it rests or has ended: not before Start, nor in a hook. Services of [Options].Invoker are
// saved with their arguments only, as in a session, and those of a [Host] with their Task. These fields can be missing,
// or differ from those of a session that did the same: the present time, if the machine has never needed it; the last
// event, if hooks do not watch the machine; states and transitions of an exceeded limit.
func Snapshot(n Node) (snapshot []byte, err error) {
	defer func() {
		if err != nil {
			snapshot, err = nil, fmt.Errorf("cannot save the machine: %w", err)
		}
	}()
	defer catch(&err)
	s := of(n)
	switch {
	case s.status == unstarted:
		return nil, errNotStarted
	case s.busy():
		return nil, errors.New("it is inside of a step: save it when the step is over")
	}
	w := &writer{tree: s.tree}
	w.object(w.snapshot)
	return w.buf, nil
}

// Outbox returns the field outbox of snapshots, JSON, or "", and SetOutbox sets it. A machine keeps it and does not
// use it: it is for a [Host].
func Outbox(n Node) string { return of(n).tree.outbox }

// SetOutbox is the inverse of [Outbox].
func SetOutbox(n Node, outbox string) { of(n).tree.outbox = outbox }

// A writer makes the snapshot of a tree. Members without a value are left out.
type writer struct {
	tree *tree
	buf  []byte
}

// name begins a member.
func (w *writer) name(name string) {
	if w.buf[len(w.buf)-1] != '{' {
		w.buf = append(w.buf, ',')
	}
	w.buf = append(appendString(w.buf, name), ':')
}

// object writes an object, whose members f writes.
func (w *writer) object(f func()) {
	w.buf = append(w.buf, '{')
	f()
	w.buf = append(w.buf, '}')
}

// list writes an array, unless it has no items.
func (w *writer) list(name string, n int, item func(i int)) {
	for i := range n {
		if i == 0 {
			w.name(name)
		}
		w.buf = append(w.buf, "[,"[min(i, 1)])
		item(i)
	}
	if n > 0 {
		w.buf = append(w.buf, ']')
	}
}

func (w *writer) objects(name string, n int, item func(i int)) {
	w.list(name, n, func(i int) { w.object(func() { item(i) }) })
}

// must writes a member in any case.
func (w *writer) must(name string, v any) {
	w.name(name)
	w.buf = appendValue(w.buf, v)
}

func (w *writer) text(name, s string) {
	if s != "" {
		w.must(name, s)
	}
}

func (w *writer) int(name string, n uint64) {
	if n != 0 {
		w.name(name)
		w.buf = strconv.AppendUint(w.buf, n, 10)
	}
}

// raw writes what was read as JSON.
func (w *writer) raw(name string, text string) {
	if text != "" {
		w.name(name)
		w.buf = append(w.buf, text...)
	}
}

// value writes data of a machine, unless they are undefined.
func (w *writer) value(s *session, name string, v any) {
	if v == nil {
		return
	}
	w.name(name)
	if own, ok := s.node.(Storing); ok {
		w.buf = own.AppendValue(w.buf, v)
	} else {
		w.buf = appendValue(w.buf, v)
	}
}

func (w *writer) snapshot() {
	t := w.tree
	w.must("format", snapshotFormat)
	w.int("version", snapshotVersion)
	w.chart(t.sessions[0].chart)
	w.must("now", t.now.Format(time.RFC3339Nano))
	w.raw("random", t.random)
	if t.stopping && t.sessions[0].status == running {
		w.must("stop", true)
	}
	w.must("turn", t.turn)
	w.objects("sessions", len(t.sessions), func(i int) { w.session(t.sessions[i]) })
	all := slices.SortedFunc(slices.Values(t.timers), (*timer).compare)
	w.objects("timers", len(all), func(i int) { w.timer(all[i]) })
	w.raw("outbox", t.outbox)
	w.list("data", len(t.sessions), func(i int) { w.data(t.sessions[i]) })
}

func (w *writer) chart(c *Chart) {
	w.name("chart")
	w.object(func() {
		w.text("file", c.File)
		w.text("hash", c.Hash)
	})
}

func (w *writer) session(s *session) {
	c := s.chart
	w.text("id", s.id)
	if s.parent != nil {
		w.text("invokeid", s.invokeID)
		w.int("parent", uint64(slices.Index(w.tree.sessions, s.parent)))
		w.chart(c)
	}
	w.must("status", statusNames[s.status])
	switch s.status {
	case running:
		w.reason("limit", s.limit)
	case final:
		w.text("final", c.stateName(s.final))
		w.value(s, "done", s.done)
	case stopped:
		w.reason("stopped", s.err)
	}
	w.states("configuration", c, s.active())
	w.histories(s)
	w.states("bound", c, slices.Sorted(slices.Values(s.bound)))
	w.states("toinvoke", c, s.toInvoke)
	w.queue(s, "internal", &s.internal)
	w.queue(s, "external", &s.external)
	w.int("fence", uint64(s.fence))
	if s.unstable {
		w.must("unstable", true)
	}
	w.int("steps", uint64(s.steps))
	w.int("ids", s.ids)
	w.raw("locations", s.locations)
	if s.status == unstarted && s.preset != nil { // a shortcut that starts a machine keeps it
		w.value(s, "preset", s.preset)
	}
	if ev := s.present(); ev != nil {
		w.name("event")
		w.event(s, ev)
	}
	w.objects("invocations", len(s.running), func(i int) { w.invocation(s, s.running[i]) })
}

// present returns _event as far as it is known: a shortcut keeps what the chart reads of it, and nothing else.
func (s *session) present() *Event {
	if _, storing := s.node.(Storing); storing || s.parent != nil || s.core.Flags&(Watched|Slow) != 0 {
		return s.current
	}
	if own, ok := s.node.(Remembering); ok {
		return own.SavedEvent()
	}
	return nil
}

func (w *writer) states(name string, c *Chart, states []uint16) {
	w.list(name, len(states), func(i int) { w.buf = appendString(w.buf, c.stateName(states[i])) })
}

func (w *writer) histories(s *session) {
	remembered := func(h Recorded) (value []uint16) { return s.recall(&value, h.State) }
	all := slices.DeleteFunc(slices.Clone(s.chart.Histories), func(h Recorded) bool { return len(remembered(h)) == 0 })
	w.objects("history", len(all), func(i int) {
		w.text("state", s.chart.stateName(all[i].State))
		w.states("value", s.chart, remembered(all[i]))
	})
}

// reason writes why a machine was stopped, in the words of package scxml.
func (w *writer) reason(name string, err error) {
	if err == nil {
		return
	}
	w.name(name)
	w.object(func() {
		if limit := (*LimitError)(nil); errors.As(err, &limit) {
			w.text("limit", limit.Limit)
			w.must("value", limit.Value)
		} else if err == errStopped {
			w.text("message", stoppedText)
		} else {
			w.text("message", err.Error())
		}
	})
}

func (w *writer) queue(s *session, name string, q *queue) {
	w.list(name, q.len(), func(i int) {
		e := &q.ring[(q.head+uint32(i))&uint32(len(q.ring)-1)]
		w.event(s, cmp.Or(e.ev, &Event{Name: s.chart.Events[e.num], Type: e.typ}))
	})
}

func (w *writer) event(s *session, ev *Event) {
	defer within("the event %q", ev.Name)
	w.object(func() {
		w.must("name", ev.Name)
		if ev.Type != External {
			w.text("type", ev.Type.String())
		}
		w.value(s, "data", ev.Data)
		w.text("sendid", ev.SendID)
		w.text("origin", ev.Origin)
		w.text("origintype", ev.OriginType)
		w.text("invokeid", ev.InvokeID)
		w.text("raw", ev.Raw)
	})
}

func (w *writer) timer(tm *timer) {
	w.must("session", slices.Index(w.tree.sessions, tm.from))
	w.must("due", tm.due.Format(time.RFC3339Nano))
	w.text("delay", tm.msg.Delay.String())
	w.message(tm.from, &tm.msg)
}

// message writes a message of a session, without its delay.
func (w *writer) message(s *session, m *Message) {
	w.text("target", m.Target)
	if m.Type != SCXMLEventProcessor {
		w.text("type", m.Type)
	}
	w.name("event")
	w.event(s, &m.Event)
	w.objects("params", len(m.Params), func(i int) {
		w.must("name", m.Params[i].Name)
		w.value(s, "value", m.Params[i].Value)
	})
	w.text("retry", m.Retry)
	w.name("at")
	w.object(func() {
		line, col, _ := strings.Cut(m.At, ":")
		w.text("file", s.chart.File)
		w.raw("line", line)
		w.raw("col", col)
	})
}

func (w *writer) invocation(s *session, inv *invocation) {
	w.must("id", inv.ID)
	w.text("state", s.chart.stateName(inv.state))
	w.must("invoke", inv.index)
	switch {
	case inv.child == nil:
		defer within("the service %q", inv.ID)
		w.name("service")
		w.object(func() {
			w.must("type", inv.Type)
			w.text("src", inv.Src)
			if inv.Params != nil {
				w.value(s, "params", inv.Params)
			}
			w.value(s, "content", inv.Content)
			if inv.over {
				w.must("over", true)
			}
			w.int("task", inv.Task)
			w.int("seq", inv.Seq)
		})
	case inv.child.core.Flags&Ended == 0:
		w.int("session", uint64(slices.Index(w.tree.sessions, inv.child)))
		w.text("src", inv.Src)
	}
}

func (w *writer) data(s *session) {
	if s.parent != nil {
		defer within("what is invoked as %q", s.invokeID)
	}
	if s.status == unstarted {
		w.buf = append(w.buf, "null"...)
		return
	}
	switch n := s.node.(type) {
	case Storing:
		data, err := n.SaveData()
		if err != nil {
			throw("%w", err)
		}
		w.buf = append(w.buf, data...)
	case Typed:
		w.object(func() { w.variables(n.Variables()) })
	default: // the null data model
		w.buf = append(w.buf, "{}"...)
	}
}

// The version of the format.
const (
	snapshotFormat  = "scxml-snapshot"
	snapshotVersion = 1
)

// stoppedText is the text of scxml.ErrStopped.
const stoppedText = "scxml: session stopped"

var statusNames = [...]string{"unstarted", "running", "final", "stopped"}
