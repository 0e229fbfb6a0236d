package browsertest

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"github.com/scxmlrun/scxmlrun/cmd/internal/playground"
)

// nothing is a document without states.
const nothing = `<scxml version="1.0" xmlns="http://www.w3.org/2005/07/scxml">
  <!-- nothing yet -->
</scxml>
`

// openDrawing opens the served playground with a document, at its picture.
func openDrawing(t *testing.T, s screen, document string) *tab {
	p, _ := visitServed(t, playground.NewServer(), s)
	p.waitActive("locked")
	js[any](p, fmt.Sprintf(`(() => {
		const area = %s;
		area.value = %q;
		area.dispatchEvent(new Event('input'));
		document.querySelector(getComputedStyle(document.querySelector('#panes')).display === 'none' ? '#edit-picture' : '#panes [data-pane=draw]').click();
	})()`, area, document))
	p.wait(`document.querySelector('#tree li') && !document.querySelector('#tree [data-name=locked]')`)
	return p
}

// widths are the screens on which charts are made.
var widths = map[string]screen{"1280": {width: 1280, height: 800}, "390": {width: 390, height: 844, phone: true}}

// twelve is true for a chart of twelve states in which s1 leads to s2 and s2 to s1, and s4 is within s3.
const twelve = `(() => {
	const chart = new DOMParser().parseFromString(document.querySelector('textarea').value, 'application/xml');
	const of = id => chart.querySelector('[id=' + id + ']');
	return chart.querySelectorAll('state').length === 12 && of('s4')?.parentNode === of('s3') &&
		chart.querySelector('[id=s1] > transition')?.getAttribute('target') === 's2' &&
		chart.querySelector('[id=s2] > transition')?.getAttribute('target') === 's1' &&
		document.querySelector('textarea').value.includes('<!-- nothing yet -->');
})()`

// place returns the middle of the title of a state in the picture.
func (p *tab) place(state string) (x, y float64) {
	at := js[[]float64](p, fmt.Sprintf(`(() => {
		const box = document.querySelector('#picture').shadowRoot.querySelector('[data-state="%s"] text')?.getBoundingClientRect();
		return box ? [box.x + box.width / 2, box.y + box.height / 2] : [0, 0];
	})()`, state))
	return at[0], at[1]
}

// drag moves the mouse with its button down from one state to another.
func (p *tab) drag(from, to string) {
	x1, y1 := p.place(from)
	x2, y2 := p.place(to)
	p.glide(x1, y1, x2, y2)
}

// glide moves the mouse with its button down from one place to another.
func (p *tab) glide(x1, y1, x2, y2 float64) {
	p.mouse(input.DispatchMouseEventParams{Type: "mousePressed", X: x1, Y: y1, Button: "left", ClickCount: 1})
	for i := 1; i <= 5; i++ {
		p.mouse(input.DispatchMouseEventParams{Type: "mouseMoved", X: x1 + (x2-x1)*float64(i)/5, Y: y1 + (y2-y1)*float64(i)/5, Button: "left", Buttons: 1})
	}
	p.mouse(input.DispatchMouseEventParams{Type: "mouseReleased", X: x2, Y: y2, Button: "left", ClickCount: 1})
}

// tap clicks a state in the picture.
func (p *tab) tap(state string) {
	x, y := p.place(state)
	p.mouse(input.DispatchMouseEventParams{Type: "mousePressed", X: x, Y: y, Button: "left", ClickCount: 1})
	p.mouse(input.DispatchMouseEventParams{Type: "mouseReleased", X: x, Y: y, Button: "left", ClickCount: 1})
	p.wait(fmt.Sprintf(`document.querySelector('#tree [aria-selected=true]')?.dataset.name === %q`, state))
}

func (p *tab) waitSelected(id string) {
	p.wait(fmt.Sprintf(`document.querySelector('#tree [aria-selected=true]')?.dataset.name === %q && document.querySelector('#picture').shadowRoot.querySelector('[data-state="%s"]')`, id, id))
}

