package browsertest

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/accessibility"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// A node is what a screen reader is told about an element.
type node struct{ role, name string }

func (p *tab) nodes() (all []node) {
	p.t.Helper()
	tree, err := chromedp.Call(p.ctx, accessibility.GetFullAXTree, accessibility.GetFullAXTreeParams{})
	p.do(err)
	text := func(v *accessibility.Value) (s string) {
		if v != nil {
			_ = json.Unmarshal(v.Value, &s) // other values are not texts
		}
		return s
	}
	for _, n := range tree.Nodes {
		if !n.Ignored {
			all = append(all, node{text(n.Role), text(n.Name)})
		}
	}
	return all
}

func TestScreenReader(t *testing.T) {
	p := open(t, show(t, "crossing", crossing).run(t).url, desk)
	p.press("go")
	p.waitText("#say", "Step 1: go, → green. Active: green, open")
	p.waitText("#step-head", "Step 1")
	controls := map[string]bool{}
	for _, role := range strings.Fields("button textbox searchbox slider listbox option combobox checkbox spinbutton link application navigation region complementary progressbar group") {
		controls[role] = true
	}
	have := map[node]bool{}
	for _, n := range p.nodes() {
		have[n] = true
		if controls[n.role] && strings.TrimSpace(n.name) == "" && n.role != "group" {
			t.Errorf("a %s has no name", n.role)
		}
	}
	for _, want := range []node{
		{"application", "Statechart Crossing"}, {"slider", "Step"}, {"listbox", "Steps"},
		{"button", "halt"}, {"button", "Step back"}, {"heading", "Step 1"}, {"region", "Log"}, {"complementary", "Details"},
	} {
		if !have[want] {
			t.Errorf("the page has no %s named %q", want.role, want.name)
		}
	}
	if !js[bool](p, `document.querySelector('#' + document.querySelector('#rows').getAttribute('aria-activedescendant')).ariaSelected === 'true'`) {
		t.Error("the chosen row of the log is not the active one")
	}

	p.press("Outline")
	p.wait(`document.querySelector('#outline .active .active .active').textContent.includes('green active')`)
}

// Each control is reached with the tab key, and the focus can be seen.
func TestTabKey(t *testing.T) {
	p := open(t, show(t, "crossing", crossing).run(t).url, desk)
	p.waitActive("on light red shop open")
	p.wait(`document.querySelector('table.cells button')`)
	js[any](p, `(window.met = new Set(), window.unseen = [], document.addEventListener('focusin', ({target}) => {
		met.add(target);
		if (getComputedStyle(target).outlineStyle === 'none') unseen.push(target.outerHTML.slice(0, 80));
	}), 1)`)
	count := js[int](p, `document.querySelectorAll('button, input, select, summary, [tabindex]').length`)
	for range count + 5 {
		p.keys(kb.Tab)
	}
	missed := js[[]string](p, `[...document.querySelectorAll('button, input, select, summary, [tabindex]')].filter(one => one.tabIndex >= 0 && !one.disabled && one.checkVisibility({visibilityProperty: true}) && !met.has(one)).map(one => one.outerHTML.slice(0, 80))`)
	if len(missed) > 0 {
		t.Errorf("the tab key does not reach %q", missed)
	}
	if unseen := js[[]string](p, `unseen`); len(unseen) > 0 {
		t.Errorf("the focus cannot be seen on %q", unseen)
	}
}

// WCAG 1.4.3: the contrast of texts is at least 4.5.
func TestContrast(t *testing.T) {
	for name, dark := range map[string]bool{"light": false, "dark": true} {
		t.Run(name, func(t *testing.T) {
			s := desk
			s.dark = dark
			p := open(t, show(t, "crossing", crossing).run(t).url, s)
			p.press("fail")
			p.press("order")
			p.press("go")
			p.waitText("#place", "4 / 4")
			p.press("Step back")
			p.press("Sessions")
			p.waitText("#send-head", "Continue from here")
			p.shot("page")
			p.checkContrast("page", "document")
		})
	}
}

// On a phone one pane is shown at a time, nothing is cut off, and a finger hits the controls.
func TestPhone(t *testing.T) {
	for name, dark := range map[string]bool{"light": false, "dark": true} {
		t.Run(name, func(t *testing.T) {
			s := phone
			s.dark = dark
			p := open(t, show(t, "crossing", crossing).run(t).url, s)
			p.waitActive("on light red shop open")
			p.press("Send")
			p.press("order")
			p.press("go")
			p.waitText("#place", "3 / 3")
			for _, pane := range []string{"Chart", "Log", "Send", "Details"} {
				p.press(pane)
				p.wait(`document.querySelector('#panes [aria-current]').textContent === '` + pane + `'`)
				p.shot(pane)
				if wide := js[[]string](p, `[...document.querySelectorAll('body *')].filter(one => one.checkVisibility() && !one.closest('.unseen, .wide, #picture, .skip, #sessions, summary > *') && one.getBoundingClientRect().right > innerWidth + 0.5).map(one => one.outerHTML.slice(0, 100))`); len(wide) > 0 {
					t.Errorf("%s: wider than the screen: %q", pane, wide)
				}
				if small := js[[]string](p, `[...document.querySelectorAll('button:not(.text), select, .row')].filter(one => one.checkVisibility() && one.getBoundingClientRect().height < (one.matches('.small, table button') ? 24 : 40)).map(one => one.outerHTML.slice(0, 100))`); len(small) > 0 {
					t.Errorf("%s: too small for a finger: %q", pane, small)
				}
			}
			p.press("Sessions")
			p.wait(`document.querySelector('#sessions').checkVisibility()`)
			p.shot("sessions")
			p.keys(kb.Escape)
			p.wait(`!document.querySelector('#sessions').checkVisibility()`)
			p.press("Sessions")
			p.wait(`document.querySelector('#sessions').checkVisibility()`)
			p.mouse(input.DispatchMouseEventParams{Type: chromedp.MousePressed, X: 360, Y: 400, Button: input.MouseButtonLeft})
			p.wait(`!document.querySelector('#sessions').checkVisibility()`)
		})
	}
}
