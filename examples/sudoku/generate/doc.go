// Package generate makes Sudoku puzzles.
//
//	g, err := generate.New(generate.Options{Symmetry: "rotate180", Seed: 1})
//	p, err := g.Puzzle(ctx, 0)
//	fmt.Println(p.Grid.String())
//
// The [Methods] make minimal puzzles, which may be hard; puzzles that scanning
// solves; or simple ones that may have several solutions. [Puzzle.Unique] says
// whether a puzzle has only one.
//
// A puzzle depends only on the options, which include the seed, and on its number:
// puzzle 7 of a seed is the same on every machine, whether or not puzzles 0 to 6
// have been made. (Another version of this package may make other puzzles.) To use
// several goroutines, give each its own [Generator] with the same options, and
// divide the numbers among them.
package generate
