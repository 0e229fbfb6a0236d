package ecmascript

import (
	"github.com/scxmlrun/scxmlrun/datamodel"
)

// An Option changes what [New] returns.
type Option func(*language)

// WithMaxScript sets how long, in bytes, one script or expression may be; the
// default is [DefaultMaxScript]. Longer ones are syntax errors. The parser is
// not safe against hostile texts of several megabytes: raise it for charts
// that you trust.
func WithMaxScript(n int) Option { return func(l *language) { l.maxScript = n } }

// WithMaxDepth sets how deep brackets may be nested in a script or expression;
// the default, and the maximum, is 1,000. Deeper ones are syntax errors.
func WithMaxDepth(n int) Option {
	return func(l *language) { l.maxDepth = min(n, maxBrackets) }
}

// New returns the ECMAScript data model.
func New(options ...Option) datamodel.Language {
	l := &language{maxScript: DefaultMaxScript, maxDepth: maxBrackets}
	for _, option := range options {
		option(l)
	}
	return l
}

// A language does not change once New has returned it. What is compiled keeps
// nothing of it.
type language struct{ maxScript, maxDepth int }

func (*language) Name() string { return "ecmascript" }

func (l *language) Compile(kind datamodel.Kind, src datamodel.Source) (datamodel.Expr, error) {
	e := compile(kind, src, l)
	if e.err != nil {
		return e, e.err
	}
	return e, nil
}

func (l *language) NewStore(host datamodel.Host) (datamodel.Store, error) {
	return &store{language: l, host: host}, nil
}
