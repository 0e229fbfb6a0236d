package editor

import (
	"html"
	"slices"
	"sort"
	"strings"
	"unicode/utf8"

	"github.com/scxmlrun/scxmlrun/datamodel"
	"github.com/scxmlrun/scxmlrun/datamodel/ecmascript"
)

// A snippet is a piece of code with its character references resolved.
type snippet struct {
	text  string
	start int     // of the code in the document
	jumps []shift // where offsets in text and document drift apart, in order
}

// A shift says that the byte at in the text is at the byte from in the document.
type shift struct{ at, from int }

// offset returns the place in the document of a byte of the code.
func (s *snippet) offset(at int) int {
	i := sort.Search(len(s.jumps), func(i int) bool { return s.jumps[i].at > at }) - 1
	if i < 0 {
		return s.start + at
	}
	return s.jumps[i].from + at - s.jumps[i].at
}

func (s *snippet) span(from, to int) Span {
	if to == from {
		return Span{s.offset(from), s.offset(from)}
	}
	return Span{s.offset(from), s.offset(to-1) + 1}
}

// at returns the place in the code of a byte of the document.
func (s *snippet) at(offset int) int {
	i := sort.Search(len(s.jumps), func(i int) bool { return s.jumps[i].from > offset }) - 1
	if i < 0 {
		return min(max(offset-s.start, 0), len(s.text))
	}
	return min(s.jumps[i].at+offset-s.jumps[i].from, len(s.text))
}

// read returns the code at a span of the document.
func (d *Document) read(at Span) *snippet {
	raw := d.at(at)
	s := &snippet{text: raw, start: at.Start}
	if !strings.ContainsAny(raw, "&<") {
		return s
	}
	var text strings.Builder
	for i := 0; i < len(raw); {
		rest := raw[i:]
		skip := 0 // bytes that are not part of the code
		switch {
		case strings.HasPrefix(rest, "<![CDATA["):
			end := strings.Index(rest, "]]>")
			if end < 0 {
				end = len(rest)
			}
			s.jumps = append(s.jumps, shift{text.Len(), at.Start + i + len("<![CDATA[")})
			text.WriteString(rest[min(len("<![CDATA["), end):end])
			skip = min(end+len("]]>"), len(rest))
		case strings.HasPrefix(rest, "<!--"):
			skip = len(rest)
			if end := strings.Index(rest, "-->"); end >= 0 {
				skip = end + len("-->")
			}
		case rest[0] == '&':
			if end := strings.IndexByte(rest, ';'); end > 1 && end < 12 {
				if c := html.UnescapeString(rest[:end+1]); utf8.RuneCountInString(c) == 1 {
					text.WriteString(c)
					skip = end + 1
				}
			}
		}
		if skip == 0 {
			text.WriteByte(rest[0])
			i++
			continue
		}
		i += skip
		s.jumps = append(s.jumps, shift{text.Len(), at.Start + i})
	}
	s.text = text.String()
	return s
}

// A token is a part of code: a name, a string without its quotes, or a character.
type token struct {
	kind     byte // 'a' for a name, '"' for a string, or the character
	from, to int
}

// tokens returns the tokens of code, which may be broken. Comments, numbers and regular expressions
// are left out, and a template is left out but for what is in its ${}.
func tokens(text string) []token {
	var all []token
	var templates []int // depths of braces at which a template continues
	depth := 0
	for i := 0; i < len(text); {
		c := text[i]
		from := i
		switch {
		case strings.HasPrefix(text[i:], "//"):
			if i = strings.IndexByte(text[from:], '\n'); i < 0 {
				return all
			}
			i += from
		case strings.HasPrefix(text[i:], "/*"):
			if i = strings.Index(text[from+2:], "*/"); i < 0 {
				return all
			}
			i += from + len("/**/")
		case c == '/' && !endsValue(text, all):
			i = regexpEnd(text, i)
		case c == '"' || c == '\'':
			i = stringEnd(text, i)
			to := i
			if to > from+1 && text[to-1] == c {
				to--
			}
			all = append(all, token{'"', from + 1, to})
		case c == '`', c == '}' && len(templates) > 0 && templates[len(templates)-1] == depth:
			if c == '}' {
				templates = templates[:len(templates)-1]
			}
			var open bool
			if i, open = templateEnd(text, i+1); open {
				templates = append(templates, depth)
			}
			all = append(all, token{'`', from, i})
		case isNameByte(c):
			for i < len(text) && (isNameByte(text[i]) || isDigit(text[i])) {
				i++
			}
			all = append(all, token{'a', from, i})
		case isDigit(c):
			for i < len(text) && (isNameByte(text[i]) || isDigit(text[i]) || text[i] == '.') {
				i++
			}
			all = append(all, token{'0', from, i})
		default:
			i++
			if !isSpace(c) {
				all = append(all, token{c, from, i})
			}
			if c == '{' {
				depth++
			} else if c == '}' {
				depth--
			}
		}
	}
	return all
}

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

func isNameByte(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c == '_' || c == '$' || c >= utf8.RuneSelf
}

