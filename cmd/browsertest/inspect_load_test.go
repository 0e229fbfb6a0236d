package browsertest

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/performance"
	"github.com/chromedp/chromedp"

	"github.com/scxmlrun/scxmlrun/scxml"
)

const counter = `<scxml xmlns="http://www.w3.org/2005/07/scxml" version="1.0" name="Counter" initial="even">
  <datamodel><data id="count" expr="0"/></datamodel>
  <state id="even"><transition event="step" target="odd"><assign location="count" expr="count + 1"/></transition></state>
  <state id="odd"><transition event="step" target="even"><assign location="count" expr="count + 1"/></transition></state>
</scxml>`

// metrics returns figures of the page's main thread; durations are processor time in seconds.
func (p *tab) metrics() map[string]float64 {
	p.t.Helper()
	answer, err := chromedp.Call(p.ctx, performance.GetMetrics, cdp.Empty{})
	p.do(err)
	all := map[string]float64{}
	for _, m := range answer.Metrics {
		all[m.Name] = m.Value
	}
	return all
}

// step makes n steps.
func (s *shown) step(t *testing.T, n int) {
	t.Helper()
	for range n {
		if _, err := s.session.Do(t.Context(), s.session.Now(), scxml.Event{Name: "step"}); err != nil {
			t.Fatal(err)
		}
	}
}

// Ten thousand events a second are shown: the page draws the newest of them in each frame, and
// neither its elements nor its requests grow with their number.
func TestTenThousandEventsASecond(t *testing.T) {
	s := show(t, "counter", counter)
	if err := s.session.Start(t.Context()); err != nil {
		t.Fatal(err)
	}
	p := open(t, s.url, desk)
	p.waitActive("even")
	_, err := chromedp.Call(p.ctx, performance.Enable, performance.EnableParams{TimeDomain: performance.EnableTimeDomainThreadTicks})
	p.do(err)
	before := p.metrics()
	js[any](p, `(window.seen = {frames: 0, worst: 0, places: new Set(), began: performance.now(), requests: performance.getEntriesByType('resource').length, last: performance.now()}, requestAnimationFrame(function frame(now) {
		seen.frames++;
		seen.worst = Math.max(seen.worst, now - seen.last);
		seen.last = now;
		seen.places.add(document.querySelector('#place').textContent);
		seen.raf = requestAnimationFrame(frame);
	}), performance.setResourceTimingBufferSize(100000), 1)`)
	const events, batch = 30_000, 100
	began := time.Now()
	tick := time.NewTicker(time.Second * batch / 10_000)
	defer tick.Stop()
	var busy time.Duration
	for n := 0; n < events; n += batch {
		<-tick.C
		at := time.Now()
		s.step(t, batch)
		busy += time.Since(at)
	}
	took := time.Since(began)
	seen := js[struct {
		Frames, Places, Requests, Elements int
		Worst, Took                        float64
	}](p, `(cancelAnimationFrame(seen.raf), {frames: seen.frames, worst: seen.worst, places: seen.places.size, took: performance.now() - seen.began, requests: performance.getEntriesByType('resource').length - seen.requests, elements: document.querySelectorAll('.row').length})`)
	after := p.metrics()
	perFrame := func(name string) float64 { return (after[name] - before[name]) / float64(seen.Frames) * 1000 }
	t.Logf("%d events in %v, of which the session worked %v; the page drew %.0f frames a second (worst %.0f ms) with %.1f ms of its thread each (script %.1f, layout and style %.1f), %d different steps, %d requests",
		events, took.Round(time.Millisecond), busy.Round(time.Millisecond), float64(seen.Frames)/seen.Took*1000, seen.Worst,
		perFrame("TaskDuration"), perFrame("ScriptDuration"), perFrame("LayoutDuration")+perFrame("RecalcStyleDuration"), seen.Places, seen.Requests)
	p.wait(`document.querySelector('#place').textContent === '30,000 / 30,000'`)
	p.waitText("#step-head", "Step 30000")
	p.waitText("#data .body", "count30000before: 29999")
	if view := js[int](p, `Math.ceil(document.querySelector('#rows').clientHeight / 28)`); seen.Elements > view+3 {
		t.Errorf("the log has %d elements for %d rows in view", seen.Elements, view)
	}
	if seen.Places < 5 {
		t.Errorf("only %d of %d steps were shown", seen.Places, events)
	}
	if seen.Requests > events/20 {
		t.Errorf("%d requests for %d events", seen.Requests, events)
	}
}

// Any of a hundred thousand steps is shown when it is chosen.
func TestAnyOfAHundredThousandSteps(t *testing.T) {
	s := show(t, "counter", counter)
	if err := s.session.Start(t.Context()); err != nil {
		t.Fatal(err)
	}
	s.step(t, 100_000)
	p := open(t, s.url, desk)
	p.waitText("#place", "100,000 / 100,000")
	rng := rand.New(rand.NewPCG(1, 2))
	var times []float64
	for range 40 {
		n := rng.IntN(100_000)
		took := js[float64](p, fmt.Sprintf(`new Promise(done => {
			const began = performance.now();
			const slider = document.querySelector('#slider');
			slider.value = %d;
			slider.dispatchEvent(new Event('input'));
			(function look() {
				const row = document.querySelector('#row-%[1]d.chosen');
				if (document.querySelector('#step-head').textContent === 'Step %[1]d' && row && !row.textContent.includes('…')) done(performance.now() - began);
				else if (performance.now() - began > 10000) done(-1);
				else requestAnimationFrame(look);
			})();
		})`, n))
		if took < 0 {
			t.Fatalf("step %d is not shown", n)
		}
		times = append(times, took)
		state := "even"
		if n%2 == 1 {
			state = "odd"
		}
		p.waitActive(state)
		p.waitText("#data .body", fmt.Sprintf("count%d", n))
	}
	slices.Sort(times)
	t.Logf("a step of 100,000 is shown after %.0f ms (median), %.0f ms (worst of %d)", times[len(times)/2], times[len(times)-1], len(times))
	p.shot("steps")
}

// The log of a million steps is scrolled through to its ends, although no browser has room for as
// many rows.
func TestLogOfAMillionSteps(t *testing.T) {
	if testing.Short() {
		t.Skip("it makes a million steps")
	}
	s := show(t, "counter", counter)
	if err := s.session.Start(t.Context()); err != nil {
		t.Fatal(err)
	}
	s.step(t, 1_000_000)
	p := open(t, s.url, desk)
	p.waitText("#rows", "1,000,000")
	for _, part := range []float64{0, 0.5, 1} {
		js[any](p, fmt.Sprintf(`(document.querySelector('#rows').scrollTop = %g * document.querySelector('#rows').scrollHeight)`, part))
		p.wait(fmt.Sprintf(`[...document.querySelectorAll('.row')].some(row => !row.hidden && Math.abs(row.dataset.n - %g) < 50 && row.textContent.includes('step'))`, part*1_000_000))
	}
	js[any](p, `(document.querySelector('#rows').scrollTop -= 280)`)
	p.wait(`[...document.querySelectorAll('.row')].some(row => !row.hidden && Number(row.dataset.n) < 999990 && Number(row.dataset.n) > 999900 && row.textContent.includes('step'))`)
}
