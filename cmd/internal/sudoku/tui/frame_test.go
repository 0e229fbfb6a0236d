package tui

import (
	"fmt"
	"io"
	"strings"
	"sync"
	"testing"

	"github.com/gdamore/tcell/v2"

	"github.com/scxmlrun/scxmlrun/cmd/internal/terminal"
	"github.com/scxmlrun/scxmlrun/examples/sudoku/game"
)

// A fastTTY is a terminal that shows everything at once. Its player types what is sent to keys.
type fastTTY struct {
	width, height int
	keys          chan string
	bytes         int    // written
	text          []byte // the beginning of what was written
	stopped       chan struct{}
	once          sync.Once
}

func newFastTTY(width, height int) *fastTTY {
	return &fastTTY{width: width, height: height, keys: make(chan string), stopped: make(chan struct{})}
}

func (f *fastTTY) Start() error        { return nil }
func (f *fastTTY) Drain() error        { f.once.Do(func() { close(f.stopped) }); return nil }
func (f *fastTTY) Stop() error         { return nil }
func (f *fastTTY) Close() error        { return nil }
func (f *fastTTY) NotifyResize(func()) {}
func (f *fastTTY) WindowSize() (tcell.WindowSize, error) {
	return tcell.WindowSize{Width: f.width, Height: f.height}, nil
}
func (f *fastTTY) Read(p []byte) (int, error) {
	select {
	case key := <-f.keys:
		return copy(p, key), nil
	case <-f.stopped:
		return 0, io.EOF
	}
}
func (f *fastTTY) Write(p []byte) (int, error) {
	f.bytes += len(p)
	f.text = append(f.text, p[:min(len(p), 1<<16-len(f.text))]...)
	return len(p), nil
}

// A terminal gets only what has changed: a digit is not worth a whole screen.
func TestOnlyChangesAreSent(t *testing.T) {
	t.Setenv("TERM", "xterm-256color")
	tty := newFastTTY(80, 24)
	screen, err := terminal.NewScreen(tty)
	if err == nil {
		err = screen.Init()
	}
	if err != nil {
		t.Fatal(err)
	}
	defer screen.Fini()
	s := someScene(256)
	s.view = sample()
	sent := func() int {
		before := tty.bytes
		draw(screen, s)
		screen.Show()
		return tty.bytes - before
	}
	all, nothing := sent(), sent()
	s.view.Cells[8][0] = game.Cell{Digit: 5}
	if one := sent(); all < 5000 || nothing > 100 || one > 200 {
		t.Errorf("the first picture has %d bytes, the same again %d, and one digit more %d", all, nothing, one)
	}
}

// Where there is no UTF-8, words remain readable.
func TestWordsWithoutUTF8(t *testing.T) {
	t.Setenv("TERM", "xterm")
	t.Setenv("LC_ALL", "C")
	tcell.SetEncodingFallback(tcell.EncodingFallbackASCII)
	tty := newFastTTY(80, 24)
	screen, err := terminal.NewScreen(tty)
	if err == nil {
		err = screen.Init()
	}
	if err != nil {
		t.Fatal(err)
	}
	defer screen.Fini()
	screen.PutStr(0, 0, "één oplossing, 1–9 invullen…")
	screen.Show()
	if want := "een oplossing, 1-9 invullen~"; !strings.Contains(string(tty.text), want) {
		t.Errorf("got %q, want %q in it", tty.text, want)
	}
}

// BenchmarkDraw draws a full screen on which the cursor has moved.
func BenchmarkDraw(b *testing.B) {
	b.Setenv("TERM", "xterm-256color")
	b.Setenv("COLORTERM", "truecolor")
	for _, size := range [][2]int{{80, 24}, {150, 55}} {
		b.Run(fmt.Sprintf("%dx%d", size[0], size[1]), func(b *testing.B) {
			screen, err := terminal.NewScreen(newFastTTY(size[0], size[1]))
			if err == nil {
				err = screen.Init()
			}
			if err != nil {
				b.Fatal(err)
			}
			defer screen.Fini()
			s := someScene(1 << 24)
			s.view = sample()
			b.ReportAllocs()
			for i := 0; b.Loop(); i++ {
				cursor(&s.view, i%9, i/9%9)
				draw(screen, s)
				screen.Show()
			}
		})
	}
}
