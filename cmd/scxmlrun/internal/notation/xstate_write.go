package notation

import (
	"bytes"
	"cmp"
	"encoding/json"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/scxmlrun/scxmlrun/datamodel"
	"github.com/scxmlrun/scxmlrun/scxml"
	"github.com/scxmlrun/scxmlrun/scxml/diagram"
)

// XState writes a chart as a machine of XState 5: the argument of createMachine, as JSON. That has no code:
// conditions and executable content become the names of guards and actions.
func XState(d *diagram.Diagram) (text string, lost []string) {
	if d.Chart.Element() == nil {
		return "{}\n", []string{"the chart was not read from a text, so that its elements are not known"}
	}
	x := &xExport{
		d: d, lines: make(map[datamodel.Position]diagram.Line), delays: make(map[datamodel.Position]time.Duration), wild: map[string]bool{"done": true, "done.state": true, "done.invoke": true},
		timers: make(map[timerOf]time.Duration), inTimer: make(map[datamodel.Position]bool), takes: make(map[*diagram.Node]map[string]bool),
	}
	x.prepare()
	var out bytes.Buffer
	_ = json.Indent(&out, x.state(d.Root).json(), "", "  ") // it is JSON
	out.WriteByte('\n')
	return out.String(), x.lost.lines()
}

type xExport struct {
	d       *diagram.Diagram
	lost    losses
	lines   map[datamodel.Position]diagram.Line  // of executable content
	delays  map[datamodel.Position]time.Duration // of <send>
	wild    map[string]bool                      // events whose transitions take longer names, too
	timers  map[timerOf]time.Duration            // that are "after"
	inTimer map[datamodel.Position]bool          // elements that are part of one
	takes   map[*diagram.Node]map[string]bool    // the descriptors of a state, and whether they have a targetless transition
}

// A timerOf is an event that a state sends to itself after a delay.
type timerOf struct {
	node  *diagram.Node
	event string
}

// descriptor returns what names of events begin with: "" for all.
func descriptor(word string) (base string, wild bool) {
	base = strings.TrimSuffix(strings.TrimSuffix(word, "*"), ".")
	return base, base != word
}

// covers reports whether a descriptor is for the events that begin with a base.
func covers(descriptor, base string) bool {
	return descriptor == "" || descriptor == base || strings.HasPrefix(base, descriptor+".")
}

// prepare collects what is said about one state elsewhere.
func (x *xExport) prepare() {
	for _, s := range x.d.Chart.Sends() {
		x.delays[s.Pos] = s.Delay
	}
	senders, cancels, takers := make(map[string]int), make(map[string]int), make(map[string]*diagram.Node)
	shared := make(map[string]bool) // descriptors in more than one state
	named := func(event string) {
		for i, c := range event {
			if c == '.' {
				x.wild[event[:i]] = true
			}
		}
	}
	var visit func(e *scxml.Element)
	visit = func(e *scxml.Element) {
		switch e.Name {
		case "raise", "send":
			senders[e.Attr("event")]++
			named(e.Attr("event"))
		case "cancel":
			cancels[e.Attr("sendid")]++
		}
		for _, c := range e.Children {
			visit(c)
		}
	}
	visit(x.d.Chart.Element())
	for _, n := range x.d.Nodes {
		for _, l := range n.Lines {
			x.lines[l.Pos] = l
		}
		x.takes[n] = make(map[string]bool)
		for _, e := range n.Edges {
			for _, l := range e.Actions {
				x.lines[l.Pos] = l
			}
			for word := range strings.FieldsSeq(e.Event) {
				base, wild := descriptor(word)
				x.wild[base] = x.wild[base] || wild
				named(base)
				shared[base] = shared[base] || takers[base] != nil && takers[base] != n
				takers[base] = n
				x.takes[n][base] = x.takes[n][base] || len(e.Targets) == 0
			}
		}
	}
	// A timer is what the state sends when it is entered, cancels when it is left, and what only the state takes.
	for _, n := range x.d.Nodes {
		for _, send := range x.handlers(n, "onentry") {
			event, id := send.Attr("event"), send.Attr("id")
			plain := !slices.ContainsFunc(send.Attrs, func(a scxml.Attribute) bool { return !slices.Contains([]string{"event", "id", "delay"}, a.Name) })
			if send.Name != "send" || !plain || len(send.Children) > 0 || x.delays[send.Pos] == 0 || senders[event] != 1 || senders[""] > 0 || cancels[id] != 1 || cancels[""] > 0 ||
				takers[event] != n || shared[event] {
				continue
			}
			isPart := false // of what other transitions take
			for i, c := range event {
				isPart = isPart || c == '.' && takers[event[:i]] != nil
			}
			for _, cancel := range x.handlers(n, "onexit") {
				if cancel.Name == "cancel" && cancel.Attr("sendid") == id && !isPart {
					x.timers[timerOf{n, event}] = x.delays[send.Pos]
					x.inTimer[send.Pos], x.inTimer[cancel.Pos] = true, true
					x.lost.add(`a delay is "after", whose event nothing else can send`, n.ID)
				}
			}
		}
	}
}

