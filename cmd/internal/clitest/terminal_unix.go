//go:build unix

package clitest

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
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
)

// patience is how long a program may take on a machine that is busy.
const patience = 30 * time.Second

// A Terminal is a pseudo-terminal with a program that runs in it.
type Terminal struct {
	Cmd *exec.Cmd

	t      *testing.T
	master *os.File
	tty    *os.File
	before *term.State
	ended  chan struct{}

	mu   sync.Mutex
	text []byte        // what the program has written
	from int           // up to here it has been awaited
	news chan struct{} // has an entry after output that nobody has looked at
	gone bool          // the terminal has been closed
}

// Open starts a program in a terminal of a size.
func Open(t *testing.T, size pty.Winsize, cmd *exec.Cmd) *Terminal {
	t.Helper()
	master, tty, err := pty.Open()
	if err != nil {
		t.Skipf("cannot open a pseudo-terminal: %v", err)
	}
	p := &Terminal{Cmd: cmd, t: t, master: master, tty: tty, ended: make(chan struct{}), news: make(chan struct{}, 1)}
	p.Resize(size)
	if p.before, err = term.GetState(int(tty.Fd())); err != nil {
		t.Fatal(err)
	}
	cmd.Stdin, cmd.Stdout, cmd.Stderr = tty, tty, tty
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	read := make(chan struct{})
	go func() {
		defer close(read)
		io.Copy(p, master) // until the terminal is closed
	}()
	go func() {
		cmd.Wait()
		close(p.ended)
	}()
	t.Cleanup(func() {
		cmd.Process.Kill() // it may have ended already
		<-p.ended
		tty.Close()
		<-read
		if !p.gone {
			master.Close()
		}
	})
	return p
}

// Write takes what the program has written.
func (p *Terminal) Write(b []byte) (int, error) {
	p.mu.Lock()
	p.text = append(p.text, b...)
	p.mu.Unlock()
	select {
	case p.news <- struct{}{}:
	default:
	}
	return len(b), nil
}

// Resize gives the terminal another size.
func (p *Terminal) Resize(size pty.Winsize) {
	p.t.Helper()
	if err := pty.Setsize(p.master, &size); err != nil {
		p.t.Fatal(err)
	}
}

// Types types keys.
func (p *Terminal) Types(keys string) {
	p.t.Helper()
	if _, err := io.WriteString(p.master, keys); err != nil {
		p.t.Fatal(err)
	}
}

// Shows waits until the program has written a text after the one awaited before.
func (p *Terminal) Shows(text string) {
	p.t.Helper()
	if err := p.awaits(p.from, text, patience); err != nil {
		p.t.Fatalf("%v: %q does not appear after %q:\n%q", err, text, p.All()[:p.from], p.since(p.from))
	}
	p.from += strings.Index(p.since(p.from), text) + len(text)
}

// All returns all that the program has written.
func (p *Terminal) All() string { return p.since(0) }

// Unread calls f, which ends the program, while nobody reads what it writes.
func (p *Terminal) Unread(f func()) {
	p.mu.Lock()
	defer p.mu.Unlock()
	f()
	p.hasEnded() // if not, Ends says so
}

// hasEnded waits until the program has ended.
func (p *Terminal) hasEnded() error {
	select {
	case <-p.ended:
		return nil
	case <-time.After(patience):
		return errors.New("the program does not end")
	}
}

// Wait waits until the program has ended, and all that it has written was read.
func (p *Terminal) Wait() {
	p.t.Helper()
	if err := p.hasEnded(); err != nil {
		p.t.Fatal(err)
	}
	if err := p.readAll(); err != nil {
		p.t.Fatal(err)
	}
}

// Ends waits for the end of the program, and checks its status and, unless it was killed, which is -1, that
// the settings of the terminal are as before.
func (p *Terminal) Ends(status int) {
	p.t.Helper()
	p.Wait()
	if got := p.Cmd.ProcessState.ExitCode(); got != status {
		p.t.Errorf("%v: exit status %d, want %d\n%s", p.Cmd.Args, got, status, p.All())
	}
	if err := p.isRestored(); err != nil && status != -1 {
		p.t.Error(err)
	}
}

