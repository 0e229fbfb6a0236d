package scxml

import (
	"github.com/scxmlrun/scxmlrun/scxml/internal/doc"
	"github.com/scxmlrun/scxmlrun/scxml/internal/lint"
)

// LintOptions say how closely [Lint] looks. The zero value is useful.
type LintOptions struct {
	// Portable names other engines, see [Engines], that the chart is to run on
	// too: what they are known not to support is reported. Unknown names are ignored.
	Portable []string
}

// Engines returns the names for [LintOptions.Portable].
func Engines() []string { return lint.Engines() }

// Lint returns all that there is to say about a document, in document order:
// the errors that [Parse] refuses it for and its warnings, and what a closer
// look finds: states that are never entered, transitions that are never taken,
// events that nobody takes, and so on. It also looks into the inline documents
// of <invoke>; what refuses one of these is a warning, because it fails only
// when it is invoked.
//
// Data that cannot be loaded are an error here. Parse accepts them with a
// warning, because a session can go on without them (REC 5.3: error.execution).
//
// What the closer look finds is about the text alone: it is true whatever the
// host and its events do, and once the errors are mended.
func Lint(name string, source []byte, opts LintOptions, chart ...ChartOption) []Diagnostic {
	cfg := newChartConfig(chart)
	document, problems := doc.Parse(name, source, cfg.docOptions())
	return cfg.lint(document, problems, opts)
}

// lint returns the problems of a document together with what is odd in it.
func (cfg *chartConfig) lint(document *doc.Document, problems []doc.Diagnostic, opts LintOptions) []Diagnostic {
	if document != nil {
		problems = append(problems, lint.Document(document, lint.Options{Portable: opts.Portable, Language: cfg.language, Doc: cfg.docOptions()})...)
	}
	all := publicDiagnostics(problems)
	for i := range all {
		if all[i].Code == "cannot-load" {
			all[i].Severity = SeverityError
		}
	}
	return all
}
