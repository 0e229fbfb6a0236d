package notation

import (
	"cmp"
	"regexp"
	"slices"
	"strings"

	"github.com/scxmlrun/scxmlrun/datamodel"
)

// ReadSMCat reads a chart in the language of state-machine-cat and makes it an SCXML document. The name
// is that of the file, for positions. The error is an [*ImportError].
//
// Labels are read as "event [guard] / actions". Texts that are not names or code become what is most
// like them: an event gets a name of the same letters, a guard becomes a data item that is true, and an
// action a <log> with the text. Of pseudostates, forks become transitions with several targets, joins
// transitions with a guard, choices and junctions states with eventless transitions.
func ReadSMCat(name string, text []byte) (*Import, error) {
	src, err := newSource(name, text)
	if err != nil {
		return nil, err
	}
	p := &catParser{builder: newBuilder(src)}
	machine, err := p.machine()
	if err != nil {
		return nil, err
	}
	c := &catImport{builder: p.builder, states: make(map[string]*catNode)}
	root := c.tree(machine)
	c.resolve(root)
	e := newElement("scxml", "xmlns", "http://www.w3.org/2005/07/scxml", "version", "1.0", "datamodel", "ecmascript")
	c.initial(e, root)
	for _, n := range root.children {
		c.write(e, n)
	}
	if len(e.children) == 0 {
		return nil, src.errorf(len(src.text), "the file has no states: want at least one")
	}
	return c.finish(e)
}

// A catNode is a state or pseudostate in its place.
type catNode struct {
	*catState
	id       string
	parent   *catNode
	children []*catNode
	depth    int
	out      []*catArrow
	in       int // number of arrows
}

// A catArrow is a transition whose pseudostates are resolved step by step.
type catArrow struct {
	*catTransition
	event, guard string
	actions      []string
	targets      []*catNode
	last         int // 1 for [else]
}

type catImport struct {
	*builder
	states map[string]*catNode
	arrows []*catArrow
}

// tree makes nodes of all states, also of those that only transitions name.
func (c *catImport) tree(m *catMachine) *catNode {
	root := &catNode{catState: &catState{machine: m, typ: "regular"}}
	var declare func(n *catNode)
	declare = func(n *catNode) {
		if n.machine == nil {
			return
		}
		for _, s := range n.machine.states {
			child := &catNode{catState: s, parent: n, depth: n.depth + 1}
			if old := c.states[s.name]; old != nil {
				c.note(s.at, "state %q is declared twice, the one %s is taken", shorten(s.name), map[bool]string{true: "with states in it", false: "declared first"}[s.machine != nil && old.machine == nil])
				if s.machine == nil || old.machine != nil {
					continue
				}
				old.parent.children = slices.DeleteFunc(old.parent.children, func(x *catNode) bool { return x == old })
			}
			c.states[s.name] = child
			n.children = append(n.children, child)
			declare(child)
		}
	}
	declare(root)
	var undeclared func(n *catNode)
	undeclared = func(n *catNode) {
		if n.machine == nil {
			return
		}
		for _, child := range n.children {
			undeclared(child)
		}
		for _, t := range n.machine.transitions {
			for _, name := range []string{t.from, t.to} {
				if c.states[name] == nil {
					s := &catNode{catState: &catState{name: name, typ: smcatType(name), at: t.at}, parent: n, depth: n.depth + 1}
					c.states[name] = s
					n.children = append(n.children, s)
				}
			}
			a := &catArrow{catTransition: t, targets: []*catNode{c.states[t.to]}}
			if a.event, a.guard, a.actions = cutLabel(t.label); a.guard == "else" {
				a.guard, a.last = "", 1
			}
			c.arrows = append(c.arrows, a)
			c.states[t.from].out = append(c.states[t.from].out, a)
			c.states[t.to].in++
		}
	}
	undeclared(root)
	return root
}

