package notation

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// transitions reads the transitions of a state in the order in which XState looks at them. It writes
// the timers of delayed ones, and the services of the state.
func (x *xImport) transitions(e *element, s *xState) ([]*xTransition, error) {
	var all []*xTransition
	var err error
	add := func(event, guard string, v *value) {
		for _, t := range v.all() {
			if err == nil {
				var read *xTransition
				read, err = x.read(s, event, guard, t)
				all = append(all, read)
			}
		}
	}
	for i, v := range s.get("invoke").all() {
		id := x.invoke(e, s, i, v)
		add("done.invoke."+id, "", v.get("onDone"))
		add("error.communication error.execution", "_event.invokeid === "+strconv.Quote(id), v.get("onError"))
		if v.get("onSnapshot") != nil {
			x.note(v.get("onSnapshot").at, "onSnapshot is not kept: SCXML does not see the states of a service")
		}
	}
	if after := s.get("after"); after != nil && after.kind == '{' {
		for i, f := range after.fields {
			event := fmt.Sprintf("after.%s.%d", s.id, i+1)
			x.timer(e, f, event)
			add(event, "", f.value)
		}
	} else if after != nil {
		x.note(after.at, "delayed transitions that are not an object are not read")
	}
	if on := s.get("on"); on != nil {
		fields := slices.Clone(on.fields)
		slices.SortStableFunc(fields, func(a, b field) int { return cmp.Compare(wildcards(a.name), wildcards(b.name)) })
		for _, f := range fields {
			switch {
			case f.name == "":
				add("", "", f.value)
			case strings.HasPrefix(f.name, "xstate.after."), strings.HasPrefix(f.name, "xstate.init"):
				x.note(f.at, "the event %s of XState is not read", f.name)
			default:
				event := x.event(f.at, x.platform(f.name))
				x.events = append(x.events, strings.TrimSuffix(strings.TrimSuffix(event, "*"), "."))
				add(event, "", cmp.Or(f.value, &value{kind: '{'}))
			}
		}
	}
	add("done.state."+s.id, "", s.get("onDone"))
	add("", "", s.get("always"))
	return all, err
}

// wildcards orders events: those with wildcards are looked at last.
func wildcards(event string) int {
	switch {
	case event == "*":
		return 2
	case strings.HasSuffix(event, "*"):
		return 1
	}
	return 0
}

// platform returns the name that SCXML has for an event of XState's own.
func (x *xImport) platform(event string) string {
	for _, p := range [][2]string{{"xstate.done.actor.", "done.invoke."}, {"xstate.error.actor.", "error.communication."}, {"error.platform.", "error.communication."}} {
		if id, ok := strings.CutPrefix(event, p[0]); ok {
			if p[1] == "error.communication." {
				return "error.communication"
			}
			return p[1] + id
		}
	}
	for _, p := range []string{"xstate.done.state.", "done.state."} {
		if id, ok := strings.CutPrefix(event, p); ok {
			if s := x.ids[id]; s != nil {
				return "done.state." + s.id
			}
		}
	}
	return event
}

// timer writes a delayed event that the state sends to itself.
func (x *xImport) timer(e *element, f field, event string) {
	send := e.add("onentry").add("send", "event", event, "id", event)
	if ms, err := strconv.ParseFloat(f.name, 64); err == nil && ms >= 0 && ms < 1e12 {
		send.set("delay", strconv.FormatFloat(ms, 'f', -1, 64)+"ms")
	} else {
		send.set("delayexpr", "Number("+x.function(f.at, f.name)+"()) + 'ms'")
		x.note(f.at, "delay %q is what the function %s returns, in milliseconds", f.name, x.function(f.at, f.name))
	}
	e.add("onexit").add("cancel", "sendid", event)
}

// invoke writes a service and returns its id.
func (x *xImport) invoke(e *element, s *xState, i int, v *value) string {
	id := cmp.Or(v.get("id").str(), fmt.Sprintf("%s.invoke%d", s.id, i+1))
	src := v.get("src")
	name := cmp.Or(src.str(), src.get("type").str(), v.str(), "service")
	id = clean(id)
	child := e.add("invoke", "id", id, "type", name)
	x.note(v.at, "invoked actors are services of the host: give it an Invoker of the type %q", name)
	input := cmp.Or(v.get("input"), v.get("data"))
	switch {
	case input == nil:
	case input.kind == '{':
		for _, f := range input.fields {
			child.add("param", "name", f.name, "expr", x.expr(f.value))
		}
	default:
		child.add("content", "expr", x.expr(input))
	}
	if v.get("autoForward") != nil && v.get("autoForward").kind == 't' {
		child.set("autoforward", "true")
	}
	return id
}

