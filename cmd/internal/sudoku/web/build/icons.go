package main

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// icons are the pictures that are drawn from icon.svg, for systems that want pixels. A system that
// cuts out a shape gets the colour of the first rectangle up to the edges, and what is within the
// circle that it never cuts off.
var icons = []struct {
	name    string
	size    int // pixels
	edges   bool
	percent int // of the size that the drawing has
}{
	{"icon-180.png", 180, true, 100}, // iOS rounds the corners
	{"icon-192.png", 192, false, 100},
	{"icon-512.png", 512, false, 100},
	{"maskable-512.png", 512, true, 80},
}

// drawIcons draws the icons.
func (f *folder) drawIcons() error {
	source, err := os.ReadFile(filepath.Join(f.dir, "icon.svg"))
	if err != nil {
		return err
	}
	shapes, err := readSVG(source)
	if err != nil {
		return fmt.Errorf("cannot draw icon.svg: %w", err)
	}
	for _, i := range icons {
		var content bytes.Buffer
		if err := png.Encode(&content, drawIcon(shapes, i.size, i.edges, i.percent)); err != nil {
			return err
		}
		if err := f.write(i.name, content.Bytes()); err != nil {
			return err
		}
	}
	return nil
}

// Coordinates are whole numbers, so that all machines draw the same: thousandths of the units of the
// drawing, which has 96 by 96.
const (
	unit     = 1000
	iconSide = 96 * unit
	samples  = 4 // of a pixel in each direction
)

// A shape is filled, or is a line.
type shape struct {
	colour color.NRGBA
	box    image.Rectangle // with the thickness of the line
	covers func(x, y int) bool
}

// readSVG reads rectangles with round corners, and lines of segments and parabolas with round ends.
func readSVG(source []byte) (shapes []shape, err error) {
	var svg struct {
		Shapes []struct {
			XMLName xml.Name
			X       string `xml:"x,attr"`
			Y       string `xml:"y,attr"`
			Width   string `xml:"width,attr"`
			Height  string `xml:"height,attr"`
			Radius  string `xml:"rx,attr"`
			Fill    string `xml:"fill,attr"`
			Path    string `xml:"d,attr"`
			Stroke  string `xml:"stroke,attr"`
			Thick   string `xml:"stroke-width,attr"`
		} `xml:",any"`
	}
	if err := xml.Unmarshal(source, &svg); err != nil {
		return nil, err
	}
	for _, s := range svg.Shapes {
		var one shape
		switch s.XMLName.Local {
		case "rect":
			n, err := numbers(s.X, s.Y, s.Width, s.Height, s.Radius)
			if err != nil {
				return nil, err
			}
			one = rounded(image.Rect(n[0], n[1], n[0]+n[2], n[1]+n[3]), n[4])
			one.colour, err = colour(s.Fill)
			if err != nil {
				return nil, err
			}
		case "path":
			thick, err := numbers(s.Thick)
			if err != nil {
				return nil, err
			}
			lines, err := segments(s.Path)
			if err != nil {
				return nil, err
			}
			one = stroked(lines, thick[0]/2)
			if one.colour, err = colour(s.Stroke); err != nil {
				return nil, err
			}
		default:
			return nil, fmt.Errorf("%q is not a shape: want rect or path", s.XMLName.Local)
		}
		shapes = append(shapes, one)
	}
	if len(shapes) == 0 {
		return nil, fmt.Errorf("there are no shapes")
	}
	return shapes, nil
}

// numbers returns coordinates.
func numbers(texts ...string) (all []int, err error) {
	for _, text := range texts {
		whole, rest, _ := strings.Cut(text, ".")
		n, err := strconv.Atoi(whole + (rest + "000")[:3])
		if err != nil || len(rest) > 3 {
			return nil, fmt.Errorf("%q is not a number: want at most 3 decimals", text)
		}
		all = append(all, n)
	}
	return all, nil
}

// colour returns that of a text such as "#2f50cf".
func colour(text string) (color.NRGBA, error) {
	n, err := strconv.ParseUint(strings.TrimPrefix(text, "#"), 16, 32)
	if err != nil || len(text) != 7 {
		return color.NRGBA{}, fmt.Errorf("%q is not a colour: want one like #2f50cf", text)
	}
	return color.NRGBA{uint8(n >> 16), uint8(n >> 8), uint8(n), 255}, nil
}

