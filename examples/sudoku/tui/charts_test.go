package tui

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/scxmlrun/scxmlrun/examples/sudoku"
	"github.com/scxmlrun/scxmlrun/scxml"
)

// The chart knows only taps, fails without a grid and cares for nothing else.
func TestChartThatOnlyTaps(t *testing.T) {
	puzzles := sudoku.Puzzles()
	noErrors := scxml.WithTrace(&scxml.Trace{Error: func(_ *scxml.Session, err *scxml.ExecutionError) { t.Error(err) }})
	play(t, setting{chart: load(t, os.DirFS("testdata"), "taponly.scxml"), config: Config{Options: []scxml.Option{noErrors}}}, func(t *testing.T, d *desk) {
		d.shows("Taps", "idle, unsolved")
		d.showsGrid(puzzles[0].Grid)
		d.keys("n", "s")
		d.shows("playing")
		d.showsGrid(puzzles[1].Grid)
		cells, solution := missing(puzzles[1])
		first := cells[0]
		d.goTo(first[0], first[1])
		for _, step := range []struct {
			key  string
			want int
		}{{"5", 5}, {"3", 3}, {"backspace", 0}, {" ", 1}, {"9", 9}, {"9", 9}, {"u", 1}, {"u", 0}, {"u", 3}, {"u", 5}, {"u", 0}, {"u", 0}} {
			d.keys(step.key)
			if got := d.grid()[first[0]][first[1]]; got != step.want {
				t.Fatalf("after %q: got %d, want %d", step.key, got, step.want)
			}
		}
		d.shows("nothing to undo")
		for _, c := range cells {
			d.goTo(c[0], c[1])
			d.keys(fmt.Sprint(c[2]))
		}
		d.showsGrid(solution)
		d.shows("SOLVED")
		d.keys("n")
		d.hides("SOLVED")
		d.showsGrid(puzzles[2].Grid)
		d.keys("s", "n")
		d.shows("idle, unsolved")
		d.showsGrid(puzzles[3].Grid)
	})
}

// speaking makes a chart that speaks the protocol and has more to it.
func speaking(t *testing.T, more string) *scxml.Chart {
	t.Helper()
	chart, err := scxml.Parse("more.scxml", []byte(`<scxml xmlns="http://www.w3.org/2005/07/scxml" version="1.0" datamodel="ecmascript">
		<datamodel><data id="grid" expr="[]"/><data id="exits" expr="0"/></datamodel>
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

func TestChartThatEnds(t *testing.T) {
	t.Run("at once", func(t *testing.T) {
		play(t, setting{chart: speaking(t, `<transition target="over"/><transition event="start"/>`)}, func(t *testing.T, d *desk) {
			if err := d.end(); !errors.Is(err, ErrChartEnded) || !strings.Contains(err.Error(), `"over"`) {
				t.Errorf("got %v, want ErrChartEnded", err)
			}
		})
	})
	t.Run("later", func(t *testing.T) {
		play(t, setting{chart: speaking(t, `<transition event="start" target="over"/>`)}, func(t *testing.T, d *desk) {
			d.keys("s")
			if err := d.end(); !errors.Is(err, ErrChartEnded) {
				t.Errorf("got %v, want ErrChartEnded", err)
			}
		})
	})
	t.Run("by a limit", func(t *testing.T) {
		play(t, setting{chart: speaking(t, `<transition event="start" target="s"><raise event="start"/></transition>`)}, func(t *testing.T, d *desk) {
			d.keys("s")
			var limit *scxml.LimitError
			if err := d.end(); !errors.As(err, &limit) {
				t.Errorf("got %v, want a LimitError", err)
			}
		})
	})
	t.Run("by a delayed event", func(t *testing.T) {
		play(t, setting{chart: speaking(t, `<onentry><send event="start" delay="90s"/></onentry><transition event="start" target="over"/>`)}, func(t *testing.T, d *desk) {
			time.Sleep(89 * time.Second)
			synctest.Wait()
			d.shows("Q quit")
			time.Sleep(time.Second)
			synctest.Wait()
			if err := d.end(); !errors.Is(err, ErrChartEnded) {
				t.Errorf("got %v, want ErrChartEnded", err)
			}
		})
	})
}

// What a chart sends with updateGUI may be no grid.
func TestBadUpdate(t *testing.T) {
	play(t, setting{chart: speaking(t, `<onentry><assign location="grid" expr="'none'"/></onentry><transition event="start"/>`)}, func(t *testing.T, d *desk) {
		d.keys("u")
		d.shows("bad updateGUI")
	})
	play(t, setting{chart: speaking(t, `<onentry><script>for (var x = 0; x &lt; 9; x++) grid[x] = [10, -1, 3, 0, 0, 0, 0, 0, 0];</script></onentry><transition event="start"/>`)}, func(t *testing.T, d *desk) {
		d.keys("u")
		d.shows("║[?!│ ?!│ 3!")
	})
}

func TestQuittingStopsTheChart(t *testing.T) {
	var log []string
	chart := speaking(t, `<transition event="start"/><onexit><log label="bye"/></onexit>`)
	trace := &scxml.Trace{Log: func(_ *scxml.Session, label string, _ any) { log = append(log, label) }}
	play(t, setting{chart: chart, config: Config{Options: []scxml.Option{scxml.WithTrace(trace)}}}, func(t *testing.T, d *desk) {
		d.keys("q")
		if err := d.end(); err != nil || fmt.Sprint(log) != "[bye]" {
			t.Errorf("got %v, log %v: want the onexit handler to have run", err, log)
		}
	})
}

func TestChartThatDoesNotSpeak(t *testing.T) {
	chart, err := scxml.Parse("other.scxml", []byte(`<scxml xmlns="http://www.w3.org/2005/07/scxml" version="1.0"><state id="s"/></scxml>`))
	if err != nil {
		t.Fatal(err)
	}
	if err := Run(context.Background(), chart, Config{}); err == nil || !strings.Contains(err.Error(), "other.scxml does not speak") {
		t.Errorf("got %v", err)
	}
}

// Data that the user set goes before the first puzzle.
func TestUserData(t *testing.T) {
	grid := sudoku.Grid{{0, 0, 3}}
	play(t, setting{config: Config{Title: "Mine", Options: []scxml.Option{scxml.WithData("initState", grid)}}}, func(t *testing.T, d *desk) {
		d.showsGrid(grid)
		d.shows("Mine")
		d.hides("nearly-solved")
	})
}
