package tui

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/scxmlrun/scxmlrun/examples/sudoku/action"
	"github.com/scxmlrun/scxmlrun/examples/sudoku/widget"
	"github.com/scxmlrun/scxmlrun/examples/sudoku/words"
)

// mouseLines say what the mouse does.
var mouseLines = []struct{ key, text words.Key }{
	{"click", "select the cell and add one; in large cells with notes: toggle the note"},
	{"double click", "on a note: make it the digit; on a paused game: continue"},
	{"right click", "clear the cell; the menu of an empty one"},
	{"middle click", "solve the puzzle, after a question"},
	{"wheel", "add or subtract one"},
	{"drag", "select several cells; so does Ctrl and a click"},
}

// help opens the help page.
func (p *Player) help() {
	page := &widget.Page{Lines: []widget.Line{
		{Text: p.words.T("Rules"), Head: true},
		{Text: p.words.T("Each row, each column and each box has the digits 1 to 9 once.")},
		{},
	}}
	for _, t := range action.HelpTitles() {
		page.Lines = append(page.Lines, widget.Line{Text: p.words.T(t.Text), Head: true})
		for i := range p.actions {
			a := &p.actions[i]
			if a.Menu != t.Menu || a.Label == "" {
				continue
			}
			page.Lines = append(page.Lines, widget.Line{Key: p.allKeys(a), Text: capital(strings.TrimSuffix(p.words.T(a.Label), "…"))})
		}
		page.Lines = append(page.Lines, widget.Line{})
	}
	page.Lines = append(page.Lines, widget.Line{Text: p.words.T("Mouse"), Head: true})
	for _, l := range mouseLines {
		page.Lines = append(page.Lines, widget.Line{Key: p.words.T(l.key), Text: capital(p.words.T(l.text))})
	}
	page.Lines = append(page.Lines, widget.Line{}, widget.Line{Text: p.words.T("Paste a puzzle of 81 digits to play it.")})
	p.open(p.words.T("Keys and rules"), page, &widget.Button{Text: p.words.T("OK")})
}

// allKeys returns the first three keys of an action, as they are shown.
func (p *Player) allKeys(a *action.Action) string {
	names := a.KeyNames(p.settings.Vi)
	if a.Shown != "" {
		names = nil
	}
	var shown []string
	if key := p.shownKey(a); key != "" {
		shown = append(shown, key)
	}
	for _, name := range names[min(1, len(names)):min(3, len(names))] {
		shown = append(shown, p.keyText(name))
	}
	if len(shown) == 0 {
		return p.words.T("menu")
	}
	return strings.Join(shown, ", ")
}

// wholeHint opens a window with the hint, which may be too long for the panel.
func (p *Player) wholeHint() {
	p.open(p.words.T("Hint"), &widget.Page{Lines: []widget.Line{{Text: p.words.Hint(p.view.Hint)}}}, &widget.Button{Text: p.words.T("OK")})
}

// capital makes the first letter a capital one.
func capital(text string) string {
	r, n := utf8.DecodeRuneInString(text)
	return string(unicode.ToUpper(r)) + text[n:]
}

// uncapital makes the first letter a small one.
func uncapital(text string) string {
	r, n := utf8.DecodeRuneInString(text)
	return string(unicode.ToLower(r)) + text[n:]
}
