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

// compare returns a number that is negative if p is before q, and positive if it is after it.
func (p position) compare(q position) int {
	return cmp.Or(cmp.Compare(p.Line, q.Line), cmp.Compare(p.Character, q.Character))
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
	i, found := slices.BinarySearchFunc(t.marks, p, func(m mark, p position) int { return m.compare(p) })
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
	r := rewrite{source: t, kept: len(t.content)}
	for _, c := range changes {
		if c.Range == nil {
			r = rewrite{source: newSource(c.Text, t.encoding), kept: len(c.Text)}
			continue
		}
		from, to := c.Range.Start, c.Range.End
		if to.compare(from) < 0 {
			from, to = to, from
		}
		if !r.keeps(from) || !r.keeps(to) {
			r = rewrite{source: r.text()}
			r.kept = len(r.content)
		}
		r.replace(r.offset(from), r.offset(to), c.Text)
	}
	return r.text()
}

// A rewrite is a text of which the end was changed. Editors that change many places begin with the last
// one: then the lines are found once, and not after each change.
type rewrite struct {
	*source
	kept  int      // how many bytes of the source are as they were
	after []string // what follows them, the last part first
}

// keeps reports whether a position is where it was in the source.
func (r *rewrite) keeps(p position) bool {
	if len(r.after) == 0 {
		return true
	}
	at := r.offset(p)
	// A \r and a \n that come together are one end of a line.
	return at <= r.kept && r.position(at) == p && (at < r.kept || at == 0 || r.content[at-1] != '\r')
}

// replace replaces a part of what is kept.
func (r *rewrite) replace(from, to int, text string) {
	r.after = append(r.after, r.content[to:r.kept], text)
	r.kept = from
}

// text returns the whole text.
func (r *rewrite) text() *source {
	if len(r.after) == 0 {
		return r.source
	}
	var b strings.Builder
	b.WriteString(r.content[:r.kept])
	for _, part := range slices.Backward(r.after) {
		b.WriteString(part)
	}
	return newSource(b.String(), r.encoding)
}
