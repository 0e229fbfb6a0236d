package scxml

import (
	"github.com/scxmlrun/scxmlrun/scxml/internal/doc"
	"github.com/scxmlrun/scxmlrun/scxml/internal/lint"
)

// LintOptions configure [Lint]. The zero value checks everything that does not depend on another
// engine.
type LintOptions struct {
	// Portable names other engines that the chart should run on, see [Engines]. Lint reports what
	// they are known not to support, and ignores unknown names.
	Portable []string
	// Declared lists names that the host adds to the data model, as with
	// [WithFunc]. Other names that the chart does not declare are reported.
	Declared []string
	// Trust reports computed names of events, which [Chart.IsUserEvent] does not know.
	Trust bool
	// Interrupted, unless it is nil, is asked now and then. Once it is true, Lint returns early, with
	// a part of the diagnostics. A child process is not told.
	Interrupted func() bool `json:"-"`
}

// Engines returns the names for [LintOptions.Portable].
func Engines() []string { return lint.Engines() }

// Lint returns all diagnostics of a document in document order: the errors for which [Parse]
// refuses it, its warnings, and the results of further checks, such as states that are never
// entered, transitions that are never taken, and events that nothing takes. These checks read the
// text of the document alone. They hold whatever the host does, once the errors are corrected.
//
// A syntax error in a script, a condition or another expression is an error here and a warning of
// Parse, because the REC has it raised when the session gets there.
//
// Lint also checks the inline documents of <invoke>. Their errors are warnings here, because they
// fail only when they are invoked.
func Lint(name string, source []byte, opts LintOptions, chart ...ChartOption) []Diagnostic {
	cfg := newChartConfig(chart)
	options := cfg.docOptions()
	options.Interrupted = opts.Interrupted
	document, problems := doc.Parse(name, source, options)
	return cfg.lint(document, problems, opts, doc.Error)
}

// lint returns the given problems of a document together with what the checks find. syntax is the
// severity of syntax errors in expressions.
func (cfg *chartConfig) lint(document *doc.Document, problems []doc.Diagnostic, opts LintOptions, syntax doc.Severity) []Diagnostic {
	if document != nil {
		problems = append(problems, lint.Document(document, lint.Options{Portable: opts.Portable, Declared: opts.Declared, Trust: opts.Trust, Syntax: syntax, Interrupted: opts.Interrupted, Language: cfg.language, Doc: cfg.docOptions()})...)
	}
	return publicDiagnostics(problems)
}
