package tui

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/gdamore/tcell/v2"

	"github.com/scxmlrun/scxmlrun/cmd/internal/sudoku/theme"
	"github.com/scxmlrun/scxmlrun/cmd/internal/sudoku/words"
	"github.com/scxmlrun/scxmlrun/examples/sudoku/game"
)

// drawn draws a scene on a screen of that size.
func drawn(t *testing.T, s *scene, width, height int) (*desk, *layout) {
	t.Helper()
	d := newDesk(t, setting{width: width, height: height})
	t.Cleanup(d.screen.Fini)
	l, ok := draw(d.screen, s)
	if !ok {
		t.Fatalf("%d x %d is too small", width, height)
	}
	d.screen.Show()
	return d, l
}

// inside returns the characters within a part of the screen.
func (d *desk) inside(r rect) string {
	var b strings.Builder
	for y := r.y; y < r.y+r.h; y++ {
		for x := r.x; x < r.x+r.w; x++ {
			c, _ := d.at(x, y)
			b.WriteRune(c)
		}
		b.WriteByte('\n')
	}
	return b.String()
}

// Notes are at fixed places, so that one sees at a glance which is missing.
func TestNotes(t *testing.T) {
	var v game.View
	v.Cells[0][1].Notes = 0x3fe
	v.Cells[0][2].Notes = 1<<2 | 1<<7
	v.Cells[0][3].Corner = 1<<1 | 1<<9
	v.Cells[0][4] = game.Cell{Digit: 5, Notes: 0x3fe}
	for _, test := range []struct {
		width, height int
		want          [4]string // of the cells
	}{
		{80, 24, [4]string{"12345\n6789 \n", " 2   \n 7   \n", "1    \n   9 \n", "  5  \n     \n"}},
		{100, 40, [4]string{" 1 2 3 \n 4 5 6 \n 7 8 9 \n", "   2   \n       \n 7     \n", " 1     \n       \n     9 \n", "  █▀▀  \n  ▀▀█  \n  ▀▀▀  \n"}},
		{60, 16, [4]string{" · \n", " · \n", " · \n", " 5 \n"}},
	} {
		d, l := drawn(t, &scene{view: v, words: someScene(0).words, styles: someScene(256).styles, panel: true, glow: -1}, test.width, test.height)
		for i, want := range test.want {
			if got := d.inside(l.cell(0, i+1)); got != want {
				t.Errorf("%d x %d, cell %d: got\n%swant\n%s", test.width, test.height, i+1, got, want)
			}
		}
	}
	// Where there is no room for notes, the status line has those of the cursor.
	cursor(&v, 0, 2)
	v.State = game.Playing
	show(t, setting{width: 40, height: 20}, v).shows("notes 27")
	show(t, setting{}, v).hides("notes 27")
}

// Centre notes and corner notes differ.
func TestCornerNotes(t *testing.T) {
	var v game.View
	v.Cells[0][0].Notes, v.Cells[0][1].Corner = 1<<1, 1<<1
	for _, colors := range []int{256, -1} {
		d := show(t, setting{colors: colors}, v)
		l := d.layout()
		_, centre := d.at(l.x(0), l.y(0))
		_, corner := d.at(l.x(1), l.y(0))
		fg1, _, mask1 := centre.Decompose()
		fg2, _, mask2 := corner.Decompose()
		if fg1 == fg2 && mask1 == mask2 {
			t.Errorf("%d colours: both look like %v", colors, corner)
		}
	}
}

