//go:build unix

package tui

import (
	"os"
	"os/signal"
	"slices"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// endSignals end the game, stopSignals stop the program until it is continued.
var (
	endSignals  = []os.Signal{syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP, syscall.SIGQUIT, syscall.SIGABRT}
	stopSignals = []os.Signal{syscall.SIGTSTP}
)

func isStopSignal(sig os.Signal) bool { return slices.Contains(stopSignals, sig) }

// suspend gives the terminal back, stops the program as Ctrl+Z does elsewhere,
// and takes the terminal again when the program is continued.
func (t *terminal) suspend() error {
	if t.signals == nil {
		return nil // not a terminal that could be left
	}
	// A shell with job control gives each job a process group of its own.
	// Without such a shell there is nobody to continue the program.
	if session, err := unix.Getsid(0); err != nil || session == syscall.Getpgrp() {
		return nil
	}
	if err := t.screen.Suspend(); err != nil {
		return err
	}
	continued := make(chan os.Signal, 1)
	signal.Notify(continued, syscall.SIGCONT)
	defer signal.Stop(continued)
	// It has to be SIGSTOP: SIGTSTP, once it was caught, stays with the Go
	// runtime, which ignores it. Like what the terminal sends it goes to the
	// process group: a program that started this one, "go run" say, stops too.
	if err := syscall.Kill(0, syscall.SIGSTOP); err == nil {
		select {
		case <-continued:
		case <-time.After(time.Second / 2): // the other goroutines have been stopped by then
		}
	}
	return t.screen.Resume()
}
