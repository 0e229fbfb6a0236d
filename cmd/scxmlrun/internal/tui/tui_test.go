package tui

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/gdamore/tcell/v2"

	"github.com/scxmlrun/scxmlrun/scxml"
	"github.com/scxmlrun/scxmlrun/scxml/drive"
)

var traffic = setting{chart: "testdata/traffic.scxml"}

// On the real clock timers count down and come.
func TestTimersCountDown(t *testing.T) {
	watch(t, traffic, func(d *desk) {
		d.lit("on", "red")
		d.shows("4s      next", "0:00:00")
		time.Sleep(1550 * time.Millisecond)
		synctest.Wait()
		d.shows("2.5s    next", "0:00:01")
		time.Sleep(2550 * time.Millisecond)
		synctest.Wait()
		d.lit("on", "redAndYellow")
	})
}

// A key lets time pass until the next timer is due, on the real clock too.
func TestJump(t *testing.T) {
	for _, virtual := range []bool{false, true} {
		s := traffic
		s.config = drive.Config{Virtual: virtual}
		watch(t, s, func(d *desk) {
			for _, want := range []struct{ state, clock string }{{"redAndYellow", "0:00:04"}, {"green", "0:00:05"}, {"yellow", "0:00:11"}, {"red", "0:00:13"}} {
				d.keys(".")
				d.lit("on", want.state)
				d.shows(want.clock)
			}
		})
	}
}

// Back in the past, events begin a branch, and the live session is not disturbed.
// Forms show the empty text, and have a field for a text of which only the length matters.
func TestFormOfTexts(t *testing.T) {
	file := filepath.Join(t.TempDir(), "texts.scxml")
	if err := os.WriteFile(file, []byte(`<scxml xmlns="http://www.w3.org/2005/07/scxml" version="1.0"><state id="a">
		<transition event="power" cond="_event.data.level === 'low' || _event.data.level === 'high'"/>
		<transition event="name" cond="_event.data.text.length &lt; 10"/></state></scxml>`), 0o600); err != nil {
		t.Fatal(err)
	}
	watch(t, setting{chart: file, height: 50}, func(d *desk) {
		d.keys("p")
		d.shows(`a text; PgDn: low, "", high`)
		d.keys("Esc", "n", "A", "d", "a")
		d.shows("text Ada", "take a name")
	})
}

func TestBranch(t *testing.T) {
	watch(t, traffic, func(d *desk) {
		d.keys(".", ".", ".") // red, redAndYellow, green, yellow
		d.keys("Left")
		d.shows("the past: step 2 of 3")
		d.lit("on", "green")
		d.keys("f")
		d.shows("branch 1: nothing leaves the session")
		d.lit("blinking", "dark")
		d.keys(".")
		d.lit("blinking", "lit")
		d.keys("Home")
		d.lit("on", "red")
		d.keys("f")
		d.shows("branch 2")
		d.lit("blinking", "dark")
		d.keys("Esc")
		d.lit("on", "yellow")
		d.shows("live", "step 3 of 3")
		d.keys("B")
		d.shows("live      3 steps", "branch 2  1 step ")
		d.keys("Down", "Enter")
		d.shows("branch 1:")
		d.lit("blinking", "lit")
		time.Sleep(2 * time.Second) // which is the live session's
		synctest.Wait()
		d.lit("blinking", "lit")
		d.keys("Esc")
		d.lit("on", "red")
	})
}

// While the past is shown, the live session continues and the picture stays.
func TestPastStays(t *testing.T) {
	watch(t, traffic, func(d *desk) {
		d.keys(".", "Home")
		d.shows("step 0 of 1")
		time.Sleep(time.Second)
		synctest.Wait()
		d.keys("Up")
		d.shows("step 0 of 2")
		d.lit("on", "red")
		d.keys("End")
		d.lit("on", "green")
	})
}

