package editor

// A Symbol is an entry of the outline of a document.
type Symbol struct {
	Kind     SymbolKind
	Name     string // never empty
	Detail   string // may be ""
	Span     Span   // the element
	NameSpan Span   // what to select: within Span
	Children []Symbol
}

// A SymbolKind says what a [Symbol] is.
type SymbolKind uint8

// The kinds of symbols.
const (
	ChartSymbol SymbolKind = iota
	StateSymbol
	ParallelSymbol
	FinalSymbol
	HistorySymbol
	TransitionSymbol
	DataSymbol
	InvokeSymbol
)

// Symbols returns the outline: the chart, in it its data items and states, and so on.
func (d *Document) Symbols() []Symbol { return nil }

// A Fold is a part of the text that can be folded.
type Fold struct {
	Span    Span // from the first line, which stays visible, to the last one
	Comment bool
}

// Folds returns the elements and comments of several lines, in document order.
func (d *Document) Folds() []Fold { return nil }

// A Lens is a line with an action above an element.
type Lens struct {
	Span   Span // of the name of the element
	Title  string
	Action Action
	Places []Place // of ShowPlaces
}

// An Action is what happens when a [Lens] is clicked.
type Action string

// The actions of lenses.
const (
	Draw       Action = "draw"    // draw the chart
	Explore    Action = "explore" // search its states for errors
	ShowPlaces Action = "places"  // show Lens.Places
)

// Lenses returns the lenses in document order: draw and explore for the chart, and for each state
// the transitions that lead to it.
func (d *Document) Lenses() []Lens { return nil }
