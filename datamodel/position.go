package datamodel

import (
	"strconv"
	"strings"
	"unicode/utf8"
)

// A Position is a place in a document. The zero Position means "nowhere".
type Position struct {
	File string // the document's name as it was given to the parser
	Line int    // 1 is the first line; 0 means that the place is unknown
	Col  int    // in characters (Unicode code points), 1 is the first
}

// IsValid reports whether p names a line.
func (p Position) IsValid() bool { return p.Line > 0 }

// String returns file:line:col, and leaves out what is not known.
func (p Position) String() string {
	s := p.File
	if p.IsValid() {
		if s != "" {
			s += ":"
		}
		s += strconv.Itoa(p.Line) + ":" + strconv.Itoa(p.Col)
	}
	if s == "" {
		return "-"
	}
	return s
}

// A Source is a piece of text of a document, an expression or a script, with its place.
type Source struct {
	// Text is the text with entities resolved and line ends normalised.
	Text string

	// Pos is the place of the first character of Text (of Raw, if set).
	Pos Position

	// Raw is the same text as written in the document, with its entity references and CDATA marks.
	// It is empty if it equals Text.
	Raw string

	// Nodes is set for the content of <data>, <assign> and <content> if it contains elements: all
	// child nodes, text included. Text is then the concatenation of the text nodes.
	Nodes []*Node
}

// Position returns the place in the document of the byte Text[offset]. Offsets beyond the text give
// the place just after it.
func (s Source) Position(offset int) Position {
	p := s.Places()
	return p.At(offset)
}

// Places returns a finder for the places of many characters of s in one pass.
func (s Source) Places() Places {
	if s.Raw != "" {
		return Places{pos: s.Pos, raw: s.Raw}
	}
	return Places{pos: s.Pos, raw: s.Text, section: len(s.Text)} // as if all of it were CDATA
}

// Places finds the places of characters of a [Source], which must be asked for in order.
type Places struct {
	pos     Position
	raw     string // what follows pos
	done    int    // the offset in Text of pos
	section int    // how many bytes of the CDATA section around pos follow
}

// At returns what [Source.Position] does for the offset of a character. An offset before that of
// the last call gives the place that the last call gave.
func (p *Places) At(offset int) Position {
	if !p.pos.IsValid() {
		return p.pos
	}
	skip := func(n int) { p.pos, p.raw = advance(p.pos, p.raw[:n]), p.raw[n:] }
	for p.raw != "" {
		if p.section > 0 {
			n := min(p.section, max(0, offset-p.done))
			skip(n)
			p.done += n
			if p.section -= n; p.section > 0 {
				return p.pos
			}
			skip(min(len("]]>"), len(p.raw)))
			continue
		}
		switch {
		case strings.HasPrefix(p.raw, "<![CDATA["):
			skip(len("<![CDATA["))
			if p.section = strings.Index(p.raw, "]]>"); p.section < 0 {
				p.section = len(p.raw)
			}
			if p.section == 0 {
				skip(min(len("]]>"), len(p.raw)))
			}
			continue
		case strings.HasPrefix(p.raw, "<!--"):
			skip(markupLen(p.raw, "-->"))
			continue
		case strings.HasPrefix(p.raw, "<?"):
			skip(markupLen(p.raw, "?>"))
			continue
		}
		if p.done >= offset {
			return p.pos
		}
		in, out := charLen(p.raw)
		skip(in)
		p.done += out
	}
	return p.pos
}

// markupLen returns the length of the markup at the start of raw, which ends with end.
func markupLen(raw, end string) int {
	if i := strings.Index(raw, end); i >= 0 {
		return i + len(end)
	}
	return len(raw)
}

// charLen returns the number of bytes of the first character, in raw and in the resolved text.
func charLen(raw string) (in, out int) {
	if strings.HasPrefix(raw, "\r\n") {
		return 2, 1
	}
	if raw[0] == '&' {
		// A document that is refused may have a bare "&".
		if end := strings.IndexByte(raw, ';'); end > 1 && !strings.ContainsAny(raw[1:end], " \t\r\n&<") {
			return end + 1, entityLen(raw[1:end])
		}
	}
	_, n := utf8.DecodeRuneInString(raw)
	return n, n
}

func entityLen(name string) int {
	if !strings.HasPrefix(name, "#") {
		return 1 // the five predefined entities are all one byte long
	}
	digits, base := name[1:], 10
	if strings.HasPrefix(digits, "x") {
		digits, base = digits[1:], 16
	}
	n, err := strconv.ParseInt(digits, base, 32)
	if err != nil || utf8.RuneLen(rune(n)) < 0 {
		return len("\uFFFD")
	}
	return utf8.RuneLen(rune(n))
}

// advance returns the place after text that begins at p.
func advance(p Position, text string) Position {
	if n := strings.Count(text, "\n"); n > 0 {
		p.Line += n
		p.Col = 1
		text = text[strings.LastIndexByte(text, '\n')+1:]
	}
	p.Col += utf8.RuneCountInString(text)
	return p
}
