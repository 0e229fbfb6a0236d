package browsertest

import (
	"fmt"
	"testing"

	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// within is an expression: whether a state of the document is in another one; "" for the chart.
func within(state, parent string) string {
	return fmt.Sprintf(`(new DOMParser().parseFromString(%s.value, 'application/xml').querySelector('[id=%s]').parentNode.getAttribute('id') ?? '') === '%s'`, area, state, parent)
}

// A state that is dragged by its handle goes into the one it is dropped on.
func TestEditMovesByHandle(t *testing.T) {
	p := openDrawing(t, widths["1280"], lights)
	grip := func() (x, y float64) {
		at := js[[]float64](p, `(() => {
			const { x, y, width, height } = document.querySelector('#picture').shadowRoot.querySelector('.grip').getBoundingClientRect();
			return [x + width / 2, y + height / 2];
		})()`)
		return at[0], at[1]
	}
	p.tap("a2")
	x1, y1 := grip()
	x2, y2 := p.place("b2")
	p.glide(x1, y1, x2, y2)
	p.wait(within("a2", "b2"))
	p.wait(`document.querySelector('#tree [aria-selected=true]').dataset.name === 'a2'`)
	p.shot("moved")
	p.click(`[data-do=undo]`)
	p.wait(within("a2", "a") + ` && document.querySelector('#tree [data-name=a2][aria-level="4"]')`)

	// By finger, into the chart.
	p.tap("a2")
	x1, y1 = grip()
	x2, y2 = p.place("b2")
	for i, kind := range []input.DispatchTouchEventType{"touchStart", "touchMove", "touchMove", "touchEnd"} {
		touch := input.DispatchTouchEventParams{Type: kind}
		if kind != "touchEnd" {
			touch.TouchPoints = []*input.TouchPoint{[]*input.TouchPoint{{X: x1, Y: y1}, {X: x2, Y: y2}, {X: x1, Y: y1 - 400}}[i]}
		}
		_, err := chromedp.Call(p.ctx, input.DispatchTouchEvent, touch)
		p.do(err)
		if i == 1 {
			p.wait(`document.querySelector('#picture').shadowRoot.querySelector('.highlight').dataset.state === 'b2'`)
		}
		if i == 2 {
			p.waitText("#told", "move a2 into the chart")
		}
	}
	p.wait(within("a2", "") + ` && document.querySelector('#tree [data-name=a2][aria-level="2"]')`)

	// What would not be a chart is refused, with the reason.
	p.tap("both")
	x1, y1 = grip()
	x2, y2 = p.place("b1")
	p.glide(x1, y1, x2, y2)
	p.waitText("#told", `"b1" is "both" or in it`)
}

// Transitions are cut, copied and pasted by keys, as states are.
func TestEditCopiesTransitions(t *testing.T) {
	p := openDrawing(t, desk, lights)
	choose := func(name string) {
		p.click(`#tree [data-name="` + name + `"]`)
		js[any](p, `document.querySelector('#tree [tabindex="0"]').focus()`)
	}
	choose("a1/1")
	p.control("c")
	p.waitText("#told", "a1/1 is copied")
	choose("b2")
	p.control("v")
	p.wait(`document.querySelector('#tree [aria-selected=true]').dataset.name === 'b2/1' && document.querySelector('#tree [data-name="a1/1"]')`)
	choose("b1/1")
	p.control("x")
	p.wait(`!document.querySelector('#tree [data-name="b1/1"]')`)
	choose("a2")
	p.control("v")
	p.wait(`document.querySelector('#fields [name=event]')?.value === 'right' && document.querySelector('#tree [aria-selected=true]').dataset.name === 'a2/1'`)
	p.control("v") // into the state of the transition that is selected
	p.wait(`document.querySelector('#tree [data-name="a2/2"]')`)
	p.keys(kb.Home)
	p.control("v")
	p.waitText("#told", "choose a state first")
	for range 4 {
		p.control("z")
	}
	p.wait(area + `.value === ` + fmt.Sprintf("%q", lights))
}
