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
	"reflect"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/creack/pty"
	"golang.org/x/term"

	"github.com/scxmlrun/scxmlrun/cmd/internal/cli"
	"github.com/scxmlrun/scxmlrun/cmd/internal/sudoku/shelf"
	"github.com/scxmlrun/scxmlrun/scxml"
)

// A screen is a terminal with a command that runs in it.
type screen struct {
	t        *testing.T
	keyboard *os.File // its other end
	terminal *os.File
	cmd      *exec.Cmd
	before   *term.State
	copied   chan struct{}

	mu   sync.Mutex
	text bytes.Buffer // what the command has written
	from int          // up to here it has been awaited
	news chan struct{}
}

func (s *screen) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	select {
	case s.news <- struct{}{}:
	default:
	}
	return s.text.Write(p)
}

func (s *screen) all() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.text.String()
}

// openScreen runs the command on a chart in a new pseudo-terminal, with the line front end unless the
// flags say another.
func openScreen(t *testing.T, chart string, env []string, flags ...string) *screen {
	t.Helper()
	if len(flags) == 0 || flags[0] != "--ui" {
		flags = append([]string{"--ui", "line"}, flags...)
	}
	file := filepath.Join(t.TempDir(), "chart.scxml")
	if err := os.WriteFile(file, []byte(chart), 0o666); err != nil {
		t.Fatal(err)
	}
	keyboard, terminal, err := pty.Open()
	if err != nil {
		t.Skipf("cannot open a pseudo-terminal: %v", err)
	}
	s := &screen{t: t, keyboard: keyboard, terminal: terminal, news: make(chan struct{}, 1), copied: make(chan struct{})}
	s.cmd = exec.Command(binary, append([]string{file}, flags...)...)
	s.cmd.Env = append(append(os.Environ(), "NO_COLOR=", "TERM=xterm", shelf.Variable+"="+t.TempDir()), env...)
	s.cmd.Stdin, s.cmd.Stdout, s.cmd.Stderr = terminal, terminal, terminal
	s.cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true}
	s.before = s.state()
	if err := s.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	go func() {
		defer close(s.copied)
		io.Copy(s, keyboard) // until the terminal is closed
	}()
	t.Cleanup(func() {
		s.cmd.Process.Kill()
		s.cmd.Wait()
		terminal.Close()
		<-s.copied
		keyboard.Close()
	})
	return s
}

// state returns the settings of the terminal.
func (s *screen) state() *term.State {
	s.t.Helper()
	state, err := term.GetState(int(s.terminal.Fd()))
	if err != nil {
		s.t.Fatal(err)
	}
	return state
}

func (s *screen) typeIn(keys string) {
	s.t.Helper()
	if _, err := io.WriteString(s.keyboard, keys); err != nil {
		s.t.Fatal(err)
	}
}

// await waits until the terminal shows a text after the one awaited before.
func (s *screen) await(text string) {
	s.t.Helper()
	deadline := time.After(30 * time.Second)
	for {
		all := s.all()
		if i := strings.Index(all[s.from:], text); i >= 0 {
			s.from += i + len(text)
			return
		}
		select {
		case <-s.news:
		case <-deadline:
			s.t.Fatalf("the terminal never showed %q after %q:\n%q", text, all[:s.from], all[s.from:])
		}
	}
}

// ends waits for the end of the command, and checks its status and that the terminal is
// restored.
func (s *screen) ends(status int) {
	s.t.Helper()
	err := s.cmd.Wait()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		s.t.Fatal(err)
	}
	if got := s.cmd.ProcessState.ExitCode(); got != status {
		s.t.Errorf("exit status %d, want %d\n%s", got, status, s.all())
	}
	if !reflect.DeepEqual(s.state(), s.before) {
		s.t.Errorf("the terminal is not as it was before")
	}
}

