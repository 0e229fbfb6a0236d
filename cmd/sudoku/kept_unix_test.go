//go:build unix

package main

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/scxmlrun/scxmlrun/cmd/internal/sudoku/shelf"
	"github.com/scxmlrun/scxmlrun/examples/sudoku"
	"github.com/scxmlrun/scxmlrun/examples/sudoku/format"
)

// playLines plays in lines of text with the files of a folder, and returns what is shown.
// The lines are separated by commas.
func playLines(t *testing.T, home string, status int, lines string, args ...string) string {
	t.Helper()
	cmd := exec.Command(binary, append([]string{"play", "--ui", "plain"}, args...)...)
	cmd.Env = append(os.Environ(), shelf.Variable+"="+home)
	cmd.Stdin = strings.NewReader(strings.ReplaceAll(lines, ",", "\n") + "\n")
	out, _ := cmd.CombinedOutput()
	if got := cmd.ProcessState.ExitCode(); got != status {
		t.Errorf("%q: exit status %d, want %d: %s", args, got, status, out)
	}
	return string(out)
}

// kept returns the game of the n-th puzzle, and the one that was played last.
func kept(t *testing.T, home string, n int) (game, last *format.Game) {
	t.Helper()
	s, err := shelf.Open(home, home)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	if game, err = s.Find(sudoku.Puzzles()[n].Grid); err != nil {
		t.Error(err)
	}
	if last, err = s.Last(); err != nil {
		t.Error(err)
	}
	return game, last
}

// easy is the index of the puzzle that a new player gets.
const easy = 10

// digit returns the digit of a cell in a game; -1 without a game.
func digit(g *format.Game, row, col int) int {
	if g == nil {
		return -1
	}
	return g.Board()[row-1][col-1]
}

// The next start continues the game, and a puzzle that was left has kept its progress.
func TestGameContinues(t *testing.T) {
	home := filepath.Join(t.TempDir(), "home")
	playLines(t, home, 0, "r1c1 8")
	if shown := playLines(t, home, 0, "resume,r1c2"); !strings.Contains(shown, "52 cells are empty") {
		t.Errorf("it does not continue: %s", shown)
	}
	playLines(t, home, 0, "next,r1c1 1")
	first, last := kept(t, home, easy)
	second, _ := kept(t, home, easy+1)
	if digit(first, 1, 1) != 8 || second == nil || last.Givens != second.Givens {
		t.Errorf("got %+v, %+v and as the last one %+v", first, second, last)
	}
}

// A game of --save keeps its file when the player begins another puzzle, which goes to the
// shelf.
func TestOtherPuzzleDoesNotReplaceSavedGame(t *testing.T) {
	for _, fresh := range []bool{false, true} {
		home := t.TempDir()
		file := filepath.Join(home, "game.json")
		args := []string{"--save", file}
		if fresh {
			args = append(args, "--fresh")
		}
		playLines(t, home, 0, "r1c1 8,next,r1c1 1,quit", args...)
		content, err := os.ReadFile(file)
		if err != nil || !strings.Contains(string(content), `"r1c1=>8"`) || bytes.Count(content, []byte("\n")) != 1 {
			t.Errorf("fresh %v: the file has %s, %v", fresh, content, err)
		}
		first, _ := kept(t, home, easy)
		second, _ := kept(t, home, easy+1)
		if first != nil || (second == nil) != fresh {
			t.Errorf("fresh %v: the shelf has %+v and %+v", fresh, first, second)
		}
	}
}

// The result of a game counts wherever the game is kept.
func TestResultsOfSavedGames(t *testing.T) {
	home, dir := t.TempDir(), t.TempDir()
	playLines(t, home, 0, "r3c7 4,r7c3 8", "--save", filepath.Join(dir, "solved.json"), sudoku.Puzzles()[0].Grid.String())
	playLines(t, home, 0, "r1c1 8,stop,yes", "--save", filepath.Join(dir, "given-up.json"))
	results, err := shelf.Read(home, home).Results()
	if err != nil || len(results) != 2 || results[0].GivenUp || !results[1].GivenUp {
		t.Errorf("got %+v, %v", results, err)
	}
}

// A game that is loaded from a file is kept, and does not replace one of the same puzzle.
func TestLoadedGameIsKept(t *testing.T) {
	home := t.TempDir()
	file := filepath.Join(home, "game.json")
	playLines(t, home, 0, "r1c1 8", "--save", file)
	playLines(t, home, 0, "r1c2 5")
	playLines(t, home, 0, "quit", "--load", file)
	game, last := kept(t, home, easy)
	if digit(game, 1, 1) != 8 || digit(game, 1, 2) != 0 || last == nil {
		t.Errorf("got %+v", game)
	}
	if old, _ := filepath.Glob(filepath.Join(home, "games", "*.old-1")); len(old) != 1 {
		t.Error("the game that was kept before is gone")
	}
}

// --fresh neither reads nor writes.
func TestFresh(t *testing.T) {
	home := t.TempDir()
	playLines(t, home, 0, "r1c1 8")
	before := files(t, home)
	if shown := playLines(t, home, 0, "r1c1 9,next", "--fresh"); !strings.Contains(shown, "53 cells are empty") {
		t.Errorf("it shows %s", shown)
	}
	if after := files(t, home); after != before {
		t.Errorf("before\n%s\nafter\n%s", before, after)
	}
	none := filepath.Join(t.TempDir(), "none")
	playLines(t, none, 0, "r1c1 8", "--fresh")
	if _, err := os.Stat(none); err == nil {
		t.Error("the folder was made")
	}
}

