package editor

import "errors"

// CanRename returns the span of the name at an offset that [Document.Rename] can change. The error
// says why it cannot.
func (d *Document) CanRename(offset int) (Span, error) { return Span{}, errors.New("nothing to rename") }

// Rename returns the edits, in document order, that give another name to what is named at an offset.
// The error says why that cannot be done, or not without a change of what the chart does.
func (d *Document) Rename(offset int, to string) ([]Edit, error) {
	return nil, errors.New("nothing to rename")
}
