// Package generate makes Sudoku puzzles.
//
//	g, err := generate.New(generate.Options{Level: rate.Medium, Symmetry: "rotate180", Seed: 1})
//	p, err := g.Puzzle(ctx, 0)
//	fmt.Println(p.Grid.String(), p.Rating.ER)
//
// The [Methods] make puzzles of a level; minimal ones, which may be hard; puzzles that
// scanning solves; or simple ones that may have several solutions. [Puzzle.Unique] says
// whether a puzzle has only one.
//
// # Levels
//
// With a [rate.Level] in the options, every puzzle is rated, and only those in the level's
// band of ER are returned: [Puzzle.Rating] is what [rate.Rater.Rate] says of it. The method
// level aims at the level by the number of givens. Without symmetry a puzzle has
//
//	1  beginner  36 givens
//	2  easy      at most 30
//	3  medium    at most 28
//	4  hard      at most 26, with a few exceptions
//	5  expert    at most 26, with a few exceptions
//
// The exceptions are puzzles that need all their givens. A symmetry adds up to four. The
// method minimal makes puzzles of a level that need all their givens.
//
// # Techniques
//
// With Needs in the options, a puzzle needs a technique: the techniques that come before
// it in [human.Order] do not solve the puzzle, and with it they do. So it is the hardest
// step of the path that [human.Finder.Solve] finds. Its rating may still be that of another
// technique, because SukakuExplainer tries them in another order. A technique that comes
// early, such as a locked pair, may also be replaced by several that come later.
//
// X-wings take about 50 ms, XY-chains 10, and quads a second. A few techniques, such as
// discontinuous nice loops, are never needed, because one before them finds the same. After
// Tries grids the search ends with an error.
//
// LEVELS.md has the distribution of 10,000 puzzles of each level.
//
// # Numbers and seeds
//
// A puzzle depends only on the options, which include the seed, and on its number:
// puzzle 7 of a seed is the same on every machine, whether or not puzzles 0 to 6
// have been made. (Another version of this package may make other puzzles.) To use
// several goroutines, give each its own [Generator] with the same options, and
// divide the numbers among them.
package generate
