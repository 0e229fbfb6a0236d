package raster

import (
	"bytes"
	"image/color"
	"image/png"
	"strings"
	"testing"

	"github.com/scxmlrun/scxmlrun/scxml"
	"github.com/scxmlrun/scxmlrun/scxml/diagram"
)

const chart = `<scxml xmlns="http://www.w3.org/2005/07/scxml" version="1.0" name="all">
  <parallel id="p"><state id="a"><onentry><send event="e" delay="1s"/></onentry></state>
    <state id="b"><history id="h" type="deep"><transition target="c"/></history><state id="c"><transition event="e" cond="x" target="c"/></state></state>
    <transition event="f" target="end"/></parallel>
  <final id="end"/>
</scxml>`

func layout(t *testing.T, source string) *diagram.Layout {
	t.Helper()
	c, err := scxml.Parse("chart.scxml", []byte(source))
	if err != nil {
		t.Fatal(err)
	}
	l, err := diagram.New(c).Layout(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return l
}

// A PNG has the size of the layout and the colours of the theme where the layout has the shapes.
func TestWritePNG(t *testing.T) {
	l := layout(t, chart)
	var b, again bytes.Buffer
	opts := Options{Theme: diagram.Dark, Scale: 3, Marks: map[string]diagram.Mark{"end": diagram.Active}}
	if err := WritePNG(&b, l, opts); err != nil {
		t.Fatal(err)
	}
	if err := WritePNG(&again, l, opts); err != nil || !bytes.Equal(b.Bytes(), again.Bytes()) {
		t.Errorf("the second picture is another: %v", err)
	}
	m, err := png.Decode(&b)
	if err != nil {
		t.Fatal(err)
	}
	if size := m.Bounds().Size(); size.X != 3*l.Width || size.Y != 3*l.Height {
		t.Errorf("got %v, want 3 times %d by %d", size, l.Width, l.Height)
	}
	end := l.Boxes[len(l.Boxes)-1]
	for _, c := range []struct {
		what string
		x, y int
		want color.RGBA
	}{
		{"paper", 1, 1, colour(diagram.Dark.Paint("paper", diagram.Plain).Fill)},
		{"state", end.X + 8, end.Y + 8, colour(diagram.Dark.Paint("box", diagram.Active).Fill)},
		{"border", end.X + end.W/3, end.Y, colour(diagram.Dark.Paint("box", diagram.Active).Stroke)},
	} {
		if got := color.RGBAModel.Convert(m.At(3*c.x, 3*c.y)); got != c.want {
			t.Errorf("%s: got %v, want %v", c.what, got, c.want)
		}
	}
}

// A picture that is too large is refused before it takes memory.
func TestTooLarge(t *testing.T) {
	source := `<scxml xmlns="http://www.w3.org/2005/07/scxml" version="1.0">` + strings.Repeat(`<state><state/></state>`, 2400) + `</scxml>`
	_, err := Draw(layout(t, source), Options{Scale: 4})
	if err == nil || !strings.Contains(err.Error(), "is too large: want at most 100000000 pixels") {
		t.Errorf("got %v", err)
	}
	if _, err := Draw(layout(t, chart), Options{Scale: 5}); err == nil || err.Error() != "raster: 5 is not a scale: want 1 to 4" {
		t.Errorf("got %v", err)
	}
}
