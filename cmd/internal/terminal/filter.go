package terminal

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"
)

const (
	esc      = 0x1b
	ctrlC    = 0x03
	pasteEnd = "\x1b[201~"

	maxSequence = 64      // bytes of a control sequence; keys have up to 30
	maxNumber   = 1 << 21 // in a control sequence; the largest character is below it
	maxRepeats  = 100     // of a key, in one sequence

	// A sequence ends after a pause, so that the next key is a key. A paste may be large and come slowly.
	// The pause is longer after a sequence that went on after it, as on a slow line.
	sequencePause = 100 * time.Millisecond
	longestPause  = 800 * time.Millisecond
	cutPause      = time.Second // in which a sequence may go on
	pastePause    = time.Second / 2
)

// A filter passes on what a terminal types, as far as tcell v2.13.10 can take it: characters, complete
// control sequences, and nothing else. TCELL.md says what tcell does with the rest. What a filter passes on leaves tcell in its initial state.
//
// A sequence is over when it is complete; when a byte comes that cannot be part of it, which then is a key
// of its own; and after a pause. Keys that look like the beginning of a sequence, which are Esc, Alt+[,
// Alt+O, Alt+] and so on, are known by the pause. Ctrl+C is always a key, except in a paste that ends.
type filter struct {
	isUTF8  func() bool
	begun   []byte // of a character or a sequence that is not complete
	alt     bool   // the sequence follows another escape character
	pasting bool   // between the two sequences that surround a paste
	last    byte   // of the paste
	inner   *filter

	wait    time.Duration // the pause that ends a sequence; 0 is sequencePause
	cut     string        // the beginning of a sequence that a pause has ended just now
	resumed bool          // the sequence goes on after such a pause
}

// pause returns how long to wait for the rest of what has begun; 0 is as long as it takes.
func (f *filter) pause() time.Duration {
	switch {
	case f.pasting:
		return pastePause
	case f.inSequence():
		return cmp.Or(f.wait, sequencePause)
	case f.inner != nil && f.inner.pause() > 0:
		return f.inner.pause()
	case f.cut != "":
		return cutPause
	}
	return 0
}

// resume continues a sequence that a pause has cut, if b is a part that an arrow has there. What was cut has
// been passed on as a key, Esc or one with Alt; but the rest must not become keys, too.
func (f *filter) resume(b byte) {
	arrow := f.cut == "\x1b" && (b == '[' || b == 'O') || len(f.cut) == 2 && strings.IndexByte("ABCDFHZ123456", b) >= 0
	if arrow {
		f.begun = append(f.begun[:0], f.cut...)
		f.wait = min(2*cmp.Or(f.wait, sequencePause), max(longestPause, f.wait))
	}
	f.cut, f.resumed = "", arrow
}

func (f *filter) inSequence() bool { return len(f.begun) > 0 && f.begun[0] == esc }

// end ends what has begun, after a pause.
func (f *filter) end(to []byte) []byte {
	if f.inner != nil {
		to = f.inner.end(to)
	}
	switch {
	case f.pasting:
		to = append(to, pasteEnd...)
		if f.last == ctrlC { // somebody wants to end a paste that does not
			to = append(to, ctrlC)
		}
		f.pasting = false
	case !f.inSequence():
		f.cut = ""
		return to
	case len(f.begun) == 1:
		to = appendKey(to, esc, 1)
		f.cut = string(f.begun)
	case len(f.begun) == 2 && f.resumed:
		to = append(to, f.begun[1])
	case len(f.begun) == 2:
		to = appendKey(to, f.begun[1], 3)
		if f.begun[1] == '[' || f.begun[1] == 'O' {
			f.cut = string(f.begun)
		}
	}
	f.begun, f.alt, f.resumed = nil, false, false
	return to
}

// appendKey appends a key in kitty's notation, which tcell does not wait with. Modifier 1 is none, 3 is Alt.
func appendKey(to []byte, key byte, modifier int) []byte {
	return fmt.Appendf(to, "\x1b[%d;%du", key, modifier)
}

