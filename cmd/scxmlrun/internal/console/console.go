// Package console reads commands, one per line, on a terminal or in a pipe. On a terminal it edits
// lines while output arrives, with history and completion, and restores the terminal however the
// program ends.
package console

import (
	"errors"
	"fmt"
	"io"
	"os"
	"runtime"
	"strings"
	"sync"
	"time"

	"golang.org/x/term"

	"github.com/scxmlrun/scxmlrun/cmd/internal/cli"
	"github.com/scxmlrun/scxmlrun/cmd/scxmlrun/internal/text"
	"github.com/scxmlrun/scxmlrun/scxml/record/wire"
)

// A Console asks for lines, on a terminal or in a pipe, and writes the answers. On a terminal that can
// move its cursor the user edits a line, with the editor of x/term, while output appears above it.
//
// That terminal is in raw mode from Open to Close or Restore. In that mode Ctrl+C is an
// ordinary key; the console sends it to the channel Keyboard as an os.Interrupt.
type Console struct {
	*text.Writer
	Person   bool     // a person types; otherwise the input is echoed
	Commands Commands // must not change after Lines
	Keyboard chan os.Signal

	in, out  *os.File
	editor   *term.Terminal // nil: the input is a pipe, or a terminal that cannot edit
	typed    *feed
	history  history
	answered chan struct{} // the last line was answered, so the next one may be read
	closing  chan struct{}
	finished chan struct{} // the editor has ended
	once     sync.Once

	mu       sync.Mutex
	original *term.State // of the terminal; nil once it is restored for good
	words    Vocabulary
	asks     bool // the sign is shown; without an editor
}

// sign precedes the line that the user types.
const sign = "> "

// promptAfter is how long a line may remain unanswered before the next prompt.
const promptAfter = 200 * time.Millisecond

// New returns a console, which can be written to at once.
func New(in, out *os.File) *Console {
	return &Console{
		Writer: text.NewWriter(out), Person: cli.IsTerminal(in) && cli.IsTerminal(out), in: in, out: out,
		Keyboard: make(chan os.Signal, 2),
		typed:    newFeed(),
		answered: make(chan struct{}, 1),
		closing:  make(chan struct{}),
		finished: make(chan struct{}),
	}
}

// Open takes control of the terminal if it can move its cursor. The console of Windows edits lines itself.
func (c *Console) Open() (err error) {
	if !c.Person || !cli.CanMoveCursor(c.out) || runtime.GOOS == "windows" {
		return nil
	}
	c.editor = term.NewTerminal(struct {
		io.Reader
		io.Writer
	}{c.typed, c.out}, sign)
	c.editor.History = &c.history
	c.editor.AutoCompleteCallback = c.complete
	c.watchSignals() // before the first one can leave the terminal in raw mode
	c.mu.Lock()
	c.original, err = term.MakeRaw(int(c.in.Fd()))
	c.mu.Unlock()
	if err != nil {
		return &cli.Error{Status: cli.Failed, Err: fmt.Errorf("cannot use the terminal: %w", err)}
	}
	c.W = c.editor
	c.resize()
	return nil
}

// resize tells the editor the size of the terminal.
func (c *Console) resize() { c.editor.SetSize(cli.TerminalSize(c.out)) }

// Columns returns how wide lines may be; 0 means unbounded.
func (c *Console) Columns() (width int) {
	if c.Person {
		width, _ = cli.TerminalSize(c.out)
	}
	return width
}

// Know sets the words that can be completed.
func (c *Console) Know(v Vocabulary) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.words = v
}

// Edits reports whether the user edits lines, with completion.
func (c *Console) Edits() bool { return c.editor != nil }

// Greet writes the name of the chart, and what a beginner must know.
func (c *Console) Greet(name, keys string) {
	if c.editor != nil {
		keys = "Tab completes, " + keys
	}
	c.Print(c.Paint(text.Bold, name) + "  " + c.Paint(text.Dim, keys) + "\n")
}

// Ask asks for a line, after the last one has been answered.
func (c *Console) Ask() {
	c.mu.Lock()
	defer c.mu.Unlock()
	switch {
	case c.editor != nil:
		select {
		case c.answered <- struct{}{}:
		default:
		}
	case c.Person && !c.asks:
		c.Print(sign)
		c.asks = true
	}
}

// Leave leaves the line of the prompt, for output that is not an answer.
func (c *Console) Leave() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.asks {
		c.Print("\n")
		c.asks = false
	}
}

// Read returns what was typed as a line, and echoes it into a pipe.
func (c *Console) Read(line wire.Line) (typed string, err error) {
	typed = strings.TrimSpace(strings.ToValidUTF8(string(line.Text), "\uFFFD"))
	if !c.Person {
		c.Print(sign + cli.Visible(text.Shorten(typed, 500), cli.EscapeNewlines) + "\n")
	}
	c.mu.Lock()
	c.asks = false
	c.mu.Unlock()
	if line.TooLong {
		err = fmt.Errorf("the line is longer than %d bytes", wire.MaxLine)
	}
	return typed, err
}

// Lines returns the lines that the user types. On a terminal the end of input, Ctrl+D, adds a last
// line "quit". Call Lines once.
func (c *Console) Lines() <-chan wire.Line {
	if !c.Person {
		return wire.Lines(c.in)
	}
	lines := make(chan wire.Line)
	if c.editor != nil {
		go c.readKeys()
		go c.readLines(lines)
		return lines
	}
	go func() {
		defer close(lines)
		last := 0
		for line := range wire.Lines(c.in) {
			last = line.Number
			lines <- line
		}
		lines <- wire.Line{Number: last + 1, Text: []byte("quit")}
	}()
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
	v := c.words
	c.mu.Unlock()
	newLine, newPos, choices := v.complete(c.Commands, line, pos)
	if len(choices) > 0 {
		io.WriteString(c.editor, columns(choices, c.Columns()))
	}
	return newLine, newPos, true
}

// Close restores the terminal and removes the prompt.
func (c *Console) Close() {
	if c.editor == nil {
		return
	}
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
	c.restore()
}

func (c *Console) restore() {
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
