package inspect

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/scxmlrun/scxmlrun/datamodel"
	"github.com/scxmlrun/scxmlrun/scxml"
)

// The page escapes the same characters as Go: those of all blocks of Unicode that have some, and
// samples of the others, between several neighbours.
func TestVisibleIsThatOfGo(t *testing.T) {
	source, err := os.ReadFile("page/visible.js")
	if err != nil {
		t.Fatal(err)
	}
	chart, err := scxml.Parse("visible.scxml", []byte(`<scxml xmlns="http://www.w3.org/2005/07/scxml" version="1.0"><script><![CDATA[`+
		strings.ReplaceAll(string(source), "export ", "")+`
function all(from, to, before, after) {
  const lines = [];
  for (let r = from; r < to; r++) lines.push(visible(before + String.fromCodePoint(r) + after, 1e9));
  return lines.join('\n');
}]]></script><state/></scxml>`))
	if err != nil {
		t.Fatal(err)
	}
	s, err := scxml.New(chart)
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Start(t.Context()); err != nil {
		t.Fatal(err)
	}
	compare := func(from, to rune, before, after string) {
		t.Helper()
		v, err := s.Eval(t.Context(), fmt.Sprintf("all(%d, %d, %q, %q)", from, to, before, after))
		if err != nil {
			t.Fatal(err)
		}
		lines := strings.Split(v.(string), "\n")
		for r := from; r < to; r++ {
			text := before + string(r) + after
			if got, want := lines[r-from], datamodel.Visible(text, nil); got != want && (r < 0xD800 || r > 0xDFFF) {
				t.Errorf("%U in %+q: the page shows %+q, Go %+q", r, text, got, want)
			}
		}
	}
	for r := rune(0); r <= 0x10FFFF; r += 0x400 {
		if r < 0x3400 && (r < 0x800 || r >= 0x1000 && r < 0x1C00 || r >= 0x2000 && r < 0x2400 || r >= 0x3000) || r >= 0xFC00 && r < 0x10000 || r&^0x3FF == 0x1BC00 || r&^0x3FF == 0x1D000 || r&^0xFFF == 0xE0000 || r%0x10000 == 0 {
			compare(r, r+0x400, "", "א")
		}
	}
	for _, before := range []string{"", "a", "1", "א", "❤\ufe0f", "א\u200d", "א "} {
		for _, after := range []string{"", "a", "א", "\u200d", "\ufe0f"} {
			compare(0x2000, 0x2070, before, after)
			compare(0xFE00, 0xFE10, before, after)
		}
	}
}
