package compile

import (
	"fmt"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/scxmlrun/scxmlrun/datamodel"
	"github.com/scxmlrun/scxmlrun/scxml/internal/doc"
)

// This file writes what the user of a machine sees: its type, hooks and methods.

// A sentEvent is an event that a chart sends by its name.
type sentEvent struct {
	name   string
	hook   string // name of the hook
	typ    string // of its data; "" without
	fields []sentField
	whole  bool // its data are those of a <content>
}

type sentField struct{ name, id, typ string }

// findSends finds the events that have hooks.
func (g *generator) findSends() (all []*sentEvent) {
	byName := map[string]*sentEvent{}
	hooks := taken{"Hooks": true, "Sent": true, "Log": true, "Error": true, "Unhandled": true, "Entered": true, "Exited": true, "Took": true}
	eachExec(g.doc, func(e doc.Exec) {
		send, ok := e.(*doc.Send)
		if !ok || send.Event == "" {
			return
		}
		ev := byName[send.Event]
		if ev == nil {
			ev = &sentEvent{name: send.Event, hook: hooks.choose("", "On", send.Event)}
			byName[send.Event] = ev
			all = append(all, ev)
		}
		ev.whole = ev.whole || send.Content != nil
		add := func(id string, src *datamodel.Source) {
			typ := "any"
			if src != nil {
				typ = g.data.goType(src)
			}
			i := slices.IndexFunc(ev.fields, func(f sentField) bool { return f.id == id })
			if i < 0 {
				ev.fields = append(ev.fields, sentField{id: id, typ: typ})
			} else if ev.fields[i].typ != typ {
				ev.fields[i].typ = "any"
			}
		}
		for _, src := range send.Namelist {
			add(src.Text, src)
		}
		for _, p := range send.Params {
			if p.Location != nil {
				add(p.Name, p.Location)
			} else {
				add(p.Name, p.Expr)
			}
		}
	})
	for _, ev := range all {
		if len(ev.fields) == 0 && !ev.whole {
			continue
		}
		ev.typ = g.file.taken.choose(g.names.prefix, "Sent", ev.name)
		names := taken{}
		for i := range ev.fields {
			ev.fields[i].name = names.choose("", "Field", ev.fields[i].id)
		}
	}
	return all
}

// hooks writes the type of hooks, and what calls them.
func (g *generator) hooks() {
	n := &g.names
	g.p("\n// %sHooks tell a host what a %s does. Each may be nil. They run inside a step: an event that they give to the", n.prefix, n.typ)
	g.p("// machine waits until the step is over.\ntype %sHooks struct {", n.prefix)
	for _, ev := range g.sends {
		g.p("%s func(%s) // <send event=\"%s\">, when it is due", ev.hook, ev.typ, printable(ev.name))
	}
	g.p("machine.Hooks\n}")
	for _, ev := range g.sends {
		if ev.typ == "" {
			continue
		}
		g.p("\n// %s is the data of the event %s.\ntype %s struct {", ev.typ, printable(ev.name), ev.typ)
		for _, f := range ev.fields {
			g.p("%s %s // %s", f.name, f.typ, printable(f.id))
		}
		if ev.whole {
			g.p("Content any // of <content>")
		}
		g.p("}")
	}
	if len(g.sends) == 0 {
		g.p("\nfunc (m *%s) Sent(*machine.Message) {}", g.nodeType())
		return
	}
	g.p("\nfunc (m *%s) Sent(msg *machine.Message) {\nif m.hooks == nil {\nreturn\n}\nswitch msg.Event.Name {", g.nodeType())
	for _, ev := range g.sends {
		g.p("case %s:\nif m.hooks.%s != nil {", strconv.Quote(ev.name), ev.hook)
		if ev.typ == "" {
			g.p("m.hooks.%s()\n}", ev.hook)
			continue
		}
		var values []string
		for _, f := range ev.fields {
			g.use(jsPath)
			value := fmt.Sprintf("js.MemberValue(msg.Event.Data, %s)", strconv.Quote(f.id))
			switch f.typ {
			case "float64", "string", "bool":
				value = fmt.Sprintf("js.MemberAs[%s](msg.Event.Data, %s)", f.typ, strconv.Quote(f.id))
			case "any":
				value = fmt.Sprintf("js.MemberAny(msg.Event.Data, %s)", strconv.Quote(f.id))
			}
			values = append(values, f.name+": "+value)
		}
		if ev.whole {
			values = append(values, "Content: msg.Event.Data")
		}
		g.p("m.hooks.%s(%s{%s})\n}", ev.hook, ev.typ, strings.Join(values, ", "))
	}
	g.p("}\n}")
}

