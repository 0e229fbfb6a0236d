// Package bthreads solves Sudoku with a behavioral program: 894 b-threads, each a small statechart that
// knows one rule, one strategy or one fact about the game. None of them solves a puzzle. They agree on
// the next move, see package behavioral.
//
//	for step, err := range bthreads.Steps(ctx, &puzzle) {
//		…
//		asked, blocked := step.Explain()
//		fmt.Println(step.Move, "is requested by", asked)
//	}
//
// # The event Move
//
// A Move has number, row, column, boxrow and boxcol, so there are 729 of them. Numbers are 1 to 9, and
// the other members count from 0; boxrow and boxcol are the row and the column of a box among the nine.
// Names of b-threads count from 1: "EliminateEight r1c2" is for a cell, and "OncePerBox 5 b3" for the
// number 5 in the third box.
//
// # The b-threads
//
//	MakeGivenMoves            1   requests the givens first; nobody moves before they are made
//	OncePerRow               81   after a number is written in the row, blocks it there
//	OncePerColumn            81   the same for a column
//	OncePerBox               81   the same for a box
//	DefaultMove              81   requests all nine digits of its cell, at the lowest priority; after one is
//	                              written, blocks the others
//	DetectWin                 1   counts 81 moves
//	PruneWhenNoSolution       1   requests NoSolution, below all moves: it comes when every move is blocked
//	                              and turns a search back
//
// They are the game. Any program of them that wins has solved the puzzle, but it searches long. The
// strategies request moves at a higher priority. They rely on the rules to block what is impossible:
//
//	EliminateEight           81   eliminates possibilities of its cell, and requests the last one
//	PlaceANumberInARow       81   waits until one place in its row is left for its number, and requests it
//	PlaceANumberInAColumn    81   the same for a column
//	PlaceANumberInABox       81   the same for a box
//	EliminateTwoInABox      243   after a number is written in two columns of a band, requests it in the third
//	                              one, in the three cells of the box that is left
//
// The first four also see when no possibility or place is left, and request NoSolution at once: that
// is an early end of a wrong guess, which otherwise comes only when all moves are blocked.
//
// Each kind is a chart in this folder. To add a strategy, write its chart and add a line with its name and
// the members of the moves that it is about to the table in threads.go.
//
// # How it chooses
//
// A request of a strategy that is sure stands alone: then the program makes the move. When no strategy
// is sure, several moves are possible, and some must be tried. Every b-thread that requests moves requests
// a complete set: one of them belongs to each solution that can still be reached. So it is enough to
// try the moves of one b-thread, and the fewer are not blocked the better. That is what
// [behavioral.WithFewestFirst] does: among the requests of the highest priority it takes those of
// the b-thread with the fewest possible moves, such as the cell with the fewest candidates.
//
// [Steps] tries them depth first, as the other solvers do. [Check] lets package explore visit all states,
// on all cores, and so proves how many solutions there are.
//
// A b-thread remembers what the next move depends on, and DefaultMove besides that the number which
// was written. Without it, boards that differ by two numbers in the corners of a rectangle would be the same state,
// and two solutions would be counted as one.
package bthreads
