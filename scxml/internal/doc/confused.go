package doc

import (
	"fmt"
	"iter"
	"maps"
	"slices"
	"strings"

	"github.com/scxmlrun/scxmlrun/scxml/internal/xmltree"
)

// The names below, all in lower case, are confused with those of the REC. They come from the drafts
// of SCXML from 2005 to 2014, from other engines and notations, and from programming languages.
// Misspelt names are left to near.

// confusedAttributes maps an attribute of an element to the one that was probably meant.
var confusedAttributes = [numTags]map[string]string{
	tagScxml: {
		"initialstate": "initial", "initial-state": "initial", "start": "initial", "startstate": "initial", "default": "initial",
		"id": "name", "profile": "datamodel", "language": "datamodel", "lang": "datamodel",
	},
	tagState: {
		"name": "id", "initialstate": "initial", "initial-state": "initial", "start": "initial", "startstate": "initial", "default": "initial",
	},
	tagParallel: {"name": "id"},
	tagFinal:    {"name": "id"},
	tagHistory:  {"name": "id", "kind": "type"},
	tagTransition: {
		"next": "target", "to": "target", "goto": "target", "state": "target", "dest": "target", "destination": "target", "ref": "target",
		"on": "event", "name": "event", "trigger": "event",
		"guard": "cond", "condition": "cond", "if": "cond", "when": "cond", "test": "cond", "expr": "cond",
		"kind": "type",
	},
	tagRaise:   {"name": "event", "id": "event", "type": "event"},
	tagIf:      {"test": "cond", "condition": "cond", "expr": "cond", "guard": "cond", "when": "cond"},
	tagElseIf:  {"test": "cond", "condition": "cond", "expr": "cond", "guard": "cond", "when": "cond"},
	tagForeach: {"in": "array", "collection": "array", "items": "array", "list": "array", "expr": "array", "var": "item", "as": "item", "name": "item"},
	tagLog:     {"message": "expr", "msg": "expr", "text": "expr", "value": "expr", "name": "label"},
	tagData:    {"name": "id", "key": "id", "value": "expr", "href": "src", "url": "src", "file": "src"},
	tagAssign:  {"name": "location", "id": "location", "var": "location", "variable": "location", "target": "location", "to": "location", "value": "expr", "from": "expr"},
	tagContent: {"value": "expr"},
	tagParam:   {"id": "name", "key": "name", "value": "expr"},
	tagScript:  {"href": "src", "url": "src", "file": "src"},
	tagSend: {
		"name": "event", "sendid": "id", "targettype": "type", "targettypeexpr": "typeexpr", "to": "target", "after": "delay", "timeout": "delay", "params": "namelist",
	},
	tagCancel: {"id": "sendid", "name": "sendid", "event": "sendid", "idexpr": "sendidexpr"},
	tagInvoke: {
		"targettype": "type", "targettypeexpr": "typeexpr", "href": "src", "url": "src", "file": "src", "invokeid": "id", "name": "id", "forward": "autoforward",
		"params": "namelist",
	},
}

const draft = "it was in early drafts, but is not in the Recommendation"

// attributeNotes says what to write instead of attributes that no other attribute replaces.
var attributeNotes = [numTags]map[string]string{
	tagScxml: {"exmode": draft},
	tagState: notes(handlers, map[string]string{
		"final": "write <final> instead of <state>", "src": draft, "task": draft, "type": "write <final> or <parallel> instead of <state>",
		"parallel": "write <parallel> instead of <state>", "event": `write <transition event="…" target="…"/> in it`, "target": `write <transition event="…" target="…"/> in it`,
	}),
	tagParallel: notes(handlers, map[string]string{"initial": "all of its children are entered", "src": draft}),
	tagFinal:    notes(handlers, map[string]string{"src": draft, "data": "write <donedata> in it", "expr": "write <donedata> in it"}),
	tagTransition: notes(actions, map[string]string{
		"anchor": draft + "; a <history> remembers where a state was left",
		"source": inSource, "from": inSource,
		"delay": timed, "after": timed, "timeout": timed, "send": actionsInside, "raise": actionsInside, "log": actionsInside, "assign": actionsInside,
	}),
	tagOnEntry: notes(actions, conditions),
	tagOnExit:  notes(actions, conditions),
	tagElse:    {"cond": elseIf, "if": elseIf, "test": elseIf, "condition": elseIf, "expr": elseIf},
	tagRaise: notes(conditions, map[string]string{
		"data": raisesNoData, "expr": raisesNoData, "namelist": raisesNoData, "params": raisesNoData, "value": raisesNoData,
		"delay": "<raise> raises its event at once; write <send> for a delay", "target": "<raise> is for the session itself; write <send>",
	}),
	tagLog:    notes(conditions, map[string]string{"level": draft}),
	tagAssign: conditions,
	tagScript: conditions,
	tagCancel: conditions,
	tagSend: notes(conditions, map[string]string{
		"hints": draft, "data": sendsParams, "expr": sendsParams, "content": sendsParams, "value": sendsParams, "param": sendsParams, "body": sendsParams,
	}),
}

