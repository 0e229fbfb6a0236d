package tui

import (
	"fmt"
	"strings"
	"testing"

	"github.com/gdamore/tcell/v2"

	"github.com/scxmlrun/scxmlrun/cmd/internal/sudoku/theme"
	"github.com/scxmlrun/scxmlrun/cmd/internal/sudoku/words"
	"github.com/scxmlrun/scxmlrun/cmd/internal/terminal"
	"github.com/scxmlrun/scxmlrun/examples/sudoku"
	"github.com/scxmlrun/scxmlrun/examples/sudoku/game"
)

var sizes = [][2]int{{80, 24}, {60, 20}, {40, 16}, {200, 60}, {minWidth, minHeight}, {31, 16}, {37, 21}, {37, 22}, {60, 24}, {73, 39}, {100, 40}, {150, 55}, {31, 200}, {300, 16}}

// someScene returns a scene of nothing, in English and on the default theme.
func someScene(colors int) *scene {
	t, _ := theme.Named(theme.Default)
	w, err := words.New("en")
	if err != nil {
		panic(err)
	}
	return &scene{words: w, styles: t.For(colors, true), panel: true, glow: -1}
}

// show draws a view without a game.
func show(t *testing.T, s setting, v game.View) *desk {
	t.Helper()
	d := newDesk(t, s)
	t.Cleanup(d.screen.Fini)
	sc := someScene(terminal.Colors(d.screen))
	sc.view = v
	draw(d.screen, sc)
	d.screen.Show()
	return d
}

func TestLooksDiffer(t *testing.T) {
	var v game.View
	v.Cells[0] = [9]game.Cell{
		{Digit: 5, Selected: true},
		{Digit: 5, Peer: true},
		{Digit: 5, Equal: true},
		{Digit: 5, Given: true},
		{Digit: 5},
		{Digit: 5, Conflict: true},
		{Digit: 5, Conflict: true, Given: true},
		{Digit: 5, Conflict: true, Selected: true},
	}
	for _, test := range []struct {
		name    string
		colors  int
		noColor string
	}{
		{"256 colours", 256, ""},
		{"16 colours", 16, ""},
		{"8 colours", 8, ""},
		{"no colours", -1, ""},
		{"NO_COLOR", 256, "1"},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Setenv("NO_COLOR", test.noColor)
			d := show(t, setting{colors: test.colors, width: 60, height: 16}, v)
			type look struct {
				text  string
				style tcell.Style
			}
			seen := map[look]game.Cell{}
			for col, cell := range v.Cells[0][:8] {
				if cell.Peer && (test.colors <= 0 || test.noColor != "") {
					continue // the cursor is enough
				}
				text, style := d.cell(0, col)
				if other, ok := seen[look{text, style}]; ok {
					t.Errorf("%+v looks like %+v", cell, other)
				}
				seen[look{text, style}] = cell
				if cell.Conflict != strings.HasSuffix(text, "!") {
					t.Errorf("%+v: got %q, want the mark ! for a conflict only", cell, text)
				}
				if fg, bg, _ := style.Decompose(); (test.colors <= 0 || test.noColor != "") && (fg != tcell.ColorDefault || bg != tcell.ColorDefault) {
					t.Errorf("%+v has colours", cell)
				}
			}
		})
	}
}

// A number in the grid that is not a digit is shown as "?".
func TestNumbersThatAreNoDigits(t *testing.T) {
	var v game.View
	v.Cells[0] = [9]game.Cell{{Digit: 10, Selected: true}, {Digit: -1}, {Digit: 9}, {Digit: 1}, {Digit: 0}}
	show(t, setting{width: 40}, v).shows("║[?]│ ? │ 9 ║ 1 │   │")
}

func TestStatusLine(t *testing.T) {
	for _, test := range []struct {
		view game.View
		want string
	}{
		{game.View{Empty: 3, Puzzle: "easy", Number: 2, Puzzles: 7}, "not started  press S to start"},
		{game.View{Message: game.Message{Code: game.UnknownInput}}, "not started  this key has no meaning"},
		{game.View{State: game.Playing, Empty: 3}, "playing  3 empty"},
		{game.View{State: game.Playing, Empty: 3, Conflicts: 2}, "playing  3 empty · 2 in conflict"},
		{game.View{State: game.Playing, Message: game.Message{Code: game.GivenDigit}}, "playing  this digit is given · 0 empty"},
		{game.View{State: game.Playing, Message: game.Message{Code: game.BadUpdate, Detail: "what"}}, "playing  bad updateGUI: what · 0 empty"},
		{game.View{State: game.Solved}, "*** SOLVED ***"},
		{game.View{State: game.Solved, Message: game.Message{Code: game.NotPlaying}}, "*** SOLVED ***  the game is not running"},
		{game.View{Message: game.Message{Code: game.NoBoard, Detail: strings.Repeat("long ", 20)}}, "the board appears with the first move: long long long long long long long long …"},
	} {
		d := show(t, setting{}, test.view)
		if got := strings.TrimSpace(d.lines()[d.layout().status]); got != test.want {
			t.Errorf("%+v: got %q, want %q", test.view, got, test.want)
		}
	}
}

