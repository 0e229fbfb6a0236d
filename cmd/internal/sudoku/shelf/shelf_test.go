package shelf_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/scxmlrun/scxmlrun/cmd/internal/sudoku/shelf"
	"github.com/scxmlrun/scxmlrun/examples/sudoku"
	"github.com/scxmlrun/scxmlrun/examples/sudoku/format"
	"github.com/scxmlrun/scxmlrun/examples/sudoku/game"
)

// open opens a shelf in one folder, until the end of the test.
func open(t *testing.T, dir string) *shelf.Shelf {
	t.Helper()
	s, err := shelf.Open(dir, dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() }) // it may have been closed
	return s
}

// reopen closes a shelf and opens its folder again.
func reopen(t *testing.T, s *shelf.Shelf, dir string) *shelf.Shelf {
	t.Helper()
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	return open(t, dir)
}

// played returns a game of the n-th puzzle with a digit in row 9, column 9.
func played(n, digit int) *format.Game {
	g := &format.Game{Name: fmt.Sprint("puzzle ", n), Givens: sudoku.Grid{{n % 10, n / 10 % 10, n / 100 % 10, n / 1000}}}
	g.Progress = &format.Progress{Board: g.Givens, Mode: format.Paused, Time: 61 * time.Second}
	g.Progress.Board[8][8] = digit
	g.Progress.Moves = []format.Move{{{Row: 8, Col: 8, Of: format.OfDigit, New: digit}}}
	return g
}

func save(t *testing.T, s *shelf.Shelf, games ...*format.Game) {
	t.Helper()
	for _, g := range games {
		if err := s.Save(g); err != nil {
			t.Fatal(err)
		}
	}
}

// same fails unless a game is the wanted one.
func same(t *testing.T, got *format.Game, err error, want *format.Game) {
	t.Helper()
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v, %v, want %+v", got, err, want)
	}
}

// file returns the file of a game.
func file(dir string, g *format.Game) string {
	return filepath.Join(dir, "games", strings.ReplaceAll(g.Givens.String(), ".", "0")+".json")
}

func TestGamesAreKept(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "new", "folder")
	s := open(t, dir)
	last, err := s.Last()
	same(t, last, err, nil)
	found, err := s.Find(played(1, 5).Givens)
	same(t, found, err, nil)

	save(t, s, played(1, 5), played(2, 6), played(1, 7))
	s = reopen(t, s, dir)
	last, err = s.Last()
	same(t, last, err, played(1, 7))
	found, err = s.Find(played(2, 0).Givens)
	same(t, found, err, played(2, 6))

	// A look at a puzzle does not replace its game.
	save(t, s, &format.Game{Givens: played(2, 0).Givens})
	last, err = s.Last()
	same(t, last, err, played(2, 6))
}

func TestListSaysHowFarGamesAre(t *testing.T) {
	dir := t.TempDir()
	s := open(t, dir)
	save(t, s, played(1, 5), played(2, 6))
	if err := os.Chtimes(file(dir, played(1, 0)), time.Now(), time.Now().Add(time.Hour)); err != nil {
		t.Fatal(err)
	}
	list, err := s.List()
	if err != nil || len(list) != 2 {
		t.Fatalf("got %+v, %v", list, err)
	}
	got := list[0]
	got.Saved = time.Time{}
	if got.File != file(dir, played(1, 0)) {
		t.Errorf("the file is %q", got.File)
	}
	got.File = ""
	want := shelf.Progress{Name: "puzzle 1", Givens: played(1, 0).Givens, Board: played(1, 5).Progress.Board, Mode: format.Paused, Filled: 1, Empty: 79, Time: 61 * time.Second}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v, want %+v", got, want)
	}
}

