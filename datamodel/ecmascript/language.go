package ecmascript

import (
	"github.com/scxmlrun/scxmlrun/datamodel"
	"github.com/scxmlrun/scxmlrun/datamodel/ecmascript/internal/fast"
	"github.com/scxmlrun/scxmlrun/datamodel/ecmascript/internal/guard"
	"github.com/scxmlrun/scxmlrun/datamodel/ecmascript/internal/native"
	"github.com/scxmlrun/scxmlrun/datamodel/ecmascript/internal/syntax"
)

// An Option changes what [New] returns.
type Option func(*language)

// WithMaxScript sets the maximum length, in bytes, of one script or expression; the default is
// [DefaultMaxScript]. Longer ones are syntax errors. The parser is not safe for hostile texts of
// several megabytes: raise the limit only for charts that you trust.
func WithMaxScript(n int) Option { return func(l *language) { l.limits.Length = n } }

// DefaultMaxScript is the default maximum length, in bytes, of one script or expression.
const DefaultMaxScript = syntax.DefaultLength

// WithMaxDepth sets how deep brackets may be nested in a script or expression; the default, and the
// maximum, is 1,000. Deeper ones are syntax errors.
func WithMaxDepth(n int) Option {
	return func(l *language) { l.limits.Depth = min(n, syntax.MaxBrackets) }
}

// WithMaxItems sets how many items an array may have that one function of the library makes or goes
// through; the default, and the maximum, is 10,000,000. More are a RangeError.
func WithMaxItems(n int) Option { return func(l *language) { l.maxItems = min(n, native.MaxItems) } }

// WithMaxString sets how long a string may be that one function of the library makes; the default, and
// the maximum, is 268,435,456. A longer one is a RangeError.
func WithMaxString(n int) Option {
	return func(l *language) { l.maxString = min(n, guard.MaxString) }
}

// New returns the ECMAScript data model.
func New(options ...Option) datamodel.Language {
	l := &language{limits: syntax.DefaultLimits, maxItems: native.MaxItems, maxString: guard.MaxString}
	for _, option := range options {
		option(l)
	}
	return l
}

// A language does not change after New has returned it.
type language struct {
	limits              syntax.Limits
	maxItems, maxString int
}

func (*language) Name() string { return "ecmascript" }

func (l *language) Compile(kind datamodel.Kind, src datamodel.Source) (datamodel.Expr, error) {
	e := compile(kind, src, l.limits)
	if e.err != nil {
		return e, e.err
	}
	return e, nil
}

func (l *language) NewStore(host datamodel.Host) (datamodel.Store, error) {
	return &store{language: l, env: fast.Env{Host: host}}, nil
}
