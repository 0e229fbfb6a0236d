package tui

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/gdamore/tcell/v2"

	"github.com/scxmlrun/scxmlrun/examples/sudoku"
	"github.com/scxmlrun/scxmlrun/examples/sudoku/game"
	"github.com/scxmlrun/scxmlrun/scxml"
	"github.com/scxmlrun/scxmlrun/scxml/drive"
)

func TestKeyboardGame(t *testing.T) {
	puzzles := sudoku.Puzzles()
	for _, size := range sizes {
		t.Run(fmt.Sprintf("%dx%d", size[0], size[1]), func(t *testing.T) {
			play(t, setting{width: size[0], height: size[1]}, func(t *testing.T, d *desk) {
				d.shows("not started", "start", "Q quit")
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
				d.shows("not started")
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
				d.shows("PAUSED")
				d.clickText("Q quit")
				if err := d.end(); err != nil {
					t.Errorf("got %v at the end", err)
				}
			})
		})
	}
}

// Even the smallest screen answers every command that cannot be carried out.
func TestAnswersFit(t *testing.T) {
	puzzle, _ := missing(sudoku.Puzzles()[0])
	play(t, setting{width: minWidth, height: minHeight}, func(t *testing.T, d *desk) {
		d.keys("7")
		d.shows("the game is not running")
		d.keys("?")
		d.shows("this key has no meaning")
		d.keys("s?")
		d.shows("this key has no meaning")
		d.keys("u")
		d.shows("playing", "nothing to undo")
		for _, c := range puzzle {
			d.goTo(c[0], c[1])
			d.keys(fmt.Sprint(c[2]))
		}
		d.shows("SOLVED")
		d.keys("7")
		d.shows("the game is not running")
	})
}

// Keys do nothing in a window that is too small.
func TestTooSmallToPlay(t *testing.T) {
	puzzle := sudoku.Puzzles()[0]
	cells, _ := missing(puzzle)
	play(t, setting{}, func(t *testing.T, d *desk) {
		d.keys("s")
		d.goTo(cells[0][0], cells[0][1])
		d.resize(minWidth-1, minHeight)
		d.shows("too small")
		for x := range minWidth {
			d.click(x, 0)
		}
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
	play(t, setting{puzzles: []sudoku.Puzzle{{Name: "empty"}}}, func(t *testing.T, d *desk) {
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

// Each key does what its hint says, with or without Shift.
func TestKeys(t *testing.T) {
	puzzles := []sudoku.Puzzle{{Name: "one"}, {Name: "two", Grid: sudoku.Grid{{1}}}, {Name: "three", Grid: sudoku.Grid{{2}}}}
	play(t, setting{puzzles: puzzles}, func(t *testing.T, d *desk) {
		for _, step := range []struct{ key, puzzle string }{
			{"n", "two"}, {"N", "three"}, {"tab", "one"}, {"backtab", "three"}, {"p", "two"}, {"P", "one"},
		} {
			d.keys(step.key)
			d.shows(step.puzzle + " (")
		}
		d.keys("S")
		d.shows("playing")
		for _, step := range []struct {
			key  string
			want [2]int
		}{
			{"left", [2]int{0, 0}}, {"down", [2]int{1, 0}}, {"right", [2]int{1, 1}}, {"up", [2]int{0, 1}}, {"left", [2]int{0, 0}},
			{"end", [2]int{0, 8}}, {"pgdn", [2]int{8, 8}}, {"home", [2]int{8, 0}}, {"pgup", [2]int{0, 0}},
			{"j", [2]int{1, 0}}, {"l", [2]int{1, 1}}, {"k", [2]int{0, 1}}, {"h", [2]int{0, 0}},
		} {
			d.keys(step.key)
			if got := d.selected(); got != step.want {
				t.Fatalf("after %q: got %v, want %v", step.key, got, step.want)
			}
		}
		for _, step := range []struct {
			key  string
			want int
		}{
			{"7", 7}, {"backspace", 0}, {" ", 1}, {"enter", 2}, {"delete", 0}, {"9", 9}, {"u", 0}, {"U", 2}, {".", 0}, {"3", 3}, {"0", 0},
		} {
			d.keys(step.key)
			d.showsGrid(sudoku.Grid{{step.want}})
		}
		for _, key := range []string{"f1", "x", "?"} {
			d.keys(key)
			d.shows("this key has no meaning")
		}
		d.keys("s")
		d.shows("PAUSED")
	})
}

// The whole screen is drawn again only after something may have garbled it.
func TestRedraw(t *testing.T) {
	play(t, setting{}, func(t *testing.T, d *desk) {
		for _, step := range []struct {
			key          string
			shown, drawn int
		}{{"down", 2, 0}, {"ctrl+l", 2, 1}, {"down", 3, 1}} {
			d.keys(step.key)
			if d.screen.shown != step.shown || d.screen.drawn != step.drawn {
				t.Errorf("after %s: shown %d times and drawn %d times, want %d and %d", step.key, d.screen.shown, d.screen.drawn, step.shown, step.drawn)
			}
		}
	})
}

// A saved game is not shown before its board is known.
func TestSavedGame(t *testing.T) {
	puzzle := sudoku.Puzzle{Name: "mine", Grid: sudoku.Grid{{0, 0, 3}}}
	var snapshot []byte
	save := func(s []byte) error { snapshot = s; return nil }
	play(t, setting{puzzles: []sudoku.Puzzle{puzzle}, config: drive.Config{Save: save}}, func(t *testing.T, d *desk) {
		d.keys("s", "7", "q")
	})
	play(t, setting{config: drive.Config{Saved: snapshot}}, func(t *testing.T, d *desk) {
		d.showsGrid(sudoku.Grid{{7, 0, 3}})
		d.shows("playing", "saved (1 of 25)")
		if d.screen.shown != 1 {
			t.Errorf("shown %d times before the first key, want once", d.screen.shown)
		}
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
		stopped := false
		config := drive.Config{Save: func([]byte) error { stopped = true; return nil }}
		play(t, setting{config: config}, func(t *testing.T, d *desk) {
			d.keys("ctrl+z") // nowhere to go from a simulated screen
			d.keys(key)
			err := d.end()
			var signal *SignalError
			if interrupted := errors.As(err, &signal); interrupted != (key == "ctrl+c") || err != nil && !interrupted {
				t.Errorf("%s: got %v", key, err)
			}
			if !stopped {
				t.Errorf("%s: the game was not stopped", key)
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
	t.Run("the chart ends", func(t *testing.T) {
		chart, err := scxml.Parse("short.scxml", []byte(`<scxml xmlns="http://www.w3.org/2005/07/scxml" version="1.0" datamodel="ecmascript">
			<state id="playing">
				<onentry><send event="updateGUI"><param name="currentState" expr="1"/><param name="initState" expr="2"/></send><send event="stop" delay="90s"/></onentry>
				<transition event="start stop" target="over"/><transition event="tap undo setup"/>
			</state>
			<final id="over"/></scxml>`))
		if err != nil {
			t.Fatal(err)
		}
		for _, seconds := range []int{0, 90} {
			play(t, setting{chart: chart}, func(t *testing.T, d *desk) {
				d.shows("playing", "bad updateGUI")
				if seconds == 0 {
					d.keys("s")
				}
				time.Sleep(time.Duration(seconds) * time.Second)
				synctest.Wait()
				if err := d.end(); !errors.Is(err, game.ErrChartEnded) {
					t.Errorf("after %d s: got %v, want ErrChartEnded", seconds, err)
				}
			})
		}
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
