package generate

import (
	"cmp"
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/scxmlrun/scxmlrun/examples/sudoku"
)

// Options say what puzzles to make. The zero value makes minimal ones without
// symmetry, with seed 0.
type Options struct {
	Method   string // the name of one of Methods; "" is "minimal"
	Symmetry string // for the method minimal, the name of one of Symmetries; "" is "none"
	Level    int    // for the method scan, 1 to 5; 0 is 1
	Missing  int    // for the method missing, the number of empty cells, up to 81; 0 is 40
	Seed     uint64
}

// A Choice is the name of an option's value and its explanation for users.
type Choice struct{ Name, Explanation string }

// Methods returns the methods, the default one first.
func Methods() []Choice {
	all := make([]Choice, len(methods))
	for i, m := range methods {
		all[i] = m.Choice
	}
	return all
}

// A method makes a puzzle from the generator's random numbers. If ctx is cancelled,
// it may return the context's cause.
type method struct {
	Choice
	make func(*Generator, context.Context) (Puzzle, error)
}

var methods = []method{
	{Choice{"minimal", "Removes givens from a random filled grid, one by one or, with a symmetry, group by group, while the puzzle has " +
		"exactly one solution. All remaining givens (or groups) are necessary. Such puzzles have about 24 givens and may be easy or very hard."},
		(*Generator).minimal},
	{Choice{"scan", "Scan and reinsert. Places 25 random digits and fills the grid. Removes cells while scanning, which fills in cells with one " +
		"candidate, still solves the puzzle. Then, as many times as the level, removes one more cell and puts others back until scanning " +
		"solves the puzzle again. Starts again unless more cells were put back than removed. Exactly one solution, without guessing; " +
		"about 35 givens at level 1, and 41 at level 5."},
		(*Generator).scan},
	{Choice{"plain", "Fills the grid cell by cell with random digits, and removes a random number of them if no digit fits. Then reveals 28 random cells. " +
		"The puzzle may have several solutions; any valid filling wins."},
		(*Generator).plain},
	{Choice{"missing", "Removes the given number of cells, 40 by default, from a random filled grid in random order. Cells that are necessary for a single solution " +
		"are removed last. With more than 53 cells the puzzle may have several solutions, and any valid filling wins."},
		(*Generator).missing},
}

// A Puzzle is a puzzle and a solution of it.
type Puzzle struct {
	Grid, Solution sudoku.Grid
	Unique         bool // whether there is no other solution
}

// A Generator makes puzzles. It is not safe for concurrent use.
type Generator struct {
	options Options
	make    func(*Generator, context.Context) (Puzzle, error)
	groups  [][][]int // for each symmetry to choose from, its groups of cells
	source  rand.PCG
	random  *rand.Rand // uses source
	solver  sudoku.Solver
}

// New returns a generator, or an error that says which option is wrong.
func New(o Options) (*Generator, error) {
	m := slices.IndexFunc(methods, func(m method) bool { return m.Name == o.Method || o.Method == "" })
	s := slices.IndexFunc(symmetries, func(s symmetry) bool { return s.Name == o.Symmetry || o.Symmetry == "" })
	switch {
	case m < 0:
		return nil, fmt.Errorf("%q is not a method: want %s", o.Method, names(Methods()))
	case s < 0:
		return nil, fmt.Errorf("%q is not a symmetry: want %s", o.Symmetry, names(Symmetries()))
	case o.Level < 0 || o.Level > 5:
		return nil, fmt.Errorf("%d is not a level: want 1 to 5", o.Level)
	case o.Missing < 0 || o.Missing > 81:
		return nil, fmt.Errorf("cannot leave out %d cells: want 1 to 81", o.Missing)
	}
	o.Level, o.Missing = cmp.Or(o.Level, 1), cmp.Or(o.Missing, 40)
	g := &Generator{options: o, make: methods[m].make, groups: symmetries[s].groups()}
	g.random = rand.New(&g.source)
	return g, nil
}

// names returns the names of choices, such as "a, b or c".
func names(choices []Choice) string {
	all := make([]string, len(choices))
	for i, c := range choices {
		all[i] = c.Name
	}
	last := len(all) - 1
	return strings.Join(all[:last], ", ") + " or " + all[last]
}

// Puzzle makes the puzzle with the given number. If ctx is cancelled, it returns the
// context's cause. A puzzle takes less than a millisecond on average.
func (g *Generator) Puzzle(ctx context.Context, number uint64) (Puzzle, error) {
	if ctx.Err() != nil {
		return Puzzle{}, context.Cause(ctx)
	}
	g.source.Seed(g.options.Seed, number)
	return g.make(g, ctx)
}

// fill returns a random filled grid.
func (g *Generator) fill() sudoku.Grid {
	grid, _ := g.solver.Random(&sudoku.Grid{}, g.random)
	return grid
}
