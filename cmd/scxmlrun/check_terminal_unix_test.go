//go:build unix

package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/creack/pty"

	"github.com/scxmlrun/scxmlrun/cmd/internal/clitest"
)

// onTerminal runs the command on a terminal of 60 columns and returns what it shows.
func onTerminal(t *testing.T, env string, args ...string) string {
	t.Helper()
	cmd := exec.Command(binary, args...)
	cmd.Env = append(os.Environ(), "NO_COLOR=", "TERM=xterm", env)
	s := clitest.Open(t, pty.Winsize{Rows: 25, Cols: 60}, cmd)
	s.Wait() // the status is tested elsewhere
	return strings.ReplaceAll(s.All(), "\r\n", "\n")
}

// On a terminal the line of the document is shown with a caret.
func TestCheckOnTerminal(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "chart.scxml")
	const chart = "<scxml xmlns=\"http://www.w3.org/2005/07/scxml\" version=\"1.0\">\n\t<script src=\"s.js\"/>\r\n\t<state id=\"a\">\t<transition event=\"e\" target=\"q\"/><transition event=\"f\" target=\"a\"/></state>\n</scxml>"
	if err := os.WriteFile(file, []byte(chart), 0o666); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "s.js"), []byte("var a;\n  var = 1;"), 0o666); err != nil {
		t.Fatal(err)
	}
	want := file + `:3:47: error: state "a": target "q" not found [unknown-target]` + `
    <state id="a">  <transition event="e" target="q"/><tr…
                                                  ^
` + filepath.Join(dir, "s.js") + `:2:7: error: syntax error in a script: unexpected token "=" [expression-syntax]
    var = 1;
        ^
scxmlrun: 2 errors in 1 chart
`
	if got := withoutProgress(onTerminal(t, "NO_COLOR=1", "check", file)); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	if got := onTerminal(t, "", "check", file); !strings.Contains(got, "\x1b[31merror\x1b[0m") {
		t.Errorf("no colour: %q", got)
	}

	// run says the same of a document that it refuses, but not because of a syntax error.
	want = strings.NewReplacer("scxmlrun: 2 errors in 1 chart", "scxmlrun: "+file+" was refused: 1 error", ":2:7: error", ":2:7: warning").Replace(want)
	if got := onTerminal(t, "NO_COLOR=1", "run", "--ui", "none", file); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}

	// A syntax error alone.
	if err := os.WriteFile(file, []byte(strings.Replace(chart, `target="q"`, `target="a"`, 1)), 0o666); err != nil {
		t.Fatal(err)
	}
	want = filepath.Join(dir, "s.js") + `:2:7: error: syntax error in a script: unexpected token "=" [expression-syntax]` + `
    var = 1;
        ^
scxmlrun: 1 error in 1 chart
`
	if got := withoutProgress(onTerminal(t, "NO_COLOR=1", "check", file)); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}

	// UTF-16: there are positions, but no lines.
	utf16 := []byte{0xFF, 0xFE}
	for _, r := range `<scxml/>` {
		utf16 = append(utf16, byte(r), 0)
	}
	if err := os.WriteFile(file, utf16, 0o666); err != nil {
		t.Fatal(err)
	}
	if got := withoutProgress(onTerminal(t, "NO_COLOR=1", "check", file)); !strings.HasPrefix(got, file+":1:1: error: ") || strings.Contains(got, "^") {
		t.Errorf("got\n%s", got)
	}
}

// withoutProgress removes a line of progress, which is there if a busy machine takes a while.
func withoutProgress(out string) string {
	const clear = "\r\x1b[K"
	if at := strings.LastIndex(out, clear); at >= 0 {
		return out[at+len(clear):]
	}
	return out
}

// A folder that takes a while has a progress line, which is gone at the end.
func TestCheckProgress(t *testing.T) {
	dir := t.TempDir()
	var states strings.Builder
	for i := range 2000 {
		fmt.Fprintf(&states, `<state id="s%d"><transition event="e" cond="x(%d) == In('s0')" target="s%d"/></state>`, i, i, (i+1)%2000)
	}
	for i := range 12 {
		chart := `<scxml xmlns="http://www.w3.org/2005/07/scxml" version="1.0"><datamodel><data id="x"/></datamodel>` + states.String() + `</scxml>`
		if err := os.WriteFile(filepath.Join(dir, fmt.Sprintf("c%d.scxml", i)), []byte(chart), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	got := onTerminal(t, "NO_COLOR=1", "check", dir)
	end := strings.LastIndex(got, "\r\x1b[K") + len("\r\x1b[K")
	progress, rest := got[:end], got[end:]
	if !strings.Contains(progress, " of 12 charts") || strings.Contains(rest, "checking") {
		t.Errorf("no progress line, or one that stays: %q", got[:min(len(got), 500)])
	}
	if rest != "scxmlrun: 12 charts checked, nothing to report\n" {
		t.Errorf("no sum, or too much: %q", rest[:min(len(rest), 500)])
	}
	if got := onTerminal(t, "TERM=dumb", "check", filepath.Join(dir, "c1.scxml")); strings.Contains(got, "\x1b") {
		t.Errorf("a dumb terminal gets escape sequences: %q", got[:min(len(got), 500)])
	}
}
