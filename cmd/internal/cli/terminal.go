package cli

import (
	"os"
	"runtime"
	"strings"
	"sync"

	"github.com/gdamore/tcell/v2"
	"github.com/gdamore/tcell/v2/terminfo"
	"golang.org/x/term"
)

// IsTerminal reports whether f is an *os.File that is a terminal.
func IsTerminal(f any) bool {
	file, ok := f.(*os.File)
	return ok && term.IsTerminal(int(file.Fd()))
}

// CanMoveCursor reports whether f is a terminal that can overwrite what it shows:
// the variable TERM names a known type of terminal that is not dumb.
func CanMoveCursor(f any) bool { return IsTerminal(f) && movesCursor() }

var movesCursor = sync.OnceValue(func() bool {
	name := os.Getenv("TERM")
	if runtime.GOOS == "windows" {
		return name != "dumb"
	}
	if name == "" {
		return false
	}
	terminal, err := LookupTerminfo(name)
	return err == nil && terminal.SetCursor != ""
})

// LookupTerminfo is that of tcell, which needs infocmp for terminals of 16 colours: it takes the first 16 of the same
// terminal with 256.
func LookupTerminfo(name string) (*terminfo.Terminfo, error) {
	found, err := tcell.LookupTerminfo(name)
	base, of16 := strings.CutSuffix(name, "-16color")
	if err == nil || !of16 {
		return found, err
	}
	rich, why := tcell.LookupTerminfo(base + "-256color")
	if why != nil {
		return nil, err
	}
	few := *rich
	few.Name, few.Aliases, few.Colors, few.TrueColor = name, nil, 16, false
	few.SetFgRGB, few.SetBgRGB, few.SetFgBgRGB = "", "", ""
	return &few, nil
}

// TerminalSize returns how many columns and rows a terminal has. Unknown sizes
// count as 80 and 24.
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
