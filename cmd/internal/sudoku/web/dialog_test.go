package web

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/scxmlrun/scxmlrun/cmd/internal/sudoku/web/reading"
	"github.com/scxmlrun/scxmlrun/examples/sudoku"
	"github.com/scxmlrun/scxmlrun/examples/sudoku/format"
	"github.com/scxmlrun/scxmlrun/examples/sudoku/picture"
)

func TestDialogs(t *testing.T) {
	test(t, "a new game", func(t *testing.T) {
		p := open(t, map[string]any{"lang": "en"})
		defer p.end()
		p.key("N")
		for kind, off := range [][2]bool{{true, false}, {true, false}, {true, false}, {true, false}, {true, false}, {false, false}, {true, true}, {true, true}} {
			p.set("Puzzle:", kind)
			if c := p.dialog().Controls; c[2].Off != off[0] || c[3].Off != off[1] { // the empty cells, the symmetry
				t.Errorf("%s: off are %v and %v, want %v", c[0].Options[kind], c[2].Off, c[3].Off, off)
			}
		}
		p.set("Puzzle:", 0)
		if d := p.dialog(); d.Controls[1].Text != "Look where a digit can still go in a box." {
			t.Errorf("it says %q", d.Controls[1].Text)
		}
		p.press("Play")
		if p.dialog() != nil {
			t.Error("the dialog is still open")
		}
		p.want("state", "playing")
		if !strings.HasPrefix(p.text("level"), "beginner, ER") {
			t.Errorf("the level is %q", p.text("level"))
		}
		kept := p.kept["settings"]
		if !strings.Contains(string(kept), `"new_game":{"kind":"level","level":1`) {
			t.Errorf("the settings are %s", kept)
		}
	})
	test(t, "a lesson", func(t *testing.T) {
		p := open(t, map[string]any{"lang": "en"})
		defer p.end()
		p.want("about", "")
		p.key("?")
		p.want("about", "Technique and lesson…")
		p.key("L")
		d := p.dialog()
		if d == nil || d.Title != "Full House" || !d.Controls[1].Link || !strings.HasSuffix(d.Controls[1].Text, "TECHNIQUES.md#full-house") {
			t.Fatalf("the dialog is %+v", d)
		}
		p.set("Lesson:", 2)
		p.press("Begin")
		p.want("puzzle", "Full House 3 (1 of 25)")
		p.want("state", "playing")
		p.key("?")
		if hint := p.text("hint"); !strings.HasPrefix(hint, "Look for a Full House") {
			t.Errorf("the hint is %q", hint)
		}
	})
	test(t, "sound, typefaces and the full screen", func(t *testing.T) {
		p := open(t, map[string]any{"lang": "en"})
		defer p.end()
		p.cell(2, 6)
		p.key("7")
		p.want("sound", "")
		p.key("F2")
		p.set("Sound: a conflict, a full row, column or box, the end", true)
		p.set("Digits:", 1)
		p.press("OK")
		p.want("typeface", "serif")
		p.key("Delete", "7")
		p.want("sound", "conflict")
		p.key("4")
		p.want("sound", "unit")
		p.key("F11")
		if last := p.told[len(p.told)-1]; last["type"] != "fullscreen" {
			t.Errorf("the page was told %v", last)
		}
	})
	test(t, "Dutch at once", func(t *testing.T) {
		p := open(t, map[string]any{"lang": "de"})
		defer p.end()
		p.want("lang", "en")
		p.key("F2")
		p.set("Language:", 1)
		p.want("lang", "nl")
		p.want("status", "bezig")
		if d := p.dialog(); d == nil || d.Title != "Instellingen" {
			t.Errorf("the dialog is %+v", d)
		}
		if label := p.cells[0].Label; label != "rij 1, kolom 1: 8, gegeven" {
			t.Errorf("the cell is called %q", label)
		}
	})
	test(t, "a link, a file and the chooser", func(t *testing.T) {
		link := strings.Repeat(".", 79) + "12"
		p := open(t, map[string]any{"lang": "en", "puzzle": link})
		defer p.end()
		if d := p.dialog(); d == nil || d.Title != "Play the puzzle of the link?" {
			t.Fatalf("the dialog is %+v", d)
		}
		p.press("Play")
		p.want("state", "playing")
		if c := p.cells[80]; c.Digit != 2 || !c.Given {
			t.Errorf("the last cell is %+v", c)
		}
		p.messages <- Message{[]byte(`{"do":"file","name":"two.txt"}`), []byte(link + "\n" + strings.Repeat(".", 79) + "34\n")}
		synctest.Wait()
		if d := p.dialog(); d == nil || len(d.Controls[0].Rows) != 2 || d.Controls[0].Rows[1].Board != strings.Repeat(".", 79)+"34" {
			t.Fatalf("the dialog is %+v", d)
		}
		p.say(map[string]any{"do": "control", "dialog": p.dialog().ID, "at": 0, "value": 1})
		p.press("Play")
		if c := p.cells[80]; c.Digit != 4 {
			t.Errorf("the last cell is %+v", c)
		}
		p.say(map[string]any{"do": "text", "text": "no puzzle"})
		p.want("note", "what was pasted is not a puzzle: want 81 digits, with a dot for each empty cell")
	})
	test(t, "names that cannot be seen", func(t *testing.T) {
		p := open(t, map[string]any{"lang": "en"})
		defer p.end()
		p.act("savepoints")
		p.set("New:", "one\u202e\U000E0041\u007f אב")
		p.press("Save")
		p.act("savepoints")
		if got, want := p.dialog().Controls[2].Rows[0].Texts[0], `one\u202e\U000e0041\x7f אב`; got != want {
			t.Errorf("the save point is called %q, want %q", got, want)
		}
		link := strings.Repeat(".", 79) + "12\n"
		p.messages <- Message{[]byte(`{"do":"file","name":"\u202egnp.txt"}`), []byte(link + link)}
		synctest.Wait()
		if got, want := p.dialog().Controls[0].Rows[1].Texts[0], `\u202egnp 2`; got != want {
			t.Errorf("the puzzle is called %q, want %q", got, want)
		}
	})
	test(t, "export", func(t *testing.T) {
		p := open(t, map[string]any{"lang": "en"})
		defer p.end()
		for at, want := range map[int]string{0: "%PDF", 1: "\x89PNG", 2: "<svg", 3: "8 1 3", 5: "{"} {
			p.key("E")
			p.set("Export as:", at)
			p.press("Save")
			if !strings.HasPrefix(string(p.data), want) {
				t.Errorf("the file is %.20q, want %q", p.data, want)
			}
		}
		p.key("E")
		p.press("Copy a link to the puzzle")
		if last := p.told[len(p.told)-1]; last["link"] != true || len(last["text"].(string)) != 81 {
			t.Errorf("told %v", last)
		}
	})
	test(t, "a picture", func(t *testing.T) {
		givens, _ := gridOf("53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79")
		var png bytes.Buffer
		if err := picture.PNG(&png, &format.Game{Givens: givens}, 2, picture.White); err != nil {
			t.Fatal(err)
		}
		p := open(t, map[string]any{"lang": "en"})
		defer p.end()
		show := func(answer map[string]any) {
			t.Helper()
			p.messages <- Message{[]byte(`{"do":"file","name":"news.png"}`), png.Bytes()}
			synctest.Wait()
			if last := p.told[len(p.told)-1]; last["type"] != "picture" || !bytes.Equal(p.data, png.Bytes()) {
				t.Fatalf("told %v", last)
			}
			if d := p.dialog(); d == nil || d.Controls[0].Text != "reading news.png" {
				t.Fatalf("the dialog is %+v", d)
			}
			if answer != nil {
				answer["do"] = "read"
				p.say(answer)
			}
		}
		show(nil)
		p.press("Cancel")
		if last := p.told[len(p.told)-1]; last["type"] != "unpicture" {
			t.Errorf("told %v", last)
		}
		p.say(map[string]any{"do": "read", "noGrid": true})
		if d := p.dialog(); d != nil {
			t.Errorf("the dialog is %+v after Cancel", d)
		}
		show(map[string]any{"noGrid": true})
		p.press("OK")

		text, err := json.Marshal(reading.Read(t.Context(), png.Bytes()))
		if err != nil {
			t.Fatal(err)
		}
		var answer map[string]any
		if err := json.Unmarshal(text, &answer); err != nil {
			t.Fatal(err)
		}
		sudokus := answer["sudokus"].([]any)
		if sheet, err := base64.StdEncoding.DecodeString(sudokus[0].(map[string]any)["picture"].(string)); err != nil || !bytes.HasPrefix(sheet, []byte("\x89PNG")) {
			t.Errorf("the picture of the cells is %.20q, %v", sheet, err)
		}
		delete(sudokus[0].(map[string]any), "picture") // the page keeps it
		show(answer)
		d := p.dialog()
		if d == nil || d.Title != "news.png" || d.Controls[0].Text != "one solution" {
			t.Fatalf("the dialog is %+v", d)
		}
		if r := d.Controls[1].Board; sudoku.Grid(r.Digits) != givens || r.Labels[0] != "row 1, column 1: 5" || len(r.Guesses[0][0]) == 0 || r.Guesses[0][0][0].Digit != 5 {
			t.Errorf("it was read as %+v", r)
		}
		p.press("Play")
		p.want("state", "playing")
		p.want("puzzle", "news (1 of 25)")

		// The player corrects cells.
		sudokus[0].(map[string]any)["doubt"].([]any)[0].([]any)[0] = true
		show(answer)
		correct := func(value any) {
			p.say(map[string]any{"do": "control", "dialog": p.dialog().ID, "at": 1, "value": value})
		}
		if d := p.dialog(); d.Controls[0].Text != "one solution, 1 in doubt (?)" || d.Controls[1].Board.Labels[0] != "row 1, column 1: 5, in doubt" {
			t.Errorf("the dialog is %+v", d)
		}
		correct(map[string]any{"cell": 0, "digit": 0})
		correct(map[string]any{"cell": 1, "written": true})
		correct(map[string]any{"cell": 81, "digit": 1})
		correct(map[string]any{"cell": 2, "digit": 10})
		correct(map[string]any{"cell": 2, "written": true}) // there is no digit
		if d := p.dialog(); !strings.HasSuffix(d.Controls[0].Text, ", 1 handwritten (')") || d.Controls[1].Board.Labels[0] != "row 1, column 1: empty" || d.Controls[1].Board.Labels[1] != "row 1, column 2: 3, handwritten" {
			t.Errorf("the dialog is %+v", d)
		}
		p.press("Play")
		if c := p.cells[0]; c.Digit != 0 || p.cells[1].Digit != 3 || p.cells[1].Given || !p.cells[4].Given {
			t.Errorf("the cells are %+v, %+v and %+v", c, p.cells[1], p.cells[4])
		}

		// A picture with several.
		answer["sudokus"] = append(sudokus, sudokus[0])
		show(answer)
		p.set("Sudoku:", 1)
		sheet := p.dialog().Controls[2].Board.Sheet // the pictures of earlier readings remain
		if d := p.dialog(); sheet != 3 {
			t.Errorf("the sheet is %d in %+v", sheet, d)
		}

		// Another picture while it is compared, and one more while that is read.
		show(nil)
		show(answer)
		if d := p.dialog(); d.Controls[2].Board.Sheet != sheet+1 {
			t.Errorf("the dialog is %+v", d)
		}
		p.press("Cancel")
		if d := p.dialog(); d.Title != "news.png" || d.Controls[2].Board.Sheet != sheet {
			t.Errorf("the dialog is %+v", d)
		}
		p.press("Edit")
		p.want("state", "editing")
	})
	test(t, "a file that cannot be read", func(t *testing.T) {
		p := open(t, map[string]any{"lang": "en"})
		defer p.end()
		p.say(map[string]any{"do": "file", "error": "it is a folder"})
		if d := p.dialog(); d == nil || d.Controls[0].Text != "it is a folder" {
			t.Errorf("the dialog is %+v", d)
		}
	})
	test(t, "no puzzle has this name", func(t *testing.T) {
		p := open(t, map[string]any{"lang": "en"})
		defer p.end()
		p.key("O")
		before := p.text("puzzle")
		p.say(map[string]any{"do": "control", "dialog": p.dialog().ID, "at": 0, "value": -1})
		p.say(map[string]any{"do": "press", "dialog": p.dialog().ID, "at": 0})
		p.want("puzzle", before)
	})
	test(t, "the same note again", func(t *testing.T) {
		p := open(t, map[string]any{"lang": "en"})
		defer p.end()
		p.key("U")
		p.want("note", "nothing to undo")
		p.notes = nil
		p.key("U")
		if len(p.notes) != 1 || p.text("say") != "Nothing to undo." {
			t.Errorf("the notes are %s, said is %q", p.notes, p.text("say"))
		}
	})
	test(t, "a slow page", func(t *testing.T) { // says something of a dialog that is closed
		p := open(t, map[string]any{"lang": "en"})
		defer p.end()
		p.key("F1")
		id := p.dialog().ID
		p.press("OK")
		p.say(map[string]any{"do": "press", "dialog": id, "at": 1})
		p.say(map[string]any{"do": "control", "dialog": id + 1, "at": 99, "value": 1})
		if p.dialog() != nil {
			t.Error("a dialog is open")
		}
	})
}
