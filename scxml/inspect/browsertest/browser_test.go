package browsertest

import (
	"cmp"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"
)

var shots = flag.String("shots", "", "leave pictures of the page in this `directory`")

// browser is the context of the browser that all tests share.
var browser context.Context

func TestMain(m *testing.M) {
	flag.Parse()
	os.Exit(run(m))
}

func run(m *testing.M) int {
	path := chrome()
	if path == "" {
		fmt.Println("no browser is installed (chromium or google-chrome in PATH, or CHROME=PATH): the inspector's page is not tested")
		return m.Run() // where each test says that it is skipped
	}
	options := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.ExecPath(path))
	if os.Getuid() == 0 {
		options = append(options, chromedp.NoSandbox) // which needs another user than root
	}
	ctx, cancel := chromedp.NewExecAllocator(context.Background(), options...)
	defer cancel()
	ctx, cancel = chromedp.NewContext(ctx)
	defer cancel()
	if err := chromedp.Do(ctx); err != nil {
		fmt.Printf("cannot start %s: %v\n", path, err)
		return 1
	}
	browser = ctx
	return m.Run()
}

func chrome() string {
	for _, name := range []string{os.Getenv("CHROME"), "chromium", "chromium-browser", "google-chrome", "headless-shell"} {
		if path, err := exec.LookPath(name); name != "" && err == nil {
			return path
		}
	}
	return ""
}

// A tab is a page in the browser. What the page writes to the console fails the test: exceptions,
// and what its policy forbids.
type tab struct {
	t   *testing.T
	ctx context.Context

	mu      sync.Mutex
	console []string
	allowed []string // parts of messages that are expected
}

// A screen is what the page is shown on.
type screen struct {
	width, height int64
	dark, phone   bool
}

var (
	desk  = screen{width: 1400, height: 900}
	phone = screen{width: 390, height: 844, phone: true}
)

// open opens a URL in a new tab with an own profile.
func open(t *testing.T, url string, s screen) *tab {
	t.Helper()
	if browser == nil {
		t.Skip("no browser is installed")
	}
	ctx, cancel := chromedp.NewContext(browser, chromedp.WithNewBrowserContext())
	t.Cleanup(cancel)
	p := &tab{t: t, ctx: ctx}
	p.do(chromedp.Do(ctx)) // opens the tab
	messages := chromedp.Console(ctx)
	go func() {
		for m, err := range messages {
			if err != nil {
				return
			}
			p.mu.Lock()
			p.console = append(p.console, fmt.Sprint(m))
			p.mu.Unlock()
		}
	}()
	t.Cleanup(p.checkConsole)
	scheme := "light"
	if s.dark {
		scheme = "dark"
	}
	_, err := chromedp.Call(ctx, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{
		Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: scheme}},
	})
	p.do(err)
	_, err = chromedp.Call(ctx, emulation.SetDeviceMetricsOverride, emulation.SetDeviceMetricsOverrideParams{
		Width: s.width, Height: s.height, DeviceScaleFactor: 1, Mobile: s.phone,
	})
	p.do(err)
	p.do(chromedp.Do(ctx, chromedp.Navigate(url)))
	return p
}

func (p *tab) do(err error) {
	p.t.Helper()
	if err != nil {
		p.t.Fatal(err)
	}
}

func (p *tab) checkConsole() {
	p.mu.Lock()
	defer p.mu.Unlock()
next:
	for _, m := range p.console {
		for _, part := range p.allowed {
			if strings.Contains(m, part) {
				continue next
			}
		}
		p.t.Errorf("on the console: %s", m)
	}
}

// js evaluates an expression in the page, which may be a promise, and decodes its value.
func js[T any](p *tab, expr string) T {
	p.t.Helper()
	ctx, cancel := context.WithTimeout(p.ctx, 30*time.Second)
	defer cancel()
	text, err := chromedp.Run(ctx, chromedp.Evaluate[string](fmt.Sprintf(`(async () => JSON.stringify(await (%s)) ?? 'null')()`, expr), chromedp.EvalAwaitPromise))
	if err != nil {
		p.t.Fatalf("%s: %v", expr, err)
	}
	var v T
	if err := json.Unmarshal([]byte(text), &v); err != nil {
		p.t.Fatalf("%s: %s: %v", expr, text, err)
	}
	return v
}

// wait waits until an expression is true. It is evaluated in each frame.
func (p *tab) wait(expr string) {
	p.t.Helper()
	ok := js[bool](p, fmt.Sprintf(`new Promise(done => {
		const began = performance.now();
		(function look() {
			let ok = false;
			try { ok = %s; } catch { /* not there yet */ }
			if (ok || performance.now() - began > 25000) done(Boolean(ok));
			else requestAnimationFrame(look);
		})();
	})`, expr))
	if !ok {
		p.shot("failed")
		p.t.Fatalf("waited in vain for %s; the page says: %s", expr, js[string](p, `document.body.innerText.slice(0, 2000)`))
	}
}

// waitText waits until the text of an element contains a text.
func (p *tab) waitText(selector, text string) {
	p.t.Helper()
	p.wait(fmt.Sprintf(`document.querySelector(%q).textContent.includes(%q)`, selector, text))
}

// click clicks with the mouse in the middle of an element.
func (p *tab) click(selector string) {
	p.t.Helper()
	ctx, cancel := context.WithTimeout(p.ctx, 15*time.Second)
	defer cancel()
	if err := chromedp.Do(ctx, chromedp.Click(chromedp.CSS(selector))); err != nil {
		p.t.Fatalf("click %s: %v", selector, err)
	}
}

// keys presses keys where the focus is.
func (p *tab) keys(keys string) {
	p.t.Helper()
	p.do(chromedp.Do(p.ctx, chromedp.KeyEvent(keys)))
}

// mouse does something with the mouse.
func (p *tab) mouse(event input.DispatchMouseEventParams) {
	p.t.Helper()
	_, err := chromedp.Call(p.ctx, input.DispatchMouseEvent, event)
	p.do(err)
}

// activeStates are the names of the states that are lit in the picture.
const activeStates = `[...document.querySelector('#picture').shadowRoot.querySelectorAll('[data-state].active')].map(node => node.dataset.state).join(' ')`

// waitActive waits until just these states are lit.
func (p *tab) waitActive(names string) {
	p.t.Helper()
	p.wait(fmt.Sprintf(`%s === %q`, activeStates, names))
}

// allow expects messages on the console.
func (p *tab) allow(part string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.allowed = append(p.allowed, part)
}

// shot leaves a picture.
func (p *tab) shot(name string) {
	p.t.Helper()
	if *shots == "" {
		return
	}
	png, err := chromedp.Run(p.ctx, chromedp.CaptureScreenshot())
	p.do(err)
	file := cmp.Or(strings.ReplaceAll(p.t.Name(), "/", "-"), "page") + "-" + name + ".png"
	p.do(os.MkdirAll(*shots, 0o755))
	p.do(os.WriteFile(filepath.Join(*shots, file), png, 0o644))
}