// segments returns the segments of a path whose commands are M, L and Q, each with its coordinates.
func segments(path string) (lines [][2]image.Point, err error) {
	words := strings.Fields(path)
	var at image.Point
	for len(words) > 0 {
		command := words[0]
		count := map[string]int{"M": 2, "L": 2, "Q": 4}[command]
		if count == 0 || len(words) <= count {
			return nil, fmt.Errorf("%q is not a command of a path: want M, L or Q with coordinates", command)
		}
		n, err := numbers(words[1 : count+1]...)
		if err != nil {
			return nil, err
		}
		words = words[count+1:]
		to := image.Pt(n[count-2], n[count-1])
		switch command {
		case "L":
			lines = append(lines, [2]image.Point{at, to})
		case "Q":
			const steps = 16
			by, from, before := image.Pt(n[0], n[1]), at, at
			for t := 1; t <= steps; t++ {
				next := from.Mul((steps - t) * (steps - t)).Add(by.Mul(2 * t * (steps - t))).Add(to.Mul(t * t)).Div(steps * steps)
				lines, before = append(lines, [2]image.Point{before, next}), next
			}
		}
		at = to
	}
	return lines, nil
}

// rounded returns a rectangle with round corners.
func rounded(r image.Rectangle, radius int) shape {
	inner := r.Inset(radius)
	return shape{box: r, covers: func(x, y int) bool {
		d := image.Pt(max(inner.Min.X-x, x-inner.Max.X, 0), max(inner.Min.Y-y, y-inner.Max.Y, 0))
		return dot(d, d) <= int64(radius)*int64(radius)
	}}
}

// stroked returns a line around segments.
func stroked(lines [][2]image.Point, radius int) shape {
	var box image.Rectangle
	for _, l := range lines {
		box = box.Union(image.Rectangle{l[0], l[1]}.Canon().Inset(-radius))
	}
	r := int64(radius)
	return shape{box: box, covers: func(x, y int) bool {
		for _, l := range lines {
			along, to := l[1].Sub(l[0]), image.Pt(x, y).Sub(l[0])
			length, far := dot(along, along), dot(along, to)
			switch cross := int64(along.X)*int64(to.Y) - int64(along.Y)*int64(to.X); {
			case far <= 0:
				if dot(to, to) <= r*r {
					return true
				}
			case far >= length:
				if to = to.Sub(along); dot(to, to) <= r*r {
					return true
				}
			case cross/r*cross <= length*r: // cross²/length is the square of the distance
				return true
			}
		}
		return false
	}}
}

// dot returns the scalar product of two vectors, for which an int can be too small.
func dot(a, b image.Point) int64 { return int64(a.X)*int64(b.X) + int64(a.Y)*int64(b.Y) }

// drawIcon draws shapes.
func drawIcon(shapes []shape, size int, edges bool, percent int) image.Image {
	img := image.NewNRGBA(image.Rect(0, 0, size, size))
	colourAt := func(x, y int) (c color.NRGBA) {
		if edges {
			c = shapes[0].colour
		}
		for _, s := range shapes {
			if image.Pt(x, y).In(s.box) && s.covers(x, y) {
				c = s.colour
			}
		}
		return c
	}
	place := func(sample int) int { // where a sample is on the drawing
		return ((2*sample+1)*iconSide/(2*samples*size)-iconSide/2)*100/percent + iconSide/2
	}
	for py := range size {
		for px := range size {
			var r, g, b, a int
			for i := range samples * samples {
				c := colourAt(place(px*samples+i%samples), place(py*samples+i/samples))
				if c.A > 0 {
					r, g, b, a = r+int(c.R), g+int(c.G), b+int(c.B), a+1
				}
			}
			if a > 0 {
				img.SetNRGBA(px, py, color.NRGBA{uint8(r / a), uint8(g / a), uint8(b / a), uint8(a * 255 / (samples * samples))})
			}
		}
	}
	return img
}