func (p *Terminal) isRestored() error {
	after, err := term.GetState(int(p.tty.Fd()))
	if err == nil && !reflect.DeepEqual(after, p.before) {
		err = errors.New("the settings of the terminal are not as before")
	}
	return err
}

// written returns how much the program has written.
func (p *Terminal) written() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return len(p.text)
}

// since returns what the program has written after its first n bytes.
func (p *Terminal) since(n int) string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return string(p.text[n:])
}

var (
	errEnded  = errors.New("the program has ended")
	errSilent = errors.New("the program does not answer")
)

// awaits waits until the program has written a text after its first n bytes, or has ended.
func (p *Terminal) awaits(n int, text string, within time.Duration) error {
	late := time.After(within)
	for !strings.Contains(p.since(n), text) {
		select {
		case <-p.news:
		case <-p.ended:
			if err := p.readAll(); err != nil || !strings.Contains(p.since(n), text) {
				return cmp.Or(err, errEnded)
			}
		case <-late:
			return errSilent
		}
	}
	return nil
}

// readAll waits until all has been read that a program has written, which has ended.
func (p *Terminal) readAll() error {
	const marker = "<end>"
	n := p.written()
	io.WriteString(p.tty, marker)
	for late := time.After(patience); !strings.Contains(p.since(n), marker); {
		select {
		case <-p.news:
		case <-late:
			return errors.New("the terminal does not show what is written")
		}
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.text = p.text[:n+bytes.Index(p.text[n:], []byte(marker))]
	return nil
}

// works types Ctrl+L, which draws the screen again, and waits for the answer. On a busy machine the program may
// read the key together with what was typed before, so it is pressed again after a while.
func (p *Terminal) works() error {
	n := p.written()
	err := errSilent
	for begin := time.Now(); err == errSilent && time.Since(begin) < patience; {
		p.master.WriteString("\f")
		err = p.awaits(n, clear, 3*time.Second)
	}
	return err
}

const clear = "\x1b[H\x1b[2J"

// modes are the sequences that change what a terminal does: by number, kitty's keys, and xterm's modifyOtherKeys.
var modes = regexp.MustCompile(`\x1b\[(?:\?([0-9]+)([hl])|([<>])1?u|>4;([02])m)`)

// check waits for the end of a program and returns how it differs from what it must be: by itself, without
// a dump, and the terminal as it was before. status is 130, or 0 as well if a key may have ended it.
func (p *Terminal) check(mayQuit bool) error {
	if err := p.hasEnded(); err != nil {
		return err
	}
	code := p.Cmd.ProcessState.ExitCode()
	if p.gone && (code == 1 || code == 130) { // it has failed to read, or heard the hangup
		return nil
	}
	if code != 130 && (code != 0 || !mayQuit) {
		return errors.New("the program ended with " + p.Cmd.ProcessState.String())
	}
	if err := cmp.Or(p.readAll(), p.isRestored()); err != nil {
		return err
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	on := map[string]bool{}
	for _, m := range modes.FindAllSubmatch(p.text, -1) {
		switch {
		case m[1] != nil:
			on[string(m[1])] = m[2][0] == 'h'
		case m[3] != nil:
			on["kitty"] = m[3][0] == '>'
		default:
			on["modifyOtherKeys"] = m[4][0] == '2'
		}
	}
	for mode, is := range on {
		// The cursor is shown (25), and lines wrap (7). It may blink (12).
		if is != (mode == "25" || mode == "7") && mode != "12" {
			return fmt.Errorf("mode %s is %v", mode, is)
		}
	}
	for _, dump := range []string{"panic:", "goroutine ", "fatal error:", "DATA RACE"} {
		if bytes.Contains(p.text, []byte(dump)) {
			return errors.New("the program dumps")
		}
	}
	return nil
}
