package film

import (
	"bytes"
	"encoding/json"
	"fmt"
	"image"
	"image/color"
	"image/draw"
	"image/gif"
	"image/png"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

var (
	light = color.RGBA{230, 230, 230, 255}
	dark  = color.RGBA{20, 20, 40, 255}
	start = time.Date(2026, 1, 1, 12, 0, 0, 0, time.UTC)
)

// frame returns a frame with lines of text.
func frame(lines ...string) Frame {
	f := Frame{Height: len(lines)}
	for _, line := range lines {
		f.Width = max(f.Width, len([]rune(line)))
	}
	for _, line := range lines {
		runes := []rune(line + strings.Repeat(" ", f.Width))
		for _, r := range runes[:f.Width] {
			f.Cells = append(f.Cells, Cell{Text: string(r), Ink: light, Paper: dark})
		}
	}
	return f
}

// A shot is a frame at a time in seconds.
type shot struct {
	at float64
	Frame
}

// filmed makes a film and returns its content.
func filmed(t *testing.T, name string, shots ...shot) []byte {
	t.Helper()
	name = filepath.Join(t.TempDir(), name)
	f, err := Create(name)
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range shots {
		if err := f.Add(start.Add(time.Duration(s.at*float64(time.Second))), s.Frame); err != nil {
			t.Fatal(err)
		}
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	content, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return content
}

func TestPictureIsTheLastFrame(t *testing.T) {
	content := filmed(t, "game.png", shot{0, frame("ab")}, shot{1, frame("cde", "fgh")})
	p, err := png.Decode(bytes.NewReader(content))
	if err != nil {
		t.Fatal(err)
	}
	if got := p.Bounds().Size(); got != image.Pt(3*cellWidth, 2*cellHeight) {
		t.Errorf("the picture is %v", got)
	}
	if again := filmed(t, "game.png", shot{0, frame("cde", "fgh")}); !bytes.Equal(again, content) {
		t.Error("the same frame gives another picture")
	}
}

func TestNumberedPictures(t *testing.T) {
	dir := t.TempDir()
	f, err := Create(filepath.Join(dir, "a-%02d.PNG"))
	if err != nil {
		t.Fatal(err)
	}
	for i, text := range []string{"a", "a", "b"} {
		f.Add(start.Add(time.Duration(i)*time.Second), frame(text))
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	files, _ := os.ReadDir(dir)
	if got := fmt.Sprint(files); got != "[- a-01.PNG - a-02.PNG]" {
		t.Error(got)
	}
}

func TestAnimation(t *testing.T) {
	content := filmed(t, "game.gif",
		shot{0, frame("ab", "cd")}, shot{0.5, frame("ab", "cx")}, shot{0.7, frame("ab", "cx")}, // nothing new
		shot{1, frame("ab", "xx")}, shot{1.02, frame("yb", "xx")}, // one frame
		shot{60, frame("zb", "xx")}, shot{60.1, frame("zb", "xx", "zz")}) // a larger one
	g, err := gif.DecodeAll(bytes.NewReader(content))
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for i, p := range g.Image {
		r := p.Bounds()
		got = append(got, fmt.Sprintf("%d,%d-%d,%d %d", r.Min.X/cellWidth, r.Min.Y/cellHeight, r.Max.X/cellWidth, r.Max.Y/cellHeight, g.Delay[i]))
	}
	if want := "0,0-2,2 50; 1,1-2,2 50; 0,0-1,2 200; 0,0-1,1 10; 0,0-2,3 400"; strings.Join(got, "; ") != want {
		t.Errorf("%s\nwant %s", strings.Join(got, "; "), want)
	}
	// What the frames show one on top of the other is the last one.
	canvas := image.NewRGBA(image.Rect(0, 0, g.Config.Width, g.Config.Height))
	for _, p := range g.Image {
		draw.Draw(canvas, p.Rect, p, p.Rect.Min, draw.Over)
	}
	p, end := newPainter(4), frame("zb", "xx", "zz")
	p.paint(&end, image.Rect(0, 0, 2, 3))
	if !bytes.Equal(canvas.Pix, p.image.Pix) {
		t.Error("the animation ends with another picture")
	}
	if g.Config.Width != 2*cellWidth || g.Config.Height != 3*cellHeight {
		t.Errorf("the animation is %d x %d", g.Config.Width, g.Config.Height)
	}
}

// A GIF has 256 colours for each frame: rare ones become similar ones.
func TestAnimationReducesColours(t *testing.T) {
	f := frame(strings.Repeat("█", 60), strings.Repeat(" ", 60), strings.Repeat("▀", 60), strings.Repeat("▄", 60), strings.Repeat("▌", 60))
	for i := range f.Cells {
		f.Cells[i].Ink, f.Cells[i].Paper = color.RGBA{uint8(i), uint8(i / 2), 0, 255}, color.RGBA{uint8(i), uint8(i/2 + 1), 0, 255}
	}
	g, err := gif.DecodeAll(bytes.NewReader(filmed(t, "game.gif", shot{0, f})))
	if err != nil {
		t.Fatal(err)
	}
	p := newPainter(4)
	p.paint(&f, image.Rect(0, 0, f.Width, f.Height))
	for y := range f.Height * cellHeight {
		for x := range f.Width * cellWidth {
			want := p.image.RGBAAt(x, y)
			r, g, b, _ := g.Image[0].At(x, y).RGBA()
			if d := max(int(r>>8)-int(want.R), int(want.R)-int(r>>8), int(g>>8)-int(want.G), int(want.G)-int(g>>8), int(b>>8)); d > 4 {
				t.Fatalf("pixel %d,%d is %d away from its colour", x, y, d)
			}
		}
	}
}

func TestRecording(t *testing.T) {
	second := frame("ab", "ex")
	second.Cells[3].Bold = true
	content := filmed(t, "game.cast", shot{0, frame("ab", "cd")}, shot{1.5, second}, shot{2, frame("abc")})
	const colors = "38;2;230;230;230;48;2;20;20;40m"
	var lines []string
	for line := range strings.Lines(string(content)) {
		var value any
		if err := json.Unmarshal([]byte(line), &value); err != nil {
			t.Fatalf("%v: %s", err, line)
		}
		if event, ok := value.([]any); ok {
			line = fmt.Sprintf("%v %v %q", event[0], event[1], event[2])
		}
		lines = append(lines, strings.ReplaceAll(strings.TrimSpace(line), colors, "C"))
	}
	want := []string{
		`{"height":2,"title":"Sudoku","version":2,"width":2}`,
		`0 o "\x1b[?25l\x1b[0m\x1b[2J\x1b[1;1H\x1b[0;Cab\x1b[2;1Hcd"`,
		`1.5 o "\x1b[2;1H\x1b[0;Ce\x1b[0;1;Cx"`,
		`2 r "3x1"`,
		`2 o "\x1b[0m\x1b[2J\x1b[1;1H\x1b[0;Cabc"`,
		`2 o "\x1b[0m\x1b[?25h"`,
	}
	if got := strings.Join(lines, "\n"); got != strings.Join(want, "\n") {
		t.Errorf("%s\nwant\n%s", got, strings.Join(want, "\n"))
	}
}

func TestRecordingKeepsWideCharacters(t *testing.T) {
	wide := frame("数 b")
	wide.Cells[1].Text = ""
	content := string(filmed(t, "game.cast", shot{0, wide}))
	if !strings.Contains(content, "m数b") {
		t.Error(content)
	}
}

// An older file stays until the film is complete.
func TestFilmIsAtomic(t *testing.T) {
	name := filepath.Join(t.TempDir(), "game.cast")
	if err := os.WriteFile(name, []byte("old"), 0o600); err != nil {
		t.Fatal(err)
	}
	f, err := Create(name)
	if err != nil {
		t.Fatal(err)
	}
	f.Add(start, frame("a"))
	if got, _ := os.ReadFile(name); string(got) != "old" {
		t.Errorf("the file has %q", got)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	if got, _ := os.ReadFile(name); !strings.HasPrefix(string(got), "{") {
		t.Errorf("the file has %q", got)
	}
}

func TestFilmWithoutFrames(t *testing.T) {
	for _, name := range []string{"a.png", "a-%d.png", "a.gif", "a.cast"} {
		dir := t.TempDir()
		f, err := Create(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		if err := f.Close(); err == nil || !strings.Contains(err.Error(), "nothing was shown") {
			t.Errorf("%s: %v", name, err)
		}
		if files, _ := os.ReadDir(dir); len(files) > 0 {
			t.Errorf("%s: there is %v", name, files)
		}
	}
}

func TestCreateRefusesNames(t *testing.T) {
	for name, want := range map[string]string{
		"game": "want one that ends in", "game.mp4": "want one that ends in", "nowhere/game.gif": "does not exist",
		"a%s.png": "%03d", "%d%d.png": "%03d", "nowhere/%d.png": "does not exist",
	} {
		if f, err := Create(name); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, %v", name, f, err)
		}
	}
}

// A film that becomes too long or too large has what came before.
func TestFilmIsBounded(t *testing.T) {
	name := filepath.Join(t.TempDir(), "game.cast")
	f, err := Create(name)
	if err != nil {
		t.Fatal(err)
	}
	f.Add(start, frame("a"))
	f.Add(start, Frame{Width: maxCells, Height: 2, Cells: make([]Cell, 2*maxCells)})
	if err := f.Close(); err == nil || !strings.Contains(err.Error(), "too large") {
		t.Error(err)
	}
	if content, _ := os.ReadFile(name); strings.Count(string(content), "\n") != 3 {
		t.Errorf("the film is %q", content)
	}
	if f, err = Create(name); err != nil {
		t.Fatal(err)
	}
	for i := range maxFrames + 10 {
		f.Add(start, frame([]string{"a", "b"}[i%2]))
	}
	if err := f.Close(); err == nil || !strings.Contains(err.Error(), "full") {
		t.Error(err)
	}
	if content, _ := os.ReadFile(name); strings.Count(string(content), "\n") != maxFrames+2 {
		t.Errorf("the film has %d lines", strings.Count(string(content), "\n"))
	}
}

// Lines reach the edges of their cells on the sides where they have arms, and no others.
func TestLinesMeet(t *testing.T) {
	for i := range 128 {
		p, kinds := newPainter(4), arms[5*i:][:4]
		f := frame(string(rune(0x2500 + i)))
		p.paint(&f, image.Rect(0, 0, 1, 1))
		for side, edge := range []image.Rectangle{
			image.Rect(0, 0, 1, cellHeight), image.Rect(cellWidth-1, 0, cellWidth, cellHeight), // left, right
			image.Rect(0, 0, cellWidth, 1), image.Rect(0, cellHeight-1, cellWidth, cellHeight), // up, down
		} {
			got := ""
			for y := edge.Min.Y; y < edge.Max.Y; y++ {
				for x := edge.Min.X; x < edge.Max.X; x++ {
					if p.image.RGBAAt(x, y) == light {
						got += "#"
					} else {
						got += "."
					}
				}
			}
			if want := [...]string{"", "##", "####", "##..##"}[kinds[side]-'0']; kinds != "0000" && strings.Trim(got, ".") != want {
				t.Errorf("%c: side %d is %s, want %q", 0x2500+i, side, got, want)
			}
		}
	}
}

// Blocks and Braille cover as much of their cell as their names say.
func TestBlocksCoverTheirPart(t *testing.T) {
	for r, want := range map[rune]int{
		'▀': 50, '▄': 50, '█': 100, '▌': 50, '▐': 50, '▂': 25, '▖': 25, '▙': 75, '▚': 50, '▟': 75, '▎': 20, '⠁': 2, '⣿': 16, ' ': 0,
	} {
		p, f, n := newPainter(4), frame(string(r)), 0
		p.paint(&f, image.Rect(0, 0, 1, 1))
		for i := range cellWidth * cellHeight {
			if p.image.RGBAAt(i%cellWidth, i/cellWidth) == light {
				n++
			}
		}
		if got := n * 100 / (cellWidth * cellHeight); got != want {
			t.Errorf("%c covers %d %%, want %d", r, got, want)
		}
	}
}
