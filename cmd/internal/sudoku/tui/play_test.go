package tui

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/gdamore/tcell/v2"

	"github.com/scxmlrun/scxmlrun/cmd/internal/sudoku/shelf"
	"github.com/scxmlrun/scxmlrun/examples/sudoku"
	"github.com/scxmlrun/scxmlrun/examples/sudoku/service"
	"github.com/scxmlrun/scxmlrun/scxml"
	"github.com/scxmlrun/scxmlrun/scxml/drive"
)

// serviced has the services of the chart.
var serviced = drive.Config{Options: service.Options()}

// focus makes the window get or lose the focus.
func (d *desk) focus(focused bool) {
	d.t.Helper()
	if err := d.screen.PostEvent(tcell.NewEventFocus(focused)); err != nil {
		d.t.Fatal(err)
	}
	synctest.Wait()
}

// A game pauses by P and when the window loses the focus, unless the settings say otherwise.
// Then nothing of the board is visible, and nothing but P, a double click and the menu has
// an effect.
func TestPause(t *testing.T) {
	puzzle := sudoku.Puzzle{Name: "mine", Grid: sudoku.Grid{{0, 7, 7, 7, 7, 7, 7, 7, 7}}}
	play(t, setting{puzzles: []sudoku.Puzzle{puzzle}}, func(t *testing.T, d *desk) {
		d.focus(false) // a game without a move does not pause: its clock does not run
		d.hides("PAUSED")
		d.keys("5")
		d.focus(false)
		d.shows("PAUSED")
		d.hides("7", "5")
		d.focus(true)
		d.keys("3", "u", " ", "right", "h", "?", "alt+4", "tab", "]", "S", "w")
		d.clickText("PAUSED")
		time.Sleep(doubleClick + time.Millisecond)
		d.clickText("PAUSED")
		d.shows("PAUSED")
		for key, title := range map[string]string{"n": "New game", "O": "Choose a puzzle"} {
			d.keys(key)
			d.shows("─ " + title + " ─")
			d.keys("esc")
			d.shows("PAUSED")
		}
		d.keys("f10")
		d.shows("New game…")
		d.keys("esc", "p")
		want := puzzle.Grid
		want[0][0] = 5
		d.showsGrid(want)
		if got := d.selected(); got != [2]int{0, 0} {
			t.Errorf("the cursor is at %v", got)
		}
		d.keys("p")
		d.shows("PAUSED")
		time.Sleep(doubleClick + time.Millisecond)
		d.clickText("PAUSED")
		d.clickText("PAUSED")
		d.hides("PAUSED")
	})
	settings := shelf.Defaults()
	settings.PauseOnFocusLoss = false
	play(t, setting{settings: &settings}, func(t *testing.T, d *desk) {
		d.keys("5")
		d.focus(false)
		d.hides("PAUSED")
	})
}

// The bell tells of a conflict, a full unit and the end, if the settings say so, and digits have the
// typeface of the settings.
func TestBellAndTypeface(t *testing.T) {
	for _, on := range []bool{false, true} {
		settings := shelf.Defaults()
		if settings.Sound = on; on {
			settings.Typeface = "double"
		}
		play(t, setting{settings: &settings}, func(t *testing.T, d *desk) {
			d.goTo(2, 6)
			want := 0
			for i, key := range []string{"7", "u", "4", "8"} {
				if key == "8" {
					d.goTo(6, 2)
				}
				d.keys(key)
				if on && key != "u" {
					want++
				}
				if d.screen.beeps != want {
					t.Errorf("sound is %v, step %d: the bell was heard %d times, want %d", on, i, d.screen.beeps, want)
				}
			}
			d.shows("SOLVED")
			if strings.Contains(d.text(), "𝟠") != on {
				t.Errorf("the typeface is %q:\n%s", settings.Typeface, d.text())
			}
		})
	}
}

// A letter means the same in upper case, unless that has a meaning of its own.
func TestUpperCase(t *testing.T) {
	play(t, setting{puzzles: []sudoku.Puzzle{{Name: "mine"}, {Name: "yours"}}, config: serviced}, func(t *testing.T, d *desk) {
		d.keys("5", "F", "F")
		d.shows("only 5")
		d.keys("U")
		d.showsGrid(sudoku.Grid{})
		d.keys("C")
		d.shows("colours")
		d.keys("C", "N")
		d.shows("─ New game ─")
	})
}