// Every mark that a color makes is made by a character too, so that nobody needs colours.
func TestMarks(t *testing.T) {
	for _, test := range []struct {
		cell game.Cell
		pen  game.Pen
		want [3]string // at 60x16, 80x24 and 100x40, of the cell with its neighbours
	}{
		{game.Cell{Digit: 5, Conflict: true}, 0, [3]string{" 5!", "  5 !", "!"}},
		{game.Cell{Digit: 5, Broken: true}, 0, [3]string{" 5x", "  5 x", "x"}},
		{game.Cell{Digit: 5, Broken: true, Conflict: true}, 0, [3]string{" 5x", "  5 x", "x"}},
		{game.Cell{Digit: 5, Wrong: true, Conflict: true}, 0, [3]string{" 5x", "  5 x", "x"}},
		{game.Cell{Digit: 5, Hint: game.Cause}, 0, [3]string{" 5+", "  5 +", "+"}},
		{game.Cell{Digit: 5, Hint: game.Target}, 0, [3]string{" 5*", "  5 *", "*"}},
		{game.Cell{Digit: 5, Hint: game.Excluded}, 0, [3]string{" 5-", "  5 -", "-"}},
		{game.Cell{Notes: 1 << 1, Hint: game.Excluded}, 0, [3]string{" ·-", "    -", "-"}},
		{game.Cell{Digit: 5, Colours: 1 << 3}, 0, [3]string{"c5 ", "c 5", "c"}},
		{game.Cell{Notes: 1 << 1, Colours: 1 << 9}, 0, [3]string{"i· ", "    i", "i"}},
		{game.Cell{Digit: 5, Marked: true}, 0, [3]string{":5:", ":  5  :", ":"}},
		{game.Cell{Digit: 5, Selected: true}, game.Digits, [3]string{"[5]", "[  5  ]", "["}},
		{game.Cell{Digit: 5, Selected: true}, game.Notes, [3]string{"(5)", "(  5  )", "("}},
		{game.Cell{Digit: 5, Selected: true}, game.Corner, [3]string{"<5>", "<  5  >", "<"}},
		{game.Cell{Digit: 5, Selected: true}, game.Colours, [3]string{"{5}", "{  5  }", "{"}},
		{game.Cell{Digit: 5, Selected: true, Marked: true, Conflict: true}, game.Digits, [3]string{"[5!", "[  5 !]", "!"}},
	} {
		for _, colors := range []int{1 << 24, 256, 16, 0} {
			for i, size := range [][2]int{{60, 16}, {80, 24}, {100, 40}} {
				s := someScene(colors)
				s.view.Cells[1][1], s.view.Pen = test.cell, test.pen
				d, l := drawn(t, s, size[0], size[1])
				r := l.cell(1, 1)
				got := d.inside(rect{r.x - 1, r.y, r.w + 2, r.h})
				if !strings.Contains(got, test.want[i]) {
					t.Errorf("%+v with pen %d, %v, %d colours: got\n%swant %q in it", test.cell, test.pen, size, colors, got, test.want[i])
				}
			}
		}
	}
}

// What is wrong is red, also where the cursor is.
func TestWrongIsRedAtTheCursor(t *testing.T) {
	for _, cell := range []game.Cell{{Digit: 5, Selected: true, Wrong: true}, {Digit: 5, Selected: true, Conflict: true}, {Digit: 5, Selected: true, Broken: true}} {
		for _, size := range [][2]int{{60, 16}, {80, 24}, {100, 40}} {
			s := someScene(256)
			s.view.Cells[1][1] = cell
			d, l := drawn(t, s, size[0], size[1])
			_, red, _ := s.styles.On(theme.Broken, theme.Entry).Decompose()
			found := false
			for x := -1; x <= l.w; x++ {
				for y := range l.h {
					_, style := d.at(l.x(1)+x, l.y(1)+y)
					_, paper, _ := style.Decompose()
					found = found || paper == red
				}
			}
			if !found {
				t.Errorf("%+v at %v: nothing is red", cell, size)
			}
		}
	}
}

// A hint marks single candidates, not only cells.
func TestHintMarksCandidates(t *testing.T) {
	var v game.View
	for col := range 3 {
		v.Cells[0][col].Notes = 0x3fe
	}
	v.Cells[0][0].Hint, v.Cells[0][1].Hint, v.Cells[0][2].Hint = game.Cause, game.Excluded, game.Target
	v.Hint = &game.Hint{
		Causes:  []game.Candidate{{Row: 0, Col: 0, Digit: 3}},
		Exclude: []game.Candidate{{Row: 0, Col: 1, Digit: 4}},
		Place:   []game.Candidate{{Row: 0, Col: 2, Digit: 5}},
	}
	for _, colors := range []int{256, -1} {
		for _, size := range [][2]int{{80, 24}, {100, 40}} {
			d := show(t, setting{width: size[0], height: size[1], colors: colors}, v)
			l := d.layout()
			for col := range 3 {
				counts := map[tcell.Style][]int{}
				for digit := 1; digit <= 9; digit++ {
					dx, dy := l.notePlace(digit)
					_, style := d.at(l.x(col)+dx, l.y(0)+dy)
					style = style.Underline(false) // the last row without colours
					counts[style] = append(counts[style], digit)
				}
				found := false
				for _, digits := range counts {
					found = found || len(digits) == 1 && digits[0] == 3+col
				}
				if !found {
					t.Errorf("%v, %d colours, column %d: got the styles %v, want only %d to differ", size, colors, col, counts, 3+col)
				}
			}
		}
	}
}

