//go:build unix

package terminal

import (
	"os"
	"os/signal"
	"slices"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// EndSignals are the signals that end a program. stopSignals stop it until it is continued.
var (
	EndSignals  = []os.Signal{syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP, syscall.SIGQUIT, syscall.SIGABRT}
	stopSignals = []os.Signal{syscall.SIGTSTP}
)

// IsStop reports whether a signal asks the program to stop until it is continued.
func IsStop(sig os.Signal) bool { return slices.Contains(stopSignals, sig) }

// Suspend restores the terminal, stops the program like Ctrl+Z in other programs, and
// takes control of the terminal again when the program is continued.
func (t *Terminal) Suspend() error {
	if t.Signals == nil {
		return nil // not the terminal of the program
	}
	// A shell with job control puts each job into a new process group. Without such
	// a shell, nothing could continue the program.
	if session, err := unix.Getsid(0); err != nil || session == syscall.Getpgrp() {
		return nil
	}
	var err error
	if t.leave(func() { err = t.Screen.Suspend() }); err != nil {
		return err
	}
	continued := make(chan os.Signal, 1)
	signal.Notify(continued, syscall.SIGCONT)
	defer signal.Stop(continued)
	// It must be SIGSTOP: the Go runtime ignores SIGTSTP once it was caught. Like the
	// signals of a terminal it goes to the process group, so that a program that
	// started this one, such as "go run", stops too.
	if err := syscall.Kill(0, syscall.SIGSTOP); err == nil {
		select {
		case <-continued:
		case <-time.After(time.Second / 2): // the process was stopped meanwhile
		}
	}
	t.drawing.Lock()
	defer t.drawing.Unlock()
	err = t.Screen.Resume()
	t.left = err != nil
	return err
}
