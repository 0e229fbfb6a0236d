package browsertest

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"image"
	"image/draw"
	"image/png"
	"strings"
	"testing"

	"github.com/chromedp/chromedp/kb"

	"github.com/scxmlrun/scxmlrun/examples/sudoku/format"
	"github.com/scxmlrun/scxmlrun/examples/sudoku/picture"
)

// cutOff returns a picture of a puzzle that lacks a part of the first column, so that its cells are in
// doubt.
func cutOff(t *testing.T) []byte {
	t.Helper()
	var file bytes.Buffer
	for g, err := range format.Read("", strings.NewReader("53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79\n")) {
		if err != nil {
			t.Fatal(err)
		}
		if err := picture.PNG(&file, &g, 3, picture.White); err != nil {
			t.Fatal(err)
		}
	}
	img, err := png.Decode(&file)
	if err != nil {
		t.Fatal(err)
	}
	b := img.Bounds()
	whole := image.NewRGBA(image.Rect(0, 0, b.Dx(), b.Dy()+100))
	draw.Draw(whole, whole.Rect, image.White, image.Point{}, draw.Src)
	draw.Draw(whole, b.Add(image.Pt(-b.Dx()*36/930, 50)), img, b.Min, draw.Src)
	file.Reset()
	if err := png.Encode(&file, whole); err != nil {
		t.Fatal(err)
	}
	return file.Bytes()
}

// paste pastes a file.
func (p *tab) paste(name, media string, content []byte) {
	p.t.Helper()
	js[any](p, fmt.Sprintf(`(() => {
		const bytes = Uint8Array.from(atob(%q), c => c.charCodeAt(0));
		const carrier = new DataTransfer();
		carrier.items.add(new File([bytes], %q, { type: %q }));
		document.dispatchEvent(new ClipboardEvent('paste', { clipboardData: carrier, bubbles: true }));
	})()`, base64.StdEncoding.EncodeToString(content), name, media))
}

// What was read of a picture is shown with the pictures of the cells, and the player corrects it.
func TestPhotoCorrection(t *testing.T) {
	for name, s := range map[string]screen{"desk": desk, "tablet": tablet, "phone": phone, "dark": {width: 1440, height: 900, dark: true}} {
		t.Run(name, func(t *testing.T) {
			p := play(t, s, 0)
			p.paste("news.png", "image/png", cutOff(t))
			p.wait(`document.querySelectorAll('.read [role=gridcell]').length === 81`)
			p.wait(`(async () => { const i = new Image(); i.src = getComputedStyle(document.querySelector('.compare')).getPropertyValue('--sheet').slice(5, -2); await i.decode(); return i.width })() && true`)
			p.wait(`document.activeElement.className === 'doubt' && document.activeElement.getAttribute('aria-label') === 'row 1, column 1: 5, in doubt' && document.querySelectorAll('.doubt').length === 9`)
			p.shot("read")
			if js[bool](p, `document.documentElement.scrollWidth > innerWidth`) {
				t.Error("the page is wider than the screen")
			}
			p.keys("5?")
			p.wait(`document.activeElement.getAttribute('aria-label') === 'row 2, column 1: 6, in doubt' && document.querySelectorAll('.doubt').length === 8`)
			p.click(`.read [role=row]:first-child [role=gridcell]:nth-child(3)`)
			p.keys("4")
			p.wait(`document.activeElement.textContent === '4' && document.activeElement.getAttribute('aria-label') === 'row 1, column 3: 4'`)
			p.keys("'")
			p.wait(`document.activeElement.className === 'written' && document.querySelector('#dialog [role=status]').textContent.includes('1 handwritten')`)
			p.keys(kb.ArrowLeft + kb.Delete)
			p.wait(`document.activeElement.textContent === ''`)
			p.click(`.correct .digits button:nth-child(3)`)
			p.wait(`document.querySelector('.read [role=gridcell][aria-selected=true]').textContent === '3'`)
			p.shot("corrected")
			p.click("#dialog footer .main")
			p.wait(`!document.querySelector('#dialog').open`)
			p.waitDigit(0, '5')
			p.waitDigit(2, '4')
			p.wait(`document.querySelector('#c1').classList.contains('given') && !document.querySelector('#c2').classList.contains('given')`)
		})
	}
}
