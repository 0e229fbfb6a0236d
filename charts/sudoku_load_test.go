package charts_test

import (
	"encoding/json"
	"errors"
	"math"
	"reflect"
	"testing"

	"github.com/scxmlrun/scxmlrun/scxml"
)

// A saved is what the function saved returns and the event load takes.
type saved struct {
	InitState    grid       `json:"initState"`
	CurrentState grid       `json:"currentState"`
	Notes        grid       `json:"notes"`
	Corner       grid       `json:"corner"`
	Colours      grid       `json:"colours"`
	Moves        [][]change `json:"moves"`
	Undone       int        `json:"undone"`
}

type change struct {
	X    int    `json:"x"`
	Y    int    `json:"y"`
	Of   string `json:"of"`
	From int    `json:"from"`
	To   int    `json:"to"`
}

// begun is a game in which a digit was entered and its notes changed, and two moves undone.
func begun() saved {
	g := saved{InitState: without([2]int{0, 0}, [2]int{5, 5}), Undone: 2}
	g.CurrentState = g.InitState
	g.CurrentState[5][5] = 3
	g.Notes[0][0] = 1<<2 | 1<<9
	g.Corner[8][8] = 1 << 1
	g.Colours[0][1] = 1<<9 | 1<<1
	g.Moves = [][]change{
		{{5, 5, "digit", 0, 4}, {0, 0, "notes", 0, 1 << 9}},
		{{5, 5, "digit", 4, 0}, {5, 5, "digit", 0, 3}, {0, 0, "notes", 1 << 9, 1<<2 | 1<<9}},
		{{8, 8, "corner", 1 << 1, 0}, {0, 1, "colours", 1<<9 | 1<<1, 0}},
		{{5, 5, "digit", 3, 0}},
	}
	return g
}

// saved evaluates the function that returns the game.
func (h *host) saved() (s saved) {
	h.t.Helper()
	v, err := h.game.Eval(h.t.Context(), "saved()")
	if err != nil {
		h.t.Fatal(err)
	}
	if s, err = scxml.EventData[saved](scxml.Event{Data: v}); err != nil {
		h.t.Fatal(err)
	}
	return s
}

// is compares the game with what it should be.
func (h *host) is(want saved) {
	h.t.Helper()
	got, _ := json.Marshal(h.saved())
	if want, _ := json.Marshal(want); string(got) != string(want) {
		h.t.Errorf("\n got %s\nwant %s", got, want)
	}
}

// A loaded game continues: with its marks, and with everything that can be undone and redone.
func TestSudokuLoad(t *testing.T) {
	h := newHost(t)
	g := begun()
	h.changes("load", g)
	h.in("playing")
	h.is(g)
	if h.now() != (update{g.CurrentState, g.InitState}) {
		t.Errorf("got %v", h.now())
	}
	h.changes("undo", nil)
	h.cell(5, 5, 4)
	h.changes("undo", nil)
	h.shows(g.InitState)
	h.ignores("undo", nil)
	if s := h.saved(); s.Notes != (grid{}) || s.Undone != 4 {
		t.Errorf("got %+v", s)
	}
	for range 4 {
		h.changes("redo", nil)
	}
	h.ignores("redo", nil)
	h.shows(g.InitState)
	if s := h.saved(); s.Corner != (grid{}) || s.Colours != (grid{}) || s.Undone != 0 {
		t.Errorf("got %+v", s)
	}
	h.changes("undo", nil)
	h.changes("undo", nil)
	h.is(g)
	h.changes("set", m{"x": 5, "y": 5, "value": 6}) // a new move instead of those that were undone
	h.ignores("redo", nil)
	g.CurrentState[5][5], g.Undone = 6, 0
	g.Moves = append(g.Moves[:2], []change{{5, 5, "digit", 3, 6}})
	h.is(g)
}

// A game that is loaded complete is solved, and the next start begins its puzzle anew.
func TestSudokuLoadComplete(t *testing.T) {
	h := newHost(t)
	g := saved{InitState: without([2]int{0, 0}), CurrentState: complete(), Moves: [][]change{}}
	h.changes("load", g)
	h.in("idle", "solved")
	h.is(g)
	h.changes("start", nil)
	h.is(saved{InitState: g.InitState, CurrentState: g.InitState, Moves: [][]change{}})
}

