package browsertest

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/accessibility"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"github.com/scxmlrun/scxmlrun/examples/sudoku/format"
	"github.com/scxmlrun/scxmlrun/examples/sudoku/picture"
)

// solution is a complete grid.
var solution = func() string {
	var digits strings.Builder
	for i := range 81 {
		fmt.Fprint(&digits, (i/9*3+i/27+i%9)%9+1)
	}
	return digits.String()
}()

// puzzle returns the solution without the digits of some cells.
func puzzle(empty ...int) string {
	p := []byte(solution)
	for _, cell := range empty {
		p[cell] = '.'
	}
	return string(p)
}

// play opens the page with a puzzle, and starts the game.
func play(t *testing.T, s screen, empty ...int) *tab {
	t.Helper()
	if browser == nil {
		t.Skip("no browser is installed")
	}
	return playAt(t, siteURL(t), s, empty...)
}

func playAt(t *testing.T, server string, s screen, empty ...int) *tab {
	t.Helper()
	p := open(t, server+"/#"+puzzle(empty...), s)
	p.wait(`document.querySelector('#dialog').open`) // whether to play the puzzle of the link
	p.click("#dialog button")
	p.wait(`!document.querySelector('#dialog').open`)
	p.start()
	return p
}

// start starts the game, or continues it.
func (p *tab) start() {
	p.t.Helper()
	p.wait(`document.documentElement.dataset.state === 'playing' || !document.querySelector('#cover').hidden`)
	if !js[bool](p, `document.querySelector('#cover').hidden`) {
		p.click("#cover")
	}
	p.waitState("playing")
}

func (p *tab) waitState(state string) {
	p.t.Helper()
	p.wait(fmt.Sprintf(`document.documentElement.dataset.state === %q`, state))
}

// waitDigit waits until a cell has a digit; 0 is none.
func (p *tab) waitDigit(cell int, digit byte) {
	p.t.Helper()
	text := string(digit)
	if digit == '0' {
		text = ""
	}
	p.wait(fmt.Sprintf(`document.querySelector('#c%d').firstChild?.textContent === %q || %q === '' && !document.querySelector('#c%d').textContent`, cell, text, text, cell))
}

func TestGameByMouse(t *testing.T) {
	empty := []int{0, 40, 80}
	p := play(t, desk, empty...)
	p.shot("playing")
	for _, cell := range empty {
		p.click(fmt.Sprintf("#c%d", cell))
		p.click(fmt.Sprintf(`#pad [data-digit="%c"]`, solution[cell]))
		if cell != 80 {
			p.waitDigit(cell, solution[cell])
		}
	}
	p.waitState("solved")
}

func TestGameByKeys(t *testing.T) {
	p := play(t, desk, 0, 1, 9)
	p.click("#c0")
	p.keys("7") // wrong
	p.waitDigit(0, '7')
	p.keys("u")
	p.waitDigit(0, '0')
	p.keys(solution[:1])
	p.waitDigit(0, solution[0])
	p.keys(kb.ArrowRight)
	p.keys(solution[1:2])
	p.waitDigit(1, solution[1])
	p.keys(kb.ArrowLeft)
	p.keys(kb.ArrowDown)
	p.keys(solution[9:10])
	p.waitState("solved")
}

func TestGameByTouch(t *testing.T) {
	p := play(t, phone, 0, 80)
	_, err := chromedp.Call(p.ctx, emulation.SetTouchEmulationEnabled, emulation.SetTouchEmulationEnabledParams{Enabled: true})
	p.do(err)
	tap := func(selector string) {
		t.Helper()
		at := js[struct{ X, Y, Width, Height float64 }](p, fmt.Sprintf(`(() => {
			const node = document.querySelector(%q);
			node.scrollIntoView({ block: 'nearest' });
			const { left, top, width, height } = node.getBoundingClientRect();
			return { X: left + width / 2, Y: top + height / 2, Width: width, Height: height };
		})()`, selector))
		if strings.HasPrefix(selector, "#pad") && (at.Width < 44 || at.Height < 44) {
			t.Errorf("%s has %v by %v pixels, want 44", selector, at.Width, at.Height)
		}
		for _, event := range []input.DispatchTouchEventParams{
			{Type: input.DispatchTouchEventTypeTouchStart, TouchPoints: []*input.TouchPoint{{X: at.X, Y: at.Y}}},
			{Type: input.DispatchTouchEventTypeTouchEnd, TouchPoints: []*input.TouchPoint{}},
		} {
			_, err := chromedp.Call(p.ctx, input.DispatchTouchEvent, event)
			p.do(err)
		}
	}
	tap("#c0")
	tap(fmt.Sprintf(`#pad [data-digit="%c"]`, solution[0]))
	p.waitDigit(0, solution[0])
	p.shot("playing")
	tap("#c80")
	tap(fmt.Sprintf(`#pad [data-digit="%c"]`, solution[80]))
	p.waitState("solved")
}

