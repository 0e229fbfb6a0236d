package editor

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// state returns the state that an argument names; the chart if it is empty.
func (w *draft) state(arg string) (*state, error) {
	name := w.args[arg]
	if name == "" {
		return w.chart.states[0], nil
	}
	s, err := w.stateNamed(name)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", arg, err)
	}
	return s, nil
}

func (w *draft) stateNamed(name string) (*state, error) {
	if s := w.chart.byID[name]; s != nil {
		return s, nil
	}
	for i, s := range w.chart.states {
		if s.id == "" && w.nameOf(i) == name {
			return s, nil
		}
	}
	return nil, fmt.Errorf("%.100q is not a state%s", name, didYouMean(name, func(yield func(string) bool) {
		for i := range w.chart.states[1:] {
			if !yield(w.nameOf(i + 1)) {
				return
			}
		}
	}))
}

// nameOf returns the name of a state by its index, as [scxml.State.Name] does.
func (w *draft) nameOf(i int) string {
	s := w.chart.states[i]
	if s.id == "" {
		return s.node.tag + "#" + strconv.Itoa(i)
	}
	return s.id
}

func (w *draft) name(s *state) string { return w.nameOf(slices.Index(w.chart.states, s)) }

// inner returns the state that an argument names, which is not the chart.
func (w *draft) inner(arg string) (*state, error) {
	s, err := w.state(arg)
	if err == nil && s.parent == nil {
		err = fmt.Errorf("%s: the chart itself is not a state in it", arg)
	}
	return s, err
}

// isChild reports whether an element is a child state.
func isChild(n *node) bool { return isState(n.tag) }

// children returns the child states of a state.
func children(n *node) []*node {
	return slices.DeleteFunc(slices.Clone(n.children), func(c *node) bool { return !isChild(c) })
}

// freeID returns an error unless an argument can be the id of a new state.
func (w *draft) freeID(arg string) error {
	id := w.args[arg]
	if !xmlName().MatchString(id) {
		return fmt.Errorf("%s: %.100q is not an id: use letters, digits, \"-\", \".\" and \"_\", beginning with a letter", arg, id)
	}
	if s := w.chart.byID[id]; s != nil {
		return fmt.Errorf("%s: the state at %s has the id %q: use another", arg, w.where(s.node.span.Start), id)
	}
	return nil
}

// newState returns the element of a new state in another one. A history leads to one of the given
// siblings, unless an argument says otherwise.
func (w *draft) newState(in *node) (string, error) {
	if err := w.freeID("id"); err != nil {
		return "", err
	}
	id, kind := w.args["id"], w.args["kind"]
	switch kind {
	case "", "state":
		return w.filled(in, "", "state", "id", id), nil
	case "history", "deep-history":
		transition, err := w.historyDefault(in, nil)
		return w.filled(in, transition, "history", "id", id, "type", map[string]string{"deep-history": "deep"}[kind]), err
	}
	return w.filled(in, "", kind, "id", id), nil
}

// historyDefault returns the default transition of a history in an element, which is not itself.
func (w *draft) historyDefault(in, itself *node) (string, error) {
	to := w.args["to"]
	for _, c := range children(in) {
		if to == "" && c != itself && c.tag != "history" {
			to = c.state.id
		}
	}
	if to == "" {
		return "", errors.New(`to: a history needs a default, and there is no state with an id next to it: name one`)
	}
	return w.filled(in, "", "transition", "target", to), w.areStates("to", to)
}

// areStates returns an error unless all words of a list are ids of states.
func (w *draft) areStates(arg, list string) error {
	for _, id := range strings.Fields(list) {
		if w.chart.byID[id] == nil {
			if _, err := w.stateNamed(id); err != nil {
				return fmt.Errorf("%s: %w", arg, err)
			}
			return fmt.Errorf("%s: %s has no id: give it one first, with rename-state", arg, id)
		}
	}
	return nil
}

// holder returns an error unless an element can have child states.
func (w *draft) holder(arg string, n *node) error {
	if n.tag == "final" || n.tag == "history" {
		return fmt.Errorf("%s: a <%s> has no child states: make it a plain state first, with set-kind", arg, n.tag)
	}
	return nil
}

