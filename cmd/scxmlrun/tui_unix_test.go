//go:build unix

package main

import (
	"strings"
	"syscall"
	"testing"

	"github.com/creack/pty"

	"github.com/scxmlrun/scxmlrun/cmd/internal/cli"
)

// openWhole runs the command on a chart with the front end that auto selects for a terminal.
func openWhole(t *testing.T, chart string, flags ...string) *screen {
	t.Helper()
	s := openScreen(t, chart, []string{"NO_COLOR=1", "TERM=xterm-256color", "LC_ALL=C.UTF-8"}, append([]string{"--ui", "auto"}, flags...)...)
	if err := pty.Setsize(s.keyboard, &pty.Winsize{Cols: 100, Rows: 30}); err != nil {
		t.Fatal(err)
	}
	s.await("Events")
	s.await("quit") // the end of the last line
	return s
}

// On a terminal that can move its cursor, auto shows any chart on the whole screen. However the command
// ends, it restores the terminal.
func TestWholeScreen(t *testing.T) {
	const leaves = "\x1b[?1049l" // the screen of the terminal is shown again
	for _, test := range []struct {
		name   string
		typed  string
		status int
	}{
		{"quit", "q", cli.OK},
		{"Ctrl+C", "\x03", cli.Interrupted},
		{"Ctrl+C in a script", "x\x03", cli.Interrupted},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			s := openWhole(t, strings.ReplaceAll(counterChart, `"spin"`, `"xspin"`))
			s.typeIn(test.typed)
			s.await(leaves)
			s.ends(test.status)
		})
	}
	t.Run("SIGTERM", func(t *testing.T) {
		t.Parallel()
		s := openWhole(t, counterChart)
		if err := s.cmd.Process.Signal(syscall.SIGTERM); err != nil {
			t.Fatal(err)
		}
		s.await(leaves)
		s.ends(cli.Interrupted)
	})
}

// Events are sent by keys, also after the window has changed its size.
func TestWholeScreenIsPlayable(t *testing.T) {
	s := openWhole(t, counterChart)
	s.typeIn("a")
	s.await("sent")
	if err := pty.Setsize(s.keyboard, &pty.Winsize{Cols: 60, Rows: 20}); err != nil {
		t.Fatal(err)
	}
	s.await("small")
	if err := pty.Setsize(s.keyboard, &pty.Winsize{Cols: 120, Rows: 40}); err != nil {
		t.Fatal(err)
	}
	s.await("Timers")
	s.typeIn("\x1b[D") // to the past
	s.await("past")
	s.typeIn("q")
	s.ends(cli.OK)
}
