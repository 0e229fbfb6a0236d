package compiled_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"reflect"
	"testing"
	"testing/synctest"
	"time"

	"github.com/scxmlrun/scxmlrun/examples/sudoku"
	"github.com/scxmlrun/scxmlrun/examples/sudoku/compiled"
	"github.com/scxmlrun/scxmlrun/examples/sudoku/format"
	"github.com/scxmlrun/scxmlrun/examples/sudoku/game"
	"github.com/scxmlrun/scxmlrun/examples/sudoku/service"
	"github.com/scxmlrun/scxmlrun/scxml"
	"github.com/scxmlrun/scxmlrun/scxml/drive"
	"github.com/scxmlrun/scxmlrun/scxml/record"
)

// A player plays one of two games. It is also the store of its games.
type player struct {
	t *testing.T
	*game.Game
	games   map[sudoku.Grid]*format.Game
	last    *format.Game
	results []game.Result
	cancel  func()
	ended   chan error
	inputs  chan drive.Input
}

func (p *player) Save(g *format.Game) error {
	p.games[g.Givens], p.last = g, g
	return nil
}

func (p *player) Find(givens sudoku.Grid) (*format.Game, error) { return p.games[givens], nil }

func (p *player) Solved(_ *format.Game, r game.Result) { p.results = append(p.results, r) }

func (p *player) Tell(r *record.Record) {
	if p.Game.Tell(r) {
		p.Game.Save()
	}
}

func (p *player) Failed() error { return nil }

