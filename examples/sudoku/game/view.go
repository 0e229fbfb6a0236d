package game

import (
	"slices"

	"github.com/scxmlrun/scxmlrun/examples/sudoku"
)

// A View is all that there is to see of a game, in no particular language,
// colours or size. Views that are equal look the same.
type View struct {
	Title   string // the name of the chart
	Puzzle  string // the name of the puzzle; empty: the chart was given another one
	Number  int    // of the puzzle, from 1
	Puzzles int    // how many there are
	State   State
	Cells   [9][9]Cell // by row and column

	Empty     int // cells without a digit
	Conflicts int // cells in conflict
	Message   Message
}

// A State is what goes on in a game.
type State uint8

// The states of a game. What is entered stays on show when it is not played.
const (
	Idle State = iota
	Playing
	Solved
)

// A Cell is what there is to see of a cell of the board.
type Cell struct {
	Digit    int  // 0: none; a chart may say anything, so it can be no digit at all
	Given    bool // the digit belongs to the puzzle
	Conflict bool // the digit stands in a row, column or box twice
	Selected bool
	Peer     bool // in the row, column or box of the selected cell
	Equal    bool // has the digit of the selected cell
}

// A Message is an answer to the last input, or says what is wrong with the chart.
type Message struct {
	Code   Code
	Detail string // the error, of BadUpdate and NoBoard
}

// A Code is what a message says.
type Code uint8

// What a message says.
const (
	Nothing       Code = iota
	NotPlaying         // the game has to be started for that
	GivenDigit         // the digit belongs to the puzzle
	NothingToUndo      //
	UnknownInput       // it has no meaning
	BadUpdate          // the chart sent an updateGUI that cannot be shown
	NoBoard            // the board of a saved game cannot be read
)

// View returns what there is to see now.
func (g *Game) View() View {
	v := View{Title: g.chart.Name(), Puzzles: len(g.puzzles), State: g.state(), Empty: g.current.Empty(), Message: g.message}
	if p := g.puzzles[g.puzzle]; g.initial == p.Grid { // the chart may have another one, from somebody else
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

// state returns what goes on.
func (g *Game) state() State {
	switch {
	case slices.Contains(g.configuration, "playing") || g.reactsTo("stop"):
		return Playing
	case slices.Contains(g.configuration, "solved"):
		return Solved
	}
	return Idle
}
