package colours

import (
	"math"
	"strings"
	"testing"

	"github.com/gdamore/tcell/v2"

	"github.com/scxmlrun/scxmlrun/cmd/internal/sudoku/theme"
)

// luminance returns the relative luminance of WCAG 2.
func luminance(c tcell.Color) float64 {
	linear := func(channel int32) float64 {
		if v := float64(channel) / 255; v <= 0.04045 {
			return v / 12.92
		} else {
			return math.Pow((v+0.055)/1.055, 2.4)
		}
	}
	r, g, b := c.RGB()
	return 0.2126*linear(r) + 0.7152*linear(g) + 0.0722*linear(b)
}

// WCAG 1.4.3: the contrast of texts is at least 4.5, in each theme and on each paper.
func TestEverythingCanBeRead(t *testing.T) {
	for _, name := range Names() {
		s, err := Styles(name)
		if err != nil {
			t.Fatal(err)
		}
		readable := func(what string, style tcell.Style, want float64) {
			t.Helper()
			ink, paper, _ := style.Decompose()
			a, b := luminance(ink)+0.05, luminance(paper)+0.05
			if got := max(a, b) / min(a, b); got < want {
				t.Errorf("%s: %s: the contrast of #%06x on #%06x is %.2f, want %.1f", name, what, ink.Hex(), paper.Hex(), got, want)
			}
		}
		for paper := theme.Cell; paper < theme.Idle; paper++ {
			for ink := theme.Given; ink <= theme.Corner; ink++ {
				if paper < theme.Given || paper > theme.Corner {
					readable(ink.String()+" on "+paper.String(), s.On(paper, ink), 4.5)
				}
			}
		}
		for _, role := range []theme.Role{theme.Text, theme.Dim, theme.Title, theme.Key, theme.Panel, theme.Button, theme.Menu, theme.Chosen, theme.Dialog, theme.Field,
			theme.Idle, theme.Playing, theme.Paused, theme.Editing, theme.Solving, theme.Solved, theme.GivenUp} {
			readable(role.String(), s.Of(role), 4.5)
		}
		readable("box-line", s.Of(theme.BoxLine), 3)
		// A cell with several colours has their papers as stripes, and one ink for all.
		for ink := theme.Colour1; ink <= theme.Colour1+8; ink++ {
			for paper := theme.Colour1; paper <= theme.Colour1+8; paper++ {
				text, _, _ := s.Of(ink).Decompose()
				readable("ink of "+ink.String()+" on "+paper.String(), s.Of(paper).Foreground(text), 4.5)
			}
		}
	}
}

// The style sheet has all variables in each theme, and no colours that are the terminal's.
func TestCSS(t *testing.T) {
	css, err := CSS()
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range Names() {
		_, rest, ok := strings.Cut(string(css), ":root[data-theme="+name+"] {")
		if !ok {
			t.Fatalf("no rules for %q", name)
		}
		rules, _, _ := strings.Cut(rest, "}")
		for _, role := range theme.Roles() {
			if !strings.Contains(rules, "--"+role+"-paper: #") {
				t.Errorf("%s: no paper for %q", name, role)
			}
		}
		if strings.Contains(rules, "-1") && !strings.Contains(rules, "-1-paper") || strings.Contains(rules, "#-") {
			t.Errorf("%s: some colours are the terminal's: %s", name, rules)
		}
	}
}
