package notation

import (
	"cmp"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/scxmlrun/scxmlrun/datamodel"
)

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
			c.note(a.at, "a history has one transition, to its siblings, without event and guard: more is not kept")
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
	catRaise  = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^raise (\S+)$`) })
	catSend   = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^send (\S+)(?: after (\d+(?:\.\d+)?m?s))?$`) })
	catCancel = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^cancel (\S+)$`) })
	catLog    = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^log (.+)$`) })
	catScript = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^script (.+)$`) })
	catAssign = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^([\pL_$][\pL\pN_$.\[\]]*) = (.+)$`) })
)

// action writes an action: as [SMCat] writes them, or a <log> with the text.
func (c *catImport) action(e *element, at int, text string) {
	if m := catRaise().FindStringSubmatch(text); m != nil && datamodel.CheckEventName(m[1]) == nil {
		e.add("raise", "event", m[1])
	} else if m := catSend().FindStringSubmatch(text); m != nil && datamodel.CheckEventName(m[1]) == nil {
		e.add("send", "event", m[1]).set("delay", m[2])
	} else if m := catCancel().FindStringSubmatch(text); m != nil {
		e.add("cancel", "sendid", m[1])
	} else if m := catLog().FindStringSubmatch(text); m != nil {
		if smcatPlain().MatchString(m[1]) || !c.compiles(datamodel.ValueExpr, m[1]) {
			e.add("log", "label", m[1])
		} else {
			c.code(at, datamodel.ValueExpr, m[1])
			e.add("log", "expr", m[1])
		}
	} else if m := catScript().FindStringSubmatch(text); m != nil && c.compiles(datamodel.Script, m[1]) {
		c.code(at, datamodel.Script, m[1])
		e.add("script").text = m[1]
	} else if m := catAssign().FindStringSubmatch(text); m != nil && c.compiles(datamodel.Location, m[1]) && c.compiles(datamodel.ValueExpr, m[2]) {
		c.code(at, datamodel.ValueExpr, m[2])
		c.code(at, datamodel.ValueExpr, m[1])
		e.add("assign", "location", m[1], "expr", m[2])
	} else {
		e.add("log", "label", text)
		c.note(at, "action %q is a <log> with that text", shorten(text))
	}
}
