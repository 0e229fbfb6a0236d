package mutate

import (
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/scxmlrun/scxmlrun/datamodel"
)

const namespace = "http://www.w3.org/2005/07/scxml"

// An element is an element of the chart in the text of a document.
type element struct {
	name     string // "" if it is not in the namespace of SCXML
	span            // from < to the end of its end tag
	attrs    []attr
	parent   *element // nil for <scxml>, also for one that is invoked
	children []*element
	n        int // among the children of parent
	index    int // of a state, see mutator
}

// A span is a part of the text.
type span struct{ from, to int }

type attr struct {
	name  string
	span       // with the blank before the name
	value span // between the quotes
}

// later returns the siblings after e.
func (e *element) later() []*element { return e.parent.children[e.n+1:] }

// attr returns an attribute; ok is false if the element does not have it.
func (e *element) attr(name string) (a attr, ok bool) {
	i := slices.IndexFunc(e.attrs, func(a attr) bool { return a.name == name })
	if i < 0 {
		return attr{}, false
	}
	return e.attrs[i], true
}

// A source is the text of a document and the elements in it.
type source struct {
	file  string
	text  string
	roots []*element // <scxml> and the ones in <content> of <invoke>, in document order
}

// scan finds the elements of a document that the engine accepts.
func scan(file, text string) (*source, error) {
	src := &source{file: file, text: text}
	// The text is UTF-8, whatever the XML declaration says.
	start := 0
	if strings.HasPrefix(text, "<?xml") {
		start = strings.Index(text, "?>") + len("?>")
	}
	d := xml.NewDecoder(strings.NewReader(text[start:]))
	var open []*element // nil for one in a value
	for {
		from := start + int(d.InputOffset())
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			return src, nil
		}
		if err != nil {
			return nil, fmt.Errorf("cannot read %s: %w", file, err)
		}
		to := start + int(d.InputOffset())
		switch token := token.(type) {
		case xml.StartElement:
			var parent *element
			if len(open) > 0 {
				parent = open[len(open)-1]
			}
			e := &element{span: span{from: from}, attrs: attrs(text, from)}
			if token.Name.Space == namespace {
				e.name = token.Name.Local
			}
			switch {
			case len(open) == 0, e.name == "scxml" && parent != nil && parent.name == "content" && parent.parent.name == "invoke":
				src.roots = append(src.roots, e)
			case parent == nil || parent.isValue():
				e = nil
			default:
				e.parent, e.n = parent, len(parent.children)
				parent.children = append(parent.children, e)
			}
			open = append(open, e)
		case xml.EndElement:
			if e := open[len(open)-1]; e != nil {
				e.to = to
			}
			open = open[:len(open)-1]
		}
	}
}

// isValue reports whether the children of an element are a value, or of another namespace.
func (e *element) isValue() bool {
	return e.name == "" || e.name == "data" || e.name == "assign" || e.name == "content"
}

// attrs reads the attributes of the start tag at offset from.
func attrs(text string, from int) (all []attr) {
	const blanks = " \t\r\n"
	at := from + strings.IndexAny(text[from:], blanks+"/>")
	for {
		name := at + len(text[at:]) - len(strings.TrimLeft(text[at:], blanks))
		if text[name] == '/' || text[name] == '>' {
			return all
		}
		equals := name + strings.IndexByte(text[name:], '=')
		quote := equals + strings.IndexAny(text[equals:], `"'`)
		end := quote + 1 + strings.IndexByte(text[quote+1:], text[quote])
		all = append(all, attr{strings.TrimRight(text[name:equals], blanks), span{at, end + 1}, span{quote + 1, end}})
		at = end + 1
	}
}

// value returns an attribute as it is written, "" without it.
func (src *source) value(e *element, name string) string {
	a, _ := e.attr(name)
	return src.part(a.value)
}

func (src *source) part(s span) string { return src.text[s.from:s.to] }

// advance returns the position after a text that begins at pos.
func advance(pos datamodel.Position, text string) datamodel.Position {
	if lines := strings.Count(text, "\n"); lines > 0 {
		pos.Line += lines
		pos.Col = 1
		text = text[strings.LastIndexByte(text, '\n')+1:]
	}
	pos.Col += utf8.RuneCountInString(text)
	return pos
}
