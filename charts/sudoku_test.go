package charts_test

import (
	"context"
	"fmt"
	"math"
	"slices"
	"testing"
	"time"

	"github.com/scxmlrun/scxmlrun/charts"
	"github.com/scxmlrun/scxmlrun/examples/sudoku"
	"github.com/scxmlrun/scxmlrun/scxml"
	"github.com/scxmlrun/scxmlrun/scxml/scxmltest"
)

type grid = sudoku.Grid

// m is the data of an event.
type m map[string]any

// A host plays the Sudoku as a user interface does: it sends events and observes
// updateGUI.
type host struct {
	t       *testing.T
	game    *scxml.Session
	updates []update
}

type update struct {
	Current grid `json:"currentState"`
	Init    grid `json:"initState"`
}

// newHost starts the chart. An error event in it fails the test.
func newHost(t *testing.T, opts ...scxml.Option) *host {
	t.Helper()
	chart, err := scxml.Load(charts.FS, "sudoku.scxml")
	if err != nil {
		t.Fatal(err)
	}
	if w := chart.Warnings(); len(w) > 0 {
		t.Errorf("warnings: %v", w)
	}
	opts = append(opts, scxml.WithTrace(&scxml.Trace{Error: func(_ *scxml.Session, err *scxml.ExecutionError) {
		t.Errorf("the chart raised %s: %v", err.Event, err)
	}}))
	game, err := scxml.New(chart, append(opts, scxmltest.WithCover(), scxml.WithMissing())...)
	if err != nil {
		t.Fatal(err)
	}
	h := &host{t: t, game: game}
	game.OnSend("updateGUI", func(ev scxml.Event) {
		u, err := scxml.EventData[update](ev)
		if err != nil {
			t.Errorf("updateGUI: %v", err)
		}
		h.updates = append(h.updates, u)
	})
	if err := game.Start(context.Background()); err != nil {
		t.Fatal(err)
	}
	return h
}

// send sends an event and returns the number of updates that follow.
func (h *host) send(name string, data any) int {
	h.t.Helper()
	before := len(h.updates)
	if err := h.game.Send(scxml.Event{Name: name, Data: data}); err != nil {
		h.t.Fatalf("%s: %v", name, err)
	}
	if err := h.game.Advance(context.Background(), time.Now()); err != nil {
		h.t.Fatalf("%s: %v", name, err)
	}
	return len(h.updates) - before
}

// changes sends an event that must lead to exactly one update.
func (h *host) changes(name string, data any) {
	h.t.Helper()
	if n := h.send(name, data); n != 1 {
		h.t.Errorf("%s %v: got %d updates, want 1", name, data, n)
	}
}

// ignores sends an event that must not change anything.
func (h *host) ignores(name string, data any) {
	h.t.Helper()
	states := h.board()
	if n := h.send(name, data); n != 0 {
		h.t.Errorf("%s %v: got %d updates, want none: %v", name, data, n, h.now())
	}
	h.in(states...)
}

// board returns the active states of the region of the board.
func (h *host) board() []string {
	return slices.DeleteFunc(h.game.Configuration(), func(state string) bool {
		return !slices.Contains([]string{"idle", "unsolved", "solved", "givenUp", "playing", "paused", "editing", "solving"}, state)
	})
}

func (h *host) in(states ...string) {
	h.t.Helper()
	if got := h.board(); !slices.Equal(got, states) {
		h.t.Errorf("got states %v, want %v", got, states)
	}
}

// now returns the last update.
func (h *host) now() update {
	h.t.Helper()
	if len(h.updates) == 0 {
		h.t.Fatal("updateGUI was not sent")
	}
	return h.updates[len(h.updates)-1]
}

func (h *host) shows(want grid) {
	h.t.Helper()
	if got := h.now().Current; got != want {
		h.t.Errorf("got currentState %v\nwant %v", got, want)
	}
}

func (h *host) cell(x, y, want int) {
	h.t.Helper()
	if got := h.now().Current[x][y]; got != want {
		h.t.Errorf("cell %d, %d: got %d, want %d", x, y, got, want)
	}
}

// complete is a solved grid.
func complete() (g grid) {
	for x := range 9 {
		for y := range 9 {
			g[x][y] = (x*3+x/3+y)%9 + 1
		}
	}
	return g
}

// without returns the complete grid with some cells emptied.
func without(cells ...[2]int) grid {
	g := complete()
	for _, c := range cells {
		g[c[0]][c[1]] = 0
	}
	return g
}