// What an event would do is shown before it is sent, and why it would do nothing.
func TestEffect(t *testing.T) {
	s := traffic
	s.config.Virtual = true
	watch(t, s, func(d *desk) {
		d.keys(".", ".")
		d.shows("What fail would do", "take   on fail → blinking")
		if got := strings.Join(d.styled(tcell.AttrUnderline), " "); !strings.Contains(got, "blinking") || !strings.Contains(got, "dark") {
			t.Errorf("underlined is %q, want blinking and dark", got)
		}
		if got := strings.Join(d.styled(tcell.AttrStrikeThrough), " "); !strings.Contains(got, "green") {
			t.Errorf("struck through is %q, want green", got)
		}
		d.keys("a")
		d.shows("* asked = true was false", "What ask would do", "false  green: !asked")
		d.lit("on", "green")
	})
}

// To look at what events would do changes nothing: neither the session nor what is random in it.
func TestEffectChangesNothing(t *testing.T) {
	for _, chart := range []string{"traffic", "microwave", "morse", "grid", "invoked"} {
		s := setting{chart: "testdata/" + chart + ".scxml"}
		s.config.Virtual = true
		watch(t, s, func(d *desk) {
			live := d.front.lines[0].h.Session()
			before, err := live.Snapshot()
			if err != nil {
				t.Fatal(err)
			}
			for range len(d.front.look.events) {
				d.keys("Down", "E", "Esc")
			}
			d.keys("Home", "End", "Esc")
			after, err := live.Snapshot()
			if err != nil || string(after) != string(before) || len(d.front.look.events) == 0 {
				t.Errorf("%s: the session was\n%s\nand is\n%s, %v", chart, before, after, err)
			}
		})
	}
}

// What belongs to invoked sessions is shown with their ids, and events that are forwarded have keys.
func TestInvokedSessions(t *testing.T) {
	s := setting{chart: "testdata/invoked.scxml"}
	s.config.Virtual = true
	watch(t, s, func(d *desk) {
		d.shows("[kid] m = 5", "[kid] in a", "2s      [kid] tick", "p poke  → b")
		d.keys("Down")
		d.shows("What poke would do", "[kid] a poke → b", "n: 0 → 5")
		d.keys("p")
		d.shows("[kid] in b", "* n = 5 was 0")
		d.keys("Left")
		d.shows("queued hello")
	})
}

// A chart that keeps itself busy can be watched, stopped and left.
func TestBusyChart(t *testing.T) {
	watch(t, setting{chart: "testdata/busy.scxml"}, func(d *desk) {
		d.keys("g")
		d.shows("step 1000 of 1000", "n = 999")
		d.keys("Left", "Left")
		d.shows("step 998 of 1000", "queued again")
	})
}

// A session that a limit stops at the start can be looked at.
func TestStoppedAtTheStart(t *testing.T) {
	s := setting{chart: "testdata/endless.scxml"}
	s.config.Options = []scxml.Option{scxml.WithLimits(scxml.Limits{Microsteps: 1000})}
	watch(t, s, func(d *desk) {
		d.shows("live: stopped: ", "The session has stopped: ", "limit Microsteps = 1000")
		d.keys(".", "Down", "Enter", "E", "Left", ".", "Enter", "B", "Esc", "Z", "q")
		if err := <-d.ended; !errors.As(err, new(*scxml.LimitError)) {
			t.Errorf("the end is %v, want a limit", err)
		}
	})
}

// A larger window shows more of the chart, unless the user has chosen how much to show.
func TestDetailFitsTheWindow(t *testing.T) {
	watch(t, traffic, func(d *desk) {
		d.hides("entry / send next after 4s")
		d.resize(200, 60)
		d.shows("entry / send next after 4s")
		d.resize(80, 24)
		d.hides("entry / send next after 4s")
		d.keys("D", "D")
		d.resize(200, 60)
		d.hides("entry / send next after 4s")
	})
}

// A chart with more states than the screen has characters is a tree at once: no drawing has room for it, but
// one that leaves states out.
func TestLargeChart(t *testing.T) {
	const levels, states = 9, 3000
	var b strings.Builder
	b.WriteString(`<scxml xmlns="http://www.w3.org/2005/07/scxml" version="1.0" datamodel="null">`)
	for i := range levels {
		fmt.Fprintf(&b, `<state id="level%d">`, i)
	}
	for i := range states {
		fmt.Fprintf(&b, `<state id="s%d"/>`, i)
	}
	b.WriteString(strings.Repeat("</state>", levels) + "</scxml>")
	file := filepath.Join(t.TempDir(), "large.scxml")
	if err := os.WriteFile(file, []byte(b.String()), 0o666); err != nil {
		t.Fatal(err)
	}
	watch(t, setting{chart: file, height: 50}, func(d *desk) {
		if text := d.text(); !strings.Contains(text, "● s0") || strings.Contains(text, "3000 states") {
			t.Errorf("the screen shows\n%s", text)
		}
	})
}

