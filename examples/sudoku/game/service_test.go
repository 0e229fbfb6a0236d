package game_test

import (
	"context"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/scxmlrun/scxmlrun/charts"
	"github.com/scxmlrun/scxmlrun/examples/sudoku"
	"github.com/scxmlrun/scxmlrun/examples/sudoku/format"
	"github.com/scxmlrun/scxmlrun/examples/sudoku/game"
	"github.com/scxmlrun/scxmlrun/examples/sudoku/service"
	"github.com/scxmlrun/scxmlrun/scxml"
	"github.com/scxmlrun/scxmlrun/scxml/drive"
)

// served plays a puzzle with the services, in a bubble, in which a service has done its work
// after synctest.Wait.
func served(t *testing.T, puzzle sudoku.Puzzle, f func(t *testing.T, p *player)) {
	synctest.Test(t, func(t *testing.T) {
		p := play(t, nil, []sudoku.Puzzle{puzzle}, drive.Config{Options: service.Options()})
		p.do(game.Toggle{})
		f(t, p)
		p.quit(nil)
		p.over()
	})
}

// asks gives an input that a service answers.
func (p *player) asks(in game.Input) game.View {
	p.do(in)
	synctest.Wait()
	return p.View()
}

// A hint says more from stage to stage, and ends with a move.
func TestHint(t *testing.T) {
	served(t, sudoku.Puzzles()[12], func(t *testing.T, p *player) {
		v := p.asks(game.AskHint{})
		h := v.Hint
		if h == nil || h.Stage != 1 || h.Found != game.FoundStep || h.Name == "" || h.Step == "" || h.Text == "" || h.Causes != nil || h.Place != nil || h.Exclude != nil {
			t.Fatalf("got %+v", h)
		}
		first := h.Text
		v = p.asks(game.AskHint{})
		if h = v.Hint; h.Stage != 2 || h.Text == first || len(h.Causes) == 0 || h.Place != nil || h.Exclude != nil {
			t.Errorf("got %+v", h)
		}
		if c := h.Causes[0]; v.Cells[c.Row][c.Col].Hint != game.Cause || !v.Can.Has(game.CanHint) {
			t.Errorf("got %+v", v.Cells[c.Row][c.Col])
		}
		v = p.asks(game.AskHint{})
		if h = v.Hint; h.Stage != 3 || len(h.Place)+len(h.Exclude) == 0 || v.Can.Has(game.CanHint) {
			t.Errorf("got %+v", h)
		}
		for _, c := range h.Place {
			if v.Cells[c.Row][c.Col].Hint != game.Target {
				t.Errorf("got %+v", v.Cells[c.Row][c.Col])
			}
			p.do(game.Select{Row: c.Row, Col: c.Col}, game.Put(c.Digit))
		}
		if v := p.View(); v.Hint != nil && len(h.Place) > 0 {
			t.Errorf("after the move: got %+v", v.Hint)
		}
	})
}

// A hint to a board with a wrong entry names it at the second stage.
func TestHintToWrongEntry(t *testing.T) {
	puzzle := sudoku.Puzzles()[5]
	cells, _ := missing(puzzle)
	served(t, puzzle, func(t *testing.T, p *player) {
		p.do(game.Select{Row: cells[3][0], Col: cells[3][1]}, game.Put(cells[3][2]%9+1))
		if h := p.asks(game.AskHint{}).Hint; h == nil || h.Found != game.FoundWrong || h.Causes != nil {
			t.Errorf("got %+v", h)
		}
		h := p.asks(game.AskHint{}).Hint
		if want := []game.Candidate{{Row: cells[3][0], Col: cells[3][1]}}; !slices.Equal(h.Causes, want) {
			t.Errorf("got %+v, want %+v", h.Causes, want)
		}
		if c := p.View().Cells[cells[3][0]][cells[3][1]]; !c.Wrong || c.Hint != game.NoRole {
			t.Errorf("got %+v, want a wrong entry, which is not a part of a step", c)
		}
	})
}