// The keys beside the puzzle ask when they leave a game that has begun.
func TestBracketsAsk(t *testing.T) {
	kept, err := shelf.Open(t.TempDir(), t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	puzzles := sudoku.Puzzles()
	play(t, setting{shelf: kept}, func(t *testing.T, d *desk) {
		d.keys("]", "[") // nothing is entered
		d.showsGrid(puzzles[0].Grid)
		d.goTo(2, 6)
		d.keys("4", "[")
		d.shows("Leave this puzzle", "The game is kept.")
		d.keys("esc", "]", "enter")
		d.showsGrid(puzzles[1].Grid)
	})
}

// A digit is removed from the notes that see it, unless the settings say otherwise.
func TestNotesAreCleanedUp(t *testing.T) {
	for _, off := range []bool{false, true} {
		settings := shelf.Defaults()
		settings.CleanUp = settings.CleanUp && !off
		play(t, setting{puzzles: []sudoku.Puzzle{{Name: "mine"}}, settings: &settings}, func(t *testing.T, d *desk) {
			d.keys("right", "m", "3", "4", "m", "left", "3")
			l := d.layout()
			dx, dy := l.notePlace(3)
			if r, _ := d.at(l.x(1)+dx, l.y(0)+dy); (r == '3') != off {
				t.Errorf("clean-up off is %v: got %q at the place of the note 3:\n%s", off, r, d.text())
			}
		})
	}
}

// Digits are notes with Alt, or with the pens. Ctrl works where the terminal has it.
func TestWritingNotes(t *testing.T) {
	play(t, setting{puzzles: []sudoku.Puzzle{{Name: "mine"}}}, func(t *testing.T, d *desk) {
		notes := func(want string) {
			t.Helper()
			l := d.layout()
			text := ""
			for dy := range l.h {
				for dx := range l.w {
					if r, _ := d.at(l.x(0)+dx, l.y(0)+dy); '1' <= r && r <= '9' {
						text += string(r)
					}
				}
			}
			if text != want {
				t.Errorf("the notes are %q, want %q:\n%s", text, want, d.text())
			}
		}
		d.keys("alt+4")
		notes("4")
		d.keys("ctrl+4")
		notes("")
		d.keys("m", "1", "2", "1")
		notes("2")
		d.keys("m", "5")
		d.showsGrid(sudoku.Grid{{5}})
		d.keys("u", "h")
		notes("123456789")
		d.keys("u", "u")
		notes("12")
		d.keys("ctrl+y")
		notes("2")
	})
}

// Where the notes have places, a click toggles one, and two make it the digit. Slower ones
// toggle it twice.
func TestNotesByMouse(t *testing.T) {
	play(t, setting{width: 110, height: 45, puzzles: []sudoku.Puzzle{{Name: "mine"}}}, func(t *testing.T, d *desk) {
		d.keys("m")
		l := d.layout()
		place := func(digit int) (x, y int) {
			dx, dy := l.notePlace(digit)
			return l.x(4) + dx, l.y(4) + dy
		}
		noted := func(digit int) bool {
			r, _ := d.at(place(digit))
			return r == '0'+rune(digit)
		}
		d.click(place(6))
		if !noted(6) {
			t.Fatalf("6 is not noted:\n%s", d.text())
		}
		time.Sleep(doubleClick + time.Millisecond)
		d.click(place(6))
		if noted(6) {
			t.Fatal("6 is still noted")
		}
		time.Sleep(doubleClick + time.Millisecond)
		d.click(place(2))
		d.click(place(3)) // another note: not a double click
		d.showsGrid(sudoku.Grid{})
		time.Sleep(doubleClick + time.Millisecond)
		d.click(place(8))
		time.Sleep(doubleClick)
		d.click(place(8))
		d.showsGrid(sudoku.Grid{4: {4: 8}})
		time.Sleep(doubleClick + time.Millisecond)
		d.click(place(5))
		d.showsGrid(sudoku.Grid{4: {4: 8}})
		d.click(place(6)) // twice on a digit clears it
		d.showsGrid(sudoku.Grid{})
	})
}

// Several cells are changed together.
func TestSeveralCells(t *testing.T) {
	play(t, setting{puzzles: []sudoku.Puzzle{{Name: "mine"}}}, func(t *testing.T, d *desk) {
		d.keys("shift+right", "shift+down", "3")
		d.showsGrid(sudoku.Grid{{3, 3}, {0, 3}})
		d.keys("esc", "4")
		d.showsGrid(sudoku.Grid{{3, 3}, {0, 4}})
		d.keys("u", "u")
		d.showsGrid(sudoku.Grid{})
	})
}

// A hint says more from one question to the next, and goes away.
func TestHint(t *testing.T) {
	play(t, setting{config: serviced, width: 110, height: 45}, func(t *testing.T, d *desk) {
		d.keys("?")
		d.shows("look for a")
		d.keys("?", "?")
		d.shows("=")
		d.keys("?") // the whole hint, which may not fit into the panel
		d.shows("─ Hint ─", "[ OK ]")
		d.keys("esc")
		d.hides("[ OK ]")
		d.keys("esc")
		d.hides("=")
		d.keys("?")
		d.shows("=")
	})
}

// L explains the technique of the hint, and begins a lesson in it: the technique is the next step.
func TestLesson(t *testing.T) {
	play(t, setting{config: serviced, width: 110, height: 45}, func(t *testing.T, d *desk) {
		d.keys("?", "?", "l")
		d.shows("─ Full House ─", "A row, column or box with one empty cell")
		d.keys("esc", "esc", "l") // without a hint all techniques
		d.shows("─ Techniques and lessons ─", "Hidden Single")
		d.keys("down", "x-wing", "enter")
		d.shows("─ X-Wing ─")
		d.keys("right", "enter")
		d.shows("X-Wing 2", "playing", "the next step is a lesson in X-Wing", "save points 1")
		d.keys("?")
		d.shows("look for an X-Wing")
		d.keys("right", "right", "right", "m", "1", "m", "?")
		d.shows("look for an X-Wing")
		d.keys("b")
		d.shows("the lesson")
	})
}

// R reveals a cell, A shows a solver at work, and Shift+A solves after a question. The
// winner's message does not appear.
func TestMachine(t *testing.T) {
	puzzle := sudoku.Puzzles()[4]
	_, solution := missing(puzzle)
	play(t, setting{config: serviced, puzzles: []sudoku.Puzzle{puzzle}}, func(t *testing.T, d *desk) {
		d.keys("r")
		if now := d.grid(); now.Empty() != puzzle.Grid.Empty()-1 {
			t.Errorf("%d cells are empty, want one less than %d", now.Empty(), puzzle.Grid.Empty())
		}
		d.keys("a")
		d.shows("Watch a solver", "Solver:")
		d.keys("enter")
		d.shows("solving", "Esc stop")
		d.keys("-", "p", " ")
		before := d.grid()
		time.Sleep(time.Minute)
		synctest.Wait()
		d.showsGrid(before)
		d.keys(" ")
		if now := d.grid(); now.Empty() >= before.Empty() {
			t.Error("a step does not change the board")
		}
		d.keys("esc")
		d.shows("playing")
		d.keys("A")
		d.shows("Solve at once", "counts as given up")
		d.keys("enter")
		d.showsGrid(solution)
		d.shows("given up")
		d.hides("SOLVED")
	})
}

// A new puzzle of each kind is made while the old one can be played, and the last choice is
// remembered.
func TestNewGame(t *testing.T) {
	dir := t.TempDir()
	s, err := shelf.Open(dir, dir)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	config := serviced
	config.Options = append(config.Options, scxml.WithSeed(1))
	play(t, setting{config: config, shelf: s}, func(t *testing.T, d *desk) {
		first := d.grid()
		d.keys("n")
		d.shows("New game", "easy")
		d.keys("enter")
		d.shows("playing", "Level easy")
		if d.grid() == first {
			t.Error("it is still the old puzzle")
		}
		d.keys("n", "tab", "40") // the number of empty cells does not count for easy
		d.shows("easy", "Symmetry:")
		d.hides("Empty cells: 4")
		d.keys("esc", "n", "right", "right", "right", "right", "tab", "backspace", "backspace", "30", "enter")
		if now := d.grid(); now.Empty() != 30 {
			t.Errorf("%d cells are empty, want 30", now.Empty())
		}
		d.keys("n")
		d.shows("by empty cells", "Empty cells: 30")
		d.keys("right", "enter")
		if now := d.grid(); now.Empty() != 81-28 {
			t.Errorf("%d digits are given, want the 28 of the Flash tutorial", 81-now.Empty())
		}
		d.keys("d")
		daily := d.grid()
		d.keys("]", "d")
		d.showsGrid(daily)
	})
	if got, err := s.Settings(); err != nil || got.NewGame.Kind != "flash" {
		t.Errorf("got %+v, %v", got.NewGame, err)
	}
}

// While a puzzle is made, keys and the mouse have their effects, and Escape ends it.
func TestGeneratingBlocksNothing(t *testing.T) {
	never := scxml.WithInvoker("sudoku-generate", scxml.InvokerFunc(func(ctx context.Context, _ *scxml.Invocation) (any, error) {
		<-ctx.Done()
		return nil, ctx.Err()
	}))
	play(t, setting{config: drive.Config{Options: []scxml.Option{never}}, puzzles: []sudoku.Puzzle{{Name: "mine"}}}, func(t *testing.T, d *desk) {
		d.keys("n", "enter")
		d.shows("making a puzzle", "Esc cancel")
		d.keys("5", "down", "6", "u")
		d.showsGrid(sudoku.Grid{{5}})
		d.clickCell(8, 8)
		d.showsGrid(sudoku.Grid{0: {5}, 8: {8: 1}})
		if got := d.selected(); got != [2]int{8, 8} {
			t.Errorf("the cursor is at %v", got)
		}
		d.keys("up")
		if got := d.selected(); got != [2]int{7, 8} {
			t.Errorf("the cursor is at %v", got)
		}
		d.keys("esc")
		d.hides("making a puzzle")
		d.showsGrid(sudoku.Grid{0: {5}, 8: {8: 1}})
	})
}

// A puzzle can be entered, with the number of its solutions, and played.
func TestEnterPuzzle(t *testing.T) {
	puzzle := sudoku.Puzzles()[0]
	play(t, setting{config: serviced}, func(t *testing.T, d *desk) {
		d.keys("i")
		d.shows("editing", "several solutions", "Enter play it")
		d.showsGrid(sudoku.Grid{})
		for row := range 9 {
			for col := range 9 {
				if digit := puzzle.Grid[row][col]; digit != 0 {
					d.keys(fmt.Sprint(digit))
				}
				d.keys("right")
			}
			d.keys("down")
		}
		d.shows("one solution")
		d.keys("enter")
		d.showsGrid(puzzle.Grid)
		d.shows("playing")
		d.keys("i", "1", "esc")
		d.shows("Leave", "lost")
		d.keys("l")
		d.shows("PAUSED") // the game before
		d.keys("p")
		d.showsGrid(puzzle.Grid)
	})
}

// Save points have names, can be restored and forgotten.
func TestSavePoints(t *testing.T) {
	play(t, setting{puzzles: []sudoku.Puzzle{{Name: "mine"}}}, func(t *testing.T, d *desk) {
		d.keys("1", "b")
		d.retype("one digit")
		d.keys("2", "b")
		d.shows("one digit")
		d.keys("tab", "tab", "enter")
		d.showsGrid(sudoku.Grid{{1}})
		d.keys("u")
		d.showsGrid(sudoku.Grid{{2}})
		d.keys("b")
		d.clickText("Forget")
		d.keys("b")
		d.hides("one digit")
	})
}

// Switches are greyed out where the chart does not have them, and the answer to a key says so.
func TestSmallChart(t *testing.T) {
	chart, err := scxml.Parse("small.scxml", []byte(strings.ReplaceAll(`<scxml xmlns="http://www.w3.org/2005/07/scxml" version="1.0" datamodel="ecmascript">
		<datamodel><data id="initState"/><data id="currentState" expr="JSON.parse(JSON.stringify(initState))"/></datamodel>
		<state id="idle"><onentry>SHOW</onentry>
			<transition event="start" target="playing"/>
			<transition event="setup"><assign location="initState" expr="_event.data.initState"/><assign location="currentState" expr="JSON.parse(JSON.stringify(initState))"/>SHOW</transition>
		</state>
		<state id="playing">
			<transition event="tap"><script>currentState[_event.data.x][_event.data.y] = (currentState[_event.data.x][_event.data.y] + 1) % 10;</script>SHOW</transition>
			<transition event="undo"/><transition event="stop" target="idle"/>
		</state></scxml>`, "SHOW", `<send event="updateGUI"><param name="currentState" expr="currentState"/><param name="initState" expr="initState"/></send>`)))
	if err != nil {
		t.Fatal(err)
	}
	play(t, setting{chart: chart}, func(t *testing.T, d *desk) {
		d.shows("playing", "S stop")
		for _, key := range []string{"p", "h", "?", "alt+4", "m"} {
			d.keys(key)
			d.shows("this chart does not have that")
		}
		d.keys("u")
		d.shows("nothing to undo")
		d.goTo(2, 8)
		d.hides("PAUSED")
		cells, _ := missing(sudoku.Puzzles()[0])
		d.goTo(cells[0][0], cells[0][1])
		d.keys("2", "s")
		d.shows("The digits that you have entered")
		d.keys("enter")
		d.shows("press S to start")
	})
}