// Of many events, what those do that are shown is found out: to try all of these would take minutes.
func TestManyEvents(t *testing.T) {
	const events = 10_000
	var b strings.Builder
	b.WriteString(`<scxml xmlns="http://www.w3.org/2005/07/scxml" version="1.0" datamodel="null"><state id="s">`)
	for i := range events {
		fmt.Fprintf(&b, `<transition event="e%d" target="t%d"/>`, i, i%7)
	}
	b.WriteString("</state>")
	for i := range 7 {
		fmt.Fprintf(&b, `<state id="t%d"/>`, i)
	}
	file := filepath.Join(t.TempDir(), "events.scxml")
	if err := os.WriteFile(file, []byte(b.String()+"</scxml>"), 0o666); err != nil {
		t.Fatal(err)
	}
	watch(t, setting{chart: file}, func(d *desk) {
		d.shows("e0    → t0")
		d.keys("Up", "Down", "Down")
		d.shows("What e2 would do")
		d.keys("Enter")
		d.shows("No event does anything now.")
		d.keys("Left")
		d.shows("e2    → t2")
	})
}

// A panel can have the whole screen.
func TestZoom(t *testing.T) {
	watch(t, traffic, func(d *desk) {
		d.keys("Tab", "Z")
		d.shows("─ Chart ")
		d.hides("─ Events ", "─ Log ")
		d.keys("Esc")
		d.shows("─ Chart ", "─ Events ", "─ Log ")
	})
}

// A form knows the fields and choices of an event, and shows its effect.
func TestForm(t *testing.T) {
	s := setting{chart: "testdata/microwave.scxml"}
	s.config.Virtual = true
	watch(t, s, func(d *desk) {
		d.keys("c")
		d.shows("Send cook", "seconds 1", "take off cook → on", "data left: 0 → 1")
		d.keys("x", "Enter")
		d.shows("Send cook", `seconds: "x" is not a number`) // and the form stays
		d.keys("Backspace", "7")
		d.shows("data left: 0 → 7")
		d.keys("Enter")
		d.hides("Send cook")
		d.lit("oven", "engine", "on", "cooking", "door", "closed", "lamp", "bright")
		d.shows("* left = 7 was 0")
		d.keys("p")
		d.shows("Send power", "◂ 600 ▸")
		d.keys("Right", "Enter")
		d.shows("* power = 900 was 600")
	})
}

// Any event can be sent, with JSON.
func TestAnyEvent(t *testing.T) {
	s := setting{chart: "testdata/microwave.scxml"}
	s.config.Virtual = true
	watch(t, s, func(d *desk) {
		d.keys("E")
		for range 10 {
			d.keys("Backspace")
		}
		d.keys("{", "Enter")
		d.shows("the data is not JSON")
		d.keys("Backspace", "300", "Enter")
		d.shows("* power = 300 was 600", "sent power")
	})
}

// After the end of the session its past can be looked at, and continued on a branch.
func TestAfterTheEnd(t *testing.T) {
	watch(t, traffic, func(d *desk) {
		d.keys("f", "s")
		d.shows("live: ended in gone", "The session has ended in gone.")
		d.lit("gone")
		d.keys("f")
		d.shows("fail does nothing here")
		d.keys("Left", "r")
		d.shows("branch 1")
		d.lit("on", "red")
		d.keys("q")
		if err := <-d.ended; err != nil {
			t.Errorf("the end is %v", err)
		}
	})
}

