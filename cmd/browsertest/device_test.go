package browsertest

import (
	"bytes"
	"context"
	"encoding/json"
	"net/http/httptest"
	"os"
	"testing"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"

	"github.com/scxmlrun/scxmlrun/examples/sudoku/web/static"
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

// browserOf is the browser that tests share.
func browserOf(t *testing.T) context.Context {
	t.Helper()
	if browser == nil {
		t.Skip("no browser is installed")
	}
	return browser
}
