package game

import (
	"time"

	"github.com/scxmlrun/scxmlrun/examples/sudoku"
)

// A View is everything visible of a game, independent of language, colours and size.
// Views that are deeply equal look the same.
type View struct {
	Title   string     // the name of the chart
	Puzzle  string     // the name of the puzzle; empty if the chart has another one
	Number  int        // of the puzzle, from 1
	Puzzles int        // their number
	Level   int        // of the puzzle, 1 to 5 as in package rate; 0 if unknown
	ER      float64    // its rating; 0 if unknown
	State   State      //
	Cells   [9][9]Cell // by row and column

	Given     int     // cells with a digit of the puzzle
	Filled    int     // cells with a digit of the player
	Empty     int     // cells without a digit
	Conflicts int     // cells in conflict
	Left      [10]int // Left[d] is how many of the digit d still have to be placed

	Clock bool          // the chart has a clock, and it is on, or will be from the first move
	Time  time.Duration // played

	Untouched bool // the game has begun by itself, and there has been no move

	Undo, Redo int      // how many moves can be undone and redone; -1 if unknown
	SavePoints []string // the names of the save points, the oldest first

	Pen    Pen  // what the digit keys write
	Filter int  // the digit that is highlighted; 0: that of the selected cell
	Show   Show // what feedback is shown

	Solvable             Answer // of ShowSolvable
	BrokenRow, BrokenCol int    // if Solvable is No: the entry that made it so; -1 if there is none
	Solutions            int    // while Editing: 0, 1, or 2 for more; -1 if unknown

	Hint       *Hint  // nil: none
	Generating bool   // a puzzle is being made
	Tried      int    // how many grids have been tried for it
	Solver     Solver // while Solving

	Can Abilities // what is possible now
	Has Abilities // what the chart supports at all

	Message Message
}

// A State is the state of a game.
type State uint8

// The states of a game. The digits remain visible when it is not running.
const (
	Idle    State = iota // not started
	Playing              //
	Paused               // front ends hide the board
	Editing              // the player enters a puzzle
	Solving              // the machine solves the puzzle
	Solved               // by the player
	GivenUp              // stopped, or solved by the machine
)

// A Cell is everything visible of a cell of the board.
type Cell struct {
	Digit    int  // 0: none; a chart may send numbers that are not digits
	Given    bool // the digit belongs to the puzzle
	Conflict bool // the digit occurs twice in a row, column or box
	Selected bool // the cursor is here
	Marked   bool // one of several selected cells, which inputs change together
	Peer     bool // in the row, column or box of the selected cell
	Equal    bool // has the highlighted digit
	Broken   bool // the entry after which the puzzle could not be solved any more
	Wrong    bool // an entry that does not belong to the solution, which a hint or ShowWrong says

	// Sets of digits, or colours, from 1 to 9: bit d is set for d.
	Notes, Corner, Colours uint16

	Hint Role // in the hint
}

// A Pen is what digit keys write.
type Pen uint8

// The pens.
const (
	Digits  Pen = iota // the digit of the cell
	Notes              // notes in the middle of the cell
	Corner             // notes in its corners
	Colours            // colours of the cell
)

// Show is a set of switches of the feedback. What is off is not computed.
type Show uint8

// The switches.
const (
	ShowValid      Show = 1 << iota // conflicts
	ShowSolvable                    // whether the entries still lead to a solution
	ShowStatistics                  // given, filled and empty cells
	ShowLeft                        // how many of each digit are left
	ShowPeers                       // row, column and box of the selected cell
	ShowEqual                       // the cells with the same digit
	ShowWrong                       // entries that do not belong to the solution, at once
)

// An Answer is the answer to a question.
type Answer uint8

// The answers.
const (
	Unsure Answer = iota
	Yes
	No
)

// A Hint is the next logical step to solve the puzzle.
type Hint struct {
	Stage     int    // how much it says: 1 what to look for, 2 where, 3 what and why
	Found     Found  // what the hint is about; what follows is for FoundStep
	Technique int    // the number of the technique, a human.Technique
	Name      string // its name
	Text      string // in English, for this stage
	Step      string // what a human.Step encodes, to tell it in any language; may be empty

	Place   []Candidate // from stage 3 on
	Exclude []Candidate // likewise
	Causes  []Candidate // from stage 2 on; of FoundWrong the wrong entries, without digits
}

// Found is what a hint is about.
type Found uint8

// What a hint can be about.
const (
	FoundStep       Found = iota // the next step
	FoundWrong                   // entries that do not lead to a solution
	FoundUnsolvable              // the puzzle does not have a solution
	FoundNothing                 // no logical step is left
)

// A Candidate is a digit that a cell may have. Row and Col are from 0 to 8.
type Candidate struct{ Row, Col, Digit int }

// A Role is what a cell is in a hint.
type Role uint8

// The roles, the more important ones later.
const (
	NoRole   Role = iota
	Cause         // the reason is here
	Excluded      // the cell loses candidates
	Target        // the cell gets a digit
)

// A Solver is the machine at work.
type Solver struct {
	Method      string
	Delay       time.Duration // between its changes
	Paused      bool
	Done, Total int    // changes; Total is 0 while it is unknown
	Step        string // the reason of the last change, see human.DecodeStep; may be empty
}

// A Message answers the last input, or reports a fault of the chart.
type Message struct {
	Code   Code
	Detail string // the error, of BadUpdate, NoBoard, NotRead, NotSaved and Failed; the service that is Unavailable; how long a puzzle was Made
}

