//go:build unix

package console

import (
	"os"
	"os/signal"
	"syscall"
	"time"
)

// watchSignals follows the size of the terminal, takes control of it again when the
// program is continued, and restores it before the Go runtime exits on SIGQUIT.
func (c *Console) watchSignals() {
	signals := make(chan os.Signal, 4)
	signal.Notify(signals, syscall.SIGWINCH, syscall.SIGCONT, syscall.SIGQUIT)
	go c.heed(signals)
}

func (c *Console) heed(signals chan os.Signal) {
	defer c.restoreOnPanic()
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
				c.mu.Lock() // until the end, so that nothing takes the terminal again
				c.restore()
				signal.Reset(syscall.SIGQUIT)
				syscall.Kill(syscall.Getpid(), syscall.SIGQUIT)
			}
		}
	}
}

// stopSelf does what a terminal outside raw mode does on Ctrl+Z and Ctrl+\: it sends a
// signal to the process group.
func (c *Console) stopSelf(key byte) {
	if key == keyAbort {
		syscall.Kill(0, syscall.SIGQUIT)
		return
	}
	// SIGTSTP must not be caught anywhere: by default it stops the program, unless no
	// shell could continue it. Either SIGCONT or the sleep below leads to resume.
	c.pause()
	c.out.WriteString("\r\n")
	syscall.Kill(0, syscall.SIGTSTP)
	time.Sleep(100 * time.Millisecond)
	c.resume()
}
