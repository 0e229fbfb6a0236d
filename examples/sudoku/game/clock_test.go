package game_test

import (
	"testing"
	"testing/synctest"
	"time"

	"github.com/scxmlrun/scxmlrun/charts"
	"github.com/scxmlrun/scxmlrun/examples/sudoku"
	"github.com/scxmlrun/scxmlrun/examples/sudoku/format"
	"github.com/scxmlrun/scxmlrun/examples/sudoku/game"
	"github.com/scxmlrun/scxmlrun/scxml/drive"
)

// wait lets time pass, on the clock of the bubble.
func wait(d time.Duration) {
	time.Sleep(d)
	synctest.Wait()
}

func (p *player) showsTime(want time.Duration) {
	p.t.Helper()
	if got := p.View().Time; got != want {
		p.t.Errorf("got %v, want %v", got, want)
	}
}

// The clock runs while a game is played. A game that continues is paused, and its next
// second is as long as it was when the game was left.
func TestClock(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		file := &store{t: t}
		p := file.open(load(t, charts.FS, "sudoku.scxml"), one("mine", sudoku.Grid{}), nil)
		p.do(game.SetClock(true))
		wait(time.Minute)
		if v := p.View(); !v.Clock || v.Time != 0 {
			t.Errorf("got %v, %v", v.Clock, v.Time)
		}
		p.do(game.Toggle{})
		wait(3300 * time.Millisecond)
		p.showsTime(3 * time.Second)
		p.do(game.Put(5))
		wait(500 * time.Millisecond)
		p.do(game.Pause{})
		p.settle()
		p.quit(nil)
		p.over()

		wait(time.Hour)
		p = file.open(load(t, charts.FS, "sudoku.scxml"), nil, file.game())
		p.do(game.SetClock(true))
		p.showsState(game.Paused)
		p.showsTime(3800 * time.Millisecond)
		wait(time.Hour)
		p.do(game.Toggle{})
		wait(199 * time.Millisecond)
		p.showsTime(3800 * time.Millisecond)
		wait(time.Millisecond)
		p.showsTime(4 * time.Second)
		p.do(game.SetClock(false))
		wait(time.Hour)
		if v := p.View(); v.Clock || v.Time != 4*time.Second {
			t.Errorf("got %v, %v", v.Clock, v.Time)
		}
		p.quit(nil)
		p.over()
	})
}

// After a gap the game is paused, and the gap does not count.
func TestGap(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := play(t, nil, nil, drive.Config{})
		p.do(game.SetClock(true), game.Toggle{})
		wait(1500 * time.Millisecond)
		p.input(func(drive.Session) error { time.Sleep(time.Hour); return nil }) // as a stopped program
		p.settle()
		p.showsState(game.Paused)
		if got := p.View().Time; got < time.Second || got > 2*time.Second {
			t.Errorf("got %v", got)
		}
		p.quit(nil)
		p.over()
	})
}

// A tick does not change the board, and does not save the game.
func TestTick(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		file := &store{t: t}
		p := file.open(load(t, charts.FS, "sudoku.scxml"), nil, nil)
		p.do(game.SetClock(true), game.Toggle{})
		p.settle()
		writes, updates := file.writes, len(p.hears("send update"))
		wait(10 * time.Second)
		if n := len(p.hears("send tick")); n < 10 || file.writes != writes || len(p.hears("send update")) != updates {
			t.Errorf("%d ticks, %d writes instead of %d, %d updates instead of %d", n, file.writes, writes, len(p.hears("send update")), updates)
		}
		p.do(game.Pause{})
		p.settle()
		if got := file.game().Progress; got.Mode != format.Paused || got.Time != 10*time.Second {
			t.Errorf("got %v, %v", got.Mode, got.Time)
		}
		p.quit(nil)
		p.over()
	})
}

// The time since the last change is saved when the player quits.
func TestTimeAtTheEnd(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		file := &store{t: t}
		p := file.open(load(t, charts.FS, "sudoku.scxml"), one("mine", sudoku.Grid{}), nil)
		p.do(game.SetClock(true), game.Toggle{}, game.Put(5))
		wait(2500 * time.Millisecond)
		p.settle()
		p.quit(nil)
		p.over()
		if got := file.game().Progress.Time; got != 2500*time.Millisecond {
			t.Errorf("got %v", got)
		}
	})
}