// cutLabel cuts "event [guard] / actions".
func cutLabel(label string) (event, guard string, actions []string) {
	label = strings.TrimSpace(label)
	if i := strings.IndexAny(label, "[/"); i >= 0 {
		event, label = strings.TrimSpace(label[:i]), label[i:]
	} else {
		return label, "", nil
	}
	guard, rest, _ := cutGuard(label)
	if _, after, ok := strings.Cut(rest, "/"); ok {
		actions = lines(after)
	}
	return event, strings.TrimSpace(guard), actions
}

// lines returns the lines of a text that are not empty.
func lines(text string) []string {
	var all []string
	for line := range strings.Lines(text) {
		if line = strings.TrimSpace(line); line != "" {
			all = append(all, line)
		}
	}
	return all
}

// resolve turns pseudostates into states and transitions, and gives states their ids.
func (c *catImport) resolve(root *catNode) {
	var visit func(n *catNode)
	visit = func(n *catNode) {
		for _, s := range slices.Clone(n.children) {
			c.retype(root, s)
			visit(s)
		}
	}
	visit(root)
	for _, a := range c.arrows {
		c.fork(a, make(map[*catNode]bool))
	}
	for _, a := range c.arrows {
		c.join(a)
	}
	visit = func(n *catNode) {
		n.children = slices.DeleteFunc(n.children, func(s *catNode) bool { return s.typ == "fork" || s.typ == "join" })
		for _, s := range n.children {
			if s.typ != "initial" {
				s.id = c.id(s.at, s.name)
			}
			visit(s)
		}
	}
	visit(root)
}

// retype gives a state the type that it has in SCXML.
func (c *catImport) retype(root, s *catNode) {
	state := func(why string) {
		c.note(s.at, "%s %q is a state: %s", s.typ, shorten(s.name), why)
		s.typ = "regular"
	}
	if s.typ == "forkjoin" {
		switch {
		case s.in <= 1 && len(s.out) > 1:
			s.typ = "fork"
		case s.in > 1 && len(s.out) <= 1:
			s.typ = "join"
		default:
			s.typ = "junction"
		}
	}
	switch s.typ {
	case "choice", "junction":
		state("its transitions are eventless")
	case "fork", "join":
		if len(s.out) == 0 {
			state("no transition leaves it")
		}
	case "terminate":
		s.typ = "final"
		if s.parent != root { // the end of the whole machine
			s.parent.children = slices.DeleteFunc(s.parent.children, func(x *catNode) bool { return x == s })
			root.children = append(root.children, s)
			s.parent, s.depth = root, 1
		}
	}
	switch {
	case s.typ == "final" && s.parent.typ == "parallel":
		state("a parallel state has no final child")
	case s.typ == "final" && len(s.out) > 0:
		state("transitions leave it")
	case (s.typ == "history" || s.typ == "deephistory") && s.parent == root:
		state("only states have a history, and this one is in none")
	case (s.typ == "history" || s.typ == "deephistory") && !slices.ContainsFunc(s.parent.children, (*catNode).real):
		state("there is no other state that it could lead to")
	case s.typ == "initial" && s.parent.typ == "parallel":
		state("a parallel state enters all its children")
	case s.typ == "initial" && len(s.out) == 0, s.typ == "initial" && s.in > 0:
		state("an initial one has a transition that leaves it, and none that leads to it")
	}
	if s.typ != "regular" && s.typ != "parallel" && s.machine != nil && (len(s.machine.states) > 0 || len(s.machine.transitions) > 0) {
		state("there are states in it")
	}
}