// A Code is the meaning of a message.
type Code uint8

// The meanings of messages.
const (
	Nothing       Code = iota
	NotPlaying         // the game must be started first
	GivenDigit         // the digit belongs to the puzzle
	NothingToUndo      //
	NothingToRedo      //
	UnknownInput       // the input has no meaning
	Unsupported        // the chart does not have it
	NotNow             // it is not possible in this state
	Unavailable        // the host does not have the service
	Failed             // the service has failed
	NoSolution         // the puzzle does not have a solution
	BadUpdate          // the chart sent an updateGUI that cannot be shown
	NoBoard            // the board of a saved game cannot be read
	NotLoaded          // the chart does not continue the saved game
	NotRead            // what was saved of a puzzle could not be read
	NotSaved           // the game could not be saved
	InUse              // another window saves the games, and this one does not
	Made               // a new puzzle begins
)

// View returns the current view.
func (g *Game) View() View {
	t := &g.told
	v := View{
		Title: g.chart.Name(), Puzzles: len(g.puzzles), State: g.state(),
		Clock: g.in("clockOn") || g.clock && g.untouched, Time: t.time, Untouched: g.untouched, Undo: -1, Redo: -1, SavePoints: t.marks.SavePoints,
		Pen: g.pen, Filter: g.filter, Show: g.show, BrokenRow: -1, BrokenCol: -1, Solutions: -1,
		Generating: g.in("generating"), Tried: t.tried, Hint: t.hint, Has: g.has, Can: g.can(), Message: g.message,
	}
	if p := g.puzzles[g.puzzle]; t.initial == p.Grid { // the chart may have got another one elsewhere
		v.Puzzle, v.Number = p.Name, g.puzzle+1
	}
	r := g.ratings[t.initial]
	v.Level, v.ER = r.level, r.er
	if g.introduced {
		v.Undo, v.Redo = t.marks.Undo, t.marks.Redo
	}
	if v.State == Solving {
		v.Solver = t.solver
	}
	g.cells(&v)
	g.answer(&v)
	return v
}

// Selected returns the place of the selected cell.
func (v *View) Selected() (row, col int) {
	for row, col := range sudoku.Cells {
		if v.Cells[row][col].Selected {
			return row, col
		}
	}
	return 0, 0
}

// Highlighted returns the digit whose notes are highlighted, or 0.
func (v *View) Highlighted() int {
	if v.Filter > 0 || v.Show&ShowEqual == 0 {
		return v.Filter
	}
	row, col := v.Selected()
	return v.Cells[row][col].Digit
}

// cells describes the cells, and counts them.
func (g *Game) cells(v *View) {
	t := &g.told
	highlighted := g.filter
	if highlighted == 0 {
		highlighted = t.current[g.row][g.col]
	}
	for d := 1; g.show&ShowLeft != 0 && d <= 9; d++ {
		v.Left[d] = 9
	}
	for row := range 9 {
		for col, digit := range t.current[row] {
			v.Cells[row][col] = Cell{
				Digit:   digit,
				Given:   t.initial[row][col] != 0,
				Marked:  g.marked[row][col],
				Peer:    g.show&ShowPeers != 0 && sudoku.SameUnit(row, col, g.row, g.col),
				Equal:   g.show&ShowEqual != 0 && digit != 0 && digit == highlighted,
				Notes:   t.marks.Notes[row][col],
				Corner:  t.marks.Corner[row][col],
				Colours: t.marks.Colours[row][col],
			}
			switch {
			case digit == 0:
				v.Empty++
			case t.initial[row][col] != 0:
				v.Given++
			default:
				v.Filled++
			}
			if g.show&ShowLeft != 0 && digit > 0 && digit < 10 {
				v.Left[digit] = max(v.Left[digit]-1, 0)
			}
		}
	}
	at := &v.Cells[g.row][g.col]
	at.Selected, at.Peer = true, false
	if g.filter == 0 {
		at.Equal = false
	}
}

// answer adds what has to be found out, and the roles of the hint.
func (g *Game) answer(v *View) {
	t := &g.told
	if g.show&ShowValid != 0 {
		for row, conflicts := range t.current.Conflicts() {
			for col, conflict := range conflicts {
				if v.Cells[row][col].Conflict = conflict; conflict {
					v.Conflicts++
				}
			}
		}
	}
	if v.State == Editing {
		v.Solutions = g.feedback.solutionsOf(&t.current)
	} else if g.show&ShowSolvable != 0 {
		v.Solvable, v.BrokenRow, v.BrokenCol = g.feedback.solve(&t.initial, &t.current, &g.entries)
		if v.BrokenRow >= 0 {
			v.Cells[v.BrokenRow][v.BrokenCol].Broken = true
		}
	}
	if g.show&ShowWrong != 0 && (v.State == Playing || v.State == GivenUp) {
		for _, at := range g.feedback.wrongOf(&t.initial, &t.current, &g.entries) {
			v.Cells[at/9][at%9].Wrong = true
		}
	}
	if t.hint != nil && t.hint.Found == FoundWrong {
		for _, c := range t.hint.Causes {
			v.Cells[c.Row][c.Col].Wrong = true
		}
	} else if t.hint != nil {
		for role, all := range [...][]Candidate{Cause: t.hint.Causes, Excluded: t.hint.Exclude, Target: t.hint.Place} {
			for _, c := range all {
				v.Cells[c.Row][c.Col].Hint = Role(role)
			}
		}
	}
}
