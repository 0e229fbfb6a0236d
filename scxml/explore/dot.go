package explore

import (
	"fmt"
	"io"
	"strings"
)

// WriteDOT writes the graph in the language of Graphviz. label returns the text of a node, which may have
// several lines; nil is for the active states. The first node has a thick border, a final one a double
// border, and a deadlock is red. Edges between the same nodes are one. A node that the search found last,
// and whose edges a bound has cut off, is left out.
func (g *Graph) WriteDOT(w io.Writer, label func(node int) string) error {
	if label == nil {
		label = func(node int) string { return strings.Join(g.Nodes[node].Configuration, "\n") }
	}
	var b strings.Builder
	b.WriteString("digraph states {\n\tnode [shape=box style=\"rounded\" fontname=\"sans-serif\" fontsize=11]\n\tedge [fontname=\"sans-serif\" fontsize=10]\n")
	found := map[int]bool{0: true}
	for _, e := range g.Edges {
		found[e.To] = true
	}
	for i, node := range g.Nodes {
		if !found[i] {
			continue
		}
		attributes := ""
		if i == 0 {
			attributes += " penwidth=3"
		}
		if node.Final {
			attributes += " peripheries=2"
		}
		if node.Deadlock {
			attributes += " color=\"#b00020\" fontcolor=\"#b00020\""
		}
		fmt.Fprintf(&b, "\t%d [label=%s%s]\n", i, quoteDOT(label(i)), attributes)
	}
	type ends struct{ from, to int }
	labels := map[ends][]string{}
	var order []ends
	for _, e := range g.Edges {
		at := ends{e.From, e.To}
		if labels[at] == nil {
			order = append(order, at)
		}
		labels[at] = append(labels[at], e.Input.String())
	}
	const most = 5
	for _, at := range order {
		texts := labels[at]
		if more := len(texts) - most; more > 1 {
			texts = append(texts[:most:most], fmt.Sprintf("and %d more", more))
		}
		fmt.Fprintf(&b, "\t%d -> %d [label=%s]\n", at.from, at.to, quoteDOT(strings.Join(texts, "\n")))
	}
	b.WriteString("}\n")
	_, err := io.WriteString(w, b.String())
	return err
}

// quoteDOT quotes a text for Graphviz, with its lines to the left.
func quoteDOT(text string) string {
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\r", " ", "\n", `\l`).Replace(text) + `\l"`
}
