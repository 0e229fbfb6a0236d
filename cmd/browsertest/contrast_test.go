package browsertest

import (
	"fmt"
	"testing"
)

// lowContrast is an expression: the texts of a page whose contrast is below 4.5 (WCAG 1.4.3), with the
// colours that the browser has computed. A text on several colours is compared with each of them. What
// is switched off, and what only screen readers get, may have less.
const lowContrast = `(() => {
	const page = %s;
	const channel = v => (v /= 255) <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4;
	const canvas = new OffscreenCanvas(1, 1).getContext('2d', {willReadFrequently: true});
	const over = (color, back, alpha = 1) => {
		canvas.globalAlpha = 1;
		canvas.fillStyle = back; canvas.fillRect(0, 0, 1, 1);
		canvas.globalAlpha = alpha;
		canvas.fillStyle = color; canvas.fillRect(0, 0, 1, 1);
		return canvas.getImageData(0, 0, 1, 1).data;
	};
	const css = ([r, g, b]) => 'rgb(' + r + ' ' + g + ' ' + b + ')';
	const light = ([r, g, b]) => 0.2126 * channel(r) + 0.7152 * channel(g) + 0.0722 * channel(b);
	const backgrounds = node => {
		const chain = [];
		for (let one = node; one; one = one.parentElement) chain.push(getComputedStyle(one));
		return chain.reverse().reduce((backs, style) => {
			const under = backs.map(back => css(over(style.backgroundColor, back)));
			const stripes = style.backgroundImage.match(/(?:rgba?|color|oklch|oklab|hsl)\([^()]*\)/g) ?? [];
			return stripes.length ? under.flatMap(back => stripes.map(color => css(over(color, back)))) : under;
		}, ['rgb(255 255 255)']);
	};
	const opacity = node => node ? getComputedStyle(node).opacity * opacity(node.parentElement) : 1;
	const low = [];
	const texts = page.createTreeWalker(page.body, NodeFilter.SHOW_TEXT);
	while (texts.nextNode()) {
		const node = texts.currentNode.parentElement;
		if (!texts.currentNode.data.trim() || !node.checkVisibility({visibilityProperty: true}) || node.closest('.unseen, .skip, noscript, :disabled, [aria-disabled=true], [aria-live]')) continue;
		for (const back of backgrounds(node)) {
			const [a, b] = [light(over(getComputedStyle(node).color, back, opacity(node))), light(over(back, back))].sort((x, y) => y - x);
			const ratio = (a + 0.05) / (b + 0.05);
			if (ratio < 4.5) low.push(ratio.toFixed(1) + ' on ' + back + ' ' + node.outerHTML.slice(0, 100));
		}
	}
	return [...new Set(low)];
})()`

// checkContrast fails the test for texts that are hard to read. page is an expression: the document.
func (p *tab) checkContrast(what, page string) {
	p.t.Helper()
	if low := js[[]string](p, fmt.Sprintf(lowContrast, page)); len(low) > 0 {
		p.t.Errorf("%s: low contrast: %q", what, low)
	}
}

// Each theme of the game can be read: digits, notes, colours, hints, mistakes, the menu and a dialog.
func TestGameContrast(t *testing.T) {
	for name, dark := range map[string]bool{"light": false, "dark": true} {
		t.Run(name, func(t *testing.T) {
			s := desk
			s.dark = dark
			p := newTab(t, browserOf(t), s)
			p.visit(siteURL(t) + "/#53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79")
			p.wait(`document.querySelector('#dialog').open`)
			p.checkContrast("question", "document")
			p.click("#dialog button")
			p.wait(`!document.querySelector('#dialog').open`)
			p.start()
			themes := js[[]string](p, `['', ...new Set([...document.styleSheets].flatMap(sheet => [...sheet.cssRules]).flatMap(rule => rule.cssText.match(/(?<=data-theme="?)[\w-]+/g) ?? []))]`)
			if len(themes) < 6 {
				t.Errorf("got the themes %q", themes)
			}
			check := func(what string) {
				for _, theme := range themes {
					js[any](p, fmt.Sprintf(`(() => { if (%q) document.documentElement.dataset.theme = %[1]q; else delete document.documentElement.dataset.theme; })()`, theme))
					js[any](p, `document.getAnimations().forEach(one => { try { one.finish(); } catch { one.cancel(); } })`)
					p.checkContrast(what+" in theme "+theme, "document")
					p.shot(what + "-" + theme)
				}
			}
			p.keys("H") // notes
			p.click("#c30")
			p.keys("c")
			p.keys("123456789c")
			p.click("#c3")
			for range 2 {
				before := js[string](p, `document.querySelector('#hint').textContent`)
				p.keys("?")
				p.wait(fmt.Sprintf(`document.querySelector('#hint').textContent !== %q`, before))
			}
			check("hint")
			p.click("#c2")
			p.keys("5")
			p.wait(`document.querySelector('.clash')`)
			js[any](p, `document.querySelector('#menu').showPopover()`)
			check("mistake")
		})
	}
}

// The playground and the session in it can be read.
func TestPlaygroundContrast(t *testing.T) {
	for name, dark := range map[string]bool{"light": false, "dark": true} {
		t.Run(name, func(t *testing.T) {
			s := desk
			s.dark = dark
			p := open(t, "/playground/", s)
			p.waitActive("locked")
			p.press("coin")
			p.waitActive("open")
			p.checkContrast("session", inspector)
			p.replace(`target="locked"`, `target="shut" cond="visitors =="`)
			p.wait(`document.querySelectorAll('#problems li').length > 1`)
			p.checkContrast("document", "document")
		})
	}
}
