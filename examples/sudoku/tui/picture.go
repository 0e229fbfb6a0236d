package tui

import (
	"cmp"
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/scxmlrun/scxmlrun/examples/sudoku"
	"github.com/scxmlrun/scxmlrun/examples/sudoku/export"
	"github.com/scxmlrun/scxmlrun/examples/sudoku/format"
	"github.com/scxmlrun/scxmlrun/examples/sudoku/game"
	"github.com/scxmlrun/scxmlrun/examples/sudoku/photo"
	"github.com/scxmlrun/scxmlrun/examples/sudoku/widget"
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
		if f.Type().IsRegular() && slices.Contains(pictureEndings, strings.ToLower(filepath.Ext(f.Name()))) && len(names) < maxFolder {
			names = append(names, f.Name())
		}
	}
	return names
}

// openPicture reads the Sudoku in a picture while a dialog shows that, and then shows it. It closes
// the file.
func (p *Player) openPicture(name string, file io.ReadCloser) {
	ctx, cancel := context.WithCancel(p.ctx)
	began := time.Now()
	working := &widget.Label{Now: func() string {
		return string(`-\|/`[time.Since(began)/glowing%4]) + " " + p.words.T("reading %s", filepath.Base(name))
	}}
	stop := p.cancelButton()
	stop.Do = cancel
	p.working = &widget.Dialog{Title: p.words.T("Open a file"), Controls: []widget.Control{working, stop}, Cancel: cancel}
	p.windows.Open(p.working)
	d := p.working
	go func() {
		defer cancel()
		defer file.Close()
		readings, err := readPicture(ctx, file)
		p.post(ctx, func() {
			switch {
			case !p.windows.Has(d): // it was cancelled
				return
			case err != nil:
				p.message(p.pictureError(err), "Not opened")
			default:
				p.compare(name, readings)
			}
			p.windows.Close(d)
		})
	}()
}

// readPicture reads the Sudoku in a picture, or all if it is not clear which is meant.
func readPicture(ctx context.Context, file io.Reader) ([]*photo.Reading, error) {
	img, err := photo.Decode(ctx, file)
	if err != nil {
		return nil, err
	}
	reader := photo.NewReader()
	reading, err := reader.Read(ctx, img)
	var several *photo.SeveralError
	switch {
	case errors.As(err, &several):
		return reader.ReadAll(ctx, img)
	case err != nil:
		return nil, err
	}
	return []*photo.Reading{reading}, nil
}

// pictureError says why a picture cannot be read.
func (p *Player) pictureError(err error) string {
	if errors.Is(err, photo.ErrNoGrid) {
		return p.words.T("There is no Sudoku in this picture. All lines of its grid must be in it.")
	}
	return err.Error()
}

// compare shows a reading next to its picture, or lets the player choose one of several. The player
// corrects it, and then edits or plays it.
func (p *Player) compare(name string, readings []*photo.Reading) {
	slices.SortStableFunc(readings, func(a, b *photo.Reading) int { // from the top left
		return cmp.Compare(a.Corners[0].X+a.Corners[0].Y, b.Corners[0].X+b.Corners[0].Y)
	})
	about, keys := &widget.Label{}, &widget.Label{Dim: true}
	which := &widget.Choice{Label: p.words.T("Sudoku:")}
	var boards []*widget.Board
	for i, r := range readings {
		board := &widget.Board{Digits: r.Board(), Doubt: r.Doubt, Pictures: r.Cells}
		for i := range 81 {
			board.Written[i/9][i%9] = r.Entries[i/9][i%9] > 0
		}
		boards = append(boards, board)
		which.Options = append(which.Options, p.words.T("%d of %d", i+1, len(readings)))
	}
	changed := func() {
		board := boards[which.At]
		givens, doubts, written := givensOf(board)
		about.Text = solutions(p.words, len(givens.Solutions(2)))
		if doubts > 0 {
			about.Text += ", " + p.words.T("%d in doubt (?)", doubts)
		}
		if written > 0 {
			about.Text += ", " + p.words.T("%d handwritten (')", written)
		}
	}
	changed()
	for _, board := range boards {
		board.Changed = changed
	}
	keys.Text = p.words.T("1–9, Del: correct; ?: next doubt; ': handwritten")
	edit := &widget.Button{Text: p.words.T("Edit"), Do: func() { p.editRead(boards[which.At]) }}
	play := &widget.Button{Text: p.words.T("Play"), Do: func() { p.playRead(name, boards[which.At]) }}
	d := &widget.Dialog{Title: filepath.Base(name), Controls: []widget.Control{about, boards[0], keys}}
	if p.view.Has.Has(game.CanEdit) {
		d.Controls = append(d.Controls, edit)
	}
	d.Controls = append(d.Controls, play, p.cancelButton())
	if len(boards) > 1 {
		which.Changed = func() {
			d.Controls[2] = boards[which.At]
			changed()
		}
		d.Controls = slices.Insert(d.Controls, 0, widget.Control(which)) // the board is number 2 now
	}
	p.windows.Open(d)
}

// givensOf returns the printed digits of a board, and how many cells are in doubt or handwritten.
func givensOf(board *widget.Board) (givens sudoku.Grid, doubts, written int) {
	givens = board.Digits
	for i := range 81 {
		row, col := i/9, i%9
		if board.Written[row][col] {
			givens[row][col] = 0
			written++
		}
		if board.Doubt[row][col] {
			doubts++
		}
	}
	return givens, doubts, written
}

// editRead enters the puzzle of a board. All digits of a puzzle that is entered are printed.
func (p *Player) editRead(board *widget.Board) {
	givens, _, written := givensOf(board)
	p.leave(func() {
		p.input(game.SetPen(game.Digits))
		p.input(game.Edit{Grid: givens})
		if written > 0 {
			p.say("%d handwritten digits are left out", written)
		}
	})
}

// playRead plays the puzzle of a board. Its handwritten digits are entries.
func (p *Player) playRead(name string, board *widget.Board) {
	givens, _, written := givensOf(board)
	g := &format.Game{Name: strings.TrimSuffix(filepath.Base(name), filepath.Ext(name)), Givens: givens}
	loads := p.view.Has.Has(game.CanLoad)
	if written > 0 && loads {
		g.Progress = &format.Progress{Board: board.Digits}
	}
	p.playAnother(game.Open{Game: g})
	if written > 0 && !loads {
		p.say("%d handwritten digits are left out", written)
	}
}
