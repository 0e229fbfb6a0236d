package game

import (
	"slices"

	"github.com/scxmlrun/scxmlrun/examples/sudoku"
)

// A View is everything visible of a game, independent of language, colours and size.
// Equal views look the same.
type View struct {
	Title   string // the name of the chart
	Puzzle  string // the name of the puzzle; empty if the chart has another one
	Number  int    // of the puzzle, from 1
	Puzzles int    // their number
	State   State
	Cells   [9][9]Cell // by row and column

	Empty     int // cells without a digit
	Conflicts int // cells in conflict
	Message   Message
}

// A State is the state of a game.
type State uint8

// The states of a game. The digits remain visible when it is not running.
const (
	Idle State = iota
	Playing
	Solved
)

// A Cell is everything visible of a cell of the board.
type Cell struct {
	Digit    int  // 0: none; a chart may send numbers that are not digits
	Given    bool // the digit belongs to the puzzle
	Conflict bool // the digit occurs twice in a row, column or box
	Selected bool
	Peer     bool // in the row, column or box of the selected cell
	Equal    bool // has the digit of the selected cell
}

// A Message answers the last input, or reports a fault of the chart.
type Message struct {
	Code   Code
	Detail string // the error, of BadUpdate, NoBoard and NotSaved
}

// A Code is the meaning of a message.
type Code uint8

// The meanings of messages.
const (
	Nothing       Code = iota
	NotPlaying         // the game must be started first
	GivenDigit         // the digit belongs to the puzzle
	NothingToUndo      //
	UnknownInput       // the input has no meaning
	BadUpdate          // the chart sent an updateGUI that cannot be shown
	NoBoard            // the board of a saved game cannot be read
	NotLoaded          // the chart does not continue the saved game
	NotSaved           // the game could not be saved
)

// View returns the current view.
func (g *Game) View() View {
	v := View{Title: g.chart.Name(), Puzzles: len(g.puzzles), State: g.state(), Empty: g.current.Empty(), Message: g.message}
	if p := g.puzzles[g.puzzle]; g.initial == p.Grid { // the chart may have got another one elsewhere
		v.Puzzle, v.Number = p.Name, g.puzzle+1
	}
	conflicts := g.current.Conflicts()
	selected := g.current[g.row][g.col]
	for row := range 9 {
		for col, digit := range g.current[row] {
			v.Cells[row][col] = Cell{
				Digit:    digit,
				Given:    g.initial[row][col] != 0,
				Conflict: conflicts[row][col],
				Peer:     sudoku.SameUnit(row, col, g.row, g.col),
				Equal:    digit != 0 && digit == selected,
			}
			if conflicts[row][col] {
				v.Conflicts++
			}
		}
	}
	at := &v.Cells[g.row][g.col]
	at.Selected, at.Peer, at.Equal = true, false, false
	return v
}

// state returns the state of the game.
func (g *Game) state() State {
	switch {
	case slices.Contains(g.configuration, "playing") || g.reactsTo("stop"):
		return Playing
	case slices.Contains(g.configuration, "solved"):
		return Solved
	}
	return Idle
}