func TestSudokuEnteringGame(t *testing.T) {
	puzzle := without([2]int{0, 1}, [2]int{4, 4})
	h := newHost(t, scxml.WithData("initState", puzzle))
	h.in("idle", "unsolved")
	if len(h.updates) != 1 || h.now() != (update{puzzle, puzzle}) {
		t.Errorf("entering game: got updates %v, want one with the puzzle", h.updates)
	}
}

// Without a grid the chart has a puzzle of its own, which is a proper one.
func TestSudokuWithoutInitialGrid(t *testing.T) {
	for _, initState := range []any{nil, "x", [][]int{}, [8][9]int{}, [9][8]int{}, [9][9]float64{{0.5}}, grid{{10}}, grid{{-1}}} {
		var opts []scxml.Option
		if initState != nil {
			opts = append(opts, scxml.WithData("initState", initState))
		}
		h := newHost(t, opts...)
		h.in("idle", "unsolved")
		puzzle := h.now().Init
		if n := len(puzzle.Solutions(2)); n != 1 || !slices.ContainsFunc(sudoku.Puzzles(), func(p sudoku.Puzzle) bool { return p.Grid == puzzle }) {
			t.Errorf("initState %v: got %v with %d solutions", initState, puzzle, n)
		}
		h.changes("start", nil)
		h.shows(h.now().Init)
		h.changes("tap", m{"x": 8, "y": 8})
		h.cell(8, 8, 1)
	}
}

func TestSudokuXIsTheRow(t *testing.T) {
	h := newHost(t, scxml.WithData("initState", grid{}))
	h.send("start", nil)
	h.changes("tap", m{"x": 2, "y": 7})
	h.shows(grid{2: {7: 1}})
}

func TestSudokuIdle(t *testing.T) {
	puzzle := without([2]int{0, 0}, [2]int{5, 5})
	h := newHost(t, scxml.WithData("initState", puzzle))
	t.Run("board input is ignored", func(t *testing.T) {
		h.t = t
		h.ignores("tap", m{"x": 0, "y": 0})
		h.ignores("set", m{"x": 0, "y": 0, "value": 1})
		h.ignores("undo", nil)
		h.ignores("stop", nil)
	})
	t.Run("the last game's grid stays visible", func(t *testing.T) {
		h.t = t
		h.changes("start", nil)
		h.changes("set", m{"x": 0, "y": 0, "value": 9})
		played := h.now()
		h.changes("stop", nil)              // stop also updates the display
		h.in("idle", "unsolved", "givenUp") // "unsolved" is what a host of Qt asks for
		if h.now() != played {
			t.Errorf("got %v, want %v", h.now(), played)
		}
		h.ignores("tap", m{"x": 0, "y": 0})
	})
	t.Run("setup is accepted and resets the grid", func(t *testing.T) {
		h.t = t
		other := without([2]int{8, 8})
		h.changes("setup", m{"initState": other})
		h.in("idle", "unsolved")
		if h.now() != (update{other, other}) {
			t.Errorf("got %v, want the new puzzle", h.now())
		}
	})
	t.Run("a setup that makes no sense is ignored", func(t *testing.T) {
		h.t = t
		for _, data := range []any{nil, "x", 5, m{}, m{"initState": nil}, m{"initState": "x"}, m{"initState": []int{1}},
			m{"initState": [9][8]int{}}, m{"initState": grid{{10}}}, m{"initState": [9][9]string{}}} {
			h.ignores("setup", data)
		}
	})
}

func TestSudokuStartResets(t *testing.T) {
	puzzle := without([2]int{0, 0}, [2]int{5, 5})
	h := newHost(t, scxml.WithData("initState", puzzle))
	h.send("start", nil)
	h.in("playing")
	h.changes("tap", m{"x": 0, "y": 0})
	h.send("stop", nil)
	h.changes("start", nil)
	h.shows(puzzle)
	h.ignores("undo", nil) // no moves are left
	h.ignores("start", nil)
	h.ignores("setup", m{"initState": grid{}})
	h.shows(puzzle)
}

func TestSudokuTap(t *testing.T) {
	puzzle := without([2]int{0, 0}, [2]int{5, 5})
	h := newHost(t, scxml.WithData("initState", puzzle))
	h.send("start", nil)
	for i := 1; i <= 9; i++ {
		h.changes("tap", m{"x": 5, "y": 5})
		h.cell(5, 5, i)
		h.in("playing")
	}
	h.changes("tap", m{"x": 5, "y": 5}) // 9 wraps to empty
	h.shows(puzzle)
	h.ignores("tap", m{"x": 0, "y": 1}) // not empty at the start
	h.changes("tap", m{"x": 5, "y": 5.0})
}

