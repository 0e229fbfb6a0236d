// Command sudoku solves, makes, converts, prints and plays Sudokus.
//
//	sudoku solve [FILE…]      solutions, or how many there are
//	sudoku new                new puzzles
//	sudoku convert [FILE…]    other formats
//	sudoku print [FILE…]      paper, and pictures
//	sudoku bench [FILE…]      how fast all this is
//	sudoku play [FILE…]       the game in the terminal
//
// See sudoku --help for the flags and the exit statuses.
//
// # Reading the source
//
// There is a file for each sub-command, and steps.go for what solve shows of its
// methods. Those that take puzzles get them from input.go; solve.go and new.go
// put them through the pipeline in pipeline.go, which works on all cores and
// keeps the order; what comes out goes through output.go. Everything else is in packages: [github.com/scxmlrun/scxmlrun/examples/sudoku]
// and those below it.
package main
