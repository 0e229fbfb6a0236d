package shelf

import (
	"time"

	"github.com/scxmlrun/scxmlrun/examples/sudoku"
	"github.com/scxmlrun/scxmlrun/examples/sudoku/format"
	"github.com/scxmlrun/scxmlrun/examples/sudoku/game"
	"github.com/scxmlrun/scxmlrun/examples/sudoku/rate"
)

var _ game.Store = (*Shelf)(nil)

// Solved adds the result of a game that was solved now. The next Save returns its error.
func (s *Shelf) Solved(g *format.Game, r game.Result) {
	s.over(g, Result{Level: r.Level, ER: r.ER, Time: r.Time, Helps: r.Helps})
}

// GivenUp adds the result of a game that is given up now and was not before. Save calls it;
// other stores of games do. before may be nil.
func (s *Shelf) GivenUp(before, now *format.Game) {
	if givenUp(now) && !givenUp(before) {
		s.over(now, Result{Time: now.Progress.Time, GivenUp: true})
	}
}

func givenUp(g *format.Game) bool {
	return g != nil && g.Progress != nil && g.Progress.Mode == format.GivenUp
}

// over adds a result, with what is missing in it.
func (s *Shelf) over(g *format.Game, r Result) {
	r.When, r.Givens = time.Now(), digits(&g.Givens)
	if r.Level == 0 {
		r.Level, r.ER = level(&g.Givens)
	}
	if err := s.Add(r); err != nil && err != s.readonly {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.untold = err
	}
}

// level returns the level of a puzzle, and its rating unless it is of the highest level,
// where that would take long. They are 0 if it does not have exactly one solution.
func level(givens *sudoku.Grid) (level int, er float64) {
	_, most := rate.Hard.Band()
	rating, ok, err := new(rate.Rater).RateUpTo(givens, most)
	switch {
	case err != nil:
		return 0, 0
	case !ok:
		return int(rate.Expert), 0
	}
	return int(rating.Level()), float64(rating.ER) / 10
}
