//go:build unix

package main

import (
	"bytes"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/creack/pty"
)

// A screen keeps what a program has written to its terminal.
type screen struct {
	mu   sync.Mutex
	text bytes.Buffer
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

// await waits until the terminal has shown a text.
func (s *screen) await(t *testing.T, text string) {
	t.Helper()
	deadline := time.After(30 * time.Second)
	for {
		s.mu.Lock()
		all := s.text.String()
		s.mu.Unlock()
		if strings.Contains(all, text) {
			return
		}
		select {
		case <-s.news:
		case <-deadline:
			t.Fatalf("the terminal never showed %q:\n%s", text, all)
		}
	}
}

// On a terminal auto is the line front end for a chart that is no Sudoku.
func TestLineOnTerminal(t *testing.T) {
	file := filepath.Join(t.TempDir(), "chart.scxml")
	if err := os.WriteFile(file, []byte(counterChart), 0o666); err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		name   string
		env    string
		typed  string
		shown  string
		status int
	}{
		{"quit", "NO_COLOR=1", "q\n", "done    stopped", statusOK},
		{"Ctrl+D", "NO_COLOR=1", "\x04", "done    stopped", statusOK},
		{"Ctrl+C", "NO_COLOR=1", "\x03", "done    stopped", statusInterrupted},
		{"final", "NO_COLOR=1", "end\n", "done    f", statusOK},
		{"colour", "TERM=xterm", "q\n", "\x1b[1mdone   \x1b[0m stopped", statusOK},
		{"dumb", "TERM=dumb", "q\n", "done    stopped", statusOK},
	} {
		t.Run(test.name, func(t *testing.T) {
			cmd := exec.Command(binary, file)
			cmd.Env = append(os.Environ(), "NO_COLOR=", "TERM=xterm", test.env)
			terminal, err := pty.Start(cmd)
			if err != nil {
				t.Fatal(err)
			}
			defer terminal.Close()
			s := &screen{news: make(chan struct{}, 1)}
			copied := make(chan struct{})
			go func() {
				defer close(copied)
				io.Copy(s, terminal) // until the program has ended
			}()
			s.await(t, "> ")
			io.WriteString(terminal, test.typed)
			s.await(t, test.shown)
			err = cmd.Wait()
			var exit *exec.ExitError
			if err != nil && !errors.As(err, &exit) {
				t.Fatal(err)
			}
			if got := cmd.ProcessState.ExitCode(); got != test.status {
				t.Errorf("exit status %d, want %d", got, test.status)
			}
			<-copied
			if coloured := strings.Contains(s.text.String(), "\x1b["); coloured != (test.name == "colour") {
				t.Errorf("colour: %v\n%q", coloured, s.text.String())
			}
		})
	}
}
