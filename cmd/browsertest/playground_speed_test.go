package browsertest

import (
	"flag"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/performance"
	"github.com/chromedp/chromedp"
)

var changes = flag.Int("speed.changes", 0, "`number` of changes of a large chart that are measured")

// large is a chart of 300 states in 20 groups, with a transition from each to the next.
func large() string {
	var b strings.Builder
	b.WriteString(`<scxml version="1.0" xmlns="http://www.w3.org/2005/07/scxml" initial="g0">` + "\n")
	for g := range 20 {
		fmt.Fprintf(&b, "  <state id=\"g%d\">\n    <transition event=\"next\" target=\"g%d\"/>\n", g, (g+1)%20)
		for i := range 14 {
			fmt.Fprintf(&b, "    <state id=\"g%ds%d\">\n      <onentry><log expr=\"%d\"/></onentry>\n      <transition event=\"e%d\" target=\"g%ds%d\"/>\n    </state>\n", g, i, i, i, g, (i+1)%14)
		}
		b.WriteString("  </state>\n")
	}
	return b.String() + "</scxml>\n"
}

// From a key until the change of a chart of 300 states is shown.
func TestSpeedOfEditing(t *testing.T) {
	if *changes == 0 {
		t.Skip("needs -speed.changes N")
	}
	p := openDrawing(t, desk, large())
	p.wait(`document.querySelectorAll('#tree li').length > 300`)
	_, err := chromedp.Call(p.ctx, performance.Enable, performance.EnableParams{TimeDomain: performance.EnableTimeDomainThreadTicks})
	p.do(err)
	// shown is a promise: the time from a change until the frame after it, in ms.
	js[any](p, `(() => { window.shown = (work, done) => new Promise(resolve => {
		const began = performance.now();
		const look = () => done() ? requestAnimationFrame(() => setTimeout(() => resolve(performance.now() - began))) : setTimeout(look);
		work();
		look();
	}); })()`)
	// Each kind of change, of an item of the tree, and when it is shown.
	const field = `(() => { const field = document.querySelector('#fields [name=%s]'); field.value = '%s'; field.dispatchEvent(new Event('change')); })()`
	const button = `(() => { window.had = document.querySelectorAll('#tree li').length; document.querySelector('[data-do=%s]').click(); })()`
	for _, kind := range []struct{ name, of, work, done string }{
		{"rename", "g5s5", fmt.Sprintf(field, "id", "xNUMBER"), `document.querySelector('#picture').shadowRoot.querySelector('[data-state=xNUMBER]')`},
		{"long name", "g8s8", fmt.Sprintf(field, "id", "longer-name-NUMBERNUMBERNUMBER"), `document.querySelector('#picture').shadowRoot.querySelector('[data-state=longer-name-NUMBERNUMBERNUMBER]')`},
		{"event", "g6s6/1", fmt.Sprintf(field, "event", "yNUMBER"), `[...document.querySelector('#picture').shadowRoot.querySelectorAll('.event')].some(one => one.textContent === 'yNUMBER')`},
		{"beside", "g7s7", fmt.Sprintf(button, "beside"), `document.querySelectorAll('#tree li').length > window.had`},
		{"undo", "", fmt.Sprintf(button, "undo"), `document.querySelectorAll('#tree li').length < window.had`},
		{"select", "g9s9", `(() => { window.of = document.querySelectorAll('#tree li')[10 + NUMBER]; window.of.click(); })()`, `document.querySelector('#tree [aria-selected=true]').dataset.name === window.of.dataset.name`},
	} {
		if kind.of != "" {
			js[any](p, `document.querySelector('#tree [data-name="`+kind.of+`"]').click()`)
		}
		var all []float64
		work := map[string]float64{}
		for i := range *changes {
			before := p.metrics()
			number := func(s string) string { return strings.ReplaceAll(s, "NUMBER", fmt.Sprint(i)) }
			all = append(all, js[float64](p, fmt.Sprintf(`window.shown(() => { %s; }, () => %s)`, number(kind.work), number(kind.done))))
			for name, value := range p.metrics() {
				work[name] += (value - before[name]) * 1000 / float64(*changes)
			}
			js[any](p, `new Promise(done => setTimeout(done, 700))`) // the check of the text, and the session
		}
		slices.Sort(all)
		t.Logf("%s: median %.0f ms, %.0f to %.0f", kind.name, all[len(all)/2], all[0], all[len(all)-1])
		t.Logf("  processor time of the page: %.0f ms, of these scripts %.0f, styles %.0f, layout %.0f", work["TaskDuration"], work["ScriptDuration"], work["RecalcStyleDuration"], work["LayoutDuration"])
	}
}