// A chart of twelve states is made from nothing with the mouse alone.
func TestEditByMouse(t *testing.T) {
	for name, s := range widths {
		t.Run(name, func(t *testing.T) {
			p := openDrawing(t, s, nothing)
			p.click(`[data-do=inside]`)
			p.waitSelected("s1")
			p.click(`[data-do=beside]`)
			p.waitSelected("s2")
			p.click(`[data-do=beside]`)
			p.waitSelected("s3")
			p.click(`[data-do=inside]`)
			p.waitSelected("s4")
			for i := 5; i <= 12; i++ {
				p.click(`[data-do=beside]`)
				p.waitSelected(fmt.Sprintf("s%d", i))
			}
			p.click(`[data-zoom=fit]`)
			p.tap("s1")
			p.drag("s1", "s2")
			p.wait(`document.querySelector('#tree [data-name="s1/1"]')`)
			p.click(`#tree [data-name="s2"]`)
			p.click(`[data-do=link]`)
			p.click(`#tree [data-name="s1"]`)
			p.wait(twelve)
			p.click(`[data-zoom=fit]`)
			p.wait(`document.querySelector('#summary').textContent !== ''`)
			p.shot("edit-mouse-" + name)
			p.click(`[data-do=undo]`)
			p.wait(`!` + twelve)
			p.click(`[data-do=redo]`)
			p.wait(twelve)
		})
	}
}

// shortcut presses a key that is not a text.
func (p *tab) shortcut(key string) { p.strike(key, 0) }

// control presses a key with Ctrl.
func (p *tab) control(key string) { p.strike(key, 2) }

func (p *tab) strike(key string, modifiers int64) {
	for _, kind := range []input.DispatchKeyEventType{input.DispatchKeyEventTypeRawKeyDown, input.DispatchKeyEventTypeKeyUp} {
		_, err := chromedp.Call(p.ctx, input.DispatchKeyEvent, input.DispatchKeyEventParams{Type: kind, Key: key, Modifiers: modifiers})
		p.do(err)
	}
}

// And with the keyboard alone.
func TestEditByKeyboard(t *testing.T) {
	for name, s := range widths {
		t.Run(name, func(t *testing.T) {
			p := openDrawing(t, s, nothing)
			js[any](p, `document.querySelector('#tree [tabindex="0"]').focus()`)
			add := func(key, id string) {
				p.shortcut(key)
				p.waitSelected(id)
				p.wait(`document.activeElement.name === 'id'`)
				p.keys(kb.Enter) // the name is good
				p.wait(`document.activeElement.dataset.name === '` + id + `'`)
			}
			add("a", "s1")
			add("b", "s2")
			add("b", "s3")
			add("a", "s4")
			for i := 5; i <= 12; i++ {
				add("b", fmt.Sprintf("s%d", i))
			}
			link := func(from, to string, steps int) {
				p.keys(kb.Home)
				for range map[string]int{"s1": 1, "s2": 3}[from] {
					p.keys(kb.ArrowDown)
				}
				p.wait(`document.querySelector('#tree [aria-selected=true]').dataset.name === '` + from + `'`)
				p.shortcut("t")
				p.wait(`document.querySelector('#told').textContent.includes('Choose')`)
				for range max(steps, -steps) {
					if steps > 0 {
						p.keys(kb.ArrowDown)
					} else {
						p.keys(kb.ArrowUp)
					}
				}
				p.wait(`document.activeElement.dataset.name === '` + to + `'`)
				p.keys(kb.Enter)
				p.wait(`document.activeElement.name === 'event'`)
				p.keys("next" + kb.Enter)
				p.wait(`document.querySelector('#tree [data-name="` + from + `/1"]')?.textContent.startsWith('next')`)
				p.wait(`document.querySelector('#tree').contains(document.activeElement)`)
			}
			link("s1", "s2", 1)
			link("s2", "s1", -2)
			p.wait(twelve)
			js[any](p, `document.querySelector('[data-zoom=fit]').click()`)
			p.shot("edit-keyboard-" + name)
		})
	}
}

// What would dangle is shown before it is deleted.
func TestEditDeletes(t *testing.T) {
	p := openDrawing(t, desk, nothing)
	for range 2 {
		p.click(`[data-do=inside]`)
		p.wait(`document.activeElement.name === 'id'`)
		p.click(`#tree li`)
	}
	p.wait(`document.querySelectorAll('#tree li').length === 3`)
	p.click(`#tree [data-name=s1]`)
	p.click(`[data-do=link]`)
	p.click(`#tree [data-name=s2]`)
	p.wait(`document.querySelector('#tree [data-name="s1/1"]')`)
	p.click(`#tree [data-name=s2]`)
	p.click(`[data-do=delete]`)
	p.wait(`document.querySelector('#dangling').open && document.querySelector('#dangling li').textContent.includes('target')`)
	p.shot("edit-dangling")
	p.click(`#dangling [value=delete]`)
	p.wait(`!` + area + `.value.includes('s2') && !` + area + `.value.includes('transition')`)
}