// The filter highlights the notes of a digit too.
func TestFilterHighlightsNotes(t *testing.T) {
	var v game.View
	v.Cells[0][0].Notes, v.Filter = 0x3fe, 4
	d := show(t, setting{}, v)
	l := d.layout()
	dx, dy := l.notePlace(4)
	_, four := d.at(l.x(0)+dx, l.y(0)+dy)
	_, five := d.at(l.x(0)+dx+1, l.y(0)+dy)
	if four == five {
		t.Error("the notes 4 and 5 look alike")
	}
	d.shows("only 4")
}

// A cell with several colours shows them all.
func TestStripes(t *testing.T) {
	s := someScene(256)
	s.view.Cells[0][0].Colours = 1<<1 | 1<<4 | 1<<6
	d, l := drawn(t, s, 80, 24)
	var papers []tcell.Color
	for dx := range l.w {
		_, style := d.at(l.x(0)+dx, l.y(0)+1)
		if _, bg, _ := style.Decompose(); len(papers) == 0 || papers[len(papers)-1] != bg {
			papers = append(papers, bg)
		}
	}
	if len(papers) != 3 {
		t.Errorf("got %d stripes, want 3", len(papers))
	}
}

// While the game is paused, nothing of the board is on the screen.
func TestPausedBoardIsHidden(t *testing.T) {
	for _, lang := range words.Languages() {
		for _, size := range sizes {
			v := busyView(game.Paused)
			v.Generating, v.Clock, v.Time = false, false, 0
			d, l := drawn(t, busyScene(t, lang, v), size[0], size[1])
			if got := d.inside(l.board); strings.ContainsAny(got, "0123456789█▀▄[]<>!·") {
				t.Errorf("%s, %v: the board is visible:\n%s", lang, size, got)
			}
			d.hides("so no other cell", "▇")
		}
	}
}

// One sees at a glance in which state a game is: by the lines of the board, where there are
// colours, and by a badge or a bar everywhere.
func TestStatesDiffer(t *testing.T) {
	for _, name := range theme.Names() {
		for _, colors := range []int{1 << 24, 256, 16, 0} {
			look, _ := theme.Named(name)
			badges, lines := map[string]game.State{}, map[tcell.Style]game.State{}
			for _, state := range states {
				s := someScene(colors)
				s.styles = look.For(colors, true)
				s.view.State = state
				d, l := drawn(t, s, 80, 24)
				var badge string
				for x := range l.width {
					r, style := d.at(x, l.status)
					fg, bg, mask := style.Decompose()
					badge += fmt.Sprint(string(r), fg, bg, mask)
				}
				if other, ok := badges[badge]; ok {
					t.Errorf("%s, %d colours: the badges of %d and %d are the same", name, colors, state, other)
				}
				badges[badge] = state
				_, line := d.at(l.board.x, l.board.y)
				if other, ok := lines[line]; ok && colors >= 256 && name != "mono" {
					t.Errorf("%s, %d colours: the lines of %d and %d are the same", name, colors, state, other)
				}
				lines[line] = state
			}
		}
	}
}

// The pen is visible in the badges, and by the color of the cursor.
func TestPenIsVisible(t *testing.T) {
	for _, size := range sizes {
		seen := map[string]bool{}
		for pen := game.Digits; pen <= game.Colours; pen++ {
			s := someScene(256)
			s.view.State, s.view.Pen, s.view.Has = game.Playing, pen, game.CanMark
			s.view.Cells[4][4].Selected = true
			d, l := drawn(t, s, size[0], size[1])
			x, y := l.digit(4, 4)
			_, style := d.at(x, y)
			seen[fmt.Sprint(style)] = true
			if pen != game.Digits {
				d.shows(s.words.Pen(pen))
			}
		}
		if len(seen) != 4 {
			t.Errorf("%v: the cursor has %d looks, want 4", size, len(seen))
		}
	}
}

// Without colours and lines, underlines separate the rows.
func TestRowsWithoutColours(t *testing.T) {
	for _, colors := range []int{0, 256} {
		d, l := drawn(t, someScene(colors), 80, 24)
		_, style := d.at(l.x(0), l.y(0)+l.h-1)
		if _, _, mask := style.Decompose(); (mask&tcell.AttrUnderline != 0) != (colors == 0) {
			t.Errorf("%d colours: got underline %t", colors, mask&tcell.AttrUnderline != 0)
		}
		_, style = d.at(l.x(1), l.y(0))
		_, first := d.at(l.x(0), l.y(0))
		if (style != first) != (colors != 0) {
			t.Errorf("%d colours: neighbours have the styles %v and %v", colors, first, style)
		}
	}
}

