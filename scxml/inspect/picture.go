package inspect

import (
	"bytes"
	"fmt"
	"html"

	"github.com/scxmlrun/scxmlrun/scxml/diagram"
)

// writePicture lists the states as boxes.
func writePicture(b *bytes.Buffer, d *diagram.Diagram) {
	fmt.Fprintf(b, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 400 %d" font-family="sans-serif" font-size="14">`, 30*len(d.Nodes))
	for i, n := range d.Nodes {
		depth := 0
		for p := n.Parent; p != nil; p = p.Parent {
			depth++
		}
		fmt.Fprintf(b, `<g class="node" data-state="%s"><rect x="%d" y="%d" width="200" height="26" rx="6" fill="none" stroke="currentColor"/><text x="%d" y="%d" fill="currentColor">%[1]s</text></g>`,
			html.EscapeString(n.ID), 4+20*depth, 2+30*i, 14+20*depth, 20+30*i)
	}
	b.WriteString("</svg>")
}