// One process writes at a time. The others read what it has saved, except the game that it plays.
func TestSecondWindowIsNotSaved(t *testing.T) {
	dir := t.TempDir()
	first := open(t, dir)
	save(t, first, played(1, 5))
	second, err := shelf.Open(dir, dir)
	if !errors.Is(err, game.ErrInUse) || !second.Readonly() || first.Readonly() {
		t.Fatalf("got %v", err)
	}
	last, err := second.Last()
	same(t, last, err, nil)
	found, err := second.Find(played(1, 0).Givens)
	same(t, found, err, played(1, 5))
	if err := second.Save(played(1, 9)); !errors.Is(err, game.ErrInUse) {
		t.Errorf("it says %v", err)
	}
	if err := second.Save(played(1, 8)); err != nil {
		t.Errorf("it says again: %v", err)
	}
	if err := second.Add(shelf.Result{}); !errors.Is(err, game.ErrInUse) {
		t.Errorf("a result: %v", err)
	}
	if err := second.Close(); err != nil {
		t.Errorf("it says at the end: %v", err)
	}
	first = reopen(t, first, dir)
	last, err = first.Last()
	same(t, last, err, played(1, 5))
}

// Damaged files are set aside, and the message says where they are.
func TestDamagedGamesAreSetAside(t *testing.T) {
	other := played(3, 3)
	dir := t.TempDir()
	s := open(t, dir)
	save(t, s, other)
	content, err := os.ReadFile(file(dir, other))
	if err != nil {
		t.Fatal(err)
	}
	for what, text := range map[string]string{
		"nothing": "", "zeros": strings.Repeat("\x00", 100), "half of it": string(content[:len(content)/2]), "another puzzle": string(content),
		"two games": string(content) + string(content), "no saved game": strings.Repeat(".", 81) + "\n", "too much": strings.Repeat(" ", 6<<20),
	} {
		name := file(dir, played(1, 0))
		for _, read := range []func() error{
			func() error { g, err := s.Find(played(1, 0).Givens); same(t, g, nil, nil); return err },
			func() error { _, err := s.List(); return err },
		} {
			save(t, s, played(1, 5))
			if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
			err := read()
			if err == nil || !strings.Contains(err.Error(), strings.Trim(strconv.Quote(name+".damaged-"), `"`)) {
				t.Errorf("%s: it says %v", what, err)
			}
			all, _ := filepath.Glob(name + ".damaged-*")
			if len(all) == 0 {
				t.Fatalf("%s: nothing was set aside", what)
			}
			if got, err := os.ReadFile(all[len(all)-1]); err != nil || string(got) != text {
				t.Errorf("%s: %.20q, %v is set aside", what, got, err)
			}
			if _, err := os.Lstat(name); err == nil {
				t.Errorf("%s: it is still there", what)
			}
			for _, damaged := range all {
				if err := os.Remove(damaged); err != nil {
					t.Fatal(err)
				}
			}
		}
	}
	last, err := s.Last()
	same(t, last, err, nil)
	list, err := s.List()
	if len(list) != 1 || err != nil {
		t.Errorf("the list has %+v, %v", list, err)
	}
}

// What is set aside gets a name that is free.
func TestSetAsideReplacesNothing(t *testing.T) {
	dir := t.TempDir()
	s := open(t, dir)
	for n := range 3 {
		save(t, s, played(1, n+1))
		if err := s.SetAside(played(1, 0).Givens); err != nil {
			t.Fatal(err)
		}
	}
	if err := s.SetAside(played(2, 0).Givens); err != nil {
		t.Errorf("without a game: %v", err)
	}
	if all, _ := filepath.Glob(file(dir, played(1, 0)) + ".old-*"); len(all) != 3 {
		t.Errorf("got %q", all)
	}
}

