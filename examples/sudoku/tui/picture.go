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
		reading, err := readPicture(ctx, file)
		p.post(ctx, func() {
			switch {
			case !p.windows.Has(d): // it was cancelled
				return
			case err != nil:
				p.message(p.pictureError(err), "Not opened")
			default:
				p.compare(name, reading)
			}
			p.windows.Close(d)
		})
	}()
}

// readPicture reads the Sudoku in a picture. It does not read more of the file when ctx is done.
func readPicture(ctx context.Context, file io.Reader) (*photo.Reading, error) {
	img, err := photo.Decode(untilDone{ctx, file})
	if err != nil {
		return nil, err
	}
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	return photo.NewReader().Read(img)
}

// untilDone reads until ctx is done.
type untilDone struct {
	ctx  context.Context
	from io.Reader
}

func (r untilDone) Read(b []byte) (int, error) {
	if err := r.ctx.Err(); err != nil {
		return 0, err
	}
	return r.from.Read(b)
}

// pictureError says why a picture cannot be read.
func (p *Player) pictureError(err error) string {
	var several *photo.SeveralError
	switch {
	case errors.Is(err, photo.ErrNoGrid):
		return p.words.T("There is no Sudoku in this picture. All lines of its grid must be in it.")
	case errors.As(err, &several):
		return p.words.T("There are %d Sudokus in this picture. Cut it down to one.", several.Boards)
	}
	return err.Error()
}

// compare shows a reading next to its picture. The player corrects it, and then edits or plays it.
func (p *Player) compare(name string, reading *photo.Reading) {
	board := &widget.Board{Digits: reading.Board(), Doubt: reading.Doubt, Pictures: reading.Cells}
	for i := range 81 {
		board.Written[i/9][i%9] = reading.Entries[i/9][i%9] > 0
	}
	about, keys := &widget.Label{}, &widget.Label{Dim: true}
	board.Changed = func() {
		givens, doubts, written := givensOf(board)
		about.Text = solutions(p.words, len(givens.Solutions(2)))
		if doubts > 0 {
			about.Text += ", " + p.words.T("%d in doubt (?)", doubts)
		}
		if written > 0 {
			about.Text += ", " + p.words.T("%d handwritten (')", written)
		}
	}
	board.Changed()
	keys.Text = p.words.T("1–9, Del: correct; ?: next doubt; ': handwritten")
	edit := &widget.Button{Text: p.words.T("Edit"), Do: func() { p.editRead(board) }}
	play := &widget.Button{Text: p.words.T("Play"), Do: func() { p.playRead(name, board) }}
	controls := []widget.Control{about, board, keys}
	if p.view.Has.Has(game.CanEdit) {
		controls = append(controls, edit)
	}
	p.open(filepath.Base(name), append(controls, play, p.cancelButton())...)
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