// handlers returns the content of the <onentry> or <onexit> of a state.
func (x *xExport) handlers(n *diagram.Node, name string) (all []*scxml.Element) {
	for _, e := range n.State.Element().Children {
		if e.Name == name {
			all = append(all, e.Children...)
		}
	}
	return all
}

func (x *xExport) state(n *diagram.Node) object {
	var o object
	e := n.State.Element()
	id := n.ID
	if n.Parent == nil {
		for id = cmp.Or(title(x.d), "chart"); slices.ContainsFunc(x.d.Nodes[1:], func(n *diagram.Node) bool { return n.ID == id }); {
			id += "_"
		}
		if slices.ContainsFunc(e.Children, func(c *scxml.Element) bool { return c.Name == "script" }) {
			x.lost.add("the scripts of the chart are not written", id)
		}
	}
	o.add("id", id)
	var about []string
	for _, l := range n.Lines {
		if l.Kind == diagram.Problem || l.Kind == diagram.More {
			about = append(about, l.Whole)
		}
	}
	if text := strings.TrimSpace(strings.Join(append(about, e.Comment), "\n")); text != "" {
		o.add("description", text)
	}
	if n.Parent == nil {
		x.context(&o)
	}
	switch n.Kind {
	case scxml.KindParallel, scxml.KindFinal:
		o.add("type", n.Kind.String())
	case scxml.KindHistory:
		x.history(&o, n)
		return o
	default:
		x.initial(&o, n)
	}
	o.addList("entry", x.actions(n, x.handlers(n, "onentry")))
	o.addList("exit", x.actions(n, x.handlers(n, "onexit")))
	x.output(&o, n)
	x.transitions(&o, n)
	if len(n.Children) > 0 {
		var states object
		for _, c := range n.Children {
			states.add(c.ID, x.state(c))
			if _, err := strconv.ParseUint(c.ID, 10, 32); err == nil {
				x.lost.add("states whose names are numbers come before all others", c.ID)
			}
		}
		o.add("states", states)
	}
	return o
}

// context writes the data of the chart. XState has them in one place.
func (x *xExport) context(o *object) {
	var context object
	for _, n := range x.d.Nodes {
		for _, model := range n.State.Element().Children {
			for _, e := range model.Children {
				if model.Name != "datamodel" || e.Name != "data" || context.has(e.Attr("id")) {
					continue
				}
				value, isJSON := literal(cmp.Or(e.Attr("expr"), strings.TrimSpace(e.Text)))
				if !isJSON && (e.Attr("expr")+e.Attr("src") != "" || strings.TrimSpace(e.Text) != "" || len(e.Children) > 0) {
					x.lost.add("data whose initial values are not JSON are null", e.Attr("id"))
				}
				context.add(e.Attr("id"), value)
				if n.Parent != nil && x.d.Root.State.Element().Attr("binding") == "late" {
					x.lost.add("data of states have their values from the start", n.ID)
				}
			}
		}
	}
	if len(context) > 0 {
		o.add("context", context)
	}
}

