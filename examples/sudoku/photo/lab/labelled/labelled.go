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
	"hash/fnv"
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

	Entries sudoku.Grid // the handwritten digits; Load does not know of any, LoadSolved does
}

// LoadSolved reads a folder of photos in which all digits are labelled. Handwritten are those that the
// photo of the same name does not have in the folder of the puzzles.
func LoadSolved(folder, puzzles string) ([]Photo, error) {
	photos, err := Load(folder)
	if err != nil {
		return nil, err
	}
	for i := range photos {
		p := &photos[i]
		p.Entries = p.Grid
		if p.Grid, err = loadLabel(filepath.Join(puzzles, p.Name+".dat")); err != nil {
			return nil, err
		}
		for row := range p.Grid {
			for column, given := range p.Grid[row] {
				if given > 0 {
					p.Entries[row][column] = 0
				}
			}
		}
	}
	return photos, nil
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
	BeforeRepair         int // those whose printed digits are read without an error by each cell's looks alone
	Cells, WrongBefore   int // of the grids found: the cells, and those whose printed digit is wrong by its looks alone
	Wrong                int // wrong in the end
	Silent, SilentPhotos int // of these: not in doubt; and the pictures that have such
	Doubt, MostDoubt     int // cells in doubt, and the most in a photo
	Told                 int // cells rightly told to be empty, printed or handwritten
	Printed              int // printed digits
	PrintedRight         int // of these: read rightly as printed
	Written              int // handwritten digits
	WrittenRight         int // of these: read rightly as handwritten
	Longest, Total       time.Duration
}

// Measure reads a photo and adds to the report. Errors are a line for out.
func (r *Report) Measure(reader *photo.Reader, p *Photo, out io.Writer) {
	start := time.Now()
	reading, err := reader.Read(context.Background(), p.Image)
	took := time.Since(start)
	r.Photos++
	r.Total += took
	r.Longest = max(r.Longest, took)
	if err != nil {
		fmt.Fprintf(out, "%s: %v\n", p.Name, err)
		return
	}
	r.Found++
	r.add(p, reading, out)
}

func (r *Report) add(p *Photo, reading *photo.Reading, out io.Writer) {
	var errors []string
	wrong, wrongBefore, silent, doubts := 0, 0, 0, 0
	for row := range 9 {
		for column := range 9 {
			want, got, alone := p.Grid[row][column], reading.Grid[row][column], reading.Alone(row, column)
			entry, read := p.Entries[row][column], reading.Entries[row][column]
			right := got == want && read == entry
			note := ""
			if reading.Doubt[row][column] {
				doubts++
				note = "?"
			} else if !right {
				silent++
				note = "!"
			}
			if (got > 0) == (want > 0) && (read > 0) == (entry > 0) {
				r.Told++
			}
			if want > 0 {
				r.Printed++
			}
			if entry > 0 {
				r.Written++
			}
			switch {
			case !right:
				wrong++
			case want > 0:
				r.PrintedRight++
			case entry > 0:
				r.WrittenRight++
			}
			if alone != want {
				wrongBefore++
			}
			if !right || alone != want {
				line := fmt.Sprintf("r%dc%d %d→%d→%d", row+1, column+1, want, alone, got)
				if entry != read {
					line += fmt.Sprintf(" %d→%d by hand", entry, read)
				}
				errors = append(errors, line+note)
			}
		}
	}
	r.Cells += 81
	r.Wrong += wrong
	r.WrongBefore += wrongBefore
	r.Silent += silent
	r.Doubt += doubts
	r.MostDoubt = max(r.MostDoubt, doubts)
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

func percent(n, of int) float64 { return 100 * float64(n) / float64(max(1, of)) }

// String returns a table.
func (r *Report) String() string {
	return fmt.Sprintf(`photos                  %4d
grid found              %4d  %6.2f %%
all cells right         %4d  %6.2f %%
  before the repair     %4d  %6.2f %%
cells wrong             %4d  %6.3f %%
  before the repair     %4d  %6.3f %%
  not in doubt          %4d  in %d photos
cells in doubt          %4d  at most %d in a photo
told apart              %4d  %6.2f %%
printed digits right    %4d  %6.2f %%
handwritten right       %4d  %6.2f %%
time, mean and longest  %v, %v
`,
		r.Photos, r.Found, percent(r.Found, r.Photos), r.Right, percent(r.Right, r.Photos),
		r.BeforeRepair, percent(r.BeforeRepair, r.Photos), r.Wrong, percent(r.Wrong, r.Cells),
		r.WrongBefore, percent(r.WrongBefore, r.Cells), r.Silent, r.SilentPhotos, r.Doubt, r.MostDoubt,
		r.Told, percent(r.Told, r.Cells), r.PrintedRight, percent(r.PrintedRight, r.Printed),
		r.WrittenRight, percent(r.WrittenRight, r.Written),
		(r.Total / time.Duration(max(1, r.Photos))).Round(time.Millisecond), r.Longest.Round(time.Millisecond))
}

// Head is the head of a table of lines.
const Head = "                      found  right  cells wrong  silent  doubt  most  told apart   printed  handwritten"

// Line returns the most important numbers in a line.
func (r *Report) Line(name string) string {
	return fmt.Sprintf("%-20s %3d/%3d  %5d  %11d  %6d  %5d  %4d  %8.2f %%  %6.2f %%   %8.2f %%", name, r.Found, r.Photos, r.Right, r.Wrong, r.Silent,
		r.Doubt, r.MostDoubt, percent(r.Told, r.Cells), percent(r.PrintedRight, r.Printed), percent(r.WrittenRight, r.Written))
}

// Part returns in which of some parts the photos of a puzzle are, to learn from the others.
func Part(puzzle sudoku.Grid, parts int) int {
	h := fnv.New32a()
	io.WriteString(h, puzzle.String())
	return int(h.Sum32()>>8) % parts
}
