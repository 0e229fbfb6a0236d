package tui

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/gdamore/tcell/v2"

	"github.com/scxmlrun/scxmlrun/cmd/internal/sudoku/action"
	"github.com/scxmlrun/scxmlrun/cmd/internal/sudoku/export"
	"github.com/scxmlrun/scxmlrun/cmd/internal/sudoku/shelf"
	"github.com/scxmlrun/scxmlrun/examples/sudoku"
)

// Every action of the table can be found: it has a key, or it is in a menu. No key of old
// terminals is bound, and no key is bound twice for the same state.
func TestTable(t *testing.T) {
	p := new(Player)
	p.Init()
	p.addOwn()
	names, own := map[string]bool{}, p.Own
	for _, vi := range []bool{false, true} {
		seen := map[string]string{}
		for _, a := range action.Table() {
			if !vi {
				if names[a.Name] {
					t.Errorf("two actions are called %q", a.Name)
				}
				names[a.Name] = true
				if a.Keys == "" && a.Menu == action.NoMenu {
					t.Errorf("nothing leads to %q", a.Name)
				}
				if a.Name == "full-screen" || a.Name == "draw" { // of the page
					continue
				}
				if (a.Inputs == nil) != (own[a.Name] != nil) {
					t.Errorf("%q must either have inputs or be an own action", a.Name)
				}
			}
			for _, key := range a.KeyNames(vi) {
				switch key {
				case "Ctrl+H", "Ctrl+I", "Ctrl+J", "Ctrl+M", "Ctrl+[":
					t.Errorf("%q has the key %s, which is another one in old terminals", a.Name, key)
				case "Ctrl+C":
					t.Errorf("%q has the key of interrupting", a.Name)
				}
				if other, ok := seen[key]; ok && a.When == nil && other != "" {
					t.Errorf("%q and %q have the key %s", other, a.Name, key)
				}
				if seen[key] = ""; a.When == nil {
					seen[key] = a.Name
				}
			}
		}
	}
	for state, line := range keyLines {
		for name := range strings.FieldsSeq(line + " cancel " + panelButtons[state] + " " + otherButtons) {
			if !names[name] {
				t.Errorf("the key line of state %d has %q, which is not an action", state, name)
			}
		}
	}
}

// The menu shows each action with its key, greys out what is not possible, and does what
// is chosen.
func TestMenuBar(t *testing.T) {
	for _, size := range [][2]int{{80, 24}, {40, 16}, {minWidth, minHeight}} {
		play(t, setting{width: size[0], height: size[1]}, func(t *testing.T, d *desk) {
			d.keys("f10")
			d.shows("Game", "New game…", "N │")
			d.keys("n") // the chart here may not make puzzles; then it is greyed out
			d.keys("esc", "f10", "end", "enter")
			if err := d.end(); err != nil {
				t.Errorf("%v: got %v", size, err)
			}
		})
	}
}

// The help page has all keys, in any language.
func TestHelpPage(t *testing.T) {
	for lang, want := range map[string][]string{"en": {"Keys and rules", "Each row"}, "nl": {"Toetsen en regels", "Elke rij"}} {
		settings := shelf.Defaults()
		settings.Lang = lang
		play(t, setting{settings: &settings, height: 120}, func(t *testing.T, d *desk) {
			d.keys("f1")
			d.shows(want...)
			d.shows("Alt+1-9", "Ctrl+Z", "Shift+F10")
			d.keys("enter")
			d.hides(want...)
		})
	}
}

