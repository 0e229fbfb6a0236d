package browsertest

import (
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// A line is a listener whose connections share a line of so many bytes a second.
type line struct {
	net.Listener
	rate float64

	mu   sync.Mutex
	free time.Time // when what was written has passed
}

func (l *line) Accept() (net.Conn, error) {
	c, err := l.Listener.Accept()
	if err != nil {
		return nil, err
	}
	return &slowConn{c, l}, nil
}

// A slowConn writes as fast as its line.
type slowConn struct {
	net.Conn
	line *line
}

func (c *slowConn) Write(p []byte) (n int, err error) {
	const part = 4096 // so that connections take turns
	for len(p) > 0 {
		some := p[:min(part, len(p))]
		c.line.pass(len(some))
		m, err := c.Conn.Write(some)
		if n += m; err != nil {
			return n, err
		}
		p = p[m:]
	}
	return n, nil
}

// pass waits until so many bytes have passed the line.
func (l *line) pass(bytes int) {
	l.mu.Lock()
	if now := time.Now(); l.free.Before(now) {
		l.free = now
	}
	l.free = l.free.Add(time.Duration(float64(bytes) / l.rate * float64(time.Second)))
	until := l.free
	l.mu.Unlock()
	time.Sleep(time.Until(until))
}

// slowSite serves the pages over a line of so many Mbit/s.
func slowSite(t *testing.T, mbits float64) string {
	t.Helper()
	server := httptest.NewUnstartedServer(must(t, handler))
	server.Listener = &line{Listener: server.Listener, rate: mbits * 1e6 / 8}
	server.Start()
	t.Cleanup(server.Close)
	return server.URL
}

// playable is true when the first puzzle can be played, perhaps without the program.
const playable = `document.documentElement.dataset.playable`

// cells is an expression: what there is to see and to hear of the cells, and the counts, which come a moment later.
const cells = `(await new Promise(done => setTimeout(done, 100))) ?? ([...document.querySelectorAll('[role=gridcell]')].map(cell => [cell.textContent, cell.className, cell.ariaLabel, cell.ariaSelected, cell.ariaReadOnly, cell.tabIndex].join()).join('|') + document.querySelector('#pad').innerText)`

// held serves the pages; the program comes when it is released.
func held(t *testing.T) (url string, release func()) {
	t.Helper()
	pages, wait := must(t, handler), make(chan struct{})
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/sudoku.wasm" {
			select {
			case <-wait:
			case <-r.Context().Done():
			}
		}
		pages.ServeHTTP(w, r)
	}))
	release = sync.OnceFunc(func() { close(wait) })
	t.Cleanup(func() {
		release()
		server.CloseClientConnections()
		server.Close()
	})
	return server.URL, release
}

// What the player does before the program has arrived is in the game: all looks as before when it has.
func TestFirstPuzzle(t *testing.T) {
	for name, s := range map[string]screen{"desk": desk, "phone": {width: 390, height: 844, phone: true, dark: true, language: "nl-NL"}} {
		t.Run(name, func(t *testing.T) {
			url, release := held(t)
			p := newTab(t, browser, s)
			p.visit(url + "/")
			p.wait(playable)
			if js[bool](p, ready) {
				t.Fatal("the program has arrived")
			}
			if text := js[string](p, `document.querySelector('progress').labels[0].textContent`); text == "" {
				t.Error("the bar has no label")
			}
			at := js[int](p, `+document.querySelector('#board [tabindex="0"]').id.slice(1)`)
			p.keys("5")
			p.waitDigit(at, '5')
			p.keys(kb.ArrowRight)
			p.keys(kb.ArrowDown)
			p.keys("H") // an action of the program's
			empty := js[[]int](p, `[...document.querySelectorAll('[role=gridcell]')].filter(cell => !cell.textContent).map(cell => +cell.id.slice(1))`)
			for i, digit := range []string{"1", "1", "9", "3"} { // the same twice may be a conflict
				p.click(fmt.Sprintf("#c%d", empty[i]))
				p.click(fmt.Sprintf(`#pad [data-digit="%s"]`, digit))
				p.waitDigit(empty[i], digit[0])
			}
			p.keys(kb.Delete)
			p.waitDigit(empty[3], '0')
			p.keys("u")
			p.waitDigit(empty[3], '3')
			p.click(`#buttons [data-act=undo]`)
			p.waitDigit(empty[3], '0')
			p.shot("loading")
			before := js[string](p, cells)
			release()
			p.wait(ready)
			p.shot("ready")
			if after := js[string](p, cells); after != before {
				t.Errorf("with the program the board is\n%s\nbefore\n%s", after, before)
			}
			p.keys("u") // the program has the moves
			p.waitDigit(empty[2], '0')
		})
	}
}

