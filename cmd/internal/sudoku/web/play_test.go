package web

import (
	"encoding/json"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// The first puzzle lacks two digits, at row 3, column 7 and at row 7, column 3.
func TestPlay(t *testing.T) {
	test(t, "a game from new to solved by keys", func(t *testing.T) {
		p := open(t, map[string]any{"lang": "en"})
		defer p.end()
		p.want("state", "idle")
		p.want("puzzle", "01-nearly-solved (1 of 24)")
		if c := p.cells[0]; c.Digit != 8 || !c.Given || c.Paper != "pen" || c.Label != "row 1, column 1: 8, given" {
			t.Errorf("the first cell is %+v", c)
		}
		p.key("S")
		p.want("state", "playing")
		p.key("Down", "Down", "Left", "Left", "Left")
		if string(p.view["at"]) != "24" {
			t.Fatalf("at %s, want 24", p.view["at"])
		}
		p.key("5")
		if c := p.cells[24]; c.Digit != 5 || !c.Conflict {
			t.Errorf("the cell is %+v, want a 5 in conflict", c)
		}
		p.want("say", "Row 3, column 7: 5, in conflict.")
		p.key("Ctrl+Z")
		if c := p.cells[24]; c.Digit != 0 || c.Conflict {
			t.Errorf("the cell is %+v after undo", c)
		}
		p.key("4")
		p.cell(6, 2)
		p.say(map[string]any{"do": "put", "digit": 8})
		p.want("state", "solved")
		if !strings.Contains(p.text("say"), "01-nearly-solved (1 of 24): solved in 0:00") {
			t.Errorf("it says %q", p.text("say"))
		}
		if !strings.Contains(string(p.kept["result/000000"]), `"level":`) {
			t.Errorf("the result is %s", p.kept["result/000000"])
		}
	})
	test(t, "the clock moves only the time", func(t *testing.T) {
		p := open(t, map[string]any{"lang": "en"})
		defer p.end()
		p.key("S")
		p.mu.Lock()
		p.view = map[string]json.RawMessage{}
		p.mu.Unlock()
		time.Sleep(3 * time.Second)
		synctest.Wait()
		p.want("time", "0:03")
		if len(p.view) != 2 { // and the type
			t.Errorf("the view has %d fields, want the time: %v", len(p.view), p.view)
		}
	})
	test(t, "a hidden page pauses, and hides the board", func(t *testing.T) {
		p := open(t, map[string]any{"lang": "en"})
		defer p.end()
		p.key("S")
		p.say(map[string]any{"do": "hidden"})
		p.want("state", "paused")
		if c := p.cells[0]; c.Digit != 0 {
			t.Errorf("a paused game shows %+v", c)
		}
		p.key("5")
		p.want("note", "P continues, F10 opens the menu")
		p.act("pause")
		p.want("state", "playing")
	})
	test(t, "hints", func(t *testing.T) {
		p := open(t, map[string]any{"lang": "en"})
		defer p.end()
		p.key("S", "?")
		if !strings.HasPrefix(p.text("hint"), "Look for a Full House") || !strings.Contains(p.text("say"), "Full House") {
			t.Errorf("the hint is %q, it says %q", p.text("hint"), p.text("say"))
		}
		p.key("?", "?")
		n := 0
		for _, c := range p.cells {
			if c.Paper == "target" && c.Target != 0 {
				n++
			}
		}
		if n != 1 {
			t.Errorf("%d cells are targets, want 1", n)
		}
	})
}

// Whatever the page says, the game continues.
func TestNonsense(t *testing.T) {
	test(t, "nonsense", func(t *testing.T) {
		p := open(t, map[string]any{"lang": "en"})
		defer p.end()
		for _, message := range []string{
			`7`, `{}`, `{"do":"act","name":"nothing"}`, `{"do":"cell","row":-1,"col":9}`, `{"do":"put","digit":99}`, `{"do":"key","key":""}`,
			`{"do":"press","dialog":1,"at":-1}`, `{"do":"file","name":""}`, `{"do":"act","name":"suspend"}`,
		} {
			p.messages <- Message{Text: []byte(message)}
			synctest.Wait()
			if d := p.dialog(); d != nil {
				p.press("OK")
			}
		}
		p.key("S")
		p.want("state", "playing")
	})
}
