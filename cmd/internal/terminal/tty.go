package terminal

import (
	"bytes"
	"context"
	"os"
	"strconv"
	"time"

	"github.com/gdamore/tcell/v2"
)

// What a terminal says of its size is believed up to here: tcell makes a cell of more than a hundred
// bytes for each character.
const maxColumns, maxRows = 1000, 500

// A sane is a terminal whose input tcell can read, see [filter], and whose size it can draw.
type sane struct {
	tcell.Tty
	filter  filter
	passed  []byte      // what tcell has not read yet
	reading chan []byte // gets what the terminal types, and is closed if it fails; nil if nobody reads
	failed  error

	// Of the time from Start to Stop.
	hushed, drained context.Context // done when there is no more input, and when Read must return
	hush, drain     context.CancelFunc
	ended           chan struct{} // closed when Read will return an error
}

// Start makes the terminal ready to be read.
func (t *sane) Start() error {
	t.hushed, t.hush = context.WithCancel(context.Background())
	t.drained, t.drain = context.WithCancel(context.Background())
	t.ended = make(chan struct{})
	err := t.Tty.Start()
	if err != nil {
		close(t.ended) // nobody will read
	}
	return err
}

// Read reads what has passed the filter: characters, or one escape sequence. tcell takes an escape character
// for the key Esc if 60 ms pass after it, so the sequence must not be cut by the end of a buffer.
func (t *sane) Read(p []byte) (int, error) {
	for len(t.passed) == 0 || t.hushed.Err() != nil {
		if t.reading == nil {
			t.reading = make(chan []byte, 1)
			go t.read(t.reading)
		}
		var pause <-chan time.Time
		if d := t.filter.pause(); d > 0 {
			pause = time.After(d)
		}
		select {
		case typed, ok := <-t.reading:
			t.reading = nil
			if !ok {
				close(t.ended)
				return 0, t.failed
			}
			for _, b := range typed {
				t.passed = t.filter.feed(t.passed, b)
			}
		case <-pause: // the read continues
			t.passed = t.filter.end(t.passed)
		case <-t.hushed.Done():
			close(t.ended)
			<-t.drained.Done()
			return 0, os.ErrClosed
		}
	}
	n := len(t.passed)
	if i := bytes.IndexByte(t.passed[1:], esc); i >= 0 {
		n = 1 + i
	}
	n = copy(p, t.passed[:n])
	t.passed = t.passed[n:]
	return n, nil
}

// Drain makes Read return.
func (t *sane) Drain() error {
	t.hush()
	t.drain()
	return t.Tty.Drain()
}

func (t *sane) read(result chan<- []byte) {
	b := make([]byte, 128)
	n, err := t.Tty.Read(b)
	if err != nil {
		t.failed = err
		close(result)
		return
	}
	result <- b[:n]
}

// Stop waits for the read that has begun, which Drain has ended, and forgets what was read.
func (t *sane) Stop() error {
	if t.reading != nil {
		<-t.reading
	}
	t.reading, t.passed, t.filter = nil, nil, filter{isUTF8: t.filter.isUTF8, wait: t.filter.wait}
	return t.Tty.Stop()
}

func (t *sane) WindowSize() (tcell.WindowSize, error) {
	size, err := t.Tty.WindowSize()
	size.Width, size.Height = min(size.Width, maxColumns), min(size.Height, maxRows)
	return size, err
}

// escapeDelay returns the pause of the filter that ESCDELAY says, in milliseconds, as for programs on
// ncurses; 0 is the default.
func escapeDelay() time.Duration {
	ms, _ := strconv.Atoi(os.Getenv("ESCDELAY"))
	return time.Duration(max(0, min(ms, 10_000))) * time.Millisecond
}

// boundSize takes sizes that cannot be drawn from the environment, which tcell believes before it asks the
// terminal.
func boundSize() {
	for name, most := range map[string]int{"COLUMNS": maxColumns, "LINES": maxRows} {
		if n, _ := strconv.Atoi(os.Getenv(name)); n < 0 || n > most {
			os.Unsetenv(name)
		}
	}
}
