package cli

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/signal"
	"syscall"
	"time"

	"github.com/scxmlrun/scxmlrun/cmd/internal/file"
)

// Grace is how long a command may take to end after the first signal, or after its time
// is up.
const Grace = time.Second

// An Interrupt is the cause of a context that a signal cancelled.
type Interrupt struct{ Signal os.Signal }

func (e *Interrupt) Error() string { return fmt.Sprintf("interrupted (%v)", e.Signal) }

// Interruptible returns a context that is cancelled by SIGINT, SIGTERM, SIGHUP or a
// value from keyboard; the cause is an *Interrupt. The second signal ends the process at
// once, and so does last after [Grace].
func Interruptible(parent context.Context, keyboard <-chan os.Signal, last *Last) (context.Context, context.CancelCauseFunc) {
	ctx, cancel := context.WithCancelCause(parent)
	signals := notified(2)
	both := make(chan os.Signal)
	go func() {
		for {
			select {
			case s := <-signals:
				both <- s
			case s := <-keyboard:
				both <- s
			}
		}
	}()
	go last.Interrupts(both, func(s os.Signal) { cancel(&Interrupt{s}) })
	return ctx, cancel
}

// notified returns a channel for the signals that end a command.
func notified(size int) chan os.Signal {
	signals := make(chan os.Signal, size)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	if !signal.Ignored(syscall.SIGHUP) { // as nohup does
		signal.Notify(signals, syscall.SIGHUP)
	}
	return signals
}

// Stoppable returns the error of work, which writes no file. A signal ends its context, and Stoppable
// returns at once, with an [Error] of the status [Interrupted]: not all work can be interrupted.
func Stoppable(parent context.Context, work func(context.Context) error) error {
	ctx, cancel := context.WithCancel(parent)
	defer cancel()
	signals := notified(1)
	defer signal.Stop(signals)
	done := make(chan error, 1)
	go func() { done <- work(ctx) }()
	select {
	case err := <-done:
		signal.Stop(signals)
		if len(signals) > 0 { // it came at the very end, and nobody else has heard it
			return &Error{Status: Interrupted}
		}
		return Outcome(ctx, err)
	case <-signals:
		clearLine()
	case <-ctx.Done():
	}
	return &Error{Status: Interrupted}
}

// Get returns what get returns, unless a signal ends it as it ends [Stoppable]. It is for files that a user
// has named: they may be FIFOs to which nobody writes.
func Get[T any](ctx context.Context, get func() (T, error)) (T, error) {
	var got, none T
	var failed error
	if err := Stoppable(ctx, func(context.Context) error { got, failed = get(); return nil }); err != nil {
		return none, err
	}
	return got, failed
}

// Open is [os.Open] with [Get].
func Open(ctx context.Context, name string) (*os.File, error) {
	return Get(ctx, func() (*os.File, error) { return os.Open(name) })
}

// Read is [file.Read] with [Get].
func Read(name string, limit int64) ([]byte, error) {
	return Get(context.Background(), func() ([]byte, error) { return file.Read(name, limit) })
}

// ReadText is [Read] for what people write: without the byte order mark that programs of Windows put at the
// beginning of a file.
func ReadText(name string, limit int64) ([]byte, error) {
	text, err := Read(name, limit)
	return bytes.TrimPrefix(text, []byte("\uFEFF")), err
}

// Unbroken calls f, which writes a file, to its end. If there was a signal meanwhile, it returns an
// [Error] of the status [Interrupted] then.
func Unbroken(f func() error) error {
	signals := notified(1)
	err := f()
	signal.Stop(signals)
	if len(signals) > 0 {
		return &Error{Status: Interrupted}
	}
	return err
}

// Last ends a process whose command does not end by itself: nothing else ends a script
// that hangs inside a function of the library. A nil Last only knows signals.
type Last struct {
	Restore func() // restores the terminal; nil: nothing to do
	saving  chan struct{}
}

// NewLast returns a Last. Set Restore before another method is called.
func NewLast() *Last { return &Last{saving: make(chan struct{}, 1)} }

// Interrupts passes the first signal to first, and ends the process with the status
// [Interrupted] after [Grace], or at once with the next signal. A nil first does nothing.
func (l *Last) Interrupts(signals <-chan os.Signal, first func(os.Signal)) {
	s := <-signals
	if first != nil {
		first(s)
	}
	forced := false
	select {
	case <-signals:
	case <-time.After(Grace):
		forced = true
		if l != nil {
			select {
			case <-signals:
			case l.saving <- struct{}{}:
			}
		}
	}
	l.exit(Interrupted, forced)
}

// TimeOut ends the process with the status [Timeout] when [Grace] has passed after timeout.
func (l *Last) TimeOut(timeout time.Duration) {
	time.AfterFunc(timeout+Grace, func() {
		l.saving <- struct{}{}
		l.exit(Timeout, true)
	})
}

// Save calls f, which saves something: only another signal ends the process in between.
func (l *Last) Save(f func() error) error {
	l.saving <- struct{}{}
	defer func() { <-l.saving }()
	return f()
}

// clearLine removes the line of a [Progress] that may be there.
func clearLine() {
	if CanMoveCursor(os.Stderr) {
		fmt.Fprint(os.Stderr, "\r\x1b[K")
	}
}

// exit ends the process, even if the terminal takes no output.
func (l *Last) exit(status int, forced bool) {
	done := make(chan struct{})
	go func() {
		defer close(done)
		if l != nil && l.Restore != nil {
			l.Restore()
		}
		clearLine()
		if forced {
			fmt.Fprintf(os.Stderr, "ended by force: the command did not end within %v\n", Grace)
		}
	}()
	select {
	case <-done:
	case <-time.After(Grace):
	}
	os.Exit(status)
}
