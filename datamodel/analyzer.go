package datamodel

// An Analyzer is a [Language] that tells how code uses variables and values, for tools that show what
// code has read, suggest the data of events, or rename a variable. It is optional, and safe for
// concurrent use. A path is a variable and the properties that lead to a value: "cart", "items",
// "price" is cart.items.price.
type Analyzer interface {
	// Uses returns how a script, or an expression, uses values, in the order of the code. In sums and
	// products, "a + x < b" is a comparison of x with "(b) - (a)"; values are not followed through other
	// operators. Code that cannot be parsed has no uses.
	Uses(kind Kind, code string) []Use

	// Reads returns the paths that a script, or an expression, reads, in the order of the code, each
	// once. A path ends before a computed property: of cart.items[i].price it is that of cart.items, and
	// i is another. Functions are not looked into. That something is called does not count, nor do the
	// names of the library unless they are among those of data. Code that cannot be parsed reads nothing.
	Reads(kind Kind, code string, data ...string) [][]string

	// Occurrences returns the places where a script, or an expression, names variables of the chart, in
	// the order of the code. The error says why the code cannot be parsed.
	Occurrences(kind Kind, code string) ([]Occurrence, error)
}

// An Occurrence is a place where code names a variable of the chart: one that is not a local variable
// of a function or block.
type Occurrence struct {
	Name   string
	Offset int  // of its first byte in the code
	Short  bool // it stands for a property and its value: {x}
}

// A UseKind is what code does with a value.
type UseKind uint8

const (
	UseComparison UseKind = iota // Value is equal to With, or not
	UseOrder                     // Value is less than With, or greater
	UseMembership                // Value is one of the elements of With, or not
	UseLookup                    // Value is the name of a property of With, or an index
	UseFlow                      // Value becomes the value of With
	UseTruth                     // Value is a condition
	UseMention                   // Value is used in another way
	UseCall                      // Value is called
	UseType                      // the name of the type of Value is equal to With, or not
)

// A Use is one use of a value in a piece of code.
type Use struct {
	Kind        UseKind
	Value, With Operand
	Function    string // the name of the function that has it; "" outside of functions
}

// An Operand is a part of an expression.
type Operand struct {
	// Path is that of the operand, with "[]" for a computed property: "cart", "[]", "price" is
	// cart[i].price. The name of a local variable is that of its function, a slash and its own, and of a
	// parameter also a slash and its number. Path is nil for any other expression.
	Path []string
	Text string // code of the expression, which may compute it from the code that the document has
}
