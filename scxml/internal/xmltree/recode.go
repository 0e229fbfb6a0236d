package xmltree

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// Recode returns the text of a document with its byte order mark, if it has one, as U+FEFF, and a function
// that writes a text in the encoding of the document. Unchanged, the text becomes the same bytes.
func Recode(src []byte) (text string, encode func(text string) ([]byte, error), err error) {
	text, problem := decode(src)
	if problem != nil {
		return "", nil, fmt.Errorf("%v: %s", problem.Pos, problem.Message)
	}
	const mark = "\ufeff"
	wide := func(order binary.AppendByteOrder) func(string) ([]byte, error) {
		return func(text string) ([]byte, error) {
			out := make([]byte, 0, 2*len(text))
			for _, unit := range utf16.Encode([]rune(text)) {
				out = order.AppendUint16(out, unit)
			}
			return out, nil
		}
	}
	switch {
	case bytes.HasPrefix(src, []byte(mark)):
		text = mark + text
	case bytes.HasPrefix(src, []byte("\xFF\xFE")):
		text, encode = mark+text, wide(binary.LittleEndian)
	case bytes.HasPrefix(src, []byte("\xFE\xFF")):
		text, encode = mark+text, wide(binary.BigEndian)
	case len(src) >= 4 && src[0] != 0 && src[1] == 0:
		encode = wide(binary.LittleEndian)
	case len(src) >= 4 && src[0] == 0:
		encode = wide(binary.BigEndian)
	default:
		encode = narrow(declaredEncoding(src))
	}
	if encode == nil {
		encode = func(text string) ([]byte, error) { return []byte(text), nil }
	}
	if same, err := encode(text); err != nil || !bytes.Equal(same, src) {
		return "", nil, errors.New("the document has bytes that are not of its encoding")
	}
	return text, encode, nil
}

// narrow returns a function that writes a text in an encoding with one byte for each character, and nil for
// UTF-8.
func narrow(name string) func(string) ([]byte, error) {
	key := encodingKey(name)
	cm := charmaps[key]
	if cm == nil && (key == "" || key == "utf8") {
		return nil
	}
	return func(text string) ([]byte, error) {
		out := make([]byte, 0, len(text))
		for i, r := range text {
			b, ok := byte(r), r < utf8.RuneSelf
			if cm != nil {
				b, ok = cm.EncodeRune(r)
			}
			if !ok {
				return nil, fmt.Errorf("%d: %q cannot be written in the encoding %s of the document", 1+strings.Count(text[:i], "\n"), r, name)
			}
			out = append(out, b)
		}
		return out, nil
	}
}