// read reads a transition.
func (x *xImport) read(s *xState, event, guard string, v *value) (*xTransition, error) {
	t := &xTransition{at: v.at, event: event, guard: guard}
	target := v
	if v.kind == '{' {
		target = v.get("target")
		t.actions = v.get("actions").all()
		t.reenter = v.get("reenter") != nil && v.get("reenter").kind == 't'
		if x.v4 {
			internal := v.get("internal")
			t.reenter = internal != nil && internal.kind == 'f' || internal == nil && !strings.HasPrefix(cmp.Or(target.str(), "."), ".")
		}
		var guards []string
		if guard != "" {
			guards = append(guards, guard)
		}
		for _, name := range []string{"guard", "cond"} {
			if g := v.get(name); g != nil && g.kind != 'n' {
				guards = append(guards, x.call(g, "guard"))
			}
		}
		for _, in := range v.get("in").all() {
			if state := x.find(s, in.str(), false); state != nil {
				guards = append(guards, "In('"+state.id+"')")
			}
		}
		t.guard = strings.Join(guards, " && ")
	} else if v.kind != '"' && v.kind != 'n' {
		return nil, x.errorf(v.at, "want a target, an object with one, or a list of them")
	} else if x.v4 {
		t.reenter = !strings.HasPrefix(v.str(), ".")
	}
	for _, name := range target.all() {
		if name.kind != '"' {
			return nil, x.errorf(name.at, "a target is not a text: want the name of a state in quotes")
		}
		if name.str() == "" {
			continue
		}
		state := x.find(s, name.str(), false)
		if state == nil {
			return nil, x.errorf(name.at, "target %q is not a state", name.str())
		}
		if slices.ContainsFunc(t.targets, func(o *xState) bool { return !o.apart(state) }) {
			x.note(name.at, "state %q is not a target, because it is never active together with another target", name.str())
			continue
		}
		t.targets = append(t.targets, state)
	}
	return t, nil
}

// apart reports whether two states are in different children of a parallel state.
func (s *xState) apart(o *xState) bool {
	if s == o || s.within(o) || o.within(s) || s.kind == "history" || o.kind == "history" {
		return false
	}
	for p := s; p.parent != nil; p = p.parent {
		if o.within(p.parent) {
			return p.parent.kind == "parallel"
		}
	}
	return false
}

func (x *xImport) transition(e *element, s *xState, t *xTransition) {
	var ids []string
	within, self := len(t.targets) > 0, false
	for _, target := range t.targets {
		ids = append(ids, target.id)
		self = self || target == s
		within = within && target.within(s)
	}
	internal := false
	switch {
	case t.reenter || !within && !self:
	case self && len(s.children) == 0:
		ids = nil // the state is not left
	case self || s.kind == "parallel":
		x.note(t.at, "the transition leaves %q and enters it again, which XState does not do", s.key)
	default:
		internal = true
	}
	if len(ids) > 0 && !internal {
		x.between(s, t)
	}
	if t.event == "" && t.guard == "" && len(ids) == 0 {
		x.note(t.at, "a transition of %q has neither event nor guard nor target, and is not kept", s.key)
		return
	}
	c := e.add("transition")
	c.set("event", t.event)
	c.set("cond", t.guard)
	c.set("target", strings.Join(ids, " "))
	if internal {
		c.set("type", "internal")
	}
	x.actions(c, t.actions)
}

// between says that a transition leads from one region of a parallel state to another. REC 3.13: it
// leaves the parallel state and enters it again, since that is not its domain.
func (x *xImport) between(s *xState, t *xTransition) {
	for p := s.parent; p != nil; p = p.parent {
		if !slices.ContainsFunc(t.targets, func(o *xState) bool { return !o.within(p) }) {
			if p.kind == "parallel" {
				x.note(t.at, "the transition leaves all of %q and enters it again, where XState leaves less", p.key)
			}
			return
		}
	}
}
