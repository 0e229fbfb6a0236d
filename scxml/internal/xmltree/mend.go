package xmltree

import (
	"cmp"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/beevik/etree"
)

// Some mistakes leave the meaning clear: a "&" that does not begin an entity, or a "<" in the value
// of an attribute. They are common in conditions. The document is refused, but its author also
// wants to know its other problems. So the document is read again with placeholders for these
// characters. A placeholder takes one column too, and is replaced by the character in the tree.

// The placeholders are noncharacters, which Unicode reserves for the inside of programs.
const (
	ampPlaceholder  = '\uFDD0'
	lessPlaceholder = '\uFDD1'
	morePlaceholder = '\uFDD2'
)

var placeholders = strings.NewReplacer(string(ampPlaceholder), "&", string(lessPlaceholder), "<", string(morePlaceholder), ">")

// A mend says what to read instead of src[from:end].
type mend struct {
	from, end int
	with      rune
}

// minor is like fail, for a problem that can be mended.
func (s *scanner) minor(at place, code, format string, args ...any) {
	s.fail(at, code, format, args...)
	s.fatal--
}

func (s *scanner) mend(from, end int, with rune) { s.mends = append(s.mends, mend{from, end, with}) }

// mendLess mends each "<" of src[from:end].
func (s *scanner) mendLess(from, end int) {
	for i := from; i < end; i++ {
		if s.src[i] == '<' {
			s.mend(i, i+1, lessPlaceholder)
		}
	}
}

// mended reads the document again with its mends. It returns nil if that is not well-formed either.
func (s *scanner) mended() *Element {
	if s.fatal > 0 || s.full() || len(s.marks) == 0 {
		return nil
	}
	slices.SortFunc(s.mends, func(a, b mend) int { return cmp.Compare(a.from, b.from) })
	var src strings.Builder
	done := 0
	for _, m := range s.mends {
		src.WriteString(s.src[done:m.from])
		if m.with == ' ' {
			src.WriteString(strings.Repeat(" ", utf8.RuneCountInString(s.src[m.from:m.end])))
		} else {
			src.WriteRune(m.with)
		}
		done = m.end
	}
	src.WriteString(s.src[done:])
	again := newScanner(&document{file: s.doc.file, src: src.String(), mended: true}, s.lim)
	again.scan()
	if again.failed {
		return nil
	}
	again.problems = nil // the first scan has reported them
	root := again.build()
	s.problems = append(s.problems, again.problems...)
	return root
}

// unmend returns a part of a document as its author wrote it.
func (d *document) unmend(text string) string {
	if !d.mended {
		return text
	}
	return placeholders.Replace(text)
}

// unmend replaces the placeholders in what etree has read.
func unmend(et *etree.Element) {
	for i := range et.Attr {
		et.Attr[i].Value = placeholders.Replace(et.Attr[i].Value)
	}
	for _, c := range et.Child {
		switch c := c.(type) {
		case *etree.Element:
			unmend(c)
		case *etree.CharData:
			c.SetData(placeholders.Replace(c.Data))
		}
	}
}