// The chooser finds puzzles by typing.
func TestChooser(t *testing.T) {
	puzzles := sudoku.Puzzles()
	folder := t.TempDir()
	mine := strings.Repeat(".", 80) + "7"
	if err := os.WriteFile(filepath.Join(folder, "mine.sdm"), []byte(mine+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, size := range [][2]int{{80, 24}, {minWidth, minHeight}} {
		play(t, setting{width: size[0], height: size[1], folder: folder}, func(t *testing.T, d *desk) {
			d.keys("o")
			d.shows("Choose a puzzle", puzzles[0].Name)
			d.keys("hard-3")
			d.shows("Find: hard-3", "19-hard-3")
			if size[0] == 80 { // where there is room
				d.shows("ER 4.2")
			}
			d.hides("hard-4")
			d.keys("enter")
			d.showsGrid(puzzles[18].Grid)
			d.shows("playing")
			d.keys("o", "mine", "enter")
			d.showsGrid(sudoku.Grid{8: {8: 7}})
			d.keys("o", "esc")
			d.showsGrid(sudoku.Grid{8: {8: 7}})
			d.keys("o", "no such puzzle", "tab", "enter") // nothing to play
			d.showsGrid(sudoku.Grid{8: {8: 7}})
		})
	}
}

// A puzzle that is pasted can be played; other text cannot do anything.
func TestPaste(t *testing.T) {
	play(t, setting{}, func(t *testing.T, d *desk) {
		d.paste("quit\n")
		d.shows("not a puzzle")
		d.paste(strings.Repeat(".", 80) + "5")
		d.shows("Play the puzzle that was pasted?", "It has 1 digits.", "several solutions")
		d.keys("esc")
		d.showsGrid(sudoku.Puzzles()[0].Grid)
		d.paste(strings.Repeat("0", 80) + "5\n")
		d.keys("enter")
		d.showsGrid(sudoku.Grid{8: {8: 5}})
		d.shows("playing")
	})
}

// paste pastes a text, as terminals with bracketed paste do.
func (d *desk) paste(text string) {
	d.t.Helper()
	post := func(ev tcell.Event) {
		if err := d.screen.PostEvent(ev); err != nil {
			d.t.Fatal(err)
		}
		synctest.Wait()
	}
	post(tcell.NewEventPaste(true))
	for _, r := range text {
		if r == '\n' {
			d.keys("enter")
			continue
		}
		d.keys(string(r))
	}
	post(tcell.NewEventPaste(false))
}

// A file is written as its ending says, and another one is not replaced without a question.
func TestExport(t *testing.T) {
	dir := t.TempDir()
	play(t, setting{}, func(t *testing.T, d *desk) {
		for _, ending := range []string{".csv", ".txt", ".png", ".pdf", ".json"} {
			name := filepath.Join(dir, "a"+ending)
			d.keys("e")
			d.shows("Export", "01-nearly-solved.pdf")
			d.retype(name)
			d.shows("written")
			if _, err := os.Stat(name); err != nil {
				t.Error(err)
			}
		}
		name := filepath.Join(dir, "a.csv")
		if err := os.WriteFile(name, []byte("mine"), 0o600); err != nil {
			t.Fatal(err)
		}
		d.keys("w")
		d.retype(name)
		d.shows("exists")
		d.keys("c") // cancel
		if content, err := os.ReadFile(name); string(content) != "mine" || err != nil {
			t.Errorf("got %q, %v", content, err)
		}
		d.keys("w")
		d.retype(name)
		d.keys("r")
		if games, err := export.Load(name); err != nil || len(games) != 1 {
			t.Errorf("got %v, %v", games, err)
		}
		d.keys("w")
		d.retype(filepath.Join(dir, "a.doc"))
		d.shows("Not written", ".doc")
	})
}

// Printing asks before, and says what went wrong.
func TestPrint(t *testing.T) {
	t.Setenv("PATH", t.TempDir())
	play(t, setting{}, func(t *testing.T, d *desk) {
		d.keys("ctrl+p")
		d.shows("default printer")
		d.keys("enter")
		d.shows("Not printed", `"lp"`)
	})
}

// retype replaces the text of a field, and presses Enter.
func (d *desk) retype(text string) {
	for range 60 {
		d.keys("backspace")
	}
	d.keys(text, "enter")
}

// A file with one puzzle is opened, and from one with several the player chooses.
func TestOpenFile(t *testing.T) {
	dir := t.TempDir()
	one, two := filepath.Join(dir, "one.sdm"), filepath.Join(dir, "two.sdm")
	for name, content := range map[string]string{one: strings.Repeat(".", 80) + "1\n", two: strings.Repeat(".", 80) + "2\n" + strings.Repeat(".", 80) + "3\n"} {
		if err := os.WriteFile(name, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	play(t, setting{}, func(t *testing.T, d *desk) {
		open := func(name string) {
			d.screen.InjectKey(tcell.KeyCtrlO, 0, 0)
			synctest.Wait()
			d.retype(name)
		}
		open(one)
		d.showsGrid(sudoku.Grid{8: {8: 1}})
		open(two)
		d.shows("two 1", "two 2")
		d.keys("down", "enter")
		d.showsGrid(sudoku.Grid{8: {8: 3}})
		open(filepath.Join(dir, "none"))
		d.shows("Not opened", "none")
	})
}

// Settings take effect at once, and are remembered.
func TestSettings(t *testing.T) {
	dir := t.TempDir()
	s, err := shelf.Open(dir, dir)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	play(t, setting{shelf: s}, func(t *testing.T, d *desk) {
		d.keys("f2")
		d.shows("Settings", "Theme:", "Language:")
		d.keys("right", "tab", "tab", "tab", "right") // the next theme and language
		d.shows("Instellingen", "Taal:")
		d.keys("esc", "f10")
		d.shows("Spel", "Beeld")
		d.keys("esc", "ctrl+f")
	})
	got, err := s.Settings()
	if err != nil || got.Lang != "nl" || got.Theme == "" || got.Panel {
		t.Errorf("got %+v, %v", got, err)
	}
}

// The page of results has a part for each level that was played.
func TestStatistics(t *testing.T) {
	dir := t.TempDir()
	s, err := shelf.Open(dir, dir)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	for range 3 {
		if err := s.Add(shelf.Result{Level: 2, Time: 61e9, Givens: strings.Repeat("0", 81)}); err != nil {
			t.Fatal(err)
		}
	}
	play(t, setting{shelf: s}, func(t *testing.T, d *desk) {
		d.keys("t")
		d.shows("Times and counts", "Easy", "1:01", "longest streak")
		d.hides("medium")
	})
}

// What cannot be undone asks before.
func TestQuestions(t *testing.T) {
	puzzle := sudoku.Puzzle{Name: "mine", Grid: sudoku.Grid{{0, 2}}}
	play(t, setting{puzzles: []sudoku.Puzzle{puzzle, {Name: "other"}}}, func(t *testing.T, d *desk) {
		d.keys("1")
		entered := sudoku.Grid{{1, 2}}
		for _, key := range []string{"q", "]", "["} {
			d.keys(key)
			d.shows("Leave this puzzle")
			d.keys("esc")
			d.showsGrid(entered)
		}
		d.keys("S")
		d.shows("Restart", "All your entries")
		d.keys("tab", "enter") // cancel
		d.showsGrid(entered)
		d.keys("S", "r")
		d.showsGrid(puzzle.Grid)
		d.keys("]") // nothing is lost
		d.shows("other (")
	})
}
