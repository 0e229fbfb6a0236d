package cli

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Newlines says what Visible does with line breaks.
type Newlines bool

const (
	KeepNewlines   Newlines = true
	EscapeNewlines Newlines = false
)

// Visible returns text as it may be shown to a person. What comes from a
// file may contain anything; control characters, which could move the cursor
// or rename the terminal, and characters that change the direction of writing
// are shown as escapes.
func Visible(text string, keep Newlines) string {
	if !strings.ContainsFunc(text, Hidden) && utf8.ValidString(text) {
		return text
	}
	var b strings.Builder
	for i, r := range text {
		switch {
		case r == '\n' && bool(keep), r == '\t':
			b.WriteRune(r)
		case r == '\n':
			b.WriteString(`\n`)
		case r == '\r':
			b.WriteString(`\r`)
		case r == utf8.RuneError && !strings.HasPrefix(text[i:], "\uFFFD"):
			fmt.Fprintf(&b, `\x%02x`, text[i])
		case Hidden(r) && r < 0x100:
			fmt.Fprintf(&b, `\x%02x`, r)
		case Hidden(r):
			fmt.Fprintf(&b, `\u%04x`, r)
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}

// Hidden reports whether r is a character that a terminal does not simply show.
func Hidden(r rune) bool { return unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r) }
