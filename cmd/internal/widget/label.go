package widget

import "github.com/gdamore/tcell/v2"

// A Label is a text, broken into lines.
type Label struct {
	Text string
	Now  func() string // returns the text instead, whenever the label is drawn
	Dim  bool          // it is less important
}

func (l *Label) lines(width int) []string {
	if l.Now != nil {
		return Wrap(l.Now(), width)
	}
	return Wrap(l.Text, width)
}

func (l *Label) size(width int) (w, h, least int) {
	lines := l.lines(min(width, maxLine))
	for _, line := range lines {
		w = max(w, Width(line))
	}
	h = len(l.lines(width))
	return w, h, h
}

// maxLine is the maximum length of lines that are read comfortably.
const maxLine = 60

func (l *Label) takesFocus() bool { return false }

func (l *Label) draw(c canvas, _ bool) {
	style := c.look.Text
	if l.Dim {
		style = c.look.Dim
	}
	for y, line := range l.lines(c.w) {
		c.print(0, y, line, style)
	}
}

func (l *Label) key(*tcell.EventKey) (outcome, bool) { return outcome{}, false }
func (l *Label) mouse(_, _ int, _ Mouse) outcome     { return outcome{} }
