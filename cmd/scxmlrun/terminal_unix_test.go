//go:build unix

package main

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/creack/pty"

	"github.com/scxmlrun/scxmlrun/cmd/internal/cli"
	"github.com/scxmlrun/scxmlrun/cmd/internal/clitest"
	"github.com/scxmlrun/scxmlrun/cmd/internal/sudoku/shelf"
	"github.com/scxmlrun/scxmlrun/scxml"
)

// openScreen runs the command on a chart in a new pseudo-terminal, with the line front end unless the
// flags say another.
func openScreen(t *testing.T, chart string, env []string, flags ...string) *clitest.Terminal {
	t.Helper()
	if len(flags) == 0 || flags[0] != "--ui" {
		flags = append([]string{"--ui", "line"}, flags...)
	}
	file := filepath.Join(t.TempDir(), "chart.scxml")
	if err := os.WriteFile(file, []byte(chart), 0o666); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(binary, append([]string{file}, flags...)...)
	cmd.Env = append(append(os.Environ(), "NO_COLOR=", "TERM=xterm", shelf.Variable+"="+t.TempDir()), env...)
	return clitest.Open(t, pty.Winsize{}, cmd)
}

// works waits until the command has used half a second of processor time.
func works(t *testing.T, s *clitest.Terminal) {
	t.Helper()
	for begin := time.Now(); ; time.Sleep(10 * time.Millisecond) {
		stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", s.Cmd.Process.Pid))
		if err != nil { // not Linux
			time.Sleep(2 * time.Second)
			return
		}
		_, fields, _ := strings.Cut(string(stat), ") ")
		if ticks, err := strconv.Atoi(strings.Fields(fields)[11]); err != nil || ticks >= 50 { // field 14, in hundredths
			return
		}
		if time.Since(begin) > 30*time.Second {
			t.Fatal("the command does not work")
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
			s.Shows("> ")
			s.Types(test.typed)
			s.Shows(test.shown)
			s.Ends(test.status)
			if coloured, want := colour.MatchString(s.All()), strings.HasPrefix(test.env, "TERM=xterm"); coloured != want {
				t.Errorf("colour is %v, want %v\n%q", coloured, want, s.All())
			}
			if plain := strings.HasPrefix(test.env, "TERM=") && !strings.HasPrefix(test.env, "TERM=xterm"); plain && strings.Contains(s.All(), sequence) {
				t.Errorf("a sequence for a terminal that may not know it\n%q", s.All())
			}
		})
	}
}

// A typed line of several rows is removed from all of them at the end.
func TestLongLineLeavesNothing(t *testing.T) {
	s := openScreen(t, counterChart, []string{"NO_COLOR=1"})
	s.Shows("> ")
	s.Types(strings.Repeat("word ", 40) + "end\x03")
	s.Shows("done    stopped")
	s.Ends(cli.Interrupted)
	up := regexp.MustCompile(`\x1b\[\d*A`)
	if _, after, _ := strings.Cut(s.All(), "done    stopped"); strings.Contains(after, "word") && !up.MatchString(after) {
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
			s.Shows("> ")
			s.Types("half a li")
			s.Shows("li")
			if err := s.Cmd.Process.Signal(test.signal); err != nil {
				t.Fatal(err)
			}
			s.Shows(test.shown)
			s.Ends(test.status)
		})
	}
}

// Even if nobody reads the terminal, the second interrupt ends the command and restores
// the terminal.
func TestBlockedTerminal(t *testing.T) {
	s := openScreen(t, counterChart, []string{"NO_COLOR=1"})
	s.Shows("> ")
	s.Unread(func() { // the terminal is full soon
		s.Types("again\r")
		time.Sleep(500 * time.Millisecond)
		s.Cmd.Process.Signal(syscall.SIGINT)
		time.Sleep(100 * time.Millisecond)
		s.Cmd.Process.Signal(syscall.SIGTERM)
	})
	s.Ends(cli.Interrupted)
}

// Ctrl+Z does nothing if no shell could continue the program.
func TestSuspendWithoutShell(t *testing.T) {
	s := openScreen(t, counterChart, []string{"NO_COLOR=1"})
	s.Shows("> ")
	s.Types("ad\x1a")
	s.Shows("\r\n") // it has left the line
	s.Shows("> ad")
	s.Types("d\r")
	s.Shows("data    n: 0 → 1")
	s.Types("data n\r")
	s.Shows("data    n = 1")
	s.Types("q\r")
	s.Ends(cli.OK)
}

