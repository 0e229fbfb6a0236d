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

// Visible returns text in a form that is safe to show to a person. Text from a file
// may contain anything: control characters, which could move the cursor or rename
// the terminal, and characters that change the direction of writing are escaped.
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

// Formats for Escape.
const (
	InJSON = `\u%04x`
	InXML  = "&#x%x;"
)

// Escape returns a document for programs, which may be shown on a terminal, with
// the characters that Visible escapes written as escapes of the document's
// language. It keeps line breaks and tabs, which are not part of strings there.
func Escape(document, format string) string {
	if !strings.ContainsFunc(document, hiddenButSpace) {
		return document
	}
	var b strings.Builder
	for _, r := range document {
		if hiddenButSpace(r) {
			fmt.Fprintf(&b, format, r)
		} else {
			b.WriteRune(r)
		}
	}
	return b.String()
}

func hiddenButSpace(r rune) bool { return Hidden(r) && r != '\n' && r != '\t' }

// Hidden reports whether a terminal may do more with r than show it.
func Hidden(r rune) bool { return unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r) }
