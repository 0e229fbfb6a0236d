package editor

import (
	"errors"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"

	"github.com/scxmlrun/scxmlrun/datamodel"
	"github.com/scxmlrun/scxmlrun/datamodel/ecmascript"
	"github.com/scxmlrun/scxmlrun/scxml/internal/doc"
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
// In each case the chart must not have the name as a text in its code, outside of In(), and its script
// files must not have it at all. What the host of the chart, scenarios and recordings know by its name
// is not seen.
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

// occurrences returns the words to change when w gets another name. The error says why there may be
// more.
func (d *Document) occurrences(w *word) ([]word, error) {
	c := w.node.chart
	if c.escape != (Span{}) {
		return nil, fmt.Errorf("the name at %s is written with a character reference, and may be the same", d.where(c.escape.Start))
	}
	if strings.ContainsAny(w.name, " \t\r\n") {
		return nil, fmt.Errorf("%q is not a name: it contains white space", w.name)
	}
	if err := d.inFiles(w); err != nil {
		return nil, err
	}
	for _, other := range d.charts {
		if i := slices.IndexFunc(other.words, func(o word) bool { return o.kind == sendWord && w.kind == sendWord && o.name == w.name }); i >= 0 && other != c {
			return nil, fmt.Errorf("another chart uses %q at %s", w.name, d.where(other.words[i].span.Start))
		}
	}
	words := slices.DeleteFunc(d.related(w), func(o word) bool { return o.name != w.name || o.node.chart != c })
	defined := 0
	for _, o := range words {
		if o.use == defines {
			defined++
		}
	}
	switch {
	case w.kind == eventWord:
		return words, d.ownEvent(w)
	case defined == 0 && w.kind == dataWord:
		return nil, fmt.Errorf("%q is not a data item of this document", w.name)
	case defined == 0:
		return nil, fmt.Errorf("%q is not defined in this document", w.name)
	case defined > 1 && w.kind == stateWord:
		return nil, fmt.Errorf("more than one state has the id %q", w.name)
	case w.kind == dataWord:
		return words, d.ownVariable(w, words)
	}
	if err := d.computed(w); err != nil {
		return nil, err
	}
	return words, d.asText(w)
}

// inFiles returns an error if a script file of the chart has the name, or cannot be read.
func (d *Document) inFiles(w *word) error {
	for _, at := range w.node.chart.files {
		src := strings.TrimSpace(d.at(at))
		text, err := d.script(src)
		if err != nil {
			return fmt.Errorf("%s may use %q and cannot be read: %w", src, w.name, err)
		}
		for _, t := range tokens(text) {
			same := text[t.from:t.to] == w.name
			if t.kind == '"' || t.kind == '`' {
				same = strings.Contains(text[t.from:t.to], w.name)
			} else if w.kind == eventWord || w.kind == stateWord {
				same = false // they are texts in code
			}
			if same {
				line := strings.Count(text[:t.from], "\n")
				return fmt.Errorf("%s:%d:%d has %q too: rename it there first", src, line+1, len([]rune(text[strings.LastIndexByte(text[:t.from], '\n')+1:t.from]))+1, text[t.from:t.to])
			}
		}
	}
	return nil
}

// maxScript is how much is read of a script file.
const maxScript = 4 << 20

// script returns the text of a script file.
func (d *Document) script(src string) (string, error) {
	name, err := doc.FileName(src)
	if err != nil {
		return "", err
	}
	if d.opts.Files == nil {
		return "", errors.New("there is no folder to read it from")
	}
	f, err := doc.OpenFile(d.opts.Files, name)
	if err != nil {
		return "", err
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, maxScript+1))
	if err == nil && len(text) > maxScript {
		err = fmt.Errorf("it has more than %d MB", maxScript>>20)
	}
	return string(text), err
}

