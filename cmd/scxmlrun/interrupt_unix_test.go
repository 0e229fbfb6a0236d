//go:build unix

package main

import (
	"bufio"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/creack/pty"

	"github.com/scxmlrun/scxmlrun/cmd/internal/cli"
	"github.com/scxmlrun/scxmlrun/cmd/internal/clitest"
)

// On a terminal there is a progress line, and Ctrl+C ends what would take an hour. What was found so far is not lost.
func TestProgressAndInterrupt(t *testing.T) {
	const chart = `<scxml xmlns="http://www.w3.org/2005/07/scxml" version="1.0"><datamodel><data id="n" expr="0"/></datamodel>
		<state id="a"><transition event="t"><assign location="n" expr="n + 1"/></transition><transition event="u" cond="n &lt; 0" target="b"/></state><state id="b"/></scxml>`
	file := filepath.Join(t.TempDir(), "count.scxml")
	if err := os.WriteFile(file, []byte(chart), 0o666); err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		args     []string
		progress string // interrupts when this is shown
		want     []string
	}{
		{[]string{"bench", "--time", "1h", "--event", "t"}, "events: ", []string{"load: ", "session: ", " of 3600.0 s", "interrupted"}},
		{[]string{"explore", "--reach", "b"}, " states, depth ", []string{" to visit, ", "inconclusive (interrupted): ", "not reached so far: b", "scxmlrun: interrupted"}},
	} {
		t.Run(test.args[0], func(t *testing.T) {
			cmd := exec.Command(binary, append(test.args, file)...)
			cmd.Env = append(os.Environ(), "TERM=xterm")
			s := clitest.Open(t, pty.Winsize{}, cmd)
			s.Shows(test.progress)
			s.Types("\x03")
			s.Ends(cli.Interrupted)
			for _, want := range test.want {
				if !strings.Contains(s.All(), want) {
					t.Errorf("it does not show %q: %q", want, s.All())
				}
			}
		})
	}
}

// Ctrl+C ends an expression that the debugger evaluates, and not the debugger.
func TestInterruptExpression(t *testing.T) {
	file := filepath.Join(t.TempDir(), "count.scxml")
	if err := os.WriteFile(file, []byte(`<scxml xmlns="http://www.w3.org/2005/07/scxml" version="1.0"><state id="a"/></scxml>`), 0o666); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(binary, "debug", "--limit", "ScriptTime=1h", "--limit", "MacrostepTime=1h", file)
	cmd.Env = append(os.Environ(), "TERM=xterm")
	terminal, err := pty.Start(cmd)
	if err != nil {
		t.Fatal(err)
	}
	defer terminal.Close()
	steps := []struct{ until, typed string }{
		{"before the start", "finish\r"},
		{"in a", "print (function () { while (true); })()\r"},
		{"while (true)", "\x03"},              // it may come before the evaluation
		{"context canceled", "print 6 * 7\r"}, // it was interrupted, or not even run
		{"42", "quit\r"},
	}
	var shown strings.Builder
	for buf := make([]byte, 1000); err == nil; {
		var n int
		n, err = terminal.Read(buf)
		shown.Write(buf[:n])
		typed := ""
		switch {
		case len(steps) > 0 && strings.Contains(shown.String(), steps[0].until):
			typed, steps = steps[0].typed, steps[1:]
			shown.Reset()
		case strings.Contains(shown.String(), "nothing runs"):
			typed = "\x03"
			shown.Reset()
		}
		if typed != "" {
			if _, err := terminal.Write([]byte(typed)); err != nil {
				t.Fatal(err)
			}
		}
	}
	if err := cmd.Wait(); err != nil || len(steps) > 0 {
		t.Errorf("%v; it does not show %v", err, steps)
	}
}

// On a pipe, a search without an end says what grows and what to do, and later how far it is.
func TestGrowingSearch(t *testing.T) {
	t.Parallel()
	const chart = `<scxml xmlns="http://www.w3.org/2005/07/scxml" version="1.0"><datamodel><data id="n" expr="0"/></datamodel>
		<state id="a"><transition event="t"><assign location="n" expr="n + 1"/></transition></state></scxml>`
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "count chart.scxml"), []byte(chart), 0o666); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(binary, "explore", "count chart.scxml")
	cmd.Dir = dir
	stderr, err := cmd.StderrPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	defer cmd.Process.Kill()
	lines := bufio.NewScanner(stderr)
	for _, want := range []string{
		`^scxmlrun: the search continues, but may have no end: what grows, as far as seen$`,
		`^  count chart.scxml:1:73: n had \d+ values on one path of \d+ inputs, at last \d+, \d+, \d+$`,
		`^in the chart: bound the data, for example cond="n &lt; 10" where it grows$`,
		`^without the data, which is not a proof, and may show deadlocks that are none: scxmlrun explore 'count chart.scxml' --view -n$`,
		`^near the start only: scxmlrun explore 'count chart.scxml' --depth 20$`,
		`^\d+ s: \d+ states, depth \d+, \d+ to visit, \d+ transitions/s$`,
	} {
		if !lines.Scan() || !regexp.MustCompile(want).MatchString(lines.Text()) {
			t.Fatalf("%s\nwant %s", lines.Text(), want)
		}
	}
}