// The glow changes the ink of lines and nothing else; without it, nothing moves.
func TestGlow(t *testing.T) {
	look := func(glow time.Duration) (texts string, styles []tcell.Style) {
		s := busyScene(t, "en", busyView(game.Playing))
		s.styles = builtin(t, "space").For(1<<24, true)
		s.glow = glow
		d, l := drawn(t, s, 100, 40)
		for y := range l.height {
			for x := range l.width {
				_, style := d.at(x, y)
				styles = append(styles, style)
			}
		}
		return d.text(), styles
	}
	still, before := look(-1)
	early, first := look(time.Second)
	_, second := look(2 * time.Second)
	if still != early {
		t.Error("the glow changes texts")
	}
	changed, moved := 0, 0
	for i := range before {
		_, bg1, _ := before[i].Decompose()
		_, bg2, _ := first[i].Decompose()
		if bg1 != bg2 {
			t.Fatal("the glow changes paper")
		}
		if before[i] != first[i] {
			changed++
		}
		if first[i] != second[i] {
			moved++
		}
	}
	if changed == 0 || moved == 0 || changed > len(before)/2 {
		t.Errorf("%d of %d places glow, and %d have changed a second later", changed, len(before), moved)
	}
	s := someScene(256)
	s.glow = time.Second
	d, l := drawn(t, s, 100, 40)
	s.glow = -1
	e, _ := drawn(t, s, 100, 40)
	for x := range l.width {
		_, a := d.at(x, l.board.y)
		if _, b := e.at(x, l.board.y); a != b {
			t.Fatal("it glows with 256 colours")
		}
	}
}

func builtin(t *testing.T, name string) *theme.Theme {
	t.Helper()
	look, ok := theme.Named(name)
	if !ok {
		t.Fatalf("there is no theme %q", name)
	}
	return look
}

// A terminal that has only ASCII gets only ASCII, whatever is on the screen and in any theme.
func TestOnlyASCII(t *testing.T) {
	for _, name := range theme.Names() {
		for _, state := range states {
			for _, size := range [][2]int{{minWidth, minHeight}, {40, 20}, {80, 24}, {150, 55}} {
				s := busyScene(t, "en", busyView(state))
				s.styles = builtin(t, name).For(16, false)
				d, _ := drawn(t, s, size[0], size[1])
				for _, r := range d.text() {
					if r > 0x7e {
						t.Fatalf("%s, state %d, %v: got %q on the screen:\n%s", name, state, size, r, d.text())
					}
				}
			}
		}
	}
}

// Large digits can be told apart, in blocks and in ASCII, large and very large.
func TestLargeDigits(t *testing.T) {
	for _, utf8 := range []bool{true, false} {
		for _, size := range [][2]int{{100, 40}, {150, 55}} {
			s := someScene(256)
			s.styles = builtin(t, "space").For(256, utf8)
			for i := range 9 {
				s.view.Cells[0][i].Digit = i + 1
			}
			d, l := drawn(t, s, size[0], size[1])
			seen := map[string]int{}
			for i := range 9 {
				text := d.strokes(l, 0, i)
				if other, ok := seen[text]; ok || strings.TrimSpace(text) == "" {
					t.Errorf("UTF-8 %t, %v: %d looks like %d", utf8, size, i+1, other)
				}
				seen[text] = i + 1
			}
		}
	}
}

// A window that is too small says so, and what it must have, in any language.
func TestTooSmallSaysSo(t *testing.T) {
	for _, lang := range words.Languages() {
		for _, size := range [][2]int{{29, 30}, {80, 15}, {20, 8}, {12, 3}, {5, 1}, {1, 1}} {
			s := busyScene(t, lang, busyView(game.Playing))
			d := newDesk(t, setting{width: size[0], height: size[1]})
			t.Cleanup(d.screen.Fini)
			if _, ok := draw(d.screen, s); ok {
				t.Errorf("%v is large enough", size)
			}
			d.screen.Show()
			text := strings.Join(strings.Fields(d.text()), " ")
			if size[0] >= 12 && !strings.Contains(text, "30x16") && !strings.Contains(text, "30 x 16") {
				t.Errorf("%s, %v: got %q", lang, size, text)
			}
		}
	}
}
