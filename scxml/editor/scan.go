package editor

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/scxmlrun/scxmlrun/scxml/internal/doc"
)

// A node is an element of a text that need not be well-formed.
type node struct {
	span     Span   // from its "<" to the end of its end tag, or to where it ends for lack of one
	head     Span   // the start tag, or as much of it as there is
	name     Span   // in head; empty if there is only a "<"
	tail     Span   // the end tag; empty if there is none
	attrs    []attr // in document order
	parent   *node  // nil for one that is in no other
	children []*node

	tag      string // local name of an element of SCXML, even a misspelt one; "" for other elements
	chart    *chart // that it is in; nil for one in data
	state    *state // that it is; nil for another element
	complete bool   // the start tag has its ">"
	empty    bool   // it ends with "/>"
}

// body returns the part of the text between the tags.
func (n *node) body() Span {
	if n.tail.End > 0 {
		return Span{n.head.End, n.tail.Start}
	}
	return Span{n.head.End, n.span.End}
}

// An attr is an attribute, or as much of it as there is.
type attr struct {
	name   Span
	value  Span // without quotes; empty at the end of the attribute if there is no value
	quoted bool // the value has its first quote
	closed bool // and its last one
}

// maxDepth is how deep nodes are nested. Those below it are siblings.
const maxDepth = 1000

// A scanner reads any text into nodes. Where XML does not allow what it finds, it guesses what was
// meant, mostly by lines: people and editors write one tag in a line.
type scanner struct {
	text     string
	off      int
	nodes    []node // the memory of all nodes: pointers to them stay valid
	attrs    []attr
	roots    []*node
	open     []*node
	comments []Span
	missing  map[string]bool // ends of markup that do not occur any more
}

// scan returns the nodes of a text that are in no other, and the comments.
func scan(text string) (roots []*node, comments []Span) {
	s := &scanner{
		text:    text,
		missing: map[string]bool{},
		nodes:   make([]node, 0, strings.Count(text, "<")-strings.Count(text, "</")),
		attrs:   make([]attr, 0, strings.Count(text, "=")),
	}
	for {
		next := strings.IndexByte(text[s.off:], '<')
		if next < 0 {
			break
		}
		s.off += next
		rest := text[s.off:]
		switch {
		case strings.HasPrefix(rest, "<!--"):
			start := s.off
			s.skip("-->")
			s.comments = append(s.comments, Span{start, s.off})
		case strings.HasPrefix(rest, "<![CDATA["):
			s.skip("]]>")
		case strings.HasPrefix(rest, "<?"):
			s.skip("?>")
		case strings.HasPrefix(rest, "<!"):
			s.skip(">")
		case strings.HasPrefix(rest, "</"):
			s.endTag()
		default:
			s.startTag()
		}
	}
	s.closeTo(0, len(text))
	return s.roots, s.comments
}

// skip continues after the next end of some markup. If there is none, it is taken to end where the
// line does, so that one "<!--" does not hide the rest of a document.
func (s *scanner) skip(end string) {
	rest := s.text[s.off:]
	if !s.missing[end] {
		if i := strings.Index(rest, end); i >= 0 {
			s.off += i + len(end)
			return
		}
		s.missing[end] = true
	}
	if i := strings.IndexByte(rest, '\n'); i >= 0 {
		s.off += i
	} else {
		s.off = len(s.text)
	}
}

// startTag reads a start tag, which may lack anything but its "<".
func (s *scanner) startTag() {
	start := s.off
	s.off++
	from := s.off
	s.off = nameEnd(s.text, from)
	if s.off == from && s.off < len(s.text) && !startsWord(s.text, s.off) && s.text[s.off] != '>' && !s.lineEnds() {
		return // a "<" in a text, as in a < b
	}
	if s.off == from && s.inCode() {
		return
	}
	s.nodes = append(s.nodes, node{name: Span{from, s.off}})
	n := &s.nodes[len(s.nodes)-1]
	first := len(s.attrs)
	for {
		before := s.off
		s.space()
		if s.off == len(s.text) || s.text[s.off] == '<' {
			s.off = before
			break
		}
		if s.text[s.off] == '>' {
			s.off++
			n.complete = true
			break
		}
		if strings.HasPrefix(s.text[s.off:], "/>") {
			s.off += 2
			n.complete, n.empty = true, true
			break
		}
		if n.name.Start == n.name.End && strings.Contains(s.text[before:s.off], "\n") {
			s.off = before // only a "<": what follows is something else
			break
		}
		s.attribute()
	}
	n.attrs = s.attrs[first:len(s.attrs):len(s.attrs)]
	n.head = Span{start, s.off}
	n.span = n.head
	if len(s.open) > 0 {
		n.parent = s.open[len(s.open)-1]
		n.parent.children = append(n.parent.children, n)
	} else {
		s.roots = append(s.roots, n)
	}
	if n.name.Start < n.name.End && !n.empty && len(s.open) < maxDepth {
		s.open = append(s.open, n)
	}
}

// lineEnds reports whether only blanks follow in the line.
func (s *scanner) lineEnds() bool {
	rest := strings.TrimLeft(s.text[s.off:], " \t\r")
	return rest == "" || rest[0] == '\n' || rest[0] == '<'
}

// inCode reports whether the innermost open element holds a script.
func (s *scanner) inCode() bool {
	if len(s.open) == 0 {
		return false
	}
	n := s.open[len(s.open)-1]
	return localName(s.text[n.name.Start:n.name.End]) == "script"
}

