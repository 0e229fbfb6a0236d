package lsp

import (
	"fmt"
	"strings"
	"testing"
	"unicode/utf16"

	"pgregory.net/rapid"
)

// units returns how many units a character has.
func units(r rune, e encoding) uint32 {
	switch e {
	case utf8Units:
		return uint32(len(string(r)))
	case utf16Units:
		return uint32(len(utf16.Encode([]rune{r})))
	}
	return 1
}

// positions returns all positions that are between two characters, with their offsets.
func positions(text string, e encoding) (all []position, offsets []int) {
	var at position
	for i, r := range text {
		if r != '\n' || !strings.HasSuffix(text[:i], "\r") {
			all, offsets = append(all, at), append(offsets, i)
		}
		if r == '\n' || r == '\r' && !strings.HasPrefix(text[i:], "\r\n") {
			at = position{Line: at.Line + 1}
		} else if r != '\r' {
			at.Character += units(r, e)
		}
	}
	return append(all, at), append(offsets, len(text))
}

// texts are texts with all ends of lines, characters of one to four bytes, and long lines.
func texts() *rapid.Generator[string] {
	return rapid.Custom(func(t *rapid.T) string {
		var b strings.Builder
		for range rapid.IntRange(0, 20).Draw(t, "pieces") {
			piece := rapid.SampledFrom([]string{"a", "é", "€", "😀", "\n", "\r", "\r\n", "<state id=\"s\"/>"}).Draw(t, "piece")
			times := 1
			if rapid.IntRange(0, 9).Draw(t, "long") == 0 {
				times = 700
			}
			b.WriteString(strings.Repeat(piece, times))
		}
		return b.String()
	})
}

func TestPositions(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := texts().Draw(t, "text")
		e := rapid.SampledFrom([]encoding{utf8Units, utf16Units, utf32Units}).Draw(t, "encoding")
		s := newSource(text, e)
		all, offsets := positions(text, e)
		for i, p := range all {
			if got := s.offset(p); got != offsets[i] {
				t.Fatalf("%q: %v is at %d, want %d", text, p, got, offsets[i])
			}
			if got := s.position(offsets[i]); got != p {
				t.Fatalf("%q: %d is %v, want %v", text, offsets[i], got, p)
			}
		}
	})
}

// Positions that do not exist are moved to the nearest one before.
func TestPositionsElsewhere(t *testing.T) {
	s := newSource("a😀b\r\nc", utf16Units)
	for _, test := range []struct {
		at   position
		want int
	}{{position{0, 2}, 1}, {position{0, 3}, 5}, {position{0, 4}, 6}, {position{0, 5}, 6}, {position{0, 4e9}, 6}, {position{1, 9}, 9}, {position{7, 0}, 9}} {
		if got := s.offset(test.at); got != test.want {
			t.Errorf("%v is at %d, want %d", test.at, got, test.want)
		}
	}
}

// A text that is edited at random is the same in the editor and in the server.
func TestChangesAtRandom(t *testing.T) {
	requests["test/text"] = about(func(_ *server, d *document, _ documentParams) (any, error) { return d.text.content, nil })
	defer delete(requests, "test/text")
	for _, e := range []encoding{utf8Units, utf16Units, utf32Units} {
		c := start(t, fmt.Sprintf(`{"general":{"positionEncodings":[%q]}}`, e))
		rapid.Check(t, func(t *rapid.T) {
			const uri = "untitled:text"
			text := texts().Draw(t, "text")
			c.open(uri, text)
			for range rapid.IntRange(1, 5).Draw(t, "notifications") {
				var changes []contentChange
				last := 0
				for range rapid.IntRange(1, 4).Draw(t, "changes") {
					piece := texts().Draw(t, "new")
					if rapid.IntRange(0, 9).Draw(t, "whole") == 0 {
						changes = append(changes, contentChange{Text: piece})
						text = piece
						continue
					}
					all, offsets := positions(text, e)
					if rapid.Bool().Draw(t, "before") { // the last change
						all = all[:min(last+1, len(all))]
					}
					from := rapid.IntRange(0, len(all)-1).Draw(t, "from")
					to := rapid.IntRange(from, len(all)-1).Draw(t, "to")
					last = from
					changes = append(changes, contentChange{&span{all[from], all[to]}, piece})
					text = text[:offsets[from]] + piece + text[offsets[to]:]
				}
				c.change(uri, changes...)
				if got := result[string](t, c.must("test/text", in(uri))); got != text {
					t.Fatalf("the server has %q, want %q", got, text)
				}
			}
		})
	}
}

// Many changes of one notification, the last place first, do not each cost as much as the whole text.
func TestManyChanges(t *testing.T) {
	const lines = 2000
	s := newSource(strings.Repeat("<state/>\n", lines), utf16Units)
	var changes []contentChange
	for line := range lines {
		at := position{Line: uint32(lines - 1 - line), Character: 1}
		changes = append(changes, contentChange{&span{at, position{at.Line, 6}}, "final"})
	}
	if n := testing.AllocsPerRun(1, func() { s.change(changes) }); n > 100 {
		t.Errorf("%d changes make %v allocations", lines, n)
	}
	if got, want := s.change(changes).content, strings.Repeat("<final/>\n", lines); got != want {
		t.Errorf("got %.100q, want %.100q", got, want)
	}
}
