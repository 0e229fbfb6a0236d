// Package console edits lines on a terminal while output arrives. It has history and
// completion, and restores the terminal however the program ends.
package console

import (
	"errors"
	"io"
	"os"
	"runtime"
	"sync"
	"time"

	"golang.org/x/term"

	"github.com/scxmlrun/scxmlrun/cmd/internal/cli"
	"github.com/scxmlrun/scxmlrun/scxml/record/wire"
)

// A Console is a terminal on which the user edits a line while output appears above
// it. It uses the editor of x/term.
//
// The terminal is in raw mode from Open to Close or Restore. In that mode Ctrl+C is an
// ordinary key; the console sends it to the channel Keyboard as an os.Interrupt.
type Console struct {
	in, out  *os.File
	editor   *term.Terminal
	Keyboard chan os.Signal
	typed    *feed
	history  history
	answered chan struct{} // the last line was answered, so the next one may be read
	closing  chan struct{}
	finished chan struct{} // the editor has ended
	once     sync.Once

	mu       sync.Mutex
	original *term.State // of the terminal; nil once it is restored for good
	words    Vocabulary
	columns  int
}

// Prompt precedes the line that the user types.
const Prompt = "> "

// promptAfter is how long a line may remain unanswered before the next prompt.
const promptAfter = 200 * time.Millisecond

// CanEdit reports whether in and out are a terminal that can move its cursor. The
// console of Windows edits lines itself.
func CanEdit(in, out *os.File) bool {
	return cli.IsTerminal(in) && cli.CanMoveCursor(out) && runtime.GOOS != "windows"
}

// Open takes control of a terminal.
func Open(in, out *os.File) (*Console, error) {
	original, err := term.MakeRaw(int(in.Fd()))
	if err != nil {
		return nil, err
	}
	c := &Console{
		in: in, out: out, original: original,
		Keyboard: make(chan os.Signal, 2),
		typed:    newFeed(),
		answered: make(chan struct{}, 1),
		closing:  make(chan struct{}),
		finished: make(chan struct{}),
	}
	c.editor = term.NewTerminal(struct {
		io.Reader
		io.Writer
	}{c.typed, out}, Prompt)
	c.editor.History = &c.history
	c.editor.AutoCompleteCallback = c.complete
	c.resize()
	go c.watchSignals()
	return c, nil
}

// Write writes above the line that is being edited. It may be called from any goroutine.
func (c *Console) Write(p []byte) (int, error) { return c.editor.Write(p) }

// resize tells the editor the size of the terminal.
func (c *Console) resize() {
	width, height := cli.TerminalSize(c.out)
	c.mu.Lock()
	c.columns = width
	c.mu.Unlock()
	c.editor.SetSize(width, height)
}

// Width returns the number of characters of a row.
func (c *Console) Width() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.columns
}

// Know sets the words that can be completed.
func (c *Console) Know(v Vocabulary) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.words = v
}

// Answer says that the last line has been answered.
func (c *Console) Answer() {
	select {
	case c.answered <- struct{}{}:
	default:
	}
}

// Lines returns the lines that the user types. The end of input, Ctrl+D, adds a last
// line "quit". Call Lines once.
func (c *Console) Lines() <-chan wire.Line {
	lines := make(chan wire.Line)
	go c.readKeys()
	go c.readLines(lines)
	return lines
}

// readKeys reads from the terminal all the time, so that it receives Ctrl+C.
func (c *Console) readKeys() {
	defer c.restoreOnPanic()
	defer c.typed.close()
	var keys keyFilter
	buf := make([]byte, 4096)
	for {
		n, err := c.in.Read(buf)
		edit, others := keys.filter(buf[:n])
		c.typed.write(edit)
		for _, key := range others {
			switch key {
			case keyInterrupt:
				select {
				case c.Keyboard <- os.Interrupt:
				default:
				}
			default:
				c.stopSelf(key)
			}
		}
		if err != nil {
			return
		}
	}
}