// Editing, completing, and what was typed before.
func TestEditing(t *testing.T) {
	s := openScreen(t, counterChart, []string{"NO_COLOR=1"})
	s.Shows("> ")
	s.Types("ke\t") // completed
	s.Shows("keep ")
	s.Types("\x15add\r")
	s.Shows("data    n: 0 → 1")
	s.Types("\x1b[A\r") // the last line again
	s.Shows("data    n: 1 → 2")
	s.Types("\x1bOA\x1bOA\x1bOB\x1bOD\x1b[D\x7f\x1b[1~x\x7f\x1b[Fnothing\x17\x15add\r") // here and there, and all deleted
	s.Shows("data    n: 2 → 3")
	s.Types("data\r")
	s.Shows("data    n = 3")
	s.Types("a\t")
	s.Shows("advance  add      again")
	s.Types("\x15eval la\t.x\r")
	s.Shows("eval last")
	s.Shows("input   TypeError")
	s.Types("\xff\x00\xc3\xa9\u009b\u202e!\r") // only what can be shown
	s.Shows("> é!\r\n")
	s.Shows(`ignored é!: no transition for it in s`)
	s.Types("q\r")
	s.Shows("done    stopped")
	s.Ends(cli.OK)
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
	s.Shows("> ")
	s.Types("start\r")
	s.Shows("still")
	s.Shows("> ")
	s.Types("take 12")
	s.Shows("take 12")
	s.Shows(`log     ring: \x1b[2J\x9b\u202e` + "\r\n") // and not the characters themselves
	s.Shows("> take 12")
	s.Types("3\r")
	s.Shows("log     took: 123\r\n")
	s.Types("q\r")
	s.Ends(cli.OK)
}

// Narrow and wide terminals, and one of unknown size.
func TestTerminalSize(t *testing.T) {
	for _, size := range []pty.Winsize{{}, {Rows: 24, Cols: 40}, {Rows: 5, Cols: 3}, {Rows: 50, Cols: 500}} {
		t.Run(fmt.Sprint(size.Cols), func(t *testing.T) {
			t.Parallel()
			s := openScreen(t, counterChart, []string{"NO_COLOR=1"})
			s.Shows("> ")
			s.Resize(size)
			s.Types("help\r")
			s.Shows("send EVENT [JSON]")
			s.Shows("> ")
			s.Types("a\t\x15end\r")
			s.Shows("done    f")
			s.Ends(cli.OK)
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
			s.Shows("Sudoku: 11-easy-1 (11 of 24)")
			s.Shows("> ")
			s.Types("r1c1 8\n")
			s.Shows("52 cells are empty.")
			s.Shows("> ")
			s.Types(test.keys)
			s.Ends(test.status)
			if strings.Contains(s.All(), "\x1b") {
				t.Errorf("escape sequences: %q", s.All())
			}
		})
	}
}

// Ctrl+C has the same status in every front end.
func TestInterruptOfFrontEnds(t *testing.T) {
	const sleeps = `<scxml xmlns="http://www.w3.org/2005/07/scxml" version="1.0">
  <state><onentry><log expr="'asleep'"/><send event="e" delay="1h"/></onentry></state>
</scxml>`
	for ui, shown := range map[string]string{"sudoku": "playing", "plain": "> ", "line": "> ", "json": `"type":"idle"`, "none": "asleep"} {
		t.Run(ui, func(t *testing.T) {
			t.Parallel()
			chart := sleeps
			if ui == "sudoku" || ui == "plain" {
				chart = sudokuChart(t)
			}
			s := openScreen(t, chart, []string{"LC_ALL=C.UTF-8"}, "--ui", ui)
			s.Shows(shown)
			s.Types("\x03")
			s.Ends(cli.Interrupted)
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
					s.Shows("\x1b[?1049h")
					works(t, s) // it hangs before anything is drawn
				} else {
					s.Shows("> ")
					s.Types("hang\r")
					s.Shows("hanging")
				}
				switch end {
				case "Ctrl+C":
					s.Types("\x03")
				case "SIGTERM":
					s.Cmd.Process.Signal(syscall.SIGTERM)
				}
				if ui != "line" {
					s.Shows("\x1b[?1049l")
				}
				s.Shows("ended by force")
				s.Ends(status)
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
	session, err := scxml.New(chart, scxml.WithMissing())
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
				s.Shows(shown)
				s.Ends(cli.Usage)
			})
		}
	}
}
