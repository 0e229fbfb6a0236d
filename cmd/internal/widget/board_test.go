package widget

import (
	"image"
	"image/draw"
	"strings"
	"testing"

	"github.com/gdamore/tcell/v2"
)

// someBoard returns a board on which the 5 in the middle is in doubt. The pictures of digits have a
// black spot in their upper left quarter.
func someBoard() *Board {
	b := &Board{}
	for i := range 81 {
		p := image.NewGray(image.Rect(0, 0, 36, 36))
		draw.Draw(p, p.Rect, image.White, image.Point{}, draw.Src)
		b.Pictures[i/9][i%9] = p
	}
	for _, at := range [][2]int{{0, 0}, {4, 4}, {8, 8}} {
		b.Digits[at[0]][at[1]] = 1 + at[0]
		draw.Draw(b.Pictures[at[0]][at[1]], image.Rect(0, 0, 18, 18), image.Black, image.Point{}, draw.Src)
	}
	b.Doubt[4][4], b.Written[8][8] = true, true
	return b
}

func boardBench(t *testing.T, w, h int, b *Board) *bench {
	bench := newBench(t, w, h)
	bench.look.Doubt = tcell.StyleDefault.Bold(true)
	bench.Open(&Dialog{Controls: []Control{b, &Button{Text: "OK", Do: bench.does("ok")}}})
	return bench
}

// The whole picture is visible where there is room, and otherwise the part around the selected cell.
func TestBoardShowsThePictureOfTheSelectedCell(t *testing.T) {
	for _, size := range []struct{ w, h, spots int }{{100, 40, 3}, {80, 22, 2}, {30, 14, 1}} {
		b := boardBench(t, size.w, size.h, someBoard())
		b.shows(" 1 ", " 5?", " 9'")
		if got := strings.Count(b.text(), "⣿⣿⣿"); got != size.spots {
			t.Errorf("%d x %d: %d spots, want %d:\n%s", size.w, size.h, got, size.spots, b.text())
		}
		if size.h < 29 {
			b.shows("▾")
		}
		b.keys("end", "pgdn")
		b.shows("⣿⣿⣿")
		b.hides("▾")
	}
}

func TestBoardInASCII(t *testing.T) {
	b := boardBench(t, 80, 30, someBoard())
	b.look.ASCII = true
	b.shows("::::")
	for _, r := range b.text() {
		if r > '~' {
			t.Fatalf("%q is not ASCII:\n%s", r, b.text())
		}
	}
}

// A cell in doubt has a style and a mark, until it is corrected.
func TestBoardIsCorrected(t *testing.T) {
	board := someBoard()
	b := boardBench(t, 100, 40, board)
	board.Changed = b.does("changed")
	doubts := func() (text string) {
		b.text()
		cells, _, _ := b.screen.GetContents()
		for _, c := range cells {
			if _, _, attr := c.Style.Decompose(); attr&tcell.AttrBold != 0 && c.Runes[0] < 0x2800 {
				text += string(c.Runes)
			}
		}
		return strings.TrimSpace(text)
	}
	if got := doubts(); got != "5?" {
		t.Errorf("in doubt: %q", got)
	}
	b.keys("?")
	if got := b.selected(); !strings.Contains(got, " 5?") {
		t.Errorf("selected: %q", got)
	}
	b.keys("6")
	b.did("changed")
	if got := doubts(); got != "" || board.Digits[4][4] != 6 {
		t.Errorf("in doubt: %q; digit %d", got, board.Digits[4][4])
	}
	b.keys("'", "left", "'") // an empty cell cannot be handwritten
	b.did("changed")
	if !board.Written[4][4] || board.Written[4][3] {
		t.Error("want the middle handwritten, and only it")
	}
	b.keys("right", "delete")
	b.did("changed")
	if board.Digits[4][4] != 0 || board.Written[4][4] {
		t.Error("the middle was not cleared")
	}
	b.keys("enter")
	b.did("ok")
	b.closed()
}

// A click selects a cell, of the digits and of the picture.
func TestBoardTakesClicks(t *testing.T) {
	board := someBoard()
	b := boardBench(t, 100, 40, board)
	b.click("9'")
	b.keys("7")
	b.click("⣿⣿⣿")
	b.keys("2")
	if board.Digits[8][8] != 7 || board.Digits[0][0] != 2 {
		t.Errorf("got %d and %d", board.Digits[8][8], board.Digits[0][0])
	}
}