// A change leaves alone in the page what it does not change.
func TestEditChangesLittle(t *testing.T) {
	p := openDrawing(t, desk, large())
	p.click(`#tree [data-name=g0s1]`)
	js[any](p, `(() => {
		window.met = new Set();
		const watch = new MutationObserver(records => records.forEach(one => [...one.addedNodes, ...one.removedNodes].forEach(node => node.nodeType === 1 && met.add(node))));
		for (const of of ['#tree', '.paint', '.gutter']) watch.observe(document.querySelector(of), { childList: true });
		watch.observe(document.querySelector('#picture').shadowRoot.querySelector('svg'), { childList: true });
		const field = document.querySelector('#fields [name=id]');
		field.value = 'other';
		field.dispatchEvent(new Event('change'));
	})()`)
	p.wait(`document.querySelector('#picture').shadowRoot.querySelector('[data-state=other]') && document.querySelector('#tree [data-name=other]')`)
	if n := js[int](p, `met.size`); n < 4 || n > 24 { // a state, three transitions and two lines of the text, old and new
		t.Errorf("%d elements were added or removed, of %d", n, js[int](p, `document.querySelectorAll('#tree li').length`))
	}
}

// Whoever types into the text right after a change of the picture types into the changed one.
func TestEditIsTypedInto(t *testing.T) {
	p := openDrawing(t, desk, nothing)
	p.click(`[data-do=inside]`)
	p.waitSelected("s1")
	p.wait(area + `.value.includes('s1')`)
	for _, kind := range []string{"beforeinput", "keydown", "pointerdown", "focus"} {
		if got := js[bool](p, `(() => {
			document.querySelector('[data-do=undo]').click();
			return Promise.resolve().then(() => new Promise(done => setTimeout(() => {
				const late = `+area+`.value.includes('s1');
				`+area+`.dispatchEvent(new Event('`+kind+`'));
				done(late && !`+area+`.value.includes('s1'));
			})));
		})()`); !got {
			t.Errorf("%s: not the changed text", kind)
		}
		p.click(`[data-do=redo]`)
		p.wait(area + `.value.includes('s1')`)
	}
}

// The tree has the roles and names that a screen reader needs, and every control a name.
func TestEditIsNamed(t *testing.T) {
	p := openDrawing(t, desk, nothing)
	p.click(`[data-do=inside]`)
	p.waitSelected("s1")
	if wrong := js[string](p, `[...document.querySelectorAll('#drawing :is(button, input, textarea, select, [tabindex])')].filter(one =>
		!(one.getAttribute('aria-label') || one.textContent.trim() || one.labels?.[0]?.textContent.trim())).map(one => one.outerHTML).join(' ')`); wrong != "" {
		t.Errorf("without a name: %s", wrong)
	}
	if n := js[int](p, `document.querySelectorAll('#tree [role=treeitem][aria-level][aria-label]').length`); n != 2 {
		t.Errorf("%d items of the tree", n)
	}
	if n := js[int](p, `document.querySelectorAll('#tree [tabindex="0"]').length`); n != 1 {
		t.Errorf("Tab stops %d times in the tree", n)
	}
}

// A file on disk is edited in the picture and saved, and what another program writes is taken over.
func TestEditFile(t *testing.T) {
	name := filepath.Join(t.TempDir(), "lamp.scxml")
	write := func(text string) {
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write(strings.ReplaceAll(nothing, "\n", "\r\n"))
	f, err := playground.NewFile(name)
	if err != nil {
		t.Fatal(err)
	}
	handler := playground.NewServer()
	handler.Edit(f, os.DirFS(filepath.Dir(name)))
	p, _ := visitServed(t, handler, desk)
	p.wait(`document.querySelectorAll('#tree li').length === 1`)
	p.click(`[data-do=inside]`)
	p.waitSelected("s1")
	p.waitText("h1", "not saved")
	p.click(`#save`)
	p.wait(`document.querySelector('h1').textContent === 'lamp.scxml'`)
	text, err := os.ReadFile(name)
	if want := strings.ReplaceAll(strings.Replace(nothing, "  <!--", "  <state id=\"s1\"/>\n  <!--", 1), "\n", "\r\n"); err != nil || string(text) != want {
		t.Errorf("saved: %v, %q; want %q", err, text, want)
	}
	p.shot("saved")
	write(strings.ReplaceAll(string(text), "nothing yet", "something"))
	p.wait(area + `.value.includes('something')`)
	p.click(`[data-do=beside]`)
	p.waitSelected("s2")
	write(strings.ReplaceAll(string(text), `<state id="s1"/>`, `<state id="other"/>`))
	p.click(`#save`)
	p.wait(`document.querySelector('#conflict').open`)
	p.click(`#conflict [value=theirs]`)
	p.wait(area + `.value.includes('other') && document.querySelector('h1').textContent === 'lamp.scxml'`)
}