// endsValue reports whether a "/" after these tokens divides, instead of beginning a regular
// expression.
func endsValue(text string, before []token) bool {
	if len(before) == 0 {
		return false
	}
	switch t := before[len(before)-1]; t.kind {
	case 'a':
		word := text[t.from:t.to]
		return word != "return" && word != "typeof" && word != "case" && word != "in" && word != "of"
	case '"', '0', '`', ')', ']', '}':
		return true
	}
	return false
}

func stringEnd(text string, at int) int {
	for i := at + 1; i < len(text); i++ {
		switch text[i] {
		case '\\':
			i++
		case text[at]:
			return i + 1
		case '\n':
			return i
		}
	}
	return len(text)
}

func regexpEnd(text string, at int) int {
	class := false
	for i := at + 1; i < len(text) && text[i] != '\n'; i++ {
		switch text[i] {
		case '\\':
			i++
		case '[':
			class = true
		case ']':
			class = false
		case '/':
			if !class {
				return i + 1
			}
		}
	}
	return at + 1
}

// templateEnd returns where a part of a template ends, and whether that is with a "${".
func templateEnd(text string, at int) (end int, open bool) {
	for i := at; i < len(text); i++ {
		switch {
		case text[i] == '\\':
			i++
		case text[i] == '`':
			return i + 1, false
		case strings.HasPrefix(text[i:], "${"):
			return i + 2, true
		}
	}
	return len(text), false
}

// isMember reports whether the token i is the name of a property: x in o.x.
func isMember(all []token, i int) bool {
	if i == 0 || all[i-1].kind != '.' {
		return false
	}
	return i < 3 || all[i-2].kind != '.' // ...x
}

// isKey reports whether the token i is a key in the text of an object: x in {x: 1}.
func isKey(all []token, i int) bool {
	return i > 0 && (all[i-1].kind == '{' || all[i-1].kind == ',') && i+1 < len(all) && all[i+1].kind == ':'
}

// inStates returns the tokens of ids in In('x').
func inStates(text string, all []token) []token {
	var ids []token
	for i, t := range all {
		if t.kind == '"' && i >= 2 && all[i-1].kind == '(' && all[i-2].kind == 'a' && text[all[i-2].from:all[i-2].to] == "In" && !isMember(all, i-2) {
			ids = append(ids, t)
		}
	}
	return ids
}

// kind returns what the code is compiled as.
func (c *code) kind() datamodel.Kind {
	switch c.role {
	case condition:
		return datamodel.Condition
	case expression:
		return datamodel.ValueExpr
	case location, locations:
		return datamodel.Location
	}
	return datamodel.Script
}

// pieces calls f for each piece of code: one for each location in a namelist.
func (d *Document) pieces(c *code, f func(*snippet)) {
	if c.role != locations {
		f(d.read(c.span))
		return
	}
	eachWord(d.at(c.span), c.span.Start, func(_ string, s Span) { f(d.read(s)) })
}

// inCode returns the words of a kind and name in the code of a chart.
func (d *Document) inCode(c *chart, kind wordKind, name string) []word {
	var all []word
	for i := range c.codes {
		if !strings.Contains(d.at(c.codes[i].span), name) {
			continue
		}
		for _, w := range d.wordsOf(&c.codes[i]) {
			if w.kind == kind && w.name == name {
				all = append(all, w)
			}
		}
	}
	return all
}

// wordsOf returns the words in a piece of code, in order: the ids of states in In(), and the
// variables. Of code that cannot be parsed these are all names that are not properties.
func (d *Document) wordsOf(c *code) []word {
	var all []word
	chart := c.node.chart
	d.pieces(c, func(s *snippet) {
		add := func(kind wordKind, name string, from int, short bool) {
			all = append(all, word{kind: kind, use: refers, name: name, span: s.span(from, from+len(name)), node: c.node, short: short})
		}
		parts := tokens(s.text)
		for _, t := range inStates(s.text, parts) {
			add(stateWord, s.text[t.from:t.to], t.from, false)
		}
		if !d.isECMAScript(chart) {
			return
		}
		names, err := namesIn(c, s)
		for _, n := range names {
			add(dataWord, n.Name, n.Offset, n.Short)
		}
		if err == nil {
			return
		}
		for i, t := range parts {
			if t.kind == 'a' && !isMember(parts, i) && !isKey(parts, i) {
				add(dataWord, s.text[t.from:t.to], t.from, false)
			}
		}
	})
	slices.SortStableFunc(all, func(a, b word) int { return a.span.Start - b.span.Start })
	return all
}

// namesIn returns the places where code names variables of the chart.
func namesIn(c *code, s *snippet) ([]datamodel.Occurrence, error) {
	return ecmascript.New().(datamodel.Analyzer).Occurrences(c.kind(), s.text)
}

// isECMAScript reports whether the data model of a chart is ECMAScript.
func (d *Document) isECMAScript(c *chart) bool {
	name := d.attr(c.root, "datamodel")
	return name == "" || name == "ecmascript"
}
