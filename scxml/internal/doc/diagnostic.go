package doc

import (
	"cmp"
	"errors"
	"slices"
	"strings"

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

// SyntaxWarning says that src does not compile. That does not refuse a document:
// the error is raised when src is evaluated.
func SyntaxWarning(kind datamodel.Kind, src datamodel.Source, err error) Diagnostic {
	d := Diagnostic{Pos: src.Pos, Severity: Warning, Code: "expression-syntax", Message: err.Error()}
	if ee := (*datamodel.EvalError)(nil); errors.As(err, &ee) && ee.Pos.IsValid() {
		d.Pos = ee.Pos
	}
	if msg, ok := strings.CutPrefix(d.Message, "SyntaxError: "); ok {
		d.Message = "syntax error in " + kindNouns[kind] + ": " + msg
	}
	return d
}

// kindNouns is what messages call the kinds of source.
var kindNouns = [...]string{
	datamodel.Condition: "a condition",
	datamodel.ValueExpr: "an expression",
	datamodel.Location:  "a location",
	datamodel.Script:    "a script",
	datamodel.Content:   "content",
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
