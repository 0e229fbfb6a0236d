package theme

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/gdamore/tcell/v2"
)

type colorKind uint8

const (
	unset colorKind = iota
	plain           // of the terminal
	palette
	rgb
)

// A color is a color of a theme.
type color struct {
	kind  colorKind
	value int32 // 0xrrggbb, or an index of the palette
	index int32 // of a palette of 256 colours, for rgb; 0: the nearest
}

var paletteNames = []string{"black", "red", "green", "yellow", "blue", "magenta", "cyan", "white"}

// parseColor reads a color: "#1a2b3c", "#1a2b3c/236", "bright-red" or "default".
func parseColor(s string) (color, error) {
	if s == "default" {
		return color{kind: plain}, nil
	}
	name, bright := strings.CutPrefix(s, "bright-")
	if i := slices.Index(paletteNames, name); i >= 0 {
		if bright {
			i += 8
		}
		return color{kind: palette, value: int32(i)}, nil
	}
	hex, number, indexed := strings.Cut(s, "/")
	digits, ok := strings.CutPrefix(hex, "#")
	value, err := strconv.ParseUint(digits, 16, 24)
	if !ok || len(digits) != 6 || err != nil {
		return color{}, fmt.Errorf("%q is not a color: want #rrggbb, default, or one of %s, if you like with bright- before it", s, strings.Join(paletteNames, ", "))
	}
	c := color{kind: rgb, value: int32(value)}
	if indexed {
		index, err := strconv.Atoi(number)
		if err != nil || index < 16 || index > 255 {
			return color{}, fmt.Errorf("%q is not one of 256 colors: want a number from 16 to 255 after the slash", s)
		}
		c.index = int32(index)
	}
	return c, nil
}

// on returns the color on a terminal with that many colours.
func (c color) on(colors int) tcell.Color {
	switch {
	case c.kind == palette && colors < 16:
		return tcell.PaletteColor(int(c.value % 8))
	case c.kind == palette:
		return tcell.PaletteColor(int(c.value))
	case c.kind == rgb && colors > 256:
		return tcell.NewHexColor(c.value)
	case c.kind == rgb && c.index != 0:
		return tcell.PaletteColor(int(c.index))
	case c.kind == rgb:
		return tcell.PaletteColor(nearest(c.value))
	}
	return tcell.ColorDefault
}

// nearest returns the color that looks most like value among those of a palette of 256
// that are the same on all terminals, 16 to 255.
func nearest(value int32) int {
	best, distance := 0, math.Inf(1)
	for i := 16; i < 256; i++ {
		// Weighted by the mean red, as the eye sees it: a good and cheap measure.
		other := tcell.PaletteColor(i).Hex()
		r1, g1, b1 := channels(value)
		r2, g2, b2 := channels(other)
		red := (r1 + r2) / 2
		d := (2+red/256)*(r1-r2)*(r1-r2) + 4*(g1-g2)*(g1-g2) + (2+(255-red)/256)*(b1-b2)*(b1-b2)
		if d < distance {
			best, distance = i, d
		}
	}
	return best
}

func channels(value int32) (r, g, b float64) {
	return float64(value >> 16), float64(value >> 8 & 0xff), float64(value & 0xff)
}

// luminance returns the relative luminance of WCAG 2, from 0 to 1.
func luminance(value int32) float64 {
	linear := func(channel float64) float64 {
		if channel /= 255; channel <= 0.04045 {
			return channel / 12.92
		} else {
			return math.Pow((channel+0.055)/1.055, 2.4)
		}
	}
	r, g, b := channels(value)
	return 0.2126*linear(r) + 0.7152*linear(g) + 0.0722*linear(b)
}

// mix returns a color between two.
func mix(from, to tcell.Color, part float64) tcell.Color {
	r1, g1, b1 := channels(from.Hex())
	r2, g2, b2 := channels(to.Hex())
	between := func(a, b float64) int32 { return int32(a + (b-a)*part + 0.5) }
	return tcell.NewRGBColor(between(r1, r2), between(g1, g2), between(b1, b2))
}
