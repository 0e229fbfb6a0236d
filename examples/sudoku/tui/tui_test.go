package tui

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/gdamore/tcell/v2"

	"github.com/scxmlrun/scxmlrun/charts"
	"github.com/scxmlrun/scxmlrun/examples/sudoku"
	"github.com/scxmlrun/scxmlrun/scxml"
)

// A screen is a simulated terminal with a choice of colours.
type screen struct {
	tcell.SimulationScreen
	colors int
}

func (s *screen) Colors() int { return s.colors }

// A desk is a player at a screen. It lives in a synctest bubble, where Wait
// returns once the game has shown what came of a key.
type desk struct {
	t      *testing.T
	screen *screen
	cancel context.CancelCauseFunc
	ended  chan error
}

type setting struct {
	chart         *scxml.Chart // sudoku.scxml
	width, height int          // 80 x 24
	colors        int          // 256
	config        Config
}

// play runs a test at a desk, and ends the game if the test does not.
func play(t *testing.T, s setting, test func(t *testing.T, d *desk)) {
	t.Helper()
	if s.chart == nil {
		s.chart = load(t, charts.FS, "sudoku.scxml")
	}
	if s.width == 0 {
		s.width, s.height = 80, 24
	}
	if s.colors == 0 {
		s.colors = 256
	}
	synctest.Test(t, func(t *testing.T) {
		sim := tcell.NewSimulationScreen("UTF-8")
		if err := sim.Init(); err != nil {
			t.Fatal(err)
		}
		sim.SetSize(s.width, s.height)
		ctx, cancel := context.WithCancelCause(t.Context())
		d := &desk{t, &screen{sim, max(s.colors, 0)}, cancel, make(chan error, 1)}
		s.config.Screen = d.screen
		go func() { d.ended <- Run(ctx, s.chart, s.config) }()
		synctest.Wait()
		test(t, d)
		cancel(errors.New("the test is over"))
		synctest.Wait()
		sim.Fini()
	})
}

func load(t *testing.T, fsys fs.FS, name string) *scxml.Chart {
	t.Helper()
	chart, err := scxml.Load(fsys, name)
	if err != nil {
		t.Fatal(err)
	}
	return chart
}

// keys presses keys: words for those with a name, and characters.
func (d *desk) keys(keys ...string) {
	d.t.Helper()
	named := map[string]tcell.Key{
		"up": tcell.KeyUp, "down": tcell.KeyDown, "left": tcell.KeyLeft, "right": tcell.KeyRight,
		"home": tcell.KeyHome, "end": tcell.KeyEnd, "pgup": tcell.KeyPgUp, "pgdn": tcell.KeyPgDn,
		"enter": tcell.KeyEnter, "backspace": tcell.KeyBackspace, "delete": tcell.KeyDelete,
		"tab": tcell.KeyTab, "backtab": tcell.KeyBacktab, "ctrl+c": tcell.KeyCtrlC, "ctrl+l": tcell.KeyCtrlL,
		"ctrl+z": tcell.KeyCtrlZ, "f1": tcell.KeyF1,
	}
	for _, key := range keys {
		if k, ok := named[key]; ok {
			d.screen.InjectKey(k, 0, tcell.ModNone)
		} else {
			for _, r := range key {
				d.screen.InjectKey(tcell.KeyRune, r, tcell.ModNone)
				synctest.Wait()
			}
		}
		synctest.Wait()
	}
}

// click clicks the left button at a place of the screen.
func (d *desk) click(x, y int) {
	d.screen.InjectMouse(x, y, tcell.Button1, tcell.ModNone)
	d.screen.InjectMouse(x, y, tcell.ButtonNone, tcell.ModNone)
	synctest.Wait()
}

func (d *desk) layout() layout {
	d.t.Helper()
	w, h := d.screen.Size()
	l, ok := newLayout(w, h)
	if !ok {
		d.t.Fatalf("a screen of %d x %d is too small", w, h)
	}
	return l
}

func (d *desk) clickCell(row, col int) {
	l := d.layout()
	d.click(l.x(col)+l.cellW/2, l.y(row)+l.cellH/2)
}

// clickText clicks on a text of the screen.
func (d *desk) clickText(text string) {
	d.t.Helper()
	for y, line := range slices.Backward(d.lines()) {
		if i := strings.Index(line, text); i >= 0 {
			d.click(len([]rune(line[:i])), y)
			return
		}
	}
	d.t.Fatalf("there is no %q on the screen:\n%s", text, d.text())
}

// goTo moves the selection to a cell.
func (d *desk) goTo(row, col int) {
	d.keys("home", "pgup")
	for range row {
		d.keys("down")
	}
	for range col {
		d.keys("right")
	}
}

// resize makes the screen another size.
func (d *desk) resize(w, h int) {
	d.screen.SetSize(w, h)
	if err := d.screen.PostEvent(tcell.NewEventResize(w, h)); err != nil {
		d.t.Fatal(err)
	}
	synctest.Wait()
}

