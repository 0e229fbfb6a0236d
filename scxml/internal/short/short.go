// Package short shortens texts for messages and lists. The commands, which cannot import it, cut texts by
// columns of the terminal: package cmd/internal/widget.
package short

import (
	"strings"
	"unicode/utf8"
)

// Text returns a text of at most n characters, the last of which is "…" if something is missing.
func Text(text string, n int) string {
	for i := range text {
		if n--; n > 0 {
			continue
		}
		if _, last := utf8.DecodeRuneInString(text[i:]); i+last < len(text) {
			return strings.TrimRight(text[:i], " ") + "…"
		}
		break
	}
	return text
}

// Line is like [Text], for a text on one line and without needless space.
func Line(text string, n int) string { return Text(strings.Join(strings.Fields(text), " "), n) }

// Bytes returns a text of at most n bytes, and "…" if something is missing.
func Bytes(text string, n int) string {
	if len(text) <= n {
		return text
	}
	return strings.ToValidUTF8(text[:n], "") + "…"
}