// fork replaces a fork that an arrow leads to by the targets of the fork.
func (c *catImport) fork(a *catArrow, seen map[*catNode]bool) {
	var targets []*catNode
	for _, t := range a.targets {
		if t.typ != "fork" {
			targets = append(targets, t)
			continue
		}
		if seen[t] {
			c.note(t.at, "fork %q leads to itself", shorten(t.name))
			continue
		}
		seen[t] = true
		for _, out := range t.out {
			c.fork(out, seen)
			if out.event != "" || out.guard != "" {
				c.note(out.at, "a transition that leaves a fork has no event and no guard: %q is not kept", shorten(out.label))
			}
			a.actions = append(a.actions, out.actions...)
			targets = append(targets, out.targets...)
		}
	}
	a.targets = c.orthogonal(a.at, targets)
}

// orthogonal returns the targets that can be active at the same time as the first one.
func (c *catImport) orthogonal(at int, targets []*catNode) []*catNode {
	var all []*catNode
	for _, t := range targets {
		if slices.ContainsFunc(all, func(other *catNode) bool { return !apart(t, other) }) {
			if !slices.Contains(all, t) {
				c.note(at, "state %q is not a target, because it is never active together with another target", shorten(t.name))
			}
			continue
		}
		all = append(all, t)
	}
	return all
}

// apart reports whether two states are in different children of a parallel state.
func apart(a, b *catNode) bool {
	for ; a.depth > b.depth; a = a.parent {
		if a.parent == b {
			return false
		}
	}
	for ; b.depth > a.depth; b = b.parent {
		if b.parent == a {
			return false
		}
	}
	if a == b {
		return false
	}
	for a.parent != b.parent {
		a, b = a.parent, b.parent
	}
	return a.parent.typ == "parallel" && a.typ != "history" && a.typ != "deephistory" && b.typ != "history" && b.typ != "deephistory"
}

// join replaces a join that an arrow leads to by what follows it, once all states from which arrows
// lead to the join are active.
func (c *catImport) join(a *catArrow) {
	if len(a.targets) == 0 || a.targets[0].typ != "join" {
		return
	}
	join := a.targets[0]
	var active []string
	for _, in := range c.arrows {
		if slices.Contains(in.targets, join) || in.to == join.name {
			active = append(active, in.from)
		}
	}
	out := join.out[0]
	a.targets = nil
	for _, t := range out.targets {
		if t.typ == "join" {
			c.note(t.at, "join %q after another is not kept", shorten(t.name))
		} else {
			a.targets = append(a.targets, t)
		}
	}
	if len(join.out) > 1 {
		c.note(join.at, "of the transitions that leave join %q the first one is kept", shorten(join.name))
	}
	for _, text := range []string{out.event, out.guard} {
		if text != "" {
			c.note(out.at, "a transition that leaves a join has no event and no guard: %q is not kept", shorten(out.label))
		}
	}
	a.actions = append(a.actions, out.actions...)
	var wait []string
	for _, name := range active {
		if name != a.from && c.states[name] != nil {
			wait = append(wait, name)
		}
	}
	for _, name := range wait {
		a.guard = strings.TrimPrefix(a.guard+"\n"+catJoin+name, "\n")
	}
}

// catJoin begins the lines of a guard that name states, whose ids are not known yet.
const catJoin = "\x00"

// defaultOf returns the states that a history leads to that has nothing to remember.
func (c *catImport) defaultOf(h *catNode) []*catNode {
	fits := func(t *catNode) bool {
		return t.real() && (t.parent == h.parent || h.typ == "deephistory" && t.within(h.parent))
	}
	arrows := h.out
	for _, s := range h.parent.children {
		if s.typ == "initial" {
			arrows = append(slices.Clip(arrows), s.out...)
		}
	}
	for _, a := range arrows {
		if len(a.targets) > 0 && !slices.ContainsFunc(a.targets, func(t *catNode) bool { return !fits(t) }) {
			return a.targets
		}
	}
	if i := slices.IndexFunc(h.parent.children, fits); i >= 0 {
		return h.parent.children[i : i+1]
	}
	return nil
}

// real reports whether a state is not a pseudostate.
func (n *catNode) real() bool { return n.typ == "regular" || n.typ == "parallel" || n.typ == "final" }

