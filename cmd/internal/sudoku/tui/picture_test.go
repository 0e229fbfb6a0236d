package tui

import (
	"bytes"
	"fmt"
	"image"
	"image/png"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/scxmlrun/scxmlrun/cmd/internal/sudoku/export"
	"github.com/scxmlrun/scxmlrun/cmd/internal/sudoku/shelf"
	"github.com/scxmlrun/scxmlrun/examples/sudoku"
	"github.com/scxmlrun/scxmlrun/examples/sudoku/format"
	"github.com/scxmlrun/scxmlrun/examples/sudoku/picture"
)

// pictured returns a folder with a picture of a puzzle, and the puzzle.
func pictured(t *testing.T) (folder string, puzzle sudoku.Grid) {
	t.Helper()
	folder, puzzle = t.TempDir(), sudoku.Puzzles()[17].Grid
	if err := export.File(filepath.Join(folder, "mine.png"), &format.Game{Givens: puzzle}, false); err != nil {
		t.Fatal(err)
	}
	return folder, puzzle
}

// openPicture chooses the first picture in a folder.
func (d *desk) openPicture(folder string) {
	d.t.Helper()
	d.keys("ctrl+o", folder+string(filepath.Separator))
	d.shows("mine.png")
	d.keys("tab", "enter")
}

// withoutFirst returns where the first digit of a puzzle is, and the puzzle without it.
func withoutFirst(puzzle sudoku.Grid) (row, col int, others sudoku.Grid) {
	for puzzle[row][col] == 0 {
		row, col = row+(col+1)/9, (col+1)%9
	}
	puzzle[row][col] = 0
	return row, col, puzzle
}

