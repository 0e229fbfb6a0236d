package editor

import (
	"errors"
	"fmt"
	"strings"

	"github.com/scxmlrun/scxmlrun/scxml/internal/table"
)

// CanRename returns the span of the name at an offset that [Document.Rename] can change. The error
// says why it cannot.
//
// A name can be changed where the text shows everything that uses it:
//   - the id of a state, if each In() has a constant;
//   - a data item or a variable of <foreach>, unless a namelist hands it over under its name;
//   - the id of a <send> or an <invoke>, unless an expression computes such an id;
//   - an event that the chart raises, or sends to itself, and takes. Others know the rest of its
//     events by their names.
//
// No code of the chart may have the id or event as a text, outside of In(), and no script file of it the
// name. What the host of the chart, scenarios and recordings know by its name is not seen.
func (d *Document) CanRename(offset int) (Span, error) {
	w := d.wordAt(d.clamp(offset))
	if w == nil {
		return Span{}, errors.New("there is no name here: ids of states, data, sends and invocations, and names of events can be renamed")
	}
	_, err := d.occurrences(w)
	return w.span, err
}

// Rename returns the edits, in document order, that give another name to what is named at an offset.
// The error says why that cannot be done, or not without a change of what the chart does.
func (d *Document) Rename(offset int, to string) ([]Edit, error) {
	w := d.wordAt(d.clamp(offset))
	if w == nil {
		_, err := d.CanRename(offset)
		return nil, err
	}
	words, err := d.occurrences(w)
	if err != nil {
		return nil, err
	}
	if to == w.name {
		return nil, nil
	}
	if err := d.free(w, to); err != nil {
		return nil, err
	}
	if w.kind == eventWord {
		words, err = d.eventRename(w, to, words)
	} else {
		err = d.keepsMatches(w, to)
	}
	if err != nil {
		return nil, err
	}
	var edits []Edit
	for _, o := range words {
		text := to + strings.TrimPrefix(o.name, w.name) // an event may have more tokens
		if o.short {
			text = o.name + ": " + to
		}
		edits = append(edits, Edit{o.span, text})
	}
	return edits, nil
}

// where names a place in a message.
func (d *Document) where(offset int) string {
	line := d.LineAt(offset)
	return fmt.Sprintf("%d:%d", line+1, len([]rune(d.text[d.LineStart(line):offset]))+1)
}

// eventRename returns the words to change when an event gets another name: those with exactly that
// name, or else also those with more tokens, so that the same transitions take the same events.
func (d *Document) eventRename(w *word, to string, exact []word) ([]word, error) {
	if d.keepsMatches(w, to) == nil {
		return exact, nil
	}
	var all []word
	for _, o := range w.node.chart.words {
		if o.kind == eventWord && (o.name == w.name || strings.HasPrefix(o.name, w.name+".")) {
			if o.use == sends && !o.alone {
				return nil, fmt.Errorf("the event %q goes to another session at %s, which knows it by its name", o.name, d.where(o.span.Start))
			}
			all = append(all, o)
		}
	}
	return all, d.matchesAfter(w.node.chart, func(name string) string {
		if name == w.name || strings.HasPrefix(name, w.name+".") {
			return to + name[len(w.name):]
		}
		return name
	})
}

// keepsMatches returns an error unless each transition takes the same events after the exact name of
// w is changed.
func (d *Document) keepsMatches(w *word, to string) error {
	from := w.name
	switch w.kind {
	case stateWord:
		from, to = doneState+from, doneState+to
	case invokeWord:
		from, to = doneInvoke+from, doneInvoke+to
	case eventWord:
	default:
		return nil
	}
	return d.matchesAfter(w.node.chart, func(name string) string {
		if name == from {
			return to
		}
		return name
	})
}

// matchesAfter returns an error unless each transition takes the same events after a change of names.
func (d *Document) matchesAfter(c *chart, change func(string) string) error {
	var names, changed []string      // of events, and those of them that change
	descriptors := map[string]bool{} // that were looked at
	add := func(name string) {
		names = append(names, name)
		if change(name) != name {
			changed = append(changed, name)
		}
	}
	for _, w := range c.words {
		switch {
		case w.kind == eventWord && w.use == sends:
			add(w.name)
		case w.kind == invokeWord && w.use == defines:
			add(doneInvoke + w.name)
		case w.kind == stateWord && w.use == defines:
			add(doneState + w.name)
		}
	}
	for _, w := range c.words {
		if w.kind != eventWord || w.use != takes || descriptors[w.name] {
			continue
		}
		descriptors[w.name] = true
		after := change(w.name)
		compare := changed
		if after != w.name {
			compare = names
		}
		for _, name := range compare {
			switch before, now := table.Matches(w.name, name), table.Matches(after, change(name)); {
			case before && !now:
				return fmt.Errorf("the transition at %s would no longer take %q", d.where(w.span.Start), name)
			case now && !before:
				return fmt.Errorf("the transition at %s would also take %q", d.where(w.span.Start), name)
			}
		}
	}
	return nil
}
