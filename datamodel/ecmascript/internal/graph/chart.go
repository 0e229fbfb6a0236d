package ecmascript

import (
	"hash/fnv"
	"slices"
	"strconv"
	"strings"

	"github.com/scxmlrun/scxmlrun/datamodel"
	"github.com/scxmlrun/scxmlrun/datamodel/ecmascript/internal/syntax"
)

// A chart is what saving and restoring has to know of the text of a chart. It
// is made when the first session of the chart is saved or restored, and kept
// in the chart's first Expr.
type chart struct {
	exprs   []*expr // those of this language; nil for others
	byText  map[string]*function
	byKey   map[string]*function // those that can be made anew
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

// A function is one of the chart.
type function struct {
	*syntax.Function
	owner *program
	key   string // tells it from all others of the chart
}

// A script declares something at its top level.
type script struct {
	*expr
	*syntax.Declarations
}

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
	c := &chart{exprs: make([]*expr, len(exprs)), byText: map[string]*function{}, byKey: map[string]*function{}}
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
		facts := e.value.tree.Facts
		c.odd = c.odd || facts&syntax.Odd != 0
		c.library = c.library || facts&syntax.Library != 0
		c.symbols = c.symbols || facts&syntax.Symbols != 0
		if facts&(syntax.Keeps|syntax.Changes) == 0 && e.kind != datamodel.Script {
			continue
		}
		found := e.value.tree.Declarations()
		for _, f := range found.Functions {
			c.add(&function{Function: f, owner: e.value})
		}
		names := found.Assigned
		if e.kind == datamodel.Script && (len(found.Lexical) > 0 || len(found.Vars) > 0) {
			c.scripts = append(c.scripts, script{e, found})
			for name := range found.Vars {
				names = append(names, name)
			}
		}
		for _, name := range names {
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

// add enters a function. Where several have the same text, one cannot be told
// from another, and so it must not matter which one it is.
func (c *chart) add(f *function) {
	have := c.byText[f.Text]
	switch {
	case have == nil:
		c.byText[f.Text] = f
	case have.Captures == "" && (f.Captures != "" || !f.Same(have.Function)):
		c.byText[f.Text] = f
		if f.Captures == "" {
			f.Captures = "has the same text as another one"
		}
	}
}

// enterKeys gives each function a key that it keeps even if the chart is changed
// elsewhere: its name, if no other has it, and something of its text otherwise.
func (c *chart) enterKeys() {
	named := map[string]int{}
	for _, f := range c.byText {
		named[f.Name]++
	}
	for _, f := range c.byText {
		if f.Captures != "" {
			continue
		}
		if f.key = f.Name; f.Name == "" || named[f.Name] > 1 {
			h := fnv.New64a()
			_, _ = h.Write([]byte(f.Text))
			f.key += "#" + strconv.FormatUint(h.Sum64(), 36)
		}
		if c.byKey[f.key] != nil {
			f.Captures = "cannot be told from another one"
			continue
		}
		c.byKey[f.key] = f
	}
}