// One empty cell is revealed, as a move. It counts as help, and a game that it ends is solved.
func TestReveal(t *testing.T) {
	puzzle := sudoku.Puzzles()[0]
	cells, solution := missing(puzzle)
	synctest.Test(t, func(t *testing.T) {
		g, err := game.New(load(t, charts.FS, "sudoku.scxml"), []sudoku.Puzzle{puzzle})
		if err != nil {
			t.Fatal(err)
		}
		f := &folder{games: map[sudoku.Grid]*format.Game{}}
		g.Keep(f)
		p := begin(t, g, drive.Config{Options: service.Options()})
		p.do(game.Reveal{})
		p.says(game.NotPlaying)
		p.do(game.Toggle{})
		for i := range cells {
			if v := p.asks(game.Reveal{}); v.Empty != len(cells)-i-1 || v.Undo != i+1 {
				t.Errorf("got %d empty cells and %d moves", v.Empty, v.Undo)
			}
		}
		p.showsGrid(solution)
		p.showsState(game.Solved)
		if len(f.results) != 1 || f.results[0].Helps != len(cells) {
			t.Errorf("got %+v", f.results)
		}
		p.quit(nil)
		p.over()
	})
}

// The machine solves while the player watches, and can be paused, stepped and stopped. The
// game then counts as given up; an undo returns to it.
func TestSolver(t *testing.T) {
	puzzle := sudoku.Puzzles()[8]
	cells, solution := missing(puzzle)
	served(t, puzzle, func(t *testing.T, p *player) {
		mine := cells[0]
		p.do(game.Select{Row: mine[0], Col: mine[1]}, game.Put(mine[2]))
		p.asks(game.Solve{Delay: time.Second})
		wait(2 * time.Second)
		v := p.View()
		if v.State != game.Solving || v.Solver.Method != "human" || v.Solver.Delay != time.Second || v.Solver.Done != 2 || v.Solver.Total < 10 || v.Solver.Step == "" {
			t.Errorf("got %v, %+v", v.State, v.Solver)
		}
		p.do(game.Toggle{})
		wait(time.Minute)
		p.do(game.SolverStep{}, game.SolverSpeed(100*time.Millisecond))
		wait(time.Minute)
		if v := p.View(); !v.Solver.Paused || v.Solver.Done != 3 || v.Solver.Delay != 100*time.Millisecond {
			t.Errorf("got %+v", v.Solver)
		}
		p.do(game.Toggle{})
		wait(200 * time.Millisecond)
		if v := p.View(); v.Solver.Done != 5 || v.Empty >= len(cells)-1 {
			t.Errorf("got %+v", v.Solver)
		}
		p.do(game.GiveUp{})
		p.showsState(game.Playing)
		if v := p.View(); v.Empty != len(cells)-1 || v.Undo != 1 {
			t.Errorf("got %d empty cells, %d moves", v.Empty, v.Undo)
		}
		p.asks(game.Solve{})
		p.showsState(game.GivenUp)
		p.showsGrid(solution)
		p.do(game.Undo{})
		p.showsState(game.Playing)
		if v := p.View(); v.Empty != len(cells)-1 {
			t.Errorf("got %d empty cells", v.Empty)
		}
	})
}

// A game that was not started can be solved too, and one that is paused.
func TestSolveFromAnywhere(t *testing.T) {
	served(t, sudoku.Puzzles()[8], func(t *testing.T, p *player) {
		for _, before := range []game.Input{game.Pause{}, game.Restart{}, game.GiveUp{}, game.Choose(1)} {
			p.do(before)
			p.asks(game.Solve{})
			p.showsState(game.GivenUp)
			if got := p.View().Empty; got != 0 {
				t.Errorf("after %T: %d empty cells", before, got)
			}
			p.do(game.Restart{})
		}
	})
}

