package tui

import (
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/scxmlrun/scxmlrun/cmd/internal/sudoku/action"
	"github.com/scxmlrun/scxmlrun/cmd/internal/sudoku/export"
	"github.com/scxmlrun/scxmlrun/cmd/internal/widget"
	"github.com/scxmlrun/scxmlrun/examples/sudoku/photo"
)

// pictureEndings are the endings of the files that the dialog lists.
var pictureEndings = []string{".jpg", ".jpeg", ".png", ".gif", ".webp", ".bmp"}

// pictures returns the names of the pictures in a folder. There are none in one that does not exist:
// the player may still be writing its name.
func pictures(folder string) (names []string) {
	folder, err := export.Home(folder)
	if err != nil {
		return nil
	}
	files, _ := os.ReadDir(folder)
	for _, f := range files {
		if f.Type().IsRegular() && slices.Contains(pictureEndings, strings.ToLower(filepath.Ext(f.Name()))) && len(names) < action.MaxPuzzles {
			names = append(names, f.Name())
		}
	}
	return names
}

// openPicture reads the Sudoku in a picture while a dialog shows that, and then shows it. It closes
// the file.
func (p *Player) openPicture(name string, file io.ReadCloser) {
	ctx, cancel := context.WithCancel(p.Context)
	began := time.Now()
	working := &widget.Label{Now: func() string {
		return string(`-\|/`[time.Since(began)/glowing%4]) + " " + p.Words.T("reading %s", filepath.Base(name))
	}}
	stop := p.cancelButton()
	stop.Do = cancel
	p.working = &widget.Dialog{Title: p.Words.T("Open a file"), Controls: []widget.Control{working, stop}, Cancel: cancel}
	p.windows.Open(p.working)
	d := p.working
	go func() {
		defer cancel()
		defer file.Close()
		readings, err := photo.NewReader().ReadFile(ctx, file)
		p.Post(ctx, func() {
			switch {
			case !p.windows.Has(d): // it was cancelled
				return
			case err != nil:
				p.Message(p.pictureError(err), "Not opened")
			default:
				p.compare(name, readings)
			}
			p.windows.Close(d)
		})
	}()
}

// pictureError says why a picture cannot be read.
func (p *Player) pictureError(err error) string {
	if errors.Is(err, photo.ErrNoGrid) {
		return p.Words.T("There is no Sudoku in this picture. All lines of its grid must be in it.")
	}
	return err.Error()
}

// compare shows readings next to their pictures.
func (p *Player) compare(name string, readings []*photo.Reading) {
	var reads []*action.Read
	for _, r := range readings {
		read := &action.Read{Digits: r.Board(), Doubt: r.Doubt, Pictures: r.Cells}
		for i := range 81 {
			read.Written[i/9][i%9] = r.Entries[i/9][i%9] > 0
		}
		reads = append(reads, read)
	}
	p.Compare(filepath.Base(name), reads)
}
