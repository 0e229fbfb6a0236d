package inspect

import (
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"
	"unicode"

	"github.com/scxmlrun/scxmlrun/datamodel"
	"github.com/scxmlrun/scxmlrun/scxml"
)

// The page escapes the same characters as Go. Its lists are compared for all of Unicode, and what it makes of
// them for the characters at their borders, between several neighbours.
func TestVisibleIsThatOfGo(t *testing.T) {
	source, err := os.ReadFile("page/visible.js")
	if err != nil {
		t.Fatal(err)
	}
	chart, err := scxml.Parse("visible.scxml", []byte(`<scxml xmlns="http://www.w3.org/2005/07/scxml" version="1.0"><script><![CDATA[`+
		strings.ReplaceAll(string(source), "export ", "")+`]]></script><state/></scxml>`))
	if err != nil {
		t.Fatal(err)
	}
	// With the race detector and a busy machine the texts take seconds.
	s, err := scxml.New(chart, scxml.WithLimits(scxml.Limits{ScriptTime: time.Minute, MacrostepTime: time.Minute}))
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Start(t.Context()); err != nil {
		t.Fatal(err)
	}
	eval := func(expr string, v any) {
		t.Helper()
		text, err := s.Eval(t.Context(), "JSON.stringify("+expr+")")
		if err != nil {
			t.Fatal(err)
		}
		if err := json.Unmarshal([]byte(text.(string)), v); err != nil {
			t.Fatal(err)
		}
	}

	type list [][2]rune
	var hidden, joiners, selectors, spaces list
	eval("[hidden, joiners, selectors, spaces]", &[]*list{&hidden, &joiners, &selectors, &spaces})
	lists := map[rune]*list{}
	for _, l := range []*list{&hidden, &joiners, &selectors, &spaces} {
		for _, x := range *l {
			for r := x[0]; r <= x[1]; r++ {
				lists[r] = l
			}
		}
	}
	for r := rune(0); r <= unicode.MaxRune; r++ {
		in := lists[r]
		if in == &joiners || in == &selectors || 0xD800 <= r && r <= 0xDFFF {
			continue // what they do depends on both neighbours; a string of Go has no surrogates
		}
		c, joiner := string(r), "\u200d"
		shown := c
		if in == &hidden {
			if shown = datamodel.Visible(c, nil); shown == c {
				t.Errorf("%U is hidden on the page alone", r)
			}
		}
		if r < 0x300 || r == unicode.ReplacementChar || in != nil {
			joiner = `\u200d`
		}
		text, want := "א"+c+"a"+c+"\u200dא", "א"+shown+"a"+shown+joiner+"א"
		if got := datamodel.Visible(text, nil); got != want {
			t.Errorf("%U in %+q: the lists of the page make %+q of it, Go %+q", r, text, want, got)
		}
	}

	var texts, shown []string
	for _, x := range append(append(append(append(list{{'#', '9'}, {'a', '©'}, {'®', 0x300}, {0xFFFD, 0x10FFFF}}, hidden...), joiners...), selectors...), spaces...) {
		for _, r := range []rune{x[0] - 1, x[0], x[1], x[1] + 1} {
			for _, before := range []string{"", "a", "1", "א", "❤\ufe0f", "א\u200d", "א "} {
				for _, after := range []string{"", "a", "א", "\u200d", "\ufe0f"} {
					if r >= 0 && r <= unicode.MaxRune {
						texts = append(texts, before+string(r)+after)
					}
				}
			}
		}
	}
	given, err := json.Marshal(texts)
	if err != nil {
		t.Fatal(err)
	}
	eval(fmt.Sprintf("%s.map(text => visible(text))", given), &shown)
	for i, text := range texts {
		if want := datamodel.Visible(text, nil); shown[i] != want {
			t.Errorf("%+q: the page shows %+q, Go %+q", text, shown[i], want)
		}
	}
}