// A game is saved after each move.
func TestGameReload(t *testing.T) {
	p := play(t, desk, 0, 40, 80)
	p.click("#c40")
	p.keys(solution[40:41])
	p.waitDigit(40, solution[40])
	p.wait(`JSON.stringify(await (await import('./kept.js')).kept()).includes('"moves"')`) // a moment after the digit is shown
	p.reload()
	p.wait(`document.documentElement.dataset.ready`)
	p.start()
	p.waitDigit(40, solution[40])
	p.waitDigit(0, '0')
	p.keys("u") // the moves are saved too
	p.waitDigit(40, '0')
}

// After the first visit the page needs no network.
func TestGameOffline(t *testing.T) {
	if browser == nil {
		t.Skip("no browser is installed")
	}
	server := httptest.NewServer(must(t, handler))
	defer server.Close()
	p := playAt(t, server.URL, desk, 0, 40)
	p.wait(`navigator.serviceWorker.controller`)
	server.CloseClientConnections()
	server.Close()
	p.reload()
	p.wait(`document.documentElement.dataset.ready && !document.querySelector('#loading')`)
	p.start()
	p.click("#c0")
	p.keys(solution[:1])
	p.waitDigit(0, solution[0])
}

// The second of two tabs does not save over the first.
func TestGameInTwoTabs(t *testing.T) {
	p := play(t, desk, 0, 40)
	ctx, cancel := chromedp.NewContext(p.ctx) // in the same profile
	defer cancel()
	second := &tab{t: t, ctx: ctx}
	second.do(chromedp.Do(ctx, chromedp.Navigate(siteURL(t)+"/")))
	second.wait(`document.documentElement.dataset.ready`)
	second.wait(`document.querySelector('#note').textContent !== ''`)
	p.click("#c0")
	p.keys(solution[:1])
	p.waitDigit(0, solution[0])
	if note := js[string](p, `document.querySelector('#note').textContent`); note != "" {
		t.Errorf("the first page says %q", note)
	}
}

func TestGameInDutch(t *testing.T) {
	p := open(t, "/#"+puzzle(0), screen{width: 1440, height: 900, language: "nl-NL"})
	p.wait(`document.documentElement.dataset.ready && document.documentElement.lang === 'nl'`)
	p.wait(`document.querySelector('#dialog').open && document.querySelector('#name').textContent.includes('makkelijk')`)
	p.shot("nl")
}

// A picture of a puzzle becomes the puzzle.
func TestGamePhoto(t *testing.T) {
	p := play(t, desk, 0)
	var game format.Game
	for g, err := range format.Read("", strings.NewReader("53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79\n")) {
		p.do(err)
		game = g
	}
	var png bytes.Buffer
	if err := picture.PNG(&png, &game, 2, picture.Transparent); err != nil {
		t.Fatal(err)
	}
	js[any](p, fmt.Sprintf(`(() => {
		const bytes = Uint8Array.from(atob(%q), c => c.charCodeAt(0));
		const carrier = new DataTransfer();
		carrier.items.add(new File([bytes], 'puzzle.png', { type: 'image/png' }));
		document.dispatchEvent(new ClipboardEvent('paste', { clipboardData: carrier, bubbles: true }));
	})()`, base64.StdEncoding.EncodeToString(png.Bytes())))
	p.wait(`document.querySelector('#dialog').open && document.querySelector('#dialog footer .main')?.textContent === 'Play'`)
	p.shot("question")
	p.click("#dialog footer .main")
	p.wait(`document.querySelector('#c0').textContent === '5' && document.querySelector('#c80').textContent === '9' && document.querySelector('#c2').textContent === ''`)
	p.shot("read")
}

