//go:build unix

package tui

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"reflect"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/creack/pty"
	"golang.org/x/term"

	"github.com/scxmlrun/scxmlrun/charts"
	"github.com/scxmlrun/scxmlrun/examples/sudoku"
	"github.com/scxmlrun/scxmlrun/examples/sudoku/game"
	"github.com/scxmlrun/scxmlrun/scxml"
	"github.com/scxmlrun/scxmlrun/scxml/drive"
)

// These tests run real programs in a pseudo-terminal: the command scxmlrun, and this test
// binary for what the command cannot do.

const patience = 30 * time.Second

// buildCommand builds the command scxmlrun.
func buildCommand(t *testing.T) string {
	t.Helper()
	if testing.Short() {
		t.Skip("builds and runs the command")
	}
	file := filepath.Join(t.TempDir(), "scxmlrun")
	build := exec.Command("go", "build", "-o", file, "github.com/scxmlrun/scxmlrun/cmd/scxmlrun")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return file
}

// A program runs in a pseudo-terminal.
type program struct {
	t        *testing.T
	cmd      *exec.Cmd
	ptmx     *os.File
	tty      *os.File
	before   *term.State
	mu       sync.Mutex
	emulator emulator
	raw      []byte
	news     chan struct{} // has an entry after output that nobody has looked at
	ended    chan error
}

func start(t *testing.T, env []string, file string, args ...string) *program {
	t.Helper()
	ptmx, tty, err := pty.Open()
	if err != nil {
		t.Fatal(err)
	}
	p := &program{t: t, ptmx: ptmx, tty: tty, news: make(chan struct{}, 1), ended: make(chan error, 1)}
	p.emulator.resize(80, 24)
	if err := pty.Setsize(ptmx, &pty.Winsize{Cols: 80, Rows: 24}); err != nil {
		t.Fatal(err)
	}
	if p.before, err = term.GetState(int(tty.Fd())); err != nil {
		t.Fatal(err)
	}
	p.cmd = exec.Command(file, args...)
	p.cmd.Stdin, p.cmd.Stdout, p.cmd.Stderr = tty, tty, tty
	p.cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true}
	for _, entry := range os.Environ() {
		switch name, _, _ := strings.Cut(entry, "="); name {
		case "LC_ALL", "LC_CTYPE", "NO_COLOR", "COLORTERM", "LINES", "COLUMNS":
		default:
			p.cmd.Env = append(p.cmd.Env, entry)
		}
	}
	p.cmd.Env = append(append(p.cmd.Env, "TERM=xterm-256color", "LANG=C.UTF-8", "SUDOKU_HOME="+t.TempDir()), env...)
	if err := p.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	go p.read()
	go func() { p.ended <- p.cmd.Wait() }()
	t.Cleanup(func() {
		_ = p.cmd.Process.Kill() // an error says that it has ended already
		_ = tty.Close()
		_ = ptmx.Close()
	})
	return p
}

// read follows the output until the pseudo-terminal is closed.
func (p *program) read() {
	buf := make([]byte, 4096)
	for {
		n, err := p.ptmx.Read(buf)
		p.mu.Lock()
		p.raw = append(p.raw, buf[:n]...)
		p.emulator.write(buf[:n])
		p.mu.Unlock()
		select {
		case p.news <- struct{}{}:
		default:
		}
		if err != nil {
			return
		}
	}
}

// waitFor waits until a condition holds for the output.
func (p *program) waitFor(what string, condition func(e *emulator) bool) {
	p.t.Helper()
	timeout := time.After(patience)
	for {
		p.mu.Lock()
		ok, text := condition(&p.emulator), p.emulator.text()
		p.mu.Unlock()
		if ok {
			return
		}
		select {
		case <-p.news:
		case <-timeout:
			p.t.Fatalf("waited in vain for %s:\n%s", what, text)
		}
	}
}

func (p *program) shows(text string) {
	p.t.Helper()
	p.waitFor(strconv.Quote(text), func(e *emulator) bool { return strings.Contains(e.text(), text) })
}

