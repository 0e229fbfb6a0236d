package editor

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/scxmlrun/scxmlrun/scxml/internal/doc"
)

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
		all := tokens(text)
		if at := computedIn(text, all); w.kind == stateWord && at >= 0 {
			return fmt.Errorf("the argument of In() in %s is computed, and may be %q", src, w.name)
		}
		for _, t := range all {
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
			if at := computedIn(s.text, tokens(s.text)); at >= 0 {
				return fmt.Errorf("the argument of In() at %s is computed, and may be %q", d.where(s.offset(at)), w.name)
			}
			continue
		}
		if slices.Contains(attrs, piece.attr) && !(piece.attr == "eventexpr" && d.elsewhere(piece.node)) {
			return fmt.Errorf("%s at %s computes a name that may be %q", piece.attr, d.where(piece.span.Start), w.name)
		}
	}
	return nil
}

// computedIn returns where code uses In with something else than a constant, or -1.
func computedIn(text string, all []token) int {
	for i, t := range all {
		if t.kind == 'a' && text[t.from:t.to] == "In" && !isMember(all, i) &&
			(i+2 >= len(all) || all[i+1].kind != '(' || all[i+2].kind != '"' || i+3 < len(all) && all[i+3].kind != ')') {
			return t.from
		}
	}
	return -1
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
	known := make(map[int]bool, len(words))
	for _, o := range words {
		known[o.span.Start] = true
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
				failed = d.clear(piece, s, w.name, known)
			}
		})
		if failed != nil {
			return failed
		}
	}
	return nil
}

// clear returns an error if it is not clear what a name means everywhere in some code. The uses of the
// variable begin at the known places.
func (d *Document) clear(c *code, s *snippet, name string, known map[int]bool) error {
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
		if !known[at] {
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
		return fmt.Errorf("%q comes from outside of this document, where it cannot be renamed", w.name)
	case !taken:
		return fmt.Errorf("%q is taken outside of this document, where it cannot be renamed", w.name)
	}
	if err := d.computed(w); err != nil {
		return err
	}
	return d.asText(w)
}