// feed takes a byte and appends what can be passed on.
func (f *filter) feed(to []byte, b byte) []byte {
	if f.cut != "" {
		f.resume(b)
	}
	switch {
	case f.pasting:
		return f.pasted(to, b)
	case b == esc:
		f.alt = len(f.begun) == 1 && f.inSequence()
		f.begun, f.resumed = append(f.begun[:0], esc), false
		return to
	case !f.inSequence():
		return f.character(to, b)
	case len(f.begun) == 1:
		return f.second(to, b)
	}
	key := b < ' ' || b == 0x7f
	switch kind := f.begun[1]; {
	case kind != '[' && kind != 'O': // a string, whose contents are dropped
		if key && (b < '\b' || b > '\r') {
			f.begun = nil
			if b != '\a' {
				return f.character(to, b)
			}
		} else if len(f.begun) == 2 {
			f.begun = append(f.begun, b) // end looks at the length
		}
	case key || b >= utf8.RuneSelf: // cannot be part of it
		f.begun = nil
		return f.character(to, b)
	case kind == '[' && (b < '@' || b == '[' && len(f.begun) == 2):
		if string(f.begun) == "\x1b[[" { // a key of the Linux console
			f.begun = nil
		} else if len(f.begun) < maxSequence {
			f.begun = append(f.begun, b)
		}
	default:
		return f.sequence(to, b)
	}
	return to
}

// second takes the byte after an escape character.
func (f *filter) second(to []byte, b byte) []byte {
	if strings.IndexByte("[O]X^_P", b) >= 0 {
		f.begun = append(f.begun, b)
		return to
	}
	if f.alt || b == ctrlC {
		to = appendKey(to, esc, 1)
	}
	f.begun, f.alt = nil, false
	switch {
	case b == '\\': // ends a string
		return to
	case b == 'N': // tcell waits for another
		return appendKey(to, b, 3)
	case b == ctrlC || b >= utf8.RuneSelf:
		return f.character(to, b)
	}
	return append(to, esc, b)
}

// sequence takes the last byte of a control sequence.
func (f *filter) sequence(to []byte, last byte) []byte {
	begun, alt := f.begun, f.alt
	f.begun, f.alt = nil, false
	parameters := strings.TrimLeft(string(begun[2:]), "<=>?")
	var numbers [6]int
	for i, text := range strings.Split(parameters, ";") {
		n, _ := strconv.Atoi(text) // the largest int if it is larger
		if n > maxNumber {
			return to
		}
		if i < len(numbers) {
			numbers[i] = n
		}
	}
	switch {
	case last < '@' || len(begun) == maxSequence: // and perhaps longer
		return to
	case last == '_' && begun[1] == '[':
		return f.windowsKey(to, numbers)
	case last == '~' && numbers[0] == 200:
		f.pasting, f.last = true, 0
	case last == '~' && numbers[0] == 201: // of a paste that was over
		return to
	}
	// tcell would keep an escape character before a sequence for the next key, if it does not know the
	// sequence.
	if alt && last == '~' && !strings.Contains(parameters, ";") {
		begun = append(begun, ";3"...)
	} else if alt && parameters == "" {
		begun = []byte("\x1b[1;3")
	}
	return append(append(to, begun...), last)
}

// windowsKey takes a key in the notation of win32-input-mode. Its numbers are the key, its scan code, the
// character, 1 if the key is pressed, the modifiers, and how often.
func (f *filter) windowsKey(to []byte, n [6]int) []byte {
	switch {
	case n[3] == 0:
		return to
	case n[0] == 0 && n[1] == 0 && 0 < n[2] && n[2] < utf8.RuneSelf: // a byte of another sequence
		if f.inner == nil {
			f.inner = &filter{isUTF8: f.isUTF8}
		}
		return f.inner.feed(to, byte(n[2]))
	}
	return fmt.Appendf(to, "\x1b[%d;%d;%d;%d;%d;%d_", n[0], n[1], n[2], n[3], n[4], min(n[5], maxRepeats))
}

// pasted takes a byte of a paste, which consists of text. No key is in it, not even Ctrl+C.
func (f *filter) pasted(to []byte, b byte) []byte {
	f.last = b
	if f.inSequence() {
		begun := append(f.begun, b)
		if string(begun) == pasteEnd {
			f.begun, f.pasting = nil, false
			return append(to, pasteEnd...)
		}
		if strings.HasPrefix(pasteEnd, string(begun)) {
			f.begun = begun
			return to
		}
		f.begun = nil
		for _, c := range begun[1:] {
			to = f.pasted(to, c)
		}
		return to
	}
	switch {
	case b == esc:
		f.begun = []byte{esc}
	case b >= ' ' && b != 0x7f || b == '\t' || b == '\r' || b == '\n':
		return f.character(to, b)
	}
	return to
}

// character takes a byte of a character. What is not UTF-8 is dropped. Tables of other character sets have an
// answer to each byte.
func (f *filter) character(to []byte, b byte) []byte {
	if b < utf8.RuneSelf || !f.isUTF8() {
		f.begun = nil
		return append(to, b)
	}
	begun := append(f.begun, b)
	if !utf8.FullRune(begun) {
		f.begun = begun
		return to
	}
	f.begun = nil
	if utf8.Valid(begun) {
		return append(to, begun...)
	}
	if len(begun) > 1 { // b begins another
		return f.character(to, b)
	}
	return to
}
