package game_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"reflect"
	"testing"
	"testing/fstest"
	"time"

	"github.com/scxmlrun/scxmlrun/charts"
	"github.com/scxmlrun/scxmlrun/examples/sudoku"
	"github.com/scxmlrun/scxmlrun/examples/sudoku/format"
	"github.com/scxmlrun/scxmlrun/examples/sudoku/game"
	"github.com/scxmlrun/scxmlrun/scxml"
	"github.com/scxmlrun/scxmlrun/scxml/drive"
	"github.com/scxmlrun/scxmlrun/scxml/record"
)

// A store holds a saved game as a file does.
type store struct {
	t      *testing.T
	text   []byte
	writes int
}

func (s *store) save(g *format.Game) error {
	var out bytes.Buffer
	w := format.NewWriter(&out, format.Saved)
	if err := errors.Join(w.Write(g), w.Close()); err != nil {
		s.t.Error(err)
	}
	s.text = out.Bytes()
	s.writes++
	return nil
}

func (s *store) game() *format.Game {
	s.t.Helper()
	for g, err := range format.Read("saved", bytes.NewReader(s.text)) {
		if err != nil {
			s.t.Fatal(err)
		}
		return &g
	}
	return nil
}

// open plays a saved game and keeps it.
func (s *store) open(chart *scxml.Chart, puzzles []sudoku.Puzzle, saved *format.Game) *player {
	s.t.Helper()
	g, err := game.New(chart, puzzles)
	if err != nil {
		s.t.Fatal(err)
	}
	if saved != nil {
		if err := g.Open(saved); err != nil {
			s.t.Fatal(err)
		}
	}
	g.Keep(game.SaveFunc(s.save))
	return begin(s.t, g, drive.Config{Kinds: record.Kinds(record.Event)})
}

// edited is the chart with a comment added to its script.
func edited(t *testing.T) *scxml.Chart {
	t.Helper()
	files := fstest.MapFS{}
	for _, name := range []string{"sudoku.scxml", "sudoku.js"} {
		text, err := fs.ReadFile(charts.FS, name)
		if err != nil {
			t.Fatal(err)
		}
		files[name] = &fstest.MapFile{Data: text}
	}
	files["sudoku.js"].Data = append(files["sudoku.js"].Data, "// A comment.\n"...)
	return load(t, files, "sudoku.scxml")
}

// A game continues after its chart has changed, and so with the chart that saved it: the
// board, what can be undone, and what the chart does not have.
func TestChangedChartLosesNoGame(t *testing.T) {
	same := load(t, charts.FS, "sudoku.scxml")
	puzzle := sudoku.Puzzle{Name: "mine", Grid: sudoku.Grid{{0, 0, 3}}}
	for name, chart := range map[string]*scxml.Chart{"the same chart": same, "a changed chart": edited(t)} {
		t.Run(name, func(t *testing.T) {
			file := &store{t: t}
			p := file.open(same, []sudoku.Puzzle{puzzle}, nil)
			p.do(game.Toggle{}, game.Put(7), game.Put(8), game.Select{Row: 2, Col: 1}, game.Put(5), game.Undo{})
			p.settle()
			p.quit(nil)
			p.over()
			p = file.open(chart, nil, file.game())
			p.showsGrid(sudoku.Grid{{8, 0, 3}})
			p.showsState(game.Paused)
			p.showsPuzzle("mine", 1, len(sudoku.Puzzles())+1)
			p.do(game.Undo{})
			p.says(game.NotNow)
			p.do(game.Toggle{}, game.Undo{})
			p.showsGrid(sudoku.Grid{{7, 0, 3}})
			p.do(game.Undo{}, game.Undo{})
			p.says(game.NothingToUndo)
			p.showsGrid(puzzle.Grid)
		})
	}
}

// full is a saved game with everything.
func full() *format.Game {
	p := &format.Progress{
		Board: sudoku.Grid{{4, 0, 3}}, Notes: format.Notes{{2: 1<<2 | 1<<6}}, Corner: format.Notes{{5: 1 << 8}}, Colours: format.Notes{{0: 1<<1 | 1<<9}},
		Moves: []format.Move{
			{{Row: 0, Col: 0, Of: format.OfDigit, Old: 9, New: 4}, {Row: 0, Col: 2, Of: format.OfNotes, Old: 0, New: 1<<2 | 1<<6}},
			{{Row: 0, Col: 5, Of: format.OfCorner, Old: 1 << 8, New: 0}},
		},
		Undone: 1, Time: 61 * time.Second, Mode: format.Playing,
		SavePoints: []format.SavePoint{{Name: "before", Board: sudoku.Grid{{0, 0, 3}}}},
	}
	return &format.Game{
		Name: "mine", Givens: sudoku.Grid{{0, 0, 3}}, Info: format.Info{Author: "me", Rating: "4.2"}, Progress: p,
		Other: map[string]json.RawMessage{"more": json.RawMessage("[1]")},
	}
}

