package tui

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/scxmlrun/scxmlrun/cmd/internal/sudoku/theme"
	"github.com/scxmlrun/scxmlrun/cmd/internal/sudoku/words"
	"github.com/scxmlrun/scxmlrun/cmd/internal/widget"
	"github.com/scxmlrun/scxmlrun/examples/sudoku/game"
)

// busyScene returns a scene in which there is much to say.
func busyScene(t testing.TB, lang string, v game.View) *scene {
	t.Helper()
	s := someScene(256)
	var err error
	if s.words, err = words.New(lang); err != nil {
		t.Fatal(err)
	}
	s.view = v
	for _, b := range []string{"S start", "? hint", "U undo", "N new", "F10 menu", "Space +1", "Del clear", "Q quit"} {
		key, label, _ := strings.Cut(b, " ")
		s.keys = append(s.keys, button{name: label, key: key, label: label})
		s.buttons = append(s.buttons, button{name: label + "2", key: key, label: label})
	}
	return s
}

// busyView returns a view with everything at once.
func busyView(state game.State) game.View {
	v := sample()
	cursor(&v, 3, 1)
	v.State, v.Pen, v.Filter, v.Solutions = state, game.Corner, 5, 2
	v.Generating, v.Tried = true, 123456
	v.Solver = game.Solver{Method: "human", Delay: 300 * time.Millisecond, Done: 12, Total: 45}
	v.Hint = &game.Hint{Stage: 3, Text: strings.Repeat("so no other cell of row 5 can be 2 or 4, ", 20)}
	v.Message = game.Message{Code: game.NotSaved, Detail: "the disk is full"}
	v.Conflicts, v.Solvable, v.BrokenRow = 2, game.No, 8
	return v
}

var states = []game.State{game.Idle, game.Playing, game.Paused, game.Editing, game.Solving, game.Solved, game.GivenUp}

// On a screen of any size that is large enough, everything is on the screen and nothing is over
// anything else.
func TestNothingOverlaps(t *testing.T) {
	languages := words.Languages()
	if testing.Short() {
		languages = languages[:1]
	}
	for _, lang := range languages {
		for _, state := range states {
			s := busyScene(t, lang, busyView(state))
			for width := minWidth; width <= 190; width += 1 + width/20 {
				for height := minHeight; height <= 64; height += 1 + height/12 {
					for _, s.panel = range []bool{true, false} {
						l, ok := newLayout(width, height, s)
						if !ok {
							t.Fatalf("%d x %d is too small", width, height)
						}
						if fault := overlaps(l); fault != "" {
							t.Fatalf("%s, state %d, panel %t, %d x %d: %s", lang, state, s.panel, width, height, fault)
						}
					}
				}
			}
		}
	}
}

// overlaps returns what is over something else, or not on the screen.
func overlaps(l *layout) string {
	used := make([]string, l.width*l.height)
	take := func(what string, r rect) string {
		for y := r.y; y < r.y+r.h; y++ {
			for x := r.x; x < r.x+r.w; x++ {
				if x < 0 || x >= l.width || y < 0 || y >= l.height {
					return fmt.Sprintf("%s is not on the screen: %d, %d", what, x, y)
				}
				if other := used[y*l.width+x]; other != "" {
					return fmt.Sprintf("%s is over %s at %d, %d", what, other, x, y)
				}
				used[y*l.width+x] = what
			}
		}
		return ""
	}
	for y := l.hint.y; y < l.hint.y+l.hint.h; y++ {
		if !l.board.contains(l.hint.x, y) || !l.board.contains(l.hint.x+l.hint.w-1, y) {
			return "the hint is not on the board"
		}
	}
	for _, label := range l.labels {
		if l.hint.contains(label.x, label.y) {
			if !l.hint.contains(label.x+widget.Width(label.text)-1, label.y) {
				return fmt.Sprintf("%q is not within the hint", label.text)
			}
			continue
		}
		if fault := take(fmt.Sprintf("%q", label.text), rect{label.x, label.y, widget.Width(label.text), 1}); fault != "" {
			return fault
		}
	}
	for row := range 9 {
		for col := range 9 {
			r := l.cell(row, col)
			if !l.board.contains(r.x, r.y) || !l.board.contains(r.x+r.w-1, r.y+r.h-1) {
				return fmt.Sprintf("cell %d, %d is not on the board", row, col)
			}
			if fault := take(fmt.Sprintf("cell %d, %d", row, col), r); fault != "" {
				return fault
			}
		}
	}
	for i, what := range used { // the lines of the board
		if what == "" && l.board.contains(i%l.width, i/l.width) {
			used[i] = "the board"
		} else if what != "" && !strings.HasPrefix(what, "cell") && l.board.contains(i%l.width, i/l.width) {
			return what + " is on the board"
		}
	}
	return ""
}