func TestTitleLine(t *testing.T) {
	d := show(t, setting{width: 40}, game.View{Title: "Sudoku", Puzzle: "easy\x1b[2J", Number: 2, Puzzles: 7})
	d.shows(`Sudoku: easy\x1b[2J (2 of 7)`)
	d = show(t, setting{width: 40}, game.View{Title: "Sudoku", Puzzles: 7})
	d.shows("Sudoku")
	d.hides(":", "of 7")
	// If the title does not fit, the status line has the puzzle.
	v := game.View{Title: "Sudoku", Puzzle: "easy", Number: 2, Puzzles: 7}
	d = show(t, setting{width: 56}, v)
	d.shows("press S to start · easy (2 of 7)")
	d.hides("Sudoku")
	v.State = game.Solved
	show(t, setting{width: 56}, v).hides("easy")
}

func TestSolvedCannotBeMissed(t *testing.T) {
	for _, noColor := range []string{"", "1"} {
		t.Setenv("NO_COLOR", noColor)
		d := show(t, setting{}, game.View{State: game.Playing})
		l := d.layout()
		_, lineBefore := d.at(l.board.x, l.board.y)
		d = show(t, setting{}, game.View{State: game.Solved})
		_, text := d.at(l.width-1, 0)
		for x := range l.width { // a bar across the screen
			if _, style := d.at(x, l.status); style == text {
				t.Fatalf("NO_COLOR=%q: column %d of the status line has no bar", noColor, x)
			}
		}
		if _, line := d.at(l.board.x, l.board.y); line == lineBefore {
			t.Errorf("NO_COLOR=%q: the lines of the board look as before", noColor)
		}
	}
}

func TestResize(t *testing.T) {
	puzzle := sudoku.Puzzles()[0]
	play(t, setting{}, func(t *testing.T, d *desk) {
		for _, size := range sizes {
			d.resize(size[0], size[1])
			d.showsGrid(puzzle.Grid)
			d.shows("playing")
		}
		d.keys("1", "u") // now the clock runs
		for _, size := range [][2]int{{minWidth - 1, minHeight}, {minWidth, minHeight - 1}, {20, 10}} {
			d.resize(size[0], size[1])
			d.hides("║")
			text := strings.Join(strings.Fields(d.text()), " ")
			for _, want := range []string{"too small", fmt.Sprintf("%d x %d", size[0], size[1]), fmt.Sprintf("%d x %d", minWidth, minHeight)} {
				if !strings.Contains(text, want) {
					t.Errorf("%v: %q is not on the screen:\n%s", size, want, d.text())
				}
			}
		}
		for _, size := range [][2]int{{8, 2}, {3, 1}, {1, 1}, {1, 50}, {0, 0}} { // anything but a crash
			d.resize(size[0], size[1])
			d.click(0, 0)
		}
		d.resize(80, 24)
		d.keys("ctrl+l", "p")
		d.showsGrid(puzzle.Grid)
		d.shows("playing")
		d.resize(10, 10)
		d.keys("q")
		if err := d.end(); err != nil {
			t.Error(err)
		}
	})
}

func TestBoardLines(t *testing.T) {
	show(t, setting{width: 40, height: 16}, game.View{}).shows(
		"╔═════════╦═════════╦═════════╗", "╠═════════╬═════════╬═════════╣", "╚═════════╩═════════╩═════════╝")
	show(t, setting{width: 40}, game.View{}).shows("╔═══╤═══╤═══╦═══╤═══╤═══╦═══╤═══╤═══╗", "╟───┼───┼───╫───┼───┼───╫───┼───┼───╢",
		"╠═══╪═══╪═══╬═══╪═══╪═══╬═══╪═══╪═══╣", "╚═══╧═══╧═══╩═══╧═══╧═══╩═══╧═══╧═══╝")
}

// A terminal without Unicode gets only its own characters.
func TestASCII(t *testing.T) {
	t.Setenv("NO_COLOR", "1")
	play(t, setting{charset: "US-ASCII"}, func(t *testing.T, d *desk) {
		for _, r := range d.text() {
			if r > 0x7e {
				t.Fatalf("got %q on the screen:\n%s", r, d.text())
			}
		}
	})
}
