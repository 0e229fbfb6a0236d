package editor

import (
	"cmp"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
)

// A draft collects the edits of an operation.
type draft struct {
	*Document
	chart *chart
	args  map[string]string
	edits []Edit
	tags  map[*node]string // the names of elements that get others
	loose bool             // what is wrong afterwards was asked for
}

func (w *draft) edit(at Span, text string) { w.edits = append(w.edits, Edit{at, text}) }

// insert writes an element into another one, after one of its children or, if that is nil, as the first.
// Its lines are separated by "\n" and indented as if the first were not.
func (w *draft) insert(in, after *node, text string) {
	eol, inner := w.eol(), w.innerIndent(in)
	lines := moveLines(text, "", inner, eol)
	switch {
	case in.empty:
		start := in.head.End - len("/>")
		for isSpace(w.text[start-1]) {
			start--
		}
		w.edit(Span{start, in.head.End}, ">"+w.block(in, text)+"</"+cmp.Or(w.tags[in], w.at(in.name))+">")
	case after != nil && w.isFirst(after):
		at := w.lineRest(after.span.End)
		w.edit(Span{at, at}, eol+inner+lines)
	case after != nil:
		w.edit(Span{after.span.End, after.span.End}, lines)
	case eol == "" || len(in.children) > 0 && !w.isFirst(in.children[0]):
		w.edit(Span{in.head.End, in.head.End}, lines)
	case w.LineAt(in.head.End) == w.LineAt(in.tail.Start):
		w.edit(Span{in.head.End, in.head.End}, w.block(in, text))
	default:
		at := w.lineRest(in.head.End)
		w.edit(Span{at, at}, eol+inner+lines)
	}
}

// block returns the content of an element that has none yet.
func (w *draft) block(n *node, text string) string {
	eol := w.eol()
	if eol == "" {
		return moveLines(text, "", "", eol)
	}
	inner := w.innerIndent(n)
	return eol + inner + moveLines(text, "", inner, eol) + eol + w.indent(n)
}

// remove takes an element out, with its lines if nothing else is in them.
func (w *draft) remove(n *node) { w.edit(w.whole(n.span), "") }

// whole returns a span with the rest of its lines if that is blank.
func (w *draft) whole(s Span) Span {
	start := w.LineStart(w.LineAt(s.Start))
	end := s.End
	for end < len(w.text) && (w.text[end] == ' ' || w.text[end] == '\t') {
		end++
	}
	if strings.TrimLeft(w.text[start:s.Start], " \t") != "" {
		return s
	}
	switch rest := w.text[end:]; {
	case strings.HasPrefix(rest, "\r\n"):
		return Span{start, end + 2}
	case strings.HasPrefix(rest, "\n"):
		return Span{start, end + 1}
	}
	return s
}

// eol returns the end of a line in the document, or "" if the chart is in one line.
func (w *draft) eol() string {
	i := strings.IndexByte(w.at(w.chart.root.span), '\n')
	if i < 0 {
		return ""
	}
	if strings.HasSuffix(w.text[:w.chart.root.span.Start+i], "\r") {
		return "\r\n"
	}
	return "\n"
}

// isFirst reports whether only blanks are before an element in its line.
func (w *draft) isFirst(n *node) bool {
	start := w.LineStart(w.LineAt(n.span.Start))
	return start > 0 && strings.TrimLeft(w.text[start:n.span.Start], " \t") == ""
}

// indent returns the blanks before an element in its line, or what is before the first tag there.
func (w *draft) indent(n *node) string {
	line := w.text[w.LineStart(w.LineAt(n.span.Start)):n.span.Start]
	return line[:len(line)-len(strings.TrimLeft(line, " \t"))]
}

// innerIndent returns the blanks before the children of an element.
func (w *draft) innerIndent(n *node) string {
	for _, c := range n.children {
		if w.isFirst(c) {
			return w.indent(c)
		}
	}
	return w.indent(n) + w.unit()
}

// unit returns what a level of the document is indented by.
func (w *draft) unit() string {
	unit := "  "
	var find func(n *node) bool
	find = func(n *node) bool {
		for _, c := range n.children {
			if more, ok := strings.CutPrefix(w.indent(c), w.indent(n)); ok && more != "" && w.isFirst(c) && (n.parent == nil || w.isFirst(n)) {
				unit = more
				return true
			}
			if find(c) {
				return true
			}
		}
		return false
	}
	find(w.chart.root)
	return unit
}

// lineRest returns the end of the line of an offset if only blanks and comments follow there, and
// otherwise the offset.
func (w *draft) lineRest(offset int) int {
	end := offset
	for end < len(w.text) {
		switch rest := w.text[end:]; {
		case rest[0] == '\n', strings.HasPrefix(rest, "\r\n"):
			return end
		case rest[0] == ' ' || rest[0] == '\t':
			end++
		case strings.HasPrefix(rest, "<!--"):
			i := strings.Index(rest, "-->")
			if i < 0 {
				return offset
			}
			end += i + len("-->")
		default:
			return offset
		}
	}
	return offset
}

