package editor

import (
	"slices"
	"sort"
	"strings"

	"github.com/scxmlrun/scxmlrun/scxml/internal/doc"
	"github.com/scxmlrun/scxmlrun/scxml/internal/table"
)

// wordAt returns the name at an offset, or nil. Of two of which one is in the other, it is the inner
// one.
func (d *Document) wordAt(offset int) *word {
	n := d.nodeAt(offset)
	if n == nil || n.chart == nil {
		return nil
	}
	if offset <= n.head.End {
		var found *word
		words := n.chart.words
		first := sort.Search(len(words), func(i int) bool { return words[i].span.Start >= n.span.Start })
		for i := first; i < len(words) && words[i].span.Start <= offset; i++ {
			if w := &words[i]; w.span.touches(offset) && w.span.Start < w.span.End {
				found = w
			}
		}
		if found != nil {
			return found
		}
	}
	if c := d.codeAt(offset); c != nil {
		for _, w := range d.wordsOf(c) {
			if w.span.touches(offset) && w.span.Start < w.span.End {
				return &w
			}
		}
	}
	return nil
}

// codeAt returns the code around an offset, or nil.
func (d *Document) codeAt(offset int) *code {
	n := d.nodeAt(offset)
	if n == nil || n.chart == nil {
		return nil
	}
	codes := n.chart.codes
	i := sort.Search(len(codes), func(i int) bool { return codes[i].span.Start > offset }) - 1
	if i < 0 || !codes[i].span.touches(offset) {
		return nil
	}
	return &codes[i]
}

// related returns all words with the name of w, in document order: for an event, also those that
// match it.
func (d *Document) related(w *word) []word {
	charts := []*chart{w.node.chart}
	if w.kind == eventWord {
		charts = d.charts // invoked documents send events to this one
	}
	var all []word
	for _, c := range charts {
		for _, other := range c.words {
			if other.kind == w.kind && (other.name == w.name || w.kind == eventWord && meets(&other, w)) {
				all = append(all, other)
			}
		}
	}
	if w.kind == stateWord || w.kind == dataWord {
		all = append(all, d.inCode(w.node.chart, w.kind, w.name)...)
	}
	slices.SortStableFunc(all, func(a, b word) int { return a.span.Start - b.span.Start })
	return all
}

// meets reports whether one of two words takes what the other sends.
func meets(a, b *word) bool {
	switch {
	case a.use == takes && b.use == sends:
		return table.Matches(a.name, b.name)
	case a.use == sends && b.use == takes:
		return table.Matches(b.name, a.name)
	}
	return false
}

// Definition returns where the name at an offset is defined. For the name of an event that is taken
// these are the places that send it, and for one that is sent, the transitions that take it. The
// value of an attribute src leads to that file.
func (d *Document) Definition(offset int) []Place {
	offset = d.clamp(offset)
	if name := d.fileAt(offset); name != "" {
		return []Place{{File: name}}
	}
	w := d.wordAt(offset)
	if w == nil {
		return nil
	}
	var places []Place
	for _, other := range d.related(w) {
		if other.use == defines || w.kind == eventWord && other.use != w.use && meets(&other, w) {
			places = append(places, d.place(&other))
		}
	}
	return places
}

// References returns all places with the name at an offset, in document order: those that define it
// are included if declaration is true.
func (d *Document) References(offset int, declaration bool) []Place {
	w := d.wordAt(d.clamp(offset))
	if w == nil {
		return nil
	}
	var places []Place
	for _, other := range d.related(w) {
		if declaration || other.use != defines {
			places = append(places, d.place(&other))
		}
	}
	return places
}

func (d *Document) place(w *word) Place {
	text := ""
	switch {
	case w.use == sends:
		text = "sent here"
	case w.use == takes:
		text = "taken here"
	case w.use == defines:
		text = "defined here"
	}
	return Place{Span: w.span, Text: text}
}

// fileAt returns the file that the attribute at an offset names, or "".
func (d *Document) fileAt(offset int) string {
	n := d.nodeAt(offset)
	if n == nil {
		return ""
	}
	for _, a := range n.attrs {
		if !a.value.touches(offset) || vocabulary[n.tag].attrs[d.at(a.name)].role != file {
			continue
		}
		name, err := doc.FileName(strings.TrimSpace(d.read(a.value).text))
		if err == nil {
			return name
		}
	}
	return ""
}
