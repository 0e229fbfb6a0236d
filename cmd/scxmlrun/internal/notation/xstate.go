package notation

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/scxmlrun/scxmlrun/datamodel"
)

// ReadXState reads a machine of XState, version 4 or 5, as JSON: the argument of createMachine, what
// Stately exports, or the definition of a machine. It makes it an SCXML document. The name is that of
// the file, for positions. The error is an [*ImportError].
//
// JSON has the names of guards, actions, actors and delays, but not their code. They become functions
// that the document has to define, and types of services that the host has to provide.
func ReadXState(name string, text []byte) (*Import, error) {
	src, err := newSource(name, text)
	if err != nil {
		return nil, err
	}
	v, err := src.readJSON()
	if err != nil {
		return nil, err
	}
	if v.kind != '{' {
		return nil, src.errorf(v.at, "want a machine, which is an object with states")
	}
	x := &xImport{builder: newBuilder(src), ids: make(map[string]*xState), functions: make(map[string]string)}
	x.v4 = x.isVersion4(v)
	root, err := x.tree(v, nil, cmp.Or(v.get("id").str(), v.get("key").str(), "machine"), v.at)
	if err != nil {
		return nil, err
	}
	return x.document(root)
}

type xImport struct {
	*builder
	v4        bool
	all       []*xState
	ids       map[string]*xState // by what follows # in targets
	functions map[string]string  // identifiers by the names of guards, actions and delays
	events    []string
}

// An xState is a state node.
type xState struct {
	*value
	key      string
	path     string // the keys from the machine's id on
	at       int    // of the key
	id       string // in SCXML
	kind     string // element of SCXML
	parent   *xState
	children []*xState
}

// An xTransition is a transition that is read.
type xTransition struct {
	at      int
	event   string
	guard   string
	targets []*xState
	reenter bool
	actions []*value
}

// isVersion4 looks for what only machines of version 4 have.
func (x *xImport) isVersion4(v *value) bool {
	for _, f := range v.fields {
		if f.name == "context" || f.name == "meta" {
			continue
		}
		if slices.Contains([]string{"cond", "internal", "in", "activities"}, f.name) && f.kind != '{' || x.isVersion4(f.value) {
			return true
		}
	}
	return slices.ContainsFunc(v.list, x.isVersion4)
}

// tree makes a state node and its children.
func (x *xImport) tree(v *value, parent *xState, key string, at int) (*xState, error) {
	if v.kind != '{' {
		return nil, x.errorf(v.at, "state %q is not an object", key)
	}
	s := &xState{value: v, key: key, path: key, at: at, parent: parent, kind: "state"}
	if parent != nil {
		s.path = parent.path + "." + key
	}
	switch typ := v.get("type").str(); typ {
	case "parallel", "final", "history":
		s.kind = typ
	case "", "atomic", "compound":
	default:
		return nil, x.errorf(v.get("type").at, "%q is not a type of state: want atomic, compound, parallel, final or history", typ)
	}
	x.all = append(x.all, s)
	x.ids[s.path] = s
	states := v.get("states")
	if states != nil && states.kind != '{' && states.kind != 'n' {
		return nil, x.errorf(states.at, "the states of %q are not an object", key)
	}
	if states != nil {
		for _, f := range states.fields {
			child, err := x.tree(f.value, s, f.name, f.at)
			if err != nil {
				return nil, err
			}
			s.children = append(s.children, child)
		}
	}
	if id := v.get("id").str(); id != "" {
		x.ids[id] = s
	}
	return s, nil
}

