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
func (s *Shelf) Solved(g *format.Game, r game.Result) { s.over(Solved(g, r)) }

// GivenUp adds the result of a game that is given up now and was not before. Save calls it;
// other stores of games do. before may be nil.
func (s *Shelf) GivenUp(before, now *format.Game) {
	if r, ok := GaveUp(before, now); ok {
		s.over(r)
	}
}

// over adds a result.
func (s *Shelf) over(r Result) {
	if err := s.Add(r); err != nil && err != s.readonly {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.untold = err
	}
}

// Solved returns the result of a game that was solved now.
func Solved(g *format.Game, r game.Result) Result {
	return now(g, Result{Level: r.Level, ER: r.ER, Time: r.Time, Helps: r.Helps})
}

// GaveUp returns the result of a game that is given up now and was not before, if so. before
// may be nil.
func GaveUp(before, after *format.Game) (Result, bool) {
	if !givenUp(after) || givenUp(before) {
		return Result{}, false
	}
	return now(after, Result{Time: after.Progress.Time, GivenUp: true}), true
}

func givenUp(g *format.Game) bool {
	return g != nil && g.Progress != nil && g.Progress.Mode == format.GivenUp
}

// now returns a result with what is missing in it.
func now(g *format.Game, r Result) Result {
	r.When, r.Givens = time.Now(), digits(&g.Givens)
	if r.Level == 0 {
		r.Level, r.ER = level(&g.Givens)
	}
	return r
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
