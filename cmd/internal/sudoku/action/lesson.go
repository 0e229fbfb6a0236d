package action

import (
	"fmt"
	"strconv"

	"github.com/scxmlrun/scxmlrun/cmd/internal/sudoku/words"
	"github.com/scxmlrun/scxmlrun/examples/sudoku/game"
	"github.com/scxmlrun/scxmlrun/examples/sudoku/human"
	"github.com/scxmlrun/scxmlrun/examples/sudoku/lesson"
)

// lessons opens the technique of the hint, or lets the player choose one.
func (h *Hand) lessons() {
	if hint := h.View.Hint; hint != nil && hint.Found == game.FoundStep {
		h.openTechnique(human.Technique(hint.Technique))
		return
	}
	list := &Control{Kind: List, Label: h.Words.T("Find:"), Text: h.Words.T("No technique has this name.")}
	var all []human.Technique
	for _, t := range human.Order() {
		if lesson.Count(t) > 0 {
			all = append(all, t)
			list.Rows = append(list.Rows, Row{Texts: []string{words.Capital(h.Words.Technique(t)), ratingText(t.Rating().String())}})
		}
	}
	list.Do = func() {
		if list.At >= 0 {
			h.openTechnique(all[list.At])
		}
	}
	h.OpenWith(h.Words.T("Techniques and lessons"), list, MainButton(h.Words.T("Choose"), list.Do), h.Cancel())
}

// openTechnique explains a technique, and offers its lessons.
func (h *Hand) openTechnique(t human.Technique) {
	if t < 0 || int(t) >= len(human.Techniques()) { // a chart may send any number
		return
	}
	w := h.Words
	name := words.Capital(w.Technique(t))
	controls := []*Control{
		{Kind: Text, Text: words.Capital(w.About(t)) + "."},
		{Kind: Text, Label: w.T("How it works, with a picture"), Text: human.Pages + "#" + t.Anchor(), Link: true},
	}
	if n := lesson.Count(t); n > 0 {
		puzzle := &Control{Kind: Choice, Label: w.T("Lesson:")}
		for i := range n {
			puzzle.Options = append(puzzle.Options, strconv.Itoa(i+1))
		}
		begin := func() {
			g := lesson.Game(t, puzzle.At, w.T("the lesson"))
			g.Name = fmt.Sprintf("%s %d", name, puzzle.At+1)
			h.PlayAnother(game.Open{Game: g})
			h.Answer("the next step is a lesson in %s", name)
		}
		controls = append(controls, &Control{Kind: Text, Text: w.T("In each lesson this is the next step."), Dim: true}, puzzle, MainButton(w.T("Begin"), begin))
	}
	h.OpenWith(name, append(controls, h.Cancel())...)
}