// files returns the names and contents of the files in a folder.
func files(t *testing.T, dir string) string {
	t.Helper()
	all := ""
	err := filepath.WalkDir(dir, func(name string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		content, err := os.ReadFile(name)
		all += fmt.Sprintf("%s: %s\n", name, content)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// The player can play where nothing can be kept, and reads once why.
func TestNothingCanBeKept(t *testing.T) {
	shown := playLines(t, os.DevNull, 0, "r1c1 8,r1c1 5,next,r1c1 1")
	if strings.Count(shown, "cannot keep games") != 1 || !strings.Contains(shown, "52 cells are empty") {
		t.Errorf("it shows %s", shown)
	}
	home := t.TempDir()
	playLines(t, home, 0, "r1c1 8")
	cmd := exec.Command("sh", "-c", `ulimit -f 0; exec "$0" play --ui plain`, binary)
	cmd.Env = append(os.Environ(), shelf.Variable+"="+home)
	cmd.Stdin = strings.NewReader("resume\nr1c2 1\nr1c2 2\nr1c2 3\n")
	out, _ := cmd.CombinedOutput()
	if got := cmd.ProcessState.ExitCode(); got != 1 || strings.Count(string(out), "too large") != 2 || !strings.Contains(string(out), "Row 1, column 2: 3.") {
		t.Errorf("with a full disk: exit status %d: %s", got, out)
	}
	if game, _ := kept(t, home, easy); digit(game, 1, 1) != 8 || digit(game, 1, 2) != 0 {
		t.Errorf("with a full disk: got %+v", game)
	}
}

// What is damaged is set aside, and the player is told.
func TestDamagedFiles(t *testing.T) {
	home := t.TempDir()
	playLines(t, home, 0, "r1c1 8")
	all, _ := filepath.Glob(filepath.Join(home, "games", "*.json"))
	if len(all) != 1 {
		t.Fatalf("the games are %q", all)
	}
	for _, name := range []string{all[0], filepath.Join(home, "settings.json")} {
		if err := os.WriteFile(name, []byte("{"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	shown := playLines(t, home, 0, "start")
	if !strings.Contains(shown, "settings.json:1: ") || !strings.Contains(shown, ".json.damaged-1") || !strings.Contains(shown, "53 cells are empty") {
		t.Errorf("it shows %s", shown)
	}
}

// A second window is not saved, and says so.
func TestSecondWindow(t *testing.T) {
	home := t.TempDir()
	first := exec.Command(binary, "play", "--ui", "plain")
	first.Env = append(os.Environ(), shelf.Variable+"="+home)
	p := startTerminal(t, first)
	p.Types("r1c1 8\r")
	p.Shows("52 cells are empty")
	shown := playLines(t, home, 0, "r1c1 9,r1c1 8")
	if strings.Count(shown, "another window has the games") != 1 || !strings.Contains(shown, "53 cells are empty") {
		t.Errorf("the second window shows %s", shown)
	}
	p.Types("quit\r")
	p.Ends(0)
	if game, _ := kept(t, home, easy); digit(game, 1, 1) != 8 {
		t.Errorf("got %+v", game)
	}
}

// A kill at any moment loses at most the last key.
func TestGameThatIsKilledLosesAtMostOneMove(t *testing.T) {
	if testing.Short() {
		t.Skip("kills the game a hundred times")
	}
	home, dir := t.TempDir(), t.TempDir()
	file := filepath.Join(dir, "empty.txt")
	if err := os.WriteFile(file, []byte(strings.Repeat(".", 81)+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	random := rand.New(rand.NewPCG(1, 2))
	shown := 0 // moves
	for range 100 {
		cmd := exec.Command(binary, "play", "--ui", "plain", "--open", file)
		cmd.Env = append(os.Environ(), shelf.Variable+"="+home)
		stdin, err := cmd.StdinPipe()
		if err != nil {
			t.Fatal(err)
		}
		stdout, err := cmd.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		var killer *time.Timer
		kill := func(within time.Duration) {
			killer = time.AfterFunc(time.Duration(random.Int64N(int64(within))), func() { cmd.Process.Kill() })
		}
		early := random.IntN(10) == 0
		if early { // while it starts
			kill(200 * time.Millisecond)
		}
		// An error of a write says that the process has ended.
		_, _ = io.WriteString(stdin, "start\n")
		move := func() { _, _ = fmt.Fprintf(stdin, "r5c5 %d\n", 1+shown%9) }
		lines := bufio.NewScanner(stdout)
		move()
		for lines.Scan() {
			if !strings.Contains(lines.Text(), fmt.Sprintf("Row 5, column 5: %d", 1+shown%9)) {
				continue
			}
			shown++
			if killer == nil {
				kill(30 * time.Millisecond)
			}
			move()
		}
		killer.Stop()
		if err := cmd.Wait(); cmd.ProcessState.ExitCode() != -1 {
			t.Fatalf("it was not killed: %v", err)
		}
		s, err := shelf.Open(home, home)
		if err != nil {
			t.Fatal(err)
		}
		g, err := s.Find(sudoku.Grid{})
		saved := 0
		if g != nil && g.Progress != nil {
			saved = len(g.Progress.Moves)
		}
		if err != nil || saved < shown-1 || saved > shown+1 {
			t.Fatalf("%d moves were shown, and %d are saved: %v", shown, saved, err)
		}
		if saved > 0 && digit(g, 5, 5) != 1+(saved-1)%9 {
			t.Fatalf("after %d moves the digit is %d", saved, digit(g, 5, 5))
		}
		shown = saved
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
	}
	if shown < 50 { // most processes make at least one
		t.Errorf("only %d moves were made", shown)
	}
}