// works waits until the command has used half a second of processor time.
func (s *screen) works() {
	s.t.Helper()
	for begin := time.Now(); ; time.Sleep(10 * time.Millisecond) {
		stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", s.cmd.Process.Pid))
		if err != nil { // not Linux
			time.Sleep(2 * time.Second)
			return
		}
		_, fields, _ := strings.Cut(string(stat), ") ")
		if ticks, err := strconv.Atoi(strings.Fields(fields)[11]); err != nil || ticks >= 50 { // field 14, in hundredths
			return
		}
		if time.Since(begin) > 30*time.Second {
			s.t.Fatal("the command does not work")
		}
	}
}

var (
	colour   = regexp.MustCompile(`\x1b\[[0-9;]*m`)
	sequence = "\x1b"
)

// However the command ends, it restores the terminal.
func TestLineOnTerminal(t *testing.T) {
	for _, test := range []struct {
		name   string
		env    string
		typed  string
		shown  string
		status int
	}{
		{"quit", "NO_COLOR=1", "q\r", "done    stopped", cli.OK},
		{"Ctrl+D", "NO_COLOR=1", "\x04", "done    stopped", cli.OK},
		{"Ctrl+D in a line", "NO_COLOR=1", "ad\x04\x15\x04", "done    stopped", cli.OK},
		{"Ctrl+C", "NO_COLOR=1", "\x03", "done    stopped", cli.Interrupted},
		{"Ctrl+C in a script", "NO_COLOR=1", "spin\r\x03", "done    stopped", cli.Interrupted},
		{"Ctrl+C at work", "NO_COLOR=1", "again\r\x03", "done    stopped", cli.Interrupted},
		{"quit at work", "NO_COLOR=1", "again\rq\r", "done    stopped", cli.OK},
		{"Ctrl+C in eval", "NO_COLOR=1", "eval (function () { for (;;) {} })()\r\x03", "done    stopped", cli.Interrupted},
		{"final", "NO_COLOR=1", "end\r", "done    f", cli.OK},
		{"timeout", "NO_COLOR=1", "later\r", "the time given by --timeout passed", cli.Timeout},
		{"colour", "TERM=xterm", "q\r", "\x1b[1mdone   \x1b[0m stopped", cli.OK},
		{"256 colours", "TERM=xterm-256color", "q\r", "\x1b[1mdone   \x1b[0m stopped", cli.OK},
		{"dumb", "TERM=dumb", "q\n", "done    stopped", cli.OK},
		{"dumb, Ctrl+D", "TERM=dumb", "later\n\x04", "done    stopped", cli.OK},
		{"dumb, Ctrl+C", "TERM=dumb", "\x03", "done    stopped", cli.Interrupted},
		{"of a type that nobody knows", "TERM=nonsense", "q\n", "done    stopped", cli.OK},
		{"without a type", "TERM=", "q\n", "done    stopped", cli.OK},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			var flags []string
			if test.name == "timeout" {
				flags = []string{"--timeout", "200ms"}
			}
			if strings.HasPrefix(test.env, "TERM=") && !strings.HasPrefix(test.env, "TERM=xterm") { // auto does not select the whole screen
				flags = append([]string{"--ui", "auto"}, flags...)
			}
			s := openScreen(t, counterChart, []string{test.env}, flags...)
			s.await("> ")
			s.typeIn(test.typed)
			s.await(test.shown)
			s.ends(test.status)
			if coloured, want := colour.MatchString(s.all()), strings.HasPrefix(test.env, "TERM=xterm"); coloured != want {
				t.Errorf("colour is %v, want %v\n%q", coloured, want, s.all())
			}
			if plain := strings.HasPrefix(test.env, "TERM=") && !strings.HasPrefix(test.env, "TERM=xterm"); plain && strings.Contains(s.all(), sequence) {
				t.Errorf("a sequence for a terminal that may not know it\n%q", s.all())
			}
		})
	}
}

