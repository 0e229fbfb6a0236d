package xmltree

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"
)

// space is the white space of XML.
const space = " \t\r\n"

func isSpace(b byte) bool { return b == ' ' || b == '\n' || b == '\t' || b == '\r' }

func indexNotSpace(s string) int {
	for i := range len(s) {
		if !isSpace(s[i]) {
			return i
		}
	}
	return -1
}

// isChar reports whether XML allows the character r.
//
// XML 1.0, 2.2: "Char ::= #x9 | #xA | #xD | [#x20-#xD7FF] | [#xE000-#xFFFD] | [#x10000-#x10FFFF]".
func isChar(r rune) bool {
	return r == '\t' || r == '\n' || r == '\r' ||
		r >= 0x20 && r <= 0xD7FF || r >= 0xE000 && r <= 0xFFFD || r >= 0x10000 && r <= 0x10FFFF
}

// characters checks that XML allows every character of the document.
func (s *scanner) characters() bool {
	for i := 0; i < len(s.src); {
		b := s.src[i]
		if b < utf8.RuneSelf {
			if b < 0x20 && !isSpace(b) {
				return s.stop(s.place(i), "bad-character", "character U+%04X is not allowed in XML", b)
			}
			i++
			continue
		}
		r, n := utf8.DecodeRuneInString(s.src[i:])
		if r == utf8.RuneError && n == 1 {
			return s.stop(s.place(i), "bad-encoding", "byte 0x%02X is not UTF-8: save the document as UTF-8, or name its encoding in the XML declaration", b)
		}
		if !isChar(r) {
			return s.stop(s.place(i), "bad-character", "character U+%04X is not allowed in XML", r)
		}
		i += n
	}
	return true
}

// nameByte is 2 for ASCII characters that may begin a name, and 1 for those that may follow.
var nameByte = func() (t [utf8.RuneSelf]byte) {
	for c := range t {
		switch {
		case c >= 'a' && c <= 'z', c >= 'A' && c <= 'Z', c == '_', c == ':':
			t[c] = 2
		case c >= '0' && c <= '9', c == '-', c == '.':
			t[c] = 1
		}
	}
	return t
}()

// scanName returns the end of the name that begins at src[from], or from if there is none.
func scanName(src string, from int) int {
	i := from
	for i < len(src) {
		if b := src[i]; b < utf8.RuneSelf {
			if nameByte[b] == 0 || i == from && nameByte[b] != 2 {
				break
			}
			i++
			continue
		}
		r, n := utf8.DecodeRuneInString(src[i:])
		if !isNameStart(r) && (i == from || !isNameRest(r)) {
			break
		}
		i += n
	}
	return i
}

// isNameStart and isNameRest are NameStartChar and NameChar of XML 1.0, 2.3, outside ASCII.
func isNameStart(r rune) bool {
	return r >= 0xC0 && r <= 0x2FF && r != 0xD7 && r != 0xF7 ||
		r >= 0x370 && r <= 0x1FFF && r != 0x37E || r == 0x200C || r == 0x200D ||
		r >= 0x2070 && r <= 0x218F || r >= 0x2C00 && r <= 0x2FEF || r >= 0x3001 && r <= 0xD7FF ||
		r >= 0xF900 && r <= 0xFDCF || r >= 0xFDF0 && r <= 0xFFFC || r >= 0x10000 && r <= 0xEFFFF
}

func isNameRest(r rune) bool {
	return r == 0xB7 || r >= 0x300 && r <= 0x36F || r == 0x203F || r == 0x2040
}

// IsNCName reports whether s is a name without a colon. Ids must be such names.
func IsNCName(s string) bool {
	return s != "" && scanName(s, 0) == len(s) && !strings.Contains(s, ":")
}

// isQName reports whether name has no colon, or one between two names.
func isQName(name string) bool {
	prefix, local, found := strings.Cut(name, ":")
	return !found || prefix != "" && IsNCName(local)
}

// predefined returns the character that a predefined entity means, or 0 for any other.
func predefined(entity string) byte {
	switch entity {
	case "lt":
		return '<'
	case "gt":
		return '>'
	case "amp":
		return '&'
	case "quot":
		return '"'
	case "apos":
		return '\''
	}
	return 0
}

// charRef returns the character that a reference such as "#60" or "#x3C" means.
func charRef(name string) (rune, bool) {
	digits, base := name[1:], 10
	if strings.HasPrefix(digits, "x") {
		digits, base = digits[1:], 16
	}
	n, err := strconv.ParseUint(digits, base, 32)
	if err != nil || n > utf8.MaxRune {
		return 0, false
	}
	return rune(n), isChar(rune(n))
}

// normalize returns the value of an attribute that is written as raw.
//
// XML 1.0, 3.3.3: "For a white space character (#x20, #xD, #xA, #x9), append a
// space character (#x20) to the normalized value". Of CR LF, 2.11 makes one character.
func normalize(raw string) string {
	var b strings.Builder
	b.Grow(len(raw))
	for i := 0; i < len(raw); i++ {
		switch c := raw[i]; c {
		case '\r':
			if i+1 < len(raw) && raw[i+1] == '\n' {
				i++
			}
			b.WriteByte(' ')
		case '\n', '\t':
			b.WriteByte(' ')
		case '&':
			end := strings.IndexByte(raw[i:], ';')
			name := raw[i+1 : i+end] // the scanner has checked it
			if name[0] == '#' {
				r, _ := charRef(name)
				b.WriteRune(r)
			} else {
				b.WriteByte(predefined(name))
			}
			i += end
		default:
			b.WriteByte(c)
		}
	}
	return b.String()
}

// quoteRune quotes the first character of s.
func quoteRune(s string) string {
	r, _ := utf8.DecodeRuneInString(s)
	return fmt.Sprintf("%q", string(r))
}