func TestMouse(t *testing.T) {
	s := traffic
	s.config.Virtual = true
	watch(t, s, func(d *desk) {
		d.clickText("4s      next")
		d.lit("on", "redAndYellow")
		d.clickText("fail")
		d.lit("blinking", "dark")
		d.click(1, 22) // the beginning of the bar
		d.shows("step 0 of 2")
		d.lit("on", "red")
		d.screen.InjectMouse(10, 22, tcell.Button1, tcell.ModNone)
		d.screen.InjectMouse(79, 22, tcell.Button1, tcell.ModNone)
		d.screen.InjectMouse(46, 22, tcell.Button1, tcell.ModNone) // dragged
		d.screen.InjectMouse(46, 22, tcell.ButtonNone, tcell.ModNone)
		synctest.Wait()
		d.shows("step 2 of 2")
		d.clickText("1 event  next") // in the log
		d.lit("on", "redAndYellow")
	})
}

// However large the screen is, everything is on it; below the least size, a sentence says so.
func TestSizes(t *testing.T) {
	charts, err := filepath.Glob("testdata/*.scxml")
	if err != nil || len(charts) < 4 {
		t.Fatalf("the charts are %q, %v", charts, err)
	}
	charts = slices.DeleteFunc(charts, func(name string) bool { return filepath.Base(name) == "endless.scxml" }) // it takes long
	for _, chart := range append(charts, "../../../../charts/sudoku.scxml") {
		watch(t, setting{chart: chart}, func(d *desk) {
			for _, size := range [][2]int{{80, 24}, {81, 25}, {100, 30}, {132, 43}, {200, 60}, {80, 100}, {300, 24}} {
				d.resize(size[0], size[1])
				d.shows("─ Chart ", "Events ", "Log ", "Data ", "Timers", "step ")
				d.keys("Tab", "Z", "Z")
			}
			d.resize(79, 24)
			d.shows("The window is too small: it is 79 x 24 and must be at least 80 x 24.")
			d.resize(1, 1)
			d.resize(80, 24)
			d.shows("─ Chart ")
			d.resize(20, 5)
			d.keys("q")
			if err := <-d.ended; err != nil {
				t.Errorf("the end is %v", err)
			}
		})
	}
}

// Without colours everything is said by attributes, and with 16 only the palette of the terminal is used.
func TestColours(t *testing.T) {
	for _, colors := range []int{-1, 8, 16} {
		s := traffic
		s.colors, s.config.Virtual = colors, true
		watch(t, s, func(d *desk) {
			d.keys(".", "f", "Left")
			_, w, h := d.screen.GetContents()
			coloured := 0
			for y := range h {
				for x := range w {
					_, style := d.at(x, y)
					fg, bg, _ := style.Decompose()
					for _, c := range []tcell.Color{fg, bg} {
						if c == tcell.ColorDefault {
							continue
						}
						coloured++
						if c < tcell.PaletteColor(0) || c > tcell.PaletteColor(15) {
							t.Fatalf("the colour %v is not one of 16", c)
						}
					}
				}
			}
			if (coloured > 0) != (colors > 0) {
				t.Errorf("%d colours: %d cells are coloured", colors, coloured)
			}
			d.lit("on", "redAndYellow")
		})
	}
}

// Names and data of a chart cannot move the cursor or change the direction of writing.
func TestHostileTexts(t *testing.T) {
	watch(t, setting{chart: "testdata/hostile.scxml"}, func(d *desk) {
		d.keys("g", "V")
		for _, line := range d.lines() {
			for _, r := range line {
				if r < ' ' || r >= 0x7f && r < 0xa0 || r == '\u202e' {
					t.Fatalf("the screen has %q:\n%s", r, d.text())
				}
			}
		}
		d.shows(`\u202e`)
	})
}

func TestEventKeys(t *testing.T) {
	watch(t, setting{chart: "testdata/morse.scxml"}, func(d *desk) {
		want := map[string]rune{"preset": 'p', "clear": 'c', "press": 'r', "release": 'e', "gap": 'g', "long": 'l'}
		for name, key := range want {
			if got := d.front.keys[name]; got != key {
				t.Errorf("the key of %s is %c, want %c", name, got, key)
			}
		}
		if len(d.front.keys) != len(want) {
			t.Errorf("got %v, want %v", d.front.keys, want)
		}
	})
}
