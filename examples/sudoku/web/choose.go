package web

import (
	"fmt"
	"slices"
	"strings"

	"github.com/scxmlrun/scxmlrun/examples/sudoku"
	"github.com/scxmlrun/scxmlrun/examples/sudoku/action"
	"github.com/scxmlrun/scxmlrun/examples/sudoku/format"
	"github.com/scxmlrun/scxmlrun/examples/sudoku/game"
	"github.com/scxmlrun/scxmlrun/examples/sudoku/shelf"
)

// A puzzle is an entry of the chooser.
type puzzle struct {
	name   string
	rating string
	number int          // in the list of the game; 0: in none
	game   *format.Game // nil: the puzzle of the game with this number
	grid   sudoku.Grid  // its givens, if game is nil
}

// givens returns the givens of the puzzle.
func (z *puzzle) givens() sudoku.Grid {
	if z.game != nil {
		return z.game.Givens
	}
	return z.grid
}

// choose opens the chooser: the games that have begun, and the puzzles of the list.
func (p *player) choose() {
	var all []puzzle
	for i, z := range p.game.Puzzles() {
		all = append(all, puzzle{name: z.Name, number: i + 1, grid: z.Grid})
	}
	p.chooseFrom(all, true)
}

// chooseFrom lets the player choose one of several puzzles, and of the games that are kept.
func (p *player) chooseFrom(all []puzzle, withKept bool) {
	progress := map[sudoku.Grid]format.Game{}
	var first []puzzle
	for _, g := range p.kept.list() {
		progress[g.Givens] = g
		if withKept && !slices.ContainsFunc(all, func(z puzzle) bool { return z.givens() == g.Givens }) {
			first = append(first, puzzle{name: g.Name, rating: g.Info.Rating, game: &format.Game{Name: g.Name, Info: g.Info, Givens: g.Givens}})
		}
	}
	all = append(first, all...)
	list := &control{Kind: "list", Label: p.words.T("Find:"), Text: p.words.T("No puzzle has this name.")}
	for i, z := range all {
		name := p.words.Name(z.name)
		if name == "" {
			name = p.words.T("puzzle %d", i+1)
		}
		board := z.givens()
		text := ""
		if g, ok := progress[z.givens()]; ok {
			board, text = g.Board(), p.progressText(&g)
		}
		rating := ""
		if z.rating != "" {
			rating = "ER " + z.rating
		}
		list.Rows = append(list.Rows, row{Board: board.String(), Texts: []string{name, text, rating}})
		if z.number > 0 && z.number == p.view.Number {
			list.At = i
		}
	}
	list.do = func() {
		if z := all[list.At]; z.game == nil {
			p.playAnother(game.Choose(z.number))
		} else {
			p.playAnother(game.Open{Game: z.game})
		}
	}
	p.open(p.words.T("Choose a puzzle"), list, mainButton(p.words.T("Play"), list.do), p.cancelButton())
}

// progressText says how far a game has come.
func (p *player) progressText(g *format.Game) string {
	if g.Progress == nil {
		return ""
	}
	timed := ""
	if g.Progress.Time > 0 {
		timed = " " + clock(g.Progress.Time)
	}
	board := g.Board()
	all := g.Givens.Empty()
	filled := all - board.Empty()
	switch {
	case g.Progress.Mode == format.Solved:
		return p.words.T("solved") + timed
	case g.Progress.Mode == format.GivenUp:
		return p.words.T("given up")
	case filled > 0:
		return fmt.Sprintf("%d%%", 100*filled/max(all, 1)) + timed
	}
	return ""
}

// statistics shows times, counts and streaks.
func (p *player) statistics() {
	page := &control{Kind: "lines"}
	add := func(key, text string) { page.Lines = append(page.Lines, line{Key: key, Text: text}) }
	w := p.words
	for level, r := range shelf.Summary(p.kept.results) {
		title := w.T("All puzzles")
		if level > 0 {
			title = capital(w.Level(level))
		}
		if level > 0 && r.Solved+r.GivenUp == 0 {
			continue
		}
		page.Lines = append(page.Lines, line{Head: true, Text: title})
		add(w.T("solved"), fmt.Sprint(r.Solved))
		if r.GivenUp > 0 {
			add(w.T("given up"), fmt.Sprint(r.GivenUp))
		}
		if r.Timed > 0 {
			add(w.T("best time"), clock(r.Best))
			add(w.T("mean time"), clock(r.Mean))
		}
		add(w.T("streak"), fmt.Sprint(r.Streak))
		add(w.T("longest streak"), fmt.Sprint(r.Longest))
	}
	p.open(w.T("Times and counts"), page, mainButton(w.T("OK"), nil))
}

// help opens the help page.
func (p *player) help() {
	w := p.words
	page := &control{Kind: "lines"}
	add := func(l line) { page.Lines = append(page.Lines, l) }
	add(line{Head: true, Text: w.T("Rules")})
	add(line{Text: w.T("Each row, each column and each box has the digits 1 to 9 once.")})
	for _, t := range action.HelpTitles() {
		add(line{Head: true, Text: w.T(t.Text)})
		for i := range p.actions {
			a := &p.actions[i]
			if a.Menu != t.Menu || a.Label == "" || !p.offered(a) {
				continue
			}
			names := p.keyNames(a)
			if a.Shown != "" {
				names = nil
			}
			var keys []string
			if key := p.shownKey(a); key != "" {
				keys = append(keys, key)
			}
			for _, name := range names[min(1, len(names)):min(3, len(names))] {
				keys = append(keys, p.keyText(name))
			}
			switch {
			case len(keys) == 0 && t.Menu == action.MoveKeys: // the browser has its keys
				continue
			case len(keys) == 0:
				keys = []string{w.T("menu")}
			}
			add(line{Key: strings.Join(keys, ", "), Text: capital(strings.TrimSuffix(w.T(a.Label), "…"))})
		}
	}
	add(line{Head: true, Text: w.T("Mouse")})
	add(line{Key: w.T("drag"), Text: capital(w.T("select several cells; so does Ctrl and a click"))})
	add(line{Text: w.T("Paste a puzzle of 81 digits to play it.")})
	p.open(w.T("Keys and rules"), page, mainButton(w.T("OK"), nil))
}
