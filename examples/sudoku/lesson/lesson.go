// Package lesson has positions to practise techniques: in each, the technique is the next step.
//
//	for n := range lesson.Count(human.XWing) {
//		g := lesson.Game(human.XWing, n, "start") // with its notes
//	}
//
// The puzzles are those, of some 200,000 that package generate makes and of lists of hard ones, in
// which the technique is needed after the fewest other steps.
package lesson

import (
	_ "embed"
	"fmt"
	"strings"
	"sync"

	"github.com/scxmlrun/scxmlrun/examples/sudoku"
	"github.com/scxmlrun/scxmlrun/examples/sudoku/format"
	"github.com/scxmlrun/scxmlrun/examples/sudoku/human"
)

// lessons.txt has lines with the name of a technique, a colon and a puzzle.
//
//go:embed lessons.txt
var lessons string

var puzzles = sync.OnceValue(func() map[human.Technique][]sudoku.Grid {
	all := map[human.Technique][]sudoku.Grid{}
	for line := range strings.Lines(lessons) {
		name, digits, _ := strings.Cut(strings.TrimSpace(line), ":")
		technique, err := human.ParseTechnique(name)
		if err != nil || len(digits) != 81 {
			panic(fmt.Sprintf("lesson: %q is not a line of lessons.txt", line))
		}
		var g sudoku.Grid
		for i, r := range digits {
			if r != '.' {
				g[i/9][i%9] = int(r - '0')
			}
		}
		all[technique] = append(all[technique], g)
	}
	return all
})

// Count returns the number of lessons of a technique: 3, or 0 for those whose steps easier ones find
// as well, and for those that are not in [human.Order].
func Count(t human.Technique) int { return len(puzzles()[t]) }

// Game returns a position of a technique as a game, n from 0 to Count-1: what can be done without the
// technique is done, the candidates that are left are notes, and a save point with the name start
// leads back to there. The hardest take a quarter of a second.
func Game(t human.Technique, n int, start string) *format.Game {
	g := puzzles()[t][n]
	p, err := human.New(&g)
	if err != nil {
		panic(err) // the test has tried all
	}
	var finder human.Finder
	for {
		step, ok := finder.Next(p, human.Order()...)
		if !ok || step.Technique == t || p.Apply(&step) != nil {
			break
		}
	}
	board, notes := p.Grid(), format.Notes{}
	for cell := range human.Cell(81) {
		if board[cell/9][cell%9] == 0 {
			notes[cell/9][cell%9] = uint16(p.Candidates(cell))
		}
	}
	return &format.Game{
		Name: fmt.Sprintf("%v %d", t, n+1), Givens: g,
		Progress: &format.Progress{Mode: format.Paused, Board: board, Notes: notes, SavePoints: []format.SavePoint{{Name: start, Board: board, Notes: notes}}},
	}
}