// computed returns an error if an expression may compute the name.
func (d *Document) computed(w *word) error {
	attrs := map[wordKind][]string{sendWord: {"sendidexpr"}, invokeWord: {"targetexpr"}, eventWord: {"eventexpr"}}[w.kind]
	for _, piece := range w.node.chart.codes {
		if w.kind == stateWord {
			s := d.read(piece.span)
			all := tokens(s.text)
			for i, t := range all {
				if t.kind == 'a' && s.text[t.from:t.to] == "In" && (i+2 >= len(all) || all[i+1].kind != '(' || all[i+2].kind != '"' || i+3 < len(all) && all[i+3].kind != ')') {
					return fmt.Errorf("the argument of In() at %s is computed, and may be %q", d.where(s.offset(t.from)), w.name)
				}
			}
			continue
		}
		if slices.Contains(attrs, piece.attr) && !(piece.attr == "eventexpr" && d.elsewhere(piece.node)) {
			return fmt.Errorf("%s at %s computes a name that may be %q", piece.attr, d.where(piece.span.Start), w.name)
		}
	}
	return nil
}

// elsewhere reports whether the event of a <send> cannot come back to the session by itself.
func (d *Document) elsewhere(n *node) bool {
	target := d.attr(n, "target")
	return target == "#_parent" || strings.HasPrefix(target, "#_") && target != "#_internal"
}

// asText returns an error if code has the name, or an event of the engine with it, as a text.
func (d *Document) asText(w *word) error {
	for i := range w.node.chart.codes {
		piece := &w.node.chart.codes[i]
		if !strings.Contains(d.at(piece.span), w.name) {
			continue
		}
		s := d.read(piece.span)
		all := tokens(s.text)
		ids := inStates(s.text, all)
		for _, t := range all {
			if t.kind != '"' && t.kind != '`' || slices.Contains(ids, t) {
				continue
			}
			text := strings.Trim(s.text[t.from:t.to], "`")
			if text == w.name || strings.HasSuffix(text, "."+w.name) || w.kind == invokeWord && text == "#_"+w.name ||
				t.kind == '`' && strings.Contains(text, w.name) || w.kind == eventWord && strings.HasPrefix(text, w.name+".") {
				return fmt.Errorf("the code at %s has %q as a text, which may mean the same", d.where(s.offset(t.from)), text)
			}
		}
	}
	return nil
}

// ownVariable returns an error unless all uses of a data item are known.
func (d *Document) ownVariable(w *word, words []word) error {
	c := w.node.chart
	if !d.isECMAScript(c) {
		return errors.New("only data of ECMAScript can be renamed")
	}
	if c.invoke != nil && w.node.parent != nil && w.node.parent.parent == c.root {
		return fmt.Errorf("the <invoke> at %s may give %q its value", d.where(c.invoke.span.Start), w.name)
	}
	for i := range c.codes {
		piece := &c.codes[i]
		raw := d.at(piece.span)
		if piece.role == locations && slices.Contains(strings.Fields(raw), w.name) {
			return fmt.Errorf("the namelist at %s hands %q over under that name: write a <param> instead", d.where(piece.span.Start), w.name)
		}
		named := strings.Contains(raw, w.name)
		if !named && !strings.Contains(raw, "eval") && !strings.Contains(raw, "Function") {
			continue
		}
		var failed error
		d.pieces(piece, func(s *snippet) {
			if failed == nil {
				failed = d.clear(piece, s, w.name, words)
			}
		})
		if failed != nil {
			return failed
		}
	}
	return nil
}

// clear returns an error if it is not clear what a name means everywhere in some code.
func (d *Document) clear(c *code, s *snippet, name string, words []word) error {
	all := tokens(s.text)
	for i, t := range all {
		if t.kind != 'a' {
			continue
		}
		text := s.text[t.from:t.to]
		at := s.offset(t.from)
		if text == "eval" || text == "Function" {
			return fmt.Errorf("the code at %s may use %q with %s", d.where(at), name, text)
		}
		if text != name || isKey(all, i) {
			continue
		}
		if isMember(all, i) {
			if before := s.text[all[max(i-2, 0)].from:all[max(i-2, 0)].to]; before == "this" || before == "globalThis" {
				return fmt.Errorf("the code at %s uses %q as a property of %s", d.where(at), name, before)
			}
			continue
		}
		if !slices.ContainsFunc(words, func(w word) bool { return w.span.Start == at }) {
			return fmt.Errorf("%q at %s may be another variable", name, d.where(at))
		}
	}
	if _, err := namesIn(c, s); err != nil {
		return fmt.Errorf("the code at %s has a syntax error", d.where(s.start))
	}
	return nil
}

