package xmltree

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/scxmlrun/scxmlrun/datamodel"
	"github.com/scxmlrun/scxmlrun/scxml/internal/short"
)

// maxProblems bounds how many problems of one document are reported.
const maxProblems = 100

// A scanner reads the text once, checks that it is well-formed, and records the places of elements
// and attributes.
type scanner struct {
	doc      *document
	src      string
	lim      Limits
	off      int // of the next byte to look at
	last     int // where the last tag, text or comment begins
	marks    []mark
	attrs    []attrMark
	open     []int32 // indices in marks
	problems []Problem
	failed   bool // the tree cannot be built
	fatal    int  // failures that cannot be mended
	mends    []mend

	at    place // of the byte src[atOff]
	atOff int
}

func newScanner(doc *document, lim Limits) *scanner {
	return &scanner{doc: doc, src: doc.src, lim: lim, at: place{1, 1}}
}

// A mark is what the scanner records about an element.
type mark struct {
	at, body   place
	text       place // see Element.text
	close      place // after its end
	start      int32 // of <
	name       int32 // the end of its name
	from, end  int32 // of its content
	attrs      int32 // its attributes are scanner.attrs[attrs:attrsEnd]
	attrsEnd   int32
	nodes      int32 // number of child elements
	selfClosed bool
}

// An attrMark is what the scanner records about an attribute.
type attrMark struct {
	name, val   place
	start, stop int32 // of the name
	from, end   int32 // of the value, without its quotes
}

// place returns the place of src[off]. It counts from the place that it returned last, so calls in
// document order take one pass altogether. Each step back starts another pass.
func (s *scanner) place(off int) place {
	if off < s.atOff {
		s.at, s.atOff = place{1, 1}, 0
	}
	line, col := s.at.line, s.at.col
	for _, b := range []byte(s.src[s.atOff:off]) {
		if b == '\n' {
			line++
			col = 1
		} else if b&0xC0 != 0x80 {
			col++
		}
	}
	s.at, s.atOff = place{line, col}, off
	return s.at
}

// full reports whether there are so many problems that no more are reported.
func (s *scanner) full() bool { return len(s.problems) >= maxProblems }

// note adds a problem that leaves the tree intact.
func (s *scanner) note(at place, code, format string, args ...any) {
	if !s.full() {
		for i, arg := range args {
			if name, ok := arg.(string); ok {
				args[i] = short.Text(name, 201)
			}
		}
		s.problems = append(s.problems, Problem{s.doc.position(at), code, fmt.Sprintf(format, args...)})
	}
}

// fail adds a problem that prevents building the tree.
func (s *scanner) fail(at place, code, format string, args ...any) {
	s.failed = true
	s.fatal++
	s.note(at, code, format, args...)
}

// stop is like fail, for a problem after which scanning cannot continue. It always returns false.
func (s *scanner) stop(at place, code, format string, args ...any) bool {
	s.fail(at, code, format, args...)
	return false
}

// scan reads the whole document.
//
// XML 1.0: "document ::= prolog element Misc*".
func (s *scanner) scan() {
	if !s.characters() || !s.declaration() {
		return
	}
	// An estimate of how many there will be, bounded in case the document is hostile.
	s.marks = make([]mark, 0, min(strings.Count(s.src, "<")-strings.Count(s.src, "</"), s.lim.Elements, 1<<20))
	s.attrs = make([]attrMark, 0, min(strings.Count(s.src, "="), 1<<20))
	doctype := false
	for s.off < len(s.src) {
		if s.full() {
			s.failed = true
			return
		}
		start := s.off
		s.last = start
		next := strings.IndexByte(s.src[s.off:], '<')
		if next < 0 {
			next = len(s.src) - s.off
		}
		if next > 0 {
			s.text(s.off, s.off+next)
			s.off += next
			continue
		}
		rest := s.src[start:]
		ok := true
		switch {
		case strings.HasPrefix(rest, "<!--"):
			ok = s.comment()
		case strings.HasPrefix(rest, "<?"):
			ok = s.instruction()
		case strings.HasPrefix(rest, "<![CDATA["):
			ok = s.cdata()
		case strings.HasPrefix(rest, "<!DOCTYPE"):
			if len(s.marks) > 0 || doctype {
				ok = s.stop(s.place(start), "doctype", "a DOCTYPE is allowed only once, before the root element")
				break
			}
			doctype = true
			ok = s.doctype()
		case strings.HasPrefix(rest, "<!"):
			ok = s.stop(s.place(start), "malformed-xml", `"<!" does not begin a comment, a CDATA section or a DOCTYPE`)
		case strings.HasPrefix(rest, "</"):
			ok = s.endTag()
		default:
			ok = s.startTag()
		}
		if !ok {
			return
		}
	}
	switch {
	case len(s.open) > 0:
		m := s.inner()
		s.last = len(s.src)
		s.fail(m.at, "unclosed-element", "<%s> is not closed: the document ends before its end tag", s.nameOf(m))
	case len(s.marks) == 0 && !s.failed && len(s.problems) == 0:
		what := "has no root element"
		if strings.TrimLeft(s.src, space) == "" {
			what = "is empty"
		}
		s.fail(place{1, 1}, "empty-document", "document %s", what)
	case len(s.marks) == 0:
		s.failed = true
	}
}

