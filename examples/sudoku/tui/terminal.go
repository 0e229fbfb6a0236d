package tui

import (
	"fmt"
	"os"
	"os/signal"
	"time"

	"github.com/gdamore/tcell/v2"
)

// A terminal is where the game is shown: the terminal that the program runs
// in, taken over for the game, or any other screen.
type terminal struct {
	screen  tcell.Screen
	signals chan os.Signal // nil for any other screen
}

func openTerminal() (*terminal, error) {
	tcell.SetEncodingFallback(tcell.EncodingFallbackASCII) // rather than to refuse a locale that tcell does not know
	screen, err := newScreen(nil)
	if err == nil {
		err = screen.Init()
	}
	if err != nil {
		return nil, fmt.Errorf("sudoku: cannot draw on the terminal (TERM=%q); use --ui plain: %w", os.Getenv("TERM"), err)
	}
	// From here on every ending has to give the terminal back. tcell takes
	// care of none of the signals that end a program.
	t := &terminal{screen, make(chan os.Signal, 4)}
	signal.Notify(t.signals, endSignals...)
	signal.Notify(t.signals, stopSignals...)
	return t, nil
}

// newScreen returns the screen of a terminal, nil is the one that the program
// runs in. It never waits: the definitions of old terminals ask for pauses after
// most commands, seconds for a board, which no emulator of them needs.
func newScreen(tty tcell.Tty) (tcell.Screen, error) {
	known, err := tcell.LookupTerminfo(os.Getenv("TERM"))
	if err != nil {
		return tcell.NewScreen() // the console of Windows is one without a definition
	}
	impatient := *known
	impatient.PadChar = ""
	return tcell.NewTerminfoScreenFromTtyTerminfo(tty, &impatient)
}

// close gives the terminal back.
func (t *terminal) close() {
	signal.Stop(t.signals)
	// tcell waits for its reader, which may itself be waiting for room in the
	// queue of events, after a large paste for example: make room. This also
	// keeps what is left of it from the shell.
	for quiet := 0; quiet < 3; quiet++ {
		for t.screen.HasPendingEvent() {
			t.screen.PollEvent()
			quiet = 0
		}
		time.Sleep(time.Millisecond)
	}
	t.screen.Fini()
}