// While a puzzle is made the game continues, is shown and is saved. Then the new one begins,
// with its name and level, and the old one is found again.
func TestGenerate(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		first := sudoku.Grid{{1}}
		g, err := game.New(load(t, charts.FS, "sudoku.scxml"), one("first", first))
		if err != nil {
			t.Fatal(err)
		}
		f := &folder{games: map[sudoku.Grid]*format.Game{}}
		g.Keep(f)
		slow := make(chan any)
		p := begin(t, g, drive.Config{Options: []scxml.Option{scxml.WithInvoker("sudoku-generate", slowly(slow))}})
		p.do(game.Toggle{}, game.Generate{Level: 2})
		slow <- nil
		synctest.Wait()
		if v := p.View(); !v.Generating || v.Tried != 64 || !v.Can.Has(game.CanCancel) {
			t.Errorf("got %v, %d", v.Generating, v.Tried)
		}
		p.do(game.Select{Col: 4}, game.Put(6))
		if v := p.View(); v.Cells[0][4].Digit != 6 || v.Undo != 1 {
			t.Errorf("got %+v", v.Cells[0][4])
		}
		if got := f.games[first].Board(); got[0][4] != 6 {
			t.Errorf("saved %v", got)
		}
		p.do(game.Cancel{})
		if v := p.View(); v.Generating || v.Cells[0][4].Digit != 6 {
			t.Errorf("got %+v", v)
		}
		p.do(game.Generate{Level: 2})
		time.Sleep(1234 * time.Millisecond)
		slow <- nil
		slow <- map[string]any{"initState": sudoku.Grid{{3}}, "name": "#17", "level": 2, "er": 2.1}
		synctest.Wait()
		p.showsState(game.Playing)
		p.showsPuzzle("#17", 1, 2)
		p.showsGrid(sudoku.Grid{{3}})
		if v := p.View(); v.Level != 2 || v.ER != 2.1 || v.Generating || v.Undo != 0 {
			t.Errorf("got %+v", v)
		}
		if got := p.View().Message; got != (game.Message{Code: game.Made, Detail: "1.2 s"}) {
			t.Errorf("got %+v", got)
		}
		if made := f.games[sudoku.Grid{{3}}]; made == nil || made.Info.Level != "2" || made.Info.Rating != "2.1" {
			t.Errorf("saved %+v", made)
		}
		p.do(game.Select{Col: 4}, game.Put(8), game.Choose(2))
		p.showsGrid(sudoku.Grid{{1, 0, 0, 0, 6}})

		// The same puzzle, as that of a day, continues.
		p.do(game.Generate{Daily: "2026-11-22"})
		slow <- map[string]any{"initState": sudoku.Grid{{3}}, "name": "2026-11-22", "level": 2, "er": 2.1}
		synctest.Wait()
		p.showsState(game.Paused)
		p.showsGrid(sudoku.Grid{{3, 0, 0, 0, 8}})
		if v := p.View(); v.Undo != 1 || v.Level != 2 {
			t.Errorf("got %d moves, level %d", v.Undo, v.Level)
		}
		p.do(game.Toggle{}, game.Undo{})
		p.settle()
		if got := f.games[sudoku.Grid{{3}}].Board(); got[0][4] != 0 {
			t.Errorf("saved %v", got)
		}
		p.quit(nil)
		p.over()
	})
}

// slowly is a service that tells its progress, and returns, when it gets something.
func slowly(results <-chan any) scxml.Invoker {
	return scxml.InvokerFunc(func(ctx context.Context, inv *scxml.Invocation) (any, error) {
		for {
			select {
			case <-ctx.Done():
				return nil, context.Cause(ctx)
			case result := <-results:
				if result != nil {
					return result, nil
				}
				if err := inv.Send(scxml.Event{Name: "progress", Data: map[string]int{"tried": 64}}); err != nil {
					return nil, err
				}
			}
		}
	})
}

// A service that the host does not have is found missing once, and then it is not there.
func TestWithoutServices(t *testing.T) {
	for in, needs := range map[game.Input]game.Abilities{
		game.AskHint{}: game.CanHint, game.Reveal{}: game.CanReveal, game.Solve{}: game.CanSolve, game.Generate{Level: 1}: game.CanGenerate,
	} {
		p := play(t, nil, nil, drive.Config{})
		p.do(game.Toggle{})
		if !p.View().Can.Has(needs) {
			t.Errorf("%T is not possible", in)
		}
		p.do(in)
		p.says(game.Unavailable)
		p.showsState(game.Playing)
		if v := p.View(); v.Has&needs != 0 || v.Can&needs != 0 {
			t.Errorf("%T is still there", in)
		}
		p.do(in)
		p.says(game.Unsupported)
	}
}

// A service that fails says why.
func TestServiceThatFails(t *testing.T) {
	served(t, sudoku.Puzzles()[0], func(t *testing.T, p *player) {
		if v := p.asks(game.Generate{Level: 1, Symmetry: "none such"}); v.Message.Code != game.Failed || v.Message.Detail == "" || v.State != game.Playing {
			t.Errorf("got %+v", v.Message)
		}
		if v := p.asks(game.Solve{Method: "none such", Delay: time.Second}); v.Message.Code != game.Failed || v.State != game.Playing {
			t.Errorf("got %+v", v.Message)
		}
	})
	served(t, sudoku.Puzzle{Name: "impossible", Grid: sudoku.Grid{{1, 1}}}, func(t *testing.T, p *player) {
		for _, in := range []game.Input{game.Solve{}, game.Reveal{}} {
			if v := p.asks(in); v.Message.Code != game.NoSolution || v.State != game.Playing {
				t.Errorf("%T: got %+v", in, v.Message)
			}
		}
	})
}