func TestSudokuSet(t *testing.T) {
	puzzle := without([2]int{0, 0}, [2]int{5, 5})
	h := newHost(t, scxml.WithData("initState", puzzle))
	h.send("start", nil)
	h.changes("set", m{"x": 5, "y": 5, "value": 7})
	h.cell(5, 5, 7)
	h.changes("set", m{"x": 5, "y": 5, "value": 3})
	h.changes("undo", nil) // one move, whatever the distance
	h.cell(5, 5, 7)
	h.changes("set", m{"x": 5, "y": 5, "value": 0})
	h.shows(puzzle)
	h.ignores("set", m{"x": 5, "y": 5, "value": 0}) // nothing to change
	h.ignores("set", m{"x": 0, "y": 1, "value": 5}) // not empty at the start
	h.ignores("set", m{"x": 0, "y": 1, "value": 0})
	h.changes("undo", nil)
	h.cell(5, 5, 7)
}

func TestSudokuUndo(t *testing.T) {
	puzzle := without([2]int{0, 0}, [2]int{5, 5}, [2]int{8, 0})
	h := newHost(t, scxml.WithData("initState", puzzle))
	h.send("start", nil)
	h.ignores("undo", nil)
	var shown []grid
	for _, move := range []struct {
		event string
		data  m
	}{
		{"tap", m{"x": 5, "y": 5}},
		{"tap", m{"x": 0, "y": 0}},
		{"set", m{"x": 5, "y": 5, "value": 9}},
		{"tap", m{"x": 5, "y": 5}},
		{"set", m{"x": 0, "y": 0, "value": 0}},
	} {
		shown = append(shown, h.now().Current)
		h.changes(move.event, move.data)
	}
	for _, want := range slices.Backward(shown) {
		h.changes("undo", nil)
		h.shows(want)
	}
	h.ignores("undo", nil)
}

func TestSudokuMalformedInput(t *testing.T) {
	h := newHost(t, scxml.WithData("initState", grid{}))
	h.send("start", nil)
	h.send("tap", m{"x": 4, "y": 4})
	for _, data := range []any{
		nil, true, 3, "x", []int{1, 2}, m{}, m{"x": 1}, m{"y": 1}, m{"x": nil, "y": 1},
		m{"x": -1, "y": 1}, m{"x": 1, "y": -1}, m{"x": 9, "y": 1}, m{"x": 1, "y": 9},
		m{"x": 0.5, "y": 1}, m{"x": 1, "y": 8.5}, m{"x": "1", "y": 1}, m{"x": true, "y": 1},
		m{"x": math.NaN(), "y": 1}, m{"x": 1, "y": math.Inf(1)}, m{"x": []int{1}, "y": 1}, m{"x": 1e300, "y": 1},
	} {
		h.ignores("tap", data)
		h.ignores("set", data)
		if d, ok := data.(m); ok {
			d["value"] = 5
			h.ignores("set", d)
		}
	}
	for _, value := range []any{nil, -1, 10, 1.5, "1", true, math.NaN(), math.Inf(1), []int{1}} {
		h.ignores("set", m{"x": 1, "y": 1, "value": value})
	}
	h.ignores("set", m{"x": 1, "y": 1})
	h.shows(grid{4: {4: 1}})
	h.changes("undo", nil)
	h.ignores("undo", nil) // nothing counted as a move
}

func TestSudokuSolved(t *testing.T) {
	puzzle := without([2]int{0, 0}, [2]int{5, 5})
	want := complete()
	for name, finish := range map[string]func(h *host){
		"by tap": func(h *host) {
			h.changes("set", m{"x": 0, "y": 0, "value": want[0][0]})
			for range want[5][5] {
				h.changes("tap", m{"x": 5, "y": 5})
			}
		},
		"by set": func(h *host) {
			h.changes("set", m{"x": 0, "y": 0, "value": want[0][0]})
			h.changes("set", m{"x": 5, "y": 5, "value": want[5][5]})
		},
		// An undo returns to an earlier grid, and a solved one would have ended
		// the game. Therefore the test makes up such a move.
		"by undo": func(h *host) {
			h.changes("set", m{"x": 0, "y": 0, "value": want[0][0]})
			h.changes("set", m{"x": 5, "y": 5, "value": want[5][5]%9 + 1})
			if _, err := h.game.Eval(t.Context(), fmt.Sprintf("undoStack[1][0].from = %d", want[5][5])); err != nil {
				h.t.Fatal(err)
			}
			h.changes("undo", nil)
		},
	} {
		t.Run(name, func(t *testing.T) {
			h := newHost(t, scxml.WithData("initState", puzzle))
			h.send("start", nil)
			var order []string
			h.game.OnState("solved", func(active bool) { order = append(order, fmt.Sprint("solved ", active)) })
			h.game.OnSend("updateGUI", func(scxml.Event) { order = append(order, "updateGUI") })
			finish(h)
			h.in("idle", "solved")
			h.shows(want)
			if n := len(order); n < 2 || !slices.Equal(order[n-2:], []string{"solved true", "updateGUI"}) {
				t.Errorf("got %v: solved was not raised before update", order)
			}
			h.ignores("tap", m{"x": 0, "y": 0})
			h.changes("start", nil)
			h.in("playing")
			h.shows(puzzle)
		})
	}
}

