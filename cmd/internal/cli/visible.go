package cli

import (
	"fmt"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/scxmlrun/scxmlrun/datamodel"
)

// Newlines says what Visible does with line breaks.
type Newlines bool

const (
	KeepNewlines   Newlines = true
	EscapeNewlines Newlines = false
)

// MaxLine is the greatest number of bytes of a line for a person. Names may be of any length; who needs
// longer logs whole takes JSON.
const MaxLine = 10_000

// Visible returns text in a form that is safe to show to a person. Text from a file
// may contain anything: control characters, which could move the cursor or rename
// the terminal, and characters that change the direction of writing are escaped. A line
// has at most [MaxLine] bytes before that; of a longer one the beginning is shown.
func Visible(text string, keep Newlines) string {
	if len(text) > MaxLine {
		lines := []string{text}
		if keep {
			lines = strings.Split(text, "\n")
		}
		for i, line := range lines {
			if n := MaxLine; len(line) > n {
				for !utf8.RuneStart(line[n]) && n > MaxLine-utf8.UTFMax {
					n--
				}
				lines[i] = fmt.Sprintf("%s… (%d bytes)", line[:n], len(line))
			}
		}
		text = strings.Join(lines, "\n")
	}
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
