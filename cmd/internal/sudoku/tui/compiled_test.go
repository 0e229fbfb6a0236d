package tui

import (
	"strconv"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/scxmlrun/scxmlrun/examples/sudoku"
)

// The screen shows the same after each key, whether the chart is interpreted or compiled, of a game to its end.
func TestCompiledLooksTheSame(t *testing.T) {
	puzzle := sudoku.Puzzles()[12]
	cells, solution := missing(puzzle)
	keys := strings.Fields("7 u M 1 2 M H ctrl+y u shift+right shift+down 4 C 3 C b enter delete ? ? ? p p g u a p A u b enter f10 esc f2 esc i 5 g [ ] enter ]")
	screens := func(compiled bool) (shown []string) {
		play(t, setting{puzzles: []sudoku.Puzzle{puzzle, {Name: "another"}}, config: serviced, compiled: compiled}, func(t *testing.T, d *desk) {
			for _, key := range keys {
				d.keys(key)
				shown = append(shown, d.text())
				time.Sleep(350 * time.Millisecond)
				synctest.Wait()
				shown = append(shown, d.text())
			}
		})
		play(t, setting{puzzles: []sudoku.Puzzle{puzzle}, config: serviced, compiled: compiled}, func(t *testing.T, d *desk) {
			for _, c := range cells[1:] {
				d.goTo(c[0], c[1])
				d.keys(strconv.Itoa(solution[c[0]][c[1]]))
				shown = append(shown, d.text())
			}
			d.keys("R") // the last cell
			d.shows("SOLVED")
			shown = append(shown, d.text())
		})
		return shown
	}
	interpreted, compiled := screens(false), screens(true)
	if len(interpreted) != len(compiled) {
		t.Fatalf("%d screens, and %d of the compiled chart", len(interpreted), len(compiled))
	}
	for i, want := range interpreted {
		if got := compiled[i]; got != want {
			t.Fatalf("screen %d, of %q and then of the digits: interpreted\n%s\ncompiled\n%s", i, keys, want, got)
		}
	}
}
