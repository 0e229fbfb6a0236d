package web

import (
	"path"
	"strings"

	"github.com/scxmlrun/scxmlrun/examples/sudoku"
	"github.com/scxmlrun/scxmlrun/examples/sudoku/format"
	"github.com/scxmlrun/scxmlrun/examples/sudoku/game"
)

// sudokuRead is a Sudoku that was read in a picture, see package reading.
type sudokuRead struct {
	Givens  string `json:"givens"`
	Entries string `json:"entries"`
	Doubt   string `json:"doubt"`
}

// isPicture reports whether a file is a picture, by its first bytes: JPEG, PNG, GIF, BMP or WebP.
func isPicture(data []byte) bool {
	for _, start := range []string{"\xff\xd8\xff", "\x89PNG", "GIF8", "BM"} {
		if strings.HasPrefix(string(data[:min(len(data), 4)]), start) {
			return true
		}
	}
	return len(data) > 12 && string(data[:4]) == "RIFF" && string(data[8:12]) == "WEBP"
}

// load asks where a puzzle is.
func (p *player) load() {
	w := p.words
	button := func(text, kind string) *control {
		return &control{Kind: "button", Text: text, do: func() { p.say(bare{kind}) }}
	}
	controls := []*control{
		{Kind: "text", Text: w.T("A saved game, puzzles in any format, or a picture of a puzzle.")},
		{Kind: "text", Text: w.T("You can also drop a file on the page, or paste a picture or a puzzle.")},
		mainButton(w.T("Choose a file"), func() { p.say(bare{"open"}) }),
	}
	if p.camera {
		controls = append(controls, button(w.T("Take a photo"), "camera"))
	}
	if p.screen {
		controls = append(controls, button(w.T("Take a picture of the screen"), "screen"))
	}
	p.open(w.T("Open a file"), append(controls, p.cancelButton())...)
}

// readPicture makes the page read a picture, while a dialog says so.
func (p *player) readPicture(name string, data []byte) {
	p.give(bare{"picture"}, data)
	p.picture = name
	p.reading = p.open(p.words.T("Open a file"), &control{Kind: "text", Text: p.words.T("reading %s", path.Base(name))}, p.cancelButton())
	p.reading.closed = func() {
		if p.reading != nil {
			p.say(bare{"unpicture"})
		}
		p.reading = nil
	}
}

// pictureRead shows what was read, or why nothing was.
func (p *player) pictureRead(s *said) {
	d := p.reading
	if d == nil { // it was cancelled
		return
	}
	p.reading = nil
	p.closeDialog(d)
	w := p.words
	switch {
	case s.NoGrid:
		p.message(w.T("There is no Sudoku in this picture. All lines of its grid must be in it."), "Not opened")
		return
	case s.Error != "" || len(s.Sudokus) == 0:
		p.message(s.Error, "Not opened")
		return
	}
	list := &control{Kind: "list"}
	var grids, boards []sudoku.Grid
	for _, one := range s.Sudokus {
		givens, ok := gridOf(one.Givens)
		entries, also := gridOf(one.Entries)
		if !ok || !also {
			continue
		}
		board := givens
		written := 0
		for i := range 81 {
			if digit := entries[i/9][i%9]; digit > 0 && givens[i/9][i%9] == 0 {
				board[i/9][i%9] = digit
				written++
			}
		}
		grids, boards = append(grids, givens), append(boards, board)
		texts := []string{capital(p.solutionsOf(&givens))}
		if n := strings.Count(one.Doubt, "?"); n > 0 {
			texts = append(texts, w.T("%d in doubt (?)", n))
		}
		if written > 0 {
			texts = append(texts, w.T("%d handwritten (')", written))
		}
		list.Rows = append(list.Rows, row{Board: board.String(), Doubt: one.Doubt, Texts: texts})
	}
	name := strings.TrimSuffix(path.Base(p.picture), path.Ext(p.picture))
	play := func() {
		g := &format.Game{Name: name, Givens: grids[list.At]}
		if boards[list.At] != grids[list.At] {
			g.Progress = &format.Progress{Board: boards[list.At]}
		}
		p.playAnother(game.Open{Game: g})
	}
	list.do = play
	edit := func() { p.leaveFor(game.Edit{Grid: grids[list.At]}) }
	p.open(path.Base(p.picture), list, mainButton(w.T("Play"), play), &control{Kind: "button", Text: w.T("Correct it"), do: edit}, p.cancelButton())
}

// solutionsOf says how many solutions a puzzle has.
func (p *player) solutionsOf(g *sudoku.Grid) string {
	return p.solutionsText(len(g.Solutions(2)))
}

// gridOf returns the grid of 81 characters.
func gridOf(text string) (g sudoku.Grid, ok bool) {
	if len(text) != 81 {
		return g, false
	}
	for i, c := range []byte(text) {
		if '1' <= c && c <= '9' {
			g[i/9][i%9] = int(c - '0')
		}
	}
	return g, true
}
