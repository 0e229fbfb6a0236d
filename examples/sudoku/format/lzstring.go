package format

import (
	"errors"
	"strings"
	"unicode/utf16"
)

// lz-string compresses UTF-16 as LZ78 does. Codes 0 and 1 precede a new character
// of 8 and of 16 bits, 2 is the end, and the others are phrases. A code has as many
// bits as the number of codes requires, the lowest bit first. In base64 each
// character has 6 bits of that stream.
const (
	lzChar8 = iota
	lzChar16
	lzEnd
	lzFirst // the first code of a phrase
)

const lzAlphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"

var errNotLZ = errors.New("it is not text compressed by lz-string")

// decompress returns the text, which may have at most limit UTF-16 units.
func decompress(text string, limit int) (string, error) {
	in := lzReader{text: strings.TrimRight(text, "=")}
	var out []uint16
	// A phrase is an earlier phrase and the next character of the output, and so is
	// always a piece of the output.
	type phrase struct{ start, length int }
	phrases := make([]phrase, lzFirst, 256)
	var last phrase
	for bits, room := 2, 1; ; {
		code := in.read(bits)
		var next phrase
		switch {
		case in.failed:
			return "", errNotLZ
		case code == lzEnd:
			return string(utf16.Decode(out)), nil
		case code == lzChar8 || code == lzChar16:
			char := in.read(8 << code)
			if room--; room == 0 {
				room, bits = 1<<bits, bits+1
			}
			next = phrase{len(out), 1}
			phrases = append(phrases, next)
			out = append(out, uint16(char))
		case code < len(phrases):
			next = phrase{len(out), phrases[code].length}
			out = append(out, out[phrases[code].start:][:phrases[code].length]...)
		case code == len(phrases) && last.length > 0:
			next = phrase{len(out), last.length + 1}
			out = append(append(out, out[last.start:][:last.length]...), out[last.start])
		default:
			return "", errNotLZ
		}
		if len(out) > limit {
			return "", errTooLong
		}
		if last.length > 0 {
			phrases = append(phrases, phrase{last.start, last.length + 1})
			if room--; room == 0 {
				room, bits = 1<<bits, bits+1
			}
		}
		last = next
	}
}

// An lzReader reads bits from base64.
type lzReader struct {
	text   string
	value  int
	left   int // unread bits of value
	failed bool
}

func (r *lzReader) read(bits int) (n int) {
	for i := range bits {
		if r.left == 0 {
			if r.text == "" {
				r.failed = true
				return 0
			}
			if r.value = strings.IndexByte(lzAlphabet, r.text[0]); r.value < 0 {
				r.failed = true
				return 0
			}
			r.text, r.left = r.text[1:], 6
		}
		r.left--
		n |= r.value >> r.left & 1 << i
	}
	return n
}

// compress returns the text in base64.
func compress(text string) string {
	type phrase struct {
		prefix int // its code, or -1
		char   uint16
	}
	codes := map[phrase]int{}
	unknown := map[int]uint16{} // codes of characters that are not written yet
	out := lzWriter{}
	bits, room, next, current := 2, 2, lzFirst, -1
	count := func() {
		if room--; room == 0 {
			room, bits = 1<<bits, bits+1
		}
	}
	write := func() {
		if char, ok := unknown[current]; ok {
			delete(unknown, current)
			size := lzChar8
			if char > 0xff {
				size = lzChar16
			}
			out.write(size, bits)
			out.write(int(char), 8<<size)
			count()
		} else {
			out.write(current, bits)
		}
		count()
	}
	for _, char := range utf16.Encode([]rune(text)) {
		if _, ok := codes[phrase{-1, char}]; !ok {
			codes[phrase{-1, char}] = next
			unknown[next] = char
			next++
		}
		longer := phrase{current, char}
		if code, ok := codes[longer]; ok {
			current = code
			continue
		}
		write()
		codes[longer] = next
		next++
		current = codes[phrase{-1, char}]
	}
	if current >= 0 {
		write()
	}
	out.write(lzEnd, bits)
	return out.String()
}

// An lzWriter writes bits as base64.
type lzWriter struct {
	text  []byte
	value int
	bits  int // number of bits in value
}

func (w *lzWriter) write(n, bits int) {
	for i := range bits {
		w.value = w.value<<1 | n>>i&1
		if w.bits++; w.bits == 6 {
			w.text = append(w.text, lzAlphabet[w.value])
			w.value, w.bits = 0, 0
		}
	}
}

// String returns the text, which ends with at least one more bit.
func (w *lzWriter) String() string {
	w.write(0, 6-w.bits)
	return string(w.text) + strings.Repeat("=", -len(w.text)&3)
}
