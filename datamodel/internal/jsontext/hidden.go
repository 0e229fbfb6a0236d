package jsontext

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// hidden are the characters that cannot be seen, or that do something to the text around them. They
// are fixed here, and not taken from the tables of package unicode, because browsers have others:
// scxml/inspect/page/visible.js has the same list.
var hidden = [][2]rune{
	{0x00, 0x1F}, {0x7F, 0x9F}, {0xAD, 0xAD}, {0x34F, 0x34F}, {0x61C, 0x61C}, {0x115F, 0x1160}, {0x17B4, 0x17B5},
	{0x180E, 0x180E}, {0x200B, 0x200B}, {0x200E, 0x200F}, {0x2028, 0x202E}, {0x2060, 0x206F}, {0x3164, 0x3164},
	{0xD800, 0xDFFF}, {0xFEFF, 0xFEFF}, {0xFFA0, 0xFFA0}, {0xFFF0, 0xFFFB}, {0x1BCA0, 0x1BCA3}, {0x1D173, 0x1D17A},
	{0xE0000, 0xE00FF}, {0xE01F0, 0xE0FFF},
}

// joiners join and separate letters of some scripts, and make one emoji of several. selectors choose
// how the character before them looks.
var (
	joiners   = [][2]rune{{0x200C, 0x200D}}
	selectors = [][2]rune{{0x180B, 0x180D}, {0x180F, 0x180F}, {0xFE00, 0xFE0F}, {0xE0100, 0xE01EF}}
	spaces    = [][2]rune{{0x1680, 0x1680}, {0x2000, 0x200A}, {0x202F, 0x202F}, {0x205F, 0x205F}, {0x3000, 0x3000}}
)

func in(r rune, ranges [][2]rune) bool {
	for _, x := range ranges {
		if r <= x[1] {
			return r >= x[0]
		}
	}
	return false
}

// Hidden reports whether r cannot be seen between before and after, which are 0 at the ends of a text.
// A joiner is seen between characters that can be joined, which are not Latin, and a selector after
// what has several looks.
func Hidden(before, r, after rune) bool {
	switch {
	case r >= ' ' && r < 0x7F:
		return false
	case in(r, joiners):
		return !(shaped(before) || in(before, selectors)) || !shaped(after)
	case in(r, selectors):
		return !shaped(before) && !strings.ContainsRune("#*0123456789©®", before)
	}
	return in(r, hidden)
}

// shaped reports whether the look of r can depend on its neighbours.
func shaped(r rune) bool {
	return r >= 0x300 && r != utf8.RuneError && !in(r, hidden) && !in(r, joiners) && !in(r, selectors) && !in(r, spaces)
}

// hiddenAt returns the character at s[i], which is not ASCII, and its length.
func hiddenAt(s string, i int) (r rune, n int, is bool) {
	r, n = utf8.DecodeRuneInString(s[i:])
	var before, after rune
	if in(r, joiners) || in(r, selectors) {
		before, _ = utf8.DecodeLastRuneInString(s[:i])
		after, _ = utf8.DecodeRuneInString(s[i+n:])
	}
	return r, n, Hidden(before, r, after)
}

// Visible replaces what is hidden in a text, and each byte that is not UTF-8, by what escape returns.
func Visible(text string, escape func(r rune, raw string) string) string {
	var b strings.Builder
	done := 0
	for i := 0; i < len(text); {
		if text[i] >= ' ' && text[i] < 0x7F {
			i++
			continue
		}
		r, n, is := hiddenAt(text, i)
		if is || r == utf8.RuneError && n == 1 {
			b.WriteString(text[done:i])
			b.WriteString(escape(r, text[i:i+n]))
			done = i + n
		}
		i += n
	}
	if done == 0 {
		return text
	}
	return b.String() + text[done:]
}

// Escape writes what is hidden as Go does.
func Escape(r rune, raw string) string {
	switch {
	case r == '\n':
		return `\n`
	case r == '\r':
		return `\r`
	case r == '\t':
		return `\t`
	case len(raw) == 1:
		return fmt.Sprintf(`\x%02x`, raw[0])
	case r < 0x100:
		return fmt.Sprintf(`\x%02x`, r)
	case r > 0xFFFF:
		return fmt.Sprintf(`\U%08x`, r)
	}
	return fmt.Sprintf(`\u%04x`, r)
}
