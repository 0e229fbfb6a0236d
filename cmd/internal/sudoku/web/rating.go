package web

import (
	"context"
	"slices"
	"time"

	"github.com/scxmlrun/scxmlrun/cmd/internal/sudoku/action"
	"github.com/scxmlrun/scxmlrun/datamodel"
	"github.com/scxmlrun/scxmlrun/examples/sudoku"
	"github.com/scxmlrun/scxmlrun/examples/sudoku/rate"
	"github.com/scxmlrun/scxmlrun/scxml"
)

// rating is the name of the service that rates the puzzles of the chooser. It takes a list of texts
// of 81 digits. Its events, and at last its result, have a list of ratings; an empty text is not
// rated, or not yet.
const rating = "rate"

// Rate rates puzzles in the other worker while the dialog is open.
func (p *player) Rate(d *action.Dialog, puzzles []sudoku.Grid, rated func(puzzle int, rating string)) {
	texts := make([]string, len(puzzles))
	none := true
	for i := range puzzles {
		if puzzles[i] != (sudoku.Grid{}) {
			texts[i], none = puzzles[i].String(), false
		}
	}
	params, err := datamodel.From(texts)
	if none || err != nil {
		return
	}
	ctx, cancel := context.WithCancel(p.ctx)
	d.Closed = cancel
	show := func(data datamodel.Value) {
		var ratings []string
		if datamodel.Decode(data, &ratings) != nil {
			return
		}
		p.Post(ctx, func() {
			for i, rating := range ratings[:min(len(ratings), len(puzzles))] {
				if rating != "" {
					rated(i, rating)
				}
			}
		})
	}
	go func() {
		defer cancel()
		// Without the service there are no ratings.
		if result, err := p.remote.run(ctx, rating, params, func(_ string, data datamodel.Value) error { show(data); return nil }); err == nil {
			show(result)
		}
	}()
}

// ratePuzzles is the service.
func ratePuzzles(ctx context.Context, params datamodel.Value, to *link) (any, error) {
	var puzzles []string
	if err := datamodel.Decode(params, &puzzles); err != nil {
		return nil, err
	}
	ratings := make([]string, len(puzzles))
	var rater rate.Rater
	told := time.Now()
	for i, text := range puzzles {
		g, ok := gridOf(text)
		if !ok {
			continue
		}
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if r, err := rater.Rate(&g); err == nil {
			ratings[i] = r.ER.String()
		}
		if time.Since(told) > 200*time.Millisecond {
			if err := to.Send(scxml.Event{Name: "rated", Data: slices.Clone(ratings)}); err != nil {
				return nil, err
			}
			told = time.Now()
		}
	}
	return ratings, nil
}
