package diagram

import (
	"math"
	"strconv"
	"strings"
	"testing"
)

// All texts can be read on what is under them: WCAG 2.1 wants a contrast of 4.5 for texts, and of 3 for
// borders and lines.
func TestContrast(t *testing.T) {
	for theme, name := range map[Theme]string{Light: "light", Dark: "dark", Print: "print"} {
		for m := Plain; m <= Active; m++ {
			for _, under := range []string{"paper", "frame", "box"} {
				ground := theme.Paint(under, m).Fill
				for _, class := range []string{"title", "name", "note", eventClass, condClass, actionClass, wordClass} {
					if c := contrast(theme.Paint(class, m).Fill, ground); c < 4.5 {
						t.Errorf("%s: %s with the mark %q on %s has a contrast of %.1f", name, class, m, under, c)
					}
				}
				for _, class := range []string{"edge", "box", "frame"} {
					if c := contrast(theme.Paint(class, m).Stroke, ground); c < 3 {
						t.Errorf("%s: the line of %s with the mark %q on %s has a contrast of %.1f", name, class, m, under, c)
					}
				}
			}
		}
	}
}

// contrast returns the contrast ratio of two colours.
func contrast(a, b string) float64 {
	x, y := luminance(a), luminance(b)
	return (max(x, y) + 0.05) / (min(x, y) + 0.05)
}

func luminance(colour string) float64 {
	sum := 0.0
	for i, weight := range []float64{0.2126, 0.7152, 0.0722} {
		n, err := strconv.ParseUint(colour[1+2*i:3+2*i], 16, 8)
		if err != nil {
			panic(err)
		}
		c := float64(n) / 255
		if c <= 0.04045 {
			c /= 12.92
		} else {
			c = math.Pow((c+0.055)/1.055, 2.4)
		}
		sum += weight * c
	}
	return sum
}

// A picture without a style sheet has no style at all, and the sheet knows all of its classes: a page with
// the content security policy default-src 'self' shows it as it should be.
func TestCSSIsComplete(t *testing.T) {
	picture := svg(t, laidOut(t, parse(t, doorChart)), SVGOptions{NoStyle: true, Marks: map[string]Mark{"open": Active}})
	if strings.Contains(picture, "style") {
		t.Error("the picture has a style")
	}
	css := Auto.CSS()
	for i, part := range strings.Split(picture, ` class="`) {
		class, _, _ := strings.Cut(part, `"`)
		if i > 0 && class != "chart" && !strings.HasPrefix(class, "node") && !strings.HasPrefix(class, "transition") && !strings.Contains(css, "."+class+"{") {
			t.Errorf("the style sheet does not know %q", class)
		}
	}
}