// The oldest games that are over make room for new ones; unfinished ones stay.
func TestNumberOfGamesIsBounded(t *testing.T) {
	const most = 2000
	dir := t.TempDir()
	s := open(t, dir)
	save(t, s, played(1, 5)) // unfinished, and made the oldest below
	old := time.Now().Add(-time.Hour)
	for n := 2; n <= most; n++ {
		g := played(n, 5)
		g.Progress.Mode = format.Solved
		text := fmt.Sprintf(`{"sudoku":2,"givens":%q,"board":%q,"mode":"solved"}`, g.Givens.String(), g.Progress.Board.String())
		if err := os.WriteFile(file(dir, g), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if n < 500 {
			if err := os.Chtimes(file(dir, g), old, old.Add(time.Duration(n)*time.Second)); err != nil {
				t.Fatal(err)
			}
		}
	}
	if err := os.Chtimes(file(dir, played(1, 0)), old, old); err != nil {
		t.Fatal(err)
	}
	save(t, s, played(most+1, 5))
	list, err := s.List()
	if err != nil || len(list) != most*9/10 {
		t.Fatalf("%d games are left, %v", len(list), err)
	}
	if found, err := s.Find(played(1, 0).Givens); found == nil {
		t.Errorf("the unfinished game is gone: %v", err)
	}
	if found, _ := s.Find(played(2, 0).Givens); found != nil {
		t.Error("the oldest game that is over is still there")
	}
	if found, _ := s.Find(played(600, 0).Givens); found == nil {
		t.Error("a newer game is gone")
	}
}

// A folder that cannot be written costs one message, and play continues.
func TestFolderThatCannotBeWritten(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	s, err := shelf.Open(filepath.Join(file, "state"), filepath.Join(file, "config"))
	if err == nil || !s.Readonly() {
		t.Fatalf("got %v", err)
	}
	if again := s.Save(played(1, 5)); again == nil || again.Error() != err.Error() {
		t.Errorf("got %v, want %v", again, err)
	}
	if err := s.Save(played(1, 6)); err != nil {
		t.Errorf("it says again: %v", err)
	}
	if err := s.Close(); err != nil {
		t.Errorf("it says at the end: %v", err)
	}
	if list, err := s.List(); len(list) != 0 {
		t.Errorf("got %v, %v", list, err)
	}
	if err := s.SaveSettings(shelf.Settings{}); err == nil {
		t.Error("the settings were kept")
	}
}

// A folder that vanishes and returns costs one message.
func TestSaveSucceedsAgain(t *testing.T) {
	dir := t.TempDir()
	s := open(t, dir)
	games := filepath.Join(dir, "games")
	if err := os.Remove(games); err != nil {
		t.Fatal(err)
	}
	for i, want := range []bool{true, false} {
		if err := s.Save(played(1, 5+i)); (err != nil) != want {
			t.Errorf("%d: got %v", i, err)
		}
	}
	if err := s.Close(); err == nil {
		t.Error("nothing is said at the end about a game that is lost")
	}
	s = open(t, dir) // makes the folder
	if err := os.Remove(games); err != nil {
		t.Fatal(err)
	}
	if err := s.Save(played(1, 6)); err == nil {
		t.Error("it says nothing about a folder that is gone")
	}
	if err := os.Mkdir(games, 0o700); err != nil {
		t.Fatal(err)
	}
	save(t, s, played(1, 7))
	s = reopen(t, s, dir)
	last, err := s.Last()
	same(t, last, err, played(1, 7))
}

// Folders without names keep nothing.
func TestNoFolders(t *testing.T) {
	s, err := shelf.Open("", "")
	if err != nil || !s.Readonly() {
		t.Fatal(err)
	}
	save(t, s, played(1, 5))
	if err := errors.Join(s.Add(shelf.Result{}), s.SaveSettings(shelf.Defaults()), s.SetAside(sudoku.Grid{})); err != nil {
		t.Error(err)
	}
	last, err := s.Last()
	same(t, last, err, nil)
	found, err := s.Find(played(1, 5).Givens)
	same(t, found, err, nil)
	if results, err := s.Results(); results != nil || err != nil {
		t.Error(results, err)
	}
	if err := s.Close(); err != nil {
		t.Error(err)
	}
}

func TestFolders(t *testing.T) {
	dir := t.TempDir()
	t.Setenv(shelf.Variable, dir)
	if state, config, err := shelf.Folders(); state != dir || config != dir || err != nil {
		t.Errorf("got %q, %q, %v", state, config, err)
	}
}
