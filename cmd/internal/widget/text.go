package widget

import (
	"strings"
	"unicode"

	"golang.org/x/text/width"

	"github.com/scxmlrun/scxmlrun/datamodel"
)

// Width returns how many columns of the screen a text takes.
func Width(text string) int {
	n := 0
	for _, r := range text {
		n += runeWidth(r)
	}
	return n
}

func runeWidth(r rune) int {
	switch {
	case r < 0x300:
		return 1
	case unicode.In(r, unicode.Mn, unicode.Me, unicode.Cf):
		return 0
	}
	if k := width.LookupRune(r).Kind(); k == width.EastAsianWide || k == width.EastAsianFullwidth {
		return 2
	}
	return 1
}

// Cut shortens a text to at most so many columns; end then replaces what is missing.
func Cut(text string, columns int, end string) string {
	if Width(text) <= columns {
		return text
	}
	columns -= Width(end)
	if columns < 0 {
		return ""
	}
	for i, r := range text {
		if columns -= runeWidth(r); columns < 0 {
			return text[:i] + end
		}
	}
	return text
}

// Wrap breaks a text into lines of at most so many columns, between words where it can.
// A line break in the text remains one.
func Wrap(text string, columns int) []string {
	columns = max(columns, 1)
	var lines []string
	for paragraph := range strings.SplitSeq(text, "\n") {
		line, used := "", 0
		for _, word := range strings.Fields(paragraph) {
			w := Width(word)
			if used > 0 && used+1+w > columns {
				lines = append(lines, line)
				line, used = "", 0
			}
			for w > columns { // a word that is longer than a line
				head := Cut(word, columns, "")
				if head == "" { // not even one character
					break
				}
				lines = append(lines, head)
				word = word[len(head):]
				w = Width(word)
			}
			if used > 0 {
				line, used = line+" ", used+1
			}
			line, used = line+word, used+w
		}
		lines = append(lines, line)
	}
	return lines
}

// printable returns a text in which everything can be seen. Line breaks and tabs become spaces.
func printable(text string) string {
	return datamodel.Visible(text, func(r rune, raw string) string {
		if r == '\n' || r == '\t' {
			return " "
		}
		return datamodel.Visible(raw, nil)
	})
}
