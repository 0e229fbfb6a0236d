package format

import (
	"encoding/binary"
	"io"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"
	"testing/iotest"
	"unicode/utf16"
)

// inUTF16 encodes a text with a byte order mark.
func inUTF16(text string, order binary.AppendByteOrder) string {
	out := order.AppendUint16(nil, 0xFEFF)
	for _, unit := range utf16.Encode([]rune(text)) {
		out = order.AppendUint16(out, unit)
	}
	return string(out)
}

// Every format is read in UTF-16, and with lines that end in CR alone.
func TestEncodings(t *testing.T) {
	random := rand.New(rand.NewPCG(4, 4))
	for _, f := range Formats() {
		game := randomGame(random)
		game.Name += " 𝄞" // a surrogate pair
		text := written(f, game, game)
		want, err := readAll("f", text)
		if err != nil {
			t.Fatal(err)
		}
		for name, text := range map[string]string{
			"UTF-16LE":        inUTF16(text, binary.LittleEndian),
			"UTF-16BE":        inUTF16(text, binary.BigEndian),
			"UTF-16LE, XML":   inUTF16(strings.Replace(text, `encoding="UTF-8"`, `encoding="UTF-16"`, 1), binary.LittleEndian),
			"CR":              strings.ReplaceAll(text, "\n", "\r"),
			"CRLF":            strings.ReplaceAll(text, "\n", "\r\n"),
			"UTF-16BE and CR": inUTF16(strings.ReplaceAll(text, "\n", "\r"), binary.BigEndian),
		} {
			if got, err := readAll("f", text); err != nil || !reflect.DeepEqual(got, want) {
				t.Errorf("%s in %s: got %v, %v", f, name, got, err)
			}
		}
	}
}

// Lines that end in CR alone are counted, wherever the input is cut.
func TestMacLines(t *testing.T) {
	text := strings.ReplaceAll(nineRows(puzzle), "\n", "\r")
	_, err := readAll("f", text+"\r"+text[:25])
	if want := "f:13:6: expected 9 cells in a row, found 5"; err == nil || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
	for source, want := range map[string]string{"a\rb\r": "a\nb\n", "a\rb\r\nc\n\rd": "a\nb\nc\n\nd", "a\r\r": "a\n\n"} {
		got, err := io.ReadAll(iotest.OneByteReader(&macReader{r: strings.NewReader(source)}))
		if err != nil || string(got) != want {
			t.Errorf("%q: got %q, %v, want %q", source, got, err, want)
		}
	}
}

// What is not UTF-16 becomes U+FFFD, and half a character at the end is left out.
func TestBadUTF16(t *testing.T) {
	for source, want := range map[string]string{
		"\x00a\xd8\x00\x00b": "a\ufffdb", "\xdc\x00\x00a": "\ufffda", "\x00a\xd8\x34": "a\ufffd", "\x00a\x00": "a",
		"\xd8\x34\xd8\x34\xdd\x1e": "\ufffd𝄞",
	} {
		got, err := io.ReadAll(iotest.OneByteReader(&utf16Reader{r: newBuffer(strings.NewReader(source)), order: binary.BigEndian}))
		if err != nil || string(got) != want {
			t.Errorf("%q: got %q, %v, want %q", source, got, err, want)
		}
	}
}
