// Command sudoku solves, explains, rates, makes, converts, prints and plays Sudokus.
//
//	sudoku solve [FILE…]      solutions, or their number
//	sudoku hint [FILE…]       how to continue
//	sudoku steps [FILE…]      the steps to the solution, or those possible now
//	sudoku explain [FILE…]    the way to the solution as text, a page or pictures
//	sudoku rate [FILE…]       how hard puzzles are
//	sudoku new                new puzzles
//	sudoku convert [FILE…]    other formats
//	sudoku open FILE…         what photos and screenshots show
//	sudoku screenshot         what the screen shows
//	sudoku print [FILE…]      paper, and pictures
//	sudoku bench [FILE…]      how fast it solves and makes puzzles
//	sudoku play [FILE…]       the game in the terminal; so does sudoku alone
//	sudoku web                the game in the browser
//
// See sudoku --help for the flags and the exit statuses.
//
// # Reading the source
//
// Each subcommand has a file; solvesteps.go shows the methods of solve at work. input.go
// reads puzzles, pipeline.go processes them in order on all cores, and output.go
// writes the results. hint, steps, explain and rate begin in logic.go, which turns
// games into positions. The game that people play is in cmd/internal/sudoku, and everything
// else in package [github.com/scxmlrun/scxmlrun/examples/sudoku] and the packages below it.
// POINTS.md lists what it took from older programs, with the tests.
package main