// document writes the machine.
func (x *xImport) document(root *xState) (*Import, error) {
	e := newElement("scxml", "xmlns", "http://www.w3.org/2005/07/scxml", "version", "1.0", "datamodel", "ecmascript")
	e.set("name", root.key)
	if context := root.get("context"); context != nil {
		for _, f := range context.fields {
			if !x.compiles(datamodel.Location, f.name) || strings.ContainsAny(f.name, ".[") || slices.Contains(x.checker.Names(), f.name) {
				x.note(f.at, "%q of the context is not the name of a data item, and is not kept", f.name)
				continue
			}
			x.declare(f.name, x.text[f.value.at:f.value.end])
		}
	}
	// Keys may be there twice, in different states: then the paths are the ids.
	count := make(map[string]int)
	for _, s := range x.all {
		count[s.key]++
		x.check(s)
	}
	for _, s := range x.all {
		name := cmp.Or(s.get("id").str(), s.key)
		if count[s.key] > 1 && s.get("id").str() == "" || strings.HasPrefix(s.get("id").str(), root.key+".") {
			name = strings.TrimPrefix(s.path, root.key+".")
			if count[s.key] == 1 {
				name = s.key
			}
		}
		s.id = x.id(s.at, name)
	}
	if len(root.children) == 0 || x.wrapped(root) {
		if err := x.state(e, root); err != nil {
			return nil, err
		}
		if slices.ContainsFunc(root.children, func(s *xState) bool { return s.kind == "final" }) || root.kind == "parallel" {
			end := x.id(root.at, root.id+".done")
			e.children[0].add("transition", "event", "done.state."+root.id, "target", end)
			final := e.add("final", "id", end)
			x.output(final, root)
		}
	} else {
		x.initial(e, root)
		for _, s := range root.children {
			if err := x.state(e, s); err != nil {
				return nil, err
			}
		}
	}
	e.comments = x.comments(root)
	slices.Sort(x.events)
	for i := 1; i < len(x.events); i++ {
		if a, b := x.events[i-1], x.events[i]; strings.HasPrefix(b, a+".") {
			x.note(root.at, "transitions for the event %s take %s as well", a, b)
		}
	}
	return x.finish(e)
}

// check says what of a state is not read, and makes its kind one that SCXML has there.
func (x *xImport) check(s *xState) {
	for _, f := range s.fields {
		switch f.name {
		case "id", "key", "type", "initial", "states", "on", "always", "after", "entry", "exit", "invoke", "onDone", "history", "target", "description", "output", "data",
			"version", "order", "delimiter", "transitions", "predictableActionArguments", "preserveActionOrder", "strict", "types", "schema", "tsTypes", "$schema":
		case "context":
			if s.parent != nil {
				x.note(f.at, "the context of a state is not read")
			}
		case "meta", "tags":
			if len(f.value.all()) > 0 && (f.kind != '{' || len(f.value.fields) > 0) {
				x.note(f.at, "%q is not kept", f.name)
			}
		case "activities":
			x.note(f.at, "activities are not kept: invoke a service instead")
		default:
			x.note(f.at, "%q is not known, and not read", f.name)
		}
	}
	switch {
	case s.parent == nil && s.kind != "parallel":
		s.kind = "state"
	case s.kind == "final" && (s.parent.kind == "parallel" || len(s.children) > 0):
		x.note(s.at, "state %q is not a final one in SCXML: it has states in it, or its parent is parallel", s.key)
		s.kind = "state"
	case s.kind == "history" && !slices.ContainsFunc(s.parent.children, func(o *xState) bool { return o.get("type").str() != "history" }):
		x.note(s.at, "history %q is a state: there is no other that it could lead to", s.key)
		s.kind = "state"
	case s.kind == "history" && len(s.children) > 0:
		x.note(s.at, "the states in history %q are not kept", s.key)
		s.children = nil
	}
}

// wrapped reports whether the machine is a state of its own, because <scxml> cannot do what it does.
func (x *xImport) wrapped(root *xState) bool {
	for _, name := range []string{"on", "always", "after", "entry", "exit", "invoke", "onDone"} {
		if v := root.get(name); v != nil && (len(v.all()) > 0 && v.kind != '{' || len(v.fields) > 0) {
			return true
		}
	}
	return root.kind == "parallel" || slices.ContainsFunc(root.children, func(s *xState) bool { return s.kind == "history" }) ||
		strings.Contains(x.text, strconv.Quote("#"+root.key)) // a target
}

func (x *xImport) comments(s *xState) []string {
	if d := s.get("description").str(); d != "" {
		return []string{d}
	}
	return nil
}

// state writes a state.
func (x *xImport) state(parent *element, s *xState) error {
	e := parent.add(s.kind, "id", s.id)
	e.comments = x.comments(s)
	switch s.kind {
	case "history":
		return x.history(e, s)
	case "final":
		x.executable(e, "onentry", s.get("entry"))
		x.executable(e, "onexit", s.get("exit"))
		x.output(e, s)
		return nil
	case "state":
		x.initial(e, s)
	}
	transitions, err := x.transitions(e, s)
	if err != nil {
		return err
	}
	x.executable(e, "onentry", s.get("entry"))
	x.executable(e, "onexit", s.get("exit"))
	for _, t := range transitions {
		x.transition(e, s, t)
	}
	for _, c := range s.children {
		if err := x.state(e, c); err != nil {
			return err
		}
	}
	return nil
}

