package cli

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"syscall"
	"time"
)

// Grace is how long a command may take to end after an interrupt.
const Grace = 3 * time.Second

// An Interrupt is the cause of a context that a signal cancelled.
type Interrupt struct{ Signal os.Signal }

func (e *Interrupt) Error() string { return fmt.Sprintf("interrupted (%v)", e.Signal) }

// Interruptible returns a context that is cancelled by SIGINT, SIGTERM, SIGHUP or a
// value from keyboard; the cause is an *Interrupt. If the process has not ended by
// the second signal, or after twice the grace, it calls last, unless that is nil,
// and exits.
func Interruptible(parent context.Context, keyboard <-chan os.Signal, last func()) (context.Context, context.CancelCauseFunc) {
	ctx, cancel := context.WithCancelCause(parent)
	signals := make(chan os.Signal, 2)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	if !signal.Ignored(syscall.SIGHUP) { // as nohup does
		signal.Notify(signals, syscall.SIGHUP)
	}
	// Writing to a closed pipe is an error of the write, and does not end the process.
	signal.Ignore(syscall.SIGPIPE)
	next := func(timeout <-chan time.Time) os.Signal {
		select {
		case s := <-signals:
			return s
		case s := <-keyboard:
			return s
		case <-timeout:
			return nil
		}
	}
	go func() {
		cancel(&Interrupt{next(nil)})
		next(time.After(2 * Grace))
		if last != nil {
			last()
		}
		os.Exit(Interrupted)
	}()
	return ctx, cancel
}