// within reports whether a state is in another.
func (n *catNode) within(m *catNode) bool {
	for n = n.parent; n != nil; n = n.parent {
		if n == m {
			return true
		}
	}
	return false
}

// initial writes the initial transition of a state.
func (c *catImport) initial(e *element, n *catNode) {
	var first *catNode
	for _, s := range n.children {
		if s.typ != "initial" {
			continue
		}
		if first != nil {
			c.note(s.at, "state %q is not kept: there is another initial one", shorten(s.name))
			continue
		}
		first = s
		a := s.out[0]
		if len(s.out) > 1 || a.event != "" || a.guard != "" {
			c.note(s.at, "an initial state has one transition, without event and guard: more is not kept")
		}
		targets := ids(a.targets)
		inside := !slices.ContainsFunc(a.targets, func(t *catNode) bool { return !t.within(n) })
		switch {
		case targets == "" || !inside || len(strings.Fields(targets)) < len(a.targets):
			c.note(a.at, "the initial transition leads out of the state that it is in, and is not kept")
		case len(a.actions) == 0:
			e.set("initial", targets)
		case n.parent == nil:
			c.note(a.at, "actions of the initial transition of the whole chart are not kept")
			e.set("initial", targets)
		default:
			c.actions(e.add("initial").add("transition", "target", targets), a.at, a.actions)
		}
	}
}

// write writes a state.
func (c *catImport) write(parent *element, n *catNode) {
	kind := "state"
	switch n.typ {
	case "initial":
		return
	case "parallel", "final":
		kind = n.typ
	case "history", "deephistory":
		kind = "history"
	}
	e := parent.add(kind, "id", n.id)
	e.comments = slices.Clone(n.notes)
	if n.label != "" && n.label != n.name {
		e.comments = append(e.comments, n.label)
	}
	if kind == "history" {
		c.history(e, n)
		return
	}
	for line := range slices.Values(lines(n.actions)) {
		where := "onentry"
		if before, after, ok := strings.Cut(line, "/"); ok {
			switch strings.TrimSpace(before) {
			case "entry", "do", "activity":
				line = after
			case "exit":
				where, line = "onexit", after
			}
		}
		c.action(e.add(where), n.at, strings.TrimSpace(line))
	}
	if kind == "state" {
		c.initial(e, n)
	}
	slices.SortStableFunc(n.out, func(a, b *catArrow) int { return cmp.Compare(a.last, b.last) })
	for _, a := range n.out {
		c.transition(e, n, a)
	}
	for _, s := range n.children {
		c.write(e, s)
	}
}

func (c *catImport) history(e *element, n *catNode) {
	if n.typ == "deephistory" {
		e.set("type", "deep")
	}
	targets := c.defaultOf(n)
	t := e.add("transition", "target", ids(targets))
	for i, a := range n.out {
		if i == 0 && slices.Equal(a.targets, targets) && a.event == "" && a.guard == "" {
			c.actions(t, a.at, a.actions)
		} else {
			c.note(a.at, "a history has one transition, to states beside it, without event and guard: more is not kept")
		}
	}
	if len(n.out) == 0 {
		c.note(n.at, "history %q leads to %s where there is nothing to remember", shorten(n.name), ids(targets))
	}
}

// ids returns the ids of states that have one.
func ids(states []*catNode) string {
	var all []string
	for _, s := range states {
		if s.id != "" && s.typ != "initial" {
			all = append(all, s.id)
		}
	}
	return strings.Join(all, " ")
}