func TestSudokuNotSolved(t *testing.T) {
	// Every row and every column is complete, but no box is.
	var puzzle grid
	for x := range 9 {
		for y := range 9 {
			puzzle[x][y] = (x+y)%9 + 1
		}
	}
	last := puzzle[3][3]
	puzzle[3][3] = 0
	h := newHost(t, scxml.WithData("initState", puzzle))
	h.send("start", nil)
	h.changes("set", m{"x": 3, "y": 3, "value": last})
	h.in("playing")
}

func TestSudokuPuzzleThatCameComplete(t *testing.T) {
	h := newHost(t, scxml.WithData("initState", complete()))
	h.in("idle", "unsolved")
	h.changes("start", nil)
	h.in("idle", "solved")
	h.shows(complete())
	h.changes("setup", m{"initState": grid{}}) // a new puzzle is unsolved again
	h.in("idle", "unsolved")
}

func TestSudokuOwnEventsFromOutside(t *testing.T) {
	puzzle := without([2]int{0, 0}, [2]int{5, 5})
	h := newHost(t, scxml.WithData("initState", puzzle))
	for _, event := range []string{"solved", "restart", "update", "updateGUI"} {
		h.ignores(event, nil)
	}
	h.send("start", nil)
	h.changes("set", m{"x": 0, "y": 0, "value": 2})
	played := h.now()
	for _, event := range []string{"solved", "restart", "update", "updateGUI"} {
		h.ignores(event, nil)
	}
	h.changes("stop", nil)
	if h.now() != played {
		t.Errorf("got %v, want %v", h.now(), played)
	}
}

// updateGUI has two params and no more, in every chart that speaks the protocol.
func TestSudokuUpdateGUI(t *testing.T) {
	chart, err := scxml.Load(charts.FS, "sudoku.scxml")
	if err != nil {
		t.Fatal(err)
	}
	for _, send := range chart.Sends() {
		if send.Event == "updateGUI" && (send.Target != "" || !slices.Equal(send.Params, []string{"currentState", "initState"})) {
			t.Errorf("got %+v", send)
		}
	}
}

// What the machine slept does not count, but for a few seconds.
func TestSudokuClockAfterSleep(t *testing.T) {
	now := time.Now()
	h := newHost(t, scxml.WithClock(func() time.Time { return now }))
	type tick struct {
		MS float64 `json:"ms"`
	}
	var last tick
	h.game.OnSend("tick", func(ev scxml.Event) {
		var err error
		if last, err = scxml.EventData[tick](ev); err != nil {
			t.Error(err)
		}
	})
	pass := func(d time.Duration, event string, data any) {
		t.Helper()
		now = now.Add(d)
		if err := h.game.Send(scxml.Event{Name: event, Data: data}); err != nil {
			t.Fatal(err)
		}
		for more := true; more; { // unlike Advance, at the present time
			var err error
			if more, err = h.game.Step(t.Context(), now); err != nil {
				t.Fatal(err)
			}
		}
	}
	pass(0, "clock", m{"on": true})
	pass(0, "start", nil)
	pass(1500*time.Millisecond, "key", nil)
	pass(time.Hour, "key", nil)
	pass(500*time.Millisecond, "pause", nil)
	if last.MS < 2000 || last.MS > 7000 {
		t.Errorf("got %v ms", last.MS)
	}
}

// A host may change grids that it received or sent without affecting the chart.
func TestSudokuGridsAreCopies(t *testing.T) {
	puzzle := without([2]int{0, 0}, [2]int{5, 5})
	rows := make([][]int, 9)
	for x := range rows {
		rows[x] = puzzle[x][:]
	}
	h := newHost(t)
	h.changes("setup", m{"initState": rows})
	want := puzzle
	puzzle[3][3] = 0
	h.changes("start", nil)
	h.shows(want)
}
