package browsertest

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"net/http/httptest"
	"os"
	"path/filepath"
	"testing"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"

	"github.com/scxmlrun/scxmlrun/cmd/internal/sudoku/web/static"
	"github.com/scxmlrun/scxmlrun/examples/sudoku/format"
	"github.com/scxmlrun/scxmlrun/examples/sudoku/picture"
)

// What a browser shows of the screen is read: here it is the picture of its fake device, without a
// puzzle.
func TestGameScreen(t *testing.T) {
	p := newTab(t, launchFor(t, chromedp.Flag("use-fake-ui-for-media-stream", true), chromedp.Flag("use-fake-device-for-media-stream", true)), desk)
	p.visit(siteURL(t) + "/")
	p.wait(ready)
	js[any](p, `document.querySelector('[data-act=load]').click()`)
	p.wait(`document.querySelector('#dialog').open`)
	js[any](p, `(() => {
		[...document.querySelectorAll('#dialog button')].find(one => one.textContent.includes('screen')).id = 'shoot';
		const ask = navigator.mediaDevices.getDisplayMedia;
		navigator.mediaDevices.getDisplayMedia = async function (...args) { return window.stream = await ask.apply(this, args); };
	})()`)
	p.click("#shoot") // the browser asks only after a person has done something
	p.wait(`document.querySelector('#dialog').textContent.includes('no Sudoku in this picture')`)
	p.wait(`window.stream.getTracks().every(track => track.readyState === 'ended')`) // nothing is recorded any more
}

// allowCamera answers what the browser asks; otherwise it is refused.
var allowCamera = chromedp.Flag("use-fake-ui-for-media-stream", true)

// launchWithCamera starts a browser whose camera sees a picture of a puzzle.
func launchWithCamera(t *testing.T, puzzle string) context.Context {
	t.Helper()
	var game format.Game
	for i, digit := range puzzle {
		game.Givens[i/9][i%9] = int(digit - '0')
	}
	var file bytes.Buffer
	if err := picture.PNG(&file, &game, 2, picture.White); err != nil {
		t.Fatal(err)
	}
	board, err := png.Decode(&file)
	if err != nil {
		t.Fatal(err)
	}
	const width, height = 1280, 960
	frame := image.NewYCbCr(image.Rect(0, 0, width, height), image.YCbCrSubsampleRatio420)
	for i := range frame.Y {
		frame.Y[i] = 235 // white
		at := board.Bounds().Min.Add(image.Pt(i%width-100, i/width-60))
		if at.In(board.Bounds()) {
			frame.Y[i] = 16 + uint8(int(color.GrayModel.Convert(board.At(at.X, at.Y)).(color.Gray).Y)*219/255)
		}
	}
	for i := range frame.Cb {
		frame.Cb[i], frame.Cr[i] = 128, 128
	}
	video := fmt.Appendf(nil, "YUV4MPEG2 W%d H%d F10:1 Ip A1:1 C420\nFRAME\n", width, height)
	video = append(append(append(video, frame.Y...), frame.Cb...), frame.Cr...)
	name := filepath.Join(t.TempDir(), "camera.y4m")
	if err := os.WriteFile(name, video, 0o666); err != nil {
		t.Fatal(err)
	}
	return launchFor(t, allowCamera, chromedp.Flag("use-fake-device-for-media-stream", true), chromedp.Flag("use-file-for-fake-video-capture", name))
}

// askCamera presses the button for the camera.
func askCamera(t *testing.T, ctx context.Context) *tab {
	t.Helper()
	p := newTab(t, ctx, desk)
	p.visit(siteURL(t) + "/")
	p.wait(ready)
	js[any](p, `document.querySelector('[data-act=load]').click()`)
	p.wait(`document.querySelector('#dialog').open`)
	js[any](p, `(() => {
		[...document.querySelectorAll('#dialog button')].find(one => one.textContent.includes('photo')).id = 'photo';
		const ask = navigator.mediaDevices.getUserMedia;
		navigator.mediaDevices.getUserMedia = async function (...args) { return window.stream = await ask.apply(this, args); };
	})()`)
	p.click("#photo")
	return p
}

// A photo of the camera becomes the puzzle. The player sees what the camera sees.
func TestGameCamera(t *testing.T) {
	const puzzle = "530070000600195000098000060800060003400803001700020006060000280000419005000080079"
	ctx := launchWithCamera(t, puzzle)
	p := askCamera(t, ctx)
	p.wait(`document.querySelector('#dialog video').videoWidth === 1280`)
	p.shot("preview")
	p.click("#dialog footer .main")
	p.wait(`document.querySelector('#dialog footer .main')?.textContent === 'Play'`)
	p.wait(`window.stream.getTracks().every(track => track.readyState === 'ended')`) // nothing is recorded any more
	p.shot("read")
	p.click("#dialog footer .main")
	p.wait(`document.querySelector('#c0').textContent === '5' && document.querySelector('#c80').textContent === '9' && document.querySelector('#c2').textContent === ''`)
}

