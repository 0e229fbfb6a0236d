package console

import (
	"strings"
	"unicode/utf8"

	"github.com/scxmlrun/scxmlrun/cmd/internal/cli"
)

// A keyFilter filters what a terminal sends to the line editor of x/term. The editor
// knows few of the sequences that terminals send for keys, inserts parts of unknown
// ones into the line, and hangs on invalid UTF-8. The filter passes only what the
// editor can handle.
type keyFilter struct {
	rest []byte // of an incomplete sequence or character
}

// Keys that the editor does not receive.
const (
	keyInterrupt = 0x03 // Ctrl+C
	keySuspend   = 0x1a // Ctrl+Z
	keyAbort     = 0x1c // Ctrl+\
)

// editKeys are the control characters that the editor understands: Tab, Enter,
// Backspace, Ctrl+D and the usual keys of Emacs.
const editKeys = "\t\r\n\x7f\x01\x02\x04\x05\x06\x08\x0b\x0c\x0e\x10\x14\x15\x17"

// editSequences maps the sequences of keys to those that the editor understands.
var editSequences = map[string]string{
	"[A": "\x1b[A", "OA": "\x1b[A", // up
	"[B": "\x1b[B", "OB": "\x1b[B", // down
	"[C": "\x1b[C", "OC": "\x1b[C", // right
	"[D": "\x1b[D", "OD": "\x1b[D", // left
	"[H": "\x01", "OH": "\x01", "[1~": "\x01", "[7~": "\x01", // Home
	"[F": "\x05", "OF": "\x05", "[4~": "\x05", "[8~": "\x05", // End
	"[3~":   "\x1b[3~",                                                               // Delete
	"[1;5C": "\x1b[1;3C", "[1;3C": "\x1b[1;3C", "[5C": "\x1b[1;3C", "f": "\x1b[1;3C", // a word to the right
	"[1;5D": "\x1b[1;3D", "[1;3D": "\x1b[1;3D", "[5D": "\x1b[1;3D", "b": "\x1b[1;3D", // a word to the left
	"\x7f": "\x17", "\x08": "\x17", // Alt+Backspace
}

// maxSequence is the maximum length of a sequence.
const maxSequence = 32

// filter returns the part of the input for the editor, and the other keys.
func (k *keyFilter) filter(in []byte) (edit, others []byte) {
	b := append(k.rest, in...)
	k.rest = nil
	for len(b) > 0 {
		switch c := b[0]; {
		case c == 0x1b:
			sequence, n := escapeSequence(b)
			if n == 0 {
				k.rest = append([]byte(nil), b...)
				return edit, others
			}
			edit = append(edit, editSequences[sequence]...)
			b = b[n:]
		case c == keyInterrupt || c == keySuspend || c == keyAbort:
			others = append(others, c)
			b = b[1:]
		case c < ' ' || c == 0x7f:
			if strings.IndexByte(editKeys, c) >= 0 {
				edit = append(edit, c)
			}
			b = b[1:]
		case !utf8.FullRune(b):
			k.rest = append([]byte(nil), b...)
			return edit, others
		default:
			r, n := utf8.DecodeRune(b)
			if r != utf8.RuneError && !cli.Hidden(r) {
				edit = append(edit, b[:n]...)
			}
			b = b[n:]
		}
	}
	return edit, others
}

// escapeSequence returns the sequence at the start of b without its escape character,
// and its length, which is 0 if it is incomplete. An interrupted sequence is "".
func escapeSequence(b []byte) (sequence string, n int) {
	if len(b) == 1 {
		return "", 0
	}
	switch c := b[1]; {
	case c == 'O' || c == '[' && len(b) > 2 && b[2] == '[': // function keys of the Linux console have two brackets
		length := 3
		if c == '[' {
			length = 4
		}
		if len(b) < length {
			return "", 0
		}
		return string(b[1:length]), length
	case c == '[':
		for i := 2; i < len(b); i++ {
			switch {
			case b[i] >= 0x40 && b[i] <= 0x7e:
				return string(b[1 : i+1]), i + 1
			case b[i] < ' ' || b[i] > 0x7e || i >= maxSequence:
				return "", i
			}
		}
		return "", 0
	case c == 0x7f || c == 0x08 || c > ' ' && c < 0x7f:
		return string(b[1:2]), 2 // Alt with a key
	}
	return "", 1 // the Escape key, and then another one
}
