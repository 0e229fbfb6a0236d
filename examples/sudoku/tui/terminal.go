package tui

import (
	"fmt"
	"os"
	"os/signal"
	"time"

	"github.com/gdamore/tcell/v2"
)

// A terminal is the terminal that the program runs in, or in tests another screen.
type terminal struct {
	screen  tcell.Screen
	signals chan os.Signal // nil for another screen
}

func openTerminal() (*terminal, error) {
	tcell.SetEncodingFallback(tcell.EncodingFallbackASCII) // instead of refusing unknown locales
	screen, err := newScreen(nil)
	if err != nil {
		return nil, cannotDraw(err)
	}
	// From here on the terminal must be restored, whatever happens. tcell handles none
	// of the signals that end a program.
	t := &terminal{screen, make(chan os.Signal, 4)}
	signal.Notify(t.signals, endSignals...)
	signal.Notify(t.signals, stopSignals...)
	if err := screen.Init(); err != nil {
		signal.Stop(t.signals)
		return nil, cannotDraw(err)
	}
	return t, nil
}

func cannotDraw(err error) error {
	return fmt.Errorf("sudoku: cannot draw on the terminal (TERM=%q); use --ui plain: %w", os.Getenv("TERM"), err)
}

// newScreen returns the screen of a terminal; nil means the one that the program runs
// in. The screen does not pause: the definitions of old terminals ask for pauses after
// most commands, seconds for a board, and no emulator needs them.
func newScreen(tty tcell.Tty) (tcell.Screen, error) {
	known, err := tcell.LookupTerminfo(os.Getenv("TERM"))
	if err != nil {
		return tcell.NewScreen() // the console of Windows has no definition
	}
	impatient := *known
	impatient.PadChar = ""
	screen, err := tcell.NewTerminfoScreenFromTtyTerminfo(tty, &impatient)
	if err != nil {
		return nil, err
	}
	for _, pair := range [][2]string{{"–", "-"}, {"…", "~"}, {"‘", "'"}, {"’", "'"}, {"×", "x"}, {"é", "e"}, {"è", "e"}, {"ë", "e"}, {"ï", "i"}, {"ö", "o"}, {"ó", "o"}, {"ü", "u"}} {
		screen.RegisterRuneFallback([]rune(pair[0])[0], pair[1]) // without UTF-8
	}
	return screen, nil
}

// restore restores the terminal of a program that is about to exit, while others may be
// using it.
func (t *terminal) restore() {
	go func() {
		for ; ; time.Sleep(time.Millisecond) { // make room for the reader, see close
			for t.screen.HasPendingEvent() {
				t.screen.PollEvent()
			}
		}
	}()
	t.screen.Fini()
}

// close restores the terminal.
func (t *terminal) close() {
	signal.Stop(t.signals)
	// tcell waits for its reader, which may itself wait for room in the queue of
	// events, for example after a large paste. Emptying the queue makes room, and
	// keeps the rest of the paste from the shell.
	for quiet := 0; quiet < 3; quiet++ {
		for t.screen.HasPendingEvent() {
			t.screen.PollEvent()
			quiet = 0
		}
		time.Sleep(time.Millisecond)
	}
	t.screen.Fini()
}