// A typed line of several rows is removed from all of them at the end.
func TestLongLineLeavesNothing(t *testing.T) {
	s := openScreen(t, counterChart, []string{"NO_COLOR=1"})
	s.await("> ")
	s.typeIn(strings.Repeat("word ", 40) + "end\x03")
	s.await("done    stopped")
	s.ends(cli.Interrupted)
	up := regexp.MustCompile(`\x1b\[\d*A`)
	if after := s.all()[s.from:]; strings.Contains(after, "word") && !up.MatchString(after) {
		t.Errorf("the line is shown again and stays: %q", after)
	}
}

func TestSignalsOnTerminal(t *testing.T) {
	for _, test := range []struct {
		signal syscall.Signal
		status int
		shown  string
	}{
		{syscall.SIGINT, cli.Interrupted, "done    stopped"},
		{syscall.SIGTERM, cli.Interrupted, "done    stopped"},
		{syscall.SIGHUP, cli.Interrupted, "done    stopped"},
		{syscall.SIGQUIT, 2, "SIGQUIT: quit"}, // the Go runtime says where the program is
	} {
		t.Run(test.signal.String(), func(t *testing.T) {
			t.Parallel()
			s := openScreen(t, counterChart, []string{"NO_COLOR=1"})
			s.await("> ")
			s.typeIn("half a li")
			s.await("li")
			if err := s.cmd.Process.Signal(test.signal); err != nil {
				t.Fatal(err)
			}
			s.await(test.shown)
			s.ends(test.status)
		})
	}
}

// Even if nobody reads the terminal, the second interrupt ends the command and restores
// the terminal.
func TestBlockedTerminal(t *testing.T) {
	s := openScreen(t, counterChart, []string{"NO_COLOR=1"})
	s.await("> ")
	s.mu.Lock() // the terminal is full soon, and nobody reads on
	s.typeInLocked("again\r")
	time.AfterFunc(500*time.Millisecond, func() {
		s.cmd.Process.Signal(syscall.SIGINT)
		time.AfterFunc(100*time.Millisecond, func() { s.cmd.Process.Signal(syscall.SIGTERM) })
	})
	s.cmd.Wait()
	s.mu.Unlock()
	if got := s.cmd.ProcessState.ExitCode(); got != cli.Interrupted {
		t.Errorf("exit status %d, want %d", got, cli.Interrupted)
	}
	if !reflect.DeepEqual(s.state(), s.before) {
		t.Errorf("the terminal is not as it was before")
	}
}

func (s *screen) typeInLocked(keys string) { io.WriteString(s.keyboard, keys) }

// Ctrl+Z does nothing if no shell could continue the program.
func TestSuspendWithoutShell(t *testing.T) {
	s := openScreen(t, counterChart, []string{"NO_COLOR=1"})
	s.await("> ")
	s.typeIn("ad\x1a")
	s.await("\r\n") // it has left the line
	s.await("> ad")
	s.typeIn("d\r")
	s.await("data    n: 0 → 1")
	s.typeIn("data n\r")
	s.await("data    n = 1")
	s.typeIn("q\r")
	s.ends(cli.OK)
}

// Editing, completing, and what was typed before.
func TestEditing(t *testing.T) {
	s := openScreen(t, counterChart, []string{"NO_COLOR=1"})
	s.await("> ")
	s.typeIn("ke\t") // completed
	s.await("keep ")
	s.typeIn("\x15add\r")
	s.await("data    n: 0 → 1")
	s.typeIn("\x1b[A\r") // the last line again
	s.await("data    n: 1 → 2")
	s.typeIn("\x1bOA\x1bOA\x1bOB\x1bOD\x1b[D\x7f\x1b[1~x\x7f\x1b[Fnothing\x17\x15add\r") // here and there, and all deleted
	s.await("data    n: 2 → 3")
	s.typeIn("data\r")
	s.await("data    n = 3")
	s.typeIn("a\t")
	s.await("advance  add      again")
	s.typeIn("\x15eval la\t.x\r")
	s.await("eval last")
	s.await("input   TypeError")
	s.typeIn("\xff\x00\xc3\xa9\u009b\u202e!\r") // only what can be shown
	s.await("> é!\r\n")
	s.await(`ignored é!: no transition for it in s`)
	s.typeIn("q\r")
	s.await("done    stopped")
	s.ends(cli.OK)
}

