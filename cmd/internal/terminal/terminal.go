package terminal

import (
	"fmt"
	"os"
	"os/signal"
	"sync"
	"time"

	"github.com/gdamore/tcell/v2"

	"github.com/scxmlrun/scxmlrun/cmd/internal/cli"
)

// Colors returns how many colours to use on a screen: none if the variable NO_COLOR is set, see
// https://no-color.org.
func Colors(screen tcell.Screen) int {
	if os.Getenv("NO_COLOR") != "" {
		return 0
	}
	return screen.Colors()
}

// A Terminal is the terminal that the program runs in, or in tests another screen.
type Terminal struct {
	Screen  tcell.Screen
	Signals chan os.Signal // those of [EndSignals], and those that stop the program; nil for another screen

	drawing sync.Mutex // tcell restores the terminal without a lock, and a screen that is drawn meanwhile takes what it writes
	left    bool       // guarded by drawing: the terminal is not ours
}

// Open opens the terminal that the program runs in. It must be closed, whatever happens: defer Close.
func Open() (*Terminal, error) {
	// tcell handles none of the signals that end a program, and from Init on the terminal must be restored,
	// whatever happens.
	t := &Terminal{Signals: make(chan os.Signal, 4)}
	signal.Notify(t.Signals, EndSignals...)
	signal.Notify(t.Signals, stopSignals...)
	tcell.SetEncodingFallback(tcell.EncodingFallbackASCII) // instead of refusing unknown locales
	var err error
	if t.Screen, err = NewScreen(nil); err == nil {
		err = t.Screen.Init()
	}
	if err != nil {
		signal.Stop(t.Signals)
		return nil, cannotDraw(err)
	}
	return t, nil
}

func cannotDraw(err error) error {
	return fmt.Errorf("cannot draw on the terminal (TERM=%q): %w", os.Getenv("TERM"), err)
}

// NewScreen returns the screen of a terminal; nil means the one that the program runs
// in. The screen does not pause: the definitions of old terminals ask for pauses after
// most commands, seconds for a board, and no emulator needs them.
func NewScreen(tty tcell.Tty) (tcell.Screen, error) {
	known, err := cli.LookupTerminfo(os.Getenv("TERM"))
	if err != nil {
		return tcell.NewScreen() // the console of Windows has no definition
	}
	impatient := *known
	impatient.PadChar = ""
	if tty == nil {
		if tty, err = tcell.NewDevTty(); err != nil {
			return nil, err
		}
	}
	boundSize()
	checked := &sane{Tty: tty}
	screen, err := tcell.NewTerminfoScreenFromTtyTerminfo(checked, &impatient)
	if err != nil {
		return nil, err
	}
	checked.filter.wait = escapeDelay()
	checked.filter.isUTF8 = func() bool { return screen.CharacterSet() == "UTF-8" }
	for _, pair := range [][2]string{{"–", "-"}, {"…", "~"}, {"‘", "'"}, {"’", "'"}, {"×", "x"}, {"é", "e"}, {"è", "e"}, {"ë", "e"}, {"ï", "i"}, {"ö", "o"}, {"ó", "o"}, {"ü", "u"}} {
		screen.RegisterRuneFallback([]rune(pair[0])[0], pair[1]) // without UTF-8
	}
	return screen, nil
}

// Restore restores the terminal of a program that is about to exit, while others may be
// using it.
func (t *Terminal) Restore() { t.leave(t.Screen.Fini) }

// leave calls a function that makes tcell wait for its two goroutines that read. One may itself wait for room
// in the queue of events. The other sends what it has read to the first, and would wait for ever if that ended
// before, so its input ends here.
func (t *Terminal) leave(leave func()) {
	done := make(chan struct{})
	defer close(done)
	go func() {
		for {
			t.drain()
			select {
			case <-done:
				return
			case <-time.After(time.Millisecond):
			}
		}
	}()
	if tty, ok := t.Screen.Tty(); ok {
		if tty, ok := tty.(*sane); ok {
			tty.hush()
			<-tty.ended
		}
	}
	t.drawing.Lock()
	defer t.drawing.Unlock()
	t.left = true
	leave()
}

// draw calls a function that draws, unless the terminal is not ours.
func (t *Terminal) draw(show func()) {
	t.drawing.Lock()
	defer t.drawing.Unlock()
	if !t.left {
		show()
	}
}

// drain takes the events that wait, and reports whether there were any.
func (t *Terminal) drain() (some bool) {
	for range 10_000 { // more than wait, but as many come while it works
		if !t.Screen.HasPendingEvent() {
			break
		}
		t.Screen.PollEvent()
		some = true
	}
	return some
}

// Close restores the terminal.
func (t *Terminal) Close() {
	signal.Stop(t.Signals)
	// Emptying the queue of events keeps the rest of a large paste from the shell, unless it never ends.
	deadline := time.Now().Add(time.Second / 4)
	for quiet := 0; quiet < 3 && time.Now().Before(deadline); quiet++ {
		if t.drain() {
			quiet = 0
		}
		time.Sleep(time.Millisecond)
	}
	t.Restore()
}
