package doc

import (
	"cmp"
	"errors"
	"slices"
	"strings"

	"github.com/scxmlrun/scxmlrun/datamodel"
	"github.com/scxmlrun/scxmlrun/scxml/internal/delay"
)

// Severity tells errors, for which a document is refused, from warnings and from what is worth knowing.
type Severity uint8

const (
	Error Severity = iota
	Warning
	Note
)

// A Diagnostic is one problem of a document.
type Diagnostic struct {
	Pos      datamodel.Position
	Severity Severity
	Code     string // stable, for example "unknown-target"
	Message  string
}

// SyntaxWarning returns the diagnostic of a src that does not compile. It is a warning, because the
// error is raised when src is evaluated.
func SyntaxWarning(kind datamodel.Kind, src datamodel.Source, err error) Diagnostic {
	d := Diagnostic{Pos: src.Pos, Severity: Warning, Code: "expression-syntax", Message: err.Error()}
	if ee := (*datamodel.EvalError)(nil); errors.As(err, &ee) && ee.Pos.IsValid() {
		d.Pos = ee.Pos
	}
	if msg, ok := strings.CutPrefix(d.Message, "SyntaxError: "); ok {
		d.Message = "syntax error in " + kindNouns[kind] + ": " + msg
	}
	text := strings.Trim(src.Text, xmlSpace)
	if _, hasUnit, err := delay.ParseUnit(text); kind == datamodel.ValueExpr && (hasUnit && err == nil || strings.HasPrefix(text, "#_")) {
		d.Message = "syntax error in " + kindNouns[kind] + ": a text needs quotes, write '" + abridge(text) + "'"
	}
	return d
}

// kindNouns are the kinds of source in the words of messages.
var kindNouns = [...]string{
	datamodel.Condition: "a condition",
	datamodel.ValueExpr: "an expression",
	datamodel.Location:  "a location",
	datamodel.Script:    "a script",
	datamodel.Content:   "content",
}

// Sort sorts diagnostics by file and place.
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
