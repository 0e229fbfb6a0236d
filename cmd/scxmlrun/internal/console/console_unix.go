//go:build unix

package console

import (
	"os"
	"os/signal"
	"syscall"
	"time"
)

// watchSignals follows the size of the terminal, takes it again when the
// program is continued, and gives it back before the Go runtime ends the
// program for a SIGQUIT.
func (c *Console) watchSignals() {
	defer c.restoreOnPanic()
	signals := make(chan os.Signal, 4)
	signal.Notify(signals, syscall.SIGWINCH, syscall.SIGCONT, syscall.SIGQUIT)
	defer signal.Stop(signals)
	for {
		select {
		case <-c.closing:
			return
		case s := <-signals:
			switch s {
			case syscall.SIGWINCH:
				c.resize()
			case syscall.SIGCONT:
				c.resume()
			case syscall.SIGQUIT:
				c.Restore()
				signal.Reset(syscall.SIGQUIT)
				syscall.Kill(syscall.Getpid(), syscall.SIGQUIT)
			}
		}
	}
}

// stopSelf does what a terminal does at Ctrl+Z and Ctrl+\ when it is not in raw
// mode: it sends a signal to the process group.
func (c *Console) stopSelf(key byte) {
	if key == keyAbort {
		syscall.Kill(0, syscall.SIGQUIT)
		return
	}
	// SIGTSTP must not be caught anywhere: its default stops the program, or
	// is ignored if there is no shell that could continue it. SIGCONT then
	// takes the terminal again, or else the timer.
	c.pause()
	c.out.WriteString("\r\n")
	syscall.Kill(0, syscall.SIGTSTP)
	time.Sleep(100 * time.Millisecond)
	c.resume()
}
