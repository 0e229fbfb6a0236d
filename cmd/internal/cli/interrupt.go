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

// An Interrupt is the cause of a context that a signal has cancelled.
type Interrupt struct{ Signal os.Signal }

func (e *Interrupt) Error() string { return fmt.Sprintf("interrupted (%v)", e.Signal) }

// Interruptible returns a context that SIGINT, SIGTERM and SIGHUP cancel with
// an *Interrupt as the cause, and so does a value from keyboard. Whoever does
// not end then is ended: at a second signal, or after twice the grace. Before
// that last is called, unless it is nil.
func Interruptible(parent context.Context, keyboard <-chan os.Signal, last func()) (context.Context, context.CancelCauseFunc) {
	ctx, cancel := context.WithCancelCause(parent)
	signals := make(chan os.Signal, 2)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	if !signal.Ignored(syscall.SIGHUP) { // as nohup does
		signal.Notify(signals, syscall.SIGHUP)
	}
	// A reader that has gone is an error of the write, not the end of us.
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
