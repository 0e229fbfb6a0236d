package game_test

import (
	"errors"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/scxmlrun/scxmlrun/examples/sudoku"
	"github.com/scxmlrun/scxmlrun/examples/sudoku/game"
	"github.com/scxmlrun/scxmlrun/scxml"
	"github.com/scxmlrun/scxmlrun/scxml/drive"
)

func TestChartThatDoesNotSpeak(t *testing.T) {
	chart, err := scxml.Parse("other.scxml", []byte(`<scxml xmlns="http://www.w3.org/2005/07/scxml" version="1.0"><state id="s"/></scxml>`))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := game.New(chart, nil); err == nil || !strings.Contains(err.Error(), "other.scxml does not speak") {
		t.Errorf("got %v", err)
	}
}

func TestOptionsThatDoNotFit(t *testing.T) {
	g, err := game.New(parse(t, `<transition event="start"/>`), nil)
	if err != nil {
		t.Fatal(err)
	}
	for name, cfg := range map[string]drive.Config{
		"no such data": {Options: []scxml.Option{scxml.WithData("nosuch", 1)}},
		"no snapshot":  {Saved: []byte("{}")},
	} {
		cfg.Front = &player{Game: g}
		if _, err := g.Driver(cfg); err == nil {
			t.Errorf("%s: got no error", name)
		}
	}
}

func TestChartThatEnds(t *testing.T) {
	t.Run("at once", func(t *testing.T) {
		p := play(t, parse(t, `<transition target="over"/><transition event="start"/>`), nil, drive.Config{})
		if err := p.over(); !errors.Is(err, game.ErrChartEnded) || !strings.Contains(err.Error(), `"over"`) {
			t.Errorf("got %v, want ErrChartEnded", err)
		}
	})
	t.Run("later", func(t *testing.T) {
		p := play(t, parse(t, `<transition event="start" target="over"/>`), nil, drive.Config{})
		p.do(game.Toggle{})
		if err := p.over(); !errors.Is(err, game.ErrChartEnded) {
			t.Errorf("got %v, want ErrChartEnded", err)
		}
	})
	t.Run("by a limit", func(t *testing.T) {
		p := play(t, parse(t, `<transition event="start" target="s"><raise event="start"/></transition>`), nil, drive.Config{})
		p.do(game.Toggle{})
		var limit *scxml.LimitError
		if err := p.over(); !errors.As(err, &limit) {
			t.Errorf("got %v, want a LimitError", err)
		}
	})
	t.Run("by a delayed event", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			p := play(t, parse(t, `<onentry><send event="start" delay="90s"/></onentry><transition event="start" target="over"/>`), nil, drive.Config{})
			time.Sleep(89 * time.Second)
			p.do(game.Unknown{})
			p.says(game.UnknownInput)
			time.Sleep(time.Second)
			synctest.Wait()
			if err := p.over(); !errors.Is(err, game.ErrChartEnded) {
				t.Errorf("got %v, want ErrChartEnded", err)
			}
		})
	})
	t.Run("by another", func(t *testing.T) {
		p := play(t, nil, nil, drive.Config{})
		p.quit(nil)
		if err := p.over(); err != game.ErrChartEnded {
			t.Errorf("got %v, want ErrChartEnded", err)
		}
	})
}

// A delayed updateGUI takes effect when it is due.
func TestDelayedUpdate(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := play(t, parse(t, `<onentry>
				<script>for (var x = 0; x &lt; 9; x++) grid[x] = [1, 2, 3, 4, 5, 6, 7, 8, 9];</script>
				<send event="updateGUI" delay="1s"><param name="currentState" expr="grid"/><param name="initState" expr="grid"/></send>
			</onentry><transition event="start"/>`), nil, drive.Config{})
		if got := p.View().Empty; got != 81 {
			t.Errorf("at once: %d empty cells, want 81", got)
		}
		time.Sleep(time.Second)
		synctest.Wait()
		if got := p.View().Empty; got != 0 {
			t.Errorf("after a second: %d empty cells, want none", got)
		}
		p.quit(nil)
	})
}

// The board ignores what an invoked chart sends.
func TestUpdateOfAnotherChart(t *testing.T) {
	p := play(t, parse(t, `<invoke><content>
		<scxml version="1.0" datamodel="ecmascript"><state><onentry><send event="updateGUI"><param name="currentState" expr="1"/></send></onentry></state></scxml>
		</content></invoke><transition event="start"/>`), nil, drive.Config{})
	if len(p.hears("send updateGUI")) != 1 {
		t.Fatal("the invoked chart has not sent anything")
	}
	p.says(game.Nothing)
}

// saved plays a game and returns its snapshot.
func saved(t *testing.T, chart *scxml.Chart, puzzles []sudoku.Puzzle, inputs ...game.Input) (snapshot []byte) {
	t.Helper()
	p := play(t, chart, puzzles, drive.Config{Save: func(s []byte) error { snapshot = s; return nil }})
	p.do(inputs...)
	p.settle()
	p.quit(nil)
	p.over()
	return snapshot
}

// A saved game continues, including undo.
func TestSavedGame(t *testing.T) {
	puzzle := sudoku.Puzzle{Name: "mine", Grid: sudoku.Grid{{0, 0, 3}}}
	filled := puzzle.Grid
	filled[0][0] = 7
	snapshot := saved(t, nil, []sudoku.Puzzle{puzzle}, game.Toggle{}, game.Put(7))
	spare := append(make([]sudoku.Puzzle, 0, 9), sudoku.Puzzle{Name: "another"})
	for _, test := range []struct {
		puzzles    []sudoku.Puzzle
		name       string
		number, of int
	}{
		{nil, "own puzzle", 1, len(sudoku.Puzzles()) + 1},
		{spare, "own puzzle", 1, 2},
		{[]sudoku.Puzzle{{Name: "another", Grid: sudoku.Grid{{1}}}, puzzle}, "mine", 2, 2},
	} {
		p := play(t, nil, test.puzzles, drive.Config{Saved: snapshot})
		p.showsGrid(filled)
		p.showsState(game.Playing)
		p.showsPuzzle(test.name, test.number, test.of)
		p.do(game.Undo{})
		p.showsGrid(puzzle.Grid)
	}
	if spare[0].Name != "another" {
		t.Errorf("the caller's puzzles have become %v", spare)
	}
}

// If a chart keeps its grids elsewhere, the board appears with the first move.
func TestSavedGameWithoutBoard(t *testing.T) {
	chart := parse(t, `<transition event="start"/>`)
	p := play(t, chart, nil, drive.Config{Saved: saved(t, chart, nil)})
	p.says(game.NoBoard)
	if got := p.View().Message.Detail; !strings.Contains(got, "currentState") {
		t.Errorf("got detail %q", got)
	}
}
