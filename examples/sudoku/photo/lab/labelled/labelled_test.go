package labelled

import (
	"bytes"
	"errors"
	"image/png"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
	"testing"

	"github.com/scxmlrun/scxmlrun/examples/sudoku"
	"github.com/scxmlrun/scxmlrun/examples/sudoku/format"
	"github.com/scxmlrun/scxmlrun/examples/sudoku/photo"
	"github.com/scxmlrun/scxmlrun/examples/sudoku/picture"
)

// shared has photos that are not in this repository.
const shared = "../../../../../../shared/sudoku/"

// The goals, with photos that the network has learned: it must read at least those. How well it reads
// others, MODELCARD.md says.
func TestSharedPhotos(t *testing.T) {
	for _, folder := range []string{"photos", "mixed"} {
		t.Run(folder, func(t *testing.T) {
			if testing.Short() && folder == "mixed" {
				t.Skip("reading them takes a minute")
			}
			if _, err := os.Stat(shared + folder); errors.Is(err, fs.ErrNotExist) {
				t.Skipf("NOTHING IS TESTED: ../shared/sudoku/%s, which has the photos, is not beside this repository", folder)
			}
			photos, err := Load(shared + folder)
			if folder == "mixed" {
				photos, err = LoadSolved(shared+folder, shared+"photos")
			}
			if err != nil {
				t.Fatal(err)
			}
			var r Report
			reader := photo.NewReader()
			for i := range photos {
				r.Measure(reader, &photos[i], io.Discard)
			}
			t.Logf("\n%s", &r)
			if r.Found < r.Photos || percent(r.Told, r.Cells) < 97 || percent(r.PrintedRight, r.Printed) < 99.5 {
				t.Error("want all grids, 97 % of the cells told apart and 99.5 % of the printed digits")
			}
			if folder == "mixed" && percent(r.WrittenRight, r.Written) < 95 {
				t.Error("want 95 % of the handwritten digits")
			}
			if folder == "photos" && (r.Silent > 0 || r.MostDoubt > 5) {
				t.Error("want no wrong cell without a doubt, and at most 5 doubts in a photo")
			}
		})
	}
}

// Each harm changes a picture, in the same way for the same seed, and leaves a board that is read
// without a wrong cell that is not in doubt.
func TestHarms(t *testing.T) {
	puzzle := sudoku.Puzzles()[12].Grid
	var b bytes.Buffer
	if err := picture.PNG(&b, &format.Game{Givens: puzzle}, 1, picture.White); err != nil {
		t.Fatal(err)
	}
	img, err := png.Decode(&b)
	if err != nil {
		t.Fatal(err)
	}
	encoded := func(h *Harm, seed uint64) string {
		var b bytes.Buffer
		if err := png.Encode(&b, h.Put(rand.New(rand.NewPCG(seed, 1)), img)); err != nil {
			t.Fatal(err)
		}
		return b.String()
	}
	for k := range Harms {
		h := &Harms[k]
		one, random := encoded(h, 1), k < 5
		if one != encoded(h, 1) || random == (one == encoded(h, 2)) || one == b.String() {
			t.Errorf("%s: the same seed gives other pictures, or other seeds the same", h.Name)
		}
		p := Photo{Name: h.Name, Image: h.Put(rand.New(rand.NewPCG(1, 1)), img), Grid: puzzle}
		var r Report
		var errors bytes.Buffer
		if r.Measure(photo.NewReader(), &p, &errors); r.Found == 0 || r.Silent > 0 {
			t.Errorf("%s: %s", h.Name, &errors)
		}
	}
}

// Each part has puzzles.
func TestPart(t *testing.T) {
	count := make([]int, 4)
	for _, p := range sudoku.Puzzles() {
		count[Part(p.Grid, 4)]++
	}
	for part, n := range count {
		if n == 0 {
			t.Errorf("part %d is empty", part+1)
		}
	}
}