// A screen reader gets a grid of 81 cells with names.
func TestGameAccessibility(t *testing.T) {
	p := play(t, desk, 0, 40)
	tree, err := chromedp.Call(p.ctx, accessibility.GetFullAXTree, accessibility.GetFullAXTreeParams{})
	p.do(err)
	cells, grids, unnamed := 0, 0, []string{}
	for _, node := range tree.Nodes {
		if node.Ignored || node.Role == nil {
			continue
		}
		var role, name string
		p.do(decode(node.Role.Value, &role))
		if node.Name != nil {
			p.do(decode(node.Name.Value, &name))
		}
		switch role {
		case "gridcell":
			cells++
		case "grid":
			grids++
		case "button", "menuitem", "checkbox", "link", "textbox", "combobox":
		default:
			continue
		}
		if name == "" {
			unnamed = append(unnamed, role)
		}
	}
	if grids != 1 || cells != 81 || len(unnamed) > 0 {
		t.Errorf("got %d grids, %d cells, and without a name %v", grids, cells, unnamed)
	}
}

// The menu has its items below each other where there is room for one column, and scrolls.
func TestGameMenuFits(t *testing.T) {
	for name, s := range map[string]screen{"phone": phone, "low": {width: 1000, height: 400}} {
		t.Run(name, func(t *testing.T) {
			p := open(t, "/", s)
			p.wait(ready)
			p.click("#menu-button")
			p.wait(`document.querySelector('#menu').matches(':popover-open')`)
			p.shot("menu")
			if out := js[[]string](p, `[...document.querySelectorAll('#menu button, #menu a')].filter(one => one.getBoundingClientRect().left < 0 || one.getBoundingClientRect().right > innerWidth).map(one => one.textContent)`); len(out) > 0 {
				t.Errorf("beside the screen: %q", out)
			}
		})
	}
}

// A new player sees a board with an easy puzzle, which the first key plays, and nothing lies over it. In the
// dialog for a new puzzle only what counts is live.
func TestGameBegins(t *testing.T) {
	for name, s := range map[string]screen{"desk": desk, "phone": phone} {
		t.Run(name, func(t *testing.T) {
			p := open(t, "/", s)
			p.wait(ready)
			p.shot("begin")
			if state := js[string](p, `document.documentElement.dataset.state`); state != "playing" {
				t.Errorf("the state is %q", state)
			}
			for _, cell := range []int{0, 40, 80} { // the cells get what is pressed
				if at := js[string](p, fmt.Sprintf(`(() => {
					const { left, top, width, height } = document.querySelector('#c%d').getBoundingClientRect();
					return document.elementFromPoint(left + width / 2, top + height / 2).closest('[role=gridcell]')?.id ?? '';
				})()`, cell)); at != fmt.Sprintf("c%d", cell) {
					t.Errorf("over cell %d lies %q", cell, at)
				}
			}
			p.keys("8")
			p.waitDigit(0, '8')
			p.keys("n")
			p.wait(`document.querySelector('#dialog').open`)
			live := `[...document.querySelectorAll('#dialog select, #dialog input')].map(one => one.disabled ? '-' : 'x').join('')`
			p.shot("easy")
			if got := js[string](p, live); got != "x-x" {
				t.Errorf("for easy the controls are %s, want x-x", got)
			}
			p.keys(kb.ArrowDown + kb.ArrowDown + kb.ArrowDown + kb.ArrowDown)
			p.wait(live + ` === 'xxx'`)
			p.shot("empty")
			p.keys(kb.ArrowDown + kb.ArrowDown)
			p.wait(live + ` === 'x--'`)
			p.shot("daily")
			// A player may choose faster than the game answers.
			js[any](p, `(() => {
				const select = document.querySelector('#dialog select');
				globalThis.written = [];
				Object.defineProperty(select, 'value', { get() { return this.selectedIndex; }, set(at) { written.push(at); this.selectedIndex = at; } });
				for (const at of [1, 2, 3, 5]) { select.selectedIndex = at; select.onchange(); }
			})()`)
			p.wait(live + ` === 'xxx'`)
			if written := js[[]int](p, `written.filter(at => at !== 5)`); len(written) > 0 {
				t.Errorf("the page went back to the choices %v", written)
			}
		})
	}
}

func TestGameLooks(t *testing.T) {
	for name, s := range map[string]screen{"desk": desk, "tablet": tablet, "phone": phone, "dark": {width: 1440, height: 900, dark: true}} {
		t.Run(name, func(t *testing.T) {
			p := play(t, s, 0, 1, 2, 40, 41, 80)
			p.shot("playing")
			if js[bool](p, `document.documentElement.scrollWidth > innerWidth`) {
				t.Error("the page is wider than the screen")
			}
		})
	}
}