// Nothing of a game is lost when it is loaded and saved, even of what the chart and the
// screen do not have.
func TestLoadAndSaveLoseNothing(t *testing.T) {
	file := &store{t: t}
	p := file.open(load(t, charts.FS, "sudoku.scxml"), nil, full())
	p.says(game.Nothing)
	p.quit(nil)
	p.over()
	want := full()
	want.Progress.Mode = format.Paused
	if got := file.game(); !reflect.DeepEqual(got, want) {
		t.Errorf("\n got %+v %+v\nwant %+v %+v", got, got.Progress, want, want.Progress)
	}
	p = file.open(load(t, charts.FS, "sudoku.scxml"), nil, file.game())
	p.do(game.Toggle{}, game.Select{Row: 8, Col: 8}, game.Put(1))
	want = full()
	want.Progress.Board[8][8], want.Progress.Undone = 1, 0
	want.Progress.Moves[1] = format.Move{{Row: 8, Col: 8, Of: format.OfDigit, Old: 0, New: 1}}
	p.settle()
	if got := file.game(); !reflect.DeepEqual(got, want) {
		t.Errorf("\n got %+v %+v\nwant %+v %+v", got, got.Progress, want, want.Progress)
	}
}

// A game is saved when it has changed, and only then. What is only looked at is not a game.
func TestSavedWhenChanged(t *testing.T) {
	file := &store{t: t}
	puzzles := append(one("first", sudoku.Grid{{1}}), one("second", sudoku.Grid{{2}})...)
	p := file.open(load(t, charts.FS, "sudoku.scxml"), puzzles, nil)
	writes := func(want int) {
		t.Helper()
		p.settle()
		if file.writes != want {
			t.Errorf("%d writes, want %d", file.writes, want)
		}
	}
	writes(1)
	p.do(game.Next(+1))
	writes(1)
	p.do(game.Next(-1), game.Toggle{})
	writes(2)
	p.do(game.Move{Rows: 1})
	writes(2)
	p.do(game.Tap{})
	writes(3)
	p.do(game.GiveUp{})
	writes(4)
	if mode := file.game().Progress.Mode; mode != format.GivenUp {
		t.Errorf("got mode %q", mode)
	}
	played := file.text
	p.do(game.Next(+1))
	writes(4)
	if !bytes.Equal(file.text, played) {
		t.Error("the game was overwritten by one that has not begun")
	}
}

// A chart that has nothing else to continue a game is saved with a snapshot.
func TestChartThatNeedsSnapshot(t *testing.T) {
	chart, file := load(t, os.DirFS("testdata"), "taponly.scxml"), &store{t: t}
	p := file.open(chart, nil, &format.Game{Givens: full().Givens})
	p.do(game.Toggle{}, game.Put(7))
	p.settle()
	p.quit(nil)
	p.over()
	saved := file.game()
	p = file.open(chart, nil, saved)
	p.showsGrid(sudoku.Grid{{7, 0, 3}})
	p.showsState(game.Playing)
	p.says(game.Nothing)
	p.do(game.Select{Row: 8, Col: 8}, game.Put(2))
	p.settle()
	p.quit(nil)
	p.over()
	if got := file.game().Progress.Board; got[8][8] != 2 {
		t.Errorf("got %v", got)
	}

	// A snapshot of another game is not used, and the game is not replaced.
	other, writes := file.game(), file.writes
	other.Progress.Board[8][8] = 3
	p = file.open(chart, nil, other)
	p.says(game.NotLoaded)
	p.do(game.Put(1))
	p.settle()
	p.quit(nil)
	p.over()
	if file.writes != writes {
		t.Error("the game was replaced")
	}
}

// A saved game that was not resumed remains as it is: the session may end before, or the
// chart may refuse the game.
func TestGameThatWasNotResumed(t *testing.T) {
	chart := load(t, charts.FS, "sudoku.scxml")
	refused := full()
	refused.Progress.Undone = 0
	for name, saved := range map[string]*format.Game{"ended before": full(), "refused": refused} {
		file := &store{t: t}
		g, err := game.New(chart, nil)
		if err != nil {
			t.Fatal(err)
		}
		if err := g.Open(saved); err != nil {
			t.Fatal(err)
		}
		g.Keep(game.SaveFunc(file.save))
		p := &player{t: t, Game: g}
		if saved == refused {
			p = begin(t, g, drive.Config{})
			p.says(game.NotLoaded)
			p.do(game.Toggle{}, game.Put(7))
			p.settle()
			p.quit(nil)
			p.over()
		} else {
			d, err := g.Driver(drive.Config{Front: p})
			if err != nil {
				t.Fatal(err)
			}
			ctx, cancel := context.WithCancel(t.Context())
			cancel()
			if end, err := d.Run(ctx, make(chan drive.Input)); err != nil || end.SaveErr != nil {
				t.Errorf("%v, %v", err, end.SaveErr)
			}
		}
		if file.writes != 0 {
			t.Errorf("%s: saved %s", name, file.text)
		}
	}
}

