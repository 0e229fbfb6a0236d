package notation

import (
	"fmt"
	"strings"

	"github.com/scxmlrun/scxmlrun/scxml/diagram"
)

// Mermaid writes a chart as a state diagram of Mermaid, which GitHub and many editors draw in Markdown.
func Mermaid(d *diagram.Diagram) (text string, lost []string) {
	w := &boxWriter{boxSyntax: mermaid, names: names(d, "as", "class", "classdef", "click", "default", "direction", "end", "hide", "note", "scale", "state", "style", "title")}
	w.line("stateDiagram-v2")
	w.indent++
	w.chart(d)
	return w.String(), w.lost.lines()
}

var mermaid = boxSyntax{
	quote:      mermaidQuote,
	title:      func(w *boxWriter, title string) { w.line("accTitle: %s", mermaidQuote(title)) },
	state:      func(label, name string) string { return fmt.Sprintf(`state "%s" as %s`, label, name) },
	history:    "histories are drawn as states with H or H* before their names",
	regions:    "regions are drawn as states where transitions cross their borders or they have nested states",
	lines:      "<br/>",
	edgesFirst: true,
	flat:       true,
}

// mermaidQuote writes a text so that Mermaid reads neither syntax nor markup in it. It replaces
// "#NUMBER;" by a character before it reads anything else.
func mermaidQuote(text string) string {
	var b strings.Builder
	last := rune(0)
	for _, r := range shown(text) {
		if strings.ContainsRune("#;:\"<>{}&\\`*_~%$", r) || r == last && r == '-' || last == 0 && strings.ContainsRune("-[+", r) {
			fmt.Fprintf(&b, "#%d;", r)
		} else {
			b.WriteRune(r)
		}
		last = r
	}
	return b.String()
}
