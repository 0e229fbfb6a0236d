package widget

import "github.com/gdamore/tcell/v2"

// A Look has the styles and the characters of windows. Without colours the styles must
// differ in their attributes.
type Look struct {
	Text     tcell.Style // in a window
	Dim      tcell.Style // what is less important: details, keys in menus
	Frame    tcell.Style
	Title    tcell.Style // of windows and of parts of pages
	Key      tcell.Style // names of keys on pages
	Field    tcell.Style // a text field, a choice
	Button   tcell.Style
	Selected tcell.Style // the item or control that the next key is for
	Disabled tcell.Style
	Doubt    tcell.Style // a digit that may be wrong

	ASCII bool // the terminal has no other characters
}

// glyphs are the characters besides text.
type glyphs struct {
	horizontal, vertical rune // lines
	corners              [4]rune
	check                string
	less, more           string // there is another choice
	up, down             string // there is more above or below
	cut                  string // ends a text that is too long
}

var (
	unicodeGlyphs = glyphs{'─', '│', [4]rune{'┌', '┐', '└', '┘'}, "✓", "◂", "▸", "▴", "▾", "…"}
	asciiGlyphs   = glyphs{'-', '|', [4]rune{'+', '+', '+', '+'}, "x", "<", ">", "^", "v", "~"}
)

func (l *Look) glyphs() *glyphs {
	if l.ASCII {
		return &asciiGlyphs
	}
	return &unicodeGlyphs
}
