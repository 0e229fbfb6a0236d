package main

import (
	"errors"
	"io"
	"os"
	"runtime"
	"sync"
	"time"

	"golang.org/x/term"

	"github.com/scxmlrun/scxmlrun/cmd/internal/cli"
)

// A console is a terminal on which somebody edits a line while output arrives:
// what is written goes above the line. It uses the editor of x/term.
//
// The terminal is in raw mode from openConsole to close or restore. Ctrl+C is
// then a key like any other; it goes to the channel keyboard as an
// os.Interrupt.
type console struct {
	in, out  *os.File
	editor   *term.Terminal
	keyboard chan os.Signal
	typed    *feed
	history  history
	answered chan struct{} // the last line has been answered, the next one may be read
	closing  chan struct{}
	finished chan struct{} // the editor has ended
	once     sync.Once

	mu       sync.Mutex
	original *term.State // of the terminal; nil once it is restored for good
	words    vocabulary
	columns  int
}

const prompt = "> "

// promptAfter is when somebody may type again although there is no answer yet.
const promptAfter = 200 * time.Millisecond

// canEdit reports whether the two are a terminal that can move its cursor. The
// console of Windows edits lines itself.
func canEdit(in, out *os.File) bool {
	return cli.IsTerminal(in) && cli.IsTerminal(out) && os.Getenv("TERM") != "dumb" && os.Getenv("TERM") != "" && runtime.GOOS != "windows"
}

// openConsole takes a terminal.
func openConsole(in, out *os.File) (*console, error) {
	original, err := term.MakeRaw(int(in.Fd()))
	if err != nil {
		return nil, err
	}
	c := &console{
		in: in, out: out, original: original,
		keyboard: make(chan os.Signal, 2),
		typed:    newFeed(),
		answered: make(chan struct{}, 1),
		closing:  make(chan struct{}),
		finished: make(chan struct{}),
	}
	c.editor = term.NewTerminal(struct {
		io.Reader
		io.Writer
	}{c.typed, out}, prompt)
	c.editor.History = &c.history
	c.editor.AutoCompleteCallback = c.complete
	c.resize()
	go c.watchSignals()
	return c, nil
}

// Write writes above the line that is being edited. It may be called from any goroutine.
func (c *console) Write(p []byte) (int, error) { return c.editor.Write(p) }

// resize tells the editor how wide the terminal is.
func (c *console) resize() {
	width, height := cli.TerminalSize(c.out)
	c.mu.Lock()
	c.columns = width
	c.mu.Unlock()
	c.editor.SetSize(width, height)
}

// width returns the number of characters of a row.
func (c *console) width() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.columns
}

// know sets what can be completed.
func (c *console) know(v vocabulary) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.words = v
}

// answer says that the last line has been answered.
func (c *console) answer() {
	select {
	case c.answered <- struct{}{}:
	default:
	}
}

// lines returns what is typed. At the end of input, Ctrl+D, there is a last
// line "quit". It is to be called once.
func (c *console) lines() <-chan inputLine {
	lines := make(chan inputLine)
	go c.readKeys()
	go c.readLines(lines)
	return lines
}

// readKeys reads from the terminal, always, so that Ctrl+C is heard.
func (c *console) readKeys() {
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
				case c.keyboard <- os.Interrupt:
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

// readLines passes lines on, and waits for the answer to each.
func (c *console) readLines(lines chan<- inputLine) {
	defer c.restoreOnPanic()
	defer close(c.finished)
	defer close(lines)
	pass := func(line inputLine) bool {
		select {
		case <-c.answered: // of a line before
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
			pass(inputLine{number: number, text: []byte("quit")})
			return
		}
		if !pass(inputLine{number: number, text: []byte(text)}) {
			return
		}
	}
}

// complete is what the editor asks for each key that it does not know itself.
func (c *console) complete(line string, pos int, key rune) (newLine string, newPos int, ok bool) {
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

// close gives the terminal back and takes the prompt from it.
func (c *console) close() {
	c.once.Do(func() {
		close(c.closing)
		c.typed.write([]byte("\x05\x15\x04")) // delete the line, and end the editor
		select {
		case <-c.finished:
			c.editor.Write(nil) // it keeps back what it did before the Ctrl+D
			io.WriteString(c.out, "\r\x1b[K")
		case <-time.After(time.Second): // it was not reading, or cannot write
		}
		c.restore()
	})
}

// restore gives the terminal back, and no more. It may be called at any time.
func (c *console) restore() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.original != nil {
		term.Restore(int(c.in.Fd()), c.original)
		c.original = nil
	}
}

// restoreOnPanic is for the goroutines whose panic nobody else would see.
func (c *console) restoreOnPanic() {
	if x := recover(); x != nil {
		c.restore()
		panic(x)
	}
}

// pause gives the terminal back for a while.
func (c *console) pause() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.original != nil {
		term.Restore(int(c.in.Fd()), c.original)
	}
}

// resume takes the terminal again.
func (c *console) resume() {
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

// A feed is a pipe without a bound: whoever writes never waits.
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

// Read waits until there is something to read.
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

// A history has the lines that were typed, without empty ones and repetitions.
type history struct{ entries []string }

// maxHistory is how many lines are kept.
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