// inner returns the innermost open element.
func (s *scanner) inner() *mark { return &s.marks[s.open[len(s.open)-1]] }

func (s *scanner) nameOf(m *mark) string { return s.src[m.start+1 : m.name] }

// startTag reads a start tag or an empty-element tag.
func (s *scanner) startTag() bool {
	start := s.off
	at := s.place(start)
	end := scanName(s.src, start+1)
	if end == start+1 {
		return s.stop(at, "malformed-xml", `"<" does not begin a tag: write "&lt;" for the character itself`)
	}
	name := s.src[start+1 : end]
	if !isQName(name) {
		return s.stop(at, "malformed-xml", "%q is not an element name: a name has at most one colon, between a prefix and a local name", name)
	}
	if len(s.open) == 0 && len(s.marks) > 0 {
		root := &s.marks[0]
		return s.stop(at, "second-root", "second root element <%s>: the document ended with </%s> of line %d", name, s.nameOf(root), s.lineOf(int(root.end)))
	}
	if len(s.open) >= s.lim.Depth {
		return s.stop(at, "document-limit", "elements are nested more than %s deep", quantity(s.lim.Depth, "level"))
	}
	if len(s.marks) >= s.lim.Elements {
		return s.stop(at, "document-limit", "document has more than %s", quantity(s.lim.Elements, "element"))
	}
	if len(s.open) > 0 {
		s.inner().nodes++
	}
	m := mark{at: at, start: int32(start), name: int32(end), attrs: int32(len(s.attrs))}
	s.off = end
	for {
		before := s.off
		s.skipSpace()
		if s.off == len(s.src) {
			return s.stop(at, "truncated", "document ends inside the tag <%s>", name)
		}
		switch s.src[s.off] {
		case '>':
			s.off++
		case '/':
			if s.off+1 == len(s.src) {
				return s.stop(at, "truncated", "document ends inside the tag <%s>", name)
			}
			if s.src[s.off+1] != '>' {
				return s.stop(s.place(s.off), "malformed-xml", `expected ">" after "/" in the tag <%s>`, name)
			}
			s.off += 2
			m.selfClosed = true
		default:
			if len(s.attrs)-int(m.attrs) >= s.lim.Attributes {
				return s.stop(s.place(s.off), "document-limit", "<%s> has more than %s", name, quantity(s.lim.Attributes, "attribute"))
			}
			if !s.attribute(name, at, before == s.off) {
				return false
			}
			continue
		}
		break
	}
	m.attrsEnd = int32(len(s.attrs))
	m.from, m.end = int32(s.off), int32(s.off)
	m.body = s.place(s.off)
	m.close = m.body
	if !m.selfClosed {
		s.open = append(s.open, int32(len(s.marks)))
	}
	s.marks = append(s.marks, m)
	return true
}

