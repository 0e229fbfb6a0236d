package tui

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/scxmlrun/scxmlrun/cmd/internal/sudoku/action"
	"github.com/scxmlrun/scxmlrun/cmd/internal/sudoku/export"
	"github.com/scxmlrun/scxmlrun/examples/sudoku"
	"github.com/scxmlrun/scxmlrun/examples/sudoku/rate"
)

// Rate rates puzzles in a goroutine, and shows what it knows now and then.
func (f front) Rate(d *action.Dialog, puzzles []sudoku.Grid, rated func(puzzle int, rating string)) {
	ctx, cancel := context.WithCancel(f.Context)
	d.Closed = cancel
	type result struct {
		puzzle int
		rating string
	}
	show := func(some []result) func() {
		return func() {
			for _, r := range some {
				rated(r.puzzle, r.rating)
			}
		}
	}
	go func() {
		defer cancel()
		var rater rate.Rater
		var some []result
		told := time.Now()
		for i := range puzzles {
			if puzzles[i] == (sudoku.Grid{}) || ctx.Err() != nil {
				continue
			}
			if rating, err := rater.Rate(&puzzles[i]); err == nil {
				some = append(some, result{i, rating.ER.String()})
			}
			if time.Since(told) > glowing {
				f.Post(ctx, show(some))
				some, told = nil, time.Now()
			}
		}
		f.Post(ctx, show(some))
	}()
}

// folderPuzzles returns the puzzles of the files in the folder. Files that have none are
// left out.
func (p *Player) folderPuzzles() (all []action.Puzzle) {
	if p.folder == "" {
		return nil
	}
	files, err := os.ReadDir(p.folder)
	if err != nil {
		p.Fail(err)
		return nil
	}
	for i, f := range files {
		if i == action.MaxPuzzles {
			break
		}
		if !f.Type().IsRegular() || !slices.Contains(export.Endings(), strings.ToLower(filepath.Ext(f.Name()))) {
			continue
		}
		games, err := export.Load(filepath.Join(p.folder, f.Name()))
		if err != nil {
			continue
		}
		all = append(all, action.OfFile(f.Name(), games)...)
	}
	return all
}