// begin begins a game, or continues the one that was saved last.
func (p *player) begin(chart *scxml.Chart, use func(drive.Config) (game.Driver, error), options ...scxml.Option) {
	p.t.Helper()
	g, err := game.New(chart, puzzles())
	if err != nil {
		p.t.Fatal(err)
	}
	p.Game = g
	g.Keep(p)
	if use != nil {
		g.Use(use)
	}
	if p.last != nil {
		if err := g.Open(p.last); err != nil {
			p.t.Fatal(err)
		}
	}
	var all []scxml.Option
	for _, s := range service.Services() {
		all = append(all, scxml.WithInvoker(s.Type, later(s.Invoker)))
	}
	all = append(all, scxml.WithInvoker("sudoku-generate", scxml.InvokerFunc(generate)))
	d, err := g.Driver(drive.Config{Front: p, Options: append(all, options...)})
	if err != nil {
		p.t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(p.t.Context())
	p.cancel, p.ended, p.inputs = cancel, make(chan error, 1), make(chan drive.Input)
	go func() {
		end, err := d.Run(ctx, p.inputs)
		p.ended <- errors.Join(err, end.SaveErr)
	}()
	p.input(func(s drive.Session) error {
		if g.Resumes() {
			if err := g.Resume(s); err != nil {
				return err
			}
		}
		return g.Begin(s)
	})
}

// end ends the game.
func (p *player) end() {
	p.t.Helper()
	p.cancel()
	if err := <-p.ended; err != nil {
		p.t.Fatal(err)
	}
}

// input gives the game an input, and waits until the services have answered.
func (p *player) input(in drive.Input) {
	p.t.Helper()
	select {
	case p.inputs <- in:
	case err := <-p.ended:
		p.t.Fatalf("the game has ended: %v", err)
	}
	synctest.Wait()
}

// now returns the game as it would be saved.
func (p *player) now() (now *format.Game) {
	p.t.Helper()
	p.input(func(drive.Session) (err error) {
		now, err = p.Saved()
		return err
	})
	return now
}

func (p *player) do(in game.Input) {
	p.t.Helper()
	p.input(func(s drive.Session) error { return p.Do(s, in) })
}

// later returns a service that is done when its game rests: otherwise it is chance what comes first.
func later(service scxml.Invoker) scxml.Invoker {
	return scxml.InvokerFunc(func(ctx context.Context, inv *scxml.Invocation) (any, error) {
		time.Sleep(time.Millisecond)
		return service.Invoke(ctx, inv)
	})
}

// generate makes the same puzzles for both games, slowly.
func generate(ctx context.Context, inv *scxml.Invocation) (any, error) {
	var wish struct{ Level, Missing int }
	if data, err := scxml.EventData[map[string]float64](scxml.Event{Data: inv.Content}); err == nil {
		wish.Level, wish.Missing = int(data["level"]), int(data["missing"])
	}
	for tried := range 3 {
		select {
		case <-ctx.Done():
			return nil, context.Cause(ctx)
		case <-time.After(700 * time.Millisecond):
		}
		if tried == 2 && wish.Level == 5 {
			return nil, errors.New("too hard")
		}
		if err := inv.Send(scxml.Event{Name: "progress", Data: map[string]int{"tried": 1 << tried}}); err != nil {
			return nil, err
		}
	}
	return map[string]any{
		"initState": nearly(wish.Level, 3+wish.Missing), "name": fmt.Sprint("made ", wish.Level), "level": wish.Level, "er": 1.5,
	}, nil
}

// nearly returns a puzzle with so many empty cells.
func nearly(n, empty int) sudoku.Grid {
	grid := sudoku.Puzzles()[n].Grid.Solutions(1)[0]
	for i := range empty {
		grid[i*5%9][i*7%9] = 0
	}
	return grid
}

// puzzles returns the puzzles of a game: some are solved soon, some cannot be solved.
func puzzles() []sudoku.Puzzle {
	return []sudoku.Puzzle{
		{Name: "soon", Grid: nearly(1, 4)}, {Name: "later", Grid: nearly(2, 9)}, sudoku.Puzzles()[11],
		{Name: "never", Grid: sudoku.Grid{{1, 1}}}, {Name: "anything", Grid: sudoku.Grid{{1}}},
	}
}

// choose returns an input, as a player might choose it who sees v.
func choose(r *rand.Rand, v *game.View) game.Input {
	row, col := r.IntN(9), r.IntN(9)
	if r.IntN(2) == 0 { // a cell of the player
		for range 81 {
			if !v.Cells[row][col].Given {
				break
			}
			if col++; col == 9 {
				row, col = (row+1)%9, 0
			}
		}
	}
	digit := r.IntN(10)
	seldom := func(in game.Input, otherwise game.Input) game.Input {
		if r.IntN(4) == 0 {
			return in
		}
		return otherwise
	}
	switch r.IntN(40) {
	case 0:
		return game.Move{Rows: r.IntN(3) - 1, Cols: r.IntN(11) - 5}
	case 1:
		return game.Point{Row: row, Col: col}
	case 2, 3, 4:
		return game.Select{Row: row, Col: col}
	case 5:
		return game.Tap{}
	case 6, 7, 8, 9:
		return game.Put(digit)
	case 10, 11:
		return game.Undo{}
	case 12:
		return game.Redo{}
	case 13:
		return seldom(game.Next(r.IntN(3)-1), game.Unselect{})
	case 14:
		return seldom(game.Choose(r.IntN(7)), game.Unknown{})
	case 15:
		return game.Extend{Rows: r.IntN(3) - 1, Cols: r.IntN(3) - 1}
	case 16:
		return game.Drag{Row: row, Col: col}
	case 17, 18, 19:
		return game.Mark{Of: game.Pen(r.IntN(5)), Digit: digit}
	case 20:
		return game.SetPen(seldom(game.SetPen(r.IntN(4)), game.SetPen(game.Digits)).(game.SetPen))
	case 21:
		return game.Candidates{All: r.IntN(2) == 0}
	case 22:
		return seldom(game.Reset{}, game.SetFilter(digit))
	case 23:
		return game.SavePoint(fmt.Sprint("point ", digit))
	case 24:
		return seldom(game.Forget(r.IntN(4)), game.Restore(r.IntN(4)-1))
	case 25:
		return seldom(game.Pause{}, game.Resume{})
	case 26:
		return seldom(game.Restart{}, game.Toggle{})
	case 27:
		return seldom(game.GiveUp{}, game.Toggle{})
	case 28, 29:
		return seldom(game.HideHint{}, game.AskHint{})
	case 30:
		return game.Reveal{}
	case 31:
		return game.Solve{Method: []string{"", "", "human", "none such"}[r.IntN(4)], Delay: time.Duration(r.IntN(3)) * 300 * time.Millisecond}
	case 32:
		return game.SolverStep{}
	case 33:
		return game.SolverSpeed(time.Duration(r.IntN(5)) * 100 * time.Millisecond)
	case 34:
		if r.IntN(3) == 0 {
			return game.Edit{Grid: nearly(r.IntN(3), 60)}
		}
		return seldom(game.Edit{}, game.LeaveEdit{})
	case 35:
		return game.Fix{}
	case 36:
		return seldom(game.Generate{Level: r.IntN(6), Missing: r.IntN(5)}, game.Cancel{})
	case 37:
		return game.Switch(1 << r.IntN(7))
	case 38:
		return seldom(game.SetClock(digit > 1), game.Options{CleanUp: digit > 4})
	}
	return seldom(game.Open{Game: &format.Game{Name: "opened", Givens: nearly(4, digit)}}, game.Tap{})
}

// A game looks the same, and is saved in the same way, whether its chart is interpreted or compiled.
func TestSame(t *testing.T) {
	games, inputs := 12, 300
	if testing.Short() {
		games = 2
	}
	chart := load(t)
	states, kinds := map[game.State]int{}, map[string]int{}
	for seed := range games {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				compare(t, chart, rand.New(rand.NewPCG(uint64(seed), 0)), inputs, states, kinds)
			})
		})
	}
	if (len(states) < 7 || len(kinds) < 41) && !testing.Short() {
		t.Errorf("not all was played: states %v, inputs %v", states, kinds)
	}
}

