package web

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/scxmlrun/scxmlrun/charts"
	"github.com/scxmlrun/scxmlrun/scxml"
)

// The first puzzle lacks two digits, at row 3, column 7 and at row 7, column 3.
func TestPlay(t *testing.T) {
	test(t, "a game from new to solved by keys", func(t *testing.T) {
		p := open(t, map[string]any{"lang": "en"})
		defer p.end()
		p.want("state", "playing")
		p.want("puzzle", "01-nearly-solved (1 of 24)")
		if c := p.cells[0]; c.Digit != 8 || !c.Given || c.Label != "row 1, column 1: 8, given" {
			t.Errorf("the first cell is %+v", c)
		}
		if string(p.view["at"]) != "24" || p.cells[24].Paper != "pen" {
			t.Fatalf("at %s, want 24, which is empty", p.view["at"])
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
	test(t, "a new player", func(t *testing.T) {
		p := open(t, map[string]any{"lang": "en", "kept": map[string]json.RawMessage{}})
		defer p.end()
		p.want("state", "playing")
		p.want("puzzle", "11-easy-1 (11 of 24)")
		for _, step := range [][2]string{
			{"?", ""}, {"Enter", ""}, {"0", ""}, {"0", "nothing to change here"}, {"Home", "nothing to change here"}, {"Down", ""}, {"4", "this digit is given"}, {"Z", "this key has no meaning"},
		} {
			p.key(step[0])
			p.want("note", step[1])
		}
		if p.text("hint") != "" {
			t.Errorf("there still is a hint: %s", p.text("hint"))
		}
	})
	test(t, "the clock moves only the time", func(t *testing.T) {
		p := open(t, map[string]any{"lang": "en"})
		defer p.end()
		time.Sleep(time.Minute)
		p.want("time", "0:00")
		p.key("5")
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
	test(t, "the game warms up", func(t *testing.T) {
		chart, err := scxml.Load(charts.FS, "sudoku.scxml")
		if err != nil {
			t.Fatal(err)
		}
		pauses := 0
		if err := WarmUp(t.Context(), chart, func() { pauses++; time.Sleep(time.Second) }); err != nil || pauses < len(warmKeys) {
			t.Errorf("%v after %d pauses", err, pauses)
		}
	})
	test(t, "a hidden page pauses, and hides the board", func(t *testing.T) {
		p := open(t, map[string]any{"lang": "en"})
		defer p.end()
		p.say(map[string]any{"do": "hidden"})
		p.want("state", "playing") // the clock does not run before the first move
		p.key("5")
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
	test(t, "a hint to a wrong entry", func(t *testing.T) {
		p := open(t, map[string]any{"lang": "en"})
		defer p.end()
		for _, step := range [][2]string{{"?", "false"}, {"1", "false"}, {"?", "true"}, {"Delete", "false"}} {
			p.key(step[0])
			if amiss := string(p.view["amiss"]); amiss != step[1] {
				t.Errorf("after %s something is amiss: %s, want %s; %s", step[0], amiss, step[1], p.text("hint"))
			}
		}
	})
	test(t, "hints", func(t *testing.T) {
		p := open(t, map[string]any{"lang": "en"})
		defer p.end()
		p.key("?")
		if !strings.HasPrefix(p.text("hint"), "Look for a Full House") || !strings.Contains(p.text("say"), "Full House") {
			t.Errorf("the hint is %q, it says %q", p.text("hint"), p.text("say"))
		}
		p.key("?", "?", "Left")
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

// What the page says is never dropped: the game says what it cannot use, and continues.
func TestRefused(t *testing.T) {
	test(t, "messages", func(t *testing.T) {
		p := open(t, map[string]any{"lang": "en"})
		defer p.end()
		for _, message := range []struct{ text, want string }{
			{`7`, `field "": it is not for a number`},
			{`{`, `unexpected EOF`},
			{`{}`, `unknown kind ""`},
			{`{"do":"start","lang":"en"}`, `json: unknown field "lang"`},
			{`{"do":"kee","key":"S"}`, `unknown kind "kee"`},
			{`{"do":"key","kee":"S"}`, `json: unknown field "kee"`},
			{`{"do":"key","key":7}`, `field "key": it is not for a number`},
			{`{"do":"put","digit":"5"}`, `field "digit": it is not for a string`},
			{`{"do":"put","digit":99}`, `digit 99`},
			{`{"do":"act","name":"nothing"}`, `unknown action "nothing"`},
			{`{"do":"part","name":"nothing"}`, `unknown action "nothing"`},
			{`{"do":"cell","row":-1,"col":9,"how":"select"}`, `cell -1, 9`},
			{`{"do":"cell","row":1,"col":1,"how":"push"}`, `how "push"`},
			{`{"do":"read","sudokus":[{"digit":[]}]}`, `json: unknown field "digit"`},
		} {
			p.messages <- Message{Text: []byte(message.text)}
			synctest.Wait()
			p.want("note", "cannot use what the page says: "+message.want)
		}
		p.want("state", "playing")
	})
	test(t, "of a dialog", func(t *testing.T) {
		p := open(t, map[string]any{"lang": "en"})
		defer p.end()
		p.key("F2")
		d := p.dialog()
		for _, message := range []struct {
			fields map[string]any
			want   string
		}{
			{map[string]any{"do": "press", "at": -1}, fmt.Sprintf("control -1 of %d", len(d.Controls))},
			{map[string]any{"do": "control", "at": 0, "value": "blue"}, `value "blue" of control 0, a choice`},
			{map[string]any{"do": "control", "at": 0, "value": 99}, `value 99 of control 0, a choice`},
		} {
			message.fields["dialog"] = d.ID
			p.say(message.fields)
			p.want("note", "cannot use what the page says: "+message.want)
		}
	})
	test(t, "what does nothing now", func(t *testing.T) {
		p := open(t, map[string]any{"lang": "en"})
		defer p.end()
		for _, message := range []string{`{"do":"press","dialog":1,"at":-1}`, `{"do":"key","key":""}`, `{"do":"file","name":""}`, `{"do":"act","name":"suspend"}`} {
			p.messages <- Message{Text: []byte(message)}
			synctest.Wait()
			if d := p.dialog(); d != nil {
				p.press("OK")
			}
			if note := p.text("note"); strings.Contains(note, "the page") {
				t.Errorf("%s: it notes %q", message, note)
			}
		}
	})
	test(t, "the first message", func(t *testing.T) {
		for text, want := range map[string]string{
			`{"do":"key","key":"S"}`:      `json: unknown field "key"`,
			`{"do":"begin","lang":"en"}`:  `it is "begin", not "start"`,
			`{"do":"start","lang":7}`:     `field "lang": it is not for a number`,
			`{"do":"start","langs":"en"}`: `json: unknown field "langs"`,
		} {
			messages := make(chan Message, 1)
			messages <- Message{Text: []byte(text)}
			err := Play(t.Context(), nil, nil, messages, nil)
			if err == nil || err.Error() != "cannot read the first message of the page: "+want {
				t.Errorf("%s: %v", text, err)
			}
		}
	})
}

// What cannot be seen is escaped in each text of the page, but for line breaks and tabs.
func TestVisible(t *testing.T) {
	for text, want := range map[string]string{
		"\x00\x1b[2J\b\f\r\x7f\u202e\u2028": `\x00\x1b[2J\x08\x0c\r\x7f\u202e\u2028`,
		"a\tb\n<i>&\"\\":                    "a\tb\n<i>&\"\\",
		`\u001b \\x1b \n`:                   `\u001b \\x1b \n`,
		"é א \U0001f600":                    "é א \U0001f600",
	} {
		text, err := json.Marshal(text)
		if err != nil {
			t.Fatal(err)
		}
		var got string
		if err := json.Unmarshal(visible(text), &got); err != nil || got != want {
			t.Errorf("%s: %q, %v, want %q", text, got, err, want)
		}
	}
	if got := string(Failed(errors.New("a\u202e\x1b")).Text); got != `{"error":"a\\u202e\\x1b","type":"failed"}` {
		t.Error(got)
	}
}