func TestGameCameraRefused(t *testing.T) {
	p := askCamera(t, launchFor(t, chromedp.Flag("use-fake-device-for-media-stream", true)))
	p.wait(`document.querySelector('#dialog').textContent.includes('does not let this page use the camera')`)
	p.shot("refused")
	p.click("#dialog footer .main")
	p.wait(`!document.querySelector('#dialog').open`)
	p = askCamera(t, launchFor(t, allowCamera, chromedp.Flag("use-fake-device-for-media-stream", "device-count=0")))
	p.wait(`document.querySelector('#dialog').textContent.includes('no camera')`)
}

// A page on paper has the board and nothing to press.
func TestGamePrinted(t *testing.T) {
	p := play(t, desk, 0, 40)
	printed, err := chromedp.Call(p.ctx, page.PrintToPDF, page.PrintToPDFParams{})
	p.do(err)
	pdf := printed.Data
	if !bytes.HasPrefix(pdf, []byte("%PDF")) {
		t.Fatalf("the print begins with %.20q", pdf)
	}
	if pages := bytes.Count(pdf, []byte("/Type /Page\n")) + bytes.Count(pdf, []byte("/Type /Page ")); pages != 1 {
		t.Errorf("the print has %d pages", pages)
	}
	_, err = chromedp.Call(p.ctx, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Media: "print"})
	p.do(err)
	p.shot("paper")
	if !js[bool](p, `document.querySelector('#c1').checkVisibility() && document.querySelector('#board').getBoundingClientRect().width > 400`) {
		t.Error("the board is not printed")
	}
	if seen := js[[]string](p, `[...document.querySelectorAll('button, #pad, #menu, #note, dialog')].filter(one => one.checkVisibility()).map(one => one.outerHTML.slice(0, 80))`); len(seen) > 0 {
		t.Errorf("printed: %q", seen)
	}
}

// A browser offers to install the game.
func TestGameInstallable(t *testing.T) {
	ctx := launchFor(t) // with the profile itself: nothing is installed from a private window
	p := &tab{t: t, ctx: ctx}
	p.do(chromedp.Do(ctx, chromedp.Navigate(siteURL(t)+"/")))
	p.wait(ready)
	p.wait(controlled)
	manifest, err := chromedp.Call(ctx, page.GetAppManifest, page.GetAppManifestParams{})
	p.do(err)
	for _, problem := range manifest.Errors {
		t.Errorf("manifest: %s", problem.Message)
	}
	answer, err := chromedp.Call(ctx, page.GetInstallabilityErrors, cdp.Empty{})
	p.do(err)
	for _, problem := range answer.InstallabilityErrors {
		text, _ := json.Marshal(problem)
		t.Errorf("%s", text)
	}
}

// Where the browser keeps nothing, the game is played and says so.
func TestGameWithoutAStore(t *testing.T) {
	h, err := static.New(changed(t, os.DirFS(must(t, built)), "worker.js", func(text string) string {
		return "Object.defineProperty(self, 'indexedDB', { get() { throw new DOMException('denied', 'SecurityError'); } });\n" + text
	}))
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(h)
	defer server.Close()
	p := playAt(t, server.URL, desk, 0, 40)
	p.click("#c0")
	p.keys(solution[:1])
	p.waitDigit(0, solution[0])
	p.wait(`document.querySelector('#note').textContent.includes('did not keep')`)
	p.shot("note")
	p.click("#c40")
	p.keys(solution[40:41])
	p.waitState("solved")
}

// The game starts in a browser that allows no site data, and with a link that is none. When its worker
// ends, the page says why.
func TestGameInTrouble(t *testing.T) {
	h, err := static.New(changed(t, os.DirFS(must(t, built)), "worker.js", func(text string) string {
		return "navigator.locks.request = async () => { throw new DOMException('denied', 'SecurityError'); };\n" +
			"setTimeout(() => self.tell('{\"type\":\"failed\",\"error\":\"out of memory\"}'), 8000);\n" + text
	}))
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(h)
	defer server.Close()
	p := open(t, server.URL+"/", desk)
	p.wait(`document.documentElement.dataset.ready`)
	js[any](p, `setTimeout(() => { location.href = '/?link#100%'; })`)
	p.wait(`location.search && document.documentElement.dataset.ready`)
	p.wait(`document.body.textContent.includes('want 81 digits')`)
	p.wait(`document.documentElement.dataset.state === 'failed'`)
	if note, said := js[string](p, `document.querySelector('#note').textContent`), js[string](p, `document.querySelector('#say').textContent`); note != "out of memory" || said != note {
		t.Errorf("the page shows %q and says %q", note, said)
	}
	p.shot("failed")
}

// browserOf is the browser that tests share.
func browserOf(t *testing.T) context.Context {
	t.Helper()
	if browser == nil {
		t.Skip("no browser is installed")
	}
	return browser
}
