package tui

import (
	"strings"

	"github.com/gdamore/tcell/v2"

	"github.com/scxmlrun/scxmlrun/cmd/internal/widget"
)

// A tone is how important a text is, or what it is about.
type tone uint8

const (
	plainTone   tone = iota
	dimTone          // less important
	eventTone        // an event that has come
	takenTone        // what has just happened in the chart
	changedTone      // data that has just changed
	wouldTone        // what the selected event would do
	activeTone       // an active state
	keyTone          // a key to press
	chosenTone       // the selected event
	errorTone
	barTone   // the bar at the top, at the present
	pastTone  // the same, in the past and on a branch
	titleTone // of a panel
	focusTone // of the panel that the arrow keys scroll
	tones
)

// styles are the looks of a terminal. Its own colours are the ground, so that they fit both a light and a
// dark one, and the palette of 16 colours is enough. Nothing is told by a colour alone.
type styles struct {
	of    [tones]tcell.Style
	look  widget.Look
	ascii bool
}

func newStyles(colors int, ascii bool) *styles {
	s := &styles{ascii: ascii}
	plain := tcell.StyleDefault
	color := func(style tcell.Style, index int) tcell.Style {
		if colors < 8 {
			return style
		}
		return style.Foreground(tcell.PaletteColor(index))
	}
	const red, green, magenta, cyan, brightBlue = 1, 2, 5, 6, 12 // which can be read on black and on white
	s.of = [tones]tcell.Style{
		dimTone:     plain.Dim(true),
		eventTone:   plain.Bold(true),
		takenTone:   color(plain, cyan).Bold(colors < 8),
		changedTone: color(plain, cyan).Bold(true),
		wouldTone:   color(plain, magenta).Underline(colors < 8),
		activeTone:  color(plain, green).Bold(true).Reverse(true),
		keyTone:     plain.Bold(true),
		chosenTone:  plain.Reverse(true),
		errorTone:   color(plain, red).Bold(true),
		barTone:     plain.Reverse(true).Bold(true),
		pastTone:    color(plain, magenta).Reverse(true).Bold(true),
		titleTone:   plain.Bold(true),
		focusTone:   plain.Bold(true).Reverse(true),
	}
	if colors >= 16 {
		s.of[keyTone] = color(s.of[keyTone], brightBlue)
	}
	if colors >= 256 { // dim is hard to read on some terminals, and a grey is not
		s.of[dimTone] = plain.Foreground(tcell.PaletteColor(245))
	}
	s.look = widget.Look{
		Text: plain, Dim: s.of[dimTone], Frame: plain, Title: plain.Bold(true), Key: s.of[keyTone], Field: plain.Underline(true),
		Button: plain.Bold(true), Selected: plain.Reverse(true), Disabled: s.of[dimTone], Doubt: s.of[errorTone], ASCII: ascii,
	}
	return s
}

var plainSigns = strings.NewReplacer("→", "->", "…", "...", "←", "Left")

// signs replaces the signs of a text where there are only the characters of ASCII.
func (s *styles) signs(text string) string {
	if s.ascii {
		return plainSigns.Replace(text)
	}
	return text
}

// glyph returns a character, or what takes its place where there are only those of ASCII.
func (s *styles) glyph(r, ascii rune) rune {
	if s.ascii {
		return ascii
	}
	return r
}
