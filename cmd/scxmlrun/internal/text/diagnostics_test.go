package text

import (
	"math"
	"strings"
	"testing"
)

func TestExcerpt(t *testing.T) {
	for _, tt := range []struct {
		name, line string
		col, width int
		want       string
	}{
		{"plain", `<state id="a"/>`, 12, 80, `    <state id="a"/>` + "\n" + `               ^`},
		{"indented", `        <a/>`, 9, 80, "    <a/>\n    ^"},
		{"tabs", "\t\t<a\tb/>", 6, 80, "    <a  b/>\n        ^"},
		{"tab before a wide one", "x\t日本 y", 6, 80, "    x   日本 y\n             ^"},
		{"combining", "e\u0301a", 3, 80, "    e\u0301a\n     ^"},
		{"control", "a\x1b[31mb", 7, 80, "    a\\x1b[31mb\n             ^"},
		{"past the end", `abc`, 9, 80, "    abc\n       ^"},
		{"far past the end", `abc`, math.MaxInt, 80, "    abc\n       ^"},
		{"before the line", `abc`, math.MinInt, 80, "    abc\n    ^"},
		{"empty", ``, 1, 80, "    \n    ^"},
		{"cut after", strings.Repeat("a", 100), 3, 24, "    " + strings.Repeat("a", 17) + "…\n      ^"},
		{"cut before", strings.Repeat("a", 96) + "bcde", 97, 24, "    …" + strings.Repeat("a", 11) + "bcde\n" + strings.Repeat(" ", 16) + "^"},
		{"cut on both sides", strings.Repeat("a", 96) + "b" + strings.Repeat("c", 96), 97, 24, "    …" + strings.Repeat("a", 11) + "bccccc…\n" + strings.Repeat(" ", 16) + "^"},
		{"cut in wide ones", strings.Repeat("日", 50), 40, 24, "    …日日日日日日日日…\n" + strings.Repeat(" ", 15) + "^"},
		{"caret in white space", "   ", 2, 80, "      \n    ^"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got := excerpt([]rune(tt.line), tt.col, tt.width)
			if got != tt.want+"\n" {
				t.Errorf("got\n%s\nwant\n%s", got, tt.want)
			}
		})
	}
}

// An excerpt costs no more because the line is long.
func TestExcerptOfLongLine(t *testing.T) {
	line := []rune(strings.Repeat("日", 1<<20))
	for i := range 100_000 {
		if got := excerpt(line, 1+i*10, 80); len(got) > 1000 {
			t.Fatalf("column %d: %d bytes", 1+i*10, len(got))
		}
	}
}