// readLines passes on lines and waits for the answer to each.
func (c *Console) readLines(lines chan<- wire.Line) {
	defer c.restoreOnPanic()
	defer close(c.finished)
	defer close(lines)
	pass := func(line wire.Line) bool {
		select {
		case <-c.answered: // to an earlier line
		default:
		}
		select {
		case lines <- line:
			return true
		case <-c.closing:
			return false
		}
	}
	for number := 1; ; number++ {
		select {
		case <-c.answered:
		case <-time.After(promptAfter):
		case <-c.closing:
			return
		}
		text, err := c.editor.ReadLine()
		if err != nil && !errors.Is(err, term.ErrPasteIndicator) {
			pass(wire.Line{Number: number, Text: []byte("quit")})
			return
		}
		if !pass(wire.Line{Number: number, Text: []byte(text)}) {
			return
		}
	}
}

// complete is called by the editor for each key that it does not handle itself.
func (c *Console) complete(line string, pos int, key rune) (newLine string, newPos int, ok bool) {
	if key != '\t' {
		return "", 0, false
	}
	c.mu.Lock()
	v, width := c.words, c.columns
	c.mu.Unlock()
	newLine, newPos, choices := v.complete(line, pos)
	if len(choices) > 0 {
		io.WriteString(c, columns(choices, width))
	}
	return newLine, newPos, true
}

// Close restores the terminal and removes the prompt.
func (c *Console) Close() {
	c.once.Do(func() {
		close(c.closing)
		c.typed.write([]byte("\x05\x15\x04")) // delete the line, and end the editor
		select {
		case <-c.finished:
			c.editor.Write(nil) // it has buffered what it did before the Ctrl+D
			io.WriteString(c.out, "\r\x1b[K")
		case <-time.After(time.Second): // it is not reading, or cannot write
		}
		c.Restore()
	})
}

// Restore only restores the terminal. It may be called at any time.
func (c *Console) Restore() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.original != nil {
		term.Restore(int(c.in.Fd()), c.original)
		c.original = nil
	}
}

// restoreOnPanic is deferred in the goroutines of the console.
func (c *Console) restoreOnPanic() {
	if x := recover(); x != nil {
		c.Restore()
		panic(x)
	}
}

// pause restores the terminal until resume.
func (c *Console) pause() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.original != nil {
		term.Restore(int(c.in.Fd()), c.original)
	}
}

// resume takes control of the terminal again.
func (c *Console) resume() {
	c.mu.Lock()
	if c.original == nil {
		c.mu.Unlock()
		return
	}
	term.MakeRaw(int(c.in.Fd()))
	c.mu.Unlock()
	c.resize()
	c.editor.Write(nil) // shows the prompt and the line again
}

// A feed is an unbounded pipe: writing never blocks.
type feed struct {
	mu    sync.Mutex
	news  *sync.Cond
	bytes []byte
	ended bool
}

func newFeed() *feed {
	f := &feed{}
	f.news = sync.NewCond(&f.mu)
	return f
}

func (f *feed) write(p []byte) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.bytes = append(f.bytes, p...)
	f.news.Signal()
}

func (f *feed) close() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.ended = true
	f.news.Signal()
}

// Read waits for input.
func (f *feed) Read(p []byte) (int, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for len(f.bytes) == 0 {
		if f.ended {
			return 0, io.EOF
		}
		f.news.Wait()
	}
	n := copy(p, f.bytes)
	f.bytes = f.bytes[n:]
	return n, nil
}

// A history has the lines typed so far, without empty ones and repetitions.
type history struct{ entries []string }

// maxHistory is how many lines a history keeps.
const maxHistory = 1000

func (h *history) Add(line string) {
	if line == "" || len(h.entries) > 0 && h.entries[len(h.entries)-1] == line {
		return
	}
	if len(h.entries) == maxHistory {
		h.entries = h.entries[1:]
	}
	h.entries = append(h.entries, line)
}

func (h *history) Len() int { return len(h.entries) }

// At returns an entry, 0 is the last one.
func (h *history) At(i int) string { return h.entries[len(h.entries)-1-i] }
