package editor

import (
	"regexp"
	"strconv"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/scxmlrun/scxmlrun/datamodel"
	"github.com/scxmlrun/scxmlrun/scxml"
)

// A Problem is a diagnostic of [scxml.Lint] with what an editor shows around it.
type Problem struct {
	Span        Span // what to underline; never empty, unless the text is
	Severity    scxml.Severity
	Code        string
	Message     string
	Explanation scxml.Explanation // of the code
	Related     []Place           // places in this document that the message names
	Fixes       []Fix             // the most probable one first
	Unneeded    bool              // the span has no effect and can be shown pale
}

// Problems returns all diagnostics in document order. The first call takes as long as [scxml.Lint].
// The caller must not change the list.
func (d *Document) Problems() []Problem { return d.problems() }

func (d *Document) lint() []Problem {
	d.memo.turn()
	opts := d.opts.Lint
	opts.Interrupted = d.abandoned.Load
	found := scxml.Lint(d.name, []byte(asUTF8(d.text)), opts, d.opts.Chart...)
	if d.abandoned.Load() {
		d.memo.keep()
	}
	explanations := map[string]scxml.Explanation{}
	all := make([]Problem, 0, len(found))
	for _, f := range found {
		e, known := explanations[f.Code]
		if !known {
			e, _ = scxml.Explain(f.Code)
			explanations[f.Code] = e
		}
		p := Problem{Severity: f.Severity, Code: f.Code, Message: f.Message, Explanation: e, Unneeded: unneeded[f.Code]}
		if f.Pos.File != d.name {
			p.Span = d.loadedAt(f.Pos.File)
			p.Message = f.String()
		} else {
			offset := d.offset(f.Pos)
			p.Span = d.underline(offset)
			p.Related = d.relatedTo(f.Message)
			p.Fixes = d.fixes(f, offset)
		}
		all = append(all, p)
	}
	return all
}

// unneeded has the codes of what has no effect.
var unneeded = map[string]bool{
	"unreachable-state": true, "never-taken": true, "empty-attribute": true, "unknown-attribute": true, "stray-text": true, "assigns-itself": true,
}

// declaredEncoding matches what an XML declaration says about its encoding.
var declaredEncoding = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^(\x{feff}?<\?xml[^>]*?\sencoding\s*=\s*)("[^"]*"|'[^']*')`)
})

// asUTF8 returns the text as a document whose encoding is UTF-8, as it is in an editor: the file may
// have another. All places stay where they are.
func asUTF8(text string) string {
	m := declaredEncoding().FindStringSubmatchIndex(text)
	if m == nil || m[5]-m[4] < len(`"UTF-8"`) {
		return text
	}
	return text[:m[4]] + `"UTF-8"` + strings.Repeat(" ", m[5]-m[4]-len(`"UTF-8"`)) + text[m[5]:]
}

// offset returns the byte at a position. Columns count characters, without a byte order mark.
func (d *Document) offset(pos datamodel.Position) int {
	if pos.Line > len(d.lines) {
		return len(d.text)
	}
	at := d.LineStart(pos.Line - 1)
	if pos.Line == 1 {
		at = len(d.text) - len(strings.TrimPrefix(d.text, "\ufeff"))
	}
	for n := 1; n < pos.Col && at < len(d.text) && d.text[at] != '\n'; n++ {
		_, size := utf8.DecodeRuneInString(d.text[at:])
		at += size
	}
	return at
}

// underline returns the span of what begins at an offset: the name of a tag, of an attribute, a word of
// a list, a whole value, a token of code, or the rest of a line.
func (d *Document) underline(offset int) Span {
	n := d.nodeAt(offset + 1)
	switch {
	case n != nil && offset == n.head.Start:
		return Span{offset, max(n.name.End, offset+1)}
	case n != nil && offset == n.tail.Start && n.tail.End > 0:
		return n.tail
	case n != nil && offset < n.head.End:
		for _, a := range n.attrs {
			if offset == a.name.Start && a.name.End > offset {
				return a.name
			}
			if offset >= a.value.Start && offset < a.value.End {
				return d.inValue(n, a, offset)
			}
			if offset == a.value.End && a.value.Start < a.value.End { // an end that comes too early
				return a.value
			}
		}
	case n != nil && n.tag == "script" && n.chart != nil:
		if c := d.codeAt(offset); c != nil {
			return d.tokenAt(c.span, offset)
		}
	}
	end := offset
	for end < len(d.text) && d.text[end] != '\n' && (end == offset || d.text[end] != '<') {
		end++
	}
	return d.visible(Span{offset, offset + len(strings.TrimRight(d.text[offset:end], " \t\r"))})
}

// visible returns a span that is not empty unless the text is.
func (d *Document) visible(s Span) Span {
	if s.Start < s.End {
		return s
	}
	if s.Start < len(d.text) {
		_, size := utf8.DecodeRuneInString(d.text[s.Start:])
		return Span{s.Start, s.Start + size}
	}
	_, size := utf8.DecodeLastRuneInString(d.text)
	return Span{s.Start - size, s.Start}
}

// inValue returns the part of a value that begins at an offset.
func (d *Document) inValue(n *node, a attr, offset int) Span {
	known := vocabulary[n.tag].attrs[d.at(a.name)].role
	switch {
	case known == targets || known == initials || known == descriptors || known == locations:
		for end := offset; ; end++ {
			if end == a.value.End || isSpace(d.text[end]) {
				return d.visible(Span{offset, end})
			}
		}
	case known.isCode() && offset > a.value.Start:
		return d.tokenAt(a.value, offset)
	case offset == a.value.Start:
		return a.value
	}
	return Span{offset, a.value.End}
}

// tokenAt returns the token of code that begins at an offset, or the character.
func (d *Document) tokenAt(code Span, offset int) Span {
	s := d.read(code)
	at := s.at(offset)
	for _, t := range tokens(s.text) {
		if t.from == at && t.from < t.to {
			return s.span(t.from, t.to)
		}
	}
	return d.visible(Span{offset, offset})
}

// loadedAt returns the value of the attribute src that names a file, or the first character.
func (d *Document) loadedAt(name string) Span {
	for _, c := range d.charts {
		for _, at := range c.files {
			if file := strings.TrimSpace(d.at(at)); strings.HasSuffix(name, strings.TrimPrefix(file, "./")) {
				return at
			}
		}
	}
	return d.visible(Span{})
}

// otherPlace matches a place in a message, such as "the first is at 3:14".
var otherPlace = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\b(?:at|and|,) (\d+):(\d+)\b`) })

// relatedTo returns the places that a message names.
func (d *Document) relatedTo(message string) []Place {
	var places []Place
	for _, m := range otherPlace().FindAllStringSubmatch(message, -1) {
		line, _ := strconv.Atoi(m[1])
		col, _ := strconv.Atoi(m[2])
		if line < 1 || line > len(d.lines) {
			continue
		}
		at := d.offset(datamodel.Position{Line: line, Col: col})
		places = append(places, Place{Span: d.underline(at), Text: "named in the message"})
	}
	return places
}
