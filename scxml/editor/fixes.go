package editor

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"sync"

	"github.com/scxmlrun/scxmlrun/datamodel"
	"github.com/scxmlrun/scxmlrun/scxml"
)

// A Fix is a change of the text that solves a [Problem].
type Fix struct {
	Title string // such as `write "idle"`
	Edits []Edit
}

// The forms in which messages say what to write instead.
var (
	meant   = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\(did you mean (?:<(\w+)>|("(?:[^"\\]|\\.)*"))\?\)`) })
	instead = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`write it instead of ("(?:[^"\\]|\\.)*")`) })
	noAttr  = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`has no attribute "(\w+)"`) })
	oneOf   = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`: expected ("(?:[^"\\]|\\.)*")(?: or ("(?:[^"\\]|\\.)*"))?$`)
	})
	writeValue = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`: write (?:event=)?("(?:[^"\\]|\\.)*")$`) })
	quoteIt    = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`write '([^']*)'`) })
	mismatch   = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`does not close <([^>]+)>, which was opened at (\d+):(\d+)`)
	})
	addData  = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`<data id="([^"]*)"/>`) })
	escapeIt = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`write "(&lt;|&amp;)"`) })
)

// unquote returns what a message has in quotes. It is "" if the message shortens it.
func unquote(s string) string {
	text, err := strconv.Unquote(s)
	if err != nil || strings.Contains(text, "…") {
		return ""
	}
	return text
}

// wrongAttribute says in which attribute of the element at the place of a diagnostic the wrong name
// stands, for codes whose place is the element.
var wrongAttribute = map[string]string{"event-not-taken": "event", "unknown-sendid": "sendid"}

// fixes returns the changes that solve a problem at an offset.
func (d *Document) fixes(f scxml.Diagnostic, offset int) []Fix {
	var all []Fix
	n := d.nodeAt(offset + 1)
	if n == nil {
		return nil
	}
	here := d.underline(offset)
	if m := meant().FindStringSubmatch(f.Message); m != nil {
		all = append(all, d.meantFix(f, n, here, m[1], unquote(m[2]))...)
	}
	if m := instead().FindStringSubmatch(f.Message); m != nil {
		name := "event" // of <send>, which may have another instead
		if missing := noAttr().FindStringSubmatch(f.Message); missing != nil {
			name = missing[1]
		} else if n.tag == "cancel" {
			name = "sendid"
		} else if n.tag == "transition" {
			name = "target"
		}
		if a := d.attribute(n, unquote(m[1])); a != nil {
			all = append(all, d.replace(a.name, name))
		}
	}
	switch f.Code {
	case "unknown-attribute", "empty-attribute":
		for _, a := range n.attrs {
			if a.name == here {
				all = append(all, Fix{fmt.Sprintf("remove the attribute %q", d.at(a.name)), []Edit{{d.wholeAttribute(n, a), ""}}})
			}
		}
	case "illegal-value", "unknown-datamodel":
		if m := oneOf().FindStringSubmatch(f.Message); m != nil {
			for _, value := range m[1:] {
				if value = unquote(value); value != "" {
					all = append(all, d.replace(here, value))
				}
			}
		}
	case "delay-unit", "odd-event", "data-name":
		if m := writeValue().FindStringSubmatch(f.Message); m != nil && unquote(m[1]) != "" {
			at := here
			if a := d.attrAt(n, offset); a != nil {
				at = a.value
			} else if a := d.attribute(n, "id"); a != nil && f.Code == "data-name" {
				at = a.value
			}
			all = append(all, d.replace(at, unquote(m[1])))
		}
	case "missing-version":
		all = append(all, Fix{`add version="1.0"`, []Edit{{Span{n.name.End, n.name.End}, ` version="1.0"`}}})
	case "wrong-namespace":
		if a := d.attribute(n, "xmlns"); a != nil {
			all = append(all, d.replace(a.value, namespace))
		} else if !strings.Contains(d.at(n.name), ":") {
			all = append(all, Fix{"add the namespace of SCXML", []Edit{{Span{n.name.End, n.name.End}, ` xmlns="` + namespace + `"`}}})
		}
	case "bad-entity", "bad-character", "malformed-xml":
		if m := escapeIt().FindStringSubmatch(f.Message); m != nil {
			end := offset + 1
			for m[1] == "&amp;" && strings.HasPrefix(d.text[end:], "&") { // x && y is one mistake
				end++
			}
			all = append(all, Fix{"write " + m[1], []Edit{{Span{offset, end}, strings.Repeat(m[1], end-offset)}}})
		}
	case "unclosed-element":
		end := strings.TrimRight(d.text, " \t\r\n")
		all = append(all, Fix{"add </" + d.at(n.name) + ">", []Edit{{Span{len(end), len(d.text)}, "\n</" + d.at(n.name) + ">\n"}}})
	case "mismatched-tag":
		all = append(all, d.mismatchFixes(f.Message, offset)...)
	case "undeclared-name", "undeclared-location":
		all = append(all, d.declareFixes(f.Message, n, here)...)
	}
	return all
}

// replace returns the fix that writes a text at a span.
func (d *Document) replace(at Span, text string) Fix {
	return Fix{"write " + strconv.Quote(text), []Edit{{at, d.escape(at, text)}}}
}

