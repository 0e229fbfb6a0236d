package plain

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"

	"github.com/scxmlrun/scxmlrun/cmd/internal/sudoku/shelf"
	"github.com/scxmlrun/scxmlrun/cmd/internal/sudoku/words"
	"github.com/scxmlrun/scxmlrun/examples/sudoku"
	"github.com/scxmlrun/scxmlrun/examples/sudoku/format"
	"github.com/scxmlrun/scxmlrun/examples/sudoku/game"
	"github.com/scxmlrun/scxmlrun/scxml/drive"
)

// A puzzle is one that can be chosen.
type puzzle struct {
	name     string
	number   int // in the list of the game; 0: in none
	givens   sudoku.Grid
	progress *shelf.Progress // nil: it has not begun
}

// puzzles returns those of the list of the game, and the games of the shelf that are not
// among them.
func (p *Player) puzzles() (all []puzzle) {
	at := map[sudoku.Grid]int{}
	for i, z := range p.game.Puzzles() {
		at[z.Grid] = i
		all = append(all, puzzle{z.Name, i + 1, z.Grid, nil})
	}
	if p.shelf == nil {
		return all
	}
	games, err := p.shelf.List()
	if err != nil {
		p.tell("Some games cannot be read: %s.", words.Printable(err.Error()))
	}
	for _, g := range games {
		i, listed := at[g.Givens]
		if !listed {
			i = len(all)
			all = append(all, puzzle{g.Name, 0, g.Givens, nil})
		}
		all[i].progress = &g
	}
	return all
}

// matches returns the puzzles with a text in their name, or the one that has it for a name.
func (p *Player) matches(text string) (some []puzzle) {
	text = strings.ToLower(text)
	for _, z := range p.puzzles() {
		switch name := strings.ToLower(p.words.Name(z.name)); {
		case name == text:
			return []puzzle{z}
		case strings.Contains(name, text):
			some = append(some, z)
		}
	}
	return some
}

// maxListed is how many puzzles are told at once.
const maxListed = 30

// list lists puzzles by a text in their names.
func (p *Player) list(_ drive.Session, args string) {
	some := p.matches(args)
	for i, z := range some {
		if i == maxListed {
			p.tell("And %d more; write a part of the name.", len(some)-i)
			return
		}
		text := words.Printable(p.words.Name(z.name))
		if z.number > 0 {
			text = fmt.Sprintf("%d: %s", z.number, text)
		}
		p.say(text + p.progress(z.progress))
	}
	if len(some) == 0 {
		p.tell("No puzzle has %q in its name.", words.Printable(args))
	}
}

// progress says how far a game has come.
func (p *Player) progress(g *shelf.Progress) string {
	switch {
	case g == nil:
		return ""
	case g.Mode == format.Solved:
		return ", " + p.words.State(game.Solved)
	case g.Mode == format.GivenUp:
		return ", " + p.words.State(game.GivenUp)
	case g.Filled > 0:
		return ", " + p.words.T("%d entered and %d empty", g.Filled, g.Empty)
	}
	return ""
}

// setup chooses a puzzle by its number or name, or takes one that is entered in a format of
// one line.
func (p *Player) setup(s drive.Session, args string) {
	number, err := strconv.Atoi(args)
	if err == nil && 1 <= number && number <= p.view.Puzzles {
		leaving(game.Choose(number))(p, s, "")
		return
	}
	if len(args) >= 81 || format.IsLink(args) {
		for g, err := range format.Read("", strings.NewReader(args)) {
			if err != nil {
				p.tell("This is not a puzzle of 81 digits, with a dot for each empty cell.")
				return
			}
			leaving(game.Open{Game: &format.Game{Name: cmp.Or(g.Name, p.words.T("own puzzle")), Givens: g.Givens}})(p, s, "")
			return
		}
	}
	var some []puzzle
	if args != "" && err != nil {
		some = p.matches(args)
	}
	switch {
	case len(some) > 1:
		p.list(s, args)
	case len(some) == 1 && some[0].number > 0:
		leaving(game.Choose(some[0].number))(p, s, "")
	case len(some) == 1:
		leaving(game.Open{Game: &format.Game{Name: some[0].name, Givens: some[0].givens}})(p, s, "")
	default:
		p.tell("Which puzzle? Write setup and a number from 1 to %d, a name, or the 81 characters of a puzzle.", p.view.Puzzles)
	}
}