// literal returns an expression that is JSON, or a text in single quotes, as JSON, and null for others.
func literal(expr string) (value json.RawMessage, isJSON bool) {
	if text, quoted := strings.CutPrefix(expr, "'"); quoted && strings.Count(expr, "'") == 2 && !strings.ContainsAny(expr, `"\`) && strings.HasSuffix(expr, "'") {
		expr = strconv.Quote(strings.TrimSuffix(text, "'"))
	}
	if expr = strings.TrimSpace(expr); json.Valid([]byte(expr)) {
		return json.RawMessage(expr), true
	}
	return json.RawMessage("null"), false
}

// initial writes which state is entered by default.
func (x *xExport) initial(o *object, n *diagram.Node) {
	var child *diagram.Node
	var actions []any
	for _, e := range n.Edges {
		if e.Kind == diagram.Initial && len(e.Targets) > 0 {
			for child = e.Targets[0]; child.Parent != n; {
				child = child.Parent
			}
			if len(e.Targets) > 1 || child != e.Targets[0] {
				x.lost.add("initial states that are deeper, or several, are replaced by one child", n.ID)
			}
			if t := e.Transition.Element(); t != nil {
				actions = x.actions(n, t.Children)
			}
		}
	}
	if child == nil { // in a part, or in a document with errors
		i := slices.IndexFunc(n.Children, func(c *diagram.Node) bool { return c.Kind != scxml.KindHistory })
		if i < 0 {
			return
		}
		child = n.Children[i]
	}
	if len(actions) > 0 {
		o.add("initial", object{{"target", child.ID}, {"actions", actions}})
	} else {
		o.add("initial", child.ID)
	}
}

func (x *xExport) history(o *object, n *diagram.Node) {
	o.add("type", "history")
	o.add("history", map[bool]string{true: "deep", false: "shallow"}[n.Deep])
	for _, e := range n.Edges {
		if e.Kind == diagram.Default {
			x.target(o, e)
			if len(e.Actions) > 0 {
				x.lost.add("what the default transition of a history does is not written", n.ID)
			}
		}
	}
}

// target writes the targets of a transition.
func (x *xExport) target(o *object, e *diagram.Edge) {
	var ids []any
	for _, n := range e.Targets {
		ids = append(ids, "#"+strings.NewReplacer(`\`, `\\`, ".", `\.`).Replace(n.ID))
	}
	switch len(ids) {
	case 0:
	case 1:
		o.add("target", ids[0])
	default:
		o.add("target", ids)
	}
	if len(e.Beyond) > 0 {
		x.lost.add("targets that are not there are left out", e.Source.ID)
	}
}

// output writes the data of a final state.
func (x *xExport) output(o *object, n *diagram.Node) {
	for _, e := range n.State.Element().Children {
		if e.Name == "donedata" {
			if value := x.values(n, e); value != nil {
				o.add("output", value)
			}
		}
	}
}

// values returns the data of a <donedata>, <invoke> or <send> as far as they are JSON, or nil.
func (x *xExport) values(n *diagram.Node, e *scxml.Element) any {
	var all object
	isCode := e.Attr("namelist") != ""
	for _, c := range e.Children {
		value, isJSON := literal(cmp.Or(c.Attr("expr"), strings.TrimSpace(c.Text)))
		switch {
		case c.Name != "param" && c.Name != "content":
		case !isJSON || all.has(c.Attr("name")):
			isCode = true
		case c.Name == "content":
			return value
		default:
			all.add(c.Attr("name"), value)
		}
	}
	if isCode {
		x.lost.add("data that are not JSON are not written", n.ID)
	}
	if len(all) == 0 {
		return nil
	}
	return all
}