// quickHook returns the call of the hook of an event that nothing but a hook can notice, for a <send> without delay
// whose data cannot fail, or "".
func (g *generator) quickHook(e *doc.Send) string {
	ev := g.onlyHook(e)
	if ev == nil {
		return ""
	}
	var values []string
	add := func(id string, c code, typ string) bool {
		f := ev.field(id)
		if c.fails || c.typed == "" || typ != f.typ {
			return false
		}
		values = append(values, f.name+": "+c.typed)
		return true
	}
	for _, src := range e.Namelist {
		if !add(src.Text, g.data.location(src), g.data.goType(src)) {
			return ""
		}
	}
	for _, p := range e.Params {
		src, c := p.Location, code{}
		switch {
		case p.Location != nil:
			c = g.data.location(src)
		case p.Expr != nil:
			src = p.Expr
			c = g.data.value(src)
		default:
			return ""
		}
		if !add(p.Name, c, g.data.goType(src)) {
			return ""
		}
	}
	return ev.call(values)
}

// call returns the call of the hook, with values for fields.
func (ev *sentEvent) call(values []string) string {
	arg := ""
	if ev.typ != "" {
		arg = fmt.Sprintf("%s{%s}", ev.typ, strings.Join(values, ", "))
	}
	return fmt.Sprintf("if m.hooks != nil && m.hooks.%s != nil {\nm.hooks.%s(%s)\n}", ev.hook, ev.hook, arg)
}

func (ev *sentEvent) field(id string) sentField {
	return ev.fields[slices.IndexFunc(ev.fields, func(f sentField) bool { return f.id == id })]
}

// evaluatedHook is quickHook for values that can fail and have been evaluated.
func (g *generator) evaluatedHook(e *doc.Send, all []evaluated) string {
	ev := g.onlyHook(e)
	if ev == nil {
		return ""
	}
	var values []string
	for _, v := range all {
		f := ev.field(v.name)
		if f.typ != "any" {
			return ""
		}
		values = append(values, f.name+": "+v.value)
	}
	return ev.call(values)
}

// onlyHook returns the event of a <send> that nothing but a hook can notice, or nil.
func (g *generator) onlyHook(e *doc.Send) *sentEvent {
	if e.Event == "" || e.TargetExpr != nil || e.Target != "" || e.TypeExpr != nil || e.Type != "" || e.DelayExpr != nil || e.Delay != "" || e.IDLocation != nil || e.Content != nil {
		return nil
	}
	if _, dynamic := g.data.(*dynamicModel); dynamic || g.repeats(e.Namelist, e.Params) || g.noticed(e.Event) {
		return nil
	}
	return g.sends[slices.IndexFunc(g.sends, func(ev *sentEvent) bool { return ev.name == e.Event })]
}

// noticed reports whether the chart can notice an event that it sends to itself.
func (g *generator) noticed(event string) bool {
	if g.readsLate() {
		return true
	}
	for _, s := range g.doc.States {
		if slices.ContainsFunc(s.Invokes, func(inv *doc.Invoke) bool { return inv.Autoforward }) {
			return true
		}
	}
	num := g.events.number[event]
	for _, t := range g.all {
		for _, d := range t.Events {
			if first, end := g.events.matched(d); first <= num && num < end {
				return true
			}
		}
	}
	return false
}

// readsLate reports whether something reads _event that runs without an event: an onexit handler, when the machine is
// stopped, or an eventless transition.
func (g *generator) readsLate() bool {
	reads := false
	expression := func(src *datamodel.Source) { reads = reads || src != nil && strings.Contains(src.Text, "_event") }
	for _, s := range g.doc.States {
		for _, b := range s.OnExit {
			eachSource(b.Body, expression)
		}
		for _, t := range s.Transitions {
			if len(t.Events) == 0 && !transient(s) {
				expression(t.Cond)
				eachSource(t.Body, expression)
			}
		}
	}
	return reads
}

// transient reports whether a state is never active when the machine rests, because there always is a transition to take.
func transient(s *doc.State) bool {
	return s.Kind == doc.Atomic && slices.ContainsFunc(s.Transitions, func(t *doc.Transition) bool { return len(t.Events) == 0 && t.Cond == nil })
}

