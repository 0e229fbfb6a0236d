package game_test

import (
	"os"
	"testing"

	"github.com/scxmlrun/scxmlrun/examples/sudoku"
	"github.com/scxmlrun/scxmlrun/examples/sudoku/game"
	"github.com/scxmlrun/scxmlrun/scxml/drive"
	"github.com/scxmlrun/scxmlrun/scxml/record"
)

func TestGameByDigits(t *testing.T) {
	puzzles := sudoku.Puzzles()
	p := play(t, nil, puzzles, drive.Config{})
	p.do(game.Next(1), game.Toggle{})
	cells, solution := missing(puzzles[1])
	for i, c := range cells {
		p.showsState(game.Playing)
		if got := p.View().Empty; got != len(cells)-i {
			t.Errorf("got %d empty cells, want %d", got, len(cells)-i)
		}
		p.goTo(c[0], c[1])
		p.do(game.Put(c[2]))
	}
	p.showsGrid(solution)
	p.showsState(game.Solved)
	p.do(game.Put(7))
	p.says(game.NotPlaying)
	p.do(game.Next(1))
	p.showsState(game.Idle)
	p.showsGrid(puzzles[2].Grid)
}

// Pointing is enough to play: each click counts, from the first one on.
func TestGameByPointing(t *testing.T) {
	puzzle := sudoku.Puzzles()[0]
	p := play(t, nil, []sudoku.Puzzle{puzzle}, drive.Config{})
	p.do(game.Toggle{})
	cells, solution := missing(puzzle)
	for _, c := range cells {
		cell := game.Point{Row: c[0], Col: c[1]}
		for range c[2] {
			p.do(cell)
		}
	}
	p.showsGrid(solution)
	p.showsState(game.Solved)
	p.do(game.Toggle{}) // again
	p.showsGrid(puzzle.Grid)
	p.showsState(game.Playing)
}

func TestEditing(t *testing.T) {
	grid := func(digit int) sudoku.Grid { return sudoku.Grid{{digit, 5}} }
	p := play(t, nil, one("one", grid(0)), drive.Config{})
	for _, in := range []game.Input{game.Put(7), game.Put(0), game.Tap{}, game.Undo{}, game.Point{}} {
		p.do(in)
		p.showsGrid(grid(0))
		p.says(game.NotPlaying)
	}
	p.do(game.Toggle{})
	p.says(game.Nothing)
	for i, step := range []struct {
		input game.Input
		want  int
	}{
		{game.Put(7), 7}, {game.Put(3), 3}, {game.Undo{}, 7}, {game.Put(0), 0}, {game.Undo{}, 7}, {game.Put(7), 7}, {game.Put(0), 0},
		{game.Tap{}, 1}, {game.Point{}, 2}, {game.Put(0), 0}, {game.Put(9), 9}, {game.Tap{}, 0}, {game.Undo{}, 9}, {game.Put(0), 0},
		{game.Undo{}, 9}, {game.Undo{}, 0}, {game.Undo{}, 2}, {game.Undo{}, 1}, {game.Undo{}, 0}, {game.Undo{}, 7}, {game.Undo{}, 0},
	} {
		p.do(step.input)
		p.says(game.Nothing)
		if p.grid() != grid(step.want) {
			t.Fatalf("step %d, %T: got %v, want %d", i, step.input, p.grid()[0][0], step.want)
		}
	}
	p.do(game.Undo{})
	p.says(game.NothingToUndo)
	p.do(game.Point{Col: 1}) // selects it
	p.says(game.Nothing)
	for _, in := range []game.Input{game.Put(7), game.Put(0), game.Tap{}} {
		p.goTo(0, 1)
		p.do(in)
		p.showsGrid(grid(0))
		p.says(game.GivenDigit)
	}
	p.do(game.Unknown{})
	p.says(game.UnknownInput)
	p.goTo(0, 0)
	p.says(game.Nothing)
	p.do(game.Put(4), game.GiveUp{})
	p.showsState(game.GivenUp)
	p.showsGrid(grid(4)) // the last game stays visible
	p.do(game.Restart{})
	p.showsGrid(grid(0))
	p.do(game.Undo{})
	p.says(game.NothingToUndo) // of the last game, that is
}

// The game sends only events that change something.
func TestSameDigitIsNoMove(t *testing.T) {
	p := play(t, nil, one("empty", sudoku.Grid{}), drive.Config{Kinds: record.Kinds(record.Event)})
	p.do(game.Toggle{}, game.Put(0), game.Put(7), game.Put(7))
	if got := p.hears("event set"); len(got) != 1 {
		t.Errorf("the chart heard %q, want one set only", got)
	}
}

