package action

import (
	"cmp"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/scxmlrun/scxmlrun/cmd/internal/sudoku/shelf"
	"github.com/scxmlrun/scxmlrun/cmd/internal/sudoku/words"
	"github.com/scxmlrun/scxmlrun/examples/sudoku"
	"github.com/scxmlrun/scxmlrun/examples/sudoku/format"
	"github.com/scxmlrun/scxmlrun/examples/sudoku/game"
)

// MaxPuzzles is the maximum number of puzzles of a file, or of files of a folder, to choose from.
const MaxPuzzles = 1000

// A Puzzle is an entry of the chooser.
type Puzzle struct {
	Name   string
	Rating string
	Number int          // in the list of the game or in the file; 0: in none
	Game   *format.Game // nil: the puzzle of the game with this number
	Grid   sudoku.Grid  // its givens, if Game is nil
}

// givens returns the givens of the puzzle.
func (z *Puzzle) givens() sudoku.Grid {
	if z.Game != nil {
		return z.Game.Givens
	}
	return z.Grid
}

// OfFile returns the entries of the games of a file.
func OfFile(name string, games []format.Game) (all []Puzzle) {
	name = strings.TrimSuffix(path.Base(name), path.Ext(name))
	for i := range games {
		g := &games[i]
		z := Puzzle{Name: g.Name, Rating: g.Info.Rating, Game: g, Number: i + 1}
		switch {
		case z.Name == "" && len(games) == 1:
			z.Name = name
		case z.Name == "":
			z.Name = fmt.Sprintf("%s %d", name, i+1)
		}
		all = append(all, z)
	}
	return all
}

// PlayFile plays the only game of a file, or lets the player choose one.
func (h *Hand) PlayFile(name string, games []format.Game) {
	switch len(games) {
	case 0:
		h.Message(h.Words.T("There is no puzzle in %q.", name), "Not opened")
	case 1:
		h.PlayAnother(game.Open{Game: &games[0]})
	default:
		h.chooseFrom(OfFile(name, games[:min(len(games), MaxPuzzles)]), false)
	}
}

func (h *Hand) choose() { h.Choose(nil) }

// Choose opens the chooser: the games that have begun, the puzzles of the list, and others.
func (h *Hand) Choose(others []Puzzle) {
	var all []Puzzle
	for i, z := range h.Game.Puzzles() {
		all = append(all, Puzzle{Name: z.Name, Number: i + 1, Grid: z.Grid})
	}
	for _, z := range others {
		if !slices.ContainsFunc(all, func(other Puzzle) bool { return other.givens() == z.givens() }) {
			all = append(all, z)
		}
	}
	h.chooseFrom(all, true)
}

// chooseFrom lets the player choose one of several puzzles, after the games that have begun.
func (h *Hand) chooseFrom(all []Puzzle, withBegun bool) {
	w := h.Words
	games, err := h.Front.Begun()
	if err != nil {
		h.Fail(err)
	}
	begun := map[sudoku.Grid]*shelf.Progress{}
	var first []Puzzle
	for i := range games {
		g := &games[i]
		begun[g.Givens] = g
		if withBegun && !slices.ContainsFunc(all, func(z Puzzle) bool { return z.givens() == g.Givens }) {
			first = append(first, Puzzle{Name: g.Name, Rating: g.Info.Rating, Game: &format.Game{Name: g.Name, Info: g.Info, Givens: g.Givens}})
		}
	}
	all = append(first, all...)
	list := &Control{Kind: List, Label: w.T("Find:"), Text: w.T("No puzzle has this name.")}
	unrated := make([]sudoku.Grid, len(all))
	for i, z := range all {
		name := w.Name(z.Name)
		if name == "" {
			name = w.T("puzzle %d", cmp.Or(z.Number, i+1))
		}
		board, text := z.givens(), ""
		if g := begun[board]; g != nil {
			board, text = g.Board, h.progressText(g)
		}
		list.Rows = append(list.Rows, Row{Board: board.String(), Texts: []string{name, text, ratingText(z.Rating)}})
		if z.Number > 0 && z.Game == nil && z.Number == h.View.Number {
			list.At = i
		}
		if z.Rating == "" {
			unrated[i] = z.givens()
		}
	}
	list.Do = func() {
		if list.At < 0 { // the button was pressed, but no puzzle was found
			return
		}
		if z := all[list.At]; z.Game == nil {
			h.PlayAnother(game.Choose(z.Number))
		} else {
			h.PlayAnother(game.Open{Game: z.Game})
		}
	}
	d := &Dialog{Title: w.T("Choose a puzzle"), Controls: []*Control{list, MainButton(w.T("Play"), list.Do), h.Cancel()}}
	h.Front.Open(d)
	h.Front.Rate(d, unrated, func(i int, rating string) { list.Rows[i].Texts[2] = ratingText(rating) })
}

// ratingText returns a rating, or as many blanks if it is not known.
func ratingText(rating string) string {
	if rating == "" {
		return "       "
	}
	return "ER " + rating
}

// progressText says how far a game has come.
func (h *Hand) progressText(g *shelf.Progress) string {
	timed := ""
	if g.Time > 0 { // it had a clock
		timed = " " + words.Clock(g.Time)
	}
	switch {
	case g.Mode == format.Solved:
		return h.Words.T("solved") + timed
	case g.Mode == format.GivenUp:
		return h.Words.T("given up")
	case g.Filled > 0:
		return fmt.Sprintf("%d%%", 100*g.Filled/max(g.Filled+g.Empty, 1)) + timed
	}
	return ""
}
