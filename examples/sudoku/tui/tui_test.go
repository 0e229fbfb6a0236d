package tui

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/gdamore/tcell/v2"

	"github.com/scxmlrun/scxmlrun/examples/sudoku"
)

func TestKeyboardGame(t *testing.T) {
	puzzles := sudoku.Puzzles()
	for _, size := range sizes {
		t.Run(fmt.Sprintf("%dx%d", size[0], size[1]), func(t *testing.T) {
			play(t, setting{width: size[0], height: size[1]}, func(t *testing.T, d *desk) {
				d.shows("idle, unsolved", "start", "Q quit")
				d.showsGrid(puzzles[0].Grid)
				d.keys("tab")
				d.showsGrid(puzzles[1].Grid)
				d.keys("s")
				d.shows("playing", "stop")
				cells, solution := missing(puzzles[1])
				for i, c := range cells {
					d.goTo(c[0], c[1])
					d.shows("playing", fmt.Sprintf("%d empty", len(cells)-i))
					d.keys(fmt.Sprint(c[2]))
				}
				d.showsGrid(solution)
				d.shows("SOLVED")
				d.hides("playing", "unsolved")
				d.keys("N")
				d.hides("SOLVED")
				d.shows("idle, unsolved")
				d.showsGrid(puzzles[2].Grid)
				d.keys("q")
				if err := d.end(); err != nil {
					t.Errorf("got %v at the end", err)
				}
			})
		})
	}
}

func TestMouseGame(t *testing.T) {
	puzzle := sudoku.Puzzles()[1]
	for _, size := range sizes {
		t.Run(fmt.Sprintf("%dx%d", size[0], size[1]), func(t *testing.T) {
			play(t, setting{width: size[0], height: size[1]}, func(t *testing.T, d *desk) {
				d.clickText("N next")
				d.clickText("S start")
				d.shows("playing")
				cells, solution := missing(puzzle)
				for _, c := range cells {
					if c != cells[0] || c[0] != 0 || c[1] != 0 { // the first cell is selected already
						d.clickCell(c[0], c[1])
					}
					for range c[2] {
						d.clickCell(c[0], c[1])
					}
				}
				d.showsGrid(solution)
				d.shows("SOLVED")
				d.clickText("S start")
				d.showsGrid(puzzle.Grid)
				d.clickText("S stop")
				d.shows("idle, unsolved")
				d.clickText("Q quit")
				if err := d.end(); err != nil {
					t.Errorf("got %v at the end", err)
				}
			})
		})
	}
}

// On the smallest screen too every command that cannot be carried out is answered.
func TestAnswersFit(t *testing.T) {
	puzzle, _ := missing(sudoku.Puzzles()[0])
	play(t, setting{width: minWidth, height: minHeight}, func(t *testing.T, d *desk) {
		d.keys("7")
		d.shows("press S to start")
		d.keys("?")
		d.shows("the keys are shown below")
		d.keys("s?")
		d.shows("the keys are shown below")
		d.keys("u")
		d.shows("playing", "nothing to undo")
		for _, c := range puzzle {
			d.goTo(c[0], c[1])
			d.keys(fmt.Sprint(c[2]))
		}
		d.shows("SOLVED")
		d.keys("7")
		d.shows("press S to start")
	})
}

// What cannot be seen cannot be played: keys do nothing in a window that is too small.
func TestTooSmallToPlay(t *testing.T) {
	puzzle := sudoku.Puzzles()[0]
	cells, _ := missing(puzzle)
	play(t, setting{}, func(t *testing.T, d *desk) {
		d.keys("s")
		d.goTo(cells[0][0], cells[0][1])
		d.resize(minWidth-1, minHeight)
		d.shows("too small")
		d.keys(fmt.Sprint(cells[0][2]), "n", "s")
		d.resize(80, 24)
		d.shows("playing")
		d.showsGrid(puzzle.Grid)
		d.resize(minWidth-1, minHeight)
		d.keys("q")
		if err := d.end(); err != nil {
			t.Errorf("got %v at the end", err)
		}
	})
}

// A click is one press of the button, however often it is reported.
func TestMouseButton(t *testing.T) {
	play(t, setting{config: Config{Puzzles: []sudoku.Puzzle{{Name: "empty"}}}}, func(t *testing.T, d *desk) {
		d.keys("s")
		l := d.layout()
		x, y := l.x(0)+1, l.y(0)
		for _, buttons := range []tcell.ButtonMask{tcell.Button1, tcell.Button1, tcell.ButtonNone, tcell.Button2, tcell.WheelUp, tcell.ButtonNone} {
			d.screen.InjectMouse(x, y, buttons, tcell.ModNone)
			synctest.Wait()
		}
		d.showsGrid(sudoku.Grid{{1}})
		d.click(0, 0) // not on the board
		d.click(l.x(3)-1, l.y(0))
		d.showsGrid(sudoku.Grid{{1}})
	})
}

