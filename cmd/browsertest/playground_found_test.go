package browsertest

import (
	"testing"

	"github.com/chromedp/chromedp/kb"
)

// lights gets stuck after "left" and "right", and has two green lights on the way.
const lights = `<scxml version="1.0" xmlns="http://www.w3.org/2005/07/scxml" initial="both">
  <parallel id="both">
    <state id="a"><state id="a1"><transition event="left" target="a2"/></state><state id="a2"/></state>
    <state id="b"><state id="b1"><transition event="right" target="b2"/></state><state id="b2"/></state>
  </parallel>
</scxml>
`

// lit is an expression: the names of the states and transitions that are lit in the picture, in order.
const lit = `[...document.querySelector('#picture').shadowRoot.querySelectorAll('.active')].map(one => one.dataset.state ?? one.dataset.transition).sort().join(' ')`

// search looks for mistakes of the chart by keyboard.
func (p *tab) search(never string) {
	js[any](p, `document.querySelector('#tree [tabindex="0"]').focus()`)
	p.shortcut("f")
	p.wait(`document.querySelector('#search').open`)
	js[any](p, `document.querySelector('#search [name=never]').select()`)
	p.keys(never + kb.Enter)
	p.wait(`!document.querySelector('#found').hidden`)
}

// A way to a mistake is shown in the picture step by step, by keyboard and by mouse, and told in words.
func TestEditShowsCounterexample(t *testing.T) {
	for name, s := range widths {
		t.Run(name, func(t *testing.T) {
			p := openDrawing(t, s, lights)
			p.search("In('a2') && In('b2')")
			p.waitText("#told", "2 mistakes: 4 states visited")
			p.wait(lit + ` === 'a a1 b b1 both' && document.activeElement.matches('#steps [aria-selected=true]')`)
			p.keys(kb.ArrowDown)
			p.wait(lit + ` === 'a a1/1 a2 b b1 both'`)
			if label, want := js[string](p, `document.activeElement.textContent`), "2. left. Taken: a1/1. Active: a2, b1"; label != want {
				t.Errorf("the step is told as %q, want %q", label, want)
			}
			p.shot("step-" + name)
			p.click(`#steps li:last-child`)
			p.wait(lit + ` === 'a a2 b b1/1 b2 both'`)
			p.wait(`document.querySelector('.paint .pointed').textContent.includes('id="b1"')`)
			// The session, which is where it began, takes nothing back.
			js[any](p, `new Promise(done => setTimeout(done, 1200))`)
			p.wait(lit + ` === 'a a2 b b1/1 b2 both'`)
			js[any](p, `(() => { const list = document.querySelector('#found-what'); list.value = '1'; list.dispatchEvent(new Event('change')); })()`)
			p.waitText("#found-text", "deadlock")
			p.click(`#steps li`)
			p.keys(kb.Escape)
			p.wait(`document.querySelector('#found').hidden && ` + lit + ` === 'a a1 b b1 both' && document.activeElement.matches('#tree li')`)

			// What was found is of the document as it was.
			p.search("In('a2')")
			p.click(`#tree [data-name=b2]`)
			p.click(`[data-do=delete]`)
			p.wait(`document.querySelector('#dangling').open`)
			p.click(`#dangling [value=delete]`)
			p.wait(`document.querySelector('#found').hidden && !document.querySelector('#tree [data-name=b2]')`)
		})
	}
}

// A state is shown alone, with the steps to a mistake and under its new name.
func TestEditOpens(t *testing.T) {
	p := openDrawing(t, desk, lights)
	p.search("In('a2')")
	p.keys(kb.ArrowDown)
	p.click(`#tree [data-name=a]`)
	p.click(`[data-do=open]`)
	p.wait(`!document.querySelector('#picture').shadowRoot.querySelector('[data-state=b]') && ` + lit + ` === 'a a1/1 a2'`)
	js[any](p, `document.querySelector('#fields [name=id]').select()`)
	p.keys("z" + kb.Enter)
	p.wait(`document.querySelector('#picture').shadowRoot.querySelector('[data-state=z]') && !document.querySelector('#picture').shadowRoot.querySelector('[data-state=b]') && !document.querySelector('#whole').hidden`)
	p.click(`#whole`)
	p.wait(`document.querySelector('#picture').shadowRoot.querySelector('[data-state=b]')`)
}

// What is typed while a change is under way is not lost, and does nothing else.
func TestEditTypedQuickly(t *testing.T) {
	p := openDrawing(t, desk, lights)
	p.click(`#tree [data-name=b2]`)
	js[any](p, `document.querySelector('#fields [name=id]').select()`)
	p.keys("end" + kb.Tab + "<log/>")
	p.wait(area + `.value.includes('<state id="end"') && document.activeElement.name === 'onentry'`)
	p.keys(kb.Tab)
	p.wait(area + `.value.includes('<log/>')`)
	p.click(`#tree [data-name=b1]`)
	js[any](p, `document.querySelector('#tree [tabindex="0"]').focus()`)
	for _, key := range []string{"b", "r", "a", "r"} { // a name that is typed at once
		p.shortcut(key)
	}
	p.wait(`document.activeElement.name === 'id'`)
	p.wait(`document.querySelectorAll('#tree li').length === 11`)
	// Keys with Ctrl are all done, one after the other.
	p.click(`#tree [data-name=a2]`)
	js[any](p, `document.querySelector('#tree [tabindex="0"]').focus()`)
	p.control("c")
	p.control("v")
	p.control("v")
	p.wait(`document.querySelector('#tree [data-name=a3]') && document.querySelector('#tree [data-name=a4]')`)
}

// Actions are completed as in an editor, by keyboard and by mouse.
func TestEditCompletesActions(t *testing.T) {
	p := openDrawing(t, desk, lights)
	p.click(`#tree [data-name="a1/1"]`)
	p.click(`#fields [name=actions]`)
	p.keys("<rai")
	p.wait(`document.querySelector('#fields [role=option]')`)
	p.waitText("#told", "1 completion")
	p.keys(kb.ArrowDown)
	p.wait(`document.getElementById(document.activeElement.getAttribute('aria-activedescendant')).textContent.startsWith('raise')`)
	p.shortcut("Enter")
	p.wait(`document.activeElement.value === '<raise event=""/>' && document.activeElement.selectionStart === 14`)
	p.wait(`!document.querySelector('#field-actions-list').hidden`) // what events there are
	p.shot("events")
	p.keys("ri")
	p.wait(`document.querySelectorAll('#field-actions-list li').length === 1`)
	p.click(`#field-actions-list li`)
	p.wait(`document.activeElement.value === '<raise event="right"/>'`)
	p.keys(kb.Escape) // takes it back
	p.wait(`document.querySelector('#fields [name=actions]').value === '' && document.activeElement.matches('#tree li')`)

	p.click(`#tree [data-name=b2]`)
	p.click(`#fields [name=onentry]`)
	p.keys("<lo")
	p.wait(`document.querySelector('#field-onentry-list [role=option]')`)
	p.keys(kb.Escape) // closes the list alone
	p.wait(`document.querySelector('#field-onentry-list').hidden && document.activeElement.value === '<lo'`)
	p.keys("g")
	p.wait(`!document.querySelector('#field-onentry-list').hidden`)
	p.keys(kb.ArrowDown + kb.Tab)
	p.wait(`document.activeElement.value === '<log expr=""/>'`)
	p.keys("1")
	js[any](p, `document.activeElement.blur()`)
	p.wait(area + ".value.includes('<onentry>') && " + area + ".value.includes('<log expr=\"1\"/>')")
}
