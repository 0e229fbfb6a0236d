package editor

// A Hover explains what is at a place.
type Hover struct {
	Span Span   // what it explains
	Text string // Markdown
}

// Hover explains the element, attribute, state, event or data item at an offset. It reports false if
// there is nothing to explain.
func (d *Document) Hover(offset int) (Hover, bool) { return Hover{}, false }
