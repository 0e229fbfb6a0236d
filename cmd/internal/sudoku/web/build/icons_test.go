package main

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"image"
	"image/color"
	"image/draw"
	"image/png"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// The icons of the manifest have the sizes that it says, and the same pixels on all machines.
func TestIcons(t *testing.T) {
	f := folder{dir: t.TempDir()}
	page := filepath.FromSlash("../page")
	source, err := os.ReadFile(filepath.Join(page, "icon.svg"))
	if err != nil {
		t.Fatal(err)
	}
	if err := f.write("icon.svg", source); err != nil {
		t.Fatal(err)
	}
	if err := f.drawIcons(); err != nil {
		t.Fatal(err)
	}
	drawn := map[string]image.Image{}
	sums := sha256.New()
	for _, i := range icons {
		file, err := os.Open(filepath.Join(f.dir, i.name))
		if err != nil {
			t.Fatal(err)
		}
		img, err := png.Decode(file)
		file.Close()
		if err != nil || img.Bounds().Dx() != i.size {
			t.Fatalf("%s: %v, %v", i.name, img.Bounds(), err)
		}
		pixels := image.NewNRGBA(img.Bounds())
		draw.Draw(pixels, pixels.Rect, img, image.Point{}, draw.Src)
		drawn[i.name] = pixels
		sums.Write(pixels.Pix)
	}
	const want = "a3417f44312610e4"
	if got := hex.EncodeToString(sums.Sum(nil)[:8]); got != want {
		t.Errorf("the pixels have the sum %s, want %s: if icon.svg is another one, look at the icons", got, want)
	}
	ground := color.NRGBA{0x2f, 0x50, 0xcf, 255}
	for name, want := range map[string]color.NRGBA{"icon-180.png": ground, "maskable-512.png": ground, "icon-192.png": {}, "icon-512.png": {}} {
		if got := drawn[name].At(0, 0); got != want {
			t.Errorf("%s: the corner is %v, want %v", name, got, want)
		}
	}
	if got, want := drawn["icon-512.png"].At(215, 215), (color.NRGBA{0xff, 0xd7, 0x5e, 255}); got != want {
		t.Errorf("the middle is %v, want %v", got, want)
	}

	text, err := os.ReadFile(filepath.Join(page, "manifest.webmanifest"))
	if err != nil {
		t.Fatal(err)
	}
	var manifest struct {
		Icons []struct{ Src, Sizes, Type string }
	}
	if err := json.Unmarshal(text, &manifest); err != nil {
		t.Fatal(err)
	}
	for _, i := range manifest.Icons {
		if size := strings.TrimSuffix(i.Src[strings.Index(i.Src, "-")+1:], ".png"); i.Type == "image/png" && (drawn[i.Src] == nil || i.Sizes != size+"x"+size) {
			t.Errorf("the manifest has %+v, which is not drawn", i)
		}
	}
}

func TestIconsThatCannotBeDrawn(t *testing.T) {
	for _, source := range []string{
		`<svg/>`, `<svg><circle/></svg>`, `<svg><rect x="a"/></svg>`, `<svg><rect x="1" y="1" width="1" height="1" rx="0.0001"/></svg>`,
		`<svg><rect x="1" y="1" width="1" height="1" rx="0" fill="red"/></svg>`, `<svg><path d="M 1" stroke-width="1"/></svg>`, `<svg><path d="C 1 2" stroke-width="1"/></svg>`, `<`,
	} {
		if _, err := readSVG([]byte(source)); err == nil {
			t.Errorf("%s is drawn", source)
		}
	}
}
