package datamodel

import "github.com/scxmlrun/scxmlrun/datamodel/internal/jsontext"

// Visible returns a text for people, in which what cannot be seen is replaced by what escape returns:
// control and format characters such as those that change the direction of writing, fillers, and
// bytes that are not UTF-8, for which r is U+FFFD. Without escape they are written as in a string of
// Go, such as \u202e. Joiners and variation selectors remain where they belong, as in Persian and in
// emoji. Line breaks and tabs are control characters too.
func Visible(text string, escape func(r rune, raw string) string) string {
	if escape == nil {
		escape = jsontext.Escape
	}
	return jsontext.Visible(text, escape)
}
