package notation

import "strings"

// An element of the SCXML document that is being made.
type element struct {
	name     string
	attrs    []string // names and values in turn
	children []*element
	text     string
	comments []string // before the element
}

func newElement(name string, attrs ...string) *element { return &element{name: name, attrs: attrs} }

// add appends a new child.
func (e *element) add(name string, attrs ...string) *element {
	c := newElement(name, attrs...)
	e.children = append(e.children, c)
	return c
}

// set gives the element an attribute, unless the value is "".
func (e *element) set(name, value string) {
	if value != "" {
		e.attrs = append(e.attrs, name, value)
	}
}

func (e *element) write(b *strings.Builder, indent string) {
	for _, c := range e.comments {
		c = strings.TrimSuffix(strings.ReplaceAll(strings.ReplaceAll(c, "--", "- -"), "--", "- -"), "-")
		b.WriteString(indent + "<!-- " + strings.ReplaceAll(strings.TrimSpace(c), "\n", "\n"+indent+"     ") + " -->\n")
	}
	b.WriteString(indent + "<" + e.name)
	for i := 0; i < len(e.attrs); i += 2 {
		b.WriteString(" " + e.attrs[i] + `="` + attributeEscaper.Replace(e.attrs[i+1]) + `"`)
	}
	text := textEscaper.Replace(e.text)
	switch {
	case len(e.children) > 0:
		b.WriteString(">\n")
		for _, c := range e.children {
			c.write(b, indent+"  ")
		}
		b.WriteString(indent + "</" + e.name + ">\n")
	case strings.Contains(text, "\n"):
		b.WriteString(">\n" + indent + "  " + strings.ReplaceAll(strings.TrimSpace(text), "\n", "\n"+indent+"  ") + "\n" + indent + "</" + e.name + ">\n")
	case text != "":
		b.WriteString(">" + text + "</" + e.name + ">\n")
	default:
		b.WriteString("/>\n")
	}
}

var (
	textEscaper      = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", "\r", "&#13;")
	attributeEscaper = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", `"`, "&quot;", "\n", "&#10;", "\r", "&#13;", "\t", "&#9;")
)
