package cli

import (
	"fmt"
	"unicode/utf16"

	"github.com/scxmlrun/scxmlrun/datamodel"
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
	return datamodel.Visible(text, func(r rune, raw string) string {
		if r == '\t' || r == '\n' && bool(keep) {
			return raw
		}
		return datamodel.Visible(raw, nil)
	})
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
	return datamodel.Visible(document, func(r rune, raw string) string {
		switch {
		case r == '\n' || r == '\t':
			return raw
		case r > 0xFFFF && format == InJSON:
			high, low := utf16.EncodeRune(r)
			return fmt.Sprintf(format+format, high, low)
		}
		return fmt.Sprintf(format, r)
	})
}

// Hidden reports whether r is hidden wherever it is: a terminal may do more with it than show it.
func Hidden(r rune) bool { return datamodel.Visible("א"+string(r)+"א", nil) != "א"+string(r)+"א" }
