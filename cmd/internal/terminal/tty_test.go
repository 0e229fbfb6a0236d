package terminal

import (
	"io"
	"math/rand/v2"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/gdamore/tcell/v2"
)

// A fedTTY is a terminal that types what a test feeds to it.
type fedTTY struct {
	input         chan []byte
	columns, rows int
}

func (t *fedTTY) Read(p []byte) (int, error) {
	b, ok := <-t.input
	if !ok {
		return 0, io.EOF
	}
	return copy(p, b), nil
}
func (t *fedTTY) Write(p []byte) (int, error) { return len(p), nil }
func (t *fedTTY) Start() error                { return nil }
func (t *fedTTY) Stop() error                 { return nil }
func (t *fedTTY) Drain() error                { close(t.input); return nil }
func (t *fedTTY) Close() error                { return nil }
func (t *fedTTY) NotifyResize(func())         {}
func (t *fedTTY) WindowSize() (tcell.WindowSize, error) {
	return tcell.WindowSize{Width: t.columns, Height: t.rows}, nil
}

func newFed(t *testing.T, columns, rows int) (tcell.Screen, *fedTTY) {
	t.Helper()
	t.Setenv("TERM", "xterm-256color")
	t.Setenv("LC_ALL", "C.UTF-8")
	tty := &fedTTY{make(chan []byte), columns, rows}
	screen, err := NewScreen(tty)
	if err == nil {
		err = screen.Init()
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(screen.Fini)
	return screen, tty
}

// keys collects the characters that a screen gets until one of them is end.
func keys(t *testing.T, screen tcell.Screen, end rune) string {
	t.Helper()
	var b strings.Builder
	late := time.AfterFunc(10*time.Second, func() { screen.PostEvent(tcell.NewEventInterrupt(nil)) })
	defer late.Stop()
	for {
		switch ev := screen.PollEvent().(type) {
		case *tcell.EventInterrupt:
			t.Fatalf("no key %q after %q", end, b.String())
		case *tcell.EventKey:
			if ev.Rune() == end {
				return b.String()
			}
			b.WriteRune(ev.Rune())
		}
	}
}

// Bytes that are not UTF-8 are dropped, and a character may come in parts.
func TestBytesThatAreNotUTF8(t *testing.T) {
	for _, test := range []struct {
		chunks []string
		want   string
	}{
		{[]string{"\xff"}, ""},
		{[]string{"\x80a"}, "a"},
		{[]string{"h\xe9llo"}, "hllo"}, // Latin-1
		{[]string{"h\xe9", "llo"}, "hllo"},
		{[]string{"\xe2\x82", "\xac"}, "€"},
		{[]string{"\xe2", "\x82", "\xac"}, "€"},
		{[]string{"\xf0\x9f\x98", "x"}, "x"},
		{[]string{"\xed\xa0\x80b"}, "b"}, // half of a surrogate pair
		{[]string{"\xc0\xafc"}, "c"},     // longer than need be
	} {
		screen, tty := newFed(t, 80, 24)
		for _, chunk := range test.chunks {
			tty.input <- []byte(chunk)
		}
		tty.input <- []byte("!")
		if got := keys(t, screen, '!'); got != test.want {
			t.Errorf("%q: got %q, want %q", test.chunks, got, test.want)
		}
	}
}

// Whatever is typed, the next character is a key. The bytes are those of files: an escape sequence that
// has begun may take the characters after it.
func TestAnyBytesThenAKey(t *testing.T) {
	for seed := range uint64(50) {
		random := rand.New(rand.NewPCG(seed, 0))
		screen, tty := newFed(t, 80, 24)
		go func() {
			for range 20 {
				chunk := make([]byte, 1+random.IntN(128))
				for i := range chunk {
					for chunk[i] = byte(random.Uint32()); chunk[i] == 0x1b || chunk[i] == '!'; {
						chunk[i] = byte(random.Uint32())
					}
				}
				tty.input <- chunk
			}
			tty.input <- []byte("!")
		}()
		keys(t, screen, '!')
	}
}

// Characters in the sense of utf8.Valid arrive as they are, however they are cut.
func TestValidInputArrives(t *testing.T) {
	text := strings.Repeat("aé€😀", 40)
	for seed := range uint64(20) {
		random := rand.New(rand.NewPCG(seed, 1))
		screen, tty := newFed(t, 80, 24)
		go func() {
			for rest := []byte(text); len(rest) > 0; {
				n := min(1+random.IntN(9), len(rest))
				tty.input <- rest[:n]
				rest = rest[n:]
			}
			tty.input <- []byte("!")
		}()
		if got := keys(t, screen, '!'); got != text || !utf8.ValidString(got) {
			t.Fatalf("seed %d: got %q", seed, got)
		}
	}
}

// A terminal may claim any size; the screen has one that can be drawn.
func TestSizes(t *testing.T) {
	for _, size := range [][2]int{{1, 1}, {80, 24}, {10_000, 10_000}, {65_535, 65_535}} {
		screen, _ := newFed(t, size[0], size[1])
		columns, rows := screen.Size()
		if columns != min(size[0], maxColumns) || rows != min(size[1], maxRows) {
			t.Errorf("%v: the screen has %d by %d", size, columns, rows)
		}
	}
}