// grid reads the board of a screen of 80 x 24 with the panel.
func (p *program) grid() (g sudoku.Grid) {
	p.t.Helper()
	sc := someScene(256)
	sc.panel = true
	l, ok := newLayout(80, 24, sc)
	if !ok {
		p.t.Fatal("80 x 24 is too small")
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	for row := range 9 {
		for col := range 9 {
			x, y := l.digit(row, col)
			if r := p.emulator.cells[y][x]; '1' <= r && r <= '9' {
				g[row][col] = int(r - '0')
			}
		}
	}
	return g
}

func (p *program) keys(keys string) {
	p.t.Helper()
	if _, err := p.ptmx.WriteString(keys); err != nil {
		p.t.Fatal(err)
	}
}

// output returns all that the program wrote.
func (p *program) output() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return string(p.raw)
}

// mode reports whether a mode of the terminal is set.
func (p *program) mode(name string) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.emulator.mode(name)
}

// end waits until the program has ended, and checks that the terminal is restored.
func (p *program) end() *os.ProcessState {
	p.t.Helper()
	select {
	case <-p.ended:
	case <-time.After(patience):
		p.mu.Lock()
		defer p.mu.Unlock()
		p.t.Fatalf("the program does not end:\n%s", p.emulator.text())
	}
	// The marker tells that all that the program wrote has been read.
	if _, err := p.tty.WriteString("<end>"); err != nil {
		p.t.Fatal(err)
	}
	p.waitFor("the end of the output", func(*emulator) bool { return strings.HasSuffix(string(p.raw), "<end>") })
	after, err := term.GetState(int(p.tty.Fd()))
	if err != nil {
		p.t.Fatal(err)
	}
	if !reflect.DeepEqual(after, p.before) {
		p.t.Errorf("the settings of the terminal are not what they were:\n got %+v\nwant %+v", after, p.before)
	}
	for mode, want := range map[string]bool{"25": true, "1049": false, "1000": false, "1002": false, "1003": false, "1006": false, "2004": false} {
		if got := p.mode(mode); got != want {
			p.t.Errorf("terminal mode %s: got %v, want %v", mode, got, want)
		}
	}
	if out := p.output(); !strings.Contains(out, "\x1b[?1049h") || !strings.Contains(out, "\x1b[?1049l") {
		p.t.Error("the program never left the ordinary screen, or never came back to it")
	}
	return p.cmd.ProcessState
}

