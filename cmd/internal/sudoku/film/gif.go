package film

import (
	"bufio"
	"cmp"
	"image"
	"image/color"
	"image/gif"
	"maps"
	"slices"
	"time"

	"github.com/scxmlrun/scxmlrun/cmd/internal/durable"
)

const (
	shortest = 30 * time.Millisecond // faster changes are one frame; players do not show them
	longest  = 2 * time.Second       // of a frame, but the last
	lastLong = 4 * time.Second
	maxBytes = 200 << 20 // of the pixels of all frames
)

// An animation has of each frame only what it changes.
type animation struct {
	*painter
	out    *durable.Replacement
	gif    gif.GIF
	before *image.RGBA   // the picture before the last frame
	begin  time.Duration // of the last frame, when it was added
	shown  time.Duration // and in the animation
	bytes  int
}

func newGIF(name string) (form, error) {
	out, err := durable.Replace(name, 0o666)
	return &animation{painter: newPainter(4), out: out}, err
}

func (a *animation) add(at time.Duration, f *Frame, area image.Rectangle) error {
	last := len(a.gif.Image) - 1
	instead := last >= 0 && at-a.begin < shortest // of the last frame
	if !instead {
		a.before = image.NewRGBA(a.image.Rect)
		copy(a.before.Pix, a.image.Pix)
	}
	pixels := a.paint(f, area)
	if a.image.Rect != a.before.Rect {
		pixels = a.image.Rect
	}
	if a.bytes+pixels.Dx()*pixels.Dy() > maxBytes {
		return errFull
	}
	switch {
	case instead:
		pixels = pixels.Union(a.gif.Image[last].Rect)
		a.bytes -= len(a.gif.Image[last].Pix)
		a.gif.Image, a.gif.Delay = a.gif.Image[:last], a.gif.Delay[:last]
	case last >= 0:
		a.delay(min(at-a.begin, longest))
		a.begin = at
	}
	a.bytes += pixels.Dx() * pixels.Dy()
	a.gif.Image = append(a.gif.Image, paletted(a.image, a.before, pixels))
	a.gif.Delay = append(a.gif.Delay, 0)
	return nil
}

// delay sets how long the last frame is shown, so that roundings do not add up.
func (a *animation) delay(d time.Duration) {
	const unit = time.Second / 100
	end := a.shown + d
	a.gif.Delay[len(a.gif.Delay)-1] = int((end.Round(unit) - a.shown.Round(unit)) / unit)
	a.shown = end
}

func (a *animation) close(time.Duration) error {
	a.delay(lastLong)
	a.gif.Config.Width, a.gif.Config.Height = a.image.Bounds().Dx(), a.image.Bounds().Dy()
	w := bufio.NewWriter(a.out)
	if err := cmp.Or(gif.EncodeAll(w, &a.gif), w.Flush()); err != nil {
		a.out.Discard()
		return err
	}
	return a.out.Commit()
}

func (a *animation) discard() { a.out.Discard() }

// paletted returns a part of a picture with at most 256 colours, of which the first is
// transparent: it is that of the pixels that are as before.
func paletted(picture, before *image.RGBA, part image.Rectangle) *image.Paletted {
	var clear color.RGBA
	at := func(x, y int) color.RGBA {
		c := picture.RGBAAt(x, y)
		if before.Rect == picture.Rect && before.RGBAAt(x, y) == c {
			return clear
		}
		return c
	}
	count := map[color.RGBA]int{}
	for y := part.Min.Y; y < part.Max.Y; y++ {
		for x := part.Min.X; x < part.Max.X; x++ {
			count[at(x, y)]++
		}
	}
	delete(count, clear)
	order := slices.SortedFunc(maps.Keys(count), func(a, b color.RGBA) int {
		return cmp.Or(cmp.Compare(count[b], count[a]), cmp.Compare(a.R, b.R), cmp.Compare(a.G, b.G), cmp.Compare(a.B, b.B))
	})
	p := image.NewPaletted(part, append(color.Palette{clear}, palette(order)...))
	index := map[color.RGBA]uint8{clear: 0}
	for _, c := range order {
		index[c] = uint8(1 + p.Palette[1:].Index(c))
	}
	for y := part.Min.Y; y < part.Max.Y; y++ {
		for x := part.Min.X; x < part.Max.X; x++ {
			p.SetColorIndex(x, y, index[at(x, y)])
		}
	}
	return p
}

// palette returns at most 255 of the colours, the first of which are the most frequent: if
// there are more, the first half, and then those that are farthest from what there is.
func palette(colours []color.RGBA) (p color.Palette) {
	const most = 255
	n := len(colours)
	if n > most {
		n = most / 2
	}
	for _, c := range colours[:n] {
		p = append(p, c)
	}
	rest := colours[n:]
	away := make([]int, len(rest)) // from the nearest colour of p
	for i, c := range rest {
		away[i] = distance(c, p[p.Index(c)].(color.RGBA))
	}
	for len(rest) > 0 && len(p) < most {
		farthest := rest[slices.Index(away, slices.Max(away))]
		p = append(p, farthest)
		for i, c := range rest {
			away[i] = min(away[i], distance(c, farthest))
		}
	}
	return p
}

func distance(a, b color.RGBA) int {
	r, g, blue := int(a.R)-int(b.R), int(a.G)-int(b.G), int(a.B)-int(b.B)
	return r*r + g*g + blue*blue
}