// attribute reads an attribute, or skips a character that cannot begin one.
func (s *scanner) attribute() {
	a := attr{name: Span{s.off, nameEnd(s.text, s.off)}}
	if a.name.Start == a.name.End {
		if c := s.text[s.off]; c != '=' && c != '"' && c != '\'' {
			_, size := utf8.DecodeRuneInString(s.text[s.off:])
			s.off += size
			return
		}
	}
	s.off = a.name.End
	a.value = Span{s.off, s.off}
	s.space()
	if s.off < len(s.text) && s.text[s.off] == '=' {
		s.off++
		a.value = Span{s.off, s.off}
		s.space()
	} else if s.off == len(s.text) || a.name.Start < a.name.End || s.text[s.off] == '=' {
		s.off = a.value.End
		s.attrs = append(s.attrs, a)
		return
	}
	switch {
	case s.off == len(s.text):
	case s.text[s.off] == '"' || s.text[s.off] == '\'':
		s.value(&a)
	case s.text[s.off] == '>' || s.text[s.off] == '/' || s.text[s.off] == '<' || strings.Contains(s.text[a.value.End:s.off], "\n"):
		s.off = a.value.End
	default: // a value without quotes
		a.value.Start = s.off
		for s.off < len(s.text) && !strings.ContainsRune(" \t\r\n<>\"'", rune(s.text[s.off])) && !strings.HasPrefix(s.text[s.off:], "/>") {
			s.off++
		}
		a.value.End = s.off
	}
	s.attrs = append(s.attrs, a)
}

// value reads a value with its quotes. The last one is missing if the next quote comes after the start
// of another tag in another line; the value then ends with its own line.
func (s *scanner) value(a *attr) {
	quote := s.text[s.off]
	s.off++
	a.quoted = true
	rest := s.text[s.off:]
	end := strings.IndexByte(rest, quote)
	line := strings.IndexByte(rest, '\n')
	if line < 0 {
		line = len(rest)
	}
	if end >= 0 && (end <= line || !hasTag(rest[line:end])) {
		a.value = Span{s.off, s.off + end}
		a.closed = true
		s.off += end + 1
		return
	}
	value := rest
	if hasTag(rest) {
		value = rest[:line]
		if i := tagStart(value); i >= 0 {
			value = value[:i]
		}
		if before, ok := strings.CutSuffix(strings.TrimRight(value, " \t\r"), ">"); ok {
			value = strings.TrimSuffix(before, "/")
		}
	}
	a.value = Span{s.off, s.off + len(value)}
	s.off = a.value.End
}

// hasTag reports whether a tag seems to begin in some text.
func hasTag(text string) bool { return tagStart(text) >= 0 }

// tagStart returns where a tag seems to begin, or -1.
func tagStart(text string) int {
	for at := 0; ; at++ {
		i := strings.IndexByte(text[at:], '<')
		if i < 0 || at+i+1 == len(text) {
			return -1
		}
		at += i
		if c := text[at+1]; c == '/' || c == '!' || c == '?' || startsWord(text, at+1) {
			return at
		}
	}
}

// endTag reads an end tag. It closes the nearest open element of its name, and those within it that
// have no end tag of their own. An end tag that closes nothing is skipped.
func (s *scanner) endTag() {
	start := s.off
	from := start + len("</")
	s.off = nameEnd(s.text, from)
	name := s.text[from:s.off]
	end := s.off
	s.space()
	if s.off < len(s.text) && s.text[s.off] == '>' {
		s.off++
	} else {
		s.off = end
	}
	for i := len(s.open) - 1; i >= 0; i-- {
		n := s.open[i]
		if open := s.text[n.name.Start:n.name.End]; open == name || i == len(s.open)-1 && isMisspelt(open, name) {
			s.closeTo(i+1, start)
			n.tail = Span{start, s.off}
			n.span.End = s.off
			s.open = s.open[:i]
			return
		}
	}
}

// isMisspelt reports whether one of two names, of a start tag and an end tag, is misspelt and means the
// other.
func isMisspelt(a, b string) bool {
	_, knownA := vocabulary[localName(a)]
	_, knownB := vocabulary[localName(b)]
	return knownA != knownB && doc.Near(a, slices.Values([]string{b})) != ""
}

// closeTo closes all open elements but the first n.
func (s *scanner) closeTo(n, end int) {
	for _, open := range s.open[n:] {
		open.span.End = end
	}
	s.open = s.open[:n]
}

func (s *scanner) space() {
	for s.off < len(s.text) && isSpace(s.text[s.off]) {
		s.off++
	}
}

func isSpace(c byte) bool { return c == ' ' || c == '\t' || c == '\r' || c == '\n' }

// startsWord reports whether the name of an element can begin at an offset.
func startsWord(text string, at int) bool {
	c := text[at]
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c == '_' || c >= utf8.RuneSelf
}

// nameEnd returns where a name that begins at an offset ends. It is the offset itself if there is no
// name.
func nameEnd(text string, at int) int {
	if at == len(text) || !startsWord(text, at) {
		return at
	}
	for at < len(text) {
		c := text[at]
		if !startsWord(text, at) && !(c >= '0' && c <= '9') && c != '-' && c != '.' && c != ':' {
			break
		}
		at++
	}
	return at
}

// localName returns a name without its prefix.
func localName(name string) string { return name[strings.IndexByte(name, ':')+1:] }
