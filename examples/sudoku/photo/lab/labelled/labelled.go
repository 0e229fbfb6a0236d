// Package labelled reads folders of photos whose Sudokus are known, and measures a reader with them.
//
// For each picture NAME.jpg or NAME.png there is a file NAME.dat, as in the Sudoku Dataset by Wicht
// and Hennebert: two lines about the camera, then 9 lines of 9 numbers, 0 for an empty cell.
package labelled

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"image"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/scxmlrun/scxmlrun/examples/sudoku"
	"github.com/scxmlrun/scxmlrun/examples/sudoku/photo"
)

// A Photo is a picture and the Sudoku in it.
type Photo struct {
	Name  string
	Image image.Image
	Grid  sudoku.Grid

	Entries sudoku.Grid // the handwritten digits; Load does not know of any
}

// Load reads a folder, in the order of the names.
func Load(folder string) ([]Photo, error) {
	labels, err := filepath.Glob(filepath.Join(folder, "*.dat"))
	if err != nil {
		return nil, err
	}
	var photos []Photo
	for _, label := range labels {
		p, err := load(strings.TrimSuffix(label, ".dat"))
		if err != nil {
			return nil, err
		}
		photos = append(photos, p)
	}
	if len(photos) == 0 {
		return nil, fmt.Errorf("%q has no labels: want files named like the pictures, with the ending .dat", folder)
	}
	return photos, nil
}

func load(stem string) (p Photo, err error) {
	p.Name = filepath.Base(stem)
	if p.Grid, err = loadLabel(stem + ".dat"); err != nil {
		return p, err
	}
	f, err := os.Open(stem + ".jpg")
	if errors.Is(err, os.ErrNotExist) {
		f, err = os.Open(stem + ".png")
	}
	if err != nil {
		return p, err
	}
	defer f.Close()
	if p.Image, err = photo.Decode(context.Background(), f); err != nil {
		return p, fmt.Errorf("%s: %w", f.Name(), err)
	}
	return p, nil
}

func loadLabel(name string) (g sudoku.Grid, err error) {
	f, err := os.Open(name)
	if err != nil {
		return g, err
	}
	defer f.Close()
	r := bufio.NewReader(f)
	for range 2 {
		if _, err := r.ReadString('\n'); err != nil {
			return g, fmt.Errorf("%s: want two lines about the camera: %w", name, err)
		}
	}
	for row := range g {
		for column := range g[row] {
			if _, err := fmt.Fscan(r, &g[row][column]); err != nil {
				return g, fmt.Errorf("%s: row %d, column %d: %w", name, row+1, column+1, err)
			}
		}
	}
	if !g.Valid() {
		return g, fmt.Errorf("%s: not a Sudoku", name)
	}
	return g, nil
}

// A Report counts what a reader did.
type Report struct {
	Photos, Found, Right int // pictures, those in which a grid was found, those read without an error
	BeforeRepair         int // those read without an error by each cell's looks alone
	Cells, WrongBefore   int // of the grids found: the cells, and those wrong by their looks alone
	Wrong                int // wrong in the end
	Silent, SilentPhotos int // of these: not in doubt; and the pictures that have such
	Doubt                int // cells in doubt that are right
	Written              int // handwritten digits
	WrittenRight         int // of these: read rightly as entries
	WrittenOther         int // read as entries, but another digit
	WrittenGiven         int // taken for printed ones
	WrittenSilent        int // of those that are not right: not in doubt
	Longest, Total       time.Duration
}

// Measure reads photos and adds to the report. Each error is a line for out.
func (r *Report) Measure(reader *photo.Reader, photos []Photo, out io.Writer) {
	for i := range photos {
		p := &photos[i]
		start := time.Now()
		reading, err := reader.Read(context.Background(), p.Image)
		took := time.Since(start)
		r.Photos++
		r.Total += took
		r.Longest = max(r.Longest, took)
		if err != nil {
			fmt.Fprintf(out, "%s: %v\n", p.Name, err)
			continue
		}
		r.Found++
		r.add(p, reading, out)
	}
}

func (r *Report) add(p *Photo, reading *photo.Reading, out io.Writer) {
	var errors []string
	wrong, wrongBefore, silent := 0, 0, 0
	for row := range 9 {
		for column := range 9 {
			want, got, alone := p.Grid[row][column], reading.Grid[row][column], reading.Alone(row, column)
			doubt := reading.Doubt[row][column]
			r.addEntry(p.Entries[row][column], got, reading.Entries[row][column], doubt)
			if alone != want {
				wrongBefore++
			}
			switch {
			case got == want && doubt:
				r.Doubt++
			case got != want && !doubt:
				silent++
			}
			if got != want {
				wrong++
			}
			if got != want || alone != want {
				note := ""
				if doubt {
					note = "?"
				}
				errors = append(errors, fmt.Sprintf("r%dc%d %d→%d→%d%s", row+1, column+1, want, alone, got, note))
			}
		}
	}
	r.Cells += 81
	r.Wrong += wrong
	r.WrongBefore += wrongBefore
	r.Silent += silent
	if silent > 0 {
		r.SilentPhotos++
	}
	if wrong == 0 {
		r.Right++
	}
	if wrongBefore == 0 {
		r.BeforeRepair++
	}
	if len(errors) > 0 {
		fmt.Fprintf(out, "%s: %s\n", p.Name, strings.Join(errors, ", "))
	}
}

// addEntry counts a handwritten digit, or does nothing if there is none.
func (r *Report) addEntry(want, given, entry int, doubt bool) {
	if want == 0 {
		return
	}
	r.Written++
	switch {
	case entry == want:
		r.WrittenRight++
		return
	case given > 0:
		r.WrittenGiven++
	case entry > 0:
		r.WrittenOther++
	}
	if !doubt {
		r.WrittenSilent++
	}
}

// String returns a table.
func (r *Report) String() string {
	percent := func(n, of int) float64 { return 100 * float64(n) / float64(max(1, of)) }
	table := fmt.Sprintf(`photos                  %4d
grid found              %4d  %6.2f %%
all cells right         %4d  %6.2f %%
  before the repair     %4d  %6.2f %%
cells wrong             %4d  %6.3f %%
  before the repair     %4d  %6.3f %%
  not in doubt          %4d  in %d photos
cells in doubt, right   %4d
time, mean and longest  %v, %v
`,
		r.Photos, r.Found, percent(r.Found, r.Photos), r.Right, percent(r.Right, r.Photos),
		r.BeforeRepair, percent(r.BeforeRepair, r.Photos), r.Wrong, percent(r.Wrong, r.Cells),
		r.WrongBefore, percent(r.WrongBefore, r.Cells), r.Silent, r.SilentPhotos, r.Doubt,
		(r.Total / time.Duration(max(1, r.Photos))).Round(time.Millisecond), r.Longest.Round(time.Millisecond))
	if r.Written > 0 {
		table += fmt.Sprintf(`handwritten digits      %4d
  read rightly          %4d  %6.2f %%
  read as another       %4d
  taken for printed     %4d
  wrong, not in doubt   %4d
`,
			r.Written, r.WrittenRight, percent(r.WrittenRight, r.Written), r.WrittenOther, r.WrittenGiven, r.WrittenSilent)
	}
	return table
}
