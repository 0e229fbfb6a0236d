package xmltree

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"regexp"
	"strings"
	"sync"
	"unicode/utf16"
	"unicode/utf8"

	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/unicode"
)

// decode returns the document as UTF-8, without a byte order mark.
//
// XML 1.0, 4.3.3: "In the absence of information provided by an external
// transport protocol […], it is a fatal error for an entity including an
// encoding declaration to be presented to the XML processor in an encoding
// other than that named in the declaration".
func decode(src []byte) (string, *Problem) {
	switch {
	case bytes.HasPrefix(src, []byte("\xEF\xBB\xBF")):
		return decodeUTF8(src[3:])
	case bytes.HasPrefix(src, []byte("\xFF\xFE\x00\x00")), bytes.HasPrefix(src, []byte("\x00\x00\xFE\xFF")):
		return "", badEncoding("encoding UTF-32 is not supported: save the document as UTF-8")
	case bytes.HasPrefix(src, []byte("\xFF\xFE")):
		return decodeUTF16(src[2:], unicode.LittleEndian)
	case bytes.HasPrefix(src, []byte("\xFE\xFF")):
		return decodeUTF16(src[2:], unicode.BigEndian)
	case len(src) >= 4 && src[0] != 0 && src[1] == 0 && src[2] != 0 && src[3] == 0:
		return decodeUTF16(src, unicode.LittleEndian)
	case len(src) >= 4 && src[0] == 0 && src[1] != 0 && src[2] == 0 && src[3] != 0:
		return decodeUTF16(src, unicode.BigEndian)
	}
	name := declaredEncoding(src)
	switch key := encodingKey(name); key {
	case "", "utf8":
		return string(src), nil // the scanner finds bytes that are not UTF-8
	case "usascii", "ascii", "iso646us", "ansix341968":
		for i, b := range src {
			if b >= utf8.RuneSelf {
				return "", problemAt(string(src[:i]), "byte 0x%02X is not US-ASCII, which the XML declaration names", b)
			}
		}
		return string(src), nil
	case "utf16", "utf16le", "utf16be", "iso10646ucs2", "ucs2":
		return "", badEncoding(fmt.Sprintf("XML declaration names the encoding %s, but the document is not written in it", name))
	default:
		cm := charmaps[key]
		if cm == nil {
			return "", badEncoding(fmt.Sprintf("encoding %q is not supported: save the document as UTF-8", name))
		}
		return decodeBytes(src, cm, name)
	}
}

func badEncoding(msg string) *Problem {
	return &Problem{Pos: firstPosition(), Code: "bad-encoding", Message: msg}
}

// problemAt returns a problem right after the text before.
func problemAt(before, format string, args ...any) *Problem {
	p := badEncoding(fmt.Sprintf(format, args...))
	p.Pos.Line += strings.Count(before, "\n")
	p.Pos.Col += utf8.RuneCountInString(before[strings.LastIndexByte(before, '\n')+1:])
	return p
}

// encodingKey returns one key for all spellings of an encoding's name: "iso88591" for "ISO_8859-1".
func encodingKey(name string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r >= 'A' && r <= 'Z':
			return r + 'a' - 'A'
		case r == '-' || r == '_' || r == '.' || r == ':':
			return -1
		}
		return r
	}, name)
}

// charmaps are the encodings with one byte for each character. The Asian encodings, which have
// more, are left out: their tables would add a megabyte to every program.
var charmaps = map[string]*charmap.Charmap{
	"iso88591": charmap.ISO8859_1, "latin1": charmap.ISO8859_1, "l1": charmap.ISO8859_1, "iso885911987": charmap.ISO8859_1,
	"iso88592": charmap.ISO8859_2, "latin2": charmap.ISO8859_2,
	"iso88595": charmap.ISO8859_5, "cyrillic": charmap.ISO8859_5,
	"iso88597": charmap.ISO8859_7, "greek": charmap.ISO8859_7,
	"iso88599": charmap.ISO8859_9, "latin5": charmap.ISO8859_9,
	"iso885915": charmap.ISO8859_15, "latin9": charmap.ISO8859_15,
	"windows1250": charmap.Windows1250, "cp1250": charmap.Windows1250,
	"windows1251": charmap.Windows1251, "cp1251": charmap.Windows1251,
	"windows1252": charmap.Windows1252, "cp1252": charmap.Windows1252,
	"koi8r": charmap.KOI8R,
}