// initial writes which children are entered by default.
func (x *xImport) initial(e *element, s *xState) {
	if len(s.children) == 0 {
		return
	}
	v := s.get("initial")
	if v != nil && v.kind == '[' && len(v.list) > 0 {
		v = v.list[0]
	}
	target, actions := v, (*value)(nil)
	if v != nil && v.kind == '{' {
		target, actions = v.get("target"), v.get("actions")
		if list := target.all(); len(list) > 0 {
			target = list[0]
		}
	}
	if target.str() == "" {
		if len(s.children) > 1 {
			x.note(s.at, "state %q has no initial state: the first one is entered", s.key)
		}
		return
	}
	t := x.find(s, target.str(), true)
	if t == nil || !t.within(s) {
		x.note(target.at, "the initial state %q is not in %q, and is not kept", target.str(), s.key)
		return
	}
	if list := actions.all(); len(list) > 0 && e.name != "scxml" {
		x.actions(e.add("initial").add("transition", "target", t.id), list)
		return
	} else if len(list) > 0 {
		x.note(actions.at, "actions of the initial transition of the whole machine are not kept")
	}
	e.set("initial", t.id)
}

func (s *xState) within(m *xState) bool {
	for s = s.parent; s != nil; s = s.parent {
		if s == m {
			return true
		}
	}
	return false
}

// find returns the state that a target names, or nil. The target of an initial state is in its state.
func (x *xImport) find(from *xState, target string, inside bool) *xState {
	if id, ok := strings.CutPrefix(target, "#"); ok {
		id = strings.NewReplacer(`\\`, `\`, `\.`, ".").Replace(id)
		for i := len(id); i > 0; i = strings.LastIndexByte(id[:i], '.') {
			if s := x.ids[id[:i]]; s != nil && id[i:] != "." {
				return s.descend(strings.TrimPrefix(id[i:], "."))
			}
		}
		return nil
	}
	if rest, ok := strings.CutPrefix(target, "."); ok {
		return from.descend(rest)
	}
	if !inside && from.parent != nil {
		from = from.parent
	}
	return from.descend(target)
}

// descend follows keys. A key may have a "." in it.
func (s *xState) descend(path string) *xState {
	if path == "" {
		return s
	}
	for _, c := range s.children {
		if c.key == path {
			return c
		}
		if rest, ok := strings.CutPrefix(path, c.key+"."); ok {
			if found := c.descend(rest); found != nil {
				return found
			}
		}
	}
	return nil
}

// history writes a history. Without a target it leads to the initial state of its parent.
func (x *xImport) history(e *element, s *xState) error {
	deep := s.get("history").str() == "deep"
	if deep {
		e.set("type", "deep")
	}
	var target *xState
	if list := s.get("target").all(); len(list) > 0 {
		if target = x.find(s, list[0].str(), false); target == nil {
			return x.errorf(list[0].at, "target %q is not a state", list[0].str())
		}
	} else if v := s.parent.get("initial"); v.str() != "" {
		target = x.find(s.parent, v.str(), true)
	}
	if target == nil || target.kind == "history" || !target.within(s.parent) || !deep && target.parent != s.parent {
		i := slices.IndexFunc(s.parent.children, func(c *xState) bool { return c.kind != "history" })
		target = s.parent.children[i]
		x.note(s.at, "history %q leads to %s where there is nothing to remember", s.key, target.id)
	}
	e.add("transition", "target", target.id)
	return nil
}

// output writes the data of a final state.
func (x *xImport) output(e *element, s *xState) {
	for _, name := range []string{"output", "data"} {
		if v := s.get(name); v != nil {
			e.add("donedata").add("content", "expr", x.expr(v))
			return
		}
	}
}

// expr returns a value as an expression.
func (x *xImport) expr(v *value) string {
	if v.kind == '{' {
		return "(" + x.text[v.at:v.end] + ")"
	}
	return x.text[v.at:v.end]
}
