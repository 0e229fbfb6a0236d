package shelf_test

import (
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/scxmlrun/scxmlrun/cmd/internal/sudoku/shelf"
	"github.com/scxmlrun/scxmlrun/examples/sudoku"
	"github.com/scxmlrun/scxmlrun/examples/sudoku/format"
	"github.com/scxmlrun/scxmlrun/examples/sudoku/game"
)

func TestStatistics(t *testing.T) {
	solved := func(level int, seconds time.Duration) shelf.Result {
		return shelf.Result{Level: level, Time: seconds * time.Second}
	}
	helped, given := solved(1, 1), solved(1, 2)
	helped.Helps, given.GivenUp = 1, true
	got := shelf.Summary([]shelf.Result{
		solved(1, 20), solved(1, 30), helped, // a streak of three; the fastest was not alone
		solved(2, 60),
		given,
		solved(1, 10), solved(0, 0), // of unknown level, and without a clock
	})
	want := shelf.Statistics{
		0: {Solved: 6, GivenUp: 1, Timed: 4, Best: 10 * time.Second, Mean: 30 * time.Second, Streak: 2, Longest: 4},
		1: {Solved: 4, GivenUp: 1, Timed: 3, Best: 10 * time.Second, Mean: 20 * time.Second, Streak: 1, Longest: 3},
		2: {Solved: 1, Timed: 1, Best: 60 * time.Second, Mean: 60 * time.Second, Streak: 1, Longest: 1},
	}
	if got != want {
		t.Errorf("\n got %+v\nwant %+v", got, want)
	}
}

// A line that is incomplete after a loss of power costs no other.
func TestResultsSurviveDamage(t *testing.T) {
	dir := t.TempDir()
	s := open(t, dir)
	result := shelf.Result{When: time.Date(2026, 11, 22, 1, 2, 3, 0, time.UTC), Givens: strings.Repeat("0", 81), Level: 2, ER: 2.3, Time: 61500 * time.Millisecond, Helps: 1}
	other := shelf.Result{When: result.When, Givens: result.Givens, GivenUp: true}
	if err := s.Add(result); err != nil {
		t.Fatal(err)
	}
	name := filepath.Join(dir, "results.jsonl")
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	if want := `{"when":"2026-11-22T01:02:03Z","level":2,"er":2.3,"time_ms":61500,"helps":1,"givens":"` + result.Givens + "\"}\n"; string(text) != want {
		t.Errorf("got %s, want %s", text, want)
	}
	if err := os.WriteFile(name, append(text, text[:40]...), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := s.Add(other); err != nil {
		t.Fatal(err)
	}
	got, err := s.Results()
	if err == nil || !strings.Contains(err.Error(), "results.jsonl:2: ") {
		t.Errorf("it says %v", err)
	}
	if want := []shelf.Result{result, other}; !reflect.DeepEqual(got, want) {
		t.Errorf("\n got %+v\nwant %+v", got, want)
	}
	if statistics, _ := s.Statistics(); statistics[0].Solved != 1 || statistics[0].GivenUp != 1 {
		t.Errorf("got %+v", statistics[0])
	}
}

// A game is given up once, and is of the level of its puzzle.
func TestGivenUpGamesAreResults(t *testing.T) {
	s := open(t, t.TempDir())
	g := &format.Game{Givens: sudoku.Puzzles()[4].Grid, Progress: &format.Progress{Board: sudoku.Puzzles()[4].Grid, Mode: format.Playing, Time: time.Second}}
	stopped := *g
	stopped.Progress = &format.Progress{Board: g.Givens, Mode: format.GivenUp, Time: time.Second}
	save(t, s, g, &stopped, &stopped)
	s.Solved(g, game.Result{Level: 5, ER: 7.2, Time: time.Minute, Helps: 2})
	got, err := s.Results()
	if err != nil || len(got) != 2 || got[0].When.IsZero() || got[1].When.IsZero() {
		t.Fatalf("got %+v, %v", got, err)
	}
	got[0].When, got[1].When = time.Time{}, time.Time{}
	givens := strings.ReplaceAll(g.Givens.String(), ".", "0")
	want := []shelf.Result{{Givens: givens, Level: 1, ER: 1.2, Time: time.Second, GivenUp: true}, {Givens: givens, Level: 5, ER: 7.2, Time: time.Minute, Helps: 2}}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("\n got %+v\nwant %+v", got, want)
	}
}

// A result that cannot be kept costs one message.
func TestResultThatCannotBeKept(t *testing.T) {
	dir := t.TempDir()
	s := open(t, dir)
	if err := os.Mkdir(filepath.Join(dir, "results.jsonl"), 0o700); err != nil {
		t.Fatal(err)
	}
	s.Solved(played(1, 5), game.Result{Level: 1})
	if err := s.Save(played(1, 5)); err == nil {
		t.Error("it says nothing")
	}
	save(t, s, played(1, 6))
}

func TestNoResults(t *testing.T) {
	if got, err := open(t, t.TempDir()).Results(); got != nil || err != nil {
		t.Errorf("got %v, %v", got, err)
	}
}
