package browsertest

import (
	"fmt"

	"github.com/chromedp/chromedp/kb"
)

// inspector is an expression: the document of the inspector, which the playground has in a frame.
const inspector = `(document.querySelector('#inspector')?.contentDocument ?? document)`

// active is an expression: the names of the states that are lit in the picture.
const active = `[...` + inspector + `.querySelector('#picture').shadowRoot.querySelectorAll('[data-state].active')].map(node => node.dataset.state).join(' ')`

// waitActive waits until just these states are lit.
func (p *tab) waitActive(names string) {
	p.t.Helper()
	p.wait(fmt.Sprintf(`%s === %q`, active, names))
}

// press moves the focus to the control of the inspector with a name, and presses Enter.
func (p *tab) press(name string) {
	p.t.Helper()
	p.wait(fmt.Sprintf(`(() => {
		const page = %s;
		const control = [...page.querySelectorAll('button, summary')].find(one => one.checkVisibility() && !one.disabled && (one.ariaLabel ?? one.textContent).trim() === %q);
		control?.focus();
		return control && page.activeElement === control;
	})()`, inspector, name))
	p.keys(kb.Enter)
}
