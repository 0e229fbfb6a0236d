package notation

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/scxmlrun/scxmlrun/scxml"
	"github.com/scxmlrun/scxmlrun/scxml/diagram"
)

// A group is transitions in the order of their first keys.
type group struct {
	keys []string
	all  map[string][]any
}

func (g *group) add(key string, transition any) {
	if g.all == nil {
		g.all = make(map[string][]any)
	}
	if g.all[key] == nil {
		g.keys = append(g.keys, key)
	}
	g.all[key] = append(g.all[key], transition)
}

// write writes the transitions as a field, if there are any.
func (g *group) write(o *object, name string) {
	var fields object
	for _, key := range g.keys {
		fields.add(key, oneOrAll(g.all[key]))
	}
	if len(fields) > 0 {
		o.add(name, fields)
	}
}

func oneOrAll(list []any) any {
	if len(list) == 1 {
		return list[0]
	}
	return list
}

// transitions writes the services and the transitions of a state.
func (x *xExport) transitions(o *object, n *diagram.Node) {
	var on, after, own group // own: "always", "onDone", and the ids of services
	var wild []string        // what earlier transitions take with longer names
	services, only := x.invoked(n), ""
	if len(services) == 1 {
		only = services[0]
	}
	for _, e := range n.Edges {
		if e.Kind != diagram.Transition {
			continue
		}
		t := x.transition(e)
		if e.Event == "" {
			own.add("always", t)
		}
		for word := range strings.FieldsSeq(e.Event) {
			base, _ := descriptor(word)
			if delay, isTimer := x.timers[timerOf{n, base}]; isTimer {
				after.add(strconv.FormatInt(delay.Milliseconds(), 10), t)
				continue
			}
			for _, w := range wild {
				if w != base && covers(w, base) {
					x.lost.add("transitions for longer names of events come first", n.ID)
				}
			}
			x.checkRegions(e, base)
			id, isInvoked := strings.CutPrefix(base, "done.invoke.")
			switch {
			case only != "" && base != "" && covers(base, "error.communication"):
				own.add(onError+only, t)
				if !x.ofService(e) {
					x.platform(n, base) // it may also be the error of a <send>
				}
			case base == "error.execution" && x.ofService(e): // written with error.communication
			case base == "done.state."+n.ID && base != "done.state.":
				own.add("onDone", t)
			case isInvoked && slices.Contains(services, id):
				own.add(base, t)
			default:
				key := x.platform(n, base)
				if base == "" || x.wild[base] {
					wild = append(wild, base)
					key = strings.TrimPrefix(key+".*", ".")
				}
				on.add(key, t)
			}
		}
	}
	o.addList("invoke", x.services(n, &own))
	on.write(o, "on")
	after.write(o, "after")
	for _, name := range []string{"onDone", "always"} {
		if list := own.all[name]; list != nil {
			o.add(name, oneOrAll(list))
		}
	}
}

// platform returns the name that XState has for an event of the platform.
func (x *xExport) platform(n *diagram.Node, event string) string {
	for _, p := range [][2]string{{"done.state", "xstate.done.state"}, {"done.invoke", "xstate.done.actor"}} {
		if rest, ok := strings.CutPrefix(event, p[0]); ok && (rest == "" || rest[0] == '.') {
			return p[1] + rest
		}
	}
	if covers("error", event) {
		x.lost.add("XState has no error events of these names", n.ID)
	}
	return event
}

// checkRegions notes transitions that XState does not look at. REC 3.13: each active atomic state looks for a
// transition of its own, and the two conflict only if both leave something.
func (x *xExport) checkRegions(e *diagram.Edge, event string) {
	var parallel *diagram.Node
	for n := e.Source; n != nil; n = n.Parent {
		if n != e.Source && n.Kind == scxml.KindParallel {
			parallel = n
		}
		if parallel == nil {
			continue
		}
		for other, stays := range x.takes[n] {
			if (covers(other, event) || covers(event, other)) && (stays || len(e.Targets) == 0) {
				x.lost.add("where a region takes an event, XState does not look at the transitions around it", parallel.ID)
			}
		}
	}
}

func (x *xExport) transition(e *diagram.Edge) any {
	var t object
	n := e.Source
	x.target(&t, e)
	around := n.Parent // what contains the source and all targets
	reenter := false
	for _, target := range e.Targets {
		reenter = reenter || target.Within(n) && !e.StaysInside()
		for around != nil && !target.Within(around) {
			around = around.Parent
		}
	}
	if len(e.Targets) > 0 && !e.StaysInside() && around != nil && around.Kind == scxml.KindParallel {
		x.lost.add("transitions that leave all of a parallel state leave less", around.ID)
	}
	if e.Cond.Whole != "" && !x.ofService(e) {
		t.add("guard", oneLine(e.Cond.Whole))
		x.isCode(n)
	}
	if reenter {
		t.add("reenter", true)
	}
	if element := e.Transition.Element(); element != nil {
		t.addList("actions", x.actions(n, element.Children))
		about := strings.TrimSpace(element.Comment)
		for _, l := range e.Actions {
			if l.Kind == diagram.Problem {
				about = strings.TrimSpace(l.Whole + "\n" + about)
			}
		}
		if about != "" {
			t.add("description", about)
		}
	}
	if len(t) == 1 && t[0].key == "target" {
		return t[0].value
	}
	return t
}

