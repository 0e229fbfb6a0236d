//go:build unix

package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/creack/pty"

	"github.com/scxmlrun/scxmlrun/cmd/internal/clitest"
	"github.com/scxmlrun/scxmlrun/cmd/internal/sudoku/shelf"
	"github.com/scxmlrun/scxmlrun/examples/sudoku"
	"github.com/scxmlrun/scxmlrun/examples/sudoku/compare"
)

const patience = 30 * time.Second

func startTerminal(t *testing.T, cmd *exec.Cmd) *clitest.Terminal {
	t.Helper()
	if cmd.Env == nil { // else it continues the game of another terminal
		cmd.Env = append(os.Environ(), shelf.Variable+"="+t.TempDir())
	}
	cmd.Env = append(cmd.Env, "TERM=xterm-256color", "LANG=C.UTF-8", "LC_ALL=")
	return clitest.Open(t, pty.Winsize{Cols: 80, Rows: 24}, cmd)
}

// ends waits until a program ends with a status.
func ends(t *testing.T, cmd *exec.Cmd, status int) {
	t.Helper()
	timer := time.AfterFunc(patience, func() { cmd.Process.Kill() })
	defer timer.Stop()
	err := cmd.Wait()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	if got := cmd.ProcessState.ExitCode(); got != status {
		t.Errorf("%v: exit status %d, want %d", cmd.Args, got, status)
	}
}

