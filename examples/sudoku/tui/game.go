package tui

import (
	"fmt"

	"github.com/scxmlrun/scxmlrun/examples/sudoku"
)

// A machine is the chart's session, as the game sees it.
type machine interface {
	// submit gives the chart an event and lets it work that off.
	submit(event string, data any) error
	// reactsTo tells whether the chart now has a transition for the event.
	reactsTo(event string) bool
}

// A game is what is on show: what the chart said last, and the player's
// selection. It knows nothing about screens.
type game struct {
	machine machine
	sets    bool // whether the chart knows the event set
	title   string
	puzzles []sudoku.Puzzle

	puzzle           int // index of the puzzle given to the chart last
	current, initial sudoku.Grid
	states           map[string]bool // the active ones of idle, playing, solved and unsolved
	row, col         int             // the selected cell
	message          string          // an answer to the last command, if need be
	moves            []int           // for each move of the player, the events that it took
}

// The data of the events that the game sends, and of the one it receives.
type (
	tapData struct {
		X int `json:"x"` // the row
		Y int `json:"y"`
	}
	setData struct {
		X     int `json:"x"`
		Y     int `json:"y"`
		Value int `json:"value"`
	}
	setupData struct {
		InitState sudoku.Grid `json:"initState"`
	}
	updateData struct {
		CurrentState sudoku.Grid `json:"currentState"`
		InitState    sudoku.Grid `json:"initState"`
	}
)

func (g *game) update(data updateData) { g.current, g.initial = data.CurrentState, data.InitState }

func (g *game) playing() bool { return g.states["playing"] || g.machine.reactsTo("stop") }
func (g *game) solved() bool  { return g.states["solved"] }

// do carries out a command. Quit, suspend and redraw are not the game's business.
func (g *game) do(c command) error {
	g.message = ""
	switch c.verb {
	case move:
		g.row, g.col = min(max(g.row+c.a, 0), 8), min(max(g.col+c.b, 0), 8)
	case click:
		if g.row != c.a || g.col != c.b {
			g.row, g.col = c.a, c.b
			return nil
		}
		return g.tap(1)
	case tap:
		return g.tap(1)
	case put:
		return g.put(c.a)
	case undo:
		return g.undo()
	case toggle:
		return g.toggle()
	case next:
		return g.next(c.a)
	case unknownKey:
		g.message = "the keys are shown below"
	}
	return nil
}

// mayWrite tells whether the selected cell can be written to now, and the player if not.
func (g *game) mayWrite() bool {
	switch {
	case !g.machine.reactsTo("tap"):
		g.message = "press S to start"
	case g.initial[g.row][g.col] != 0:
		g.message = "this digit is given"
	default:
		return true
	}
	return false
}

// put writes a digit into the selected cell.
func (g *game) put(digit int) error {
	if !g.mayWrite() {
		return nil
	}
	now := g.current[g.row][g.col]
	if !g.sets {
		return g.tap((digit - now + 10) % 10)
	}
	if now == digit {
		return nil
	}
	return g.count(1, "set", setData{g.row, g.col, digit})
}

// tap taps the selected cell n times: one move of the player.
func (g *game) tap(n int) error {
	if !g.mayWrite() {
		return nil
	}
	return g.count(n, "tap", tapData{g.row, g.col})
}

// count submits an event n times, as long as it changes the grid, and remembers how often it did.
func (g *game) count(n int, event string, data any) error {
	taken, err := g.repeat(n, event, data)
	if taken > 0 {
		g.moves = append(g.moves, taken)
	}
	return err
}

func (g *game) repeat(n int, event string, data any) (taken int, err error) {
	for taken < n {
		before := g.current
		if err := g.machine.submit(event, data); err != nil {
			return taken, err
		}
		if g.current == before {
			break
		}
		taken++
	}
	return taken, nil
}

// undo takes back the last move, with all the taps that it took.
func (g *game) undo() error {
	if !g.machine.reactsTo("undo") {
		g.message = "press S to start"
		return nil
	}
	n := 1
	if last := len(g.moves) - 1; last >= 0 {
		n = g.moves[last]
		g.moves = g.moves[:last]
	}
	taken, err := g.repeat(n, "undo", nil)
	if taken == 0 && g.message == "" {
		g.message = "nothing to undo"
	}
	return err
}

// toggle starts or stops the game.
func (g *game) toggle() error {
	g.moves = nil
	if g.machine.reactsTo("start") {
		return g.machine.submit("start", nil)
	}
	return g.machine.submit("stop", nil)
}

// next shows the puzzle n places further on. A game that is played ends.
func (g *game) next(n int) error {
	g.moves = nil
	if !g.machine.reactsTo("setup") {
		if err := g.machine.submit("stop", nil); err != nil {
			return err
		}
	}
	g.puzzle = (g.puzzle + n + len(g.puzzles)) % len(g.puzzles)
	return g.machine.submit("setup", setupData{g.puzzles[g.puzzle].Grid})
}

// look returns what there is to see about a cell.
func (g *game) look(row, col int, conflicts *[9][9]bool) look {
	selected := row == g.row && col == g.col
	digit := g.current[row][col]
	return look{
		given:    g.initial[row][col] != 0,
		conflict: conflicts[row][col],
		selected: selected,
		peer:     !selected && sudoku.SameUnit(row, col, g.row, g.col),
		equal:    !selected && digit != 0 && digit == g.current[g.row][g.col],
	}
}

// state returns the chart's state in words.
func (g *game) state() string {
	switch {
	case g.playing():
		return "playing"
	case g.solved():
		return "idle, SOLVED"
	}
	return "idle, unsolved"
}

// puzzleName returns the name of the puzzle on show.
func (g *game) puzzleName() string {
	p := g.puzzles[g.puzzle]
	if g.initial != p.Grid { // the chart has another one: it was given it by somebody else
		return ""
	}
	return fmt.Sprintf("%s (%d of %d)", p.Name, g.puzzle+1, len(g.puzzles))
}

// status returns the parts of the status line, the important ones first.
func (g *game) status() []string {
	parts := []string{g.state()}
	switch {
	case g.message != "":
		parts = append(parts, g.message)
	case !g.playing():
		parts = append(parts, "press S to start")
	}
	if g.playing() {
		parts = append(parts, fmt.Sprintf("%d empty", g.current.Empty()))
		conflicts := 0
		for _, row := range g.current.Conflicts() {
			for _, conflict := range row {
				if conflict {
					conflicts++
				}
			}
		}
		if conflicts > 0 {
			parts = append(parts, fmt.Sprintf("%d in conflict", conflicts))
		}
	}
	return parts
}
