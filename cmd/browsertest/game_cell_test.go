package browsertest

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"github.com/scxmlrun/scxmlrun/cmd/internal/sudoku/action"
)

// mouseOn does something with the mouse in the middle of an element.
func (p *tab) mouseOn(selector string, event input.DispatchMouseEventParams) {
	p.t.Helper()
	at := js[struct{ X, Y float64 }](p, fmt.Sprintf(`(({ left, top, width, height }) => ({ X: left + width / 2, Y: top + height / 2 }))(document.querySelector(%q).getBoundingClientRect())`, selector))
	event.X, event.Y = at.X, at.Y
	p.mouse(event)
}

func (p *tab) rightClick(selector string) {
	p.t.Helper()
	for _, kind := range []input.DispatchMouseEventType{input.DispatchMouseEventTypeMousePressed, input.DispatchMouseEventTypeMouseReleased} {
		p.mouseOn(selector, input.DispatchMouseEventParams{Type: kind, Button: input.MouseButtonRight, ClickCount: 1})
	}
}

const cellMenuOpen = `document.querySelector('#cell-menu').matches(':popover-open')`

// The other button of the mouse opens the menu of a cell. With a pen it stays open.
func TestCellMenuByMouse(t *testing.T) {
	p := play(t, desk, 0, 40, 80)
	p.rightClick("#c40")
	p.wait(cellMenuOpen)
	p.shot("menu")
	p.click(fmt.Sprintf(`#cell-menu [data-digit="%c"]`, solution[40]))
	p.waitDigit(40, solution[40])
	p.wait(`!` + cellMenuOpen)
	p.rightClick("#c40")
	p.wait(cellMenuOpen)
	p.click(`#cell-menu [data-act=clear]`)
	p.waitDigit(40, '0')
	p.rightClick("#c80")
	p.wait(cellMenuOpen)
	p.click(`#cell-menu [data-act=pen-notes]`)
	p.wait(`document.documentElement.dataset.pen === 'notes'`)
	p.click(`#cell-menu [data-digit="2"]`)
	p.click(`#cell-menu [data-digit="3"]`)
	p.wait(`document.querySelector('#c80').textContent === '2 3 ' && document.querySelector('#cell-menu [data-digit="3"]').getAttribute('aria-checked') === 'true'`)
	p.shot("notes")
	p.click("h1")
	p.wait(`!` + cellMenuOpen)
}

// The key Menu opens it too, and the focus is on it, and after it on the board.
func TestCellMenuByKeys(t *testing.T) {
	p := play(t, desk, 0, 40, 80)
	p.click("#c40")
	p.do(chromedp.Do(p.ctx, chromedp.KeyEvent(kb.F10, chromedp.KeyModifiers(chromedp.ModifierShift))))
	p.wait(cellMenuOpen + ` && document.activeElement.dataset.digit === '1'`)
	p.keys(kb.ArrowDown + kb.ArrowRight + kb.Enter) // 5
	p.waitDigit(40, '5')
	p.wait(`document.activeElement.id === 'c40'`)
	p.do(chromedp.Do(p.ctx, chromedp.KeyEvent(kb.F10, chromedp.KeyModifiers(chromedp.ModifierShift))))
	p.wait(cellMenuOpen + ` && document.activeElement.dataset.digit === '5'`)
	p.keys(kb.Escape)
	p.wait(`!` + cellMenuOpen + ` && document.activeElement.id === 'c40'`)
	p.do(chromedp.Do(p.ctx, chromedp.KeyEvent(kb.ArrowRight, chromedp.KeyModifiers(chromedp.ModifierCtrl))))
	p.wait(`document.activeElement.id === 'c80'`) // the next empty cell
	p.do(chromedp.Do(p.ctx, chromedp.KeyEvent(kb.ArrowLeft, chromedp.KeyModifiers(chromedp.ModifierCtrl))))
	p.wait(`document.activeElement.id === 'c0'`)
}

