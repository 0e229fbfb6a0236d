package generate

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strings"

	"github.com/scxmlrun/scxmlrun/examples/sudoku"
)

// Options say what puzzles to make. The zero value makes minimal ones without
// symmetry, of seed 0.
type Options struct {
	Method   string // the name of one of Methods; "" is "minimal"
	Symmetry string // for the method minimal, the name of one of Symmetries; "" is "none"
	Level    int    // for the method scan, 1 to 5; 0 is 1
	Missing  int    // for the method missing, the number of empty cells, up to 81; 0 is 40
	Seed     uint64
}

// A Choice is a name for an option and what it means, as a sentence or more to
// show to a user.
type Choice struct{ Name, Explanation string }

// Methods returns the methods, the default one first.
func Methods() []Choice {
	all := make([]Choice, len(methods))
	for i, m := range methods {
		all[i] = m.Choice
	}
	return all
}

// A method makes a puzzle from the generator's random numbers. One that may
// take long ends with the context's cause when it is cancelled.
type method struct {
	Choice
	make func(*Generator, context.Context) (Puzzle, error)
}

var methods = []method{
	{Choice{"minimal", "Takes givens out of a random filled grid, one by one or, with a symmetry, group by group, as long as the puzzle has " +
		"exactly one solution. None of the givens (or groups) that stay can be spared. Such puzzles have about 24 givens, and may be easy or very hard."},
		(*Generator).minimal},
	{Choice{"scan", "Scan and reinsert. Places 25 random digits and fills the grid up. Takes cells out while scanning, which fills in cells that have one " +
		"candidate, still solves the puzzle. Then, as often as the level says, takes out one cell more and puts others back until scanning " +
		"solves the puzzle again. Starts over if no more cells came back than were taken out. Exactly one solution, which needs no guessing; " +
		"about 35 givens at level 1, and 41 at level 5."},
		(*Generator).scan},
	{Choice{"plain", "Fills the grid cell by cell with random digits, and takes a random number of them back where no digit fits. Then 28 random cells are revealed. " +
		"The puzzle may have several solutions; any valid filling wins."},
		(*Generator).plain},
	{Choice{"missing", "Takes the wanted number of cells out of a random filled grid, 40 unless told otherwise, in random order. Cells that are needed for a single solution stay as long as " +
		"there are others to take; only if more than 53 are wanted the puzzle may have several solutions, and any valid filling wins."},
		(*Generator).missing},
}

// A Puzzle is a puzzle and a solution of it.
type Puzzle struct {
	Grid, Solution sudoku.Grid
	Unique         bool // the solution is the only one
}

// A Generator makes puzzles. It is used by one goroutine at a time.
type Generator struct {
	options Options
	make    func(*Generator, context.Context) (Puzzle, error)
	groups  [][][]int // the cells in the groups that a symmetry keeps together, for each symmetry to choose from
	source  rand.PCG
	random  *rand.Rand // on source
	solver  sudoku.Solver
}

// New returns a generator, or an error that says which option is wrong.
func New(o Options) (*Generator, error) {
	g := &Generator{options: o}
	g.random = rand.New(&g.source)
	for _, m := range methods {
		if m.Name == o.Method || o.Method == "" {
			g.make = m.make
			break
		}
	}
	if g.make == nil {
		return nil, fmt.Errorf("method %q not found: expected %s", o.Method, names(Methods()))
	}
	for _, s := range symmetries {
		if s.Name == o.Symmetry || o.Symmetry == "" {
			g.groups = s.groups()
			break
		}
	}
	if g.groups == nil {
		return nil, fmt.Errorf("symmetry %q not found: expected %s", o.Symmetry, names(Symmetries()))
	}
	if o.Level < 0 || o.Level > 5 {
		return nil, fmt.Errorf("level %d: expected a number from 1 to 5", o.Level)
	}
	if o.Missing < 0 || o.Missing > 81 {
		return nil, fmt.Errorf("%d missing cells: expected a number from 1 to 81", o.Missing)
	}
	if g.options.Level == 0 {
		g.options.Level = 1
	}
	if g.options.Missing == 0 {
		g.options.Missing = 40
	}
	return g, nil
}

// names lists the names of choices as in "a, b or c".
func names(choices []Choice) string {
	all := make([]string, len(choices))
	for i, c := range choices {
		all[i] = c.Name
	}
	last := len(all) - 1
	return strings.Join(all[:last], ", ") + " or " + all[last]
}

// Puzzle makes the puzzle with a number. The error is the context's cause, when
// ctx is cancelled before it is ready. A puzzle takes less than a millisecond on
// average.
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
