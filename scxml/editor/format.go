package editor

import (
	"slices"
	"sort"
	"strings"
)

// Format returns the edits that indent the lines of the document by the nesting of its elements, with
// indent for each level, and remove blanks at the ends of lines. Lines, comments and what is data stay as
// they are; the lines of a script and of a comment move together. It makes none if a tag is not
// complete, because then the nesting is a guess.
func (d *Document) Format(indent string) []Edit {
	f := &formatter{Document: d, indent: indent, lines: map[int]string{}, levels: map[*node]int{}}
	for _, root := range d.roots {
		if !f.element(root, 0) {
			return nil
		}
	}
	for _, c := range d.comments {
		if n := d.nodeAt(c.Start); n == nil || n.tag != "script" && !f.keeps(c.Start) {
			f.move(c, f.levelIn(n, c.Start))
		}
	}
	var edits []Edit
	for line, start := range d.lines {
		old := strings.TrimRight(d.text[start:d.LineStart(line+1)], "\r\n")
		end := start + len(old)
		body := strings.TrimLeft(old, " \t")
		text, moved := f.lines[line]
		if !moved {
			text = old[:len(old)-len(body)]
		}
		if text += body; !f.keeps(end) {
			text = strings.TrimRight(text, " \t")
		}
		if text != old {
			edits = append(edits, Edit{Span{start, end}, text})
		}
	}
	return edits
}

// A formatter collects the white space at the beginning of lines.
type formatter struct {
	*Document
	indent string
	lines  map[int]string
	levels map[*node]int
	kept   []Span // whose white space counts: data, and values of attributes with several lines; in order
}

// element moves the lines of an element whose place is that of the given level. It reports whether the
// element is complete.
func (f *formatter) element(n *node, level int) bool {
	if !n.complete || !n.empty && n.tail.End == 0 {
		return false
	}
	for _, a := range n.attrs {
		if a.quoted != a.closed {
			return false
		}
		if strings.Contains(f.at(a.value), "\n") {
			f.kept = append(f.kept, a.value)
		}
	}
	f.levels[n] = level
	f.move(n.head, level)
	body := n.body()
	switch {
	case n.empty:
	case n.tag == "script" && !strings.ContainsAny(f.at(body), "`\\"): // which may be in a text of several lines
		f.script(n, level)
	case f.isData(n):
		f.kept = append(f.kept, body)
	default:
		for _, c := range n.children {
			if !f.element(c, f.levelIn(n, c.head.Start)) {
				return false
			}
		}
		f.move(n.tail, level)
	}
	return true
}

// script moves the lines of a script so that the leftmost one is a level deeper than its tag.
func (f *formatter) script(n *node, level int) {
	first, last := f.LineAt(n.head.End)+1, f.LineAt(n.tail.Start)
	ends := func(line int) bool {
		rest := strings.TrimLeft(f.text[f.LineStart(line):], " \t")
		return strings.HasPrefix(rest, "]]>") || strings.HasPrefix(rest, "</")
	}
	least := -1
	for line := first; line <= last; line++ {
		if width := f.width(f.blanks(line)); !f.isBlank(line) && !ends(line) && (least < 0 || width < least) {
			least = width
		}
	}
	for line := first; line <= last; line++ {
		switch {
		case ends(line):
			f.lines[line] = strings.Repeat(f.indent, level)
		case !f.isBlank(line):
			f.lines[line] = strings.Repeat(f.indent, level+1) + strings.Repeat(" ", f.width(f.blanks(line))-least)
		}
	}
}

// isData reports whether the white space in an element counts.
func (f *formatter) isData(n *node) bool {
	switch n.tag {
	case "", "script", "data", "assign":
		return true
	case "content":
		return !slices.ContainsFunc(n.children, func(c *node) bool { return c.tag == "scxml" })
	}
	return f.hasAttr(n, "xml:space")
}

// keeps reports whether the white space at an offset counts.
func (f *formatter) keeps(offset int) bool {
	i := sort.Search(len(f.kept), func(i int) bool { return f.kept[i].End > offset })
	return i < len(f.kept) && f.kept[i].Start <= offset
}

// levelIn returns the level of what begins at an offset in an element: one more than that of the element,
// unless it is in the line in which the start tag ends.
func (f *formatter) levelIn(n *node, offset int) int {
	if n == nil {
		return 0
	}
	if f.LineAt(offset) == f.LineAt(n.head.End) {
		return f.levels[n]
	}
	return f.levels[n] + 1
}

// move gives the line in which a tag or a comment begins a level, unless something is before it. Its
// other lines keep their places below the first one. Lines that begin in the value of an attribute stay.
func (f *formatter) move(s Span, level int) {
	first := f.LineAt(s.Start)
	old := f.blanks(first)
	if f.LineStart(first)+len(old) != s.Start {
		return
	}
	f.lines[first] = strings.Repeat(f.indent, level)
	by := f.width(f.lines[first]) - f.width(old)
	for line := first + 1; line <= f.LineAt(s.End-1); line++ {
		if !f.keeps(f.LineStart(line)) && !f.isBlank(line) {
			f.lines[line] = strings.Repeat(" ", max(0, f.width(f.blanks(line))+by))
		}
	}
}

// blanks returns the blanks at the beginning of a line.
func (f *formatter) blanks(line int) string {
	text := f.text[f.LineStart(line):f.LineStart(line+1)]
	return text[:len(text)-len(strings.TrimLeft(text, " \t"))]
}

func (f *formatter) isBlank(line int) bool {
	return strings.TrimSpace(f.text[f.LineStart(line):f.LineStart(line+1)]) == ""
}

// width returns how many columns blanks take; a tab takes as many as a level, or four.
func (f *formatter) width(blanks string) int {
	tab := 4
	if f.indent != "" && f.indent[0] == ' ' {
		tab = len(f.indent)
	}
	return len(blanks) + strings.Count(blanks, "\t")*(tab-1)
}