// A game continues in the state in which it was saved, with its save points, its time and
// the number of helps. What is missing is as in a new game.
func TestSudokuLoadMode(t *testing.T) {
	point := m{"name": "before", "currentState": begun().InitState, "notes": grid{}, "corner": grid{}, "colours": grid{{2}}}
	for mode, states := range map[string][]string{
		"playing": {"playing"}, "paused": {"paused"}, "given-up": {"idle", "unsolved", "givenUp"}, "editing": {"editing"},
		"": {"playing"}, "solved": {"playing"}, // it is not
	} {
		h := newHost(t)
		data := with(t, "mode", mode)
		data["savePoints"], data["time"], data["helps"] = []m{point}, 61001, 3
		h.changes("load", data)
		h.in(states...)
		if mode == "" || mode == "solved" {
			data["mode"] = "playing"
		}
		got, err := h.game.Eval(t.Context(), "JSON.stringify(saved())")
		if err != nil {
			t.Fatal(err)
		}
		var now, want any
		text, _ := json.Marshal(data)
		if err := errors.Join(json.Unmarshal([]byte(got.(string)), &now), json.Unmarshal(text, &want)); err != nil {
			t.Fatal(err)
		}
		if !reflect.DeepEqual(now, want) {
			t.Errorf("mode %q:\n got %v\nwant %v", mode, now, want)
		}
	}
}

// A game is loaded only when none is running, like a puzzle.
func TestSudokuLoadWhilePlaying(t *testing.T) {
	h := newHost(t)
	h.send("start", nil)
	h.ignores("load", begun())
}

// What is not a game, or does not fit together, is ignored.
func TestSudokuLoadMalformed(t *testing.T) {
	h := newHost(t)
	for _, data := range []any{nil, "x", 5, m{}, m{"initState": grid{}}} {
		h.ignores("load", data)
	}
	for name, values := range map[string][]any{
		"initState":    {nil, "x", grid{{10}}, grid{{0, 1}}},
		"currentState": {nil, grid{}, [9][8]int{}, grid{{-1}}, "x"},
		"notes":        {nil, "x", grid{{1}}, grid{{1024}}, grid{{-2}}, [9][9]float64{{0.5}}, [9][9]float64{{math.NaN()}}, grid{}},
		"corner":       {nil, grid{{3}}, grid{}},
		"colours":      {nil, grid{{1 << 10}}, grid{}},
		"undone":       {nil, -1, 5, 1.5, "2", math.NaN(), 1, 3},
		"time":         {nil, -1, "1", math.NaN(), math.Inf(1)},
		"helps":        {nil, -1, "1"},
		"savePoints": {
			nil, 5, []any{5}, []m{{"name": 5}}, []m{{"name": "x"}},
			[]m{{"name": "x", "currentState": grid{}, "notes": grid{}, "corner": grid{}, "colours": grid{}}}, // not of this puzzle
			make([]m, 101),
		},
		"moves": {
			nil, "x", []any{}, []any{1, 2, 3, 4}, [][]change{{}, {}, {}, {}},
			[]any{nil, nil}, m{"length": 2},
		},
	} {
		for _, value := range values {
			h.ignores("load", with(t, name, value))
		}
	}
	for _, c := range []m{
		{"x": 9}, {"x": 0.5}, {"x": nil}, {"y": -1}, {"y": 9}, {"x": 0, "y": 1}, // 0, 1 is a given
		{"of": "x"}, {"of": nil}, {"of": "__proto__"}, {"from": 10}, {"from": "4"}, {"from": 5}, {"to": 10}, {"to": nil}, {"to": math.NaN()},
	} {
		move := m{"x": 5, "y": 5, "of": "digit", "from": 3, "to": 0}
		for name, value := range c {
			move[name] = value
		}
		g := begun()
		h.ignores("load", with(t, "moves", []any{g.Moves[0], g.Moves[1], g.Moves[2], []m{move}}))
	}
	for _, c := range []m{{"from": 1}, {"to": 1 << 10}, {"to": 1.5}, {"to": math.NaN()}} {
		move := m{"x": 8, "y": 8, "of": "corner", "from": 1 << 1, "to": 0}
		for name, value := range c {
			move[name] = value
		}
		h.ignores("load", with(t, "moves", []any{begun().Moves[0], begun().Moves[1], []m{move}, begun().Moves[3]}))
	}
	h.changes("load", with(t, "undone", 2)) // the game itself is fine
}

// with returns the game with another value of a field.
func with(t *testing.T, name string, value any) m {
	t.Helper()
	text, err := json.Marshal(begun())
	if err != nil {
		t.Fatal(err)
	}
	var g m
	if err := json.Unmarshal(text, &g); err != nil {
		t.Fatal(err)
	}
	g[name] = value
	return g
}