// However often a chart sends updateGUI, one undo takes back a tap.
func TestUndoOfTapThatUpdatesTwice(t *testing.T) {
	const update = `<script>grid[0][0]++;</script><send event="updateGUI"><param name="currentState" expr="grid"/><param name="initState" expr="empty"/></send>`
	p := play(t, parse(t, `<datamodel><data id="empty"/></datamodel>
		<onentry><script>for (var x = 0; x &lt; 9; x++) grid[x] = [0, 0, 0, 0, 0, 0, 0, 0, 0]; empty = JSON.parse(JSON.stringify(grid));</script></onentry>
		<state><transition event="tap">`+update+update+`</transition></state><transition event="start"/>`), nil, drive.Config{Kinds: record.Kinds(record.Event)})
	p.do(game.Tap{})
	if got := p.grid()[0][0]; got != 2 {
		t.Fatalf("got %d after the tap, want 2", got)
	}
	p.do(game.Undo{})
	if got := p.hears("event undo"); len(got) != 1 {
		t.Errorf("the chart heard %q, want one undo", got)
	}
}

func TestSelection(t *testing.T) {
	p := play(t, nil, nil, drive.Config{})
	for _, step := range []struct {
		input game.Input
		want  [2]int
	}{
		{game.Unknown{}, [2]int{0, 0}},
		{game.Move{Cols: -1}, [2]int{0, 8}},
		{game.Move{Rows: -1}, [2]int{8, 8}},
		{game.Move{Rows: 1}, [2]int{0, 8}},
		{game.Move{Cols: 1}, [2]int{0, 0}},
		{game.Move{Rows: 1, Cols: 1}, [2]int{1, 1}},
		{game.Move{Cols: 9}, [2]int{1, 8}},
		{game.Move{Rows: 9}, [2]int{8, 8}},
		{game.Move{Cols: -9}, [2]int{8, 0}},
		{game.Move{Cols: 8}, [2]int{8, 8}},
		{game.Move{Rows: -2, Cols: -3}, [2]int{6, 5}},
		{game.Point{Row: 4, Col: 7}, [2]int{4, 7}},
		{game.Point{Row: 4, Col: 7}, [2]int{4, 7}},
	} {
		p.do(step.input)
		if got := p.selected(); got != step.want {
			t.Fatalf("%T%+v: got %v, want %v", step.input, step.input, got, step.want)
		}
	}
}

func TestPuzzlesGoRound(t *testing.T) {
	puzzles := sudoku.Puzzles()
	p := play(t, nil, puzzles, drive.Config{})
	for i, puzzle := range puzzles {
		p.showsPuzzle(puzzle.Name, i+1, len(puzzles))
		p.showsGrid(puzzle.Grid)
		p.do(game.Next(1))
	}
	p.showsGrid(puzzles[0].Grid)
	p.do(game.Next(-1))
	p.showsGrid(puzzles[len(puzzles)-1].Grid)
	p.do(game.Next(-2 * len(puzzles)))
	p.showsGrid(puzzles[len(puzzles)-1].Grid)
	p.do(game.Toggle{}, game.Next(-1)) // ends the game
	p.showsState(game.Idle)
	p.showsGrid(puzzles[len(puzzles)-2].Grid)
}

// This chart knows only taps, and fails without a grid.
func TestChartThatOnlyTaps(t *testing.T) {
	puzzles := sudoku.Puzzles()
	p := play(t, load(t, os.DirFS("testdata"), "taponly.scxml"), puzzles, drive.Config{Kinds: record.Kinds(record.Error)})
	p.showsState(game.Idle)
	p.showsGrid(puzzles[0].Grid)
	p.do(game.Next(1), game.Toggle{})
	p.showsState(game.Playing)
	p.showsGrid(puzzles[1].Grid)
	cells, solution := missing(puzzles[1])
	first := cells[0]
	p.goTo(first[0], first[1])
	for i, step := range []struct {
		input game.Input
		want  int
	}{
		{game.Put(5), 5}, {game.Put(3), 3}, {game.Put(0), 0}, {game.Tap{}, 1}, {game.Put(9), 9}, {game.Put(9), 9},
		{game.Undo{}, 1}, {game.Undo{}, 0}, {game.Undo{}, 3}, {game.Undo{}, 5}, {game.Undo{}, 0}, {game.Undo{}, 0},
	} {
		p.do(step.input)
		if got := p.grid()[first[0]][first[1]]; got != step.want {
			t.Fatalf("step %d, %T: got %d, want %d", i, step.input, got, step.want)
		}
	}
	p.says(game.NothingToUndo)
	for _, c := range cells {
		p.goTo(c[0], c[1])
		p.do(game.Put(c[2]))
	}
	p.showsGrid(solution)
	p.showsState(game.Solved)
	p.do(game.Next(1))
	p.showsState(game.Idle)
	p.showsGrid(puzzles[2].Grid)
	p.do(game.Toggle{}, game.Next(1))
	p.showsState(game.Idle)
	p.showsGrid(puzzles[3].Grid)
	if errs := p.hears("error "); len(errs) > 0 {
		t.Error(errs)
	}
}
