//go:build unix

package tui

import (
	"os"
	"os/signal"
	"slices"
	"syscall"
	"time"
)

// endSignals end the game, stopSignals stop the program until it is continued.
var (
	endSignals  = []os.Signal{syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP, syscall.SIGQUIT}
	stopSignals = []os.Signal{syscall.SIGTSTP}
)

func isStopSignal(sig os.Signal) bool { return slices.Contains(stopSignals, sig) }

// suspend gives the terminal back, stops the program as Ctrl+Z does elsewhere,
// and takes the terminal again when the program is continued.
func (t *terminal) suspend() error {
	if t.signals == nil {
		return nil // not a terminal that could be left
	}
	if err := t.screen.Suspend(); err != nil {
		return err
	}
	continued := make(chan os.Signal, 1)
	signal.Notify(continued, syscall.SIGCONT)
	defer signal.Stop(continued)
	signal.Reset(stopSignals...)
	defer signal.Notify(t.signals, stopSignals...)
	// The signal goes to the process group, as it does when it comes from the
	// terminal: a program that started this one, "go run" say, stops too.
	if err := syscall.Kill(0, syscall.SIGTSTP); err == nil {
		select {
		case <-continued:
		case <-time.After(time.Second / 2): // there is no shell that could continue the program: it was not stopped
		}
	}
	return t.screen.Resume()
}