func decodeUTF8(src []byte) (string, *Problem) {
	if name := declaredEncoding(src); name != "" && encodingKey(name) != "utf8" {
		return "", badEncoding(fmt.Sprintf("XML declaration names the encoding %s, but the document begins with the mark of UTF-8", name))
	}
	return string(src), nil
}

func decodeBytes(src []byte, cm *charmap.Charmap, name string) (string, *Problem) {
	var b strings.Builder
	b.Grow(len(src) + len(src)/8)
	for _, c := range src {
		r := cm.DecodeByte(c)
		if r == utf8.RuneError {
			return "", problemAt(b.String(), "byte 0x%02X is not a character in %s, which the XML declaration names", c, name)
		}
		b.WriteRune(r)
	}
	return b.String(), nil
}

var byteOrder = map[unicode.Endianness]binary.ByteOrder{unicode.LittleEndian: binary.LittleEndian, unicode.BigEndian: binary.BigEndian}

func decodeUTF16(src []byte, order unicode.Endianness) (string, *Problem) {
	even := src[:len(src)&^1]
	out, err := unicode.UTF16(order, unicode.IgnoreBOM).NewDecoder().Bytes(even)
	if err != nil {
		return "", badEncoding("document is not written in UTF-16: " + err.Error())
	}
	text, at := string(out), 0
	for i, r := range text {
		if unit := byteOrder[order].Uint16(even[at:]); r == utf8.RuneError && unit != utf8.RuneError {
			return "", problemAt(text[:i], "half a character (U+%04X) in UTF-16", unit)
		}
		at += 2 * utf16.RuneLen(r)
	}
	if len(even) < len(src) {
		return "", problemAt(text, "document in UTF-16 ends inside a character")
	}
	if name := declaredEncoding([]byte(text[:min(len(text), 200)])); name != "" && !strings.HasPrefix(encodingKey(name), "utf16") && encodingKey(name) != "iso10646ucs2" {
		return "", badEncoding(fmt.Sprintf("XML declaration names the encoding %s, but the document is written in UTF-16", name))
	}
	return text, nil
}

// hasDeclaration reports whether src begins with an XML declaration.
func hasDeclaration[T string | []byte](src T) bool {
	const mark = "<?xml"
	return len(src) > len(mark) && string(src[:len(mark)]) == mark && isSpace(src[len(mark)])
}

// declaredEncoding returns the encoding that the XML declaration names, if any.
func declaredEncoding(src []byte) string {
	if !hasDeclaration(src) {
		return ""
	}
	src = src[:min(len(src), 500)]
	end := bytes.Index(src, []byte("?>"))
	if end < 0 {
		return ""
	}
	name, _ := declared(string(src[len("<?xml"):end]), "encoding")
	return name
}

var pseudoAttr = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`\s(version|encoding|standalone)\s*=\s*("[^"]*"|'[^']*')`)
})

// declared returns an entry of the XML declaration.
func declared(decl, name string) (string, bool) {
	for _, m := range pseudoAttr().FindAllStringSubmatch(decl, -1) {
		if m[1] == name {
			return m[2][1 : len(m[2])-1], true
		}
	}
	return "", false
}

// DecodeText returns the contents of a text file that a document refers to as UTF-8. The file is
// UTF-8, or UTF-16 with a byte order mark.
func DecodeText(src []byte) (string, error) {
	var text string
	var problem *Problem
	switch {
	case bytes.HasPrefix(src, []byte("\xFF\xFE")):
		text, problem = decodeUTF16(src[2:], unicode.LittleEndian)
	case bytes.HasPrefix(src, []byte("\xFE\xFF")):
		text, problem = decodeUTF16(src[2:], unicode.BigEndian)
	default:
		text = string(bytes.TrimPrefix(src, []byte("\xEF\xBB\xBF")))
		if !utf8.ValidString(text) {
			problem = badEncoding("it is not UTF-8")
		}
	}
	if problem != nil {
		return "", fmt.Errorf("%s", problem.Message)
	}
	return text, nil
}