func (d *desk) at(x, y int) (rune, tcell.Style) {
	cells, w, _ := d.screen.GetContents()
	c := cells[y*w+x]
	return c.Runes[0], c.Style
}

func (d *desk) lines() []string {
	_, w, h := d.screen.GetContents()
	lines := make([]string, h)
	for y := range lines {
		var line []rune
		for x := range w {
			r, _ := d.at(x, y)
			line = append(line, r)
		}
		lines[y] = strings.TrimRight(string(line), " ")
	}
	return lines
}

func (d *desk) text() string { return strings.Join(d.lines(), "\n") }

// cell returns what is written in a cell of the board: three characters.
func (d *desk) cell(row, col int) (text string, style tcell.Style) {
	d.t.Helper()
	l := d.layout()
	x, y := l.x(col)+l.cellW/2, l.y(row)+l.cellH/2
	for dx := -1; dx <= 1; dx++ {
		r, _ := d.at(x+dx, y)
		text += string(r)
	}
	_, style = d.at(x, y)
	return text, style
}

// grid reads the board.
func (d *desk) grid() (g sudoku.Grid) {
	d.t.Helper()
	for row := range 9 {
		for col := range 9 {
			text, _ := d.cell(row, col)
			if digit := []rune(text)[1]; '1' <= digit && digit <= '9' {
				g[row][col] = int(digit - '0')
			}
		}
	}
	return g
}

func (d *desk) shows(want ...string) {
	d.t.Helper()
	for _, w := range want {
		if !strings.Contains(d.text(), w) {
			d.t.Errorf("there is no %q on the screen:\n%s", w, d.text())
		}
	}
}

func (d *desk) hides(unwanted ...string) {
	d.t.Helper()
	for _, u := range unwanted {
		if strings.Contains(d.text(), u) {
			d.t.Errorf("there is %q on the screen:\n%s", u, d.text())
		}
	}
}

func (d *desk) showsGrid(want sudoku.Grid) {
	d.t.Helper()
	if got := d.grid(); got != want {
		d.t.Errorf("got grid %s\n    want %s", got.String(), want.String())
	}
}

// end returns how the game ended; it has to have.
func (d *desk) end() error {
	d.t.Helper()
	select {
	case err := <-d.ended:
		d.ended <- nil
		return err
	default:
		d.t.Fatal("the game has not ended")
		return nil
	}
}

// missing returns the empty cells of a puzzle with the digits that belong there.
func missing(p sudoku.Puzzle) (cells [][3]int, solution sudoku.Grid) {
	solution = p.Grid.Solutions(1)[0]
	for row := range 9 {
		for col := range 9 {
			if p.Grid[row][col] == 0 {
				cells = append(cells, [3]int{row, col, solution[row][col]})
			}
		}
	}
	return cells, solution
}

var sizes = [][2]int{{80, 24}, {60, 20}, {40, 15}, {200, 60}, {minWidth, minHeight}, {37, 21}, {37, 22}, {73, 39}, {31, 200}, {300, 15}}

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

// The chart knows only taps, fails without a grid and cares for nothing else.
func TestChartThatOnlyTaps(t *testing.T) {
	puzzles := sudoku.Puzzles()
	noErrors := scxml.WithTrace(&scxml.Trace{Error: func(_ *scxml.Session, err *scxml.ExecutionError) { t.Error(err) }})
	play(t, setting{chart: load(t, os.DirFS("testdata"), "taponly.scxml"), config: Config{Options: []scxml.Option{noErrors}}}, func(t *testing.T, d *desk) {
		d.shows("Taps", "idle, unsolved")
		d.showsGrid(puzzles[0].Grid)
		d.keys("n", "s")
		d.shows("playing")
		d.showsGrid(puzzles[1].Grid)
		cells, solution := missing(puzzles[1])
		first := cells[0]
		d.goTo(first[0], first[1])
		for _, step := range []struct {
			key  string
			want int
		}{{"5", 5}, {"3", 3}, {"backspace", 0}, {" ", 1}, {"9", 9}, {"9", 9}, {"u", 1}, {"u", 0}, {"u", 3}, {"u", 5}, {"u", 0}, {"u", 0}} {
			d.keys(step.key)
			if got := d.grid()[first[0]][first[1]]; got != step.want {
				t.Fatalf("after %q: got %d, want %d", step.key, got, step.want)
			}
		}
		d.shows("nothing to undo")
		for _, c := range cells {
			d.goTo(c[0], c[1])
			d.keys(fmt.Sprint(c[2]))
		}
		d.showsGrid(solution)
		d.shows("SOLVED")
		d.keys("n")
		d.hides("SOLVED")
		d.showsGrid(puzzles[2].Grid)
		d.keys("s", "n")
		d.shows("idle, unsolved")
		d.showsGrid(puzzles[3].Grid)
	})
}

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

