package generate

import (
	"cmp"
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/scxmlrun/scxmlrun/examples/sudoku"
	"github.com/scxmlrun/scxmlrun/examples/sudoku/human"
	"github.com/scxmlrun/scxmlrun/examples/sudoku/rate"
)

// Options say what puzzles to make. The zero value makes minimal ones without
// symmetry, with seed 0.
type Options struct {
	// Method is the name of one of Methods. "" is level if a level or a technique is
	// wanted, and otherwise minimal.
	Method  string
	Rounds  int // for the method scan, 1 to 5; 0 is 1
	Missing int // for the method missing, the number of empty cells, up to 81; 0 is 40

	// These are for the methods level and minimal.
	Symmetry string          // the name of one of Symmetries; "" is none
	Level    rate.Level      // 0 is any; but for the method level it is 1 without Needs
	Needs    human.Technique // that the puzzle needs; 0, which is a full house, is any
	Tries    int             // after how many filled grids the search ends; 0 is 50,000
	Tried    func()          // called after each of these, unless it is nil

	Seed uint64
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
	{Choice{"level", "Removes givens like minimal, but rates the puzzle when 36 are left (30 at level 2, 28 at level 3, 26 at levels 4 and 5), and again " +
		"after each removal, until it has the level. The default with --level or --needs."},
		(*Generator).level},
	{Choice{"scan", "Scan and reinsert. Places 25 random digits and fills the grid. Removes cells while scanning, which fills in cells with one " +
		"candidate, still solves the puzzle. Then, in each round, removes one more cell and puts others back until scanning " +
		"solves the puzzle again. Starts again unless more cells were put back than removed and at most 50 givens are left. Exactly one solution, without guessing. " +
		"More rounds make easier puzzles: after 1 round 34 givens, and 78 % are of level 1 and 22 % of level 2; after 5 rounds 38 givens, and 92 % and 8 %."},
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
	Unique         bool        // whether there is no other solution
	Rating         rate.Rating // zero if neither a level nor a technique was wanted
}

// A Generator makes puzzles. It is not safe for concurrent use.
type Generator struct {
	options Options
	make    func(*Generator, context.Context) (Puzzle, error)
	groups  [][][]int         // for each symmetry to choose from, its groups of cells
	order   []human.Technique // those up to the needed one
	source  rand.PCG
	random  *rand.Rand // uses source
	solver  sudoku.Solver
	rater   rate.Rater
	finder  human.Finder
}

// New returns a generator, or an error that says which option is wrong.
func New(o Options) (*Generator, error) {
	graded := o.Level != 0 || o.Needs != 0
	switch {
	case o.Method == "" && graded:
		o.Method = "level"
	case o.Method == "":
		o.Method = "minimal"
	case o.Method == "level" && !graded:
		o.Level = rate.Beginner
	}
	m := slices.IndexFunc(methods, func(m method) bool { return m.Name == o.Method })
	s := slices.IndexFunc(symmetries, func(s symmetry) bool { return s.Name == o.Symmetry || o.Symmetry == "" })
	switch {
	case m < 0:
		return nil, fmt.Errorf("%q is not a method: want %s", o.Method, names(Methods()))
	case s < 0:
		return nil, fmt.Errorf("%q is not a symmetry: want %s", o.Symmetry, names(Symmetries()))
	case o.Level < 0 || o.Level > rate.Expert:
		return nil, fmt.Errorf("%d is not a level: want 1 to 5", int(o.Level))
	case o.Needs < 0 || o.Needs > human.NestedForcingChains:
		return nil, fmt.Errorf("cannot make a puzzle that needs %v: only ratings use it", o.Needs)
	case graded && o.Method != "level" && o.Method != "minimal":
		return nil, fmt.Errorf("the method %q does not rate its puzzles: want level or minimal", o.Method)
	case o.Tries < 0:
		return nil, fmt.Errorf("%d is not a number of tries: want at least 1", o.Tries)
	case o.Rounds < 0 || o.Rounds > 5:
		return nil, fmt.Errorf("%d is not a number of rounds: want 1 to 5", o.Rounds)
	case o.Missing < 0 || o.Missing > 81:
		return nil, fmt.Errorf("cannot leave out %d cells: want 1 to 81", o.Missing)
	}
	o.Tries, o.Rounds, o.Missing = cmp.Or(o.Tries, 50_000), cmp.Or(o.Rounds, 1), cmp.Or(o.Missing, 40)
	g := &Generator{options: o, make: methods[m].make, groups: symmetries[s].groups(), order: human.Order()[:o.Needs+1]}
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
// context's cause. A puzzle takes less than a millisecond on average, one of levels 3 and 4
// some milliseconds, and one that needs a rare technique seconds.
//
// Puzzle fails if no try led to a puzzle with the level and the technique that are wanted.
// Some cannot be had together.
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