func TestEditing(t *testing.T) {
	play(t, setting{config: Config{Puzzles: []sudoku.Puzzle{{Name: "one", Grid: sudoku.Grid{{0, 5}}}}}}, func(t *testing.T, d *desk) {
		one := func(digit int) sudoku.Grid { return sudoku.Grid{{digit, 5}} }
		d.keys("7")
		d.showsGrid(one(0))
		d.shows("press S to start")
		d.keys(" ", "enter", "u", "backspace")
		d.showsGrid(one(0))
		d.keys("s")
		d.hides("press S")
		for _, step := range []struct {
			key  string
			want int
		}{
			{"7", 7}, {"3", 3}, {"u", 7}, {"backspace", 0}, {"u", 7}, {"delete", 0}, {" ", 1}, {"enter", 2}, {"0", 0}, {"9", 9},
			{" ", 0}, {"U", 9}, {".", 0}, {"u", 9}, {"u", 0}, {"u", 2}, {"u", 1}, {"u", 0}, {"u", 7}, {"u", 0}, {"u", 0},
		} {
			d.keys(step.key)
			if d.grid() != one(step.want) {
				t.Fatalf("after %q: got %v, want %d", step.key, d.grid()[0][0], step.want)
			}
		}
		d.shows("nothing to undo")
		d.keys("right", "7", " ")
		d.showsGrid(one(0))
		d.shows("this digit is given")
		d.keys("f1")
		d.shows("the keys are shown below")
		d.keys("left", "4", "s")
		d.shows("idle, unsolved")
		d.showsGrid(one(4)) // the last game stays visible
		d.keys("s")
		d.showsGrid(one(0))
	})
}

func TestSelection(t *testing.T) {
	play(t, setting{}, func(t *testing.T, d *desk) {
		selected := func() (at [2]int) {
			at = [2]int{-1, -1}
			for row := range 9 {
				for col := range 9 {
					if text, _ := d.cell(row, col); strings.HasPrefix(text, "[") {
						if at[0] >= 0 {
							t.Errorf("more than one cell is selected:\n%s", d.text())
						}
						at = [2]int{row, col}
					}
				}
			}
			return at
		}
		for _, step := range []struct {
			keys string
			want [2]int
		}{
			{"", [2]int{0, 0}}, {"left", [2]int{0, 0}}, {"up", [2]int{0, 0}}, {"down", [2]int{1, 0}}, {"right", [2]int{1, 1}},
			{"end", [2]int{1, 8}}, {"right", [2]int{1, 8}}, {"pgdn", [2]int{8, 8}}, {"down", [2]int{8, 8}}, {"home", [2]int{8, 0}},
			{"pgup", [2]int{0, 0}}, {"j", [2]int{1, 0}}, {"l", [2]int{1, 1}}, {"k", [2]int{0, 1}}, {"h", [2]int{0, 0}},
		} {
			if step.keys != "" {
				d.keys(step.keys)
			}
			if got := selected(); got != step.want {
				t.Fatalf("after %q: got %v, want %v", step.keys, got, step.want)
			}
		}
		d.clickCell(4, 7)
		if got := selected(); got != [2]int{4, 7} {
			t.Errorf("after a click: got %v", got)
		}
	})
}

func TestPuzzlesGoRound(t *testing.T) {
	puzzles := sudoku.Puzzles()
	play(t, setting{}, func(t *testing.T, d *desk) {
		for i := range puzzles {
			d.shows(fmt.Sprintf("%s (%d of %d)", puzzles[i].Name, i+1, len(puzzles)))
			d.showsGrid(puzzles[i].Grid)
			d.keys([]string{"n", "N", "tab"}[i%3])
		}
		d.showsGrid(puzzles[0].Grid)
		d.keys("backtab")
		d.showsGrid(puzzles[len(puzzles)-1].Grid)
		d.keys("p")
		d.showsGrid(puzzles[len(puzzles)-2].Grid)
		d.keys("s", "n") // ends the game
		d.shows("idle, unsolved")
		d.showsGrid(puzzles[len(puzzles)-1].Grid)
	})
}

func TestPasteIsNoGame(t *testing.T) {
	play(t, setting{}, func(t *testing.T, d *desk) {
		for _, ev := range []tcell.Event{tcell.NewEventPaste(true), tcell.NewEventKey(tcell.KeyRune, 'q', 0), tcell.NewEventPaste(false)} {
			if err := d.screen.PostEvent(ev); err != nil {
				t.Fatal(err)
			}
		}
		synctest.Wait()
		d.keys("s")
		d.shows("playing")
	})
}

func TestEndings(t *testing.T) {
	for _, key := range []string{"q", "Q", "ctrl+c"} {
		play(t, setting{}, func(t *testing.T, d *desk) {
			d.keys("ctrl+z") // nowhere to go from a simulated screen
			d.keys(key)
			if err := d.end(); err != nil {
				t.Errorf("%s: got %v", key, err)
			}
		})
	}
	t.Run("cancelled", func(t *testing.T) {
		play(t, setting{}, func(t *testing.T, d *desk) {
			cause := errors.New("enough")
			d.cancel(cause)
			synctest.Wait()
			if err := d.end(); !errors.Is(err, cause) {
				t.Errorf("got %v, want %v", err, cause)
			}
		})
	})
	t.Run("the terminal fails", func(t *testing.T) {
		play(t, setting{}, func(t *testing.T, d *desk) {
			if err := d.screen.PostEvent(tcell.NewEventError(errors.New("hung up"))); err != nil {
				t.Fatal(err)
			}
			synctest.Wait()
			if err := d.end(); err == nil || !strings.Contains(err.Error(), "hung up") {
				t.Errorf("got %v", err)
			}
		})
	})
	t.Run("the screen is closed", func(t *testing.T) {
		play(t, setting{}, func(t *testing.T, d *desk) {
			d.screen.Fini()
			synctest.Wait()
			if err := d.end(); err == nil {
				t.Error("got no error")
			}
		})
	})
}
