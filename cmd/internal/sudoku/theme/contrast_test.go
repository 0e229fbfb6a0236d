package theme

import (
	"fmt"
	"testing"

	"github.com/gdamore/tcell/v2"
)

// palettes are what popular terminals show as the 16 colours that themes name.
var palettes = map[string][16]int32{
	"xterm":   {0x000000, 0xcd0000, 0x00cd00, 0xcdcd00, 0x0000ee, 0xcd00cd, 0x00cdcd, 0xe5e5e5, 0x7f7f7f, 0xff0000, 0x00ff00, 0xffff00, 0x5c5cff, 0xff00ff, 0x00ffff, 0xffffff},
	"VGA":     {0x000000, 0xaa0000, 0x00aa00, 0xaa5500, 0x0000aa, 0xaa00aa, 0x00aaaa, 0xaaaaaa, 0x555555, 0xff5555, 0x55ff55, 0xffff55, 0x5555ff, 0xff55ff, 0x55ffff, 0xffffff},
	"Windows": {0x0c0c0c, 0xc50f1f, 0x13a10e, 0xc19c00, 0x0037da, 0x881798, 0x3a96dd, 0xcccccc, 0x767676, 0xe74856, 0x16c60c, 0xf9f1a5, 0x3b78ff, 0xb4009e, 0x61d6d6, 0xf2f2f2},
}

// WCAG 2 wants a contrast of 4.5 for text, and of 3 for large text and for what is not text.
// Everything must have 3 with 16 colours, which belong to the terminal. What is disabled, for
// which WCAG wants nothing, must have 2.5.
func TestEverythingCanBeRead(t *testing.T) {
	for _, name := range Names() {
		for _, test := range []struct {
			colors  int
			palette string
			text    float64
		}{{1 << 24, "xterm", 4.5}, {256, "xterm", 4.5}, {16, "xterm", 3}, {16, "VGA", 3}, {16, "Windows", 3}, {8, "xterm", 3}} {
			theme, _ := Named(name)
			s := theme.For(test.colors, true)
			if !s.Colours {
				continue // the colours are the terminal's own
			}
			palette := palettes[test.palette]
			value := func(c tcell.Color) int32 {
				if i := c - tcell.PaletteColor(0); i < 16 {
					return palette[i]
				}
				return c.Hex()
			}
			readable := func(what string, style tcell.Style, want float64) {
				t.Helper()
				fg, bg, _ := style.Decompose()
				a, b := luminance(value(fg))+0.05, luminance(value(bg))+0.05
				if got := max(a, b) / min(a, b); got < want {
					t.Errorf("%s, %d colours of %s, %s: the contrast of #%06x on #%06x is %.2f, want %.1f", name, test.colors, test.palette, what, value(fg), value(bg), got, want)
				}
			}
			for paper := Cell; paper < Idle; paper++ {
				if Given <= paper && paper <= Corner {
					continue
				}
				for ink := Given; ink <= Corner; ink++ {
					readable(fmt.Sprintf("%v on %v", ink, paper), s.On(paper, ink), test.text)
				}
			}
			for r := Text; int(r) < numRoles; r++ {
				if r < Line || Panel <= r && r < Disabled || Idle <= r {
					readable(r.String(), s.Of(r), test.text)
				}
			}
			for _, r := range []Role{Text, Menu, Dialog} {
				readable("disabled on "+r.String(), s.Off(r), 2.5)
			}
			readable("line", s.On(Cell, Line), 1.2)
			for state := Idle; state <= GivenUp; state++ {
				readable(fmt.Sprintf("lines while %v", state), s.Boxes(state), 3)
			}
		}
	}
}

// What is wrong is red and what a hint places is green, on every screen with colours.
func TestWrongIsRedAndTargetGreen(t *testing.T) {
	for _, name := range Names() {
		for _, colors := range []int{1 << 24, 256, 16, 8} {
			theme, _ := Named(name)
			s := theme.For(colors, true)
			if !s.Colours {
				continue
			}
			paper := func(r Role) (red, green, blue float64) {
				_, bg, _ := s.On(r, Entry).Decompose()
				return channels(bg.Hex())
			}
			for _, r := range []Role{Broken, Conflict} {
				if red, green, blue := paper(r); red <= green || red <= blue || max(green, blue)-min(green, blue) > red/4 {
					t.Errorf("%s with %d colours: %v is %v, %v, %v, want red", name, colors, r, red, green, blue)
				}
			}
			if red, green, blue := paper(Target); green <= red || green <= blue {
				t.Errorf("%s with %d colours: target is %v, %v, %v, want green", name, colors, red, green, blue)
			}
		}
	}
}