// A long press opens it for a finger.
func TestCellMenuByTouch(t *testing.T) {
	p := play(t, phone, 0, 80)
	_, err := chromedp.Call(p.ctx, emulation.SetTouchEmulationEnabled, emulation.SetTouchEmulationEnabledParams{Enabled: true})
	p.do(err)
	at := js[struct{ X, Y float64 }](p, `(({ left, top, width }) => ({ X: left + width / 2, Y: top + width / 2 }))(document.querySelector('#c80').getBoundingClientRect())`)
	_, err = chromedp.Call(p.ctx, input.DispatchTouchEvent, input.DispatchTouchEventParams{Type: input.DispatchTouchEventTypeTouchStart, TouchPoints: []*input.TouchPoint{{X: at.X, Y: at.Y}}})
	p.do(err)
	p.wait(cellMenuOpen)
	_, err = chromedp.Call(p.ctx, input.DispatchTouchEvent, input.DispatchTouchEventParams{Type: input.DispatchTouchEventTypeTouchEnd, TouchPoints: []*input.TouchPoint{}})
	p.do(err)
	p.shot("menu")
	small := js[[]string](p, `[...document.querySelectorAll('#cell-menu button')].filter(b => b.offsetHeight < 44 || b.offsetWidth < 44).map(b => b.textContent)`)
	inside := js[bool](p, `(({ left, top, right, bottom }) => left >= 0 && top >= 0 && right <= innerWidth && bottom <= innerHeight)(document.querySelector('#cell-menu').getBoundingClientRect())`)
	if !js[bool](p, cellMenuOpen) || len(small) > 0 || !inside {
		t.Errorf("open %v, within the screen %v, too small: %q", js[bool](p, cellMenuOpen), inside, small)
	}
}

// The wheel counts in the cell under the pointer, as in the terminal.
func TestWheel(t *testing.T) {
	p := play(t, desk, 0, 40, 80)
	p.mouseOn("#c40", input.DispatchMouseEventParams{Type: input.DispatchMouseEventTypeMouseWheel, DeltaX: 1e-3, DeltaY: -120})
	p.waitDigit(40, '1')
	p.mouseOn("#c40", input.DispatchMouseEventParams{Type: input.DispatchMouseEventTypeMouseWheel, DeltaX: 1e-3, DeltaY: 120})
	p.waitDigit(40, '0')
	p.mouseOn("#c40", input.DispatchMouseEventParams{Type: input.DispatchMouseEventTypeMouseWheel, DeltaX: 1e-3, DeltaY: 120})
	p.waitDigit(40, '9')
}

// The page gives each key of the table of actions the name that it has there, so that the keys of
// the terminal do the same on the page.
func TestKeyNames(t *testing.T) {
	p := open(t, siteURL(t)+"/", desk)
	keys := map[string]bool{}
	for _, a := range action.Table() {
		for _, vi := range []bool{false, true} {
			for _, key := range a.KeyNames(vi) {
				if len([]rune(key)) < 2 || key[:2] != "GG" { // two keys
					keys[key] = true
				}
			}
		}
	}
	names := []string{}
	for key := range keys {
		names = append(names, key)
	}
	slices.Sort(names)
	text, err := json.Marshal(names)
	p.do(err)
	wrong := js[[]string](p, fmt.Sprintf(`import('./keys.js').then(({ keyName }) => %s.filter(name => {
		const parts = name.split('+'), key = parts.pop() || '+';
		if (!parts.at(-1)) parts.pop();
		const named = { Up: 'ArrowUp', Down: 'ArrowDown', Left: 'ArrowLeft', Right: 'ArrowRight', PgUp: 'PageUp', PgDn: 'PageDown', Esc: 'Escape', Menu: 'ContextMenu', Space: ' ' };
		const shift = parts.includes('Shift'), letter = /^[A-Z]$/.test(key);
		return name !== keyName(new KeyboardEvent('keydown', {
			key: named[key] ?? (letter && !shift ? key.toLowerCase() : key), code: letter ? 'Key' + key : /^[0-9]$/.test(key) ? 'Digit' + key : '',
			shiftKey: shift, altKey: parts.includes('Alt'), ctrlKey: parts.includes('Ctrl'),
		}));
	}))`, text))
	if len(wrong) > 0 || len(names) < 80 {
		t.Errorf("of %d keys the page gives other names to %s", len(names), strings.Join(wrong, ", "))
	}
}

// Clicks besides the board, and with the middle button on it, do what they do in the terminal.
func TestClicks(t *testing.T) {
	p := play(t, desk, 0, 40, 80)
	p.click(`#facts [data-part=valid]`)
	p.wait(`!document.querySelector('#facts [data-part=valid]')`)
	p.click("#puzzle")
	p.wait(`document.querySelector('#dialog[open] [role=listbox]')`)
	p.keys(kb.Escape)
	p.wait(`!document.querySelector('#dialog').open`)
	for _, kind := range []input.DispatchMouseEventType{input.DispatchMouseEventTypeMousePressed, input.DispatchMouseEventTypeMouseReleased} {
		p.mouseOn("#c40", input.DispatchMouseEventParams{Type: kind, Button: input.MouseButtonMiddle, ClickCount: 1})
	}
	p.wait(`document.querySelector('#dialog').open`)
	p.click("#dialog footer .main")
	p.waitState("given-up")
}
