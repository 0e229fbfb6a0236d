package notation

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/scxmlrun/scxmlrun/datamodel"
	"github.com/scxmlrun/scxmlrun/scxml"
	"github.com/scxmlrun/scxmlrun/scxml/diagram"
)

// A Format is a notation that charts are written in.
type Format struct {
	Name string // "dot", "mermaid", "plantuml", "smcat", "xstate" or "scjson"

	// Write returns the text of a chart, and what it lacks: one line for each thing that the notation
	// cannot express, with the states that have it.
	Write func(d *diagram.Diagram) (text string, lost []string)
}

// Formats returns all notations that charts are written in.
func Formats() []Format {
	return []Format{{"dot", DOT}, {"mermaid", Mermaid}, {"plantuml", PlantUML}, {"smcat", SMCat}, {"xstate", XState}, {"scjson", SCJSON}}
}

// A page is a text that is being written, line by line.
type page struct {
	strings.Builder
	lost   losses
	indent int
}

// line writes one line.
func (p *page) line(format string, args ...any) {
	if format != "" {
		p.WriteString(strings.Repeat("  ", p.indent))
		fmt.Fprintf(p, format, args...)
	}
	p.WriteByte('\n')
}

// block writes what inside writes between two lines, indented.
func (p *page) block(first string, inside func(), last string) {
	p.line("%s", first)
	p.indent++
	inside()
	p.indent--
	p.line("%s", last)
}

// losses are what a notation cannot express, in the order in which it was found.
type losses struct {
	texts []string
	where map[string][]string
	known map[[2]string]bool
}

// add records that something is not expressed at a place.
func (l *losses) add(text, where string) {
	if l.where == nil {
		l.where, l.known = make(map[string][]string), make(map[[2]string]bool)
	}
	if _, known := l.where[text]; !known {
		l.texts = append(l.texts, text)
	}
	if at := [2]string{text, where}; !l.known[at] {
		l.known[at] = true
		l.where[text] = append(l.where[text], where)
	}
}

// lines returns one line for each text, with at most three places.
func (l *losses) lines() []string {
	var all []string
	for _, text := range l.texts {
		where := l.where[text]
		for i, name := range where {
			if runes := []rune(name); len(runes) > 100 {
				where[i] = string(runes[:100]) + "…"
			}
		}
		if more := len(where) - 3; more > 1 {
			where = append(slices.Clip(where[:3]), fmt.Sprintf("%d more", more))
		}
		if n := len(where) - 1; n > 0 {
			where = append(slices.Clip(where[:n-1]), where[n-1]+" and "+where[n])
		}
		all = append(all, text+": "+strings.Join(where, ", "))
	}
	return all
}

// inside returns the lines that a picture shows in a state: what it does, and its transitions that are
// not drawn: targetless ones, which lead nowhere, and those of <scxml>.
func inside(n *diagram.Node) []string {
	var all []string
	for _, l := range n.Lines {
		prefix := map[diagram.LineKind]string{diagram.Entry: "entry / ", diagram.Exit: "exit / ", diagram.Data: "data "}[l.Kind]
		all = append(all, prefix+l.Short)
	}
	for _, e := range n.Edges {
		text := e.Label()
		for i, t := range e.Targets {
			text += [...]string{" \u2192 ", " "}[min(i, 1)] + t.ID
		}
		if len(e.Targets) == 0 || isText(e) {
			all = append(all, text)
		}
	}
	return all
}

// isText reports whether an edge is a transition of <scxml>, which has none by the REC.
func isText(e *diagram.Edge) bool { return e.Source.Parent == nil && e.Kind != diagram.Initial }

// more matches the whole text of a line that has more than its first one.
var more = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^(send|invoke)\b.*\n`) })

// shortened records the texts of a state and its transitions that a picture shows in part.
func (l *losses) shortened(n *diagram.Node) {
	all := slices.Clip(n.Lines)
	for _, e := range n.Edges {
		all = append(all, e.Actions...)
		all = append(all, diagram.Line{Text: e.Cond})
	}
	for _, line := range all {
		switch {
		case strings.HasSuffix(line.Short, "…"):
			l.add("long texts are shortened", n.ID)
		case more().MatchString(line.Whole):
			l.add("the ids and the data of <send> and <invoke> are not written", n.ID)
		}
	}
}

// cut records the states with texts that are longer than shown returns them, such as their names.
func (l *losses) cut(d *diagram.Diagram) {
	for _, n := range d.Nodes {
		texts := append(inside(n), n.ID)
		if n.Parent == nil {
			texts = append(texts, title(d))
		}
		for _, e := range n.Edges {
			texts = append(texts, e.Label())
		}
		if slices.ContainsFunc(texts, func(text string) bool { return len(oneLine(text)) > mostShown }) {
			l.add(fmt.Sprintf("texts of more than %d bytes are cut", mostShown), n.ID)
		}
	}
}

// region reports whether a state is a region: a child of a <parallel>.
func region(n *diagram.Node) bool {
	return n.Parent != nil && n.Parent.Kind == scxml.KindParallel && n.Kind != scxml.KindHistory
}

// title returns what to write above a chart, or "".
func title(d *diagram.Diagram) string { return d.Chart.Name() }

// oneLine returns a text without line breaks.
func oneLine(text string) string { return strings.Join(strings.Fields(text), " ") }

// mostShown is how many bytes a picture shows of a text, and mostLines of several lines.
const mostShown, mostLines = 4000, 8000

// shown returns what a picture shows of a text: one line in which everything can be seen.
func shown(text string) string { return visible(oneLine(text), mostShown) }

// shownLines is like shown for lines, whose spaces and tabs remain.
func shownLines(text string) string { return visible(text, mostLines) }

// visible returns a text of at most so many bytes in which everything can be seen.
func visible(text string, most int) string {
	if len(text) > most {
		text = strings.ToValidUTF8(text[:most], "") + "…"
	}
	return datamodel.Visible(text, func(r rune, raw string) string {
		if r == '\n' || r == '\t' {
			return raw
		}
		return datamodel.Visible(raw, nil)
	})
}

// names gives the states names that a notation can use without quotes: their ids, if those are plain
// words that mean nothing else there.
func names(d *diagram.Diagram, reserved ...string) map[*diagram.Node]string {
	used := make(map[string]bool)
	all := make(map[*diagram.Node]string)
	for _, n := range d.Nodes {
		if plainWord(n.ID) && !slices.Contains(reserved, strings.ToLower(n.ID)) {
			all[n] = n.ID
			used[n.ID] = true
		}
	}
	for _, n := range d.Nodes {
		for k := n.Index; all[n] == ""; k++ {
			if name := fmt.Sprint("s", k); !used[name] {
				all[n] = name
				used[name] = true
			}
		}
	}
	return all
}

// plainWord reports whether a text is an ASCII letter with letters, digits and underscores after it.
func plainWord(s string) bool {
	for i, c := range []byte(s) {
		if letter := 'a' <= c|0x20 && c|0x20 <= 'z'; !letter && (i == 0 || c != '_' && (c < '0' || c > '9')) {
			return false
		}
	}
	return s != ""
}
