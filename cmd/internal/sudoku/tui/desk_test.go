package tui

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/gdamore/tcell/v2"

	"github.com/scxmlrun/scxmlrun/charts"
	"github.com/scxmlrun/scxmlrun/cmd/internal/sudoku/film"
	"github.com/scxmlrun/scxmlrun/cmd/internal/sudoku/shelf"
	"github.com/scxmlrun/scxmlrun/cmd/internal/terminal"
	"github.com/scxmlrun/scxmlrun/examples/sudoku"
	"github.com/scxmlrun/scxmlrun/examples/sudoku/compiled"
	"github.com/scxmlrun/scxmlrun/examples/sudoku/game"
	"github.com/scxmlrun/scxmlrun/scxml"
	"github.com/scxmlrun/scxmlrun/scxml/drive"
)

// A screen is a simulated terminal with a choice of colours.
type screen struct {
	tcell.SimulationScreen
	colors       int
	shown, drawn int // how often what has changed was shown, and how often everything
	beeps        int
}

func (s *screen) Show() {
	s.shown++
	s.SimulationScreen.Show()
}

func (s *screen) Sync() {
	s.drawn++
	s.SimulationScreen.Sync()
}

func (s *screen) Colors() int { return s.colors }

func (s *screen) Beep() error {
	s.beeps++
	return nil
}

// A desk is a player at a screen. It lives in a synctest bubble, where Wait returns once
// the game has shown the effects of a key.
type desk struct {
	t      *testing.T
	screen *screen
	player *Player
	cancel context.CancelCauseFunc
	ended  chan error
}

type setting struct {
	chart         *scxml.Chart // sudoku.scxml
	compiled      bool
	charset       string          // UTF-8
	width, height int             // 80 x 24
	colors        int             // 256; -1: none
	puzzles       []sudoku.Puzzle // all, from the first
	config        drive.Config
	shelf         *shelf.Shelf
	settings      *shelf.Settings
	folder        string
	film          *film.Film
}

// newDesk makes a desk with a screen.
func newDesk(t *testing.T, s setting) *desk {
	t.Helper()
	sim := tcell.NewSimulationScreen(cmp.Or(s.charset, "UTF-8"))
	if err := sim.Init(); err != nil {
		t.Fatal(err)
	}
	sim.SetSize(cmp.Or(s.width, 80), cmp.Or(s.height, 24))
	return &desk{t: t, screen: &screen{SimulationScreen: sim, colors: max(cmp.Or(s.colors, 256), 0)}, ended: make(chan error, 1)}
}

// play runs a test at a desk, and ends the game if the test does not.
func play(t *testing.T, s setting, test func(t *testing.T, d *desk)) {
	t.Helper()
	chart := s.chart
	if chart == nil {
		var err error
		if chart, err = scxml.Load(charts.FS, "sudoku.scxml"); err != nil {
			t.Fatal(err)
		}
	}
	synctest.Test(t, func(t *testing.T) {
		d := newDesk(t, s)
		puzzles := s.puzzles
		if puzzles == nil {
			puzzles = sudoku.Puzzles()
		}
		g, err := game.New(chart, puzzles)
		if err != nil {
			t.Fatal(err)
		}
		if s.compiled {
			g.Use(compiled.NewDriver)
		}
		p, err := New(g, Config{Driver: s.config, Shelf: s.shelf, Settings: s.settings, Folder: s.folder, Film: s.film})
		if err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithCancelCause(t.Context())
		d.player, d.cancel = p, cancel
		go func() {
			_, err := p.play(ctx, &terminal.Terminal{Screen: d.screen})
			d.ended <- err
		}()
		synctest.Wait()
		test(t, d)
		cancel(errors.New("the test is over"))
		synctest.Wait()
		d.screen.Fini()
	})
}

// keys presses keys, given by name or as characters.
func (d *desk) keys(keys ...string) {
	d.t.Helper()
	for _, key := range keys {
		if k, ok := testKeys[key]; ok {
			d.screen.InjectKey(k.key, k.r, k.mod)
		} else {
			for _, r := range key {
				d.screen.InjectKey(tcell.KeyRune, r, tcell.ModNone)
				synctest.Wait()
			}
		}
		synctest.Wait()
	}
}

