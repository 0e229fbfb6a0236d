//go:build unix

package clitest

import (
	"bytes"
	"errors"
	"io"
	"os"
	"os/exec"
	"reflect"
	"regexp"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/creack/pty"
	"golang.org/x/term"

	"github.com/scxmlrun/scxmlrun/cmd/internal/sudoku/shelf"
)

// patience is how long a program may take on a machine that is busy.
const patience = 30 * time.Second

// A program runs on a whole pseudo-terminal, which tells what it is asked for.
type program struct {
	t      *testing.T
	cmd    *exec.Cmd
	master *os.File
	tty    *os.File
	before *term.State
	ended  chan struct{}

	mu   sync.Mutex
	text []byte        // what it has written
	news chan struct{} // has an entry after output that nobody has looked at
	gone bool          // the terminal has been closed
}

// open starts a program on a terminal of a size. It cannot run others.
func open(t *testing.T, size pty.Winsize, args []string) *program {
	t.Helper()
	master, tty, err := pty.Open()
	if err != nil {
		t.Skipf("cannot open a pseudo-terminal: %v", err)
	}
	p := &program{t: t, master: master, tty: tty, ended: make(chan struct{}), news: make(chan struct{}, 1)}
	p.resize(size)
	if p.before, err = term.GetState(int(tty.Fd())); err != nil {
		t.Fatal(err)
	}
	p.cmd = exec.Command(args[0], args[1:]...)
	p.cmd.Dir = t.TempDir()
	p.cmd.Env = []string{"TERM=xterm-256color", "LC_ALL=C.UTF-8", "PATH=/nowhere", "HOME=" + p.cmd.Dir, shelf.Variable + "=" + p.cmd.Dir, "GORACE=atexit_sleep_ms=0"}
	p.cmd.Stdin, p.cmd.Stdout, p.cmd.Stderr = tty, tty, tty
	p.cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true}
	if err := p.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	read := make(chan struct{})
	go func() {
		defer close(read)
		io.Copy(p, master) // until the terminal is closed
	}()
	go func() {
		p.cmd.Wait()
		close(p.ended)
	}()
	t.Cleanup(func() {
		p.cmd.Process.Kill() // it may have ended already
		<-p.ended
		tty.Close()
		<-read
		if !p.gone {
			master.Close()
		}
	})
	return p
}

func (p *program) Write(b []byte) (int, error) {
	p.mu.Lock()
	p.text = append(p.text, b...)
	p.mu.Unlock()
	select {
	case p.news <- struct{}{}:
	default:
	}
	return len(b), nil
}

func (p *program) resize(size pty.Winsize) {
	if err := pty.Setsize(p.master, &size); err != nil {
		p.t.Fatal(err)
	}
}

// written returns how much the program has written.
func (p *program) written() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return len(p.text)
}

// since returns what the program has written after its first n bytes.
func (p *program) since(n int) string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return string(p.text[n:])
}

var (
	errEnded  = errors.New("the program has ended")
	errSilent = errors.New("the program does not answer")
)

// awaits waits until the program has written a text after its first n bytes, or has ended.
func (p *program) awaits(n int, text string, within time.Duration) error {
	late := time.After(within)
	for !strings.Contains(p.since(n), text) {
		select {
		case <-p.news:
		case <-p.ended:
			return errEnded
		case <-late:
			return errSilent
		}
	}
	return nil
}

// types reports whether the program has read what is typed, or what the terminal holds of it.
func (p *program) types(text []byte) bool {
	_, err := p.master.Write(text)
	return err == nil
}

// works types Ctrl+L, which draws the screen again, and waits for the answer. On a busy machine the program may
// read the key together with what was typed before, so it is pressed again after a while.
func (p *program) works() error {
	n := p.written()
	err := errSilent
	for begin := time.Now(); err == errSilent && time.Since(begin) < patience; {
		p.types([]byte("\f"))
		err = p.awaits(n, clear, 3*time.Second)
	}
	return err
}

const clear = "\x1b[H\x1b[2J"

var modes = regexp.MustCompile(`\x1b\[(?:\?([0-9]+)([hl])|(>1u|<u|>4;[02]m))`)

// check waits for the end of a program and returns how it differs from what it must be: by itself, without
// a dump, and the terminal as it was before. status is 130, or 0 as well if a key may have ended it.
func (p *program) check(mayQuit bool) error {
	select {
	case <-p.ended:
	case <-time.After(patience):
		return errors.New("the program does not end")
	}
	code := p.cmd.ProcessState.ExitCode()
	if p.gone && (code == 1 || code == 130) { // it has failed to read, or heard the hangup
		return nil
	}
	if code != 130 && (code != 0 || !mayQuit) {
		return errors.New("the program ended with " + p.cmd.ProcessState.String())
	}
	const marker = "<end>"
	io.WriteString(p.tty, marker)
	for late := time.After(patience); !strings.Contains(p.since(0), marker); {
		select {
		case <-p.news:
		case <-late:
			return errors.New("the terminal does not show what is written")
		}
	}
	after, err := term.GetState(int(p.tty.Fd()))
	if err != nil {
		return err
	}
	if !reflect.DeepEqual(after, p.before) {
		return errors.New("the settings of the terminal are not as before")
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	state := map[string]string{}
	for _, m := range modes.FindAllSubmatch(p.text, -1) {
		mode, value := string(m[1]), string(m[2])
		if mode == "" {
			mode, value = string(m[3][:1]), string(m[3])
			if mode != "<" && value != ">1u" {
				mode = "modifyOtherKeys"
			} else {
				mode = "kitty"
			}
		}
		state[mode] = value
	}
	for mode, value := range state {
		switch {
		case mode == "25" || mode == "7": // the cursor is shown, and lines wrap
			if value != "h" {
				return errors.New("mode " + mode + " is off")
			}
		case mode == "12": // the cursor blinks
		case value == "h" || value == ">1u" || value == ">4;2m":
			return errors.New("mode " + mode + " is on")
		}
	}
	for _, dump := range []string{"panic:", "goroutine ", "fatal error:", "DATA RACE"} {
		if bytes.Contains(p.text, []byte(dump)) {
			return errors.New("the program dumps")
		}
	}
	return nil
}
