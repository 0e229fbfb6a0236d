package editor

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/scxmlrun/scxmlrun/datamodel"
)

// transition returns the transition that the argument "transition" names.
func (w *draft) transition() (*node, error) {
	name := w.args["transition"]
	i := strings.LastIndexByte(name, '/')
	if i < 0 {
		return nil, fmt.Errorf(`transition: %.100q does not name a transition: want the state, a slash and the number among its transitions, such as "a/1"`, name)
	}
	s, err := w.stateNamed(name[:i])
	if err != nil {
		return nil, fmt.Errorf("transition: %w", err)
	}
	all := those(s.node, "transition")
	if name[i+1:] == "initial" {
		if s.node.tag == "history" && len(all) == 1 {
			return all[0], nil
		}
		if t := w.initialOf(s.node); t != nil {
			return t, nil
		}
		return nil, fmt.Errorf("transition: %q has no default transition; set-initial says what it enters", name[:i])
	}
	number, err := strconv.Atoi(name[i+1:])
	if err != nil || number < 1 || number > len(all) || s.node.tag == "history" {
		return nil, fmt.Errorf("transition: %q has %d transitions, and none with the number %.20q", name[:i], len(all), name[i+1:])
	}
	return all[number-1], nil
}

// ordinary returns the transition that the argument "transition" names unless it is a default one.
func (w *draft) ordinary() (*node, error) {
	t, err := w.transition()
	if err == nil && (t.parent.state == nil || t.parent.tag == "history") {
		err = fmt.Errorf("transition: %q is the default transition of a <%s>, which it needs", w.args["transition"], t.parent.tag)
	}
	return t, err
}

// source returns the state of the argument "from", which can have transitions.
func (w *draft) source() (*state, error) {
	s, err := w.inner("from")
	if err == nil && s.node.tag != "state" && s.node.tag != "parallel" {
		err = fmt.Errorf("from: a <%s> has no transitions", s.node.tag)
	}
	return s, err
}

// areEvents returns an error unless the argument "event" has event descriptors.
func (w *draft) areEvents() error {
	for _, word := range strings.Fields(w.args["event"]) {
		name := strings.TrimSuffix(strings.TrimSuffix(word, ".*"), ".")
		if word == "*" {
			continue
		}
		if err := datamodel.CheckEventName(name); err != nil {
			return fmt.Errorf("event: %w", err)
		}
		if strings.ContainsAny(name, `"'<>&,/[]*+()`) {
			return fmt.Errorf("event: %.100q is not an event descriptor: use letters, digits, \"-\" and \"_\", with dots between tokens; separate several by spaces", word)
		}
	}
	return nil
}

// words returns an argument with one blank between its words.
func (w *draft) words(arg string) string { return strings.Join(strings.Fields(w.args[arg]), " ") }

func (w *draft) addTransition() error {
	s, err := w.source()
	if err != nil {
		return err
	}
	if err := w.areEvents(); err != nil {
		return err
	}
	if err := w.areStates("to", w.args["to"]); err != nil {
		return err
	}
	content, err := w.content(s.node, "actions")
	if err != nil {
		return err
	}
	typ := w.args["type"]
	if typ == "external" {
		typ = ""
	}
	w.add(s.node, w.filled(s.node, content, "transition", "event", w.words("event"), "cond", w.args["cond"], "target", w.words("to"), "type", typ), "transition")
	return nil
}

// setOfTransition gives an attribute of a transition a value.
func (w *draft) setOfTransition(name, value string) error {
	t, err := w.ordinary()
	if err == nil {
		w.setAttr(t, name, value)
	}
	return err
}

func (w *draft) setEvent() error {
	if err := w.areEvents(); err != nil {
		return err
	}
	return w.setOfTransition("event", w.words("event"))
}

func (w *draft) setTarget() error {
	t, err := w.transition()
	if err != nil {
		return err
	}
	to := w.words("to")
	if err := w.areStates("to", to); err != nil {
		return err
	}
	if to == "" {
		if _, err := w.ordinary(); err != nil {
			return err
		}
	}
	w.setAttr(t, "target", to)
	return nil
}

func (w *draft) setType() error {
	typ := w.args["type"]
	if typ == "external" {
		typ = ""
	}
	return w.setOfTransition("type", typ)
}

func (w *draft) setActions() error {
	t, err := w.transition()
	if err != nil {
		return err
	}
	return w.setContent(t, "actions")
}

func (w *draft) moveTransition() error {
	t, err := w.ordinary()
	if err != nil {
		return err
	}
	s, err := w.source()
	if err != nil || s.node == t.parent {
		return err
	}
	text := moveLines(w.at(t.span), w.indent(t), "", "\n")
	w.remove(t)
	w.add(s.node, text, "transition")
	return nil
}

