package web

import (
	"bytes"
	"strings"

	"github.com/scxmlrun/scxmlrun/cmd/internal/sudoku/action"
	"github.com/scxmlrun/scxmlrun/cmd/internal/sudoku/export"
	"github.com/scxmlrun/scxmlrun/cmd/internal/sudoku/words"
	"github.com/scxmlrun/scxmlrun/examples/sudoku/format"
)

// save gives the player a file that keeps everything.
func (p *player) save() {
	if g := p.Saved(); g != nil {
		p.file(g, ".json")
	}
}

// An output is what a game can become.
type output struct {
	label  words.Key
	ending string // "": a link; " ": the clipboard
}

var outputs = []output{
	{"a page (PDF)", ".pdf"}, {"a picture (PNG)", ".png"}, {"a drawing (SVG)", ".svg"},
	{"text", ".txt"}, {"a puzzle file (SDK)", ".sdk"}, {"the whole game (JSON)", ".json"},
}

// export asks what the game becomes.
func (p *player) export() {
	g := p.Saved()
	if g == nil {
		return
	}
	w := p.Words
	kind := &action.Control{Kind: action.Choice, Label: w.T("Export as:")}
	for _, o := range outputs {
		kind.Options = append(kind.Options, w.T(o.label))
	}
	clip := func(text string) func() {
		return func() {
			p.say(fields{"type": "copy", "text": strings.TrimPrefix(text, "#"), "link": strings.HasPrefix(text, "#")})
			p.Answer("copied")
		}
	}
	board := g.Board()
	p.OpenWith(w.T("Export"), kind,
		action.MainButton(w.T("Save"), func() { p.file(g, outputs[kind.At].ending) }),
		&action.Control{Kind: action.Button, Text: w.T("Copy a link to the puzzle"), Do: clip("#" + g.Givens.String())},
		&action.Control{Kind: action.Button, Text: w.T("Copy the board as text"), Do: clip(board.String())},
		p.Cancel())
}

// file gives the player a file.
func (p *player) file(g *format.Game, ending string) {
	var content bytes.Buffer
	if err := export.Write(&content, g, ending); err != nil {
		p.Message(err.Error(), "Not written")
		return
	}
	media := map[string]string{".pdf": "application/pdf", ".png": "image/png", ".svg": "image/svg+xml", ".json": "application/json"}[ending]
	if media == "" {
		media = "text/plain"
	}
	name := export.Name(g, ending)
	p.give(fields{"type": "file", "name": name, "media": media}, content.Bytes())
	p.Answer("written: %s", name)
}
