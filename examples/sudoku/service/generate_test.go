package service_test

import (
	"context"
	"reflect"
	"testing"

	"github.com/scxmlrun/scxmlrun/datamodel"
	"github.com/scxmlrun/scxmlrun/examples/sudoku"
	"github.com/scxmlrun/scxmlrun/examples/sudoku/rate"
	"github.com/scxmlrun/scxmlrun/examples/sudoku/service"
	"github.com/scxmlrun/scxmlrun/scxml"
	"github.com/scxmlrun/scxmlrun/scxml/scxmltest"
)

type puzzle struct {
	InitState sudoku.Grid
	Name      string
	Level     rate.Level
	ER        float64
	Solutions int
	Seed      uint64
}

func generate(t testing.TB, params object) (p puzzle) {
	t.Helper()
	ask(t, start(t), "sudoku-generate", params, &p)
	return p
}

func TestLevels(t *testing.T) {
	for _, level := range rate.Levels() {
		p := generate(t, object{"level": int(level), "seed": 7, "symmetry": nil})
		rating, err := new(rate.Rater).Rate(&p.InitState)
		if err != nil || rating.Level() != level || p.Level != level || p.ER != float64(rating.ER)/10 {
			t.Errorf("level %d: got level %d, ER %v, and rated %v, %v", level, p.Level, p.ER, rating, err)
		}
		if p.Solutions != 1 || p.Name != "#7" || p.Seed != 7 {
			t.Errorf("level %d: got %+v", level, p)
		}
	}
}

func TestMissing(t *testing.T) {
	for _, test := range []struct {
		params object
		empty  int
		solved int
	}{
		{object{"seed": 1}, 40, 1},
		{object{"seed": 1, "missing": 20}, 20, 1},
		{object{"seed": 1, "missing": 81}, 81, 2},
		{object{"seed": 1, "flash": true}, 81 - 28, 2},
	} {
		p := generate(t, test.params)
		if p.InitState.Empty() != test.empty || p.Solutions != test.solved || (p.Level == 0) != (test.solved == 2) {
			t.Errorf("%v: %d cells are empty, got %+v", test.params, p.InitState.Empty(), p)
		}
	}
}

// A puzzle of a day is the same everywhere, and in every release.
func TestDaily(t *testing.T) {
	want := map[string]puzzle{}
	for day, level := range map[string]rate.Level{
		"2026-11-22": rate.Medium, "2026-11-23": rate.Beginner, "2026-11-24": rate.Easy, "2026-11-25": rate.Easy,
		"2026-11-26": rate.Medium, "2026-11-27": rate.Hard, "2026-11-28": rate.Expert,
	} {
		p := generate(t, object{"daily": day})
		if p.Level != level || p.Name != day || p.Solutions != 1 {
			t.Errorf("%s: got %+v", day, p)
		}
		for row := range 9 {
			for col := range 9 {
				if (p.InitState[row][col] != 0) != (p.InitState[8-row][8-col] != 0) {
					t.Errorf("%s is not symmetric: %s", day, p.InitState.String())
				}
			}
		}
		want[day] = p
	}
	sunday := want["2026-11-22"]
	if got := sunday.InitState.String(); got != "....5.1...41.....9..2..3.6....2.4.58.........23.5.9....7.6..3..4.....61...5.1...." {
		t.Errorf("got %s", got)
	}
	if got := generate(t, object{"daily": "2026-11-22", "seed": 5}); got != sunday {
		t.Errorf("with a seed: got %+v", got)
	}
	easy := generate(t, object{"daily": "2026-11-22", "level": 2, "symmetry": "mirror"})
	if easy.Level != rate.Easy || easy.InitState[4][0] != 0 != (easy.InitState[4][8] != 0) {
		t.Errorf("asked for level 2: got %+v", easy)
	}
}

func TestSeed(t *testing.T) {
	ask := object{"level": 2, "seed": int64(1 << 40)}
	if a, b := generate(t, ask), generate(t, ask); a != b {
		t.Errorf("a seed made %+v and %+v", a, b)
	}
	if a, b := generate(t, object{"level": 2}), generate(t, object{"level": 2}); a == b {
		t.Errorf("made %+v twice without a seed", a)
	}
}

// The chart hears of each doubling of the number of tried grids.
func TestProgress(t *testing.T) {
	s := start(t)
	s.Do("sudoku-generate", object{"level": 3, "symmetry": "rotate90", "seed": 8})
	var got []int
	eval(t, s.Session, "progress", &got)
	if want := []int{1, 2, 4, 8, 16, 32, 64}; !reflect.DeepEqual(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

// A chart that exits the state does not get the puzzle.
func TestCancel(t *testing.T) {
	s := start(t)
	if _, err := s.Eval(t.Context(), "enough = 2"); err != nil {
		t.Fatal(err)
	}
	s.Do("sudoku-generate", object{"level": 3, "symmetry": "rotate90", "seed": 3})
	var got []int
	eval(t, s.Session, "progress", &got)
	result, err := s.Eval(t.Context(), "result")
	if !s.In("idle") || len(got) != 2 || result != nil || err != nil {
		t.Errorf("in %v, progress %v, result %v, %v", s.Configuration(), got, datamodel.Text(result), err)
	}
}

// A service starts again when a session is restored, and makes the same puzzle.
func TestRestore(t *testing.T) {
	s := start(t)
	params := object{"level": 5, "seed": 9}
	if err := s.Send(scxml.Event{Name: "sudoku-generate", Data: params}); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Step(t.Context(), s.Now()); err != nil {
		t.Fatal(err)
	}
	snapshot, err := s.Snapshot()
	if err != nil {
		t.Fatal(err)
	}
	var clock scxmltest.Clock
	var opts []scxml.RestoreOption
	for _, o := range append(service.Options(), scxml.WithClock(clock.Now)) {
		opts = append(opts, o.(scxml.RestoreOption))
	}
	restored, err := scxml.Restore(s.Chart(), snapshot, opts...)
	if err != nil {
		t.Fatal(err)
	}
	if err := clock.Advance(context.Background(), restored, 0); err != nil {
		t.Fatal(err)
	}
	var got puzzle
	eval(t, restored, "result", &got)
	if want := generate(t, params); got != want {
		t.Errorf("got %+v, want %+v", got, want)
	}
}

func BenchmarkGenerate(b *testing.B) {
	s := start(b)
	seed := 0
	for b.Loop() {
		var p puzzle
		ask(b, s, "sudoku-generate", object{"level": 3, "seed": seed}, &p)
		seed++
	}
}
