package game_test

import (
	"context"
	"io/fs"
	"strings"
	"testing"
	"time"

	"github.com/scxmlrun/scxmlrun/charts"
	"github.com/scxmlrun/scxmlrun/examples/sudoku"
	"github.com/scxmlrun/scxmlrun/examples/sudoku/compiled"
	"github.com/scxmlrun/scxmlrun/examples/sudoku/game"
	"github.com/scxmlrun/scxmlrun/scxml"
	"github.com/scxmlrun/scxmlrun/scxml/drive"
	"github.com/scxmlrun/scxmlrun/scxml/record"
)

// A player plays a game without a screen.
type player struct {
	t *testing.T
	*game.Game
	inputs chan drive.Input
	quit   context.CancelCauseFunc
	end    drive.End
	ended  chan error
	heard  []string // the records, as text
}

// play starts a game of a chart, nil for sudoku.scxml.
func play(t *testing.T, chart *scxml.Chart, puzzles []sudoku.Puzzle, cfg drive.Config) *player {
	t.Helper()
	if chart == nil {
		chart = load(t, charts.FS, "sudoku.scxml")
	}
	g, err := game.New(chart, puzzles)
	if err != nil {
		t.Fatal(err)
	}
	return begin(t, g, cfg)
}

// begin starts a game.
func begin(t *testing.T, g *game.Game, cfg drive.Config) *player {
	t.Helper()
	p := &player{t: t, Game: g, inputs: make(chan drive.Input), ended: make(chan error, 1)}
	cfg.Front = p
	if useCompiled {
		g.Use(compiled.NewDriver)
	}
	d, err := g.Driver(cfg)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancelCause(t.Context())
	p.quit = cancel
	go func() {
		defer cancel(nil)
		var err error
		p.end, err = d.Run(ctx, p.inputs)
		p.ended <- game.Over(p.end, err)
	}()
	t.Cleanup(func() { cancel(nil) })
	p.input(func(s drive.Session) error {
		if p.Resumes() {
			return p.Resume(s)
		}
		return nil
	})
	return p
}

// Tell and Failed make the player the front of its game.
func (p *player) Tell(r *record.Record) {
	changed := p.Game.Tell(r)
	line := *r
	line.Seq, line.Time, line.Session = 0, 0, ""
	p.heard = append(p.heard, line.String())
	if changed {
		p.Save()
	}
}

func (p *player) Failed() error { return nil }

// hears returns the records that contain a text.
func (p *player) hears(text string) (lines []string) {
	p.input(func(drive.Session) error {
		for _, line := range p.heard {
			if strings.Contains(line, text) {
				lines = append(lines, line)
			}
		}
		return nil
	})
	return lines
}

// input runs something on the driver after all earlier work is done.
func (p *player) input(f func(drive.Session) error) {
	done := make(chan struct{})
	in := func(s drive.Session) error {
		defer close(done)
		return f(s)
	}
	select {
	case p.inputs <- in:
		<-done
	case err := <-p.ended:
		p.ended <- err
	}
}

// settle waits until the effects of all inputs have been shown.
func (p *player) settle() { p.input(func(drive.Session) error { return nil }) }

// View returns the view, from the goroutine of the driver.
func (p *player) View() (v game.View) {
	p.input(func(drive.Session) error {
		v = p.Game.View()
		return nil
	})
	return v
}

// over returns why the game ended; it must have ended.
func (p *player) over() error {
	p.t.Helper()
	select {
	case err := <-p.ended:
		p.ended <- err
		return err
	case <-time.After(time.Minute):
		p.t.Fatal("the game is not over")
		return nil
	}
}

func load(t *testing.T, fsys fs.FS, name string) *scxml.Chart {
	t.Helper()
	chart, err := scxml.Load(fsys, name)
	if err != nil {
		t.Fatal(err)
	}
	return chart
}

// parse returns a chart that speaks the protocol, with additional content.
func parse(t *testing.T, more string) *scxml.Chart {
	t.Helper()
	chart, err := scxml.Parse("more.scxml", []byte(`<scxml xmlns="http://www.w3.org/2005/07/scxml" version="1.0" datamodel="ecmascript">
		<datamodel><data id="grid" expr="[]"/></datamodel>
		<state id="s">
			<transition event="tap undo setup stop">
				<send event="updateGUI"><param name="currentState" expr="grid"/><param name="initState" expr="grid"/></send>
			</transition>
			`+more+`
		</state>
		<final id="over"/></scxml>`))
	if err != nil {
		t.Fatal(err)
	}
	return chart
}

// one is a list of one puzzle.
func one(name string, grid sudoku.Grid) []sudoku.Puzzle {
	return []sudoku.Puzzle{{Name: name, Grid: grid}}
}

func (p *player) do(inputs ...game.Input) {
	for _, in := range inputs {
		p.input(func(s drive.Session) error { return p.Do(s, in) })
	}
}

// goTo selects a cell without tapping it.
func (p *player) goTo(row, col int) {
	p.do(game.Move{Rows: -8, Cols: -8}, game.Move{Rows: row, Cols: col})
}

// selected returns the row and column of the selected cell, which must exist.
func (p *player) selected() (at [2]int) {
	p.t.Helper()
	n := 0
	for row, cells := range p.View().Cells {
		for col, cell := range cells {
			if cell.Selected {
				at = [2]int{row, col}
				n++
			}
		}
	}
	if n != 1 {
		p.t.Fatalf("%d cells are selected", n)
	}
	return at
}

func (p *player) grid() (g sudoku.Grid) {
	for row, cells := range p.View().Cells {
		for col, cell := range cells {
			g[row][col] = cell.Digit
		}
	}
	return g
}

func (p *player) showsGrid(want sudoku.Grid) {
	p.t.Helper()
	if got := p.grid(); got != want {
		p.t.Errorf("got grid %s\n    want %s", got.String(), want.String())
	}
}

func (p *player) showsState(want game.State) {
	p.t.Helper()
	if got := p.View().State; got != want {
		p.t.Errorf("got state %d, want %d", got, want)
	}
}

func (p *player) says(want game.Code) {
	p.t.Helper()
	if got := p.View().Message; got.Code != want {
		p.t.Errorf("got message %+v, want %d", got, want)
	}
}

// showsPuzzle checks which puzzle the view names.
func (p *player) showsPuzzle(name string, number, of int) {
	p.t.Helper()
	if v := p.View(); v.Puzzle != name || v.Number != number || v.Puzzles != of {
		p.t.Errorf("got puzzle %q, %d of %d; want %q, %d of %d", v.Puzzle, v.Number, v.Puzzles, name, number, of)
	}
}

// missing returns the empty cells of a puzzle with the digits that belong there.
func missing(p sudoku.Puzzle) (cells [][3]int, solution sudoku.Grid) {
	solution = p.Grid.Solutions(1)[0]
	for row := range 9 {
		for col := range 9 {
			if p.Grid[row][col] == 0 {
				cells = append(cells, [3]int{row, col, solution[row][col]})
			}
		}
	}
	return cells, solution
}
