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
	screen, err := tcell.NewScreen()
	if err == nil {
		err = screen.Init()
	}
	if err != nil {
		return nil, fmt.Errorf("sudoku: cannot draw on the terminal (TERM=%q), use scxmlrun --ui line there: %w", os.Getenv("TERM"), err)
	}
	// From here on every ending has to give the terminal back. tcell takes
	// care of none of the signals that end a program.
	t := &terminal{screen, make(chan os.Signal, 4)}
	signal.Notify(t.signals, endSignals...)
	signal.Notify(t.signals, stopSignals...)
	return t, nil
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