// after returns the child that the argument "after" names, or the last one of the elements that come
// before child states or are some.
func (w *draft) after(in *node) (*node, error) {
	if w.args["after"] == "" {
		if len(in.children) == 0 {
			return nil, nil
		}
		return in.children[len(in.children)-1], nil
	}
	s, err := w.state("after")
	if err == nil && s.node.parent != in {
		err = fmt.Errorf("after: %q is not a child of %q", w.args["after"], w.name(in.state))
	}
	if err != nil {
		return nil, err
	}
	return s.node, nil
}

// destination returns the state of the argument "in", which can have child states, and the child of it that
// the argument "after" says.
func (w *draft) destination() (in, after *node, err error) {
	s, err := w.state("in")
	if err == nil {
		err = w.holder("in", s.node)
	}
	if err != nil {
		return nil, nil, err
	}
	after, err = w.after(s.node)
	return s.node, after, err
}

func (w *draft) addState() error {
	in, after, err := w.destination()
	if err != nil {
		return err
	}
	text, err := w.newState(in)
	if err == nil {
		w.insert(in, after, text)
	}
	return err
}

func (w *draft) addBeside() error {
	s, err := w.inner("state")
	if err != nil {
		return err
	}
	text, err := w.newState(s.node.parent)
	if err == nil {
		w.insert(s.node.parent, s.node, text)
	}
	return err
}

func (w *draft) addRegion() error {
	s, err := w.inner("state")
	if err != nil {
		return err
	}
	if err := w.freeID("id"); err != nil {
		return err
	}
	if err := w.holder("state", s.node); err != nil {
		return err
	}
	n := s.node
	region := w.filled(n, "", "state", "id", w.args["id"])
	inside := slices.DeleteFunc(slices.Clone(n.children), func(c *node) bool { return !isChild(c) && c.tag != "initial" })
	if n.tag == "parallel" || len(inside) == 0 {
		if n.tag != "parallel" {
			w.setTag(n, "parallel")
		}
		after, _ := w.after(n)
		w.insert(n, after, region)
		return nil
	}
	if w.args["rest"] == "" {
		return fmt.Errorf(`rest: the child states of %q need a region of their own: name it`, w.name(s))
	}
	if err := w.freeID("rest"); err != nil {
		return err
	}
	if w.args["rest"] == w.args["id"] {
		return errors.New("rest: two states cannot have one id")
	}
	if err := w.wrap(inside, w.element(n, "state", "id", w.args["rest"], "initial", w.attr(n, "initial"))+">", "</"+w.prefix(n)+"state>", region); err != nil {
		return err
	}
	w.setTag(n, "parallel")
	w.setAttr(n, "initial", "")
	return nil
}

// wrap writes an element around neighbouring ones, and another one after it.
func (w *draft) wrap(nodes []*node, open, end, next string) error {
	first, last := nodes[0], nodes[len(nodes)-1]
	for _, c := range first.parent.children {
		if c.span.Start > first.span.Start && c.span.Start < last.span.Start && !slices.Contains(nodes, c) {
			return fmt.Errorf("the element at %s is between them: move it first", w.where(c.span.Start))
		}
	}
	if !w.isFirst(first) {
		w.edit(Span{first.span.Start, first.span.Start}, open)
		w.edit(Span{last.span.End, last.span.End}, end+next)
		return nil
	}
	base, eol := w.indent(first), w.eol()
	w.edit(Span{first.span.Start, first.span.Start}, open+eol+base+w.unit())
	w.moveBy(Span{first.span.Start, last.span.End}, base, base+w.unit())
	if next != "" {
		next = eol + base + next
	}
	at := w.lineRest(last.span.End)
	w.edit(Span{at, at}, eol+base+end+next)
	return nil
}

