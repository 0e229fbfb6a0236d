package tui

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/gdamore/tcell/v2"

	"github.com/scxmlrun/scxmlrun/cmd/internal/sudoku/shelf"
	"github.com/scxmlrun/scxmlrun/cmd/internal/terminal"
	"github.com/scxmlrun/scxmlrun/examples/sudoku"
	"github.com/scxmlrun/scxmlrun/examples/sudoku/game"
	"github.com/scxmlrun/scxmlrun/scxml"
	"github.com/scxmlrun/scxmlrun/scxml/drive"
)

// gameSizes returns the sizes of screens for whole games.
func gameSizes() [][2]int {
	if testing.Short() {
		return sizes[:3]
	}
	return sizes
}

func TestKeyboardGame(t *testing.T) {
	puzzles := sudoku.Puzzles()
	for _, size := range gameSizes() {
		t.Run(fmt.Sprintf("%dx%d", size[0], size[1]), func(t *testing.T) {
			play(t, setting{width: size[0], height: size[1]}, func(t *testing.T, d *desk) {
				d.shows("playing")
				d.showsGrid(puzzles[0].Grid)
				d.keys("]")
				d.showsGrid(puzzles[1].Grid)
				d.shows("playing")
				cells, solution := missing(puzzles[1])
				for i, c := range cells {
					d.goTo(c[0], c[1])
					if i > 0 {
						d.shows("playing")
					}
					d.keys(fmt.Sprint(c[2]))
				}
				d.showsGrid(solution)
				d.shows("SOLVED")
				d.hides("playing", "unsolved")
				d.keys("]")
				d.hides("SOLVED")
				d.shows("playing")
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
	for _, size := range gameSizes() {
		t.Run(fmt.Sprintf("%dx%d", size[0], size[1]), func(t *testing.T) {
			play(t, setting{width: size[0], height: size[1]}, func(t *testing.T, d *desk) {
				d.clickText("menu")
				d.clickText("Next puzzle")
				d.shows("playing")
				cells, solution := missing(puzzle)
				for _, c := range cells {
					for range c[2] { // from the first click on
						d.clickCell(c[0], c[1])
					}
				}
				d.showsGrid(solution)
				d.shows("SOLVED")
				d.clickText("menu")
				d.keys("up", "enter")
				if err := d.end(); err != nil {
					t.Errorf("got %v at the end", err)
				}
			})
		})
	}
}

// Even the smallest screen answers every key that cannot be carried out, before the first move and after it.
func TestAnswersFit(t *testing.T) {
	puzzle, _ := missing(sudoku.Puzzles()[0])
	play(t, setting{width: minWidth, height: minHeight}, func(t *testing.T, d *desk) {
		for _, step := range []struct{ keys, want string }{
			{"~", "this key has no meaning"}, {"Z", "this key has no meaning"}, {"0", "nothing to change here"},
			{"5", "empty"}, {"5", "nothing to change here"}, {"5", "nothing to change here"}, {"u", "empty"}, {"u", "nothing to undo"},
			{"esc", "empty"}, {"esc", "nothing to change here"}, {"home", "empty"}, {"home", "nothing to change here"},
			{"7", "this digit is given"}, {"enter", "this digit is given"}, {"h", "this digit is given"}, {"alt+4", "this digit is given"},
			{"?", "not available here"}, {"P", "P: continue"}, {"x", "P continues"}, {"~", "P continues"}, {"p", "empty"},
		} {
			if d.keys(step.keys); !strings.Contains(d.text(), step.want) {
				t.Errorf("after %q: got\n%s\nwant %q", step.keys, d.text(), step.want)
			}
		}
		for _, c := range puzzle {
			d.goTo(c[0], c[1])
			d.keys(fmt.Sprint(c[2]))
		}
		d.shows("SOLVED")
	})
}

// Every key shows an effect or an answer in a game that has just begun.
func TestEveryKeyIsAnswered(t *testing.T) {
	keys := []string{"esc", "enter", "backspace", "delete", "home", "end", "pgup", "pgdn", "tab", "backtab", "ctrl+y", "ctrl+z", "ctrl+home", "f1", "f2", "f10", "shift+f10"}
	for r := '!'; r <= '~'; r++ {
		if !strings.ContainsRune("qQ", r) {
			keys = append(keys, string(r))
		}
	}
	for _, key := range keys {
		play(t, setting{config: serviced}, func(t *testing.T, d *desk) {
			before := d.text()
			if d.keys(key); d.text() == before {
				t.Errorf("%q does nothing, and nothing says so", key)
			}
		})
	}
}

// Keys do nothing in a window that is too small.
func TestTooSmallToPlay(t *testing.T) {
	puzzle := sudoku.Puzzles()[0]
	cells, _ := missing(puzzle)
	play(t, setting{}, func(t *testing.T, d *desk) {
		d.goTo(cells[0][0], cells[0][1])
		d.keys("1", "u") // now the clock runs
		d.resize(minWidth-1, minHeight)
		d.shows("too small")
		for x := range minWidth {
			d.click(x, 0)
		}
		d.keys(fmt.Sprint(cells[0][2]), "n", "s")
		d.resize(80, 24)
		d.shows("PAUSED")
		d.hides("8")
		d.keys("p")
		d.shows("playing")
		d.showsGrid(puzzle.Grid)
		d.resize(minWidth-1, minHeight)
		d.keys("q")
		if err := d.end(); err != nil {
			t.Errorf("got %v at the end", err)
		}
	})
}

// Each key does what the table says, with or without Shift.
func TestKeys(t *testing.T) {
	puzzles := []sudoku.Puzzle{{Name: "one"}, {Name: "two", Grid: sudoku.Grid{{1}}}, {Name: "three", Grid: sudoku.Grid{{2}}}}
	play(t, setting{puzzles: puzzles}, func(t *testing.T, d *desk) {
		for _, step := range []struct{ key, puzzle string }{{"]", "two"}, {"]", "three"}, {"]", "one"}, {"[", "three"}, {"[", "two"}, {"[", "one"}} {
			d.keys(step.key)
			d.shows(step.puzzle + " (")
		}
		d.shows("playing")
		d.moves("left 0 8, down 1 8, right 1 0, up 0 0, up 8 0, up 7 0, end 7 8, pgdn 8 8, home 8 0, pgup 0 0, tab 0 1, backtab 0 0, backtab 8 8, ctrl+home 0 0")
		for _, step := range []struct {
			key  string
			want int
		}{
			{"7", 7}, {"backspace", 0}, {" ", 1}, {"enter", 2}, {"delete", 0}, {"9", 9}, {"u", 0}, {"ctrl+z", 2}, {"U", 1}, {".", 0}, {"3", 3}, {"0", 0},
		} {
			d.keys(step.key)
			d.showsGrid(sudoku.Grid{{step.want}})
		}
	})
}

// moves presses keys and checks which cell is selected after each, as in "left 0 8, up 8 8".
func (d *desk) moves(steps string) {
	d.t.Helper()
	for step := range strings.SplitSeq(steps, ", ") {
		var key string
		var want [2]int
		if _, err := fmt.Sscan(step, &key, &want[0], &want[1]); err != nil {
			d.t.Fatal(err)
		}
		d.keys(key)
		if got := d.selected(); got != want {
			d.t.Fatalf("after %q: got %v, want %v", key, got, want)
		}
	}
}

// With the keys of vi, letters move, and H, K, X, 0 and Ctrl+Z mean something else.
func TestViKeys(t *testing.T) {
	settings := shelf.Defaults()
	settings.Vi = true
	play(t, setting{puzzles: []sudoku.Puzzle{{Name: "one"}}, settings: &settings}, func(t *testing.T, d *desk) {
		d.moves("j 1 0, l 1 1, k 0 1, h 0 0, $ 0 8, 0 0 0, G 8 8, gg 0 0, down 1 0")
		d.keys("5")
		d.showsGrid(sudoku.Grid{1: {5}})
		d.keys("x")
		d.showsGrid(sudoku.Grid{})
		d.keys("uu")
		d.shows("nothing to undo"[:0])
		d.keys("ctrl+z") // suspends, which a simulated screen cannot
		d.showsGrid(sudoku.Grid{})
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
		d.keys("7", "q")
	})
	play(t, setting{config: drive.Config{Saved: snapshot}}, func(t *testing.T, d *desk) {
		d.showsGrid(sudoku.Grid{{7, 0, 3}})
		d.shows("playing", "own puzzle (1 of 25)")
		if d.screen.shown != 1 {
			t.Errorf("shown %d times before the first key, want once", d.screen.shown)
		}
	})
}

func TestEndings(t *testing.T) {
	for _, key := range []string{"q", "Q", "ctrl+q", "ctrl+c"} {
		stopped := false
		config := drive.Config{Save: func([]byte) error { stopped = true; return nil }}
		play(t, setting{config: config}, func(t *testing.T, d *desk) {
			d.keys("alt+z") // nowhere to go from a simulated screen
			d.keys(key)
			err := d.end()
			var signal *terminal.SignalError
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
