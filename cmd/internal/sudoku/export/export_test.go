package export_test

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/scxmlrun/scxmlrun/cmd/internal/sudoku/export"
	"github.com/scxmlrun/scxmlrun/examples/sudoku"
	"github.com/scxmlrun/scxmlrun/examples/sudoku/format"
)

func game() *format.Game {
	g := &format.Game{Name: "Ada's n° 1", Givens: sudoku.Puzzles()[0].Grid}
	g.Progress = &format.Progress{Board: g.Givens}
	return g
}

// Every ending that is offered can be written, and what can be read is the same puzzle.
func TestEveryEnding(t *testing.T) {
	signatures := map[string]string{".pdf": "%PDF-", ".png": "\x89PNG", ".svg": "<svg"}
	for _, ending := range export.Endings() {
		name := filepath.Join(t.TempDir(), "game"+strings.ToUpper(ending))
		if err := export.File(name, game(), false); err != nil {
			t.Errorf("%s: %v", ending, err)
			continue
		}
		if want, ok := signatures[ending]; ok {
			if content, err := os.ReadFile(name); err != nil || !bytes.HasPrefix(content, []byte(want)) {
				t.Errorf("%s: it begins with %.20q, %v", ending, content, err)
			}
			continue
		}
		games, err := export.Load(name)
		if err != nil || len(games) != 1 || games[0].Givens != game().Givens {
			t.Errorf("%s: got %d games, %v", ending, len(games), err)
		}
	}
}

// Nothing is overwritten unless the player has said so.
func TestFileAsksBeforeItReplaces(t *testing.T) {
	name := filepath.Join(t.TempDir(), "game.csv")
	if err := os.WriteFile(name, []byte("mine"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := export.File(name, game(), false); !errors.Is(err, fs.ErrExist) {
		t.Errorf("got %v", err)
	}
	if content, err := os.ReadFile(name); string(content) != "mine" || err != nil {
		t.Errorf("the file has %q, %v", content, err)
	}
	if err := export.File(name, game(), true); err != nil {
		t.Error(err)
	}
	if games, err := export.Load(name); err != nil || len(games) != 1 {
		t.Errorf("got %v, %v", games, err)
	}
}

func TestNamesOfFiles(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("HOME", dir)        // Unix
	t.Setenv("USERPROFILE", dir) // Windows
	if err := export.File("~/game.json", game(), false); err != nil {
		t.Error(err)
	}
	if games, err := export.Load("~/game.json"); err != nil || len(games) != 1 {
		t.Errorf("got %v, %v", games, err)
	}
	for name, want := range map[string]string{
		"": "want one that ends in", "game": "want one that ends in .csv", "game.doc": "want one that ends in", ".csv": "want one that ends in",
		filepath.Join(dir, "no", "game.csv"): "does not exist", dir + "/.csv": "want one that ends in",
	} {
		if err := export.File(name, game(), false); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", name, err, want)
		}
	}
	for _, name := range []string{"", dir, filepath.Join(dir, "no"), os.DevNull} {
		if games, err := export.Load(name); err == nil {
			t.Errorf("%q has %v", name, games)
		}
	}
	for name, want := range map[string]string{"Ada's n° 1": "Ada-s-n--1.pdf", "": "sudoku.pdf", "../../etc": "etc.pdf", "04-beginner-1": "04-beginner-1.pdf"} {
		if got := export.Name(&format.Game{Name: name}, ".pdf"); got != want {
			t.Errorf("%q: got %q, want %q", name, got, want)
		}
	}
}