// The notes that several elements share.
var (
	handlers = map[string]string{
		"onentry": "write the element <onentry> in it", "onenter": "write the element <onentry> in it", "entry": "write the element <onentry> in it",
		"onexit": "write the element <onexit> in it", "onleave": "write the element <onexit> in it", "exit": "write the element <onexit> in it",
	}
	actions = map[string]string{
		"action": actionsInside, "actions": actionsInside, "effect": actionsInside, "do": actionsInside, "script": actionsInside, "code": actionsInside,
	}
	conditions = map[string]string{"cond": conditional, "if": conditional}
)

const (
	actionsInside = "write elements such as <script> and <assign> in it"
	timed         = "write a <send> with a delay in the <onentry> of the state, and a transition for its event"
	elseIf        = `write <elseif cond="…"/> instead of <else>`
	inSource      = "write the <transition> in the state where it starts"
	raisesNoData  = `<raise> has no data; write <send target="#_internal"> with <param>`
	sendsParams   = "write <param> or <content> in it"
	conditional   = "write an <if> around it"
)

// notes joins lists of notes.
func notes(lists ...map[string]string) map[string]string {
	all := map[string]string{}
	for _, list := range lists {
		maps.Copy(all, list)
	}
	return all
}

// textNotes says what to write instead of text in an element.
var textNotes = map[tag]string{
	tagLog:        `: write <log expr="'…'"/>, with quotes around a text`,
	tagRaise:      `: write the event in the attribute event`,
	tagCancel:     `: write the id in the attribute sendid`,
	tagParam:      `: write the value in the attribute expr`,
	tagSend:       `: write <param> or <content>`,
	tagOnEntry:    codeBelongs,
	tagOnExit:     codeBelongs,
	tagTransition: codeBelongs,
	tagIf:         codeBelongs,
	tagForeach:    codeBelongs,
	tagFinalize:   codeBelongs,
	tagDonedata:   `: write <param> or <content>`,
	tagInvoke:     `: write <content>, <param> or the attribute src`,
	tagDatamodel:  `: write <data id="…" expr="…"/>`,
}

const codeBelongs = ": code belongs in a <script>"

// meantAttribute returns the attribute of e, an element t, that name was probably meant to be, or "".
func (p *parser) meantAttribute(e *xmltree.Element, t tag, name string) string {
	if meant := confusedAttributes[t][strings.ToLower(name)]; meant != "" && e.Attr(meant) == nil {
		return meant
	}
	attrs := rules[t].attrs
	if p.overBudget(len(attrs)) {
		return ""
	}
	return near(name, slices.Values(attrs))
}

// confusedElements maps the name of an element to the one that was probably meant.
var confusedElements = map[string]tag{
	"event": tagRaise, "emit": tagRaise, "fire": tagRaise, "trigger": tagRaise, "dispatch": tagRaise,
	"var": tagData, "variable": tagData,
	"initialstate": tagInitial, "start": tagInitial,
	"cancelid": tagCancel,
	"entry":    tagOnEntry, "enter": tagOnEntry, "onenter": tagOnEntry, "leave": tagOnExit, "onleave": tagOnExit,
	"substate": tagState, "region": tagState, "and": tagParallel, "orthogonal": tagParallel, "end": tagFinal,
	"on": tagTransition, "goto": tagTransition,
	"set": tagAssign, "print": tagLog, "echo": tagLog,
	"elif": tagElseIf, "elsif": tagElseIf, "for": tagForeach, "loop": tagForeach,
	"code": tagScript, "service": tagInvoke,
}

