package terminal

import (
	"unicode/utf8"

	"github.com/gdamore/tcell/v2"
)

// What a terminal says of its size is believed up to here: tcell makes a cell of more than a hundred
// bytes for each character.
const maxColumns, maxRows = 1000, 500

// A sane is a terminal whose input tcell can read, and whose size it can draw. Without it tcell v2.13.10
// loops forever on a byte that is not UTF-8, such as those of pasted files or of a terminal in Latin-1
// (tScreen.scanInput, which takes no byte when its decoder refuses one), and holds the program's end up
// with it.
type sane struct {
	tcell.Tty
	isUTF8 func() bool
	begun  []byte // a character of which not all bytes have been read
}

// Read reads what is UTF-8 and drops the rest. A character that is cut at the end waits for its other
// bytes, so n may be 0.
func (t *sane) Read(p []byte) (n int, err error) {
	n = copy(p, t.begun)
	more, err := t.Tty.Read(p[n:])
	n += more
	if !t.isUTF8() {
		return n, err // tables of other character sets have an answer to each byte
	}
	left := p[:n]
	n = 0
	for len(left) > 0 && utf8.FullRune(left) {
		r, size := utf8.DecodeRune(left)
		if r != utf8.RuneError || size > 1 {
			n += copy(p[n:], left[:size])
		}
		left = left[size:]
	}
	t.begun = append(t.begun[:0], left...)
	return n, err
}

func (t *sane) WindowSize() (tcell.WindowSize, error) {
	size, err := t.Tty.WindowSize()
	size.Width, size.Height = min(size.Width, maxColumns), min(size.Height, maxRows)
	return size, err
}