// moveLines gives the lines after the first one, which begin with some blanks, others, and all lines the
// given end.
func moveLines(text, from, to, eol string) string {
	return eachLine(text, eol, func(line string) string {
		if rest, ok := strings.CutPrefix(line, from); ok {
			return to + rest
		}
		return line
	})
}

// eachLine changes the lines after the first one, and gives all lines an end. Lines that are blank or begin
// in data, in the value of an attribute or in a script that may have a text of several lines only get the
// end, because their blanks count.
func eachLine(text, eol string, change func(string) string) string {
	text = strings.ReplaceAll(text, "\r\n", "\n")
	kept := keptIn(text)
	var b strings.Builder
	at := 0
	for line := range strings.SplitAfterSeq(text, "\n") {
		body, ended := strings.CutSuffix(line, "\n")
		if at > 0 && strings.TrimSpace(line) != "" && !slices.ContainsFunc(kept, func(s Span) bool { return s.Start < at && at <= s.End }) {
			body = change(body)
		}
		at += len(line)
		b.WriteString(body)
		if ended {
			b.WriteString(cmp.Or(eol, "\n"))
		}
	}
	return b.String()
}

// indentBy gives the levels of a text, which the first indented line shows, other blanks.
func indentBy(text, unit string) string {
	from := ""
	return eachLine(text, "\n", func(line string) string {
		rest := strings.TrimLeft(line, " \t")
		if from == "" {
			from = line[:len(line)-len(rest)]
		}
		level := 0
		for from != "" && strings.HasPrefix(line, from) {
			line = line[len(from):]
			level++
		}
		return strings.Repeat(unit, level) + line
	})
}

// keptIn returns the parts of a piece of a document in which white space counts.
func keptIn(text string) []Span {
	roots, _ := scan(text)
	var all []Span
	var visit func(n *node)
	visit = func(n *node) {
		for _, a := range n.attrs {
			all = append(all, a.value)
		}
		tag := localName(text[n.name.Start:n.name.End])
		_, known := vocabulary[tag]
		body := text[n.body().Start:n.body().End]
		switch {
		case tag == "script" && !strings.ContainsAny(body, "`\\"):
		case tag == "content" && len(n.children) == 1 && localName(text[n.children[0].name.Start:n.children[0].name.End]) == "scxml",
			known && tag != "script" && tag != "data" && tag != "assign" && tag != "content":
			for _, c := range n.children {
				visit(c)
			}
		default:
			all = append(all, n.body())
		}
	}
	for _, n := range roots {
		visit(n)
	}
	return all
}

// attrOrder is the order in which attributes are written.
var attrOrder = []string{"id", "type", "src", "event", "cond", "target", "initial", "expr"}

// setAttr gives an attribute of an element a value, and removes it if that is "".
func (w *draft) setAttr(n *node, name, value string) {
	a := w.attribute(n, name)
	switch {
	case a == nil && value == "":
	case a == nil:
		at := n.name.End
		quote := `"`
		for _, other := range n.attrs {
			if i := slices.Index(attrOrder, w.at(other.name)); i < 0 || i < slices.Index(attrOrder, name) {
				at = other.value.End + 1
			}
			quote = w.text[other.value.End : other.value.End+1]
		}
		w.edit(Span{at, at}, " "+name+"="+quote+escapeValue(value, quote)+quote)
	case value == "":
		w.edit(w.wholeAttribute(n, *a), "")
	case w.read(a.value).text != value:
		w.edit(a.value, escapeValue(value, w.text[a.value.End:a.value.End+1]))
	}
}

// escapeValue returns a text as the value of an attribute in quotes.
func escapeValue(text, quote string) string {
	return strings.NewReplacer("&", "&amp;", "<", "&lt;", quote, map[string]string{`"`: "&quot;", "'": "&apos;"}[quote],
		"\r\n", "&#10;", "\n", "&#10;", "\t", "&#9;").Replace(text)
}

// element returns a start tag without its end, as it is written inside of an element. Attributes are names
// and values in turn; those with the value "" are left out.
func (w *draft) element(in *node, name string, attrs ...string) string {
	var b strings.Builder
	b.WriteString("<" + w.prefix(in) + name)
	for i := 0; i < len(attrs); i += 2 {
		if attrs[i+1] != "" {
			b.WriteString(" " + attrs[i] + `="` + escapeValue(attrs[i+1], `"`) + `"`)
		}
	}
	return b.String()
}

// filled returns an element with a content of whole lines, or an empty one.
func (w *draft) filled(in *node, content, name string, attrs ...string) string {
	head := w.element(in, name, attrs...)
	if content == "" {
		return head + "/>"
	}
	end := "</" + w.prefix(in) + name + ">"
	if w.eol() == "" {
		return head + ">" + content + end
	}
	unit := w.unit()
	return head + ">\n" + unit + moveLines(content, "", unit, "\n") + "\n" + end
}

