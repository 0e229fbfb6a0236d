package uses

import (
	"cmp"
	"slices"

	"github.com/scxmlrun/scxmlrun/datamodel"
	"github.com/scxmlrun/scxmlrun/datamodel/ecmascript/internal/syntax"
)

// A Name is a place where code names a variable of the chart: one that is not a local variable of a
// function or block.
type Name struct {
	Text   string
	Offset int  // of its first byte in the code
	Short  bool // it stands for a property and its value: {x}
}

// Names returns the places where a script, or an expression, names variables of the chart, in the
// order of the code. What is in a with statement is left out. The error says why the code cannot be
// parsed.
func Names(kind datamodel.Kind, code string) ([]Name, error) {
	src := datamodel.Source{Text: code, Pos: datamodel.Position{Line: 1, Col: 1}}
	parse := syntax.DefaultLimits.Expression
	if kind == datamodel.Script {
		parse = syntax.DefaultLimits.Script
	}
	tree, failed := parse(&src, nil)
	if failed != nil {
		return nil, failed
	}
	var names []Name
	for _, g := range tree.Globals() {
		names = append(names, Name{g.Name, g.Offset, g.Short})
	}
	slices.SortStableFunc(names, func(a, b Name) int { return cmp.Compare(a.Offset, b.Offset) })
	return slices.Compact(names), nil
}