func TestCommandInTerminal(t *testing.T) {
	command := buildCommand(t)
	t.Run("a game", func(t *testing.T) {
		p := start(t, nil, command, "charts/sudoku.scxml") // which is built in
		p.shows("playing")
		cells, _ := missing(sudoku.Puzzle{Grid: p.grid()})
		for _, c := range cells {
			p.keys("\x1b[H" + "\x1b[5~" + strings.Repeat("\x1b[B", c[0]) + strings.Repeat("\x1b[C", c[1]) + fmt.Sprint(c[2]))
		}
		p.shows("SOLVED")
		p.keys("q")
		if code := p.end().ExitCode(); code != 0 {
			t.Errorf("got exit status %d, want 0", code)
		}
	})
	t.Run("from a new game to a solved one, past a kill", func(t *testing.T) {
		home := "SUDOKU_HOME=" + t.TempDir()
		p := start(t, []string{home}, command, "charts/sudoku.scxml")
		p.shows("playing")
		p.keys("n")
		p.shows("New game")
		p.keys(strings.Repeat("\x1b[C", 4) + "\t\x7f\x7f5\r") // by empty cells
		p.shows("5 empty")
		solve := func(cells [][3]int) {
			for _, c := range cells {
				p.keys("\x1b[H" + "\x1b[5~" + strings.Repeat("\x1b[B", c[0]) + strings.Repeat("\x1b[C", c[1]) + fmt.Sprint(c[2]))
			}
		}
		cells, _ := missing(sudoku.Puzzle{Grid: p.grid()})
		solve(cells[:1])
		p.shows("4 empty")
		solve(cells[1:2]) // before it, the game is saved
		p.shows("3 empty")
		if err := p.cmd.Process.Kill(); err != nil {
			t.Fatal(err)
		}
		<-p.ended
		p = start(t, []string{home}, command, "charts/sudoku.scxml")
		p.shows("PAUSED")
		p.keys("p")
		p.shows("playing")
		cells, _ = missing(sudoku.Puzzle{Grid: p.grid()})
		if len(cells) > 4 { // the last key may be lost
			t.Errorf("%d cells are empty after the kill, want 3 or 4", len(cells))
		}
		solve(cells)
		p.shows("SOLVED")
		p.keys("t")
		p.shows("best time")
		p.keys("\rq")
		if code := p.end().ExitCode(); code != 0 {
			t.Errorf("got exit status %d, want 0", code)
		}
	})
	t.Run("the mouse and another size", func(t *testing.T) {
		p := start(t, nil, command, "charts/sudoku.scxml")
		p.shows("playing")
		p.mu.Lock()
		p.emulator.resize(40, 16)
		p.mu.Unlock()
		if err := pty.Setsize(p.ptmx, &pty.Winsize{Cols: 40, Rows: 16}); err != nil {
			t.Fatal(err)
		}
		p.waitFor("the small board", func(e *emulator) bool {
			return strings.Contains(e.text(), "╔═════════╦")
		})
		for _, step := range [][2]string{{"F10 menu", "New game…"}, {"Next puzzle", "12-easy-2"}} {
			label, after := step[0], step[1]
			p.shows(label)
			p.mu.Lock()
			x, y := p.emulator.find(label)
			p.mu.Unlock()
			p.keys(fmt.Sprintf("\x1b[<0;%d;%dM\x1b[<0;%d;%dm", x+1, y+1, x+1, y+1))
			p.shows(after)
		}
		p.keys("q")
		if code := p.end().ExitCode(); code != 0 {
			t.Errorf("got exit status %d, want 0", code)
		}
	})
	t.Run("Ctrl+C", func(t *testing.T) {
		p := start(t, nil, command, "charts/sudoku.scxml")
		p.shows("playing")
		p.keys("\x03")
		if code := p.end().ExitCode(); code != 130 {
			t.Errorf("got exit status %d, want 130", code)
		}
	})
	t.Run("a large paste", func(t *testing.T) {
		p := start(t, nil, command, "charts/sudoku.scxml")
		p.shows("playing")
		go func() { _, _ = p.ptmx.WriteString("q" + strings.Repeat("x", 3000)) }()
		p.end()
	})
	for _, sig := range []syscall.Signal{syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP, syscall.SIGQUIT, syscall.SIGABRT} {
		t.Run(sig.String(), func(t *testing.T) {
			p := start(t, nil, command, "charts/sudoku.scxml")
			p.shows("playing")
			if err := p.cmd.Process.Signal(sig); err != nil {
				t.Fatal(err)
			}
			if state := p.end(); state.Success() {
				t.Errorf("got %v, want a failure", state)
			}
		})
	}
	t.Run("Alt+Z", func(t *testing.T) {
		script := `set -m; "$0" charts/sudoku.scxml; echo "(stopped)"; fg`
		p := start(t, nil, "/bin/sh", "-c", script, command)
		p.shows("playing")
		p.keys("\x1bz")
		p.waitFor("the shell, and the game again", func(*emulator) bool {
			_, after, stopped := strings.Cut(string(p.raw), "(stopped)")
			return stopped && strings.Contains(after, "\x1b[?1049h")
		})
		p.shows("playing")
		p.keys("q")
		p.end()
	})
	t.Run("Alt+Z where nobody could continue the game", func(t *testing.T) {
		p := start(t, nil, command, "charts/sudoku.scxml")
		p.shows("playing")
		p.keys("\x1bz")
		p.shows("playing")
		p.keys("q")
		p.end()
	})
	t.Run("a terminal that cannot be used", func(t *testing.T) {
		p := start(t, []string{"TERM=dumb"}, command, "--ui", "sudoku", "charts/sudoku.scxml")
		p.shows(`TERM="dumb"`)
		if err := <-p.ended; err == nil {
			t.Error("got no error")
		}
	})
}

// With this variable set, TestMain plays a game that panics.
const panicVariable = "SUDOKU_TUI_PANICS"

func TestMain(m *testing.M) {
	if os.Getenv(panicVariable) == "" {
		if signal.Ignored(syscall.SIGHUP) { // under nohup; the programs would ignore it too
			signal.Notify(make(chan os.Signal, 1), syscall.SIGHUP)
		}
		os.Exit(m.Run())
	}
	chart, err := scxml.Load(charts.FS, "sudoku.scxml")
	var g *game.Game
	if err == nil {
		g, err = game.New(chart, nil)
	}
	var p *Player
	if err == nil {
		p, err = New(g, Config{Driver: drive.Config{Save: func([]byte) error { panic("made to panic") }}})
	}
	if err == nil {
		_, err = p.Run(context.Background())
	}
	fmt.Println("not reached:", err)
}

