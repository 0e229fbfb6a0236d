//go:build !unix

package terminal

import (
	"os"
	"syscall"
)

// EndSignals are the signals that end a program. No signal stops it here.
var (
	EndSignals  = []os.Signal{os.Interrupt, syscall.SIGTERM}
	stopSignals = []os.Signal{}
)

// IsStop reports whether a signal asks the program to stop until it is continued.
func IsStop(os.Signal) bool { return false }

// Suspend does nothing here.
func (t *Terminal) Suspend() error { return nil }