// compare plays one game in both forms.
func compare(t *testing.T, chart *scxml.Chart, r *rand.Rand, inputs int, states map[game.State]int, kinds map[string]int) {
	var both [2]*player
	for i := range both {
		both[i] = &player{t: t, games: map[sudoku.Grid]*format.Game{}}
	}
	a, b := both[0], both[1]
	begin := func() {
		a.begin(chart, nil)
		b.begin(chart, compiled.NewDriver)
	}
	var done []string
	same := func(what string, interpreted, compiled any) {
		t.Helper()
		if text := difference(reflect.ValueOf(interpreted), reflect.ValueOf(compiled)); text != "" {
			t.Fatalf("after %q %s differs: %s", done, what, text)
		}
	}
	kept := func() {
		t.Helper()
		same("what is saved", a.games, b.games)
		same("the game that was saved last", a.last, b.last)
		same("what was solved", a.results, b.results)
	}
	view := func() (v game.View) {
		t.Helper()
		v = a.View()
		same("what is shown", v, b.View())
		same("the game", a.now(), b.now())
		kept()
		return v
	}
	do := func(in game.Input) {
		t.Helper()
		done = append(done, fmt.Sprintf("%T%+v", in, in))
		kinds[fmt.Sprintf("%T", in)]++
		for _, p := range both {
			p.do(in)
		}
		time.Sleep(2 * time.Millisecond) // for services
		synctest.Wait()
	}
	begin()
	for range inputs {
		v := view()
		states[v.State]++
		switch in := choose(r, &v); {
		case r.IntN(20) == 0:
			d := time.Duration(r.IntN(3000)) * time.Millisecond
			done = append(done, d.String())
			time.Sleep(d)
			synctest.Wait()
		case r.IntN(60) == 0:
			done = append(done, "again")
			a.end()
			b.end()
			kept()
			begin()
		case in == game.Reveal{} && v.State == game.Playing && v.Empty > 1:
			// The cell is a random one. The move is taken back, and cannot be made again.
			do(in)
			revealed, other := a.View(), b.View()
			same("the number of cells", revealed.Empty, other.Empty)
			if same("the message", revealed.Message, other.Message); revealed.Undo > v.Undo {
				do(game.Undo{})
				do(game.SetPen(game.Digits))
				row, col := firstEmpty(&v)
				do(game.Point{Row: row, Col: col})
			}
		default:
			do(in)
		}
	}
	view()
	a.end()
	b.end()
	kept()
}

func firstEmpty(v *game.View) (row, col int) {
	for row, col := range sudoku.Cells {
		if v.Cells[row][col].Digit == 0 {
			return row, col
		}
	}
	panic("no cell is empty")
}

// difference returns where two values differ first, or "".
func difference(a, b reflect.Value) string {
	if a.Kind() == reflect.Pointer && !a.IsNil() && !b.IsNil() {
		return difference(a.Elem(), b.Elem())
	}
	switch a.Kind() {
	case reflect.Struct:
		for i := range a.NumField() {
			if text := difference(a.Field(i), b.Field(i)); text != "" {
				return "." + a.Type().Field(i).Name + text
			}
		}
	case reflect.Map:
		for _, key := range a.MapKeys() {
			if !b.MapIndex(key).IsValid() {
				return fmt.Sprintf("[%v] is missing", key)
			} else if text := difference(a.MapIndex(key), b.MapIndex(key)); text != "" {
				return fmt.Sprintf("[%v]%s", key, text)
			}
		}
	case reflect.Array, reflect.Slice:
		for i := range min(a.Len(), b.Len()) {
			if text := difference(a.Index(i), b.Index(i)); text != "" {
				return fmt.Sprintf("[%d]%s", i, text)
			}
		}
	}
	if reflect.DeepEqual(a.Interface(), b.Interface()) {
		return ""
	}
	return fmt.Sprintf(" interpreted %+v, compiled %+v", a, b)
}
