package scxml_test

import (
	"os"
	"testing"

	"github.com/scxmlrun/scxmlrun/datamodel"
	"github.com/scxmlrun/scxmlrun/scxml"
)

// sudokuGame returns a game of Sudoku after some taps.
func sudokuGame(tb testing.TB, taps int) *scxml.Session {
	tb.Helper()
	chart, err := scxml.Load(os.DirFS("testdata/speed"), "sudoku.scxml")
	if err != nil {
		tb.Fatal(err)
	}
	puzzle := [9][9]int{
		{0, 0, 3, 0, 2, 0, 6, 0, 0}, {9, 0, 0, 3, 0, 5, 0, 0, 1}, {0, 0, 1, 8, 0, 6, 4, 0, 0},
		{0, 0, 8, 1, 0, 2, 9, 0, 0}, {7, 0, 0, 0, 0, 0, 0, 0, 8}, {0, 0, 6, 7, 0, 8, 2, 0, 0},
		{0, 0, 2, 6, 0, 9, 5, 0, 0}, {8, 0, 0, 2, 0, 3, 0, 0, 9}, {0, 0, 5, 0, 1, 0, 3, 0, 0},
	}
	d := driven(tb, chart, scxml.WithData("initState", puzzle))
	play := func(ev scxml.Event) {
		for more := d.process(ev); more; {
			if more, err = d.Step(d.ctx, now); err != nil {
				tb.Fatal(err)
			}
		}
	}
	play(scxml.Event{Name: "start"})
	for cell := 0; taps > 0; cell = (cell + 1) % 81 {
		if x, y := cell/9, cell%9; puzzle[x][y] == 0 {
			play(scxml.Event{Name: "tap", Data: datamodel.NewObject("x", int64(x), "y", int64(y))})
			taps--
		}
	}
	if !d.In("playing") {
		tb.Fatalf("the game is in %v", d.Configuration())
	}
	return d.Session
}

// A game is small enough for a value in a database, or to travel with a request.
func TestSnapshotSize(t *testing.T) {
	data := snapshot(t, sudokuGame(t, 20))
	if len(data) > 8<<10 {
		t.Errorf("a snapshot of the Sudoku has %d bytes, want at most %d:\n%s", len(data), 8<<10, data)
	}
}

// snapshotOp returns a function that saves the session.
func snapshotOp(tb testing.TB, s *scxml.Session) func() {
	return func() {
		data, err := s.Snapshot()
		if err != nil {
			tb.Fatal(err)
		}
		latest = data
	}
}

// restoreOp returns a function that restores the session from its present state.
func restoreOp(tb testing.TB, s *scxml.Session) func() {
	data := snapshot(tb, s)
	return func() { latest = restore(tb, s.Chart(), data) }
}

func pingSession(tb testing.TB) *scxml.Session {
	return driven(tb, compiled(tb, "ping", render("ping", pingChart()))).Session
}

func BenchmarkSnapshot(b *testing.B) {
	measure := func(b *testing.B, s *scxml.Session) {
		run(b, snapshotOp(b, s))
		b.ReportMetric(float64(len(latest.([]byte))), "bytes")
	}
	b.Run("ping", func(b *testing.B) { measure(b, pingSession(b)) })
	b.Run("sudoku", func(b *testing.B) { measure(b, sudokuGame(b, 20)) })
}

func BenchmarkRestore(b *testing.B) {
	b.Run("ping", func(b *testing.B) { run(b, restoreOp(b, pingSession(b))) })
	b.Run("sudoku", func(b *testing.B) { run(b, restoreOp(b, sudokuGame(b, 20))) })
}

// BenchmarkTurn is the work of a web handler for each request: it restores a session, processes an
// event and saves the session. The script engine is new each time, so its lazy initialisation
// counts.
func BenchmarkTurn(b *testing.B) {
	s := sudokuGame(b, 20)
	data := snapshot(b, s)
	tap := scxml.Event{Name: "tap", Data: datamodel.NewObject("x", int64(0), "y", int64(0))}
	run(b, func() {
		s := restore(b, s.Chart(), data)
		err := s.Send(tap)
		if err == nil {
			err = s.Advance(b.Context(), now)
		}
		if err == nil {
			latest, err = s.Snapshot()
		}
		if err != nil {
			b.Fatal(err)
		}
	})
}
