// Package generate makes Sudoku puzzles.
//
//	g, err := generate.New(generate.Options{Symmetry: "rotate180", Seed: 1})
//	p, err := g.Puzzle(ctx, 0)
//	fmt.Println(p.Grid.String())
//
// There are several [Methods]: puzzles as hard as they come, with as few givens
// as possible; puzzles that scanning solves; quick ones that may have more than
// one solution. [Puzzle.Unique] tells.
//
// A puzzle depends on the options, the seed among them, and on its number, and
// on nothing else: puzzle 7 of a seed is the same on every machine, whether or
// not puzzles 0 to 6 have been made. (Another version of this package may make
// other puzzles.) So the numbers can be shared out: give each
// goroutine a [Generator] of its own, made with the same options.
package generate
