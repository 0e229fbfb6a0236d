package cli

import (
	"os"
	"runtime"
	"sync"

	"github.com/gdamore/tcell/v2"
	"golang.org/x/term"
)

// IsTerminal tells whether f, an *os.File or anything else, is a terminal.
func IsTerminal(f any) bool {
	file, ok := f.(*os.File)
	return ok && term.IsTerminal(int(file.Fd()))
}

// CanMoveCursor tells whether f is a terminal that can overwrite what it shows:
// one of a type that is known, by the variable TERM, and that is not dumb.
func CanMoveCursor(f any) bool { return IsTerminal(f) && movesCursor() }

var movesCursor = sync.OnceValue(func() bool {
	name := os.Getenv("TERM")
	if runtime.GOOS == "windows" {
		return name != "dumb"
	}
	if name == "" {
		return false
	}
	terminal, err := tcell.LookupTerminfo(name)
	return err == nil && terminal.SetCursor != ""
})

// TerminalSize returns how many columns and rows a terminal has, or 80 and 24
// for what it does not say.
func TerminalSize(f *os.File) (width, height int) {
	width, height, err := term.GetSize(int(f.Fd()))
	if err != nil || width <= 0 {
		width = 80
	}
	if err != nil || height <= 0 {
		height = 24
	}
	return width, height
}