// The dialog lists pictures, and only those. What is read of one is corrected and then edited.
func TestPictureIsReadCorrectedAndEdited(t *testing.T) {
	folder, puzzle := pictured(t)
	row, col, others := withoutFirst(puzzle)
	if err := os.WriteFile(filepath.Join(folder, "other.txt"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, size := range [][2]int{{100, 40}, {80, 24}, {minWidth, minHeight}} {
		play(t, setting{width: size[0], height: size[1], config: serviced}, func(t *testing.T, d *desk) {
			d.keys("ctrl+o", folder+"/")
			d.shows("mine.png")
			d.hides("other.txt")
			d.keys("tab", "enter")
			d.shows("one solution")
			d.hides("in doubt")
			d.goTo(row, col)
			d.keys("0")
			d.keys("tab", "enter")
			d.shows("editing")
			d.showsGrid(others)
		})
	}
}

// The editing mode says whether there is no solution, one, or several.
func TestEditingModeTakesOverFromAPicture(t *testing.T) {
	folder, puzzle := pictured(t)
	for want, correct := range map[string]func(d *desk){
		"one solution": func(*desk) {},
		"no solution":  func(d *desk) { d.keys("1", "right", "1") },
		"several solutions": func(d *desk) {
			for range 9 {
				d.keys("0", "right", "0", "right", "0", "right", "0", "right", "0", "right", "down")
			}
		},
	} {
		play(t, setting{config: serviced}, func(t *testing.T, d *desk) {
			d.openPicture(folder) // the game is interrupted
			correct(d)
			d.shows(want)
			d.keys("tab", "enter")
			d.shows("editing", want)
			if want == "one solution" {
				d.keys("enter")
				d.shows("playing")
				d.goTo(0, 2)
				d.keys("7") // a given does not change
				d.showsGrid(puzzle)
				return
			}
			d.keys("esc", "l")
			d.shows("PAUSED")
			d.keys("p")
			d.showsGrid(sudoku.Puzzles()[0].Grid)
		})
	}
}

// Handwritten digits are entries of the game. The editing mode does not have entries, and says so.
func TestHandwrittenDigitsBecomeEntries(t *testing.T) {
	folder, puzzle := pictured(t)
	row, col, others := withoutFirst(puzzle)
	mark := func(d *desk) {
		d.openPicture(folder)
		d.goTo(row, col)
		d.keys("'")
		d.shows("1 handwritten (')")
	}
	play(t, setting{config: serviced}, func(t *testing.T, d *desk) {
		mark(d)
		d.clickText("[ Edit ]")
		d.showsGrid(others)
		d.shows("editing", "1 handwritten digit is left out")
		mark(d)
		d.clickText("[ Play ]")
		d.keys("l") // leave what is being edited, if it asks
		d.showsGrid(puzzle)
		d.shows("playing")
		d.goTo(row, col)
		d.keys("0")
		d.showsGrid(others)
	})
}

// What cannot be read is said, in any language.
func TestPictureThatCannotBeRead(t *testing.T) {
	folder := t.TempDir()
	write := func(name, content string) string {
		name = filepath.Join(folder, name)
		if err := os.WriteFile(name, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
		return name
	}
	cutOff := write("cut.png", "\x89PNG\r\n\x1a\n\x00\x00")
	text := write("text.png", "neither a picture nor a puzzle")
	blank := write("blank.gif", "GIF89a\x01\x00\x01\x00\x80\x00\x00\xff\xff\xff\x00\x00\x00,\x00\x00\x00\x00\x01\x00\x01\x00\x00\x02\x02D\x01\x00;")
	for lang, want := range map[string]string{"en": "There is no Sudoku", "nl": "Er staat geen sudoku"} {
		settings := shelf.Defaults()
		settings.Lang = lang
		play(t, setting{settings: &settings}, func(t *testing.T, d *desk) {
			open := func(name string) {
				d.keys("ctrl+o")
				d.retype(name)
			}
			open(blank)
			d.shows(want)
			d.keys("enter")
			open(cutOff)
			d.shows("cut off")
			d.keys("enter")
			open(text)
			d.shows("text.png")
			d.keys("enter")
			d.showsGrid(sudoku.Puzzles()[0].Grid)
		})
	}
}

// A slow picture can be cancelled, which ends its reading.
func TestReadingAPictureCanBeCancelled(t *testing.T) {
	for _, key := range []string{"esc", "enter"} {
		play(t, setting{}, func(t *testing.T, d *desk) {
			file := &slowFile{more: make(chan struct{})}
			d.player.Post(t.Context(), func() { d.player.openPicture("folder/slow.png", file) })
			synctest.Wait()
			d.shows("reading slow.png", "Cancel")
			d.keys(key)
			d.hides("slow.png")
			close(file.more)
			synctest.Wait()
			if file.reads > 1 || !file.closed {
				t.Errorf("%d reads, closed: %v", file.reads, file.closed)
			}
			d.hides("slow.png", "Not opened")
		})
	}
}

// A slowFile has a byte for each read, but not until more is closed.
type slowFile struct {
	more   chan struct{}
	reads  int
	closed bool
}

func (f *slowFile) Read(b []byte) (int, error) {
	f.reads++
	<-f.more
	clear(b[:1])
	return 1, nil
}

func (f *slowFile) Close() error {
	f.closed = true
	return nil
}

// severalPictured writes a picture of two puzzles next to each other.
func severalPictured(t *testing.T, name string, left, right sudoku.Grid) {
	t.Helper()
	both := image.NewGray(image.Rectangle{})
	for i, puzzle := range []sudoku.Grid{left, right} {
		var b bytes.Buffer
		if err := picture.PNG(&b, &format.Game{Givens: puzzle}, 1, picture.White); err != nil {
			t.Fatal(err)
		}
		img, err := png.Decode(&b)
		if err != nil {
			t.Fatal(err)
		}
		side := img.Bounds().Dx()
		if i == 0 {
			both = image.NewGray(image.Rect(0, 0, 2*side, side))
		}
		for n := range side * side {
			both.Set(i*side+n%side, n/side, img.At(n%side, n/side))
		}
	}
	f, err := os.Create(name)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if err := png.Encode(f, both); err != nil {
		t.Fatal(err)
	}
}

// A picture with several puzzles is not refused: the player looks at each, and plays one.
func TestSeveralPuzzlesInAPictureAreAChoice(t *testing.T) {
	folder, left, right := t.TempDir(), sudoku.Puzzles()[17].Grid, sudoku.Puzzles()[3].Grid
	severalPictured(t, filepath.Join(folder, "mine.png"), left, right)
	for want, choose := range map[sudoku.Grid]func(d *desk){
		left:  func(*desk) {},
		right: func(d *desk) { d.keys("right") },
	} {
		for _, size := range [][2]int{{100, 40}, {minWidth, minHeight}} {
			play(t, setting{config: serviced, width: size[0], height: size[1]}, func(t *testing.T, d *desk) {
				d.openPicture(folder)
				d.shows("1 of 2")
				choose(d)
				d.keys("down") // the board
				row, col, others := withoutFirst(want)
				d.goTo(row, col)
				d.keys("0")
				d.shows("solution")
				d.keys("tab", "enter")
				d.shows("editing")
				d.showsGrid(others)
			})
		}
	}
}

// The page of a picture on screens of several sizes, and in ASCII. Look at it after -update:
//
//	go test ./cmd/internal/sudoku/tui -run TestPicturePage -update
func TestPicturePage(t *testing.T) {
	const file = "testdata/picture.txt"
	folder, puzzle := pictured(t)
	row, col, _ := withoutFirst(puzzle)
	var got strings.Builder
	for _, s := range []setting{{width: 100, height: 40}, {}, {width: minWidth, height: minHeight}, {charset: "US-ASCII"}} {
		s.config = serviced
		play(t, s, func(t *testing.T, d *desk) {
			d.openPicture(folder)
			d.goTo(row, col)
			d.keys("'")
			w, h := d.screen.Size()
			fmt.Fprintf(&got, "%d x %d %s\n%s\n\n", w, h, s.charset, d.text())
		})
	}
	if *update {
		if err := os.WriteFile(file, []byte(got.String()), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	if want, err := os.ReadFile(file); err != nil || got.String() != string(want) {
		t.Errorf("the page is not as in %s (%v); run go test ./cmd/internal/sudoku/tui -run TestPicturePage -update, and look at it:\n%s", file, err, &got)
	}
}
