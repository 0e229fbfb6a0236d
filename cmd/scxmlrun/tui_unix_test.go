//go:build unix

package main

import (
	"strings"
	"syscall"
	"testing"

	"github.com/creack/pty"

	"github.com/scxmlrun/scxmlrun/cmd/internal/cli"
	"github.com/scxmlrun/scxmlrun/cmd/internal/clitest"
)

// openWhole runs the command on a chart with the front end that auto selects for a terminal.
func openWhole(t *testing.T, chart string, flags ...string) *clitest.Terminal {
	t.Helper()
	s := openScreen(t, chart, []string{"NO_COLOR=1", "TERM=xterm-256color", "LC_ALL=C.UTF-8"}, append([]string{"--ui", "auto"}, flags...)...)
	s.Resize(pty.Winsize{Cols: 100, Rows: 30})
	s.Shows("Events")
	s.Shows("quit") // the end of the last line
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
			s.Types(test.typed)
			s.Shows(leaves)
			s.Ends(test.status)
		})
	}
	t.Run("SIGTERM", func(t *testing.T) {
		t.Parallel()
		s := openWhole(t, counterChart)
		if err := s.Cmd.Process.Signal(syscall.SIGTERM); err != nil {
			t.Fatal(err)
		}
		s.Shows(leaves)
		s.Ends(cli.Interrupted)
	})
}

// Events are sent by keys, also after the window has changed its size.
func TestWholeScreenIsPlayable(t *testing.T) {
	s := openWhole(t, counterChart)
	s.Types("a")
	s.Shows("sent")
	s.Resize(pty.Winsize{Cols: 60, Rows: 20})
	s.Shows("small")
	s.Resize(pty.Winsize{Cols: 120, Rows: 40})
	s.Shows("Timers")
	s.Types("\x1b[D") // to the past
	s.Shows("past")
	s.Types("q")
	s.Ends(cli.OK)
}
