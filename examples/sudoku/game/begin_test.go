package game_test

import (
	"os"
	"reflect"
	"testing"
	"testing/synctest"
	"time"

	"github.com/scxmlrun/scxmlrun/charts"
	"github.com/scxmlrun/scxmlrun/examples/sudoku"
	"github.com/scxmlrun/scxmlrun/examples/sudoku/format"
	"github.com/scxmlrun/scxmlrun/examples/sudoku/game"
	"github.com/scxmlrun/scxmlrun/examples/sudoku/service"
	"github.com/scxmlrun/scxmlrun/scxml/drive"
)

// beginning plays a game whose puzzles begin by themselves, with a clock.
func beginning(t *testing.T, puzzles []sudoku.Puzzle, f *folder) *player {
	t.Helper()
	g, err := game.New(load(t, charts.FS, "sudoku.scxml"), puzzles)
	if err != nil {
		t.Fatal(err)
	}
	g.Keep(f)
	p := begin(t, g, drive.Config{Options: service.Options()})
	p.do(game.SetClock(true))
	p.input(g.Begin)
	return p
}

// A new player gets an easy puzzle that has begun. The cursor is on an empty cell, the first digit
// is a move, and the clock runs from it.
func TestBegin(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := beginning(t, nil, &folder{games: map[sudoku.Grid]*format.Game{}})
		p.showsState(game.Playing)
		p.showsPuzzle("11-easy-1", 11, len(sudoku.Puzzles()))
		if at := p.selected(); at != [2]int{0, 0} || p.grid()[0][0] != 0 {
			t.Errorf("the cursor is at %v:\n%v", at, p.grid())
		}
		wait(time.Minute)
		if v := p.View(); !v.Clock || v.Time != 0 {
			t.Errorf("before the first move the clock shows %v, %v", v.Clock, v.Time)
		}
		p.do(game.Move{Cols: 1}, game.Put(4))
		wait(3 * time.Second)
		p.showsTime(3 * time.Second)
		if v := p.View(); v.Filled != 1 || v.Undo != 1 {
			t.Errorf("%d cells are filled, in %d moves", v.Filled, v.Undo)
		}
		p.quit(nil)
		p.over()
	})
}

// The clock of a puzzle that has begun by itself waits for the first move, whatever else happens.
func TestFirstMove(t *testing.T) {
	for name, test := range map[string]struct {
		inputs []game.Input
		want   time.Duration // after a second
	}{
		"nothing":          {nil, 0},
		"the cursor":       {[]game.Input{game.Move{Rows: 1}, game.Extend{Cols: 1}}, 0},
		"a pause":          {[]game.Input{game.Pause{}, game.Resume{}}, 0},
		"a hint":           {[]game.Input{game.AskHint{}}, 0},
		"no clock":         {[]game.Input{game.SetClock(false), game.Put(4)}, 0},
		"the clock anew":   {[]game.Input{game.SetClock(false), game.SetClock(true)}, 0},
		"a given cell":     {[]game.Input{game.Select{Row: 8, Col: 8}, game.Put(4)}, 0},
		"a digit":          {[]game.Input{game.Put(4)}, time.Second},
		"a tap":            {[]game.Input{game.Tap{}}, time.Second},
		"a note":           {[]game.Input{game.Mark{Of: game.Notes, Digit: 4}}, time.Second},
		"candidates":       {[]game.Input{game.Candidates{All: true}}, time.Second},
		"a digit shown":    {[]game.Input{game.Reveal{}}, time.Second},
		"another puzzle":   {[]game.Input{game.Put(4), game.Next(1)}, 0},
		"a move there":     {[]game.Input{game.Next(1), game.Put(4)}, time.Second},
		"the first again":  {[]game.Input{game.Next(1), game.Next(-1)}, 0},
		"a puzzle entered": {[]game.Input{game.Edit{Grid: sudoku.Grid{{5}}}, game.Fix{}}, 0},
		"a puzzle made":    {[]game.Input{game.Generate{Missing: 30}}, time.Second}, // which the chart starts
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				p := beginning(t, append(one("one", sudoku.Grid{8: {8: 1}}), one("two", sudoku.Grid{{2}})...), &folder{games: map[sudoku.Grid]*format.Game{}})
				for _, in := range test.inputs {
					p.asks(in)
				}
				p.showsState(game.Playing)
				p.View()
				wait(time.Second)
				p.showsTime(test.want)
				p.quit(nil)
				p.over()
			})
		})
	}
}

