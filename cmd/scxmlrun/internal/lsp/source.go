package lsp

import (
	"cmp"
	"slices"
	"strings"
	"unicode/utf8"
)

// An encoding says what the character of a position counts: bytes ("utf-8"), code units ("utf-16")
// or code points ("utf-32").
type encoding string

const (
	utf8Units  encoding = "utf-8"
	utf16Units encoding = "utf-16" // what a client has that says nothing
	utf32Units encoding = "utf-32"
)

// units returns how many units a character of size bytes has.
func (e encoding) units(r rune, size int) uint32 {
	switch {
	case e == utf8Units:
		return uint32(size)
	case e == utf16Units && r > 0xFFFF:
		return 2
	}
	return 1
}

// A source is the text of a document with its lines. It is immutable.
type source struct {
	content  string
	encoding encoding
	marks    []mark // at the beginning of each line, and in long lines
}

// A mark is a place of which both the offset and the position are known.
type mark struct {
	offset int
	position
}

// markDistance is the distance of marks in a line, in bytes: a position is found in this time, however
// long the line is.
const markDistance = 1024

func newSource(content string, e encoding) *source {
	t := &source{content: content, encoding: e}
	at := mark{}
	for {
		end, next := lineEnd(content, at.offset)
		t.marks = append(t.marks, at)
		for end-at.offset > markDistance {
			for from := at.offset; at.offset-from < markDistance; {
				r, size := utf8.DecodeRuneInString(content[at.offset:])
				at.offset += size
				at.Character += e.units(r, size)
			}
			t.marks = append(t.marks, at)
		}
		if next == end {
			return t
		}
		at = mark{next, position{Line: at.Line + 1}}
	}
}

// lineEnd returns where the line of an offset ends, and where the next one begins. Both are the same in
// the last line. A line ends with \n, \r\n or \r.
func lineEnd(content string, from int) (end, next int) {
	end = len(content)
	if i := strings.IndexByte(content[from:], '\n'); i >= 0 {
		end = from + i
		next = end + 1
	} else {
		next = end
	}
	if i := strings.IndexByte(content[from:end], '\r'); i >= 0 {
		if from+i+1 < end || next == end { // alone
			next = from + i + 1
		}
		end = from + i
	}
	return end, next
}

// offset returns the offset of a position in bytes. A position after the end of its line is the end of
// the line, and one within a character its beginning.
func (t *source) offset(p position) int {
	i, found := slices.BinarySearchFunc(t.marks, p, func(m mark, p position) int {
		return cmp.Or(cmp.Compare(m.Line, p.Line), cmp.Compare(m.Character, p.Character))
	})
	if !found {
		i-- // there is a mark at 0:0
	}
	at := t.marks[i]
	if at.Line < p.Line { // after the last line
		return len(t.content)
	}
	end, _ := lineEnd(t.content, at.offset)
	for at.offset < end {
		r, size := utf8.DecodeRuneInString(t.content[at.offset:])
		at.Character += t.encoding.units(r, size)
		if at.Character > p.Character {
			break
		}
		at.offset += size
	}
	return at.offset
}

// position returns the position of an offset between 0 and the length of the text.
func (t *source) position(offset int) position {
	i, found := slices.BinarySearchFunc(t.marks, offset, func(m mark, offset int) int { return cmp.Compare(m.offset, offset) })
	if !found {
		i--
	}
	at := t.marks[i]
	for _, r := range t.content[at.offset:offset] {
		at.Character += t.encoding.units(r, utf8.RuneLen(r))
	}
	return at.position
}

// span returns the range from one offset to another.
func (t *source) span(from, to int) span { return span{t.position(from), t.position(to)} }

// change returns the text after the changes, which are made one after the other.
func (t *source) change(changes []contentChange) *source {
	for _, c := range changes {
		content := c.Text
		if c.Range != nil {
			from, to := t.offset(c.Range.Start), t.offset(c.Range.End)
			if from > to {
				from, to = to, from
			}
			content = t.content[:from] + c.Text + t.content[to:]
		}
		t = newSource(content, t.encoding)
	}
	return t
}
