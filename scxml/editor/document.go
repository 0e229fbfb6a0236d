package editor

import "github.com/scxmlrun/scxmlrun/scxml"

// Options say how a document is read. The zero value is useful.
type Options struct {
	// Lint configures the checks behind [Document.Problems].
	Lint scxml.LintOptions
	// Chart has the options with which the chart will be loaded: a loader for the files that it names,
	// further data models, limits.
	Chart []scxml.ChartOption
}

// A Span is a part of the text: the bytes from Start to End, without the one at End.
type Span struct{ Start, End int }

// A Place is a part of this document, or another file.
type Place struct {
	File string // as in the attribute src; "" is this document
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
	name string
	text string
	opts Options
}

// Analyse reads a text. The name is that of the document in messages.
func Analyse(name, text string, opts Options) *Document {
	return &Document{name: name, text: text, opts: opts}
}

// Text returns the text.
func (d *Document) Text() string { return d.text }

// Lines returns the number of lines, which is at least 1.
func (d *Document) Lines() int { return 1 }

// LineStart returns the offset of the first byte of a line. The first line is 0.
func (d *Document) LineStart(line int) int { return 0 }

// LineAt returns the line of an offset. The first line is 0.
func (d *Document) LineAt(offset int) int { return 0 }