// A puzzle that has begun by itself is kept as one that has not begun until something was done.
func TestLookAtPuzzles(t *testing.T) {
	one, two := sudoku.Puzzles()[10], sudoku.Puzzles()[11]
	for name, test := range map[string]struct {
		inputs []game.Input
		want   map[sudoku.Grid]format.Mode
	}{
		"nothing":         {nil, nil},
		"a look":          {[]game.Input{game.Pause{}, game.Next(1), game.Next(1)}, nil},
		"a move":          {[]game.Input{game.Put(4)}, map[sudoku.Grid]format.Mode{one.Grid: format.Playing}},
		"a move and back": {[]game.Input{game.Put(4), game.Undo{}, game.Next(1)}, map[sudoku.Grid]format.Mode{one.Grid: format.Paused}},
		"a save point":    {[]game.Input{game.SavePoint("x")}, map[sudoku.Grid]format.Mode{one.Grid: format.Playing}},
		"a hint":          {[]game.Input{game.AskHint{}}, map[sudoku.Grid]format.Mode{one.Grid: format.Playing}},
		"given up":        {[]game.Input{game.GiveUp{}}, map[sudoku.Grid]format.Mode{one.Grid: format.GivenUp}},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				f := &folder{games: map[sudoku.Grid]*format.Game{}}
				p := beginning(t, []sudoku.Puzzle{one, two}, f)
				for _, in := range test.inputs {
					p.asks(in)
				}
				p.settle()
				p.quit(nil)
				p.over()
				var got map[sudoku.Grid]format.Mode
				for givens, g := range f.games {
					if g.Progress != nil {
						if got == nil {
							got = map[sudoku.Grid]format.Mode{}
						}
						got[givens] = g.Progress.Mode
					}
				}
				if !reflect.DeepEqual(got, test.want) {
					t.Errorf("got %v, want %v", got, test.want)
				}
			})
		})
	}
}

// A game that continues does not begin, and the cursor is on a cell that is empty in it.
func TestBeginAgain(t *testing.T) {
	puzzle := sudoku.Grid{{0, 0, 3}}
	for mode, want := range map[format.Mode]game.State{format.Playing: game.Paused, format.GivenUp: game.GivenUp} {
		f := &folder{games: map[sudoku.Grid]*format.Game{}}
		g, err := game.New(load(t, charts.FS, "sudoku.scxml"), nil)
		if err != nil {
			t.Fatal(err)
		}
		if err := g.Open(&format.Game{Givens: puzzle, Progress: &format.Progress{Board: sudoku.Grid{{1, 2, 3}}, Mode: mode}}); err != nil {
			t.Fatal(err)
		}
		g.Keep(f)
		p := begin(t, g, drive.Config{})
		p.input(g.Begin)
		p.showsState(want)
		if at := p.selected(); at != [2]int{0, 3} {
			t.Errorf("the cursor is at %v", at)
		}
	}
}

// A chart that has only the six events begins in the same way.
func TestBeginOfSixEvents(t *testing.T) {
	p := play(t, load(t, os.DirFS("testdata"), "taponly.scxml"), one("one", sudoku.Grid{{1}}), drive.Config{})
	p.input(p.Begin)
	p.showsState(game.Playing)
	p.do(game.Put(3))
	p.showsGrid(sudoku.Grid{{1, 3}})
	p.do(game.Undo{})
	p.showsGrid(sudoku.Grid{{1}})
}