// moveBy gives the lines of a span after the first one, which begin with some blanks, others.
func (w *draft) moveBy(s Span, from, to string) {
	text := w.at(s)
	moved := moveLines(text, from, to, w.eol())
	if strings.Count(moved, "\n") != strings.Count(text, "\n") {
		return
	}
	old, lines := strings.SplitAfter(text, "\n"), strings.SplitAfter(moved, "\n")
	at := s.Start
	for i := range old {
		if body := strings.TrimLeft(old[i], " \t"); strings.TrimLeft(lines[i], " \t") == body && lines[i] != old[i] {
			w.edit(Span{at, at + len(old[i]) - len(body)}, lines[i][:len(lines[i])-len(body)])
		}
		at += len(old[i])
	}
}

func (w *draft) groupStates() error {
	if err := w.freeID("id"); err != nil {
		return err
	}
	var nodes []*node
	for _, id := range strings.Fields(w.args["states"]) {
		s, err := w.stateNamed(id)
		switch {
		case err != nil:
			return fmt.Errorf("states: %w", err)
		case s.parent == nil:
			return errors.New("states: the chart itself is not a state in it")
		case len(nodes) > 0 && s.node.parent != nodes[0].parent:
			return fmt.Errorf("states: %q has another parent than the first one", id)
		case slices.Contains(nodes, s.node):
			return fmt.Errorf("states: %q is named twice", id)
		}
		nodes = append(nodes, s.node)
	}
	slices.SortFunc(nodes, func(a, b *node) int { return a.span.Start - b.span.Start })
	tag := w.args["kind"]
	if tag == "" {
		tag = "state"
	}
	in := nodes[0].parent
	return w.wrap(nodes, w.element(in, tag, "id", w.args["id"])+">", "</"+w.prefix(in)+tag+">", "")
}

func (w *draft) ungroup() error {
	s, err := w.inner("state")
	if err != nil {
		return err
	}
	n := s.node
	inside := children(n)
	switch {
	case n.tag != "state" || len(inside) == 0:
		return fmt.Errorf("state: %q has no child states of which one is active: there is nothing to ungroup", w.name(s))
	case n.parent.tag == "parallel":
		return fmt.Errorf("state: %q is a region, whose states cannot all be active", w.name(s))
	}
	for _, c := range n.children {
		if !isChild(c) || c.tag == "history" {
			return fmt.Errorf("state: the <%s> at %s belongs to %q: move or delete it first", c.tag, w.where(c.span.Start), w.name(s))
		}
	}
	to := w.attr(n, "initial")
	if to == "" {
		to = inside[0].state.id
	}
	var code []Place
	for _, u := range w.uses(s) {
		switch {
		case u.use == refers && !u.inner && u.node != n && w.inAttribute(u) && to != "":
			w.edit(u.span, to)
		default:
			code = append(code, w.placeOf(u))
		}
	}
	if len(code) > 0 {
		return w.dangling(s, code)
	}
	start, end := w.whole(n.head), w.whole(n.tail)
	w.edit(start, "")
	w.edit(end, "")
	if w.isFirst(inside[0]) && w.isFirst(n) {
		from, to := w.indent(inside[0]), w.indent(n)
		body := Span{start.End, end.Start}
		if first := w.text[body.Start:inside[0].span.Start]; start != n.head && strings.HasPrefix(first, from) {
			w.edit(Span{body.Start, body.Start + len(from)}, to) // moveBy leaves the first line
		}
		w.moveBy(body, from, to)
	}
	return nil
}

func (w *draft) moveState() error {
	s, err := w.inner("state")
	if err != nil {
		return err
	}
	in, after, err := w.destination()
	if err != nil {
		return err
	}
	if contains(s.node, in) {
		return fmt.Errorf("in: %q is %q or in it", w.name(in.state), w.name(s))
	}
	for p := s.parent; p != nil && !contains(p.node, in); p = p.parent {
		w.leaveInitial(p.node, s.node)
	}
	w.move(s.node, in, after)
	return nil
}

// isWithin reports whether a state is another one or in it.
func isWithin(s, other *state) bool {
	for ; s != nil; s = s.parent {
		if s == other {
			return true
		}
	}
	return false
}

// leaveInitial takes the states in an element out of the attribute initial of another one.
func (w *draft) leaveInitial(n, out *node) {
	if a := w.attribute(n, "initial"); a != nil {
		w.setAttr(n, "initial", w.without(w.at(a.value), func(id string) bool {
			s := w.chart.byID[id]
			return s != nil && contains(out, s.node)
		}))
	}
}