// escape returns a text as it is written at a span: in the value of an attribute, in CDATA, or between
// tags.
func (d *Document) escape(at Span, text string) string {
	n := d.nodeAt(at.Start)
	if n == nil {
		return text
	}
	if before := d.text[n.head.Start:at.Start]; strings.LastIndex(before, "<![CDATA[") > strings.LastIndex(before, "]]>") {
		return text
	}
	text = strings.NewReplacer("&", "&amp;", "<", "&lt;").Replace(text)
	switch d.quoteAround(n, at) {
	case '"':
		text = strings.ReplaceAll(text, `"`, "&quot;")
	case '\'':
		text = strings.ReplaceAll(text, "'", "&apos;")
	}
	return text
}

// quoteAround returns the quote of the attribute of an element whose value has a span, or 0.
func (d *Document) quoteAround(n *node, at Span) byte {
	if a := d.attrAt(n, at.Start); a != nil && a.quoted {
		return d.text[a.value.Start-1]
	}
	return 0
}

// meantFix returns the fix for a near miss: another element, or another name.
func (d *Document) meantFix(f scxml.Diagnostic, n *node, here Span, element, name string) []Fix {
	if element != "" {
		edits := []Edit{{n.name, element}}
		if n.tail.End > 0 {
			start := n.tail.Start + len("</")
			edits = append(edits, Edit{Span{start, nameEnd(d.text, start)}, element})
		}
		return []Fix{{"write <" + element + ">", edits}}
	}
	if attr := wrongAttribute[f.Code]; attr != "" {
		a := d.attribute(n, attr)
		if a == nil {
			return nil
		}
		here = trimmed(d.text, a.value)
	}
	if name == "" {
		return nil
	}
	if f.Code == "event-never-raised" {
		for _, before := range []string{doneState, doneInvoke} {
			if strings.HasPrefix(d.at(here), before) {
				here.Start += len(before)
			}
		}
	}
	return []Fix{d.replace(here, name)}
}

// mismatchFixes returns the fixes for an end tag that does not close the innermost element: another
// name in it, or, if that of the start tag is misspelt, there.
func (d *Document) mismatchFixes(message string, offset int) []Fix {
	m := mismatch().FindStringSubmatch(message)
	if m == nil {
		return nil
	}
	end := Span{offset + len("</"), nameEnd(d.text, offset+len("</"))}
	line, _ := strconv.Atoi(m[2])
	col, _ := strconv.Atoi(m[3])
	start := d.offset(datamodel.Position{Line: line, Col: col}) + len("<")
	if _, known := vocabulary[localName(m[1])]; !known && isMisspelt(m[1], d.at(end)) {
		return []Fix{{"write <" + d.at(end) + ">", []Edit{{Span{start, nameEnd(d.text, start)}, d.at(end)}}}}
	}
	return []Fix{{"write </" + m[1] + ">", []Edit{{end, m[1]}}}}
}

// declareFixes returns the fixes for a variable that is not declared: quotes around a text, and a
// data item.
func (d *Document) declareFixes(message string, n *node, here Span) []Fix {
	var all []Fix
	if m := quoteIt().FindStringSubmatch(message); m != nil && m[1] == d.at(here) {
		quoted := "'" + m[1] + "'"
		if d.quoteAround(n, here) == '\'' {
			quoted = `"` + m[1] + `"`
		}
		all = append(all, Fix{"write " + quoted, []Edit{{here, quoted}}})
	}
	m := addData().FindStringSubmatch(message)
	if m == nil || strings.Contains(m[1], "…") || n.chart == nil {
		return all
	}
	root := n.chart.root
	prefix := strings.TrimSuffix(d.at(root.name), localName(d.at(root.name)))
	item := "<" + prefix + `data id="` + m[1] + `"/>`
	title := "add " + item
	for _, c := range root.children {
		if c.tag != "datamodel" {
			continue
		}
		if c.empty {
			return append(all, Fix{title, []Edit{{Span{c.head.End - len("/>"), c.head.End}, ">" + item + "</" + d.at(c.name) + ">"}}})
		}
		return append(all, Fix{title, []Edit{{Span{c.head.End, c.head.End}, d.indentOf(c) + "  " + item}}})
	}
	indent := d.indentOf(root)
	open, end := indent+"  <"+prefix+"datamodel>", indent+"  </"+prefix+"datamodel>"
	return append(all, Fix{title, []Edit{{Span{root.head.End, root.head.End}, open + indent + "    " + item + end}}})
}

// indentOf returns a line end and the white space before an element in its line.
func (d *Document) indentOf(n *node) string {
	start := d.LineStart(d.LineAt(n.head.Start))
	line := d.text[start:n.head.Start]
	return "\n" + line[:len(line)-len(strings.TrimLeft(line, " \t"))]
}

// wholeAttribute returns the span of an attribute with the white space before it.
func (d *Document) wholeAttribute(n *node, a attr) Span {
	s := Span{a.name.Start, a.value.End}
	if a.closed {
		s.End++
	}
	for s.Start > n.name.End && isSpace(d.text[s.Start-1]) {
		s.Start--
	}
	return s
}

// attrAt returns the attribute whose value is at an offset, or nil.
func (d *Document) attrAt(n *node, offset int) *attr {
	for i := range n.attrs {
		if n.attrs[i].value.touches(offset) {
			return &n.attrs[i]
		}
	}
	return nil
}
