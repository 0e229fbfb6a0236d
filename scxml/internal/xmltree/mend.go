package xmltree

import (
	"cmp"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/beevik/etree"
)

// Some of what is not well-formed has a plain meaning: a "&" that begins no
// entity, a "<" in the value of an attribute. Conditions are written so again
// and again. Such a document is refused, but its author wants to hear of its
// other problems at the same time. So it is read once more with the character
// replaced by a stand-in, which takes one column as it does, and which is
// replaced back in the tree.

// The stand-ins are characters that are reserved for the inside of programs.
const (
	ampStandIn  = '\uFDD0'
	lessStandIn = '\uFDD1'
	moreStandIn = '\uFDD2'
)

var standIns = strings.NewReplacer(string(ampStandIn), "&", string(lessStandIn), "<", string(moreStandIn), ">")

// A mend says what to read in the place of src[from:end].
type mend struct {
	from, end int
	with      rune
}

// minor is fail for what can be mended.
func (s *scanner) minor(at place, code, format string, args ...any) {
	s.fail(at, code, format, args...)
	s.fatal--
}

func (s *scanner) mend(from, end int, with rune) { s.mends = append(s.mends, mend{from, end, with}) }

// mendLess mends each "<" of src[from:end].
func (s *scanner) mendLess(from, end int) {
	for i := from; i < end; i++ {
		if s.src[i] == '<' {
			s.mend(i, i+1, lessStandIn)
		}
	}
}

// mended reads the document with its mends, if that makes it well-formed.
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
	again.problems = nil // they are among the first scan's
	root := again.build()
	s.problems = append(s.problems, again.problems...)
	return root
}

// unmend returns a part of a document as it is written.
func (d *document) unmend(text string) string {
	if !d.mended {
		return text
	}
	return standIns.Replace(text)
}

// unmend replaces the stand-ins in what etree has read.
func unmend(et *etree.Element) {
	for i := range et.Attr {
		et.Attr[i].Value = standIns.Replace(et.Attr[i].Value)
	}
	for _, c := range et.Child {
		switch c := c.(type) {
		case *etree.Element:
			unmend(c)
		case *etree.CharData:
			c.SetData(standIns.Replace(c.Data))
		}
	}
}