func (w *draft) orderTransition() error {
	t, err := w.ordinary()
	if err != nil {
		return err
	}
	all := those(t.parent, "transition")
	if w.args["before"] == "" {
		w.move(t, t.parent, all[len(all)-1])
		return nil
	}
	number, err := strconv.Atoi(w.args["before"])
	if err != nil || number < 1 || number > len(all) {
		return fmt.Errorf("before: want a number from 1 to %d", len(all))
	}
	if next := all[number-1]; next != t {
		w.before(t, next)
	}
	return nil
}

func (w *draft) duplicateTransition() error {
	t, err := w.ordinary()
	if err == nil {
		w.insert(t.parent, t, moveLines(w.at(t.span), w.indent(t), "", "\n"))
	}
	return err
}

func (w *draft) deleteTransition() error {
	t, err := w.ordinary()
	if err == nil {
		w.remove(t)
	}
	return err
}

func (w *draft) addData() error {
	s, err := w.state("in")
	if err != nil {
		return err
	}
	item := w.filled(s.node, "", "data", "id", w.args["id"], "expr", w.args["expr"])
	if err := w.freeVariable(&word{kind: dataWord, node: s.node}, w.args["id"]); err != nil {
		return fmt.Errorf("id: %w", err)
	}
	if all := those(s.node, "datamodel"); len(all) > 0 {
		var last *node
		if items := all[0].children; len(items) > 0 {
			last = items[len(items)-1]
		}
		w.insert(all[0], last, item)
		return nil
	}
	w.add(s.node, w.filled(s.node, item, "datamodel"), "datamodel")
	return nil
}

// data returns the <data> that the argument "id" names.
func (w *draft) data() (*node, error) {
	for _, u := range w.chart.words {
		if u.kind == dataWord && u.use == defines && u.name == w.args["id"] && u.node.tag == "data" {
			return u.node, nil
		}
	}
	return nil, fmt.Errorf("id: %.100q is not a data item%s", w.args["id"], w.nearWord(dataWord, w.args["id"]))
}

func (w *draft) setData() error {
	n, err := w.data()
	if err != nil {
		return err
	}
	if w.hasAttr(n, "src") || !n.empty && strings.TrimSpace(w.at(n.body())) != "" {
		return fmt.Errorf("id: the value of %q is in its content or in a file: change it there", w.args["id"])
	}
	w.setAttr(n, "expr", w.args["expr"])
	return nil
}

func (w *draft) addInvoke() error {
	s, err := w.inner("state")
	if err != nil {
		return err
	}
	if id := w.args["id"]; id != "" {
		if !xmlName().MatchString(id) {
			return fmt.Errorf("id: %.100q is not an id: use letters, digits, \"-\", \".\" and \"_\", beginning with a letter", id)
		}
		if slices.ContainsFunc(w.chart.words, func(u word) bool { return u.kind == invokeWord && u.use == defines && u.name == id }) {
			return fmt.Errorf("id: %q is already that of an invocation", id)
		}
	}
	text, err := w.content(s.node, "content")
	if err == nil {
		w.add(s.node, w.filled(s.node, text, "invoke", "id", w.args["id"], "type", w.args["type"], "src", w.args["src"]), "invoke")
	}
	return err
}

func (w *draft) deleteInvoke() error {
	s, err := w.inner("state")
	if err != nil {
		return err
	}
	n, err := w.number(those(s.node, "invoke"), "invoke")
	if err == nil {
		w.remove(n)
	}
	return err
}

func (w *draft) setDoneData() error {
	s, err := w.inner("state")
	if err != nil {
		return err
	}
	if s.node.tag != "final" {
		return fmt.Errorf("state: %q is not a <final>", w.name(s))
	}
	all := those(s.node, "donedata")
	text, err := w.content(s.node, "content")
	switch {
	case err != nil:
		return err
	case len(all) > 0 && text == "":
		w.remove(all[0])
	case len(all) > 0:
		return w.setContent(all[0], "content")
	case text != "":
		w.add(s.node, w.filled(s.node, text, "donedata"), "donedata")
	}
	return nil
}

func (w *draft) setScript() error {
	root, code := w.chart.root, w.args["script"]
	text := code
	if strings.ContainsAny(code, "<&") {
		text = "<![CDATA[" + strings.ReplaceAll(code, "]]>", "]]]]><![CDATA[>") + "]]>"
	}
	all := those(root, "script")
	switch {
	case len(all) > 0 && w.hasAttr(all[0], "src"):
		return fmt.Errorf("script: the code is in the file %q: change it there", w.attr(all[0], "src"))
	case len(all) > 0 && code == "":
		w.remove(all[0])
	case len(all) > 0 && all[0].empty:
		w.insert(all[0], nil, text)
	case len(all) > 0:
		w.edit(trimmed(w.text, all[0].body()), text)
	case code != "":
		w.add(root, w.element(root, "script")+">"+text+"</"+w.prefix(root)+"script>", "script")
	}
	return nil
}
