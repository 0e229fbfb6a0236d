package editor

// A Completion is what may be written at a place.
type Completion struct {
	// Replace is what an item replaces: the part of a word around the place. It may be empty.
	Replace Span
	// Items are in the order in which they should be shown.
	Items []Item
	// Incomplete means that there are more items, so that the editor should ask again when more is
	// written.
	Incomplete bool
}

// An Item is one of several things that may be written.
type Item struct {
	Kind   ItemKind
	Label  string // what is written, without what goes around it; the editor filters by it
	Detail string // a few words, such as "state in playing"
	Doc    string // Markdown; may be ""
	Insert string // the text that replaces [Completion.Replace]
	Cursor int    // where the cursor goes: an offset in Insert
	Again  bool   // ask for completions again after inserting
}

// An ItemKind says what an [Item] is.
type ItemKind uint8

// The kinds of items.
const (
	ElementItem ItemKind = iota
	AttributeItem
	ValueItem // one of the values that an attribute may have
	StateItem
	EventItem
	DataItem     // a data item, or another variable
	FunctionItem // such as In
	IDItem       // of a send or an invocation
	FileItem
)

// Complete returns what may be written at an offset.
func (d *Document) Complete(offset int) Completion { return Completion{} }
