//go:build !unix

package tui

import (
	"os"
	"syscall"
)

// endSignals end the game. No signal stops the program here.
var (
	endSignals  = []os.Signal{os.Interrupt, syscall.SIGTERM}
	stopSignals = []os.Signal{}
)

func isStopSignal(os.Signal) bool { return false }

func (t *terminal) suspend() error { return nil }
