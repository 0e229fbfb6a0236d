package ecmascript

import (
	"hash/fnv"
	"slices"
	"strconv"
	"strings"

	"github.com/scxmlrun/scxmlrun/datamodel"
)

// A chart is what saving and restoring has to know of the text of a chart. It
// is made when the first session of the chart is saved or restored, and kept
// in the chart's first Expr.
type chart struct {
	exprs   []*expr // those of this language; nil for others
	byText  map[string]*literal
	byKey   map[string]*literal // those that can be made anew
	scripts []script

	// odd says that properties may have other attributes than all, or be
	// accessors, or that objects may be frozen, so that each has to be looked at.
	odd bool
	// symbols says that the keys of properties may be symbols.
	symbols bool
	// library says that objects of the library may have other properties than
	// they had at first.
	library bool
	// shadows are the names of the library that the chart gives to something
	// else, in order.
	shadows []string
}

// A script declares something at its top level.
type script struct {
	*expr
	declarations
	strict bool
}

// The words without which a chart cannot do what the fields of a chart tell.
// Computed names go round that, as they do with guards.
var (
	oddWords = []string{"defineProperty", "defineProperties", "__defineGetter__", "__defineSetter__", "create", "prototype",
		"__proto__", "getPrototypeOf", "setPrototypeOf", "eval", "Function"}
	libraryWords = []string{"prototype", "__proto__", "getPrototypeOf", "eval", "Function", "globalThis"}
)

// chartOf returns what is known of the chart with these expressions.
func chartOf(exprs []datamodel.Expr) *chart {
	if len(exprs) == 0 {
		return &chart{}
	}
	first, ok := exprs[0].(*expr)
	if ok {
		if c := first.chart.Load(); c.of(exprs) {
			return c
		}
	}
	c := newChart(exprs)
	if ok {
		first.chart.Store(c)
	}
	return c
}

// of reports whether c, which may be nil, is about these expressions.
func (c *chart) of(exprs []datamodel.Expr) bool {
	if c == nil || len(c.exprs) != len(exprs) {
		return false
	}
	last, _ := exprs[len(exprs)-1].(*expr)
	return c.exprs[len(exprs)-1] == last
}

func newChart(exprs []datamodel.Expr) *chart {
	c := &chart{exprs: make([]*expr, len(exprs)), byText: map[string]*literal{}, byKey: map[string]*literal{}}
	shadows := map[string]bool{}
	for i, x := range exprs {
		e, ok := x.(*expr)
		if !ok {
			continue
		}
		c.exprs[i] = e
		if e.err != nil || e.value == nil {
			continue
		}
		text := e.src.Text
		// A name may be written with escapes.
		escaped := strings.Contains(text, `\u`)
		c.odd = c.odd || escaped || hasWord(text, oddWords)
		c.library = c.library || escaped || hasWord(text, libraryWords)
		c.symbols = c.symbols || escaped || strings.Contains(text, "Symbol") || hasWord(text, []string{"eval", "Function"})
		if !e.closes && !strings.ContainsAny(text, "=+-") {
			continue
		}
		tree, err := parse(&e.src, e.value.text, e.value.prefix)
		if err != nil {
			continue // cannot be, since it was compiled
		}
		if _, err := explore(&e.src, tree); err != nil {
			continue
		}
		x := survey(e, tree)
		for _, l := range x.literals {
			c.add(l)
		}
		if e.kind == datamodel.Script && (len(x.found.lexical) > 0 || len(x.found.vars) > 0) {
			c.scripts = append(c.scripts, script{e, x.found, isStrict(tree.Body)})
			for name := range x.found.vars {
				x.assigned = append(x.assigned, name)
			}
		}
		c.odd = c.odd || x.accesses
		for _, name := range x.assigned {
			name, member := strings.CutSuffix(name, ".")
			switch {
			case !builtins()[name]:
			case member:
				c.library = true
			default:
				shadows[name] = true
			}
		}
	}
	for name := range shadows {
		c.shadows = append(c.shadows, name)
	}
	slices.Sort(c.shadows)
	c.enterKeys()
	return c
}

// add enters a literal. Where several have the same text, a function cannot be
// told from another, and so it must not matter which one it is.
func (c *chart) add(l *literal) {
	have := c.byText[l.text]
	switch {
	case have == nil:
		c.byText[l.text] = l
	case have.captures == "" && (l.captures != "" || l.strict != have.strict || l.method != have.method || l.uses != nil || have.uses != nil):
		c.byText[l.text] = l
		if l.captures == "" {
			l.captures = "has the same text as another one"
		}
	}
}

// enterKeys gives each literal a key that it keeps even if the chart is changed
// elsewhere: its name, if no other has it, and something of its text otherwise.
func (c *chart) enterKeys() {
	named := map[string]int{}
	for _, l := range c.byText {
		named[l.name]++
	}
	for _, l := range c.byText {
		if l.captures != "" {
			continue
		}
		if l.key = l.name; l.name == "" || named[l.name] > 1 {
			h := fnv.New64a()
			_, _ = h.Write([]byte(l.text))
			l.key += "#" + strconv.FormatUint(h.Sum64(), 36)
		}
		if c.byKey[l.key] != nil {
			l.captures = "cannot be told from another one"
			continue
		}
		c.byKey[l.key] = l
	}
}

// hasWord reports whether one of the words stands in text, and not only as a
// part of another.
func hasWord(text string, words []string) bool {
	for _, w := range words {
		for rest := text; ; {
			i := strings.Index(rest, w)
			if i < 0 {
				break
			}
			end := i + len(w)
			if (i == 0 || !isWordByte(rest[i-1])) && (end == len(rest) || !isWordByte(rest[end])) {
				return true
			}
			rest = rest[end:]
		}
	}
	return false
}

func isWordByte(b byte) bool {
	return b >= 'a' && b <= 'z' || b >= 'A' && b <= 'Z' || b >= '0' && b <= '9' || b == '_' || b == '$' || b >= 0x80
}
