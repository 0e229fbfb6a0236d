package web

import (
	"path"
	"slices"
	"strings"

	"github.com/scxmlrun/scxmlrun/cmd/internal/sudoku/action"
	"github.com/scxmlrun/scxmlrun/examples/sudoku"
)

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
	w := p.Words
	button := func(text, kind string) *action.Control {
		return &action.Control{Kind: action.Button, Text: text, Do: func() { p.say(fields{"type": kind}) }}
	}
	controls := []*action.Control{
		{Kind: action.Text, Text: w.T("A saved game, puzzles in any format, or a picture of a puzzle.")},
		{Kind: action.Text, Text: w.T("You can also drop a file on the page, or paste a picture or a puzzle.")},
		action.MainButton(w.T("Choose a file"), func() { p.say(fields{"type": "open"}) }),
	}
	switch p.camera {
	case "file":
		controls = append(controls, button(w.T("Take a photo"), "camera"))
	case "preview":
		controls = append(controls, &action.Control{Kind: action.Button, Text: w.T("Take a photo"), Do: p.takePhoto})
	}
	if p.screen {
		controls = append(controls, button(w.T("Take a picture of the screen"), "screen"))
	}
	p.OpenWith(w.T("Open a file"), append(controls, p.Cancel())...)
}

// preview is the kind of a control that shows what the camera sees. It has a Label.
const preview action.Kind = "camera"

// takePhoto shows what the camera sees. With the main button the page sends a photo of it, as a file.
func (p *player) takePhoto() {
	w := p.Words
	p.preview = p.OpenWith(w.T("Take a photo"), &action.Control{Kind: preview, Label: w.T("what the camera sees")}, action.MainButton(w.T("Take the photo"), nil), p.Cancel())
	p.preview.Closed = func() { p.preview = nil }
}

// noCamera says why there is nothing to see. The names are those of the browser's errors.
func (p *player) noCamera(s *said) {
	if p.preview == nil {
		return
	}
	p.Close(p.preview)
	w := p.Words
	text := w.T("The camera does not work: %s", s.Error)
	switch s.Name {
	case "NotAllowedError":
		text = w.T("The browser does not let this page use the camera. Allow it in the settings of the browser for this page, or choose a picture.")
	case "NotFoundError", "OverconstrainedError":
		text = w.T("This device has no camera. Choose a picture.")
	case "NotReadableError":
		text = w.T("The camera is in use by another program. Close it, or choose a picture.")
	}
	p.Message(text, "Take a photo")
}

// readPicture makes the page read a picture, while a dialog says so.
func (p *player) readPicture(name string, data []byte) {
	if old := p.reading; old != nil { // the worker reads the new one in its place
		p.reading = nil
		p.Close(old)
	}
	p.give(fields{"type": "picture"}, data)
	p.picture = name
	p.reading = p.OpenWith(p.Words.T("Open a file"), &action.Control{Kind: action.Text, Text: p.Words.T("reading %s", path.Base(name))}, p.Cancel())
	p.reading.Closed = func() {
		if p.reading != nil {
			p.say(fields{"type": "unpicture"})
		}
		p.reading = nil
	}
}

// pictureRead shows what was read, or why nothing was.
func (p *player) pictureRead(s *said) {
	d, before := p.reading, p.sheets
	p.sheets += len(s.Sudokus)
	if d == nil { // it was cancelled
		return
	}
	p.reading = nil
	p.Close(d)
	switch {
	case s.NoGrid:
		p.Message(p.Words.T("There is no Sudoku in this picture. All lines of its grid must be in it."), "Not opened")
		return
	case s.Error != "" || len(s.Sudokus) == 0 || slices.Contains(s.Sudokus, nil):
		p.Message(s.Error, "Not opened")
		return
	}
	for i, r := range s.Sudokus {
		r.Sheet = before + i
		for j := range 81 {
			if digit := &r.Digits[j/9][j%9]; *digit < 0 || *digit > 9 {
				*digit = 0
			}
		}
	}
	p.Compare(p.picture, s.Sudokus)
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
