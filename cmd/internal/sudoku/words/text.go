package words

import (
	"fmt"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"
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

// Printable replaces characters that a terminal would execute.
func Printable(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsPrint(r) {
			return r
		}
		return ' '
	}, text)
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
