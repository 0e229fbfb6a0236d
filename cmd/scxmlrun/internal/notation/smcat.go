package notation

import (
	"strings"

	"github.com/scxmlrun/scxmlrun/internal/lazy"
	"github.com/scxmlrun/scxmlrun/scxml"
	"github.com/scxmlrun/scxmlrun/scxml/diagram"
)

// SMCat writes a chart in the language of state-machine-cat. [ReadSMCat] reads it back: the same
// states, transitions and guards, and those actions that one line says whole, unless
// lost says that a text was escaped or shortened.
func SMCat(d *diagram.Diagram) (text string, lost []string) {
	w := &smcatWriter{used: make(map[string]bool)}
	for _, n := range d.Nodes {
		w.used[n.ID] = true
		if n.State.ID() == "" && n.Parent != nil {
			w.lost.add("states without an id are given one", n.ID)
		}
	}
	for _, l := range d.Root.Lines {
		w.lost.add("the data of the chart are not written", strings.TrimSpace(strings.SplitN(l.Short, "=", 2)[0]))
	}
	for _, e := range d.Root.Edges {
		if isText(e) {
			w.lost.add("transitions of <scxml> are not written", e.ID)
		}
	}
	w.content(d.Root)
	return w.String(), w.lost.lines()
}

type smcatWriter struct {
	page
	used map[string]bool // names of states
}

// content writes what is in a state: its initial pseudostate, its children, the pseudostates of edges
// with several targets, and the edges of all of them.
func (w *smcatWriter) content(n *diagram.Node) {
	var states []func(end string)
	var arrows []func()
	edge := func(source string, e *diagram.Edge) {
		if len(e.Targets) < 2 {
			arrows = append(arrows, func() { w.arrow(source, e) })
			return
		}
		fork := w.name(e.ID + " fork")
		states = append(states, func(end string) { w.line("%s [type=fork]%s", smcatQuote(fork), end) })
		arrows = append(arrows, func() {
			w.line("%s => %s%s;", smcatQuote(source), smcatQuote(fork), w.label(e))
			for _, t := range e.Targets {
				w.line("%s => %s;", smcatQuote(fork), smcatQuote(t.ID))
			}
		})
	}
	for _, e := range n.Edges {
		if e.Kind == diagram.Initial {
			dot := w.name(strings.TrimPrefix(n.ID+".", "scxml#0.") + "initial")
			states = append(states, func(end string) { w.line("%s%s", smcatDeclare(dot, "initial"), end) })
			edge(dot, e)
		}
	}
	for _, c := range n.Children {
		states = append(states, func(end string) { w.state(c, end) })
	}
	for _, c := range n.Children {
		for _, e := range c.Edges {
			if e.Kind != diagram.Initial {
				edge(c.ID, e)
			}
		}
	}
	for i, state := range states {
		end := ","
		if i == len(states)-1 {
			end = ";"
		}
		state(end)
	}
	for _, arrow := range arrows {
		arrow()
	}
}

// name returns a name that no state has.
func (w *smcatWriter) name(name string) string {
	for w.used[name] {
		name = "_" + name
	}
	w.used[name] = true
	return name
}

var smcatTypes = map[scxml.StateKind]string{
	scxml.KindAtomic: "regular", scxml.KindCompound: "regular", scxml.KindParallel: "parallel", scxml.KindFinal: "final", scxml.KindHistory: "history",
}

func (w *smcatWriter) state(n *diagram.Node, end string) {
	typ := smcatTypes[n.Kind]
	if n.Deep {
		typ = "deephistory"
	}
	text := smcatDeclare(n.ID, typ)
	var lines []string
	for _, l := range n.Lines {
		prefix := map[diagram.LineKind]string{diagram.Entry: "entry/ ", diagram.Exit: "exit/ ", diagram.Data: "data "}[l.Kind]
		lines = append(lines, prefix+smcatAction(l))
	}
	if len(lines) > 0 {
		text += w.text(strings.Join(lines, "\n"), n)
	}
	if len(n.Children) == 0 {
		w.line("%s%s", text, end)
		return
	}
	w.block(text+" {", func() { w.content(n) }, "}"+end)
}