// click clicks the left button at a position of the screen.
func (d *desk) click(x, y int) {
	d.screen.InjectMouse(x, y, tcell.Button1, tcell.ModNone)
	d.screen.InjectMouse(x, y, tcell.ButtonNone, tcell.ModNone)
	synctest.Wait()
}

// layout returns where the parts of the screen are that do not depend on the game.
func (d *desk) layout() *layout {
	d.t.Helper()
	w, h := d.screen.Size()
	l, ok := newLayout(w, h, someScene(256))
	if !ok {
		d.t.Fatalf("a screen of %d x %d is too small", w, h)
	}
	return l
}

func (d *desk) clickCell(row, col int) {
	l := d.layout()
	d.click(l.digit(row, col))
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
	d.t.Fatalf("%q is not on the screen:\n%s", text, d.text())
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

// resize changes the size of the screen.
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
	if len(c.Runes) == 0 { // never drawn
		return ' ', c.Style
	}
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

// cell returns the characters at the marks on both sides of the digit and between them.
func (d *desk) cell(row, col int) (text string, style tcell.Style) {
	d.t.Helper()
	l := d.layout()
	left, right, y := l.brackets(row, col)
	before, _ := d.at(left, y)
	after, _ := d.at(right, y)
	x, y := l.digit(row, col)
	r, style := d.at(x, y)
	if l.h >= 3 {
		r = d.largeDigit(row, col)
	}
	if l.h > 1 { // the mark of a conflict has a place of its own
		if mark, _ := d.at(l.x(col)+l.w-1, l.y(row)); mark == '!' {
			after = mark
		}
	}
	return string([]rune{before, r, after}), style
}

// largeDigit reads a digit of several rows.
func (d *desk) largeDigit(row, col int) rune {
	d.t.Helper()
	l := d.layout()
	got := d.strokes(l, row, col)
	if strings.TrimSpace(got) == "" {
		return ' '
	}
	if largeDigits[l.cellSize] == nil {
		largeDigits[l.cellSize] = map[string]rune{}
		other := newDesk(d.t, setting{width: l.width, height: l.height, colors: d.screen.colors})
		defer other.screen.Fini()
		sc := someScene(d.screen.colors)
		for i := range 18 {
			sc.view.Cells[i/9][i%9] = game.Cell{Digit: i%9 + 1, Given: i < 9}
		}
		l, _ := draw(other.screen, sc)
		other.screen.Show()
		for i := range 18 {
			largeDigits[l.cellSize][other.strokes(l, i/9, i%9)] = '1' + rune(i%9)
		}
	}
	digit, ok := largeDigits[l.cellSize][got]
	if !ok {
		d.t.Errorf("cell %d, %d has %q, which is not a digit", row, col, got)
	}
	return digit
}

// largeDigits has the digits by what strokes returns.
var largeDigits = map[cellSize]map[string]rune{}

// strokes returns the strokes of a large digit.
func (d *desk) strokes(l *layout, row, col int) (text string) {
	for dy := range l.h {
		for dx := 1; dx < l.w-1; dx++ {
			if r, _ := d.at(l.x(col)+dx, l.y(row)+dy); strings.ContainsRune("█▀▄_|", r) {
				text += string(r)
			} else {
				text += " "
			}
		}
	}
	return text
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

// selected returns the cell that has the marks of the selection.
func (d *desk) selected() (at [2]int) {
	d.t.Helper()
	n := 0
	for row := range 9 {
		for col := range 9 {
			if text, _ := d.cell(row, col); strings.HasPrefix(text, "[") && strings.HasSuffix(text, "]") {
				at = [2]int{row, col}
				n++
			}
		}
	}
	if n != 1 {
		d.t.Errorf("%d cells are selected:\n%s", n, d.text())
	}
	return at
}

func (d *desk) shows(want ...string) {
	d.t.Helper()
	for _, w := range want {
		if !strings.Contains(d.text(), w) {
			d.t.Errorf("%q is not on the screen:\n%s", w, d.text())
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

// end returns how the game ended; it must have ended.
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
