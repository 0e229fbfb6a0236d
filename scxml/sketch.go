package scxml

import (
	"errors"
	"fmt"

	"github.com/scxmlrun/scxmlrun/datamodel"
	"github.com/scxmlrun/scxmlrun/scxml/internal/doc"
)

// Sketch is [Parse] for tools that show a document as far as it goes: to draw or describe one that has
// errors, an unknown data model, or a script that is missing. If Parse fails, the error is the same, and
// the chart has what could be read, with its [Chart.Errors]. It is nil if that has no <scxml> element.
//
// [New] and [Restore] refuse the chart of a document with errors.
func Sketch(name string, source []byte, opts ...ChartOption) (*Chart, error) {
	cfg := newChartConfig(opts)
	document, problems := doc.Parse(name, source, cfg.docOptions())
	chart, err := cfg.chart(document, problems)
	var refused *DocumentError
	if !errors.As(err, &refused) {
		return chart, err
	}
	if document == nil {
		document = doc.ParsePart(name, source, cfg.docOptions())
	}
	if document == nil {
		return nil, err
	}
	if cfg.language(document.Datamodel) == nil {
		cfg.languages = append(cfg.languages, unknownLanguage(document.Datamodel))
	}
	chart, _ = compile(document, cfg)
	for _, d := range refused.Diagnostics {
		if d.Severity == SeverityError {
			chart.errors = append(chart.errors, d)
		}
	}
	return chart, err
}

// Errors returns the errors of a document that [Sketch] has read, in document order. A chart with any is
// not complete. Other charts have none.
func (c *Chart) Errors() []Diagnostic { return c.errors }

// An unknownLanguage is a data model of which only the name is known.
type unknownLanguage string

func (l unknownLanguage) Name() string { return string(l) }

// Compile keeps src.
func (unknownLanguage) Compile(_ datamodel.Kind, src datamodel.Source) (datamodel.Expr, error) {
	return unknownExpr(src), nil
}

func (l unknownLanguage) NewStore(datamodel.Host) (datamodel.Store, error) {
	return nil, fmt.Errorf("unknown data model %q", string(l))
}

type unknownExpr datamodel.Source

func (e unknownExpr) Source() datamodel.Source { return datamodel.Source(e) }