func TestSizes(t *testing.T) {
	for _, test := range []struct {
		width, height int
		w, h          int    // of a cell
		panel         string // where it is
	}{
		{30, 16, 2, 1, ""},
		{31, 17, 3, 1, ""},
		{40, 20, 3, 1, "below"},
		{60, 16, 3, 1, "right"},
		{37, 21, 3, 1, ""},
		{60, 24, 5, 2, ""},
		{80, 24, 5, 2, "right"},
		{73, 39, 7, 3, ""},
		{100, 40, 7, 3, "right"},
		{120, 80, 11, 5, "below"},
		{150, 55, 11, 5, "right"},
		{200, 60, 11, 5, "right"},
	} {
		l, ok := newLayout(test.width, test.height, someScene(256))
		if !ok {
			t.Errorf("%d x %d is too small", test.width, test.height)
			continue
		}
		panel := ""
		switch {
		case l.side.w > 0 && l.side.y >= l.board.y+l.board.h:
			panel = "below"
		case l.side.w > 0:
			panel = "right"
		}
		if l.w != test.w || l.h != test.h || panel != test.panel {
			t.Errorf("%d x %d: cells of %d x %d and a panel %q, want %d x %d and %q", test.width, test.height, l.w, l.h, panel, test.w, test.h, test.panel)
		}
	}
	for _, size := range [][2]int{{minWidth - 1, 100}, {100, minHeight - 1}} {
		if _, ok := newLayout(size[0], size[1], someScene(256)); ok {
			t.Errorf("%v is large enough", size)
		}
	}
}

// A player or a theme that prefers a size gets it where it fits, or a smaller one.
func TestPreferredSize(t *testing.T) {
	mine, err := theme.Read("mine.theme", strings.NewReader("size 9x4"))
	if err != nil {
		t.Fatal(err)
	}
	s := someScene(256)
	for _, test := range []struct {
		cells         string
		theme         *theme.Theme
		width, height int
		w, h          int
	}{
		{"", mine, 150, 55, 9, 4},
		{"", mine, 80, 24, 5, 2},
		{"5x2", mine, 150, 55, 5, 2},
		{"5x2", s.styles.Theme, 150, 55, 5, 2},
		{"13x5", s.styles.Theme, 200, 70, 13, 5},
		{"nonsense", s.styles.Theme, 80, 24, 5, 2},
		{"9", s.styles.Theme, 80, 24, 5, 2},
		{"-9x3", mine, 150, 55, 9, 4},
		{"3x1", s.styles.Theme, 31, 16, 3, 1},
	} {
		s := someScene(256)
		s.cells, s.styles = test.cells, test.theme.For(256, true)
		if l, ok := newLayout(test.width, test.height, s); !ok || l.w != test.w || l.h != test.h {
			t.Errorf("%q on %d x %d: got cells of %d x %d, want %d x %d", test.cells, test.width, test.height, l.w, l.h, test.w, test.h)
		}
	}
}

// The mouse finds what is drawn.
func TestPlaces(t *testing.T) {
	for _, size := range sizes {
		s := busyScene(t, "en", busyView(game.Playing))
		s.view.Hint = nil
		l, _ := newLayout(size[0], size[1], s)
		for row := range 9 {
			for col := range 9 {
				if got := l.at(l.digit(row, col)); got.part != onCell || got.row != row || got.col != col {
					t.Errorf("%v: at the digit of %d, %d is %+v", size, row, col, got)
				}
				for d := 1; d <= 9 && l.hasNotes(); d++ {
					dx, dy := l.notePlace(d)
					want := spot{part: onCell, row: row, col: col, digit: d}
					if got := l.at(l.x(col)+dx, l.y(row)+dy); got != want {
						t.Errorf("%v: at note %d of %d, %d is %+v", size, d, row, col, got)
					}
				}
			}
		}
		for _, label := range l.labels {
			if got := l.at(label.x, label.y); got != label.spot {
				t.Errorf("%v: at %q is %+v, want %+v", size, label.text, got, label.spot)
			}
		}
		if got := l.at(l.board.x, l.board.y); got.part != onNothing {
			t.Errorf("%v: in the corner of the board is %+v", size, got)
		}
		l, _ = newLayout(size[0], size[1], busyScene(t, "en", busyView(game.Paused)))
		if got := l.at(l.digit(4, 4)); got.part != onPaused {
			t.Errorf("%v: on the board of a paused game is %+v", size, got)
		}
	}
}