func (w *smcatWriter) arrow(source string, e *diagram.Edge) {
	target, attributes := source, ""
	switch {
	case len(e.Targets) == 0:
		attributes = " [type=internal]" // which from a state to itself runs neither exit nor entry
	case e.Internal && e.Targets[0] != e.Source:
		attributes = " [type=internal]"
		fallthrough
	default:
		target = e.Targets[0].ID
	}
	w.line("%s => %s%s%s;", smcatQuote(source), smcatQuote(target), attributes, w.label(e))
}

// label writes the text of an edge after a colon.
func (w *smcatWriter) label(e *diagram.Edge) string {
	text := strings.Join(e.Transition.Events(), "\n")
	if strings.ContainsAny(text, "/[") {
		w.lost.add("events with / or [ in their names cannot be told from actions and guards", e.Source.ID)
	}
	if e.Cond.Whole != "" {
		text = strings.TrimPrefix(text+" ["+e.Cond.Whole+"]", " ")
		if _, rest, _ := cutGuard("[" + e.Cond.Whole + "]"); rest != "" {
			w.lost.add("guards whose brackets are not in pairs end too early", e.Source.ID)
		}
	}
	var actions []string
	for _, a := range e.Actions {
		actions = append(actions, smcatAction(a))
	}
	if len(actions) > 0 {
		text += "/ " + strings.Join(actions, "\n")
	}
	if e.Internal && len(e.Targets) > 1 {
		w.lost.add("transitions with several targets are drawn as external ones", e.Source.ID)
	}
	if text == "" {
		return ""
	}
	return w.text(text, e.Source)
}

// text writes a text of a state after a colon.
func (w *smcatWriter) text(text string, n *diagram.Node) string {
	shown := shownLines(text)
	if shown != text {
		w.lost.add("characters that cannot be seen are escaped, and long texts are shortened", n.ID)
	}
	return ": " + smcatQuote(shown)
}

// smcatAction writes an action on one line.
func smcatAction(l diagram.Line) string {
	var parts []string
	for line := range strings.Lines(l.Whole) {
		parts = append(parts, strings.TrimSpace(line))
	}
	return strings.Join(parts, "; ")
}

// smcatDeclare writes the name of a state, with its type unless the name says it.
func smcatDeclare(name, typ string) string {
	if smcatType(name) == typ {
		return smcatQuote(name)
	}
	return smcatQuote(name) + " [type=" + typ + "]"
}

// smcatType returns the type that state-machine-cat takes a state for that has none.
func smcatType(name string) string {
	switch {
	case strings.Contains(name, "initial"):
		return "initial"
	case strings.Contains(name, "final"):
		return "final"
	case strings.Contains(name, "parallel"):
		return "parallel"
	case strings.Contains(name, "history") && strings.Contains(name, "deep"):
		return "deephistory"
	case strings.Contains(name, "history"):
		return "history"
	case strings.HasPrefix(name, "^"):
		return "choice"
	case strings.HasPrefix(name, "]"):
		return "forkjoin"
	}
	return "regular"
}

var smcatPlain = lazy.Regexp(`^[\pL_][\pL\pN_.]*$`)

// smcatQuote writes a text in quotes, in which only a quote is escaped. A backslash before the last
// quote would escape that.
func smcatQuote(text string) string {
	if smcatPlain().MatchString(text) {
		return text
	}
	if strings.HasSuffix(text, `\`) {
		text += " "
	}
	return `"` + strings.ReplaceAll(text, `"`, `\"`) + `"`
}

// cutGuard cuts "[guard] rest", where brackets in the guard come in pairs. Without a bracket at the
// end that fits, the guard ends at the first one.
func cutGuard(text string) (guard, rest string, ok bool) {
	if !strings.HasPrefix(text, "[") {
		return "", text, false
	}
	depth := 0
	quote := byte(0)
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case quote != 0 && c == '\\':
			i++
		case quote != 0:
			if c == quote {
				quote = 0
			}
		case c == '"' || c == '\'' || c == '`':
			quote = c
		case c == '[':
			depth++
		case c == ']':
			if depth--; depth == 0 {
				return text[1:i], text[i+1:], true
			}
		}
	}
	if i := strings.IndexByte(text, ']'); i > 0 {
		return text[1:i], text[i+1:], true
	}
	return "", text, false
}
