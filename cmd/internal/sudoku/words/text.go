package words

import (
	"fmt"
	"strconv"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/scxmlrun/scxmlrun/datamodel"
)

// Clock writes a time, as in "7:41" and "1:07:41".
func Clock(t time.Duration) string {
	seconds := int(t / time.Second)
	if seconds < 3600 {
		return fmt.Sprintf("%d:%02d", seconds/60, seconds%60)
	}
	return fmt.Sprintf("%d:%02d:%02d", seconds/3600, seconds/60%60, seconds%60)
}

// Capital makes the first letter a capital one.
func Capital(text string) string {
	r, n := utf8.DecodeRuneInString(text)
	return string(unicode.ToUpper(r)) + text[n:]
}

// Printable returns a text in which everything can be seen. Line breaks and tabs become spaces.
func Printable(text string) string {
	return datamodel.Visible(text, func(r rune, raw string) string {
		if r == '\n' || r == '\t' {
			return " "
		}
		return datamodel.Visible(raw, nil)
	})
}

// Digits writes a set of digits, as in "125".
func Digits(set uint16) (text string) {
	for d := 1; d <= 9; d++ {
		if set>>d&1 != 0 {
			text += strconv.Itoa(d)
		}
	}
	return text
}