func TestPlay(t *testing.T) {
	p := startTerminal(t, exec.Command(binary, "play", "--missing", "3", "--seed", "5"))
	p.Shows("missing, seed 5")
	p.Shows("3 empty")
	p.Types("q")
	p.Ends(0)

	file := t.TempDir() + "/mine.txt"
	if err := os.WriteFile(file, []byte("53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79 # of mine\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	p = startTerminal(t, exec.Command(binary, "play", "--open", file))
	p.Shows("of mine (1 of 1)")
	p.Cmd.Process.Signal(syscall.SIGTERM)
	p.Ends(130)

	for args, shown := range map[string]string{"": "playing", "play --ui screen": "playing", "play --ui plain": "> "} {
		p = startTerminal(t, exec.Command(binary, strings.Fields(args)...))
		p.Shows(shown)
		p.Types("\x03")
		p.Ends(130)
	}
}

// A game that is killed has lost nothing that the player has seen, and its undo neither.
func TestKilledGame(t *testing.T) {
	file := t.TempDir() + "/game.json"
	p := startTerminal(t, exec.Command(binary, "play", "--ui", "plain", "--save", file))
	p.Types("r1c1 8\r")
	p.Shows("52 cells are empty")
	for saved := ""; !strings.Contains(saved, `"r1c1=>8"`); { // it is saved after it is shown
		content, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		saved = string(content)
	}
	p.Cmd.Process.Kill()
	p.Ends(-1)

	p = startTerminal(t, exec.Command(binary, "play", "--ui", "plain", "--load", file, "--save", file))
	p.Shows("The game is paused.")
	p.Types("resume\r")
	p.Shows("52 cells are empty")
	p.Types("undo\r")
	p.Shows("Row 1, column 1: empty. 53 cells are empty.")
	p.Types("undo\r")
	p.Shows("Nothing to undo.")
	p.Types("quit\r")
	p.Ends(0)
}

// --watch shows each step of a method, including the last.
func TestWatch(t *testing.T) {
	const puzzle = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
	var g sudoku.Grid
	for i, c := range puzzle {
		if c != '.' {
			g[i/9][i%9] = int(c - '0')
		}
	}
	solvers := compare.Solvers()
	method := solvers[slices.IndexFunc(solvers, func(s compare.Solver) bool { return s.Name == "scan+guess" })]
	p := startTerminal(t, exec.Command(binary, "solve", "--watch", "--delay", "0s", "--method", method.Name, puzzle))
	n := 0
	for range method.Steps(&g) {
		n++
		p.Shows(fmt.Sprintf("%s: step %d, ", method.Name, n))
	}
	p.Shows("solved")
	p.Ends(0)
}

// After a change of size everything is drawn again, and fits.
func TestWatchResize(t *testing.T) {
	p := startTerminal(t, exec.Command(binary, "solve", "--watch", "--delay", "1ms", "--method", "csp",
		"8..........36......7..9.2...5...7.......457.....1...3...1....68..85...1..9....4.."))
	p.Shows("csp: step 2, ")
	p.Resize(pty.Winsize{Cols: 12, Rows: 8})
	p.Shows("\x1b[H\x1b[2J")
	p.Shows("\x1b[7A")
	p.Types("\x03")
	p.Ends(130)
	_, after, _ := strings.Cut(p.All(), "\x1b[H\x1b[2J")
	frame, _, _ := strings.Cut(after, "\x1b[7A")
	lines := strings.Split(strings.TrimSuffix(frame, "\r\n"), "\r\n")
	if len(lines) != 7 {
		t.Errorf("got %d lines, want 7: %q", len(lines), frame)
	}
	for _, line := range lines {
		if text, ok := strings.CutSuffix(line, "\x1b[K"); !ok || len(text) > 12 {
			t.Errorf("the line %q does not fit", line)
		}
	}
}

func TestWatchNeedsTerminal(t *testing.T) {
	for _, test := range []struct{ env, args, want string }{
		{"TERM=dumb", "--watch", `TERM is "dumb"; use --steps`},
		{"TERM=xterm", "--watch --output " + t.TempDir() + "/x", "to write them to a file use --steps or --film"},
	} {
		cmd := exec.Command("env", append(append([]string{test.env, binary, "solve"}, strings.Fields(test.args)...), strings.Repeat(".", 81))...)
		p := startTerminal(t, cmd)
		p.Shows(test.want)
		p.Ends(2)
	}
}

// A long run shows its progress if its results go elsewhere.
func TestProgress(t *testing.T) {
	file := t.TempDir() + "/x.txt"
	p := startTerminal(t, exec.Command(binary, "new", "--count", "1000000000", "--output", file))
	p.Shows(" puzzles, ")
	p.Types("\x03")
	p.Ends(130)
	if _, err := os.Stat(file); err == nil {
		t.Error("there is a file although it was interrupted")
	}
}

// Rating shows its progress from the first puzzles on, which may take seconds each.
func TestProgressOfRating(t *testing.T) {
	dir := t.TempDir()
	const puzzle = "98.7..6..7..65.8....5....4.3.78..9...2..3.........7..31......96.7....1....61....8\n"
	if err := os.WriteFile(dir+"/many.txt", []byte(strings.Repeat(puzzle, 50_000)), 0o666); err != nil {
		t.Fatal(err)
	}
	p := startTerminal(t, exec.Command(binary, "rate", dir+"/many.txt", "--output", dir+"/rated.txt"))
	p.Shows(" puzzles, ")
	p.Types("\x03")
	p.Ends(130)
	if _, err := os.Stat(dir + "/rated.txt"); err == nil {
		t.Error("there is a file although it was interrupted")
	}
}

// A long search shows progress also where its result will be, and Ctrl+C ends it.
func TestProgressOfCheck(t *testing.T) {
	p := startTerminal(t, exec.Command(binary, "solve", "--check", strings.Repeat(".", 81)))
	p.Shows(" states, depth ")
	p.Types("\x03")
	p.Ends(130)
}

// What takes long shows that it works also where its results will be, before the first one, and Ctrl+C ends it.
func TestProgressOnTheSameTerminal(t *testing.T) {
	hard := filepath.Join(t.TempDir(), "hard.txt")
	const puzzle = "98.7..6..7..65.8....5....4.3.78..9...2..3.........7..31......96.7....1....61....8\n"
	if err := os.WriteFile(hard, []byte(strings.Repeat(puzzle, 3000)), 0o666); err != nil {
		t.Fatal(err)
	}
	var all sync.WaitGroup
	for _, args := range []string{"solve --count=1000000000 " + strings.Repeat(".", 81), "rate " + hard, "explain " + hard, "explain --output e.html " + hard} {
		cmd := exec.Command(binary, strings.Fields(args)...)
		cmd.Dir = t.TempDir()
		p := startTerminal(t, cmd)
		all.Go(func() {
			p.Shows("\r\x1b[K") // how many puzzles, or for how long
			p.Types("\x03")
			p.Ends(130)
		})
	}
	all.Wait()
}

// A terminal shows grids, and a typed puzzle is solved at once.
func TestSolveAsOneTypes(t *testing.T) {
	p := startTerminal(t, exec.Command(binary, "solve"))
	p.Shows("type or paste puzzles; Ctrl+D ends")
	for range 2 {
		p.Types("53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79\n")
		p.Shows("5 3 4 | 6 7 8 | 9 1 2\r\n")
	}
	p.Types("\x04")
	p.Ends(0)
}

// An interrupt ends long work, and waiting for input, at once.
func TestInterrupt(t *testing.T) {
	const puzzle = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79\n"
	empty := strings.Repeat(".", 81) + "\n"
	for _, test := range []struct {
		args  string
		input string // the program has answered the first line of it when the interrupt comes
	}{
		{"new --count 1000000000", ""},
		{"solve", puzzle},
		{"solve --steps", puzzle},
		{"convert", puzzle},
		{"rate", puzzle},
		{"steps --all", puzzle},
		{"hint --backdoors 4", puzzle + empty},
		{"solve --all 1000000000", puzzle + empty},
		{"solve --count 1000000000", puzzle + empty},
	} {
		cmd := exec.Command(binary, strings.Fields(test.args)...)
		stdin, err := cmd.StdinPipe()
		if err != nil {
			t.Fatal(err)
		}
		stdout, err := cmd.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		var stderr bytes.Buffer
		cmd.Stderr = &stderr
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		watchdog := time.AfterFunc(patience, func() { cmd.Process.Kill() })
		for line := range strings.Lines(test.input) {
			if _, err := io.WriteString(stdin, line); err != nil {
				t.Fatal(err)
			}
			if line != empty {
				if _, err := io.ReadFull(stdout, make([]byte, 2)); err != nil {
					t.Fatalf("%s: %v", test.args, err)
				}
			}
		}
		if test.input == "" {
			if _, err := io.ReadFull(stdout, make([]byte, 82)); err != nil {
				t.Fatalf("%s: %v", test.args, err)
			}
		}
		if err := cmd.Process.Signal(os.Interrupt); err != nil {
			t.Fatal(err)
		}
		if _, err := io.Copy(io.Discard, stdout); err != nil {
			t.Fatal(err)
		}
		ends(t, cmd, 130)
		if strings.Contains(stderr.String(), "by force") {
			t.Errorf("%s: it says %q", test.args, &stderr)
		}
		watchdog.Stop()
	}
}
