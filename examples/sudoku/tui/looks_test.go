package tui

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/gdamore/tcell/v2"

	"github.com/scxmlrun/scxmlrun/charts"
	"github.com/scxmlrun/scxmlrun/examples/sudoku"
)

var sizes = [][2]int{{80, 24}, {60, 20}, {40, 15}, {200, 60}, {minWidth, minHeight}, {37, 21}, {37, 22}, {73, 39}, {31, 200}, {300, 15}}

// looks is a board on which every look can be seen with cell 0, 0 selected.
var looks = []sudoku.Puzzle{{Name: "looks", Grid: sudoku.Grid{
	{5, 0, 0, 0, 0, 0, 0, 0, 0},
	{0, 0, 0, 0, 0, 0, 0, 0, 0},
	{0, 0, 0, 0, 0, 0, 0, 0, 0},
	{0, 0, 0, 0, 5, 0, 0, 0, 0},
	{0, 0, 0, 0, 0, 0, 1, 0, 0},
}}}

func TestLooksDiffer(t *testing.T) {
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
			play(t, setting{colors: test.colors, config: Config{Puzzles: looks}}, func(t *testing.T, d *desk) {
				d.keys("s")
				d.goTo(4, 7)
				d.keys("2") // an entry
				d.goTo(8, 8)
				d.keys("4")
				d.goTo(8, 7)
				d.keys("4") // a conflict of entries
				d.goTo(0, 0)
				type cellLook struct {
					text  string
					style tcell.Style
				}
				seen := map[cellLook]string{}
				for _, cell := range []struct {
					what     string
					row, col int
				}{
					{"the selected cell", 0, 0},
					{"a cell in its row", 0, 8},
					{"an equal digit", 3, 4},
					{"a given", 4, 6},
					{"an entry", 4, 7},
					{"a conflict", 8, 8},
					{"an empty cell", 7, 4},
				} {
					text, style := d.cell(cell.row, cell.col)
					look := cellLook{string([]rune(text)[0]) + "d" + string([]rune(text)[2]), style} // without the digit
					if other, ok := seen[look]; ok && cell.what != "an empty cell" {
						t.Errorf("%s looks like %s", cell.what, other)
					}
					seen[look] = cell.what
					if test.colors <= 0 || test.noColor != "" {
						if fg, bg, _ := style.Decompose(); fg != tcell.ColorDefault || bg != tcell.ColorDefault {
							t.Errorf("%s has colours", cell.what)
						}
					}
				}
				_, row := d.cell(0, 8)
				_, column := d.cell(8, 0)
				_, box := d.cell(2, 2)
				if row != column || row != box {
					t.Error("the row, the column and the box of the selected cell look different")
				}
				if text, _ := d.cell(8, 8); text != " 4!" {
					t.Errorf("got %q for a conflict, want the mark !", text)
				}
			})
		})
	}
}

func TestGivensInConflictAreMarked(t *testing.T) {
	play(t, setting{config: Config{Puzzles: looks}}, func(t *testing.T, d *desk) {
		d.keys("s")
		d.goTo(0, 8)
		d.keys("5")
		d.shows("2 in conflict")
		for _, at := range [][2]int{{0, 0}, {0, 8}} {
			if text, _ := d.cell(at[0], at[1]); !strings.HasSuffix(text, "!") {
				t.Errorf("cell %v: got %q, want a mark", at, text)
			}
		}
		d.keys("6")
		d.hides("conflict", "!")
	})
}

func TestSolvedCannotBeMissed(t *testing.T) {
	for _, noColor := range []string{"", "1"} {
		t.Setenv("NO_COLOR", noColor)
		play(t, setting{}, func(t *testing.T, d *desk) {
			d.keys("s")
			l := d.layout()
			_, lineBefore := d.at(l.left, l.top)
			cells, _ := missing(sudoku.Puzzles()[0])
			for _, c := range cells {
				d.goTo(c[0], c[1])
				d.keys(fmt.Sprint(c[2]))
			}
			d.shows("*** SOLVED ***")
			_, text := d.at(0, 0)
			for x := range l.width { // a bar across the screen
				if _, style := d.at(x, l.status); style == text {
					t.Fatalf("NO_COLOR=%q: column %d of the status line has no bar", noColor, x)
				}
			}
			if _, line := d.at(l.left, l.top); line == lineBefore {
				t.Errorf("NO_COLOR=%q: the lines of the board look as before", noColor)
			}
		})
	}
}

func TestResize(t *testing.T) {
	puzzle := sudoku.Puzzles()[0]
	play(t, setting{}, func(t *testing.T, d *desk) {
		d.keys("s")
		for _, size := range sizes {
			d.resize(size[0], size[1])
			d.showsGrid(puzzle.Grid)
			d.shows("playing")
		}
		for _, size := range [][2]int{{minWidth - 1, minHeight}, {minWidth, minHeight - 1}, {20, 10}} {
			d.resize(size[0], size[1])
			d.hides("║")
			text := strings.Join(strings.Fields(d.text()), " ")
			for _, want := range []string{"too small", fmt.Sprintf("%d x %d", size[0], size[1]), fmt.Sprintf("%d x %d", minWidth, minHeight)} {
				if !strings.Contains(text, want) {
					t.Errorf("%v: there is no %q on the screen:\n%s", size, want, d.text())
				}
			}
		}
		for _, size := range [][2]int{{8, 2}, {3, 1}, {1, 1}, {1, 50}, {0, 0}} { // anything but a crash
			d.resize(size[0], size[1])
			d.click(0, 0)
		}
		d.resize(80, 24)
		d.keys("ctrl+l")
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
	play(t, setting{width: 40, height: 15}, func(t *testing.T, d *desk) {
		d.shows("╔═════════╦═════════╦═════════╗", "╠═════════╬═════════╬═════════╣", "╚═════════╩═════════╩═════════╝")
	})
	play(t, setting{}, func(t *testing.T, d *desk) {
		d.shows("╔═══╤═══╤═══╦═══╤═══╤═══╦═══╤═══╤═══╗", "╟───┼───┼───╫───┼───┼───╫───┼───┼───╢",
			"╠═══╪═══╪═══╬═══╪═══╪═══╬═══╪═══╪═══╣", "╚═══╧═══╧═══╩═══╧═══╧═══╩═══╧═══╧═══╝")
	})
}

// A terminal without Unicode gets characters that it has.
func TestASCII(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		sim := tcell.NewSimulationScreen("US-ASCII")
		if err := sim.Init(); err != nil {
			t.Fatal(err)
		}
		defer sim.Fini()
		t.Setenv("NO_COLOR", "1")
		ctx, cancel := context.WithCancel(t.Context())
		defer synctest.Wait()
		defer cancel()
		go func() { _ = Run(ctx, load(t, charts.FS, "sudoku.scxml"), Config{Screen: sim}) }()
		synctest.Wait()
		cells, _, _ := sim.GetContents()
		for _, c := range cells {
			if c.Runes[0] > 0x7e {
				t.Fatalf("got %q on the screen", c.Runes[0])
			}
		}
	})
}