// attribute reads an attribute of the tag <tag>. glued is true if no white space precedes it.
func (s *scanner) attribute(tag string, tagAt place, glued bool) bool {
	start := s.off
	a := attrMark{name: s.place(start), start: int32(start)}
	end := scanName(s.src, start)
	if end == start {
		switch c := s.src[start]; c {
		case '<':
			return s.stop(tagAt, "unclosed-tag", `the tag <%s> is not closed: expected ">" before the next "<"`, tag)
		case '"', '\'', '=':
			return s.stop(a.name, "malformed-xml", "expected an attribute name in the tag <%s>, found %s", tag, strconv.Quote(string(c)))
		}
		return s.stop(a.name, "malformed-xml", "%s cannot begin an attribute name in the tag <%s>%s", quoteRune(s.src[start:]), tag, s.quotesInside(start))
	}
	name := s.src[start:end]
	if glued {
		hint := ""
		if !strings.HasPrefix(strings.TrimLeft(s.src[end:], space), "=") {
			hint = s.quotesInside(start)
		}
		return s.stop(a.name, "malformed-xml", "expected white space before the attribute %q of <%s>%s", name, tag, hint)
	}
	if !isQName(name) {
		return s.stop(a.name, "malformed-xml", "%q is not an attribute name: a name has at most one colon, between a prefix and a local name", name)
	}
	a.stop = int32(end)
	s.off = end
	s.skipSpace()
	if s.off == len(s.src) {
		return s.stop(tagAt, "truncated", "document ends inside the tag <%s>", tag)
	}
	if s.src[s.off] != '=' {
		return s.stop(a.name, "malformed-xml", `attribute %q of <%s> has no value: expected "="`, name, tag)
	}
	s.off++
	s.skipSpace()
	if s.off == len(s.src) {
		return s.stop(tagAt, "truncated", "document ends inside the tag <%s>", tag)
	}
	quote := s.src[s.off]
	if quote != '"' && quote != '\'' {
		what := "is not quoted"
		if r, _ := utf8.DecodeRuneInString(s.src[s.off:]); strings.ContainsRune("“”„‘’«»", r) {
			what = fmt.Sprintf("begins with the typographic quote %c: write \" or '", r)
		}
		return s.stop(s.place(s.off), "malformed-xml", "value of attribute %q of <%s> %s", name, tag, what)
	}
	s.off++
	a.from = int32(s.off)
	a.val = s.place(s.off)
	n := strings.IndexByte(s.src[s.off:], quote)
	from, value := s.off, s.src[s.off:]
	if n >= 0 {
		value = value[:n]
	}
	// A "<" in a value usually means that a quote is missing: the value extends to the next quote, past the "<" of the next tag.
	if i := strings.IndexByte(value, '<'); i >= 0 && (n < 0 || strings.ContainsAny(value[:i], ">\n") || strings.Count(value, "<") > maxProblems) {
		return s.stop(a.val, "unclosed-value", `value of attribute %q of <%s> has no closing quote, or contains a "<" that is not written "&lt;"`, name, tag)
	} else if i >= 0 {
		s.references(s.off, s.off+i, '_') // in document order, see place
		from += i
		s.minor(s.place(from), "bad-character", `"<" in the value of attribute %q of <%s>: write "&lt;"`, name, tag)
		s.mendLess(from, from+len(value)-i)
	}
	if n < 0 {
		return s.stop(a.val, "truncated", "document ends inside the value of attribute %q of <%s>", name, tag)
	}
	s.references(from, s.off+n, '_')
	a.end = int32(s.off + n)
	s.off += n + 1
	s.attrs = append(s.attrs, a)
	return true
}

// quotesInside explains why something in a tag is not an attribute: if it follows a value, that has
// probably ended too early.
func (s *scanner) quotesInside(off int) string {
	before := strings.TrimRight(s.src[:off], space)
	if strings.HasSuffix(before, `"`) || strings.HasSuffix(before, "'") {
		return ": the value before it ended at its second quote; within a value, use the other kind of quotes"
	}
	return ""
}

// endTag reads an end tag.
//
// XML 1.0, 3: "The Name in an element's end-tag MUST match the element type in the start-tag."
func (s *scanner) endTag() bool {
	start := s.off
	at := s.place(start)
	end := scanName(s.src, start+2)
	name := s.src[start+2 : end]
	s.off = end
	s.skipSpace()
	if s.off == len(s.src) {
		return s.stop(at, "truncated", "document ends inside an end tag")
	}
	if name == "" || s.src[s.off] != '>' {
		return s.stop(at, "malformed-xml", `end tag is not of the form "</name>"`)
	}
	s.off++
	if len(s.open) == 0 {
		return s.stop(at, "mismatched-tag", "end tag </%s> does not have a start tag: no element is open here", name)
	}
	m := s.inner()
	if open := s.nameOf(m); open != name {
		advice := ""
		switch {
		case strings.EqualFold(open, name):
			advice = fmt.Sprintf(": upper and lower case differ, write </%s>", open)
		case slices.ContainsFunc(s.open, func(i int32) bool { return s.nameOf(&s.marks[i]) == name }):
			advice = fmt.Sprintf(": write </%s> before it", open)
		}
		return s.stop(at, "mismatched-tag", "end tag </%s> does not close <%s>, which was opened at %d:%d%s", name, open, m.at.line, m.at.col, advice)
	}
	m.end, m.close = int32(start), s.place(s.off)
	s.open = s.open[:len(s.open)-1]
	return true
}

func (s *scanner) lineOf(off int) int { return 1 + strings.Count(s.src[:off], "\n") }

func (s *scanner) skipSpace() {
	for s.off < len(s.src) && isSpace(s.src[s.off]) {
		s.off++
	}
}

// quantity returns "1 byte", "2 bytes" and so on.
func quantity(n int, unit string) string {
	if n != 1 {
		unit += "s"
	}
	return strconv.Itoa(n) + " " + unit
}

func firstPosition() datamodel.Position { return datamodel.Position{Line: 1, Col: 1} }
