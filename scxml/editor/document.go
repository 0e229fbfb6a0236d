package editor

import (
	"io/fs"
	"slices"
	"sort"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/scxmlrun/scxmlrun/scxml"
)

// Options say how a document is read. The zero value is useful.
type Options struct {
	// Lint configures the checks behind [Document.Problems].
	Lint scxml.LintOptions
	// Chart has the options with which the chart will be loaded, such as further data models and limits.
	Chart []scxml.ChartOption
	// Files is the folder of the document, with the files that it names. If it is nil, no file is read.
	Files fs.FS
	// Types, if it is not nil, returns what is known of the values of names in a text, and nothing if that cannot be found out. It is
	// called at most once for a document, when that is first needed, by any goroutine.
	Types func(text string) []Type
}

// A Type is what is known of the values of a name in the code of a chart.
type Type struct {
	Kind string // data, variable or function, or member of _event.data
	Name string
	Text string // Markdown
}

// A Span is a part of the text: the bytes from Start to End, without the one at End.
type Span struct{ Start, End int }

// touches reports whether an offset is in the span or at one of its ends.
func (s Span) touches(offset int) bool { return s.Start <= offset && offset <= s.End }

// A Place is a part of this document, or another file.
type Place struct {
	File string // relative to the folder of the document; "" is this document
	Span Span   // in this document; zero for another file
	Text string // what is there, in a few words, such as "sent here"; may be ""
}

// An Edit replaces a part of the text. The spans of the edits of one change do not overlap.
type Edit struct {
	Span Span
	Text string
}

// A Document is a text and what was found in it.
type Document struct {
	name  string
	text  string
	opts  Options
	memo  *memo
	lines []int // offsets of the starts of lines

	roots    []*node
	comments []Span
	charts   []*chart

	problems  func() []Problem
	errors    func() []scxml.Diagnostic // why it cannot be loaded
	types     func() map[Type]string    // the texts, by kind and name
	abandoned atomic.Bool
}

// Analyse reads a text. The name is that of the document in messages.
func Analyse(name, text string, opts Options) *Document {
	memo := newMemo()
	first := []scxml.ChartOption{scxml.WithLanguage(memo)}
	if opts.Files != nil {
		first = append(first, scxml.WithLoader(opts.Files))
	}
	opts.Chart = append(first, opts.Chart...) // which may replace the language
	return analyse(name, text, opts, memo)
}

// Change returns the document with another text, usually the next version. It is faster than
// [Analyse], because what was found in code is kept.
func (d *Document) Change(text string) *Document { return analyse(d.name, text, d.opts, d.memo) }

func analyse(name, text string, opts Options, memo *memo) *Document {
	d := &Document{name: name, text: text, opts: opts, memo: memo}
	d.lines = append(make([]int, 0, strings.Count(text, "\n")+1), 0)
	for i := range len(text) {
		if text[i] == '\n' {
			d.lines = append(d.lines, i+1)
		}
	}
	d.roots, d.comments = scan(text)
	d.index()
	d.problems = sync.OnceValue(d.lint)
	d.errors = sync.OnceValue(d.findErrors)
	d.types = sync.OnceValue(d.findTypes)
	return d
}

// Abandon says that there is a later version. [Document.Problems], if it is at work, then returns soon,
// with a part of the problems.
func (d *Document) Abandon() { d.abandoned.Store(true) }

// Text returns the text.
func (d *Document) Text() string { return d.text }

// Lines returns the number of lines, which is at least 1.
func (d *Document) Lines() int { return len(d.lines) }

// LineStart returns the offset of the first byte of a line. The first line is 0.
func (d *Document) LineStart(line int) int {
	if line >= len(d.lines) {
		return len(d.text)
	}
	return d.lines[max(line, 0)]
}

// LineAt returns the line of an offset. The first line is 0.
func (d *Document) LineAt(offset int) int {
	i, found := slices.BinarySearch(d.lines, offset)
	if !found {
		i--
	}
	return max(i, 0)
}

// clamp moves an offset into the text.
func (d *Document) clamp(offset int) int { return min(max(offset, 0), len(d.text)) }

func (d *Document) at(s Span) string { return d.text[s.Start:s.End] }

// attribute returns an attribute of an element, or nil.
func (d *Document) attribute(n *node, name string) *attr {
	for i := range n.attrs {
		if d.at(n.attrs[i].name) == name {
			return &n.attrs[i]
		}
	}
	return nil
}

// attr returns the value of an attribute of an element, or "".
func (d *Document) attr(n *node, name string) string {
	if a := d.attribute(n, name); a != nil {
		return d.at(a.value)
	}
	return ""
}

func (d *Document) hasAttr(n *node, name string) bool { return d.attribute(n, name) != nil }

// nodeAt returns the innermost element with an offset between its first and its last byte, or nil.
func (d *Document) nodeAt(offset int) *node {
	var found *node
	for list := d.roots; ; {
		i := sort.Search(len(list), func(i int) bool { return list[i].span.Start >= offset }) - 1
		if i < 0 || offset > list[i].span.End || offset == list[i].span.End && (list[i].tail.End > 0 || list[i].complete && list[i].empty) {
			return found
		}
		found, list = list[i], list[i].children
	}
}