// machine writes the type of machines.
func (g *generator) machine() {
	n := &g.names
	g.p("\n// A %s runs %s. It belongs to one goroutine at a time.", n.typ, printable(path.Base(g.doc.File)))
	g.p("type %s struct {\n\tcore machine.Core\n\tregs [%d]uint16 // where it is, see package machine", n.typ, g.regs)
	set := ""
	if len(g.sends) > 0 {
		g.p("hooks *%sHooks", n.prefix)
		var tests []string
		for _, ev := range g.sends {
			tests = append(tests, "h."+ev.hook+" != nil")
		}
		set = fmt.Sprintf("if %s {\nhooks := h\nm.hooks = &hooks\n}", strings.Join(tests, " || "))
	}
	g.data.fields()
	g.p("}")
	g.p("\n// New%s returns a machine that is not started.\nfunc New%s(h %sHooks) *%s {\n\tm := new(%s)", n.prefix, n.prefix, n.prefix, n.typ, n.typ)
	if set != "" {
		g.p("%s", set)
	}
	g.p("if !h.Hooks.IsZero() {\nmachine.SetUp((*%s)(m), machine.Options{Hooks: h.Hooks})\n}\nreturn m\n}", g.nodeType())
}

// start writes the method Start.
func (g *generator) start() {
	n := &g.names
	g.p(`
// Start enters the initial states at the time now, and does all that follows from it. It fails if the machine was
// started before, or exceeds one of its limits.
func (m *%s) Start(now time.Time) error {`, n.typ)
	if entered, set, ok := g.enter(g.doc.Root, g.doc.Root.Initial.Targets); ok && g.simpleStart(entered) {
		g.p("if m.core.Flags == 0 {\nnode := (*%s)(m)\nm.core.Flags = machine.Started | machine.Busy\nnode.Init()", g.nodeType())
		if g.quiet(g.doc.Root) {
			g.assign(set)
		} else {
			for _, s := range entered {
				if g.hasEntry(s) {
					g.assign([]assignment{{g.part[s.Index], s.Index}})
					for _, name := range blockNames("entry", s, s.OnEntry) {
						g.p("node.%s()", name)
					}
				}
			}
			g.assign(set)
		}
		g.p("m.core.Flags &^= machine.Busy")
		if len(g.fast) > 0 {
			g.p("node.settle(0)")
		} else {
			g.p("machine.Settle(node, 0)")
		}
		g.p("if m.core.Flags&machine.Ended != 0 {\nreturn m.Err()\n}\nreturn nil\n}")
	}
	g.p("return machine.Start((*%s)(m), now)\n}", g.nodeType())
}

// simpleStart reports whether a machine can start without package machine: it needs no time, and what it enters has
// nothing but onentry handlers.
func (g *generator) simpleStart(entered []*doc.State) bool {
	if _, dynamic := g.data.(*dynamicModel); dynamic || len(g.doc.Scripts) > 0 {
		return false
	}
	simple := len(g.parts) == 1 || g.quiet(g.doc.Root)
	eachExec(g.doc, func(e doc.Exec) {
		if send, ok := e.(*doc.Send); ok && (send.Delay != "" || send.DelayExpr != nil) {
			simple = false // it needs the time
		}
	})
	for _, s := range g.doc.States {
		if len(s.Invokes) > 0 || s.Initial != nil && len(s.Initial.Body) > 0 {
			return false
		}
	}
	return simple && !slices.ContainsFunc(entered, func(s *doc.State) bool { return s.Kind == doc.Final || g.lateBound(s) })
}

