package diagram

import (
	"strings"

	"github.com/scxmlrun/scxmlrun/datamodel"
	"github.com/scxmlrun/scxmlrun/scxml"
	"github.com/scxmlrun/scxmlrun/scxml/internal/short"
)

// maxShort is the greatest number of characters of [Text.Short].
const maxShort = 32

// maxName is the greatest number of characters that a picture shows of the name of a state.
const maxName = 200

// maxTitle is the greatest number of bytes of a text that is shown when the pointer rests on something.
const maxTitle = 8000

// newText returns a text and what it is shortened to.
func newText(whole string) Text {
	whole = strings.TrimSpace(whole)
	return Text{short.Line(whole, maxShort), whole}
}

// visible returns a text in which everything can be seen. It has at most maxTitle bytes before that.
func visible(text string) string {
	return datamodel.Visible(short.Bytes(text, maxTitle), func(r rune, raw string) string {
		if r == '\n' || r == '\t' {
			return raw
		}
		return datamodel.Visible(raw, nil)
	})
}

// indent indents all lines but the first.
func indent(text string) string { return strings.ReplaceAll(text, "\n", "\n  ") }

// stateLines returns what a state does.
func stateLines(e *scxml.Element) []Line {
	if e == nil {
		return nil
	}
	var all []Line
	for kind := Entry; kind <= Data; kind++ {
		for _, x := range e.Children {
			switch {
			case kind == Entry && x.Name == "onentry", kind == Exit && x.Name == "onexit":
				all = append(all, lines(kind, x.Children)...)
			case kind == Invoke && x.Name == "invoke", kind == Done && x.Name == "donedata":
				all = append(all, newLine(kind, x))
			case kind == Data && x.Name == "datamodel":
				all = append(all, lines(kind, x.Children)...)
			}
		}
	}
	return all
}

// lines returns a line for each element.
func lines(kind LineKind, elements []*scxml.Element) []Line {
	var all []Line
	for _, x := range elements {
		all = append(all, newLine(kind, x))
	}
	return all
}

func newLine(kind LineKind, e *scxml.Element) Line {
	line, rest := describe(e)
	l := Line{Kind: kind, Text: newText(line), Pos: e.Pos}
	switch e.Name {
	case "if", "foreach":
		l.Short = short.Line(line, maxShort-2) + " …"
	case "donedata":
		l.Text = newText(join("done", " ", strings.Join(trimmed(rest), ", ")))
	case "send":
		l.Delay = either(e, "delay")
	}
	l.Whole = strings.Join(append([]string{line}, rest...), "\n")
	return l
}

func trimmed(texts []string) []string {
	all := make([]string, len(texts))
	for i, t := range texts {
		all[i] = strings.TrimSpace(t)
	}
	return all
}

// describe says what an element does: in one line, and in more that say it whole.
func describe(e *scxml.Element) (line string, rest []string) {
	switch e.Name {
	case "raise":
		line = "raise " + e.Attr("event")
	case "send":
		line = join("send", " ", either(e, "event"))
		line = join(line, " to ", either(e, "target"))
		line = join(line, " after ", either(e, "delay"))
		rest = append(attributes(e, "id", "idlocation", "type", "typeexpr", "namelist"), indented(e.Children)...)
	case "cancel":
		line = "cancel " + either(e, "sendid")
	case "assign":
		line = e.Attr("location") + " = " + value(e)
	case "data":
		line = join(e.Attr("id"), " = ", value(e))
	case "param":
		line = e.Attr("name") + " = " + e.Attr("expr") + e.Attr("location")
	case "log":
		line = join("log", " ", join(e.Attr("label"), ": ", e.Attr("expr")))
	case "script":
		line = join("script", " ", value(e))
	case "if":
		line, rest = "if "+e.Attr("cond"), indented(e.Children)
	case "elseif":
		line = "else if " + e.Attr("cond")
	case "foreach":
		line = "for each " + join(e.Attr("item"), ", ", e.Attr("index")) + " of " + e.Attr("array")
		rest = indented(e.Children)
	case "invoke":
		line = join("invoke", " ", e.Attr("id")+e.Attr("idlocation"))
		line = join(line, ": ", invoked(e))
		rest = append(attributes(e, "type", "typeexpr", "autoforward", "namelist"), indented(e.Children)...)
	case "donedata":
		line, rest = "done", indented(e.Children)
	case "content":
		line = value(e)
	case "else", "finalize":
		line, rest = e.Name, indented(e.Children)
	default: // of another namespace
		line = "<" + e.Name + ">"
	}
	return line, rest
}

// indented describes elements on as many lines as it takes, indented but for those that divide the
// branches of an <if>.
func indented(elements []*scxml.Element) []string {
	var all []string
	for _, x := range elements {
		line, rest := describe(x)
		if x.Name != "else" && x.Name != "elseif" {
			line = "  " + indent(line)
		}
		all = append(all, line)
		for _, r := range rest {
			all = append(all, "  "+r)
		}
	}
	return all
}

// invoked returns what an <invoke> invokes.
func invoked(e *scxml.Element) string {
	if src := either(e, "src"); src != "" {
		return src
	}
	for _, x := range e.Children {
		if x.Name == "content" {
			return value(x)
		}
	}
	return ""
}

// attributes returns a line for each of some attributes that the element has.
func attributes(e *scxml.Element, names ...string) []string {
	var all []string
	for _, name := range names {
		if v := e.Attr(name); v != "" {
			all = append(all, "  "+name+" "+v)
		}
	}
	return all
}

// either returns the attribute name, or the expression that computes it.
func either(e *scxml.Element, name string) string {
	if v := e.Attr(name); v != "" {
		return v
	}
	return e.Attr(name + "expr")
}

// value returns what an element has as an expression, a file or its content.
func value(e *scxml.Element) string {
	for _, v := range []string{e.Attr("expr"), e.Attr("src"), strings.TrimSpace(e.Text)} {
		if v != "" {
			return v
		}
	}
	if len(e.Children) > 0 {
		return "<" + e.Children[0].Name + ">"
	}
	return ""
}

// join joins what is not "".
func join(a, sep, b string) string {
	if a == "" || b == "" {
		return a + b
	}
	return a + sep + b
}
