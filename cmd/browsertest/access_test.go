package browsertest

import (
	"flag"
	"os"
	"testing"
)

var axe = flag.String("axe", "", "axe.min.js of axe-core, a `file`; .ci/run gets it from the npm registry")

// checkAccess fails the test for what axe-core finds in the page. It does not look into frames.
func (p *tab) checkAccess(what string) {
	p.t.Helper()
	p.shot(what)
	for _, found := range js[[]string](p, `axe.run(document, { iframes: false, resultTypes: ['violations'] })
		.then(({ violations }) => violations.flatMap(({ id, help, nodes }) => nodes.map(({ html }) => id + ': ' + help + ': ' + html.slice(0, 200))))`) {
		p.t.Errorf("%s: %s", what, found)
	}
}

// The page that edits has nothing that axe-core finds fault with, in each dialog, in light and dark.
func TestEditAccess(t *testing.T) {
	if *axe == "" {
		t.Skip("needs -axe FILE")
	}
	program, err := os.ReadFile(*axe)
	if err != nil {
		t.Fatal(err)
	}
	for name, s := range map[string]screen{"light": widths["1280"], "dark": {width: 390, height: 844, phone: true, dark: true}} {
		t.Run(name, func(t *testing.T) {
			p := openDrawing(t, s, lights)
			js[any](p, `(() => {`+string(program)+`})()`)
			p.checkAccess("chart")
			p.click(`#tree [data-name="a1/1"]`)
			p.checkAccess("transition")
			p.click(`#fields [name=actions]`)
			p.keys("<")
			p.wait(`document.querySelector('#fields [role=option]')`)
			p.shortcut("ArrowDown")
			p.checkAccess("completions")
			p.keys("x")
			js[any](p, `document.activeElement.blur()`)
			p.wait(`document.querySelector('#fields [aria-invalid]')`)
			p.checkAccess("refused")

			js[any](p, `document.querySelector('[data-do=explore]').click()`)
			p.wait(`document.querySelector('#search').open`)
			p.checkAccess("search")
			p.click(`#search [value=search]`)
			p.wait(`!document.querySelector('#found').hidden`)
			p.checkAccess("found")
			p.click(`#found-close`)

			js[any](p, `document.querySelector('#tree [data-name=a2]').click()`)
			js[any](p, `document.querySelector('[data-do=delete]').click()`)
			p.wait(`document.querySelector('#dangling').open`)
			p.checkAccess("dangling")
			p.click(`#dangling [value=""]`)
			js[any](p, `document.querySelector('#conflict').showModal()`) // as after saving, see TestEditFile
			p.checkAccess("conflict")
		})
	}
}
