package browsertest

import (
	"context"
	"flag"
	"fmt"
	"math"
	"slices"
	"testing"
	"time"

	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

var (
	speedLoads = flag.Int("speed.loads", 1, "how `often` TestSpeed loads the page")
	speedKeys  = flag.Int("speed.keys", 60, "how many `keys` TestSpeed presses")
)

// TestSpeed reports, by the clock of the page, how long a player waits: for something to see, for a
// game to play, and from a key to what it changes. It fails if a figure is missing, and never because of its size,
// which depends on the machine.
func TestSpeed(t *testing.T) {
	// A key is measured without the wait for the next picture of a screen: 8 ms on average with 60 Hz.
	// A machine for tests has no graphics card, and to imitate one takes longer than to draw without.
	ctx := launchFor(t, chromedp.Flag("disable-frame-rate-limit", true), chromedp.Flag("disable-gpu-vsync", true), chromedp.Flag("disable-gpu", true))
	var p *tab
	figures := map[string][]float64{}
	for range *speedLoads {
		p = newTab(t, ctx, desk)
		for _, visit := range []string{"first visit", "next visit"} {
			p.visit(siteURL(t) + "/")
			p.wait(`document.documentElement.dataset.ready`)
			for name, at := range js[map[string]float64](p, marks) {
				figures[visit+", "+name] = append(figures[visit+", "+name], at)
			}
			p.wait(`navigator.serviceWorker.controller`)
		}
	}
	for _, name := range []string{"first-contentful-paint", "playable", "ready"} {
		for _, visit := range []string{"first visit", "next visit"} {
			report(t, visit+", "+name, figures[visit+", "+name])
		}
	}
	for group, times := range keyTimes(t, ctx, *speedKeys) {
		report(t, "key to paint, "+group, times)
	}
}

// marks is an expression: the marks of the page, in ms.
const marks = `Object.fromEntries([...performance.getEntriesByType('paint'), ...performance.getEntriesByType('mark')].map(entry => [entry.name, entry.startTime]))`

func report(t *testing.T, name string, ms []float64) {
	if len(ms) == 0 {
		t.Errorf("%s: nothing was measured", name)
		return
	}
	slices.Sort(ms)
	at := func(part float64) float64 { return ms[int(math.Ceil(part*float64(len(ms))))-1] }
	t.Logf("%-40s median %7.1f ms, 99%% within %7.1f ms, worst %7.1f ms (of %d)", name, at(0.5), at(0.99), at(1), len(ms))
}

// watch measures keys in the page: from the time of the event to the picture with the first change after
// it; the clock is not in main.
const watch = `addEventListener('DOMContentLoaded', () => {
	let began = 0;
	window.times = [];
	addEventListener('keydown', event => { began = event.timeStamp; }, true);
	new MutationObserver(() => {
		if (!began) return;
		const from = began;
		began = 0;
		requestAnimationFrame(() => {
			const after = new MessageChannel();
			after.port1.onmessage = () => times.push(performance.now() - from);
			after.port2.postMessage(null);
		});
	}).observe(document.querySelector('main'), { subtree: true, childList: true, attributes: true, characterData: true });
});`

// keyTimes plays a game with notes and hints, and returns how long each key took, by what it does.
func keyTimes(t *testing.T, ctx context.Context, count int) map[string][]float64 {
	p := newTab(t, ctx, desk)
	_, err := chromedp.Call(p.ctx, page.AddScriptToEvaluateOnNewDocument, page.AddScriptToEvaluateOnNewDocumentParams{Source: watch})
	p.do(err)
	p.visit(siteURL(t) + "/#" + "8..........36......7..9.2...5...7.......457.....1...3...1....68..85...1..9....4..")
	p.wait(`document.querySelector('#dialog').open`)
	p.click("#dialog button")
	p.wait(`!document.querySelector('#dialog').open`)
	p.start()
	groups := map[string][]float64{}
	press := func(group, key string) {
		time.Sleep(33 * time.Millisecond) // a key that is held down comes 30 times a second
		before := js[int](p, `times.length`)
		p.keys(key)
		time.Sleep(33 * time.Millisecond) // to look at once would make the page wait
		p.wait(fmt.Sprintf(`times.length > %d`, before))
		groups[group] = append(groups[group], js[float64](p, `times.at(-1)`))
	}
	time.Sleep(3 * time.Second) // a player who thinks first
	press("all candidates", "H")
	for done := 0; done < count; done += 8 {
		p.keys("?") // the times of hints are those of a service
		p.wait(`document.querySelector('#hint').textContent !== ''`)
		press("move", kb.ArrowRight)
		press("move", kb.ArrowDown)
		cell := js[int](p, `+document.querySelector('#board [tabindex="0"]').id.slice(1)`)
		if js[bool](p, fmt.Sprintf(`document.querySelector('#c%d').classList.contains('given')`, cell)) {
			press("move", kb.ArrowRight)
			continue
		}
		free := js[string](p, fmt.Sprintf(`document.querySelector('#c%d .notes')?.textContent.replaceAll(' ', '') ?? '1'`, cell))
		press("digit", free[:1])
		press("undo", "u")
		press("digit", free[len(free)-1:])
		press("undo", "u")
		press("notes", "m")
		press("notes", free[:1])
		press("notes", free[:1])
		press("notes", "m")
	}
	var all []float64
	for _, times := range groups {
		all = append(all, times...)
	}
	groups["all"] = all
	return groups
}