// Every fact and every button of the panel can be clicked.
func TestPanelParts(t *testing.T) {
	for _, test := range []struct {
		state game.State
		text  string
		want  spot
	}{
		{game.Playing, "19-hard-3", spot{part: onPuzzle}},
		{game.Playing, "hard, ER 6.6", spot{part: onPuzzle}},
		{game.Playing, "7:41", spot{part: onTime}},
		{game.Playing, "no, 2 in conflict", spot{part: onValid}},
		{game.Playing, "no, since r9c1", spot{part: onSolvable}},
		{game.Playing, "given 24", spot{part: onStatistics}},
		{game.Playing, "4▇▇▇", spot{part: onLeft, digit: 4}},
		{game.Playing, " corner notes ", spot{part: onPen}},
		{game.Playing, " only 5 ", spot{part: onFilter}},
		{game.Playing, "undo 12", spot{part: onMoves}},
		{game.Playing, "so no other cell", spot{part: onHint}},
		{game.Playing, "making a puzzle, 123,456", spot{part: onGenerating}},
		{game.Playing, " U undo ", spot{part: onButton, button: "undo2"}},
		{game.Editing, "several solutions", spot{part: onSolvable}},
		{game.Solving, "300 ms each", spot{part: onSolver}},
		{game.Paused, "7:41", spot{part: onTime}},
	} {
		l, _ := newLayout(150, 60, busyScene(t, "en", busyView(test.state)))
		found := false
		for _, label := range l.labels {
			found = found || strings.Contains(label.text, test.text) && label.spot == test.want && l.side.contains(label.x, label.y)
		}
		if !found {
			t.Errorf("state %d: no label %q with %+v: %+v", test.state, test.text, test.want, l.labels)
		}
	}
}

// What does not fit into the panel is left out, the least important first.
func TestPanelIsFull(t *testing.T) {
	v := busyView(game.Playing)
	d := show(t, setting{}, v)
	d.shows("making a puzzle", "7:41", "so no other cell", "no, since r9c1", "…")
	d.hides("undo 12", "given 24")
	v.Hint, v.Generating = nil, false
	d = show(t, setting{}, v)
	d.shows("undo 12", "given 24", "9▇▇▇")
}

func TestHiddenPanel(t *testing.T) {
	s := someScene(256)
	s.view, s.panel = busyView(game.Playing), false
	s.view.Message, s.view.Generating, s.view.Hint = game.Message{}, false, nil
	d := newDesk(t, setting{})
	t.Cleanup(d.screen.Fini)
	draw(d.screen, s)
	d.screen.Show()
	d.hides("▇", "given 24")
	d.shows("7:41", "45 empty")
	if l := d.layout(); l.side.w == 0 {
		t.Error("the panel is not there when it is wanted")
	}
}

// The key line has as many keys as fit, the most important first, in any language.
func TestKeyLine(t *testing.T) {
	for _, size := range sizes {
		l, _ := newLayout(size[0], size[1], busyScene(t, "nl", busyView(game.Playing)))
		var names []string
		for _, label := range l.labels {
			if label.y == l.line && strings.TrimSpace(label.text) != "" && (len(names) == 0 || names[len(names)-1] != label.spot.button) {
				names = append(names, label.spot.button)
			}
		}
		want := []string{"start", "hint", "undo", "new", "menu", "+1", "clear", "quit"}
		if len(names) == 0 || strings.Join(names, " ") != strings.Join(want[:len(names)], " ") || size[0] >= 80 && len(names) < len(want) {
			t.Errorf("%v: got %v, want the first of %v", size, names, want)
		}
	}
}

func TestClock(t *testing.T) {
	for _, test := range []struct {
		time time.Duration
		want string
	}{{0, "0:00"}, {59*time.Second + 999*time.Millisecond, "0:59"}, {7*time.Minute + 4*time.Second, "7:04"}, {time.Hour, "1:00:00"}, {100*time.Hour + time.Second, "100:00:01"}} {
		if got := words.Clock(test.time); got != test.want {
			t.Errorf("%v: got %q, want %q", test.time, got, test.want)
		}
	}
}

// Without a panel a hint covers the half of the board that it is not about.
func TestHintWithoutPanel(t *testing.T) {
	for _, row := range []int{1, 7} {
		var v game.View
		v.State = game.Playing
		v.Cells[row][3].Hint = game.Target
		v.Hint = &game.Hint{Stage: 1, Text: "Look at the digit 4: one of its places is the only one."}
		for _, size := range [][2]int{{30, 16}, {60, 24}, {75, 40}} {
			d := show(t, setting{width: size[0], height: size[1]}, v)
			s := someScene(256)
			s.view = v
			l, _ := newLayout(size[0], size[1], s)
			text := strings.Join(strings.Fields(d.inside(l.hint)), " ")
			if text != v.Hint.Text {
				t.Errorf("row %d, %v: got %q in the box", row, size, text)
			}
			if x, y := l.digit(row, 3); l.hint.contains(x, y) || l.at(l.hint.x, l.hint.y).part != onHint {
				t.Errorf("row %d, %v: the box is at %+v", row, size, l.hint)
			}
		}
		show(t, setting{}, v).shows("Look at the digit 4:")
	}
}