// Output that arrives while the user types goes above the line, which remains.
func TestOutputWhileTyping(t *testing.T) {
	s := openScreen(t, `<scxml xmlns="http://www.w3.org/2005/07/scxml" version="1.0">
  <state id="s">
    <transition event="start"><send event="ring" delay="300ms"/></transition>
    <transition event="ring"><log label="ring" expr="'\u001b[2J\u009b\u202e'"/></transition>
    <transition event="take"><log label="took" expr="_event.data"/></transition>
  </state>
</scxml>`, []string{"NO_COLOR=1"})
	s.await("> ")
	s.typeIn("start\r")
	s.await("still")
	s.await("> ")
	s.typeIn("take 12")
	s.await("take 12")
	s.await(`log     ring: \x1b[2J\x9b\u202e` + "\r\n") // and not the characters themselves
	s.await("> take 12")
	s.typeIn("3\r")
	s.await("log     took: 123\r\n")
	s.typeIn("q\r")
	s.ends(cli.OK)
}

// Narrow and wide terminals, and one of unknown size.
func TestTerminalSize(t *testing.T) {
	for _, size := range []pty.Winsize{{}, {Rows: 24, Cols: 40}, {Rows: 5, Cols: 3}, {Rows: 50, Cols: 500}} {
		t.Run(fmt.Sprint(size.Cols), func(t *testing.T) {
			t.Parallel()
			s := openScreen(t, counterChart, []string{"NO_COLOR=1"})
			s.await("> ")
			if err := pty.Setsize(s.keyboard, &size); err != nil { // sends SIGWINCH
				t.Fatal(err)
			}
			s.typeIn("help\r")
			s.await("send EVENT [JSON]")
			s.await("> ")
			s.typeIn("a\t\x15end\r")
			s.await("done    f")
			s.ends(cli.OK)
		})
	}
}

// sudokuChart returns the chart of the game, with its script inside.
func sudokuChart(t *testing.T) string {
	t.Helper()
	chart, err := os.ReadFile(filepath.Join("..", "..", "charts", "sudoku.scxml"))
	if err != nil {
		t.Fatal(err)
	}
	script, err := os.ReadFile(filepath.Join("..", "..", "charts", "sudoku.js"))
	if err != nil {
		t.Fatal(err)
	}
	return strings.Replace(string(chart), `<script src="sudoku.js"/>`, "<script><![CDATA["+string(script)+"]]></script>", 1)
}

// The board needs a terminal that can move the cursor. Without one a Sudoku is
// played in lines of text, and no escape sequence is shown.
func TestSudokuInLines(t *testing.T) {
	for _, test := range []struct {
		term   string
		keys   string
		status int
	}{
		{"dumb", "q\n", cli.OK}, {"", "\x04", cli.OK}, {"nonsense", "\x03", cli.Interrupted},
	} {
		t.Run(test.term, func(t *testing.T) {
			t.Parallel()
			s := openScreen(t, sudokuChart(t), []string{"TERM=" + test.term}, "--ui", "auto")
			s.await("Sudoku: 01-nearly-solved (1 of 24)")
			s.await("> ")
			s.typeIn("start\n")
			s.await("Playing. 2 cells are empty.")
			s.await("> ")
			s.typeIn(test.keys)
			s.ends(test.status)
			if strings.Contains(s.all(), "\x1b") {
				t.Errorf("escape sequences: %q", s.all())
			}
		})
	}
}

