//go:build unix

package main

import (
	"bufio"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/scxmlrun/scxmlrun/cmd/internal/cli"
)

// With --watch the picture follows the chart until a signal comes. A document with errors is drawn, too, and
// one of which nothing can be read leaves the last picture.
func TestDrawWatch(t *testing.T) {
	dir := t.TempDir()
	chart, picture := filepath.Join(dir, "chart.scxml"), filepath.Join(dir, "chart.svg")
	write := func(body string) {
		t.Helper()
		text := `<scxml xmlns="http://www.w3.org/2005/07/scxml" version="1.0">` + body + `</scxml>`
		if body == "" {
			text = "not XML"
		}
		if err := os.WriteFile(chart+".new", []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		if err := os.Rename(chart+".new", chart); err != nil {
			t.Fatal(err)
		}
	}
	write(`<state id="one"/>`)
	cmd := exec.Command(binary, "draw", chart, "-o", picture, "--watch")
	stderr, err := cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	defer cmd.Process.Kill()
	lines := bufio.NewScanner(stderr)
	until := func(text string) {
		t.Helper()
		for lines.Scan() {
			if strings.Contains(lines.Text(), text) {
				return
			}
		}
		t.Fatalf("standard error ended without %q", text)
	}
	shows := func(id string) {
		t.Helper()
		svg, err := os.ReadFile(picture)
		if err != nil || !strings.Contains(string(svg), `data-state="`+id+`"`) {
			t.Errorf("the picture does not show %s: %v", id, err)
		}
	}
	until("drawn at")
	shows("one")
	write(`<state id="three"/>`)
	until("drawn at")
	shows("three")
	write(`<state id="four" initial="five"/>`)
	until("illegal-initial")
	until("drawn at")
	shows("four")
	write("")
	until("was refused")
	shows("four")
	write(`<state id="seventh"/>`)
	until("drawn at")
	shows("seventh")
	if err := cmd.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	if cmd.Wait(); cmd.ProcessState.ExitCode() != cli.Interrupted {
		t.Errorf("exit status %d, want %d", cmd.ProcessState.ExitCode(), cli.Interrupted)
	}
}

// On a terminal draw shows boxes of characters, as wide as the terminal is, unless a format is named.
func TestDrawOnTerminal(t *testing.T) {
	file := filepath.Join(t.TempDir(), "chart.scxml")
	const chart = `<scxml xmlns="http://www.w3.org/2005/07/scxml" version="1.0" name="Door"><state id="open"/><state id="shut"><transition event="push" target="opne"/></state></scxml>`
	if err := os.WriteFile(file, []byte(chart), 0o666); err != nil {
		t.Fatal(err)
	}
	const want = `
╭─ Door ─────────────────────────────────────────────────╮
│ ╭→ open ╮ ╭─ ✗ shut ─────────────────────────────────╮ │
│ ╰───────╯ │ ✗ push → opne / error: target "opne" not │ │
│           │   found (did you mean "open"?)           │ │
│           ╰──────────────────────────────────────────╯ │
╰────────────────────────────────────────────────────────╯
`
	if got := onTerminal(t, "NO_COLOR=1", "draw", file); !strings.HasSuffix(got, "was refused: 1 error\n") || !strings.Contains(got, want) {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	if got := onTerminal(t, "", "draw", file); !strings.Contains(got, "\x1b[31m✗") {
		t.Errorf("no colour: %q", got)
	}
	if got := onTerminal(t, "", "draw", file, "--format", "svg"); !strings.Contains(got, "<svg") {
		t.Errorf("--format svg: %q", got)
	}
}