func (c *catImport) transition(e *element, n *catNode, a *catArrow) {
	t := e.add("transition")
	t.comments = a.notes
	var events []string
	for _, line := range lines(a.event) {
		events = append(events, c.event(a.at, line))
	}
	t.set("event", strings.Join(events, " "))
	t.set("cond", c.guard(a.at, a.guard))
	targets := ids(a.targets)
	if a.internal && targets == n.id {
		targets = "" // it does not exit the state
	} else if len(a.targets) == 0 || len(strings.Fields(targets)) < len(a.targets) {
		c.note(a.at, "the transition from %q leads to a pseudostate that is not kept", shorten(n.name))
	}
	t.set("target", targets)
	if a.internal && targets != "" {
		t.set("type", "internal")
	}
	if len(t.attrs) == 0 {
		c.note(a.at, "a transition of %s has neither event nor guard nor target, and is not kept", n.id)
		e.children = e.children[:len(e.children)-1]
		return
	}
	c.actions(t, a.at, a.actions)
}

// guard returns the condition for a guard, which may be prose.
func (c *catImport) guard(at int, text string) string {
	var parts []string
	text, joined, _ := strings.Cut(text, catJoin)
	if text = strings.TrimSpace(text); text != "" {
		if !c.compiles(datamodel.Condition, text) {
			name := c.identifier(text)
			c.note(at, "guard %q is not an expression of ECMAScript: it is the data item %s", shorten(text), name)
			c.declare(name, "true")
			text = name
		}
		c.code(at, datamodel.Condition, text)
		parts = append(parts, text)
	}
	for name := range strings.SplitSeq(joined, "\n"+catJoin) {
		if s := c.states[name]; s != nil && s.id != "" {
			parts = append(parts, "In('"+s.id+"')")
		}
	}
	if len(parts) > 1 && text != "" {
		parts[0] = "(" + parts[0] + ")"
	}
	return strings.Join(parts, " && ")
}

func (c *catImport) actions(e *element, at int, texts []string) {
	for _, text := range texts {
		c.action(e, at, text)
	}
}

var (
	catRaise  = regexp.MustCompile(`^raise (\S+)$`)
	catSend   = regexp.MustCompile(`^send (\S+)(?: after (\d+(?:\.\d+)?m?s))?$`)
	catCancel = regexp.MustCompile(`^cancel (\S+)$`)
	catLog    = regexp.MustCompile(`^log (.+)$`)
	catScript = regexp.MustCompile(`^script (.+)$`)
	catAssign = regexp.MustCompile(`^([\pL_$][\pL\pN_$.\[\]]*) = (.+)$`)
)

// action writes an action: as [SMCat] writes them, or a <log> with the text.
func (c *catImport) action(e *element, at int, text string) {
	if m := catRaise.FindStringSubmatch(text); m != nil && datamodel.CheckEventName(m[1]) == nil {
		e.add("raise", "event", m[1])
	} else if m := catSend.FindStringSubmatch(text); m != nil && datamodel.CheckEventName(m[1]) == nil {
		e.add("send", "event", m[1]).set("delay", m[2])
	} else if m := catCancel.FindStringSubmatch(text); m != nil {
		e.add("cancel", "sendid", m[1])
	} else if m := catLog.FindStringSubmatch(text); m != nil {
		if smcatPlain.MatchString(m[1]) || !c.compiles(datamodel.ValueExpr, m[1]) {
			e.add("log", "label", m[1])
		} else {
			c.code(at, datamodel.ValueExpr, m[1])
			e.add("log", "expr", m[1])
		}
	} else if m := catScript.FindStringSubmatch(text); m != nil && c.compiles(datamodel.Script, m[1]) {
		c.code(at, datamodel.Script, m[1])
		e.add("script").text = m[1]
	} else if m := catAssign.FindStringSubmatch(text); m != nil && c.compiles(datamodel.Location, m[1]) && c.compiles(datamodel.ValueExpr, m[2]) {
		c.code(at, datamodel.ValueExpr, m[2])
		c.code(at, datamodel.ValueExpr, m[1])
		e.add("assign", "location", m[1], "expr", m[2])
	} else {
		e.add("log", "label", text)
		c.note(at, "action %q is a <log> with that text", shorten(text))
	}
}
