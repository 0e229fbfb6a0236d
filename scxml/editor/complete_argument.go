package editor

import "strings"

// CompleteArgument returns what may be written at an offset of an argument of an operation: event, cond, to
// and actions of a transition, and the actions of set-onentry, set-onexit, add-onentry and add-onexit. Offsets
// in the result are those of the argument. There is nothing to write where the operation names nothing
// that is there.
func (d *Document) CompleteArgument(op Operation, argument string, offset int) Completion {
	value := op.Args[argument]
	offset = max(0, min(offset, len(value)))
	none := Completion{Replace: Span{offset, offset}}
	attr, ok := map[string]string{"event": "event", "cond": "cond", "to": "target", "actions": ""}[argument]
	if !ok || d.isWhole() != nil {
		return none
	}
	w := &draft{Document: d, chart: d.charts[0], args: op.Args}
	at, err := w.place(op.Op, attr, value, offset)
	if err != nil {
		return none
	}
	c := d.Change(ApplyEdits(d.text, w.edits)).Complete(at)
	c.Replace = Span{offset - (at - c.Replace.Start), offset + (c.Replace.End - at)}
	if c.Replace.Start < 0 || c.Replace.End > len(value) {
		return none
	}
	if prefix := w.prefix(w.chart.root); prefix != "" && attr == "" { // content writes it
		for i := range c.Items {
			it := &c.Items[i]
			it.Cursor -= len(prefix) * strings.Count(it.Insert[:it.Cursor], prefix)
			it.Label, it.Insert = strings.ReplaceAll(it.Label, prefix, ""), strings.ReplaceAll(it.Insert, prefix, "")
		}
	}
	return c
}

// place writes the value of an argument where it belongs, as it is, and returns where an offset of it is in
// the changed document. attr is the attribute of a transition that the argument is; "" for actions.
func (w *draft) place(op, attr, value string, offset int) (int, error) {
	if attr == "" {
		if tag, ok := strings.CutPrefix(strings.Replace(op, "add-", "set-", 1), "set-on"); ok {
			return w.placeHandler(op, "on"+tag, value, offset)
		}
	}
	t, err := w.transition()
	if err != nil {
		return 0, err
	}
	if attr == "" {
		return w.placeInside(t, "", "", value, offset), nil
	}
	text := " " + attr + `="`
	w.edit(Span{t.name.End, t.name.End}, text+escapeValue(value, `"`)+`"`)
	if a := w.attribute(t, attr); a != nil {
		w.edit(w.wholeAttribute(t, *a), "")
	}
	return t.name.End + len(text+escapeValue(value[:offset], `"`)), nil
}

// placeHandler does so in an <onentry> or <onexit> of a state.
func (w *draft) placeHandler(op, tag, value string, offset int) (int, error) {
	s, err := w.inner("state")
	if err != nil {
		return 0, err
	}
	if all := those(s.node, tag); len(all) > 0 && strings.HasPrefix(op, "set-") {
		n, err := w.number(all, tag)
		if err != nil {
			return 0, err
		}
		return w.placeInside(n, "", "", value, offset), nil
	}
	tag = w.prefix(s.node) + tag
	return w.placeInside(s.node, "<"+tag+">", "</"+tag+">", value, offset), nil
}

// placeInside writes a value between two texts at the start of an element; without the texts, instead of what
// is in it.
func (w *draft) placeInside(n *node, open, end, value string, offset int) int {
	at := Span{n.head.End, n.head.End}
	switch {
	case n.empty:
		at.Start -= len("/>")
		open, end = ">"+open, end+"</"+w.at(n.name)+">"
	case open == "":
		at = n.body()
	}
	w.edit(at, open+value+end)
	return at.Start + len(open) + offset
}
