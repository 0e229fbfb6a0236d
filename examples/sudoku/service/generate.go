package service

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"time"

	"github.com/scxmlrun/scxmlrun/examples/sudoku"
	"github.com/scxmlrun/scxmlrun/examples/sudoku/generate"
	"github.com/scxmlrun/scxmlrun/examples/sudoku/rate"
	"github.com/scxmlrun/scxmlrun/scxml"
)

type generateParams struct {
	Level    int     `json:"level"`
	Missing  int     `json:"missing"`
	Flash    bool    `json:"flash"`
	Daily    string  `json:"daily"`
	Symmetry string  `json:"symmetry"`
	Seed     *uint64 `json:"seed"`
}

type puzzle struct {
	InitState sudoku.Grid `json:"initState"`
	Name      string      `json:"name"`
	Level     int         `json:"level"`
	ER        float64     `json:"er"`
	Solutions int         `json:"solutions"`
	Seed      uint64      `json:"seed"`
}

// maxSeed is the largest integer of which all smaller ones are numbers of ECMAScript, too.
const maxSeed uint64 = 1<<53 - 1

// makePuzzle is the service sudoku-generate.
func makePuzzle(ctx context.Context, inv *scxml.Invocation, p generateParams) (*puzzle, error) {
	options, number, err := p.options()
	if err != nil {
		return nil, err
	}
	tried := 0
	options.Tried = func() {
		if tried++; tried%512 == 0 || tried < 512 && tried&(tried-1) == 0 {
			// The session may have ended.
			_ = inv.Send(scxml.Event{Name: "progress", Data: map[string]int{"tried": tried}})
		}
	}
	g, err := generate.New(options)
	if err != nil {
		return nil, err
	}
	made, err := g.Puzzle(ctx, number)
	if err != nil {
		return nil, err
	}
	made.Rating, err = rated(&made)
	if err != nil {
		return nil, err
	}
	result := &puzzle{InitState: made.Grid, Name: p.Daily, Solutions: 2, Seed: options.Seed}
	if p.Daily == "" {
		result.Name = fmt.Sprintf("#%d", options.Seed)
	}
	if made.Unique {
		result.Level, result.ER, result.Solutions = int(made.Rating.Level()), float64(made.Rating.ER)/10, 1
	}
	return result, nil
}

// rated returns the rating of a puzzle, which is zero if it has several solutions.
func rated(p *generate.Puzzle) (rate.Rating, error) {
	if p.Rating.ER != 0 || !p.Unique {
		return p.Rating, nil
	}
	return new(rate.Rater).Rate(&p.Grid)
}

// options returns the options of a generator and the number of the puzzle.
func (p *generateParams) options() (o generate.Options, number uint64, err error) {
	o = generate.Options{Level: rate.Level(p.Level), Symmetry: p.Symmetry}
	switch {
	case p.Daily != "":
		if p.Missing != 0 || p.Flash {
			return o, 0, errors.New("cannot make a daily puzzle with missing or flash: want level or nothing")
		}
		day, err := time.Parse(time.DateOnly, p.Daily)
		if err != nil {
			return o, 0, fmt.Errorf("%q is not a day: want one such as 2026-11-22", p.Daily)
		}
		if o.Level == 0 {
			o.Level = weekday[day.Weekday()]
		}
		if o.Symmetry == "" {
			o.Symmetry = "rotate180"
		}
		// Puzzles of one seed and number have the same solution on all levels.
		year, month, date := day.Date()
		o.Seed = uint64(10_000*year + 100*int(month) + date)
		return o, uint64(o.Level), nil
	case p.Flash && (p.Level != 0 || p.Missing != 0), p.Level != 0 && p.Missing != 0:
		return o, 0, errors.New("cannot use level, missing and flash together: want one of them")
	case p.Flash:
		o.Method = "plain"
	case p.Level == 0:
		o.Method, o.Missing = "missing", p.Missing
	}
	switch {
	case p.Seed == nil:
		o.Seed = rand.Uint64N(1 << 32) // short enough for a name
	case *p.Seed > maxSeed:
		return o, 0, fmt.Errorf("%d is not a seed: want at most %d", *p.Seed, maxSeed)
	default:
		o.Seed = *p.Seed
	}
	return o, 0, nil
}

// weekday has the levels of daily puzzles.
var weekday = [...]rate.Level{
	time.Monday: rate.Beginner, time.Tuesday: rate.Easy, time.Wednesday: rate.Easy, time.Thursday: rate.Medium,
	time.Friday: rate.Hard, time.Saturday: rate.Expert, time.Sunday: rate.Medium,
}
