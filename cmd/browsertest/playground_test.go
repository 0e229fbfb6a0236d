package browsertest

import (
	"fmt"
	"testing"

	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

const area = `document.querySelector('textarea')`

// replace replaces a text of the document, as if it were typed.
func (p *tab) replace(old, text string) {
	p.t.Helper()
	if !js[bool](p, fmt.Sprintf(`(() => {
		const area = %s;
		const at = area.value.indexOf(%q);
		area.focus();
		area.setSelectionRange(at, at + %q.length);
		return at >= 0 && document.execCommand('insertText', false, %q);
	})()`, area, old, old, text)) {
		p.t.Fatalf("%q is not in the document", old)
	}
}

// An example runs at once, and takes events.
func TestPlaygroundRuns(t *testing.T) {
	p := open(t, "/playground/", desk)
	p.waitActive("locked")
	p.press("coin")
	p.waitActive("open")
	p.press("push")
	p.waitActive("locked")
	p.wait(inspector + `.querySelector('#data').textContent.includes('visitors1')`)
	p.wait(inspector + `.querySelector('#rows').textContent.includes('push')`)
}

// The document is checked as it is typed. The session stays while there are errors, and is replaced when
// there are none.
func TestPlaygroundChecks(t *testing.T) {
	p := open(t, "/playground/", desk)
	p.waitActive("locked")
	p.press("coin")
	p.waitActive("open")
	p.replace(`target="locked"`, `target="shut"`)
	p.wait(`document.querySelector('#problems li').textContent.includes('"shut"')`)
	p.wait(`document.querySelector('#summary').textContent.startsWith('1 error')`)
	p.wait(`document.querySelector('.gutter .error').textContent === '14'`)
	p.wait(`document.querySelector('.paint .error').textContent.includes('shut')`)
	p.shot("error")
	p.waitActive("open")

	p.click("#problems li summary") // what it means
	p.wait(`document.querySelector('#problems details pre')`)
	p.click("#problems li button")
	p.wait(area + `.value.slice(` + area + `.selectionStart).startsWith('shut"')`)

	p.replace(`<state id="locked"`, `<state id="shut"`)
	p.replace(`initial="locked"`, `initial="shut"`)
	p.wait(`document.querySelector('#summary').textContent === 'No problems'`)
	p.waitActive("shut")
	p.press("coin")
	p.waitActive("open")
}

// A link carries the document, and the clock.
func TestPlaygroundLink(t *testing.T) {
	p := open(t, "/playground/", desk)
	p.waitActive("locked")
	p.replace(`"locked"`, `"zu"`) // the initial state
	p.replace(`<state id="locked"`, `<state id="zu"`)
	p.replace(`target="locked"`, `target="zu"`)
	p.replace(`A turnstile.`, `Ein Drehkreuz – mit „äöü“ und 🎟.`)
	p.waitActive("zu")
	p.click("#virtual")
	js[any](p, `navigator.clipboard.writeText = async text => { window.copied = text; }`)
	p.click("#link")
	p.wait(`window.copied`)
	link := js[string](p, `window.copied.slice(location.origin.length)`)

	other := open(t, link, desk)
	other.waitActive("zu")
	if text, want := js[string](other, area+`.value`), js[string](p, area+`.value`); text != want {
		t.Errorf("got %q, want %q", text, want)
	}
	if !js[bool](other, `document.querySelector('#virtual').checked`) {
		t.Error("the link does not carry the clock")
	}
	kept := js[string](p, area+`.value`)
	p.visit(siteURL(t) + "/playground/?damaged#chart=abc!")
	p.wait(`document.querySelector('#notice').textContent.includes('damaged')`)
	if text := js[string](p, area+`.value`); text != kept {
		t.Errorf("with a damaged link the document is %q, want the last one", text)
	}
}

// The examples are in a list, each has an address, and the document is there again after a reload.
func TestPlaygroundExamples(t *testing.T) {
	p := open(t, "/playground/#example=door", desk)
	p.waitActive("locked")
	if n := js[int](p, `document.querySelector('#examples').options.length`); n < 7 {
		t.Errorf("the list has %d entries", n)
	}
	js[any](p, `(() => { const list = document.querySelector('#examples'); list.value = 'oven'; list.dispatchEvent(new Event('change')); })()`)
	p.wait(active + `.includes('oven') && ` + active + `.includes('off')`)
	p.replace(`id="off"`, `id="cold"`)
	p.replace(`initial="off"`, `initial="cold"`)
	p.wait(`document.querySelectorAll('#problems li').length > 0`) // there are other places
	p.reload()
	p.wait(area + `.value.includes('id="cold"')`)
	js[any](p, `(() => { location.hash = 'example=sudoku'; })()`)
	p.wait(active + `.includes('idle')`)
	p.shot("sudoku")
}

// A script that never ends does not stop the page: its worker is replaced.
func TestPlaygroundEndlessScript(t *testing.T) {
	p := open(t, "/playground/", desk)
	p.waitActive("locked")
	p.replace(`<log label="visitors" expr="visitors"/>`, `<script>while (true);</script>`)
	p.wait(inspector + `.querySelector('#picture').shadowRoot.textContent.includes('while')`) // it runs
	p.press("coin")
	p.waitActive("open")
	p.press("push")
	p.wait(`!document.querySelector('#notice').hidden && document.querySelector('#notice').textContent.includes('did not end')`)
	p.replace(`<script>while (true);</script>`, `<log label="visitors" expr="visitors"/>`)
	p.waitActive("locked")

	// An engine that has crashed is started again.
	js[any](p, `document.querySelector('#notice').textContent = ''`)
	p.replace(`<log label="visitors" expr="visitors"/>`, `<script>new Proxy(function () {}, {get: Reflect.apply}).x</script>`)
	p.wait(inspector + `.querySelector('#picture').shadowRoot.textContent.includes('Proxy')`)
	p.press("coin")
	p.waitActive("open")
	p.press("push")
	p.wait(`/did not end|has stopped/.test(document.querySelector('#notice').textContent)`)
	p.replace(`<script>new Proxy(function () {}, {get: Reflect.apply}).x</script>`, ``)
	p.waitActive("locked")
}

// The editor indents, keeps the indentation, and can be left by the keyboard.
func TestPlaygroundKeys(t *testing.T) {
	p := open(t, "/playground/", desk)
	p.waitActive("locked")
	js[any](p, fmt.Sprintf(`(() => { const at = %s.value.indexOf('<state id="open">') + 17; %s.focus(); %s.setSelectionRange(at, at); })()`, area, area, area))
	p.keys(kb.Enter)
	p.keys("<!--x-->")
	if !js[bool](p, area+".value.includes('<state id=\"open\">\\n    <!--x-->\\n    <transition')") {
		t.Errorf("got %s", js[string](p, area+`.value`))
	}
	p.keys(kb.Tab)
	if !js[bool](p, area+".value.includes('<!--x-->  \\n')") {
		t.Errorf("Tab: got %s", js[string](p, area+`.value`))
	}
	p.keys(kb.Escape)
	p.keys(kb.Tab)
	if js[bool](p, `document.activeElement === `+area) {
		t.Error("Escape and Tab do not leave the editor")
	}
}

func TestPlaygroundLooks(t *testing.T) {
	for name, s := range map[string]screen{"desk": desk, "tablet": tablet, "phone": phone, "dark": {width: 1440, height: 900, dark: true}} {
		t.Run(name, func(t *testing.T) {
			p := open(t, "/playground/#example=oven", s)
			p.wait(active + `.includes('off')`)
			p.shot("document")
			if s.width < 900 {
				p.click("#panes button[data-pane=session]")
				p.shot("session")
			}
			if js[bool](p, `document.documentElement.scrollWidth > innerWidth`) {
				t.Error("the page is wider than the screen")
			}
		})
	}
}

// A state in the picture and a step of the session lead to the document, and the caret in the document
// marks the state.
func TestPlaygroundSource(t *testing.T) {
	p := open(t, "/playground/", desk)
	p.waitActive("locked")
	at := js[struct{ X, Y float64 }](p, `(() => {
		const frame = document.querySelector('#inspector').getBoundingClientRect();
		const { left, top, width, height } = `+inspector+`.querySelector('#picture').shadowRoot.querySelector('[data-state=open] .name').getBoundingClientRect();
		return { X: frame.left + left + width / 2, Y: frame.top + top + height / 2 };
	})()`)
	for _, kind := range []input.DispatchMouseEventType{chromedp.MousePressed, chromedp.MouseReleased} {
		p.mouse(input.DispatchMouseEventParams{Type: kind, X: at.X, Y: at.Y, Button: input.MouseButtonLeft, ClickCount: 1})
	}
	p.wait(`document.querySelector('.paint .pointed').textContent.includes('<state id="open">')`)
	p.shot("pointed")

	p.press("coin")
	p.waitActive("open")
	p.wait(inspector + `.querySelector('#step button.at')`)
	js[any](p, inspector+`.querySelector('#step button.at').click()`)
	p.wait(`document.activeElement === ` + area + ` && ` + area + `.value.slice(` + area + `.selectionStart).startsWith('<transition event="coin"')`)

	js[any](p, `(() => { const at = `+area+`.value.indexOf('<state id="open">') + 20; `+area+`.setSelectionRange(at, at); })()`)
	p.wait(inspector + `.querySelector('#picture').shadowRoot.querySelector('[data-state=open].pointed')`)
	p.shot("caret")
}

// A document comes from a file, by the button or by dropping it, and becomes one.
func TestPlaygroundFiles(t *testing.T) {
	p := open(t, "/playground/", desk)
	p.waitActive("locked")
	file := func(name, state string) string {
		return fmt.Sprintf("new File(['<scxml xmlns=\"http://www.w3.org/2005/07/scxml\" version=\"1.0\" name=\"%s\"><state id=\"%s\"/></scxml>'], '%[1]s.scxml')", name, state)
	}
	carrier := `(() => { const carrier = new DataTransfer(); carrier.items.add(%s); return carrier; })()`
	js[any](p, fmt.Sprintf(`document.dispatchEvent(new DragEvent('drop', { dataTransfer: `+carrier+`, bubbles: true, cancelable: true }))`, file("Dropped", "one")))
	p.waitActive("one")
	js[any](p, fmt.Sprintf(`(() => { const input = document.querySelector('#file'); input.files = `+carrier+`.files; input.dispatchEvent(new Event('change')); })()`, file("Opened", "two")))
	p.waitActive("two")
	js[any](p, `(() => {
		const make = URL.createObjectURL;
		URL.createObjectURL = blob => { window.blob = blob; return make.call(URL, blob); };
		HTMLAnchorElement.prototype.click = function () { window.file = this.download; };
	})()`)
	p.click("#save")
	p.wait(`(await window.blob.text()) === ` + area + `.value && window.file === 'Opened.scxml'`)
}

// A chart that never comes to rest, and a document that is too large, are answered. The page stays.
func TestPlaygroundHostileCharts(t *testing.T) {
	p := open(t, "/playground/", desk)
	p.waitActive("locked")
	load := func(text string) {
		t.Helper()
		js[any](p, fmt.Sprintf(`(() => { const area = %s; area.value = %s; area.dispatchEvent(new Event('input')); })()`, area, text))
	}
	load("`<scxml xmlns=\"http://www.w3.org/2005/07/scxml\" version=\"1.0\"><state id=\"a\"><transition target=\"b\"/></state><state id=\"b\"><transition target=\"a\"/></state></scxml>`")
	p.wait(`!document.querySelector('#notice').hidden && document.querySelector('#notice').textContent.includes('Microsteps')`)
	load("`<scxml xmlns=\"http://www.w3.org/2005/07/scxml\" version=\"1.0\">${'<state/>\\n'.repeat(150000)}</scxml>`")
	p.wait(`document.querySelector('#notice').textContent.includes('too large')`)
	p.shot("large")
	load("`<scxml xmlns=\"http://www.w3.org/2005/07/scxml\" version=\"1.0\"><state id=\"calm\"/></scxml>`")
	p.waitActive("calm")
}

// A document that is longer than the screen is scrolled, and only the lines in view are drawn.
func TestPlaygroundLongDocument(t *testing.T) {
	for name, s := range map[string]screen{"desk": desk, "phone": phone} {
		t.Run(name, func(t *testing.T) {
			p := open(t, "/playground/", s)
			p.wait(area + `.value.includes('locked')`)
			js[any](p, "(() => { const area = "+area+"; area.value = `<scxml xmlns=\"http://www.w3.org/2005/07/scxml\" version=\"1.0\">\\n${'  <!-- line -->\\n'.repeat(1000)}  <state id=\"last\"/>\\n</scxml>`; area.dispatchEvent(new Event('input')); })()")
			p.wait(area + `.clientHeight < innerHeight && ` + area + `.scrollHeight > 20000`)
			p.wait(`document.querySelector('.paint').textContent.startsWith('<scxml') && document.querySelector('.gutter > div').textContent === '1'`)
			js[any](p, area+`.scrollTo(0, 1e6)`)
			p.wait(`document.querySelector('.paint').textContent.includes('id="last"') && document.querySelector('.gutter > div:last-child').textContent === '1003'`)
			if n := js[int](p, `document.querySelectorAll('.paint > div').length`); n > 100 {
				t.Errorf("%d lines are drawn", n)
			}
			// The coloured text is where the text is.
			off := js[float64](p, `(() => {
				const area = `+area+`.getBoundingClientRect(), last = document.querySelector('.paint > div:last-child').getBoundingClientRect();
				return area.bottom - last.bottom - parseFloat(getComputedStyle(`+area+`).paddingBottom);
			})()`)
			if off < -1 || off > 20 { // a bar for scrolling
				t.Errorf("the last line ends %.1f pixels above the end", off)
			}
			p.shot("end")
		})
	}
}
