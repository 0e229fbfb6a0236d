// Command sudoku solves, makes, converts, prints and plays Sudokus.
//
//	sudoku solve [FILE…]      solutions, or their number
//	sudoku new                new puzzles
//	sudoku convert [FILE…]    other formats
//	sudoku print [FILE…]      paper, and pictures
//	sudoku bench [FILE…]      how fast it solves and makes puzzles
//	sudoku play [FILE…]       the game in the terminal
//
// See sudoku --help for the flags and the exit statuses.
//
// # Reading the source
//
// Each subcommand has a file; solvesteps.go shows the methods of solve at work. input.go
// reads puzzles, pipeline.go processes them in order on all cores (for solve and
// new), and output.go writes the results. Everything else is in package
// [github.com/scxmlrun/scxmlrun/examples/sudoku] and the packages below it.
package main