// A page that is closed before it has the program loses nothing.
func TestFirstPuzzleClosed(t *testing.T) {
	url, release := held(t)
	p := newTab(t, browser, desk)
	p.visit(url + "/")
	p.wait(playable)
	at := js[int](p, `+document.querySelector('#board [tabindex="0"]').id.slice(1)`)
	p.keys("5")
	p.waitDigit(at, '5')
	p.reload()
	p.wait(playable)
	p.waitDigit(at, '5')
	p.keys("6")
	one := p.beside()
	p.do(chromedp.Do(p.ctx, chromedp.Navigate("about:blank")))
	release()
	one.visit(url + "/")
	one.wait(ready)
	one.waitDigit(at, '6')
	one.keys("u")
	one.waitDigit(at, '5')
}

// What the player does is kept though the tab is closed at once, and is not done twice.
func TestClosedAtOnce(t *testing.T) {
	p := play(t, desk, 0, 40, 80)
	p.wait(controlled)
	p.keys(solution[:1]) // from now on there is a game to continue
	p.wait(`!localStorage.getItem('sudoku-left').includes('"do"')`)
	for i := range 6 {
		one := p.beside()
		p.do(chromedp.Do(p.ctx, chromedp.Navigate("about:blank"))) // one tab plays
		one.visit(siteURL(t) + "/")
		one.wait(ready)
		one.start()
		one.wait(fmt.Sprintf(`document.querySelector('#c40').textContent.replaceAll(' ', '') === %q`, "12345"[:i]))
		one.click("#c40")
		if js[string](one, `document.documentElement.dataset.pen`) != "notes" { // what is left over may have chosen it
			one.keys("m")
		}
		one.keys(string(rune('1' + i))) // a second time it would be removed
		if i%2 == 1 {
			one.wait(`!localStorage.getItem('sudoku-left').includes('"do"')`) // it is kept
		}
		one.do(chromedp.Cancel(one.ctx))
	}
}

// TestSpeedOfFirstLoad reports how long a player waits on a slow line: for something to see, for the
// first puzzle, and for the program. It fails if the first puzzle does not come before the program.
func TestSpeedOfFirstLoad(t *testing.T) {
	lines := map[string]float64{"9 Mbit/s": 9, "1.6 Mbit/s": 1.6}
	if testing.Short() {
		delete(lines, "1.6 Mbit/s") // half a minute
	}
	for name, mbits := range lines {
		times := map[string][]float64{}
		for range *speedLoads {
			p := newTab(t, browser, desk)
			p.visit(slowSite(t, mbits) + "/")
			for !js[bool](p, `Boolean(document.documentElement.dataset.ready)`) {
				time.Sleep(100 * time.Millisecond)
			}
			marks := js[map[string]float64](p, marks)
			if marks["playable"] >= marks["ready"] {
				t.Errorf("playable after %v ms, and ready after %v", marks["playable"], marks["ready"])
			}
			for name, at := range marks {
				times[name] = append(times[name], at)
			}
		}
		for _, mark := range []string{"first-contentful-paint", "playable", "ready"} {
			report(t, name+", "+mark, times[mark])
		}
	}
}

// beside opens another tab in the profile of a tab.
func (p *tab) beside() *tab {
	p.t.Helper()
	ctx, cancel := chromedp.NewContext(p.ctx)
	p.t.Cleanup(cancel)
	other := &tab{t: p.t, ctx: ctx}
	other.do(chromedp.Do(ctx))
	return other
}
