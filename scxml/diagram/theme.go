package diagram

import (
	"fmt"
	"strings"
)

// A Theme is a set of colours.
type Theme uint8

// The themes.
const (
	Auto Theme = iota // light or dark as the reader prefers; light where there is none to ask
	Light
	Dark
	Print // black and white
)

// A Mark says how a node or an edge is coloured.
type Mark uint8

// The marks.
const (
	Plain     Mark = iota
	Missed         // a test run has not reached it
	Reached        // it has
	Highlight      // it is pointed at
	Active         // a session is in the state, or has just taken the transition
	Wrong          // the document has an error there
)

var markNames = [...]string{"", "missed", "reached", "highlight", "active", "wrong"}

// String returns the class of the elements of an SVG picture that have the mark, "" for Plain.
func (m Mark) String() string { return markNames[m] }

// A Paint is how a shape is drawn. Colours are #rrggbb, or "" for none.
type Paint struct {
	Fill, Stroke string
	Width        float64 // of the stroke in pixels
	Dashed       bool
}

// palette has colours by name.
type palette struct {
	paper, text, muted, line, faint, box, frame, border string
	event, cond, dot                                    string
	marks                                               [len(markNames)]struct{ line, fill, text string }
}

var palettes = map[Theme]palette{
	Light: {
		paper: "#ffffff", text: "#1f2328", muted: "#636c76", line: "#6e7781", faint: "#c4cbd3",
		box: "#ffffff", frame: "#f6f8fa", border: "#868f99", event: "#0550ae", cond: "#953800", dot: "#24292f",
		marks: [...]struct{ line, fill, text string }{
			{}, {"#cf222e", "#ffebe9", "#a40e26"}, {"#1a7f37", "#dafbe1", "#116329"}, {"#bc4c00", "#fff1e5", "#953800"}, {"#0969da", "#ddf4ff", "#0550ae"}, {"#cf222e", "#ffebe9", "#a40e26"},
		},
	},
	Dark: {
		paper: "#0d1117", text: "#e6edf3", muted: "#8d96a0", line: "#8b949e", faint: "#3d444d",
		box: "#1c2128", frame: "#151b23", border: "#656c76", event: "#79c0ff", cond: "#ffa657", dot: "#e6edf3",
		marks: [...]struct{ line, fill, text string }{
			{}, {"#f85149", "#3c1618", "#ffa198"}, {"#3fb950", "#12291a", "#7ee787"}, {"#db6d28", "#341f12", "#ffa657"}, {"#388bfd", "#0c2d6b", "#a5d6ff"}, {"#f85149", "#3c1618", "#ffa198"},
		},
	},
	Print: {
		paper: "#ffffff", text: "#000000", muted: "#333333", line: "#000000", faint: "#777777",
		box: "#ffffff", frame: "#ffffff", border: "#000000", event: "#000000", cond: "#000000", dot: "#000000",
		marks: [...]struct{ line, fill, text string }{
			{}, {"#777777", "#ffffff", "#666666"}, {"#000000", "#eeeeee", "#000000"}, {"#000000", "#dddddd", "#000000"}, {"#000000", "#cccccc", "#000000"}, {"#000000", "#ffffff", "#000000"},
		},
	},
}

// classes are the classes of shapes.
var classes = []string{
	"paper", "frame", "box", "inner", "region", "divider", "rule", "edge", "arrow", "dot", "clock", "sign",
	"title", "name", "note", eventClass, condClass, actionClass, wordClass,
}

// Paint returns how shapes of a class are drawn in groups with a mark.
func (t Theme) Paint(class string, m Mark) Paint {
	if t == Auto {
		t = Light
	}
	p := palettes[t]
	c := p.marks[m]
	pick := func(marked, plain string) string {
		if m == Plain {
			return plain
		}
		return marked
	}
	thick := func(w float64) float64 {
		if m >= Highlight || m == Missed {
			return w + 0.75
		}
		return w
	}
	switch class {
	case "paper":
		return Paint{Fill: p.paper}
	case "frame":
		return Paint{Fill: p.frame, Stroke: pick(c.line, p.border), Width: thick(1.25)}
	case "box":
		return Paint{Fill: pick(c.fill, p.box), Stroke: pick(c.line, p.border), Width: thick(1.25)}
	case "inner":
		return Paint{Stroke: pick(c.line, p.border), Width: 1}
	case "region":
		return Paint{}
	case "divider":
		return Paint{Stroke: p.border, Width: 1, Dashed: true}
	case "rule":
		return Paint{Stroke: pick(c.line, p.faint), Width: 1}
	case "edge":
		return Paint{Stroke: pick(c.line, p.line), Width: thick(1.25)}
	case "arrow":
		return Paint{Fill: pick(c.line, p.line)}
	case "dot":
		return Paint{Fill: pick(c.line, p.dot)}
	case "clock", "sign":
		return Paint{Stroke: pick(c.text, p.muted), Width: 1.25}
	case "title", "name":
		return Paint{Fill: pick(c.text, p.text)}
	case eventClass:
		return Paint{Fill: pick(c.text, p.event)}
	case condClass:
		return Paint{Fill: pick(c.text, p.cond)}
	case actionClass:
		return Paint{Fill: pick(c.text, p.text)}
	}
	return Paint{Fill: pick(c.text, p.muted)}
}

// CSS returns the style sheet of SVG pictures without [Wrong], for pages that do not let a picture have its own.
func (t Theme) CSS() string { return t.css(Active) }

// css returns the style sheet for the marks up to last.
func (t Theme) css(last Mark) string {
	var b strings.Builder
	b.WriteString(".chart text{font-family:\"Helvetica Neue\",Helvetica,Arial,\"Liberation Sans\",sans-serif;white-space:pre}\n.chart tspan{unicode-bidi:isolate}\n.chart .title,.chart .name,.chart .event{font-weight:600}\n.chart path,.chart rect,.chart circle{fill:none;stroke:none}\n")
	if t != Auto {
		t.rules(&b, last)
		return b.String()
	}
	Light.rules(&b, last)
	b.WriteString("@media (prefers-color-scheme:dark){\n")
	Dark.rules(&b, last)
	b.WriteString("}\n@media print{\n")
	Print.rules(&b, last)
	b.WriteString("}\n")
	return b.String()
}

func (t Theme) rules(b *strings.Builder, last Mark) {
	for m := Plain; m <= last; m++ {
		for _, class := range classes {
			p := t.Paint(class, m)
			if m != Plain && p == t.Paint(class, Plain) {
				continue
			}
			b.WriteString(".chart ")
			if m != Plain {
				fmt.Fprintf(b, ".%s ", m)
			}
			fmt.Fprintf(b, ".%s{", class)
			var rules []string
			if p.Fill != "" {
				rules = append(rules, "fill:"+p.Fill)
			}
			if p.Stroke != "" {
				rules = append(rules, "stroke:"+p.Stroke, fmt.Sprintf("stroke-width:%g", p.Width))
			}
			if p.Dashed {
				rules = append(rules, "stroke-dasharray:4 4")
			}
			b.WriteString(strings.Join(rules, ";") + "}\n")
		}
	}
}