// A game that has not begun is a puzzle.
func TestOpenPuzzle(t *testing.T) {
	last := sudoku.Puzzles()[3]
	p := (&store{t: t}).open(load(t, charts.FS, "sudoku.scxml"), nil, &format.Game{Givens: last.Grid})
	p.showsState(game.Idle)
	p.showsPuzzle(last.Name, 4, len(sudoku.Puzzles()))
	p.showsGrid(last.Grid)
}

// A solved game is shown as such.
func TestOpenSolvedGame(t *testing.T) {
	solution := sudoku.Puzzles()[0].Grid.Solutions(1)[0]
	p := (&store{t: t}).open(load(t, charts.FS, "sudoku.scxml"), nil, &format.Game{
		Givens: sudoku.Puzzles()[0].Grid, Progress: &format.Progress{Board: solution, Mode: format.Solved}})
	p.showsState(game.Solved)
	p.showsGrid(solution)
}

// A chart without the event load cannot continue a game, and saves the board alone.
func TestChartWithoutLoad(t *testing.T) {
	chart := load(t, os.DirFS("testdata"), "taponly.scxml")
	g, err := game.New(chart, nil)
	if err != nil {
		t.Fatal(err)
	}
	if err := g.Open(full()); err == nil {
		t.Error("the game is opened")
	}
	file := &store{t: t}
	p := file.open(chart, nil, &format.Game{Givens: full().Givens})
	p.do(game.Toggle{}, game.Put(7))
	p.settle()
	want := &format.Progress{Board: sudoku.Grid{{7, 0, 3}}, Mode: format.Playing}
	if got := file.game().Progress; !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v, want %+v", got, want)
	}
}

// The message says why a game was not saved, and the next change saves it.
func TestNotSaved(t *testing.T) {
	g, err := game.New(load(t, charts.FS, "sudoku.scxml"), one("mine", sudoku.Grid{}))
	if err != nil {
		t.Fatal(err)
	}
	failure := errors.New("the disk is full")
	g.Keep(game.SaveFunc(func(*format.Game) error { return failure }))
	p := begin(t, g, drive.Config{})
	p.do(game.Toggle{})
	p.says(game.NotSaved)
	if got := p.View().Message.Detail; got != failure.Error() {
		t.Errorf("got %q", got)
	}
	failure = nil
	p.do(game.Select{Row: 8, Col: 8}, game.Tap{})
	p.says(game.Nothing)
}

// faulty is a store that fails.
type faulty struct {
	game.SaveFunc
	err error
}

func (f faulty) Find(sudoku.Grid) (*format.Game, error) { return nil, f.err }

// A store says which games cannot be read, and that another window saves them.
func TestFaultyStore(t *testing.T) {
	g, err := game.New(load(t, charts.FS, "sudoku.scxml"), sudoku.Puzzles())
	if err != nil {
		t.Fatal(err)
	}
	inUse := error(game.ErrInUse)
	g.Keep(faulty{func(*format.Game) error { return inUse }, errors.New("damaged")})
	p := begin(t, g, drive.Config{})
	p.settle()
	p.says(game.InUse)
	inUse = nil
	p.do(game.Next(1))
	p.says(game.NotRead)
	if got := p.View().Message.Detail; got != "damaged" {
		t.Errorf("got %q", got)
	}
	p.showsGrid(sudoku.Puzzles()[1].Grid)
}

// A game that was given up continues, also one that an older version has saved: then the state givenUp
// was beside unsolved, and not within it.
func TestGivenUpGameOfAnOlderVersion(t *testing.T) {
	text, err := os.ReadFile("testdata/given-up.json")
	if err != nil {
		t.Fatal(err)
	}
	file := &store{t: t, text: text}
	saved := file.game()
	p := file.open(load(t, charts.FS, "sudoku.scxml"), nil, saved)
	p.showsState(game.GivenUp)
	p.showsGrid(saved.Board())
	p.do(game.Resume{})
	p.showsState(game.Playing)
	if v := p.View(); v.Undo != 3 || v.Redo != 1 || v.Cells[8][8].Notes != 1<<5|1<<8 {
		t.Errorf("got %d moves to undo, %d to redo and the notes %b", v.Undo, v.Redo, v.Cells[8][8].Notes)
	}
}
