package tui

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/scxmlrun/scxmlrun/examples/sudoku"
	"github.com/scxmlrun/scxmlrun/examples/sudoku/export"
	"github.com/scxmlrun/scxmlrun/examples/sudoku/format"
	"github.com/scxmlrun/scxmlrun/examples/sudoku/game"
	"github.com/scxmlrun/scxmlrun/examples/sudoku/rate"
	"github.com/scxmlrun/scxmlrun/examples/sudoku/shelf"
	"github.com/scxmlrun/scxmlrun/examples/sudoku/widget"
)

// A puzzle is an entry of the chooser.
type puzzle struct {
	name   string
	rating string
	number int          // in the list of the game or in the file; 0: in none
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

// choose opens the chooser: the games that have begun, the puzzles of the list, and those
// of the folder.
func (p *Player) choose() {
	var all []puzzle
	for i, z := range p.game.Puzzles() {
		all = append(all, puzzle{name: z.Name, number: i + 1, grid: z.Grid})
	}
	for _, z := range p.folderPuzzles() {
		if !slices.ContainsFunc(all, func(other puzzle) bool { return other.givens() == z.givens() }) {
			all = append(all, z)
		}
	}
	p.chooseFrom(all)
}

// chooseFrom lets the player choose one of several puzzles. Games of the shelf that are
// not among them come first, unless the puzzles are those of a file.
func (p *Player) chooseFrom(all []puzzle) {
	progress := map[sudoku.Grid]shelf.Progress{}
	if p.shelf != nil {
		games, err := p.shelf.List()
		if err != nil {
			p.fail(err)
		}
		ofFile := len(all) > 0 && all[0].game != nil
		var first []puzzle
		for _, g := range games {
			progress[g.Givens] = g
			if !ofFile && !slices.ContainsFunc(all, func(z puzzle) bool { return z.givens() == g.Givens }) {
				first = append(first, puzzle{name: g.Name, rating: g.Info.Rating, game: &format.Game{Name: g.Name, Info: g.Info, Givens: g.Givens}})
			}
		}
		all = append(first, all...)
	}
	list := &widget.List{Find: p.words.T("Find:"), Empty: p.words.T("No puzzle has this name.")}
	for i, z := range all {
		name := p.words.Name(z.name)
		if name == "" {
			name = p.words.T("puzzle %d", z.number)
		}
		list.Rows = append(list.Rows, widget.Row{name, p.progressText(progress[z.givens()]), p.ratingText(z.rating)})
		if z.number > 0 && z.game == nil && z.number == p.view.Number {
			list.At = i
		}
	}
	list.Do = func() {
		if list.At < 0 { // the button was pressed, but no puzzle was found
			return
		}
		if z := all[list.At]; z.game == nil {
			p.playAnother(game.Choose(z.number))
		} else {
			p.playAnother(game.Open{Game: z.game})
		}
	}
	d := &widget.Dialog{Title: p.words.T("Choose a puzzle"), Controls: []widget.Control{
		list, &widget.Button{Text: p.words.T("Play"), Do: list.Do}, p.cancelButton(),
	}}
	p.windows.Open(d)
	p.rate(d, list, all)
}

// ratingText returns a rating, or as many blanks if it is not known.
func (p *Player) ratingText(rating string) string {
	if rating == "" {
		return "       "
	}
	return "ER " + rating
}

// rate rates those puzzles whose rating is not known and shows it, as long as the dialog is
// open. Hard ones take a while.
func (p *Player) rate(d *widget.Dialog, list *widget.List, all []puzzle) {
	ctx, cancel := context.WithCancel(p.ctx)
	givens := make([]sudoku.Grid, len(all))
	for i := range all {
		if all[i].rating == "" {
			givens[i] = all[i].givens()
		}
	}
	type rated struct {
		at int
		er string
	}
	show := func(some []rated) func() {
		return func() {
			if !p.windows.Has(d) {
				cancel()
				return
			}
			for _, r := range some {
				list.Rows[r.at][2] = p.ratingText(r.er)
			}
		}
	}
	go func() {
		defer cancel()
		var rater rate.Rater
		var some []rated
		told := time.Now()
		for i := range givens {
			if givens[i] == (sudoku.Grid{}) || ctx.Err() != nil {
				continue
			}
			if rating, err := rater.Rate(&givens[i]); err == nil {
				some = append(some, rated{i, rating.ER.String()})
			}
			if time.Since(told) > glowing {
				p.post(ctx, show(some))
				some, told = nil, time.Now()
			}
		}
		p.post(ctx, show(some))
	}()
}

// progressText says how far a game has come.
func (p *Player) progressText(g shelf.Progress) string {
	switch {
	case g.Mode == format.Solved:
		return strings.TrimSpace(p.words.T("solved") + " " + clockIf(g))
	case g.Mode == format.GivenUp:
		return p.words.T("given up")
	case g.Filled > 0:
		return strings.TrimSpace(fmt.Sprintf("%d%% ", 100*g.Filled/max(g.Filled+g.Empty, 1)) + clockIf(g))
	}
	return ""
}

// clockIf returns the time of a game that had a clock.
func clockIf(g shelf.Progress) string {
	if g.Time == 0 {
		return ""
	}
	return clock(g.Time)
}

// maxFolder is the maximum number of files of a folder that are read.
const maxFolder = 1000

// folderPuzzles returns the puzzles of the files in the folder. Files that have none are
// left out.
func (p *Player) folderPuzzles() (all []puzzle) {
	if p.folder == "" {
		return nil
	}
	files, err := os.ReadDir(p.folder)
	if err != nil {
		p.fail(err)
		return nil
	}
	for i, f := range files {
		if i == maxFolder {
			break
		}
		if !f.Type().IsRegular() || !slices.Contains(export.Endings(), strings.ToLower(filepath.Ext(f.Name()))) {
			continue
		}
		games, err := export.Load(filepath.Join(p.folder, f.Name()))
		if err != nil {
			continue
		}
		for j := range games {
			name := games[j].Name
			if name == "" {
				name = strings.TrimSuffix(f.Name(), filepath.Ext(f.Name()))
				if len(games) > 1 {
					name = fmt.Sprintf("%s %d", name, j+1)
				}
			}
			all = append(all, puzzle{name: name, rating: games[j].Info.Rating, game: &games[j], number: j + 1})
		}
	}
	return all
}