// speaking makes a chart that speaks the protocol and has more to it.
func speaking(t *testing.T, more string) *scxml.Chart {
	t.Helper()
	chart, err := scxml.Parse("more.scxml", []byte(`<scxml xmlns="http://www.w3.org/2005/07/scxml" version="1.0" datamodel="ecmascript">
		<datamodel><data id="grid" expr="[]"/><data id="exits" expr="0"/></datamodel>
		<state id="s">
			<transition event="tap undo setup stop">
				<send event="updateGUI"><param name="currentState" expr="grid"/><param name="initState" expr="grid"/></send>
			</transition>
			`+more+`
		</state>
		<final id="over"/></scxml>`))
	if err != nil {
		t.Fatal(err)
	}
	return chart
}

func TestChartThatEnds(t *testing.T) {
	t.Run("at once", func(t *testing.T) {
		play(t, setting{chart: speaking(t, `<transition target="over"/><transition event="start"/>`)}, func(t *testing.T, d *desk) {
			if err := d.end(); !errors.Is(err, ErrChartEnded) || !strings.Contains(err.Error(), `"over"`) {
				t.Errorf("got %v, want ErrChartEnded", err)
			}
		})
	})
	t.Run("later", func(t *testing.T) {
		play(t, setting{chart: speaking(t, `<transition event="start" target="over"/>`)}, func(t *testing.T, d *desk) {
			d.keys("s")
			if err := d.end(); !errors.Is(err, ErrChartEnded) {
				t.Errorf("got %v, want ErrChartEnded", err)
			}
		})
	})
	t.Run("by a limit", func(t *testing.T) {
		play(t, setting{chart: speaking(t, `<transition event="start" target="s"><raise event="start"/></transition>`)}, func(t *testing.T, d *desk) {
			d.keys("s")
			var limit *scxml.LimitError
			if err := d.end(); !errors.As(err, &limit) {
				t.Errorf("got %v, want a LimitError", err)
			}
		})
	})
	t.Run("by a delayed event", func(t *testing.T) {
		play(t, setting{chart: speaking(t, `<onentry><send event="start" delay="90s"/></onentry><transition event="start" target="over"/>`)}, func(t *testing.T, d *desk) {
			time.Sleep(89 * time.Second)
			synctest.Wait()
			d.shows("Q quit")
			time.Sleep(time.Second)
			synctest.Wait()
			if err := d.end(); !errors.Is(err, ErrChartEnded) {
				t.Errorf("got %v, want ErrChartEnded", err)
			}
		})
	})
}

// What a chart sends with updateGUI may be no grid.
func TestBadUpdate(t *testing.T) {
	play(t, setting{chart: speaking(t, `<onentry><assign location="grid" expr="'none'"/></onentry><transition event="start"/>`)}, func(t *testing.T, d *desk) {
		d.keys("u")
		d.shows("bad updateGUI")
	})
	play(t, setting{chart: speaking(t, `<onentry><script>for (var x = 0; x &lt; 9; x++) grid[x] = [10, -1, 3, 0, 0, 0, 0, 0, 0];</script></onentry><transition event="start"/>`)}, func(t *testing.T, d *desk) {
		d.keys("u")
		d.shows("║[?!│ ?!│ 3!")
	})
}

func TestQuittingStopsTheChart(t *testing.T) {
	var log []string
	chart := speaking(t, `<transition event="start"/><onexit><log label="bye"/></onexit>`)
	trace := &scxml.Trace{Log: func(_ *scxml.Session, label string, _ any) { log = append(log, label) }}
	play(t, setting{chart: chart, config: Config{Options: []scxml.Option{scxml.WithTrace(trace)}}}, func(t *testing.T, d *desk) {
		d.keys("q")
		if err := d.end(); err != nil || fmt.Sprint(log) != "[bye]" {
			t.Errorf("got %v, log %v: want the onexit handler to have run", err, log)
		}
	})
}

func TestChartThatDoesNotSpeak(t *testing.T) {
	chart, err := scxml.Parse("other.scxml", []byte(`<scxml xmlns="http://www.w3.org/2005/07/scxml" version="1.0"><state id="s"/></scxml>`))
	if err != nil {
		t.Fatal(err)
	}
	if err := Run(context.Background(), chart, Config{}); err == nil || !strings.Contains(err.Error(), "other.scxml does not speak") {
		t.Errorf("got %v", err)
	}
}

// Data that the user set goes before the first puzzle.
func TestUserData(t *testing.T) {
	grid := sudoku.Grid{{0, 0, 3}}
	play(t, setting{config: Config{Title: "Mine", Options: []scxml.Option{scxml.WithData("initState", grid)}}}, func(t *testing.T, d *desk) {
		d.showsGrid(grid)
		d.shows("Mine")
		d.hides("nearly-solved")
	})
}
