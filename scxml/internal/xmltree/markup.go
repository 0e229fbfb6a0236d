package xmltree

import (
	"strings"

	"github.com/scxmlrun/scxmlrun/scxml/internal/short"
)

// declaration reads the XML declaration, if there is one. Its encoding has been applied before.
// Every version 1.x is read as 1.0, as XML 1.0, 2.8 requires.
func (s *scanner) declaration() bool {
	if !hasDeclaration(s.src) {
		return true
	}
	end := strings.Index(s.src, "?>")
	if end < 0 {
		return s.stop(place{1, 1}, "truncated", "document ends inside the XML declaration")
	}
	decl := s.src[len("<?xml"):end]
	version, ok := declared(decl, "version")
	if !ok {
		return s.stop(place{1, 1}, "malformed-xml", `XML declaration has no version: write <?xml version="1.0"?>`)
	}
	if !strings.HasPrefix(version, "1.") {
		return s.stop(place{1, 1}, "malformed-xml", "XML version %q is not supported: expected \"1.0\"", version)
	}
	s.off = end + len("?>")
	return true
}

// comment reads a comment.
func (s *scanner) comment() bool {
	at := s.place(s.off)
	body := s.src[s.off+len("<!--"):]
	n := strings.Index(body, "--")
	switch {
	case n < 0 || n+len("--") == len(body):
		return s.stop(at, "truncated", `document ends inside a comment: expected "-->"`)
	case body[n+2] != '>':
		return s.stop(s.place(s.off+len("<!--")+n), "malformed-xml", `"--" inside the comment that begins at %d:%d: it is allowed only at the end, in "-->"`, at.line, at.col)
	}
	s.off += len("<!--") + n + len("-->")
	return true
}

// instruction reads a processing instruction.
func (s *scanner) instruction() bool {
	at := s.place(s.off)
	end := strings.Index(s.src[s.off:], "?>")
	if end < 0 {
		return s.stop(at, "truncated", `document ends inside a processing instruction: expected "?>"`)
	}
	name := scanName(s.src, s.off+2)
	target := s.src[s.off+2 : name]
	switch {
	case target == "":
		return s.stop(at, "malformed-xml", "processing instruction has no name")
	case strings.EqualFold(target, "xml"):
		return s.stop(at, "malformed-xml", "an XML declaration is allowed only at the very beginning of the document")
	case name < s.off+end && !isSpace(s.src[name]):
		return s.stop(at, "malformed-xml", "expected white space after the name of the processing instruction %q", target)
	}
	s.off += end + len("?>")
	return true
}

// cdata reads a CDATA section.
func (s *scanner) cdata() bool {
	at := s.place(s.off)
	if len(s.open) == 0 {
		return s.stop(at, "text-outside-root", "CDATA section outside the root element")
	}
	end := strings.Index(s.src[s.off:], "]]>")
	if end < 0 {
		return s.stop(at, "truncated", `document ends inside a CDATA section: expected "]]>"`)
	}
	if m := s.inner(); m.text.line == 0 && indexNotSpace(s.src[s.off+len("<![CDATA["):s.off+end]) >= 0 {
		m.text = at
	}
	s.off += end + len("]]>")
	return true
}

// doctype skips a document type declaration. It refuses one with an internal subset: entities are a
// means of attack, and charts do not need them.
func (s *scanner) doctype() bool {
	at := s.place(s.off)
	var quote byte
	for i := s.off + len("<!DOCTYPE"); i < len(s.src); i++ {
		switch c := s.src[i]; {
		case quote != 0:
			if c == quote {
				quote = 0
			}
		case c == '"' || c == '\'':
			quote = c
		case c == '[':
			return s.stop(at, "doctype", "a DOCTYPE with an internal subset is refused: entities are a means of attack")
		case c == '<':
			return s.stop(at, "malformed-xml", "the DOCTYPE is not closed")
		case c == '>':
			s.off = i + 1
			return true
		}
	}
	return s.stop(at, "truncated", "document ends inside the DOCTYPE")
}

// text checks the text src[from:to].
func (s *scanner) text(from, to int) {
	text := s.src[from:to]
	if len(s.open) == 0 {
		if i := indexNotSpace(text); i >= 0 {
			where := "before"
			if len(s.marks) > 0 {
				where = "after"
			}
			s.note(s.place(from+i), "text-outside-root", "text %s %s the root element", `"`+short.Line(text[i:], 21)+`"`, where)
		}
		return
	}
	if m := s.inner(); m.text.line == 0 {
		if i := indexNotSpace(text); i >= 0 {
			m.text = s.place(from + i)
		}
	}
	// XML 1.0, 2.4: "the right angle bracket […] MUST […] be escaped […] when it appears in the string "]]>" in content".
	if i := strings.Index(text, "]]>"); i >= 0 {
		s.references(from, from+i, ' ') // in document order, see place
		s.minor(s.place(from+i), "bad-character", `"]]>" in text: write "]]&gt;"`)
		s.mend(from+i+2, from+i+3, morePlaceholder)
		from += i
	}
	s.references(from, to, ' ')
}

// references checks the references to entities and characters in src[from:to]. Bad ones become the
// filler, which causes no more errors: a blank in text, and in attributes, most of which are names,
// a letter.
func (s *scanner) references(from, to int, filler rune) {
	alone := -2 // the offset of the last "&" that does not begin an entity
	for {
		i := strings.IndexByte(s.src[from:to], '&')
		if i < 0 || s.full() {
			return
		}
		from += i
		end := strings.IndexAny(s.src[from+1:to], ";&<") + 1 // a name ends at another mistake
		name := ""
		if end > 0 && s.src[from+end] == ';' {
			name = s.src[from+1 : from+end]
		}
		switch {
		case name == "" || name[0] != '#' && (scanName(name, 0) != len(name)):
			if from == alone+1 { // "&&" is reported once
				alone = -2
			} else {
				s.minor(s.place(from), "bad-entity", `"&" does not begin an entity: write "&amp;" for the character itself`)
				alone = from
			}
			s.mend(from, from+1, ampPlaceholder)
			from++
			continue
		case name[0] == '#':
			if _, ok := charRef(name); !ok {
				s.minor(s.place(from), "bad-entity", "%q is not a character that XML allows", "&"+name+";")
				s.mend(from, from+end+1, filler)
			}
		case predefined(name) == 0:
			s.minor(s.place(from), "bad-entity", "unknown entity %q: XML has &lt; &gt; &amp; &quot; and &apos;", "&"+name+";")
			s.mend(from, from+end+1, filler)
		}
		from += end + 1
	}
}