// ownEvent returns an error unless the chart itself sends and takes an event, and nobody else does as
// far as the text tells.
func (d *Document) ownEvent(w *word) error {
	if w.name == "" {
		return errors.New(`"*" stands for all events`)
	}
	if root, _, _ := strings.Cut(w.name, "."); root == "done" || root == "error" {
		return fmt.Errorf("the engine raises %q", w.name)
	}
	sent, taken := false, false
	for _, o := range d.related(w) {
		switch {
		case o.node.chart != w.node.chart:
			return fmt.Errorf("the chart at %s uses the event too", d.where(o.node.chart.root.span.Start))
		case o.use == sends && !o.alone:
			return fmt.Errorf("the event goes to another session at %s, which knows it by its name", d.where(o.span.Start))
		}
		sent = sent || o.use == sends
		taken = taken || o.use == takes
	}
	switch {
	case !sent:
		return fmt.Errorf("nothing in this document sends %q: its name belongs to those who do", w.name)
	case !taken:
		return fmt.Errorf("no transition here takes %q: its name belongs to those who listen to it", w.name)
	}
	if err := d.computed(w); err != nil {
		return err
	}
	return d.asText(w)
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
			if table.Matches(w.name, name) != table.Matches(after, change(name)) {
				return fmt.Errorf("the transition at %s, for %q, would no longer take the same events: it is about %q too", d.where(w.span.Start), w.name, name)
			}
		}
	}
	return nil
}

// xmlName matches ids that every processor accepts.
var xmlName = regexp.MustCompile(`^[\pL_][\pL\pN_.-]*$`)

// free returns an error unless w can be called to.
func (d *Document) free(w *word, to string) error {
	if w.kind == eventWord {
		if err := datamodel.CheckEventName(to); err != nil {
			return err
		}
		if strings.ContainsAny(to, `"'<>&,/[]*+()`) {
			return fmt.Errorf("%q is not a good name for an event: use letters, digits, \"-\" and \"_\", with dots between tokens", to)
		}
		if root, _, _ := strings.Cut(to, "."); root == "done" || root == "error" {
			return fmt.Errorf("events that begin with %q are those of the engine", root)
		}
	} else if w.kind == dataWord {
		return d.freeVariable(w, to)
	} else if !xmlName.MatchString(to) {
		return fmt.Errorf("%q is not an id: use letters, digits, \"-\", \".\" and \"_\", beginning with a letter", to)
	}
	for _, o := range w.node.chart.words {
		if o.kind == w.kind && o.name == to {
			return fmt.Errorf("%q is already used at %s", to, d.where(o.span.Start))
		}
	}
	if w.kind == stateWord {
		if used := d.inCode(w.node.chart, stateWord, to); len(used) > 0 {
			return fmt.Errorf("%q is already used at %s", to, d.where(used[0].span.Start))
		}
	}
	return d.asText(&word{kind: w.kind, name: to, node: w.node})
}

// freeVariable returns an error unless a data item can be called to.
func (d *Document) freeVariable(w *word, to string) error {
	names, err := namesIn(&code{role: location}, &snippet{text: to})
	if err != nil || len(names) != 1 || names[0].Text != to {
		return fmt.Errorf("%q is not the name of a variable: use letters, digits and \"_\", beginning with a letter", to)
	}
	checker, _ := ecmascript.New().(datamodel.Checker)
	if checker != nil && slices.Contains(checker.Names(), to) || strings.HasPrefix(to, "_") {
		return fmt.Errorf("%q is a name of the data model", to)
	}
	for _, o := range w.node.chart.words {
		if o.kind == dataWord && o.name == to {
			return fmt.Errorf("%q is already used at %s", to, d.where(o.span.Start))
		}
	}
	for _, piece := range w.node.chart.codes {
		s := d.read(piece.span)
		all := tokens(s.text)
		for i, t := range all {
			if t.kind == 'a' && s.text[t.from:t.to] == to && !isMember(all, i) && !isKey(all, i) {
				return fmt.Errorf("%q is already used at %s", to, d.where(s.offset(t.from)))
			}
		}
	}
	return nil
}