func TestPanicRestoresTheTerminal(t *testing.T) {
	p := start(t, []string{panicVariable + "=1"}, os.Args[0])
	p.shows("playing")
	p.keys("q")
	if state := p.end(); state.ExitCode() != 2 {
		t.Errorf("got %v, want exit status 2", state)
	}
	p.shows("made to panic")
	if out := p.output(); strings.LastIndex(out, "\x1b[?1049l") > strings.Index(out, "made to panic") {
		t.Error("the panic was reported before the terminal was restored")
	}
}

// An emulator implements as much of a terminal as is needed to read its screen.
type emulator struct {
	cells   [][]rune
	x, y    int
	modes   map[string]bool
	pending []byte // the beginning of a sequence or character
}

func (e *emulator) resize(w, h int) {
	e.cells = make([][]rune, h)
	for y := range e.cells {
		e.cells[y] = []rune(strings.Repeat(" ", w))
	}
	e.x, e.y = 0, 0
}

func (e *emulator) mode(name string) bool { return e.modes[name] }

func (e *emulator) text() string {
	var lines []string
	for _, row := range e.cells {
		lines = append(lines, strings.TrimRight(string(row), " "))
	}
	return strings.Join(lines, "\n")
}

// find returns the position of the last occurrence of a text.
func (e *emulator) find(text string) (x, y int) {
	for row, line := range strings.Split(e.text(), "\n") {
		if i := strings.Index(line, text); i >= 0 {
			x, y = utf8.RuneCountInString(line[:i]), row
		}
	}
	return x, y
}

func (e *emulator) write(data []byte) {
	e.pending = append(e.pending, data...)
	for len(e.pending) > 0 {
		n := e.next(e.pending)
		if n == 0 {
			return
		}
		e.pending = e.pending[n:]
	}
}

// next processes the start of data and returns its length, or 0 if it is incomplete.
func (e *emulator) next(data []byte) int {
	switch data[0] {
	case 0x1b:
		return e.escape(data)
	case '\r':
		e.x = 0
	case '\n':
		e.y = min(e.y+1, len(e.cells)-1)
	case '\b':
		e.x = max(e.x-1, 0)
	default:
		if !utf8.FullRune(data) {
			return 0
		}
		r, n := utf8.DecodeRune(data)
		if r >= ' ' && e.y < len(e.cells) && e.x < len(e.cells[e.y]) {
			e.cells[e.y][e.x] = r
			e.x++
		}
		return n
	}
	return 1
}

func (e *emulator) escape(data []byte) int {
	if len(data) < 2 {
		return 0
	}
	switch data[1] {
	case '[': // to the final byte
		for i := 2; i < len(data); i++ {
			if 0x40 <= data[i] && data[i] <= 0x7e {
				e.control(string(data[2:i]), data[i])
				return i + 1
			}
		}
		return 0
	case ']': // an operating system command
		for i := 2; i < len(data); i++ {
			if data[i] == 7 || (data[i] == '\\' && data[i-1] == 0x1b) {
				return i + 1
			}
		}
		return 0
	case '(', ')':
		if len(data) < 3 {
			return 0
		}
		return 3
	}
	return 2
}

func (e *emulator) control(params string, final byte) {
	if names, private := strings.CutPrefix(params, "?"); private {
		if final == 'h' || final == 'l' {
			if e.modes == nil {
				e.modes = map[string]bool{"25": true}
			}
			for _, name := range strings.Split(names, ";") {
				e.modes[name] = final == 'h'
			}
		}
		return
	}
	number := func(i, fallback int) int {
		fields := strings.Split(params, ";")
		if i < len(fields) {
			if n, err := strconv.Atoi(fields[i]); err == nil {
				return n
			}
		}
		return fallback
	}
	switch final {
	case 'H':
		e.y, e.x = number(0, 1)-1, number(1, 1)-1
	case 'J': // the program only ever clears everything
		for _, row := range e.cells {
			for x := range row {
				row[x] = ' '
			}
		}
	}
}
