package notation

import (
	"slices"
	"strings"
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
	p, root := &catParser{builder: newBuilder(src)}, &catNode{typ: "regular"}
	if p.machine(root); p.err != nil {
		return nil, p.err
	}
	c := &catImport{builder: p.builder, states: make(map[string]*catNode)}
	c.nest(root)
	c.connect(root)
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

// A catNode is a state or pseudostate.
type catNode struct {
	name, typ string
	label     string
	notes     []string
	actions   string
	at        int         // offset
	braces    bool        // after it, which may have nothing in them
	children  []*catNode  // the states in it: at first those in its braces
	arrows    []*catArrow // in its braces
	filled    bool        // there is something in its braces

	id     string
	parent *catNode
	depth  int
	out    []*catArrow
	in     int // number of arrows
}

// A catArrow is a transition whose pseudostates are resolved step by step.
type catArrow struct {
	from, to string
	label    string
	internal bool
	notes    []string
	at       int

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

// nest gives the states in a state their places. Of two with a name, one is taken.
func (c *catImport) nest(n *catNode) {
	declared := n.children
	n.children, n.filled = nil, len(declared) > 0 || len(n.arrows) > 0
	for _, s := range declared {
		s.parent, s.depth = n, n.depth+1
		if old := c.states[s.name]; old != nil {
			c.note(s.at, "state %q is declared twice, the one %s is taken", shorten(s.name), map[bool]string{true: "with states in it", false: "declared first"}[s.braces && !old.braces])
			if !s.braces || old.braces {
				continue
			}
			old.parent.children = slices.DeleteFunc(old.parent.children, func(x *catNode) bool { return x == old })
		}
		c.states[s.name] = s
		n.children = append(n.children, s)
		c.nest(s)
	}
}

// connect connects the states by the transitions in a state, which may name states that are not declared.
func (c *catImport) connect(n *catNode) {
	for _, child := range n.children {
		c.connect(child)
	}
	for _, a := range n.arrows {
		for _, name := range []string{a.from, a.to} {
			if c.states[name] == nil {
				s := &catNode{name: name, typ: smcatType(name), at: a.at, parent: n, depth: n.depth + 1}
				c.states[name] = s
				n.children = append(n.children, s)
			}
		}
		a.targets = []*catNode{c.states[a.to]}
		if a.event, a.guard, a.actions = cutLabel(a.label); a.guard == "else" {
			a.guard, a.last = "", 1
		}
		c.arrows = append(c.arrows, a)
		c.states[a.from].out = append(c.states[a.from].out, a)
		c.states[a.to].in++
	}
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
	if s.typ != "regular" && s.typ != "parallel" && s.filled {
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