// elementNotes says what to write instead of elements that no other element replaces.
var elementNotes = map[string]string{
	"anchor":    draft + "; a <history> remembers where a state was left",
	"join":      draft + "; when all regions of a <parallel> are done, done.state.ID is raised",
	"sync":      draft + "; with In(), regions of a <parallel> see each other's states",
	"validate":  draft,
	"exit":      draft + "; a session ends in a <final>, and <onexit> holds the actions for when a state is left",
	"target":    "the target is an attribute of <transition>",
	"next":      "the target is an attribute of <transition>",
	"cond":      "a condition is the attribute cond of <transition>, <if> or <elseif>",
	"guard":     "a condition is the attribute cond of <transition>",
	"condition": "a condition is the attribute cond of <transition>, <if> or <elseif>",
	"then":      "put its actions directly into <if>",
	"switch":    "write an <if> with <elseif>",
	"case":      "write an <if> with <elseif>",
	"choice":    "write a <state> with eventless transitions that have a cond",
	"action":    "put its actions directly into <onentry>, <onexit> or <transition>",
	"actions":   "put its actions directly into <onentry>, <onexit> or <transition>",
	"states":    "put the states directly into <scxml> or another state",
	"timer":     timed,
	"after":     timed,
	"timeout":   timed,
	"always":    "write a <transition> without event",
	"do":        "write an <invoke> for what runs while the state is active, and an <onentry> for actions",
	"delay":     "it is an attribute of <send>",
}

// unknownElement reports c, an unknown child of an element parent. It returns the element that c
// was probably meant to be, so that c can be read as that element, or tagUnknown if there is none
// or it is not allowed there.
func (p *parser) unknownElement(c *xmltree.Element, parent tag) tag {
	name := strings.ToLower(c.Local)
	if isAttribute(c, parent) {
		text := strings.Trim(c.Content().Text, xmlSpace)
		if name == "id" {
			p.refused[text] = true
		}
		if text == "" || strings.ContainsAny(text, `<>&"`) {
			text = "…"
		}
		p.errorf(c.Pos(), "unknown-element", "unknown element <%s>: it is an attribute, write <%s %s=%q>", c.Local, parent, name, abridge(text))
		return tagUnknown
	}
	if note := elementNotes[name]; note != "" {
		p.errorf(c.Pos(), "unknown-element", "unknown element <%s>: %s", c.Local, note)
		return tagUnknown
	}
	meant := p.meantElement(c.Local, parent)
	hint := ""
	switch {
	case meant != tagUnknown:
		hint = " (did you mean <" + meant.String() + ">?)"
	case parent == tagDatamodel:
		hint = fmt.Sprintf(`: write <data id=%q expr="…"/>`, abridge(c.Local))
	}
	p.errorf(c.Pos(), "unknown-element", "unknown element <%s>%s", c.Local, hint)
	if !rules[parent].children.has(meant) {
		return tagUnknown
	}
	return meant
}

// isAttribute reports whether c, an unknown child of an element parent, has the name of an attribute
// of it, and could be its value.
func isAttribute(c *xmltree.Element, parent tag) bool {
	return len(c.Attrs)+len(c.Children) == 0 && slices.Contains(rules[parent].attrs, strings.ToLower(c.Local))
}

// meantElement returns the element that name was probably meant to be. It prefers the elements
// that are allowed in parent.
func (p *parser) meantElement(name string, parent tag) tag {
	if meant := confusedElements[strings.ToLower(name)]; meant != tagUnknown {
		return meant
	}
	if p.overBudget(2 * len(elementNames)) {
		return tagUnknown
	}
	if meant := near(name, childNames(parent)); meant != "" {
		return tagByName[meant]
	}
	return tagByName[near(name, slices.Values(elementNames))] // tagUnknown for ""
}

// childNames yields the names of the elements that are allowed in t.
func childNames(t tag) iter.Seq[string] {
	return func(yield func(string) bool) {
		for _, name := range elementNames {
			if rules[t].children.has(tagByName[name]) && !yield(name) {
				return
			}
		}
	}
}
