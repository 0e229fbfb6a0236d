package doc

import (
	"cmp"
	"slices"

	"github.com/scxmlrun/scxmlrun/datamodel"
)

// Severity tells an error, which refuses the document, from a warning.
type Severity uint8

const (
	Error Severity = iota
	Warning
)

// A Diagnostic is one problem of a document.
type Diagnostic struct {
	Pos      datamodel.Position
	Severity Severity
	Code     string // stable, for example "unknown-target"
	Message  string
}

// Sort puts diagnostics into the order of the document.
func Sort(ds []Diagnostic) {
	slices.SortStableFunc(ds, func(a, b Diagnostic) int {
		return cmp.Or(
			cmp.Compare(a.Pos.File, b.Pos.File),
			cmp.Compare(a.Pos.Line, b.Pos.Line),
			cmp.Compare(a.Pos.Col, b.Pos.Col),
			cmp.Compare(a.Severity, b.Severity),
		)
	})
}
