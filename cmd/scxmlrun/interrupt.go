package main

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"syscall"
	"time"
)

// grace is how long a session may take to end after an interrupt.
const grace = 3 * time.Second

// An interrupt is the cause of a context that a signal has cancelled.
type interrupt struct{ signal os.Signal }

func (e *interrupt) Error() string { return fmt.Sprintf("interrupted (%v)", e.signal) }

// interruptible returns a context that SIGINT and SIGTERM cancel with an
// *interrupt as the cause. Whoever does not end then is ended: at a second
// signal, or after twice the grace.
func interruptible(parent context.Context) (context.Context, context.CancelCauseFunc) {
	ctx, cancel := context.WithCancelCause(parent)
	signals := make(chan os.Signal, 2)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	// A reader that has gone is an error of the write, not the end of us.
	signal.Ignore(syscall.SIGPIPE)
	go func() {
		cancel(&interrupt{<-signals})
		select {
		case <-signals:
		case <-time.After(2 * grace):
		}
		os.Exit(statusInterrupted)
	}()
	return ctx, cancel
}