// methods writes what the user of the machine calls.
func (g *generator) methods() {
	n, node := &g.names, "(*"+g.nodeType()+")(m)"
	g.start()
	g.p(`
// StartIn is Start in the given states in place of the initial ones, as if they had been entered in the past. It fails
// unless they are a legal configuration (REC 3.11).
func (m *%[1]s) StartIn(now time.Time, states ...%[3]sState) error {
	list := make([]uint16, len(states))
	for i, s := range states {
		list[i] = uint16(s)
	}
	return machine.StartIn(%[2]s, now, list)
}

// SetUp sets the options of a machine that is not started.
func (m *%[1]s) SetUp(o machine.Options) { machine.SetUp(%[2]s, o) }

// Send gives the machine an event by its name, and does all that follows from it. It reports whether the
// event has enabled a transition. Data are what machine.Event says. The error is about the name or the data, or is
// that the machine does not run.
func (m *%[1]s) Send(name string, data any) (handled bool, err error) {
	return machine.Send(%[2]s, machine.Event{Name: name, Data: data})
}

// Do is Send for a caller that wants to know what came of it.
func (m *%[1]s) Do(name string, data any) (machine.Effect, error) {
	return machine.Do(%[2]s, machine.Event{Name: name, Data: data})
}

// Handle gives the machine an event without data, and does all that follows from it. It reports whether the event
// has enabled a transition.
func (m *%[1]s) Handle(e %[3]sEvent) bool {%[5]s
	return machine.Handle(%[2]s, uint16(e))
}

// In reports whether a state is active.
func (m *%[1]s) In(s %[3]sState) bool { return %[4]s.Active(m.regs[:], uint16(s)) }

// Configuration returns the active states in document order.
func (m *%[1]s) Configuration() (active []%[3]sState) {
	for s := range %[4]s.IDs {
		if s > 0 && m.In(%[3]sState(s)) {
			active = append(active, %[3]sState(s))
		}
	}
	return active
}

// Item returns the value of a data item, in the form of the data of machine.Event.
func (m *%[1]s) Item(id string) (value any, ok bool) {
	%[6]s
}

// NextDue returns when the next delayed event is due.
func (m *%[1]s) NextDue() (due time.Time, ok bool) { return machine.NextDue(%[2]s) }

// Advance does all that is due up to the time to, each thing at its own time.
func (m *%[1]s) Advance(to time.Time) { machine.Advance(%[2]s, to) }

// Stop ends the machine: its onexit handlers run, and what it has invoked ends. In a hook it does so when the
// macrostep is complete.
func (m *%[1]s) Stop() { machine.Stop(%[2]s) }

// Snapshot returns the state of the machine, from which a session of package scxml or another machine continues, see
// machine.Snapshot.
func (m *%[1]s) Snapshot() ([]byte, error) { return machine.Snapshot(%[2]s) }

// Restore makes a machine that is not started continue where a machine or a session was saved, see machine.Restore.
func (m *%[1]s) Restore(snapshot []byte) error { return machine.Restore(%[2]s, snapshot) }

// Node returns the machine for package machine, and for hosts of many charts.
func (m *%[1]s) Node() machine.Node { return %[2]s }

// Running reports whether the machine is started and has not ended.
func (m *%[1]s) Running() bool { return machine.Running(%[2]s) }

// Err returns the limit that has ended the machine, or nil.
func (m *%[1]s) Err() error { return machine.Err(%[2]s) }

// DoneData returns the data of the final state in which the machine has ended.
func (m *%[1]s) DoneData() any { return machine.DoneData(%[2]s) }`, n.typ, node, n.prefix, g.chartVar(), g.quick("take(uint16(e)); ok", "uint16(e)", true), g.data.item())
}

// inputs writes a method for each event that a transition names.
func (g *generator) inputs() {
	n, node := &g.names, "(*"+g.nodeType()+")(m)"
	for i, method := range n.method {
		if method == "" {
			continue
		}
		if g.data.inputWithData(i, method) {
			continue
		}
		g.p("\n// %s handles the event %s, see Handle.\nfunc (m *%s) %s() bool {", method, printable(g.events.names[i]), n.typ, method)
		switch {
		case g.pure[i]:
			g.p("if m.core.Flags == machine.Ready {\nreturn %s.event%d()\n}", node, i)
		case g.fast[i]:
			g.p("%s", strings.TrimPrefix(g.quick(fmt.Sprintf("event%d()", i), fmt.Sprintf("uint16(%s)", n.events[i]), false), "\n"))
		default: // which Handle would look for first
			g.p("return machine.Handle(%s, uint16(%s))\n}", node, n.events[i])
			continue
		}
		g.p("return m.Handle(%s)\n}", n.events[i])
	}
}

// quick writes the use of a shortcut, or nothing if there is none. The call has a second result with some.
func (g *generator) quick(call, event string, some bool) string {
	if len(g.fast) == 0 {
		return ""
	}
	set := ""
	if g.data.readsEvent() {
		set = fmt.Sprintf("\nnode.plain(%s.Events[%s], machine.External)", g.chartVar(), event)
	}
	use := "return node.followed(node." + call + ")"
	if some {
		use = "if handled, ok := node." + call + " {\nreturn node.followed(handled)\n}"
	}
	return fmt.Sprintf("\nif m.core.Flags == machine.Ready {\nnode := (*%s)(m)%s\n%s\n}", g.nodeType(), set, use)
}
