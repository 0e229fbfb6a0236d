package action

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/scxmlrun/scxmlrun/cmd/internal/sudoku/shelf"
	"github.com/scxmlrun/scxmlrun/cmd/internal/sudoku/words"
)

// A MouseLine says what the mouse does.
type MouseLine struct{ Key, Text words.Key }

// OpenHelp opens the help page. mouse says what the mouse does, and the pointer.
func (h *Hand) OpenHelp(mouse []MouseLine) {
	w := h.Words
	lines := []Line{
		{Text: w.T("Rules"), Head: true},
		{Text: w.T("Each row, each column and each box has the digits 1 to 9 once.")},
	}
	for _, t := range HelpTitles() {
		lines = append(lines, Line{Text: w.T(t.Text), Head: true})
		for i := range h.table {
			a := &h.table[i]
			if a.Menu != t.Menu || a.Label == "" || !h.does(a) {
				continue
			}
			keys := h.ShownKeys(a)
			if keys == "" && t.Menu == MoveKeys { // its keys are reserved
				continue
			}
			lines = append(lines, Line{Key: cmp.Or(keys, w.T("menu")), Text: words.Capital(strings.TrimSuffix(w.T(a.Label), "…"))})
		}
	}
	lines = append(lines, Line{Text: w.T("Mouse"), Head: true})
	for _, l := range mouse {
		lines = append(lines, Line{Key: w.T(l.Key), Text: words.Capital(w.T(l.Text))})
	}
	h.read(w.T("Keys and rules"), append(lines, Line{Text: w.T("Paste a puzzle of 81 digits to play it.")}))
}

// OpenStatistics shows times, counts and streaks.
func (h *Hand) OpenStatistics(all shelf.Statistics) {
	w := h.Words
	var lines []Line
	add := func(key, text string) { lines = append(lines, Line{Key: key, Text: text, Count: true}) }
	for level, r := range all {
		title := w.T("All puzzles")
		if level > 0 {
			title = words.Capital(w.Level(level))
		}
		if level > 0 && r.Solved+r.GivenUp == 0 {
			continue
		}
		lines = append(lines, Line{Text: title, Head: true})
		add(w.T("solved"), fmt.Sprint(r.Solved))
		if r.GivenUp > 0 {
			add(w.T("given up"), fmt.Sprint(r.GivenUp))
		}
		if r.Timed > 0 {
			add(w.T("best time"), words.Clock(r.Best))
			add(w.T("mean time"), words.Clock(r.Mean))
		}
		add(w.T("streak"), fmt.Sprint(r.Streak))
		add(w.T("longest streak"), fmt.Sprint(r.Longest))
	}
	h.read(w.T("Times and counts"), lines)
}

// openHint shows the hint, which may be too long elsewhere.
func (h *Hand) openHint() {
	h.read(h.Words.T("Hint"), []Line{{Text: h.Words.Hint(h.View.Hint)}})
}

// read opens a page to read.
func (h *Hand) read(title string, lines []Line) {
	h.OpenWith(title, &Control{Kind: Lines, Lines: lines}, h.ok())
}