// prefix returns the namespace prefix of an element with its colon, or "".
func (w *draft) prefix(n *node) string {
	return strings.TrimSuffix(w.at(n.name), localName(w.at(n.name)))
}

// setTag changes the name of an element, but not its prefix.
func (w *draft) setTag(n *node, name string) {
	w.edit(n.name, w.prefix(n)+name)
	w.tags = map[*node]string{n: w.prefix(n) + name}
	if n.tail.End > 0 {
		start := n.tail.Start + len("</")
		w.edit(Span{start, start + n.name.End - n.name.Start}, w.prefix(n)+name)
	}
}

// setContent replaces what is in an element by the argument with the given name.
func (w *draft) setContent(n *node, arg string) error {
	text, err := w.content(n, arg)
	if err != nil || w.args[arg] == w.inside(n) {
		return err
	}
	old := Span{n.head.End, n.head.End}
	if !n.empty {
		old = trimmed(w.text, n.body())
	}
	switch {
	case text == "" && n.empty:
	case text == "":
		w.edit(n.body(), "")
	case n.empty:
		w.insert(n, nil, text)
	case old.Start >= old.End:
		w.edit(n.body(), w.block(n, text))
	default:
		base := ""
		if first := w.LineAt(old.Start); first > w.LineAt(n.head.Start) {
			line := w.text[w.LineStart(first):old.Start]
			base = line[:len(line)-len(strings.TrimLeft(line, " \t"))]
		} else if strings.Contains(text, "\n") {
			base = w.innerIndent(n)
		}
		w.edit(old, moveLines(text, "", base, w.eol()))
	}
	return nil
}

// content returns the elements in the argument with the given name, as they are written inside of an
// element.
func (w *draft) content(in *node, arg string) (string, error) {
	text := outdent(strings.ReplaceAll(w.args[arg], "\r\n", "\n"))
	if err := balanced(text); err != nil {
		return "", fmt.Errorf("%s: %w", arg, err)
	}
	return addPrefix(indentBy(text, w.unit()), w.prefix(in)), nil
}

// outdent takes blank lines around a text away, and from its lines the blanks of the first one.
func outdent(text string) string {
	for {
		line, rest, ok := strings.Cut(text, "\n")
		if !ok || strings.TrimSpace(line) != "" {
			break
		}
		text = rest
	}
	text = strings.TrimRight(text, " \t\n")
	body := strings.TrimLeft(text, " \t")
	return moveLines(body, text[:len(text)-len(body)], "", "\n")
}

// balanced returns an error unless a text is well-formed inside of an element.
func balanced(text string) error {
	const open = "<x>"
	dec := xml.NewDecoder(strings.NewReader(open + text + "</x>"))
	depth := 0
	place := func() string {
		line, col := dec.InputPos()
		if line == 1 {
			col -= len(open)
		}
		return fmt.Sprintf("%d:%d", line, max(1, col))
	}
	for {
		before := place()
		token, err := dec.Token()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if e, ok := errors.AsType[*xml.SyntaxError](err); ok {
			if strings.HasSuffix(e.Msg, "closed by </x>") {
				return fmt.Errorf("%s is not closed", strings.TrimSuffix(e.Msg, " closed by </x>"))
			}
			return fmt.Errorf("%s: %s", place(), e.Msg)
		} else if err != nil {
			return err
		}
		switch token.(type) {
		case xml.StartElement:
			depth++
		case xml.EndElement:
			if depth--; depth == 0 && dec.InputOffset() < int64(len(open+text+"</x>")) {
				return fmt.Errorf("%s: an end tag closes nothing", before)
			}
		case xml.Directive, xml.ProcInst:
			return fmt.Errorf("%s: only elements and comments can be here", before)
		}
	}
}

// addPrefix gives the elements of SCXML in a text, which are without one, a namespace prefix. It leaves
// data as it is.
func addPrefix(text, prefix string) string {
	if prefix == "" {
		return text
	}
	return rename(text, func(name string) string {
		if _, known := vocabulary[name]; known {
			return prefix + name
		}
		return name
	})
}

// rename gives the elements in a text, but not those in data, other names.
func rename(text string, to func(string) string) string {
	roots, _ := scan(text)
	var edits []Edit
	var visit func(n *node)
	visit = func(n *node) {
		name := text[n.name.Start:n.name.End]
		edits = append(edits, Edit{n.name, to(name)})
		tag := localName(name)
		for _, c := range n.children {
			if data := tag == "data" || tag == "assign" || tag == "content" || tag == "script"; !data || localName(text[c.name.Start:c.name.End]) == "scxml" {
				visit(c)
			}
		}
		if n.tail.End > 0 {
			start := n.tail.Start + len("</")
			edits = append(edits, Edit{Span{start, start + len(name)}, to(name)})
		}
	}
	for _, n := range roots {
		visit(n)
	}
	return ApplyEdits(text, edits)
}
