package generate

import (
	"context"
	"fmt"

	"github.com/scxmlrun/scxmlrun/examples/sudoku/human"
	"github.com/scxmlrun/scxmlrun/examples/sudoku/rate"
)

// A verdict compares a puzzle with what is wanted.
type verdict int

const (
	tooEasy verdict = iota
	right
	tooHard
)

// mostGivens are the numbers of givens at which the method level begins to rate. Puzzles
// with more are usually of a lower level.
var mostGivens = [...]int{rate.Beginner: 36, rate.Easy: 30, rate.Medium: 28, rate.Hard: 26, rate.Expert: 26}

// level removes givens until the puzzle is as wanted.
func (g *Generator) level(ctx context.Context) (Puzzle, error) {
	level := g.options.Level
	if level == 0 {
		level = rate.Rating{ER: g.options.Needs.Rating()}.Level()
	}
	return g.search(ctx, mostGivens[level])
}

// minimal removes givens while there is one solution.
func (g *Generator) minimal(ctx context.Context) (Puzzle, error) { return g.search(ctx, 0) }

// search removes groups of givens from filled grids while there is one solution. It tries
// each group once, since a necessary given stays necessary without others. It judges the
// puzzle at the end, and whenever it has lost a group and has at most so many givens,
// until one is right.
func (g *Generator) search(ctx context.Context, givens int) (Puzzle, error) {
	var groups [][]int
	for range g.options.Tries {
		if ctx.Err() != nil {
			return Puzzle{}, context.Cause(ctx)
		}
		p := Puzzle{Solution: g.fill(), Unique: true}
		p.Grid = p.Solution
		if groups == nil {
			groups = g.groups[g.random.IntN(len(g.groups))]
		}
		left := 81
		for n, i := range g.random.Perm(len(groups)) {
			out := g.takeOut(&p, groups[i])
			if out {
				left -= len(groups[i])
			}
			if n+1 < len(groups) && (!out || left > givens) {
				continue
			}
			v, err := g.judge(&p)
			if err != nil {
				return Puzzle{}, err
			}
			if v == right {
				return p, nil
			}
			if v == tooHard {
				break
			}
		}
		if g.options.Tried != nil {
			g.options.Tried()
		}
	}
	return Puzzle{}, g.options.notFound()
}

// notFound says that all tries have been in vain.
func (o *Options) notFound() error {
	wanted, hint := "", ""
	if o.Level != 0 {
		wanted = fmt.Sprintf(" of level %d (%v)", o.Level, o.Level)
	}
	if o.Needs != 0 {
		wanted += fmt.Sprintf(" that needs %v", o.Needs)
		if o.Level != 0 {
			hint = "; make puzzles without a level to see theirs"
		}
	}
	return fmt.Errorf("cannot find a puzzle%s: none of %d filled grids led to one%s", wanted, o.Tries, hint)
}

// judge compares a puzzle with the level and the technique that are wanted, and rates it
// if it is right.
func (g *Generator) judge(p *Puzzle) (verdict, error) {
	o := &g.options
	if o.Needs != 0 {
		if v, err := g.needs(p); v != right || err != nil {
			return v, err
		}
	}
	if o.Level == 0 && o.Needs == 0 {
		return right, nil
	}
	least, most := rate.Beginner, rate.Expert
	if o.Level != 0 {
		least, most = o.Level, o.Level
	}
	_, highest := most.Band()
	rating, ok, err := g.rater.RateUpTo(&p.Grid, highest)
	switch {
	case err != nil || !ok:
		return tooHard, err
	case rating.Level() < least:
		return tooEasy, nil
	}
	p.Rating = rating
	return right, nil
}

// needs tells whether a puzzle needs the technique.
func (g *Generator) needs(p *Puzzle) (verdict, error) {
	position, err := human.New(&p.Grid)
	if err != nil {
		return tooHard, err
	}
	path, solved := g.finder.Solve(position, g.order...)
	if !solved {
		return tooHard, nil
	}
	for i := range path {
		if path[i].Technique == g.options.Needs {
			return right, nil
		}
	}
	return tooEasy, nil
}
