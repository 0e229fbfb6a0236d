package tui

import (
	"bytes"
	"fmt"
	"image"
	"image/gif"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/scxmlrun/scxmlrun/cmd/internal/sudoku/film"
	"github.com/scxmlrun/scxmlrun/cmd/internal/sudoku/shelf"
	"github.com/scxmlrun/scxmlrun/examples/sudoku"
)

// The pictures of the stages of a hint: of one that finds wrong digits, and of the three of a technique, on a dark and on
// a light screen, in 16 colours and without. This writes them anew:
//
//	go test ./cmd/internal/sudoku/tui -run TestHintPictures -update
func TestHintPictures(t *testing.T) {
	const width, height = 80, 24
	puzzle := sudoku.Puzzles()[5]
	cells, _ := missing(puzzle)
	for _, look := range []struct {
		name, theme string
		colors      int
	}{{"dark", "", 1 << 24}, {"light", "Paper", 1 << 24}, {"16-colours", "", 16}, {"no-colours", "", -1}} {
		t.Run(look.name, func(t *testing.T) {
			sheet := film.Frame{Width: 2 * width, Height: 2 * height, Cells: make([]film.Cell, 4*width*height)}
			settings := shelf.Defaults()
			settings.Glow, settings.Theme = false, look.theme
			s := setting{config: serviced, settings: &settings, width: width, height: height, colors: look.colors, puzzles: []sudoku.Puzzle{puzzle}}
			play(t, s, func(t *testing.T, d *desk) {
				d.goTo(cells[0][0], cells[0][1])
				d.keys(fmt.Sprint(cells[0][2]%9 + 1)) // not its digit
				d.goTo(4, 4)
				for i, keys := range [][]string{{"?", "?"}, {"u", "?"}, {"?"}, {"?"}} {
					d.keys(keys...)
					frame := snapshot(d.screen)
					for y := range height {
						copy(sheet.Cells[(i/2*height+y)*sheet.Width+i%2*width:], frame.Cells[y*width:(y+1)*width])
					}
				}
			})
			file := filepath.Join("testdata", "hint-"+look.name+".gif")
			made := file
			if !*update {
				made = filepath.Join(t.TempDir(), "hint.gif")
			}
			f, err := film.Create(made)
			if err != nil {
				t.Fatal(err)
			}
			f.Add(time.Time{}, sheet)
			if err := f.Close(); err != nil {
				t.Fatal(err)
			}
			want, got := decoded(t, file), decoded(t, made)
			if want.Bounds() != got.Bounds() {
				t.Fatalf("the picture is stale: %v, want %v", want.Bounds(), got.Bounds())
			}
			for y := range got.Bounds().Dy() {
				for x := range got.Bounds().Dx() {
					if got.At(x, y) != want.At(x, y) {
						t.Fatalf("the picture is stale at %d,%d: run go test ./cmd/internal/sudoku/tui -run TestHintPictures -update, and look at it", x, y)
					}
				}
			}
		})
	}
}

func decoded(t *testing.T, file string) image.Image {
	content, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	picture, err := gif.Decode(bytes.NewReader(content))
	if err != nil {
		t.Fatal(err)
	}
	return picture
}
