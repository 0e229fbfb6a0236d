package main

import (
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/scxmlrun/scxmlrun/charts"
	"github.com/scxmlrun/scxmlrun/cmd/internal/sudoku/shelf"
)

// playLines plays a chart in lines of text with the files of a folder, and returns what is
// shown. The lines are separated by commas.
func playLines(t *testing.T, home, chart, lines string, flags ...string) string {
	t.Helper()
	cmd := exec.Command(binary, append([]string{"--ui", "plain", chart}, flags...)...)
	cmd.Env = append(os.Environ(), shelf.Variable+"="+home)
	cmd.Stdin = strings.NewReader(strings.ReplaceAll(lines, ",", "\n") + "\n")
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Errorf("%v: %s", err, out)
	}
	return string(out)
}

// A new release of the chart, or a comment in its script, loses no game.
func TestEditedChartContinuesTheGame(t *testing.T) {
	dir, home := t.TempDir(), t.TempDir()
	for _, name := range []string{"sudoku.scxml", "sudoku.js"} {
		text, err := fs.ReadFile(charts.FS, name)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, name), text, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	chart := filepath.Join(dir, "sudoku.scxml")
	playLines(t, home, "charts/sudoku.scxml", "r1c1 8") // the built-in one
	for i, text := range []string{"", "// A comment.\n", "// Another one.\n"} {
		script, err := os.OpenFile(filepath.Join(dir, "sudoku.js"), os.O_APPEND|os.O_WRONLY, 0)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := script.WriteString(text); err != nil {
			t.Fatal(err)
		}
		if err := script.Close(); err != nil {
			t.Fatal(err)
		}
		if shown := playLines(t, home, chart, "resume,board"); !strings.Contains(shown, "r1   8  .  .    6  2") || strings.Contains(shown, "does not continue") {
			t.Errorf("%d: it shows %s", i, shown)
		}
	}
}

// --load and --save of a session use no other files, and neither does a chart that cannot
// continue a game.
func TestSessionsAreNotKept(t *testing.T) {
	home := filepath.Join(t.TempDir(), "home")
	snapshot := filepath.Join(t.TempDir(), "snapshot")
	playLines(t, home, "charts/sudoku.scxml", "r1c1 8", "--save", snapshot)
	playLines(t, home, "charts/sudoku.scxml", "r1c2 5", "--load", snapshot)
	playLines(t, home, filepath.Join("..", "..", "examples", "sudoku", "game", "testdata", "taponly.scxml"), "r1c1 8")
	if games, _ := filepath.Glob(filepath.Join(home, "games", "*")); len(games) > 0 {
		t.Errorf("the games are %q", games)
	}
}

// The flags of the board are refused elsewhere.
func TestFlagsOfTheBoard(t *testing.T) {
	for _, flag := range []string{"--fresh", "--lang=nl", "--vi"} {
		out, err := exec.Command(binary, "--ui", "json", flag, "charts/sudoku.scxml").CombinedOutput()
		if name, _, _ := strings.Cut(flag, "="); err == nil || !strings.Contains(string(out), name+" is for the Sudoku front end") {
			t.Errorf("%s: %v, %s", flag, err, out)
		}
	}
}
