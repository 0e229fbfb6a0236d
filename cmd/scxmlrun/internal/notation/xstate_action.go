package notation

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/scxmlrun/scxmlrun/datamodel"
)

// executable writes actions into a new element.
func (x *xImport) executable(e *element, name string, v *value) {
	if list := v.all(); len(list) > 0 {
		x.actions(e.add(name), list)
	}
}

func (x *xImport) actions(e *element, list []*value) {
	for _, v := range list {
		x.action(e, v)
	}
}

// action writes an action: one of XState's own, or a call of a function.
func (x *xImport) action(e *element, v *value) {
	typ := v.get("type").str()
	params := cmp.Or(v.get("params"), v)
	switch typ {
	case "xstate.raise", "xstate.send", "xstate.sendTo", "xstate.sendParent":
		x.send(e, typ, params)
	case "xstate.cancel":
		if id := cmp.Or(params.get("sendId"), params.get("id")).str(); id != "" {
			e.add("cancel", "sendid", id)
		}
	case "xstate.log":
		log := e.add("log")
		log.set("label", params.get("label").str())
		if expr := params.get("expr"); expr != nil {
			log.set("expr", x.expr(expr))
		}
	case "xstate.assign":
		assignment := cmp.Or(params.get("assignment"), params.get("assigner"), &value{})
		if assignment.kind != '{' {
			x.note(v.at, "an assignment is not in the file, and is not kept")
		}
		for _, f := range assignment.fields {
			if x.compiles(datamodel.Location, f.name) {
				x.code(f.at, datamodel.ValueExpr, f.name)
				e.add("assign", "location", f.name, "expr", x.expr(f.value))
			}
		}
	case "xstate.stop", "xstate.stopChild", "xstate.spawnChild", "xstate.pure", "xstate.choose", "xstate.enqueueActions", "xstate.emit":
		x.note(v.at, "the action %s is not kept", typ)
	default:
		e.add("script").text = x.call(v, "action")
	}
}

// send writes an event that is raised or sent.
func (x *xImport) send(e *element, typ string, v *value) {
	event := v.get("event")
	name := cmp.Or(event.str(), event.get("type").str())
	if name == "" {
		x.note(v.at, "an event that is sent is not in the file, and is not kept")
		return
	}
	name = strings.TrimRight(x.event(v.at, strings.ReplaceAll(name, "*", "_")), ".")
	to, delay := cmp.Or(v.get("to"), v.get("targetId")).str(), v.get("delay")
	var data []field
	if event.kind == '{' {
		data = slices.DeleteFunc(slices.Clone(event.fields), func(f field) bool { return f.name == "type" })
	}
	if typ == "xstate.raise" && delay == nil && len(data) == 0 {
		e.add("raise", "event", name)
		return
	}
	s := e.add("send", "event", name)
	s.set("id", v.get("id").str())
	switch {
	case typ == "xstate.sendParent", to == "#_parent":
		s.set("target", "#_parent")
	case to != "":
		s.set("target", "#_"+to)
	case typ == "xstate.raise" && delay == nil:
		s.set("target", "#_internal")
	}
	if delay != nil && delay.kind == '0' && !strings.ContainsAny(delay.text, "-eE") {
		s.set("delay", delay.text+"ms")
	} else if delay.str() != "" {
		s.set("delayexpr", "Number("+x.function(delay.at, delay.str())+"()) + 'ms'")
	}
	for _, f := range data {
		s.add("param", "name", f.name, "expr", x.expr(f.value))
	}
}

// call returns the call of the function for a guard or an action, with its parameters.
func (x *xImport) call(v *value, what string) string {
	name := cmp.Or(v.str(), v.get("type").str())
	if v.get("type").str() == "xstate.guard" {
		name = cmp.Or(v.get("name").str(), name)
	}
	if name == "" {
		x.note(v.at, "the code of the %s is not in the file", what)
		name = what
	}
	params := ""
	if p := v.get("params"); p != nil && p.kind != 'n' {
		params = x.text[p.at:p.end]
	}
	return x.function(v.at, name) + "(" + params + ")"
}

// function returns the identifier of the function for a name.
func (x *xImport) function(at int, name string) string {
	if id := x.functions[name]; id != "" {
		return id
	}
	id := x.identifier(name)
	for first, k := id, 2; slices.Contains(x.calls, id) || slices.Contains(x.items, id); k++ {
		id = fmt.Sprintf("%s%d", first, k)
	}
	x.functions[name] = id
	x.builder.call(at, id)
	return id
}
