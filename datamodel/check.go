package datamodel

// A Checker is a [Language] that can say more about a piece of source than
// whether it compiles. It is optional, and for tools: a session never asks.
type Checker interface {
	// Check returns what is worth knowing about src, in the order of the
	// text, and nothing for source that does not compile. It is safe for
	// concurrent use.
	Check(kind Kind, src Source) []Finding
}

// A FindingKind says what a [Finding] is.
type FindingKind uint8

const (
	// Assignment is a part of an expression that changes data, outside of
	// functions. Text is that part.
	Assignment FindingKind = iota
	// StatePredicate is a use of In() with a constant. Text is the id.
	StatePredicate
)

// A Finding is something that a [Checker] has found in a piece of source.
type Finding struct {
	Kind FindingKind
	Pos  Position
	Text string
}