// contains reports whether an element is another one or around it.
func contains(n, inner *node) bool {
	return n.span.Start <= inner.span.Start && inner.span.End <= n.span.End
}

// without returns a list without some of its words, as it is written if it has none of them.
func (w *draft) without(list string, out func(string) bool) string {
	words := strings.Fields(list)
	left := slices.DeleteFunc(slices.Clone(words), out)
	if len(left) == len(words) {
		return list
	}
	return strings.Join(left, " ")
}

// move moves an element into another one, after one of its children.
func (w *draft) move(n, in, after *node) {
	if after == n { // it stays before those that follow it
		i := slices.Index(in.children, n)
		if i == len(in.children)-1 {
			return
		}
		after = in.children[len(in.children)-1]
	}
	text := moveLines(w.at(n.span), w.indent(n), "", "\n")
	w.remove(n)
	w.insert(in, after, text)
}

func (w *draft) orderState() error {
	s, err := w.inner("state")
	if err != nil {
		return err
	}
	if w.args["before"] == "" {
		w.move(s.node, s.node.parent, s.node.parent.children[len(s.node.parent.children)-1])
		return nil
	}
	next, err := w.state("before")
	if err == nil && next.node.parent != s.node.parent {
		err = fmt.Errorf("before: %q has another parent than %q", w.name(next), w.name(s))
	}
	if err == nil && next != s {
		w.before(s.node, next.node)
	}
	return err
}

// before moves an element to the place before a sibling.
func (w *draft) before(n, next *node) {
	all := n.parent.children
	i := slices.Index(all, next)
	switch {
	case i > 0 && all[i-1] == n:
	case i == 0:
		w.move(n, n.parent, nil)
	default:
		w.move(n, n.parent, all[i-1])
	}
}

func (w *draft) renameState() error {
	s, err := w.inner("state")
	if err != nil {
		return err
	}
	if s.id == "" {
		if err := w.freeID("to"); err != nil {
			return err
		}
		w.setAttr(s.node, "id", w.args["to"])
		return nil
	}
	return w.renameAt(w.attribute(s.node, "id").value)
}

// renameAt gives what is named in a value the name in the argument "to".
func (w *draft) renameAt(value Span) error {
	edits, err := w.Rename(trimmed(w.text, value).Start, w.args["to"])
	w.edits = edits
	return err
}

// renameWord renames what the argument with the given name names.
func (w *draft) renameWord(kind wordKind, arg string) error {
	for i := range w.chart.words {
		if u := &w.chart.words[i]; u.kind == kind && u.name == w.args[arg] {
			return w.renameAt(u.span)
		}
	}
	what := "a data item"
	if kind == eventWord {
		what = "an event of the chart"
	}
	return fmt.Errorf("%s: %.100q is not %s%s", arg, w.args[arg], what, w.nearWord(kind, w.args[arg]))
}

func (w *draft) nearWord(kind wordKind, name string) string {
	return didYouMean(name, func(yield func(string) bool) {
		for _, u := range w.chart.words {
			if u.kind == kind && u.name != "" && !yield(u.name) {
				return
			}
		}
	})
}

func (w *draft) addComment() error {
	s, err := w.inner("state")
	if err != nil {
		return err
	}
	text := strings.TrimSpace(w.args["text"])
	if strings.Contains(text, "--") || strings.HasSuffix(text, "-") {
		return errors.New(`text: a comment cannot contain "--" or end with "-"`)
	}
	text = "<!-- " + text + " -->"
	if w.isFirst(s.node) {
		text = moveLines(text, "", w.indent(s.node), w.eol()) + w.eol() + w.indent(s.node)
	}
	w.edit(Span{s.node.span.Start, s.node.span.Start}, text)
	return nil
}

func (w *draft) format() error {
	indent := w.args["indent"]
	if strings.Trim(indent, " \t") != "" || len(indent) > 16 {
		return errors.New("indent: want at most 16 blanks or tabs")
	}
	if indent == "" {
		indent = "  "
	}
	w.edits = w.Format(indent)
	return nil
}