func (x *xExport) isCode(n *diagram.Node) {
	x.lost.add("guards and actions are names, to which provide() has to give code", n.ID)
}

// actions writes executable content. What JSON cannot express is an action with the text of it as its name.
func (x *xExport) actions(n *diagram.Node, elements []*scxml.Element) []any {
	var all []any
	for _, e := range elements {
		if x.inTimer[e.Pos] {
			continue
		}
		x.isCode(n)
		event := object{{"type", e.Attr("event")}}
		if data, ok := x.sent(e).(object); ok {
			event = append(event, data...)
		}
		params := object{{"event", event}}
		if id := e.Attr("id"); id != "" {
			params.add("id", id)
		}
		if delay := x.delays[e.Pos]; delay > 0 || e.Name == "send" && e.Attr("target") == "" {
			params.add("delay", delay.Milliseconds())
		}
		typ := ""
		to, toSession := strings.CutPrefix(e.Attr("target"), "#_")
		switch {
		case e.Name == "cancel" && e.Attr("sendid") != "":
			typ, params = "xstate.cancel", object{{"sendId", e.Attr("sendid")}}
		case e.Name == "raise", e.Name == "send" && x.isPlain(e) && (to == "internal" || to == ""):
			typ = "xstate.raise"
		case e.Name == "send" && x.isPlain(e) && to == "parent":
			typ = "xstate.sendParent"
		case e.Name == "send" && x.isPlain(e) && toSession && !strings.HasPrefix(to, "scxml_"):
			typ = "xstate.sendTo"
			params = append(object{{"to", to}}, params...)
		default:
			all = append(all, oneLine(cmp.Or(x.lines[e.Pos].Whole, e.Name)))
			continue
		}
		all = append(all, object{{"type", typ}, {"params", params}})
	}
	return all
}

// sent returns the data of a <send> if they are JSON, and nil if it has none.
func (x *xExport) sent(e *scxml.Element) any {
	var all object
	for _, c := range e.Children {
		value, isJSON := literal(c.Attr("expr"))
		if name := c.Attr("name"); c.Name != "param" || !isJSON || name == "type" || all.has(name) {
			return "code"
		}
		all.add(c.Attr("name"), value)
	}
	return all
}

// isPlain reports whether everything about a <send> is known.
func (x *xExport) isPlain(e *scxml.Element) bool {
	for _, a := range e.Attrs {
		if strings.HasSuffix(a.Name, "expr") || a.Name == "idlocation" || a.Name == "namelist" || a.Name == "type" && a.Value != "" {
			return false
		}
	}
	_, known := x.sent(e).(object)
	return known && e.Attr("event") != ""
}

// onError is before the ids of services for the transitions of their errors.
const onError = "error:"

// invoked returns the ids of what a state invokes.
func (x *xExport) invoked(n *diagram.Node) (ids []string) {
	for _, e := range n.State.Element().Children {
		if e.Name == "invoke" {
			ids = append(ids, e.Attr("id"))
		}
	}
	return ids
}

// ofService reports whether a transition is for the errors of the only service of its state, as import writes it.
func (x *xExport) ofService(e *diagram.Edge) bool {
	ids := x.invoked(e.Source)
	return len(ids) == 1 && e.Event == "error.communication error.execution" && e.Cond.Whole == "_event.invokeid === "+strconv.Quote(ids[0])
}

// services writes what a state invokes.
func (x *xExport) services(n *diagram.Node, done *group) (all []any) {
	for _, e := range n.State.Element().Children {
		if e.Name != "invoke" {
			continue
		}
		var o object
		id := e.Attr("id")
		if id != "" {
			o.add("id", id)
		}
		typ := e.Attr("type")
		if typ == "scxml" || strings.HasPrefix(typ, "http://www.w3.org/TR/scxml") {
			typ = ""
		}
		o.add("src", cmp.Or(typ, e.Attr("src"), e.Attr("srcexpr"), e.Attr("typeexpr"), id, "service"))
		if input := x.values(n, e); input != nil {
			o.add("input", input)
		}
		for _, key := range [][2]string{{"onDone", "done.invoke." + id}, {"onError", onError + id}} {
			if list := done.all[key[1]]; list != nil {
				o.add(key[0], oneOrAll(list))
				delete(done.all, key[1]) // another service may have the id
			}
		}
		x.lost.add("what is invoked is a name, to which provide() has to give an actor", n.ID)
		for _, c := range e.Children {
			if c.Name == "finalize" {
				x.lost.add("<finalize> is not written", n.ID)
			}
		}
		if src := e.Attr("src") + e.Attr("srcexpr"); typ != "" && src != "" {
			x.lost.add("src is not written: the type names the actor", n.ID)
		}
		if e.Attr("autoforward") == "true" {
			x.lost.add("autoforward is not written", n.ID)
		}
		all = append(all, o)
	}
	return all
}