// Ctrl+C has the same status in every front end.
func TestInterruptOfFrontEnds(t *testing.T) {
	const sleeps = `<scxml xmlns="http://www.w3.org/2005/07/scxml" version="1.0">
  <state><onentry><log expr="'asleep'"/><send event="e" delay="1h"/></onentry></state>
</scxml>`
	for ui, shown := range map[string]string{"sudoku": "start", "plain": "> ", "line": "> ", "json": `"type":"idle"`, "none": "asleep"} {
		t.Run(ui, func(t *testing.T) {
			t.Parallel()
			chart := sleeps
			if ui == "sudoku" || ui == "plain" {
				chart = sudokuChart(t)
			}
			s := openScreen(t, chart, []string{"LC_ALL=C.UTF-8"}, "--ui", ui)
			s.await(shown)
			s.typeIn("\x03")
			s.ends(cli.Interrupted)
		})
	}
}

// A script that hangs inside a function of the library outlives neither Ctrl+C, a signal
// nor --timeout by more than the grace, and the terminal is restored.
func TestHangingScriptOnTerminal(t *testing.T) {
	board := strings.Replace(sudokuChart(t), "<![CDATA[", "<![CDATA[var a = []; a[4294967294] = 1; a.reverse();", 1)
	for _, ui := range []string{"line", "sudoku", "tui"} {
		for _, end := range []string{"Ctrl+C", "SIGTERM", "--timeout"} {
			t.Run(ui+"/"+end, func(t *testing.T) {
				t.Parallel()
				chart, status, flags := hangingChart, cli.Interrupted, []string{"--ui", ui}
				if ui != "line" {
					chart = board
				}
				if end == "--timeout" {
					status, flags = cli.Timeout, append(flags, "--timeout", "4s")
				}
				s := openScreen(t, chart, nil, flags...)
				if ui != "line" {
					s.await("\x1b[?1049h")
					s.works() // it hangs before anything is drawn
				} else {
					s.await("> ")
					s.typeIn("hang\r")
					s.await("hanging")
				}
				switch end {
				case "Ctrl+C":
					s.typeIn("\x03")
				case "SIGTERM":
					s.cmd.Process.Signal(syscall.SIGTERM)
				}
				if ui != "line" {
					s.await("\x1b[?1049l")
				}
				s.await("ended by force")
				s.ends(status)
			})
		}
	}
}

// The same mistake has the same status in every front end.
func TestStatusOfFrontEnds(t *testing.T) {
	source := sudokuChart(t)
	chart, err := scxml.Parse("chart.scxml", []byte(source))
	if err != nil {
		t.Fatal(err)
	}
	session, err := scxml.New(chart)
	if err == nil {
		err = session.Start(t.Context())
	}
	for range 2 {
		err = errors.Join(err, session.Send(scxml.Event{Name: "start"}))
	}
	if err != nil {
		t.Fatal(err)
	}
	snapshot, err := session.Snapshot()
	if err != nil {
		t.Fatal(err)
	}
	timer := `"timers":[{"session":0,"due":"2000-01-01T00:00:00Z","delay":"1s","type":"pigeon","event":{"name":"e"}}],"data":[`
	saved := map[string]string{
		"whole":  string(snapshot),
		"broken": "{",
		"pigeon": strings.Replace(string(snapshot), `"data":[`, timer, 1),
	}
	for name, text := range saved {
		saved[name] = filepath.Join(t.TempDir(), name+".json")
		if err := os.WriteFile(saved[name], []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	for _, test := range []struct {
		name, shown string
		flags       []string
	}{
		{"no snapshot", "not a valid snapshot", []string{"--load", saved["broken"]}},
		{"beyond a limit", "limit ExternalQueue = 1 exceeded", []string{"--load", saved["whole"], "--limit", "ExternalQueue=1"}},
		{"no processor", `for the type "pigeon"`, []string{"--load", saved["pigeon"]}},
	} {
		for _, ui := range []string{"sudoku", "line", "json", "none"} {
			t.Run(test.name+"/"+ui, func(t *testing.T) {
				t.Parallel()
				s := openScreen(t, source, nil, append(test.flags, "--ui", ui)...)
				shown := test.shown
				if ui == "sudoku" && test.name == "no snapshot" {
					shown = "the file ends within a saved game" // which a board reads too
				}
				s.await(shown)
				s.ends(cli.Usage)
			})
		}
	}
}
