package format

import (
	"errors"
	"math/rand/v2"
	"strings"
	"testing"
)

// The compressed texts were made with lz-string 1.5.0.
func TestLZString(t *testing.T) {
	for text, want := range map[string]string{
		"":             "Q===",
		"a":            "IZA=",
		"hello":        "BYUwNmD2Q===",
		"aaaaaaaaaaaa": "IY1lA===",
		"abababababab": "IYI17Sg=",
		"日本日本é":        "qemhpzUS6A==",
		"ÿĀ":           "P+AEAg==",
		"añ日本a日":       "IYR8p6aDTmxkA===",
	} {
		if got := compress(text); got != want {
			t.Errorf("%q: got %s, want %s", text, got, want)
		}
		if got, err := decompress(want, 100); got != text || err != nil {
			t.Errorf("%s: got %q, %v, want %q", want, got, err, text)
		}
	}
}

func TestLZStringRoundTrip(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for i := range 300 {
		var text strings.Builder
		for range random.IntN(20 * (i + 1)) {
			switch random.IntN(20) {
			case 0:
				text.WriteRune(rune(0x4e00 + random.IntN(20)))
			case 1:
				text.WriteRune('😀')
			default:
				text.WriteByte(byte('a' + random.IntN(1+i%26)))
			}
		}
		got, err := decompress(compress(text.String()), 1<<20)
		if err != nil || got != text.String() {
			t.Fatalf("%q: got %q, %v", text.String(), got, err)
		}
	}
}

// A short text may decompress to a very long one.
func TestLZStringBomb(t *testing.T) {
	bomb := compress(strings.Repeat("a", 2<<20))
	if len(bomb) > 10_000 {
		t.Errorf("it has %d characters", len(bomb))
	}
	if _, err := decompress(bomb, 1<<20); !errors.Is(err, errTooLong) {
		t.Errorf("got %v", err)
	}
	if text, err := decompress(bomb, 2<<20); err != nil || len(text) != 2<<20 {
		t.Errorf("got %d characters, %v", len(text), err)
	}
}
